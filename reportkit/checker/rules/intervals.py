"""Intervals as papers print them: bounds, estimate, range of the metric, level, p-value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from reportkit.checker.context import CheckContext
from reportkit.checker.diagnostic import Diagnostic
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.patterns import patterns
from reportkit.checker.printed_interval import PrintedInterval, printed_intervals
from reportkit.checker.rule import rule

RE = patterns("intervals")


@rule("RK108", "interval-inconsistent", "warning")
def interval_inconsistent(context: CheckContext) -> Iterator[Diagnostic]:
    r"""An interval does not contain its estimate, or its bounds are the wrong way round.

    Reports an interval whose lower bound is above its upper one, and one that does not contain the estimate printed
    next to it (as the digits of all three leave room for).

    Found::

        The difference is 0.52 (95\% CI [0.62, 0.71]).

    Not found::

        The difference is 0.65 (95\% CI [0.62, 0.71]).

    Source: NeurIPS 7.
    """
    for item in printed_intervals(context.paper):
        message, remedy = _fault(item), "compute estimate and interval from the same run, and print both again"
        yield from interval_inconsistent.compare(context, "interval", item.span, not message, message, remedy)


def _fault(item: PrintedInterval) -> str:
    estimate = item.estimate
    if item.low.value > item.high.value:
        return f"The lower bound of {item.text} is above the upper one."
    if estimate is None or RE["other_centre"].search(item.words):
        return ""
    ends = (estimate.low, estimate.high), (-estimate.high, -estimate.low)  # "loses 12.1 points [-15.5, -8.9]"
    inside = any(high >= item.low.low - 1e-9 and low <= item.high.high + 1e-9 for low, high in ends)
    if inside or estimate.relation != "=" or not _same_unit(item, estimate):
        return ""
    return f"The interval {item.text} does not contain its estimate, {estimate.text}."


def _same_unit(item: PrintedInterval, estimate: PrintedNumber) -> bool:
    """Return whether estimate and interval can share a unit: proportions and percent are a hundredfold apart."""
    middle = abs(item.low.value + item.high.value) / 2
    if not middle or not estimate.value:
        return True
    return (estimate.percent and item.high.percent) or 0.05 < abs(estimate.value) / middle < 20


QUANTILES = {90.0: 1.6448536, 95.0: 1.9599640, 99.0: 2.5758293}
TOLERANCE = 0.005
"""Relative tolerance, in addition to the rounding of the digits."""
LARGE_P, SMALL_P = 0.10, 0.02
ONE_SIDED_P = 0.9
"""From this p on, it may belong to the other direction."""
MOST_SYSTEMS = 12


@rule("RK110", "interval-level-mislabelled", "warning")
def interval_level_mislabelled(context: CheckContext) -> Iterator[Diagnostic]:
    r"""An interval called 95% is a 90% one, or contradicts its p-value.

    Recomputes the half-width of an interval from two accuracies and the number of instances that the paper prints,
    and reports an interval that is exactly as wide as one of another level would be. Reports an interval of a
    difference that leaves out zero while p of the same sentence or line is above .10, or contains zero well inside
    while p is below .02. Odds, hazard and risk ratios are compared with one. Adjusted p-values may contradict
    intervals that are not adjusted, and are left alone.

    Found::

        The difference is 2.1 points (95\% CI [0.5, 3.7], $p = .30$).

    Not found::

        The difference is 2.1 points (95\% CI [-1.9, 6.1], $p = .30$).

    Source: NeurIPS 7; Sadat Azer et al. (2020) call [0.0136, 0.057] a 95% interval, which is [0.0095, 0.0612].
    """
    intervals = list(printed_intervals(context.paper))
    rates = _rates(context) if intervals else []
    for item in intervals:
        found = None
        if item.level in QUANTILES and not RE["other_kind"].search(item.words):
            found = _by_rates(item, rates)
        if found is not None and item.level is not None:
            level, why = found
            message = f"The {item.level:g}% interval {item.text} is as wide as a {level:g}% interval: {why}."
            errors = f"{QUANTILES[item.level]:.3f} standard errors, not {QUANTILES[level]:.3f}"
            remedy = f"take {errors}; or call it a {level:g}% interval"
            yield interval_level_mislabelled.at(context.paper, item.span, message, remedy)
        yield from _contradiction(context, item)


def _rates(context: CheckContext) -> list[tuple[str, int, float, float]]:
    """Yield pairs of accuracies on one dataset as proportions, with its name and size."""
    found = []
    for table in context.paper.tables:
        for line in table.lines:
            n = next((size for name in line.headings[-1:] if (size := context.sizes.of(name))), None)
            numbers = [cell.number for cell in line.cells if cell.number is not None and cell.number.decimals]
            if n is None or not 2 <= len(numbers) <= MOST_SYSTEMS:
                continue
            scale = 100.0 if any(number.value > 1 for number in numbers) else 1.0
            rates = [number.value / scale for number in numbers if 0 < number.value < scale]
            found += [(line.headings[-1], n, one, other) for one, other in permutations(rates, 2) if one > other]
    return found


def _by_rates(item: PrintedInterval, rates: list[tuple[str, int, float, float]]) -> tuple[float, str] | None:
    """Return the level that a printed interval of two independent proportions has, if it is not the level named."""
    for name, n, one, other in rates:
        for scale in (1.0, 100.0):
            middle = (item.low.value + item.high.value) / 2 / scale
            half = item.half_width[0] / scale, item.half_width[1] / scale
            if abs(middle - (one - other)) > (item.low.unit + item.high.unit) / scale + 1e-4:
                continue
            pooled = (one + other) / 2
            errors = (2 * pooled * (1 - pooled) / n) ** 0.5, ((one * (1 - one) + other * (1 - other)) / n) ** 0.5
            fits = [
                level
                for level, z in QUANTILES.items()
                if any(_within(half[0] / error, half[1] / error, z) for error in errors)
            ]
            if len(fits) == 1 and item.level not in fits:
                return fits[0], f"that of the two accuracies on {name} with n = {n:,}"
    return None


def _within(low: float, high: float, quantile: float) -> bool:
    """Return whether a quantile lies in a range that is narrow enough to tell the levels apart."""
    return 0 < low <= high <= 1.15 * low and low * (1 - TOLERANCE) <= quantile <= high * (1 + TOLERANCE)


def _contradiction(context: CheckContext, item: PrintedInterval) -> Iterator[Diagnostic]:
    p = item.p
    about = RE["difference"].search(item.words) is not None and not RE["adjusted"].search(item.words)
    if p is None or not about or item.level not in (None, 95.0):
        return
    if item.estimate is None or item.low.value > item.high.value:
        return
    width = item.high.value - item.low.value
    outside = item.low.low > 0 or item.high.high < 0
    inside = item.low.high < -0.1 * width and item.high.low > 0.1 * width
    ratio = RE["ratio"].search(item.words) is not None
    if ratio and item.low.low <= 1 <= item.high.high:
        return
    null = "one" if ratio and item.low.low > 0 else "zero"
    large = outside and p.relation in ("=", ">", "≥") and LARGE_P <= p.low < ONE_SIDED_P
    small = inside and p.relation in ("=", "<", "≤") and p.high < SMALL_P
    says = f"p {p.relation} {p.text} says that {null} is {'compatible' if large else 'not compatible'}"
    message = f"The interval {item.text} {'leaves out' if large else 'contains'} {null}, and {says}."
    remedy = "compute both again, and say by which tests they are"
    agrees = not (large or small)
    yield from interval_level_mislabelled.compare(context, "interval with its p", p.span, agrees, message, remedy)
