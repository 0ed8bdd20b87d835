r"""An interval called 95% is a 90% one, or contradicts its p-value.

What it does
------------
Compares the half-width of an interval with the standard error printed in the same line, and reports an interval that is
exactly as wide as one of another level would be. Reports an interval of a difference that leaves out zero while p of
the same sentence or line is above .10, or contains zero well inside while p is below .02.
Odds, hazard and risk ratios are compared with one.

Why
---
Half-widths of 1.645 standard errors are what comes of taking the 5% point of one tail for an interval: Sadat Azer et
al. (2020) call [0.0136, 0.057] a 95% interval, which is [0.0095, 0.0612]. NeurIPS checklist, item 7.

Example
-------
    The difference is 2.0 points (SE = 1.00, 95% interval [0.36, 3.64]).

Instead
-------
    The difference is 2.0 points (SE = 1.00, 95% interval [0.04, 3.96]).

When it is wrong
----------------
If interval and standard error are of different methods, and their ratio is that of another level by chance.
Adjusted p-values may contradict intervals that are not adjusted, and are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.paper.source import Span
from reportkit.checker.printed_interval import PrintedInterval, printed_intervals
from reportkit.checker.rule import Rule

QUANTILES = {90.0: 1.6448536, 95.0: 1.9599640, 99.0: 2.5758293}
TOLERANCE = 0.005
"""Relative, besides the rounding of the digits."""

ADJUSTED = re.compile(r"\b(?:adjusted|corrected|Bonferroni|Holm|simultaneous|FDR)\b", re.IGNORECASE)
COMPARED = re.compile(
    r"\b(?:differ\w*|gain\w*|improve\w*|effects?|advantage|margin|gap|drops?|better|worse|increase\w*)\b|Δ|θ_1",
    re.IGNORECASE,
)
RATIO = re.compile(r"\b(?:[a-z]?OR|[a-z]?HR|RR|IRR|(?:odds|hazard|risk|rate)[- ]?ratios?|odds|relative risk|ratios?)\b")
"""Of measures that are one, not zero, where nothing differs."""
LARGE_P, SMALL_P = 0.10, 0.02


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each interval of another level, and one for each that contradicts its p-value."""
    for item in printed_intervals(context.paper):
        if item.level in QUANTILES:
            found = _by_standard_error(item)
            if found is not None:
                level, why = found
                yield RULE.at(
                    context.paper,
                    item.span,
                    f"The {item.level:g}% interval {item.text} is as wide as a {level:g}% interval: {why}.",
                    remedy=f"take {QUANTILES[item.level or 95.0]:.3f} standard errors, not {QUANTILES[level]:.3f}; or "
                    f"call it a {level:g}% interval",
                    edits=_relabelled(context, item, level),
                    safe=False,
                )
        message = _contradiction(item)
        if message:
            yield RULE.at(
                context.paper, item.span, message, remedy="compute both anew, and say by which tests they are"
            )


def _relabelled(context: CheckContext, item: PrintedInterval, level: float) -> list[tuple[Span, str]]:
    """The level that stands close before the interval, with what it is; none of an interval below a heading."""
    text, span = context.paper.files[item.span.file].text, item.span
    begin = max(text.rfind(".\n", 0, span.start), text.rfind(". ", 0, span.start), text.rfind("&", 0, span.start)) + 1
    places = list(re.finditer(rf"(?<![\d.]){item.level:g}(?=\s*\\?%)", text[begin : span.start]))
    if len(places) != 1:
        return []
    return [(Span(span.file, begin + places[0].start(), begin + places[0].end()), f"{level:g}")]


def _by_standard_error(item: PrintedInterval) -> tuple[float, str] | None:
    error = item.standard_error
    if error is None or error.low <= 0:
        return None
    low, high = item.half_width[0] / error.high, item.half_width[1] / error.low
    fits = [level for level, z in QUANTILES.items() if _within(low, high, z)]
    if fits and item.level not in fits:
        return fits[0], f"its half-width is {QUANTILES[fits[0]]:.3f} of the standard errors printed beside it"
    return None


def _within(low: float, high: float, quantile: float) -> bool:
    """Return whether a quantile, times a power of ten, lies in an interval narrow enough to tell the levels apart."""
    if not 0 < low <= high or high / low > 1.15:
        return False
    factors = [10.0**power for power in range(-4, 5)]
    return any(low * (1 - TOLERANCE) <= factor * quantile <= high * (1 + TOLERANCE) for factor in factors)


def _contradiction(item: PrintedInterval) -> str:
    p = item.p
    if p is None or not COMPARED.search(item.words) or ADJUSTED.search(item.words) or item.level not in (None, 95.0):
        return ""
    if item.estimate is None or item.low.value > item.high.value:
        return ""
    width = item.high.value - item.low.value
    outside = item.low.low > 0 or item.high.high < 0
    inside = item.low.high < -0.1 * width and item.high.low > 0.1 * width
    ratio = RATIO.search(item.words) is not None
    if ratio and item.low.low <= 1 <= item.high.high:
        return ""
    null = "one" if ratio and item.low.low > 0 else "zero"
    if outside and _at_least(p, LARGE_P):
        return (
            f"The interval {item.text} leaves out {null}, and p {p.relation} {p.text} says that {null} is compatible."
        )
    if inside and p.relation in ("=", "<", "≤") and p.high < SMALL_P:
        return f"The interval {item.text} contains zero, and p {p.relation} {p.text} says that zero is not compatible."
    return ""


def _at_least(p: PrintedNumber, bound: float) -> bool:
    return p.relation in ("=", ">", "≥") and p.low >= bound


RULE = Rule(
    code="RK110",
    name="interval-level-mislabelled",
    severity="warning",
    needs=frozenset({"paper"}),
    check=check,
    sources="NeurIPS 7",
)
