"""Count rejections of each default test, with and without a warning, and of the alternatives on the same samples."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
from alternatives import Answers, alternatives
from designs import Cell, cells, null

from reportkit.significance.assess import assess
from reportkit.significance.entry import ResamplingPlan

BLOCK, DRAWS = 250, 2_000
SHARED = 50
"""Samples that share resamples."""

OURS = "reportkit"
LEVELS = {"05": 0.05, "01": 0.01}
"""One-sided levels."""

Tally = Counter[str]


@cache
def _by_name() -> dict[str, Cell]:
    return {cell.name: cell for cell in cells()}


def tallied(answers: Answers, truth: float, warned: np.ndarray | None = None) -> Tally:
    """Count rejections, intervals that miss the truth, and rejections without a warning beside."""
    tally = Tally({"draws": answers.greater.size})
    for side, p in (("a", answers.greater), ("b", answers.less)):
        for name, level in LEVELS.items():
            hits = p <= level * (1 + 1e-9)
            tally[f"{side}_{name}"] += int(hits.sum())
            if warned is not None:
                tally[f"silent_{side}_{name}"] += int((hits & ~warned).sum())
    if answers.low is not None and answers.high is not None:
        known = ~np.isnan(answers.low)
        tally["intervals"] += int(known.sum())
        tally["above"] += int((answers.low[known] > truth + 1e-12).sum())
        tally["below"] += int((answers.high[known] < truth - 1e-12).sum())
    if warned is not None:
        tally["warned"] += int(warned.sum())
    return tally


def simulated(name: str, block: int, size: int = BLOCK) -> dict[str, Tally]:
    """Counts of one block of one cell: of reportkit, and of every alternative on the same samples."""
    cell = _by_name()[name]
    samples, truth = cell.samples(block, size)
    p, ends, warned, tests = [], [], [], Counter[str]()
    for place, sample in enumerate(samples):
        item = assess(sample, ResamplingPlan(seed=(block * BLOCK + place) // SHARED))
        interval = item.interval
        tests[f"test {item.test}"] += 1
        p.append((item.p_greater, item.p_less))
        ends.append((np.nan, np.nan) if interval is None else (interval.low, interval.high))
        warned.append(null.is_warned(sample, item))
    ours = Answers(*np.array(p).T, *np.array(ends, dtype=float).T)
    found = {OURS: tallied(ours, truth, np.array(warned)) + tests}
    for first in range(0, size, SHARED):
        rng = cell.stream(f"alternatives {block} {first}")
        for method, answers in alternatives(samples[first : first + SHARED], rng).items():
            found.setdefault(method, Tally()).update(tallied(answers, truth))
    return found
