"""An inline request suppresses nothing.

What it does
------------
Reports `% reportkit: ignore ...` where the rule it names finds nothing (any more), or is not known.

Why
---
A request that outlives its cause hides the next finding of the same rule at the same place.

Example
-------
    The gain is small. % reportkit: ignore RK201 -- a quotation

Instead
-------
    The gain is small.

When it is wrong
----------------
If the rule is switched off for this run (by `--select`, or because no data were given), the request is not reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.catalogue import RULES
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Suppression
from reportkit.checker.rule import Rule


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each request that left nothing out."""
    for item in context.unused:
        unknown = [code for code in item.codes if not any(rule.startswith(code) for rule in RULES)]
        if unknown:
            message = f"There is no rule {unknown[0]}."
        elif _could_have_run(context, item):
            named = " or ".join(item.codes) or "any rule"
            message = f"Nothing is found here by {named}; the request does nothing."
        else:
            continue
        yield RULE.at(context.paper, item.span, message, remedy="remove the request")


def _could_have_run(context: CheckContext, item: Suppression) -> bool:
    """Whether every rule that the request names ran."""
    there = {"paper": True, "data": context.evidence is not None, "report": context.report_data is not None}
    there |= {"data or report": there["data"] or there["report"], "results table": True}
    named = [RULES[code] for code in RULES if not item.codes or any(code.startswith(part) for part in item.codes)]
    return all(context.config.selection.runs(rule.code) and all(there[need] for need in rule.needs) for rule in named)


RULE = Rule(
    code="RK002", name="unused-suppression", severity="info", needs=frozenset({"paper"}), check=check, last=True
)
