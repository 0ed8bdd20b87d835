"""The results cannot be read, for a reason that no other rule names.

What it does
------------
Reports results that reportkit refuses as a whole: columns that are missing or claimed twice, scores that are no
numbers or lie outside of their declared range. Duplicates, unequal sets of instances and mixed scales have rules of
their own. Results that are read and cannot be compared as they are (several metrics, too many pairs) are an info.

Why
---
Nothing in the paper was compared with results that could not be read, and nobody should take silence for a clean bill.

Example
-------
    system,dataset,instance,score
    ours,sst2,17,n/a

Instead
-------
    Leave the row out, or write the score; or name the columns in `[columns]` of reportkit.toml.

When it is wrong
----------------
Never: the message says what `reportkit build` would say.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.analysis_rules import refused
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.rule import Rule
from reportkit.errors import ScoreValueError
from reportkit.finding import Severity


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding if the results are refused as a whole."""
    yield from refused(context, RULE)
    if not context.data.refusals and context.report_data is None and (error := context.data.analysis_error):
        message = f"The results are read, but not compared: {error.problem}."
        severity: Severity = "error" if isinstance(error, ScoreValueError) else "info"
        yield RULE.about(message, where=error.where or "", remedy=error.remedy or "", severity=severity)


RULE = Rule(
    code="RK004",
    name="results-refused",
    severity="error",
    needs=frozenset({"data"}),
    check=check,
    also={"info": "the results are read, and only not compared"},
)
