"""Scores leave their range, or proportions and percentages are mixed.

What it does
------------
Reports proportions (at most 1) beside percentages (up to 100) of one metric, scores outside of the declared
`score_range`, and, where the datasets are the sample, datasets whose scores are so much larger than those of others
that they decide alone.

Why
---
A system whose scores are given as 0.87 beside one with 86.1 loses by 85 points, in every table and every test. ACL
Rolling Review, guideline R1.

Example
-------
    system,dataset,instance,score
    ours,squad,1,0.5
    base,squad,1,66.7

Instead
-------
Bring all scores of a metric to one scale; name metrics that differ in a column of their own.

When it is wrong
----------------
If a metric of any size happens to look so (a count beside a rate): declare `mixed_scales = "accept"`.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.engine_findings import refused, reported
from reportkit.checker.rule import Rule
from reportkit.errors import ReportkitError


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for mixed scales, one for scores out of range, and one for datasets that outweigh others."""
    yield from refused(context, RULE, "scales", None if context.evidence is None else _out_of_range(context))
    yield from reported(context, RULE)


def _out_of_range(context: CheckContext) -> ReportkitError | None:
    """What comparing would refuse for the declared range."""
    from reportkit.errors import ScoreValueError
    from reportkit.scores.scales import refuse_out_of_range

    evidence = context.data
    declared, results = evidence.settings.score_range, evidence.results
    if declared is None or results is None:
        return None
    chosen = [metric for metric in evidence.settings.metrics if metric in results.metrics]
    if len(results.metrics) > 1 and len(chosen) != 1:
        return None  # of which metric it is the range is not known
    try:
        refuse_out_of_range(results.select(metric=chosen) if chosen else results, declared)
    except ScoreValueError as error:
        return error
    return None


RULE = Rule(
    code="RK503",
    name="mixed-scales",
    severity="error",
    needs=frozenset({"data or report"}),
    check=check,
    sources="ARR R1",
)
