"""The designs of the study: those of the benchmarks on size and coverage, with more sizes, and with known effects.

Each cell is a null hypothesis (effect 0), or the same shape with a true difference, for power and coverage.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import interval_coverage as coverage
import size_under_null as null

from reportkit.scores.sample import Sample

SEED = 20_261_123
EFFECT = 2.5
"""Of a shifted mean, in standard errors of the difference."""

PILOT = 400
"""Draws from which the standard error of a shifted design is taken."""

Rng = np.random.Generator
Draw = Callable[[Rng, int], Sample]

GROUPS = {
    8: "means",
    5: "right or wrong",
    4: "clusters",
    9: "ratings and counts",
    10: "ratings and counts",
    6: "corpus metrics",
    7: "correlations",
    2: "runs",
    11: "unpaired",
    12: "unpaired",
    13: "counts of right answers",
    15: "folds",
}
"""What the rows of the decision table are for."""

LARGER = {1000: (500, 2000)}
"""What stands here for the largest size of the benchmarks."""

SHIFTED = (
    *("symmetric (normal)", "symmetric, heavy tails (t, 3 degrees of freedom)", "symmetric, U-shaped (beta)"),
    *("skewed to the right (exponential)", "skewed to the left (exponential)", "90% N(.1, .3), 10% N(-.9, 1)"),
    *("normal", "continuous"),
)
"""Scores that are shifted for power; a shift of sparse differences would leave no zeros."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One design of one size.

    Parameters
    ----------
    group, design, scores : str
        What is simulated, in words.
    n : int
        Instances (runs, folds).
    effect : str
        "none", or the true difference in words.
    draw : callable
        (rng, n) -> Sample, before a shift.
    truth : float
        True difference; of a shifted design it is found by a pilot.
    shifted : bool
        Whether `EFFECT` standard errors are added to the scores of A.
    """

    group: str
    design: str
    scores: str
    n: int
    effect: str
    draw: Draw
    truth: float = 0.0
    shifted: bool = False

    @property
    def name(self) -> str:
        """Name of the random streams."""
        return f"{self.design}|{self.scores}|{self.n}|{self.effect}"

    def stream(self, part: int | str) -> Rng:
        """Random stream of a part of the cell, whatever other cells and parts are drawn."""
        return np.random.default_rng([SEED, *(zlib.crc32(str(word).encode()) for word in (self.name, part))])

    def samples(self, block: int, count: int) -> tuple[list[Sample], float]:
        """Draw a block of samples, and say what their true difference is."""
        rng = self.stream(block)
        drawn = [self.draw(rng, self.n) for _ in range(count)]
        if not self.shifted:
            return drawn, self.truth
        shift = EFFECT * _standard_error(self)
        return [replace(sample, a=sample.a + shift) for sample in drawn], shift


@cache
def _standard_error(cell: Cell) -> float:
    rng = cell.stream("pilot")
    return float(np.std([cell.draw(rng, cell.n).value_difference for _ in range(PILOT)]))


@cache
def cells() -> tuple[Cell, ...]:
    """All designs: null hypotheses, shifted means, and effects of other kinds."""
    found = {cell.name: cell for cell in (*_nulls(), *_effects())}
    return tuple(found.values())


def _nulls() -> Iterator[Cell]:
    for one in null.cells():
        for n in LARGER.get(one.n, (one.n,)):
            group = GROUPS[one.row]
            if n > 500 and not (one.design == "paired" or group == "counts of right answers"):
                continue
            yield Cell(group, one.design, one.scores, n, "none", one.draw)
            of_power = (3, 5, 10) if one.design == "one score per run" else (30, 100, 500)
            if one.scores in SHIFTED and group != "correlations" and n in of_power:
                yield Cell(group, one.design, one.scores, n, f"{EFFECT} SE", one.draw, shifted=True)


def _effects() -> Iterator[Cell]:
    """Differences that are not a shift, with their true values."""
    for n in (30, 100, 500):
        for only_a, only_b in ((0.2, 0.1), (0.05, 0.01)):
            effect = f"{only_a - only_b:+.0%} points"
            draw: Any = coverage._binary(only_a, only_b)
            scores = f"right or wrong, {only_a:.0%} only A, {only_b:.0%} only B"
            yield Cell("right or wrong", "paired", scores, n, effect, draw, only_a - only_b)
        draw = coverage._correlations(0.8, 0.5)
        yield Cell("correlations", "pearson correlation with gold", "normal", n, "+.3", draw, 0.8 - 0.5)
        draw = coverage._proportions(0.95, 0.85)
        scores = "95% and 85% right"
        yield Cell("counts of right answers", "aggregates, independent samples", scores, n, "+10% points", draw, 0.1)
