"""Part `warnings`: which warnings about size stand beside a test, on the first samples of each null design."""

from __future__ import annotations

from collections import Counter
from functools import cache

from designs import Cell, cells, null
from pairs import BLOCK, KEYS, OURS, SHARED, SIZE_KEY

from reportkit.significance.assess import assess
from reportkit.significance.plan import ResamplingPlan

__all__ = ["BLOCK", "COUNTS", "DRAWS", "KEYS", "SIZE_KEY", "places", "simulated"]

DRAWS = 250
LEVEL = 0.05
COUNTS = ("shown", "a_05", "b_05")
"""Samples with the warning, and those of them in which A, or B, is said to be better."""

UNSEEN = frozenset(
    {
        *("small-sample", "skewness-unseen", "contamination-unseen", "unseen-failures", "one-sided-differences"),
        *("few-runs", "single-run", "few-resampled-units"),
    }
)
"""Warnings of what a sample of this size cannot show, whatever it shows."""

SEEN, TOO_SMALL = "something seen", "sample too small to tell"
"""Rows for a warning of either kind; that of reportkit is for any, with all false claims beside."""

Tally = Counter[str]


@cache
def _by_name() -> dict[str, Cell]:
    return {cell.name: cell for cell in cells() if cell.effect == "none"}


def places() -> dict[str, tuple[object, ...]]:
    """Names of the null hypotheses, and what stands in their first columns."""
    return {name: (cell.group, cell.design, cell.scores, cell.n, cell.effect) for name, cell in _by_name().items()}


def simulated(name: str, block: int, size: int = BLOCK) -> dict[str, Tally]:
    """Counts of one block of one cell, by the code of the warning; the samples are those of the part `tests`."""
    samples, _ = _by_name()[name].samples(block, size)
    found = {OURS: Tally(), SEEN: Tally(), TOO_SMALL: Tally()}
    for place, sample in enumerate(samples):
        item = assess(sample, ResamplingPlan(seed=(block * BLOCK + place) // SHARED))
        claims = Tally({"a_05": int(item.p_greater <= LEVEL), "b_05": int(item.p_less <= LEVEL)})
        codes = null.size_warnings(sample, item)
        found[OURS] += claims + Tally({"shown": int(bool(codes))})
        kinds = {TOO_SMALL if code in UNSEEN else SEEN for code in codes}
        for method in codes | kinds:
            found.setdefault(method, Tally()).update(claims + Tally({"shown": 1}))
    return {method: tally + Tally({"draws": size}) for method, tally in found.items()}
