"""k-hat by Fisher without a statement that the datasets are independent, or against the data.

What it does
------------
In a paper beside data or a report: a bound by Fisher's combination where the settings do not declare the datasets
independent, or where the data speak against it. Without a paper: runs of the same name on several datasets that are
declared independent (a warning), and declarations that could not be looked into, because no instances are known (an
info).

Why
---
Fisher's method adds up evidence, and evidence from the same instances counts twice: k-hat is then too large, without
any level. Bonferroni's bound holds whatever the dependence is. Dror et al. (2017), section 3 and footnote 4; ACL
Rolling Review, guideline R5.

Example
-------
    By Fisher's method, k-hat is 9. (Four of the twelve domain pairs share a test set.)

Instead
-------
    k-hat by Bonferroni, which holds under any dependence, is 6.

When it is wrong
----------------
If the datasets are independent: declare it with `dependence = "independent"`, and say in the paper why they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import engine_findings, reported
from reportkit.checker.prose import Prose, Statement
from reportkit.checker.rule import Rule

FISHER = re.compile(r"\bFisher\b(?!['’]s (?:exact|z|transform))(?! (?:exact|information|matrix))", re.IGNORECASE)
COUNTED = re.compile(r"k̂|\bk[-_ ]?hat\b|\bcombin\w+|\bpartial conjunction|\breplicab\w+|\bbounds?\b", re.IGNORECASE)
PLURAL = r"(?:datasets?|data sets?|domains?|corpora|test sets?|tasks?|languages?|p-values?)"
INDEPENDENT = re.compile(
    rf"\b{PLURAL}\b[^.;]*\bindependen\w+|\bindependen(?:t|ce)\b[^.;]*\b{PLURAL}\b|\bno (?:shared|common) instances"
    rf"|\b{PLURAL}\b[^.;]*\b(?:disjoint|share no)\b",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield what the analysis says of independence, and sentences that use Fisher's bound without or against it."""
    yield from reported(context, RULE)
    reason = _reason(context)
    if not reason:
        return
    for document in context.documents:
        prose = Prose(document)
        stated = prose.says(INDEPENDENT, own=True)
        for item in prose.own:
            match = FISHER.search(item.text)
            if match is None or not COUNTED.search(item.text) or item.negated(match.start()):
                continue
            if "declare" in reason and stated is not None and not _denied(stated):
                continue
            yield RULE.at(
                document,
                item.span(match),
                f"Fisher's combination needs independent datasets, and {reason}.",
                remedy='report the bound by Bonferroni; or declare dependence = "independent" and say why they are',
            )
            break


def _denied(item: Statement) -> bool:
    match = INDEPENDENT.search(item.text)
    return match is not None and item.negated(match.end())


def _reason(context: CheckContext) -> str:
    """What speaks against Fisher's combination, as a clause; empty if nothing does."""
    against = next((item.message for item in engine_findings(context) if item.code == "not-independent"), "")
    if against:
        return "the data speak against it: " + against.partition("but ")[2].partition(". Fisher")[0].rstrip(".")
    return "" if context.settings.get("dependence") == "independent" else "nobody declares that they are"


RULE = Rule(
    code="RK608",
    name="fisher-without-independence",
    severity="error",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R5; Dror et al. 2017",
)
