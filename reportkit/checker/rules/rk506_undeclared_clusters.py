"""Instances come from common documents, and no cluster is declared.

What it does
------------
Looks for ids that name a document and a part of it (`doc12-s3`, `nyt/4_17`), and for a column of documents or dialogues
that plays no role, where no column is declared as `cluster`.

Why
---
Sentences of one document are easy or hard together. A test that takes them as independent believes to have more
evidence than there is: its p-values are too small, and its intervals too narrow. ACL Rolling Review, guideline R5;
Miller (2024), "Adding error bars to evals".

Example
-------
    system,dataset,instance,doc,score
    ours,ted,1,talk-17,0.8

Instead
-------
    [columns]
    cluster = "doc"

When it is wrong
----------------
If prefix and number mean something else, such as a shard of the file. Add a constant-free column of your own, or
silence the rule with `ignore = ["RK506"]` and say in the paper why instances are independent.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import reported
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield datasets whose instances seem to be parts of documents."""
    yield from reported(context, RULE)


RULE = Rule(
    code="RK506",
    name="undeclared-clusters",
    severity="warning",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5",
)
