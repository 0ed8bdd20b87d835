r"""An interval does not contain its estimate, or leaves the range of the metric.

What it does
------------
Reports an interval whose lower bound is above its upper one, one that does not contain the estimate printed beside it
(as the digits of all three leave room for), and one for an accuracy or another proportion that reaches below 0 or above
100% (or 1).

Why
---
NeurIPS checklist, item 7: a symmetric interval around 98% of 200 instances contains accuracies that do not exist; the
formula for it does not hold there. An estimate outside its own interval is a typing error, or belongs to another run.

Example
-------
    Accuracy is 98.5 [96.8, 100.2] on 200 instances.

Instead
-------
    Accuracy is 98.5 [95.7, 99.5] on 200 instances (Wilson interval).

When it is wrong
----------------
If the interval is of a difference, or of a metric without a range, under a heading that names a proportion.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.printed_interval import PrintedInterval, printed_intervals
from reportkit.checker.rule import Rule

PROPORTION = re.compile(
    r"\b(?:accurac(?:y|ies)|acc\.?|exact match|EM|F1|precision|recall|win rates?|error rates?|success rates?|pass@1)\b",
    re.IGNORECASE,
)
DIFFERENCE = re.compile(
    r"\b(?:differences?|gains?|improve\w*|increase\w*|decrease\w*|drops?|gaps?|margins?|effects?|change[sd]?|more than|"
    r"relative|advantage|better|worse)\b|Δ|δ|−|\+",
    re.IGNORECASE,
)


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each interval that cannot be right."""
    for item in printed_intervals(context.paper):
        for number in (item.low, item.high):
            context.coverage.checked(context.number, number.span)
        message = _fault(item)
        if message:
            yield RULE.at(context.paper, item.span, message, remedy=_remedy(message))


def _fault(item: PrintedInterval) -> str:
    if item.low.value > item.high.value:
        return f"The lower bound of {item.text} is above the upper one."
    estimate = item.estimate
    outside = estimate is not None and not (_holds(item, estimate.low, estimate.high) or _NULL.search(item.words))
    if estimate is not None and outside:  # "loses 12.1 points [-15.5, -8.9]", "by -74% [52, 89]"
        outside = not _holds(item, -estimate.high, -estimate.low)
    if estimate is not None and outside and estimate.relation == "=" and _same_unit(item):
        return f"The interval {item.text} does not contain its estimate, {estimate.text}."
    if estimate is None or not PROPORTION.search(item.words) or DIFFERENCE.search(item.words) or estimate.value < 0:
        return ""
    top = 1.0 if estimate.value <= 1 and estimate.decimals >= 2 and not estimate.percent else 100.0
    if estimate.value <= top and (item.high.low > top + 1e-9 or item.low.high < -1e-9):
        return f"The interval {item.text} contains values below 0 or above {top:g}, which no proportion has."
    return ""


def _holds(item: PrintedInterval, low: float, high: float) -> bool:
    """Whether an interval holds a value, as the digits of all three leave room for."""
    return high >= item.low.low - 1e-9 and low <= item.high.high + 1e-9


_NULL = re.compile(
    r"\b(?:null|permut\w+|random[- ]?label\w*|shuffl\w+|prior|simulated|expected|reference|normal range)\b",
    re.IGNORECASE,
)
"""Intervals that are about something else than the estimate beside them."""


def _same_unit(item: PrintedInterval) -> bool:
    """Whether estimate and interval can be in the same unit: proportions and percent are a hundredfold apart."""
    estimate = item.estimate
    if estimate is None:
        return False
    middle = abs(item.low.value + item.high.value) / 2
    if not middle or not estimate.value:
        return True
    return (estimate.percent and item.high.percent) or 0.05 < abs(estimate.value) / middle < 20


def _remedy(message: str) -> str:
    if "which no proportion has" in message:
        return "use an interval that stays in the range: Wilson, Clopper-Pearson, or a bootstrap of the right kind"
    return "compute estimate and interval from the same run, and print both anew"


RULE = Rule(
    code="RK108",
    name="interval-inconsistent",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="NeurIPS 7",
)
