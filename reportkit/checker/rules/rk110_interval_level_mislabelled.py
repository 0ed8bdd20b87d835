r"""An interval called 95% is a 90% one, or contradicts its p-value.

What it does
------------
Recomputes the half-width of a 95% interval: from the standard error printed in the same line, or from the accuracies
and the number of instances that the paper prints, for one system or for the difference of two. Reports an interval that
is exactly as wide as one of another level would be. Reports an interval of a difference that leaves out zero while p of
the same sentence or line is above .10, or contains zero well inside while p is below .02.
Odds, hazard and risk ratios are compared with one.

Why
---
Half-widths of 1.645 standard errors are what comes of taking the 5% point of one tail for an interval: Sadat Azer et
al. (2020) call [0.0136, 0.057] a 95% interval, which is [0.0095, 0.0612]. NeurIPS checklist, item 7.

Example
-------
    1721 and 1637 of 2376 are right, a difference of 0.035 (95% interval [0.0136, 0.057]).

Instead
-------
    1721 and 1637 of 2376 are right, a difference of 0.035 (95% interval [0.0095, 0.0612]).

When it is wrong
----------------
If an interval of paired data happens to be narrower than that of independent samples by exactly the factor 1.645/1.96:
a sentence that says that the interval is paired, or a bootstrap, is left alone unless the standard error is printed.
Adjusted p-values may contradict intervals that are not adjusted, and are left alone.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from math import inf

from reportkit.checker.comparison import ComparedLine, comparisons
from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.document import Cell
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.paper.source import Span
from reportkit.checker.printed_interval import PrintedInterval, printed_intervals
from reportkit.checker.rule import Rule
from reportkit.checker.sizes import sizes_of

QUANTILES = {90.0: 1.6448536, 95.0: 1.9599640, 99.0: 2.5758293}
TOLERANCE = 0.005
"""Relative, besides the rounding of the digits."""

OTHER_KIND = re.compile(
    r"\b(?:paired|bootstrap\w*|permut\w+|BCa|Tango|clustered|credible|HDI|posterior)\b", re.IGNORECASE
)
ADJUSTED = re.compile(r"\b(?:adjusted|corrected|Bonferroni|Holm|simultaneous|FDR)\b", re.IGNORECASE)
COMPARED = re.compile(
    r"\b(?:differ\w*|gain\w*|improve\w*|effects?|advantage|margin|gap|drops?|better|worse|increase\w*)\b|Δ|θ_1",
    re.IGNORECASE,
)
RATIO = re.compile(r"\b(?:[a-z]?OR|[a-z]?HR|RR|IRR|(?:odds|hazard|risk|rate)[- ]?ratios?|odds|relative risk|ratios?)\b")
"""Of measures that are one, not zero, where nothing differs."""
LARGE_P, SMALL_P = 0.10, 0.02
_Rate = tuple[float, float]
_Pair = tuple[str, _Rate, _Rate, int]


class _Rates:
    """Pairs of accuracies, found again by their difference.

    Parameters
    ----------
    pairs : list of (str, (float, float), (float, float), int)
        Name of the dataset, both accuracies, n.
    """

    def __init__(self, pairs: list[_Pair]) -> None:
        self._pairs = pairs
        self._gaps = sorted((a[0] - b[1], a[1] - b[0], index) for index, (_, a, b, _) in enumerate(pairs))
        self._widest = max((high - low for low, high, _ in self._gaps), default=0.0)

    def with_gap(self, low: float, high: float) -> Iterator[_Pair]:
        """Pairs whose difference may lie between two bounds, in the order of the paper."""
        first = bisect_left(self._gaps, (low - self._widest - 1e-12,))
        last = bisect_right(self._gaps, (high, inf))
        for index in sorted(index for _, top, index in self._gaps[first:last] if top >= low):
            yield self._pairs[index]


def check(context: CheckContext) -> Iterator[Diagnostic]:
    """Yield one finding for each interval of another level, and one for each that contradicts its p-value."""
    rates: _Rates | None = None
    for item in printed_intervals(context.paper):
        if item.level in QUANTILES:
            found = _by_standard_error(item)
            if found is None and not OTHER_KIND.search(item.words):
                rates = _rates(context) if rates is None else rates
                found = _by_rates(item, rates)
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
    fits = [level for level, z in QUANTILES.items() if _within(low, high, z, decades=True)]
    if fits and item.level not in fits:
        return fits[0], f"its half-width is {QUANTILES[fits[0]]:.3f} of the standard errors printed beside it"
    return None


def _rates(context: CheckContext) -> _Rates:
    """Pairs of accuracies as proportions, each as the interval its digits stand for, with n."""
    sizes = sizes_of(context.paper)
    found = []
    for lines in comparisons(context.paper):
        for line in lines:
            n = int(line.n.number.value) if line.n is not None and line.n.number is not None else sizes.of(line.dataset)
            a, b = _proportion(lines, line.a), _proportion(lines, line.b)
            if n and a is not None and b is not None:
                found.append((line.dataset, a, b, n))
    return _Rates([*found, *((name, b, a, n) for name, a, b, n in found)])


def _proportion(lines: tuple[ComparedLine, ...], cell: Cell | None) -> _Rate | None:
    if cell is None or cell.number is None:
        return None
    number = cell.number
    percent = any(
        other.number is not None and other.number.value > 1 for line in lines for other in (line.a, line.b) if other
    )
    scale = 100.0 if percent else 1.0
    if not 0 < number.low < number.high < scale:
        return None
    return number.low / scale, number.high / scale


def _by_rates(item: PrintedInterval, rates: _Rates) -> tuple[float, str] | None:
    """The level whose interval for a difference of independent proportions is printed, if it is not the one named."""
    for scale in (1.0, 100.0):
        centre = ((item.low.low + item.high.low) / 2 / scale, (item.low.high + item.high.high) / 2 / scale)
        half = item.half_width[0] / scale, item.half_width[1] / scale
        for dataset, a, b, n in rates.with_gap(*centre):
            middle_a, middle_b = sum(a) / 2, sum(b) / 2
            if middle_a == middle_b:
                continue
            errors = _errors(middle_a, middle_b, n)
            fits = [
                z for z in QUANTILES if any(_within(half[0] / error, half[1] / error, QUANTILES[z]) for error in errors)
            ]
            if len(fits) == 1 and item.level not in fits:
                return fits[0], f"that of the two accuracies on {dataset} with n = {n:,}"
    return None


def _errors(a: float, b: float, n: int) -> tuple[float, float]:
    """Standard errors of the difference of two proportions: pooled, and not."""
    pooled = (a + b) / 2
    return (2 * pooled * (1 - pooled) / n) ** 0.5, ((a * (1 - a) + b * (1 - b)) / n) ** 0.5


def _within(low: float, high: float, quantile: float, *, decades: bool = False) -> bool:
    """Whether a quantile lies in an interval that is narrow enough to tell the levels apart."""
    if not 0 < low <= high or high / low > 1.15:
        return False
    factors = [10.0**power for power in range(-4, 5)] if decades else [1.0]
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
