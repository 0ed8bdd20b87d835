"""Decimals that promise more than the number of instances holds."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.report.score_format import scale_for
from reportkit.significance.outcome import Assessment

_FINEST = 0.1
"""A last decimal below this part of the smallest step, or of the standard error, says nothing."""

_LISTED = 4


def decimals_beyond_n(items: Sequence[Assessment], decimals: int) -> list[Finding]:
    """Say on which datasets the last decimal is below a tenth of what one instance changes.

    One of n right answers is 100 / n percentage points: with n = 277 a second decimal is a thirtieth of that. Of other
    scores, the standard error of the difference stands for this step.

    Parameters
    ----------
    items : sequence of Assessment
        Of one metric.
    decimals : int
        Asked for.

    Examples
    --------
    With n = 872, 0.11 percentage points to an answer, two decimals are enough to tell single answers apart, and three
    are too many.
    """
    usual = scale_for(items)
    if decimals <= usual.decimals:
        return []
    factor = usual.factor
    steps: dict[str, float] = {}
    for item in items:
        right = item.unit == "instance" and (item.kind == "binary" or item.in_percent)
        step = factor / item.n if item.n and right else None
        if step is None and item.standard_error:
            step = factor * item.standard_error
        if step is not None and 10.0**-decimals < _FINEST * step * (1 - 1e-9):
            steps[item.dataset] = max(step, steps.get(item.dataset, 0.0))
    if not steps:
        return []
    names = [f"{name!r}" for name in list(steps)[:_LISTED]]
    more = f" and {len(steps) - _LISTED} more" if len(steps) > _LISTED else ""
    coarsest = max(steps.values())
    return [
        Finding(
            "decimals-beyond-n",
            "warning",
            f"{decimals} decimals were asked for, and one instance, or one standard error, is as much as "
            f"{coarsest:.2g}: the last decimal says nothing.",
            where=f"datasets {', '.join(names)}{more}" if more else listed(names),
            remedy=f"print {usual.decimals}, as without decimals (--decimals)",
        )
    ]
