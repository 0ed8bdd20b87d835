"""The designs of the study: two systems that are equal, and for power some that are not.

Most are those of the benchmark on size, with more sizes; to these come nulls that break what tests assume.
"""

from __future__ import annotations

import math
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import size_under_null as null

from reportkit.metrics.corpus import CORPUS_METRICS
from reportkit.scores.sample import Sample

SEED = 20_261_123
EFFECT = 2.5
"""What is added for power, in standard errors of the difference."""

PILOT = 400
"""Draws from which that standard error is taken."""

Rng = np.random.Generator
Floats = NDArray[np.float64]
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

POWER = (
    ("paired", "symmetric (normal)"),
    ("paired", "symmetric, heavy tails (t, 3 degrees of freedom)"),
    ("paired", "skewed to the right (exponential)"),
    ("paired", "skewed to the left (exponential)"),
    ("clusters of 5", "continuous"),
    ("5 and 5 runs", "normal"),
    ("unpaired", "normal"),
)
"""Designs and scores that are shifted, at n = 100."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One design of one size.

    Parameters
    ----------
    group, design, scores : str
        What is simulated, in words.
    n : int
        Instances (runs, folds).
    draw : callable
        (rng, n) -> Sample, before a shift.
    shift : float
        What is added to the scores of A, in standard errors of the difference; 0 under the null hypothesis.
    """

    group: str
    design: str
    scores: str
    n: int
    draw: Draw
    shift: float = 0.0

    @property
    def name(self) -> str:
        """Name of the random streams."""
        return f"{self.design}|{self.scores}|{self.n}|{f'{self.shift} SE' if self.shift else 'none'}"

    def stream(self, part: int | str) -> Rng:
        """Return the random stream of a part of the cell, whatever other cells and parts are drawn."""
        return np.random.default_rng([SEED, *(zlib.crc32(str(word).encode()) for word in (self.name, part))])

    def samples(self, block: int, count: int) -> list[Sample]:
        """Draw a block of samples."""
        added = self.shift * self._standard_error() if self.shift else 0.0
        rng = self.stream(block)
        drawn = [self.draw(rng, self.n) for _ in range(count)]
        return [replace(sample, a=sample.a + added) for sample in drawn] if added else drawn

    def _standard_error(self) -> float:
        rng = self.stream("pilot")
        return float(np.std([self.draw(rng, self.n).value_difference for _ in range(PILOT)]))


def cells() -> list[Cell]:
    """Return all designs, the smallest first: null hypotheses, and those that are shifted."""
    found = {cell.name: cell for cell in (*_further(), *_of_benchmark())}
    shifted = [replace(found[f"{design}|{scores}|100|none"], shift=EFFECT) for design, scores in POWER]
    return sorted([*found.values(), *shifted], key=lambda cell: cell.n)


def _of_benchmark() -> Iterator[Cell]:
    for one in null.cells():
        group = GROUPS[one.row]
        for n in LARGER.get(one.n, (one.n,)):
            if n == 500 and one.scores == "right or wrong":  # a second each, by Boschloo's test
                continue
            if n <= 500 or one.design == "paired" or group == "counts of right answers":
                yield Cell(group, one.design, one.scores, n, one.draw)


def _further() -> Iterator[Cell]:
    for n in (50, 200):
        yield Cell("serial", "in order", "means, AR(1) with .5", n, _neighbours)
        yield Cell("serial", "in order", "ratings that drift", n, _drifting_ratings)
    for n in (100, 300):
        yield Cell("corpus metrics", "rare class", "6% positive, one precise and one complete system", n, _rare_class)
    for n in (10, 30, 100, 500):
        yield Cell("means", "paired", "ceiling (90% at 1)", n, _ceiling)
        yield Cell("means", "paired", "hurdle (92% zeros)", n, _hurdle)
        yield Cell("means", "paired", "skewed (two lognormals)", n, _lognormals)


def _paired(a: Floats, b: Floats, kind: null.Kind = "continuous") -> Sample:
    return Sample(**null.NAMES, metric="score", a=a, b=b, kind=kind)


def _autoregressive(rng: Rng, n: int, rho: float) -> Floats:
    """Return a stationary process of order one, of variance 1."""
    values = rng.normal(size=n)
    for place in range(1, n):
        values[place] = rho * values[place - 1] + math.sqrt(1 - rho**2) * values[place]
    return values


def _neighbours(rng: Rng, n: int) -> Sample:
    base = rng.normal(size=n)
    return _paired(base + _autoregressive(rng, n, 0.5), base)


def _drifting_ratings(rng: Rng, n: int) -> Sample:
    """Ratings from 1 to 5 of equal distribution; those of A drift."""
    common, own = rng.normal(size=(2, n))
    latent = (0.7 * _autoregressive(rng, n, 0.7), 0.7 * own)
    return _paired(*(np.clip(np.rint(3 + common + part), 1, 5) for part in latent), "ordinal")


def _rare_class(rng: Rng, n: int) -> Sample:
    """F1 of .6 by precision .9 and recall .45, and the other way round."""
    gold = rng.random(n) < 0.06
    counts = []
    for recall, precision in ((0.45, 0.9), (0.9, 0.45)):
        found = gold & (rng.random(n) < recall)
        false = ~gold & (rng.random(n) < 0.06 / 0.94 * recall * (1 - precision) / precision)
        counts.append(np.stack((found, false, gold & ~found), axis=1).astype(float))
    a, b = counts
    return Sample(shape="corpus", **null.NAMES, metric="f1", kind="continuous", a=a, b=b, measure=CORPUS_METRICS["f1"])


def _ceiling(rng: Rng, n: int) -> Sample:
    """A is right on nine of ten and anywhere below on the tenth; B scores about .95 everywhere."""
    return _paired(np.where(rng.random(n) < 0.9, 1.0, rng.random(n)), rng.normal(0.95, 0.01, n))


def _hurdle(rng: Rng, n: int) -> Sample:
    """Nearly all differences are 0; of the others, three of four are .25 and one is -.75."""
    base = rng.normal(size=n)
    return _paired(base + np.where(rng.random(n) < 0.08, rng.choice([0.25, 0.25, 0.25, -0.75], n), 0.0), base)


def _lognormals(rng: Rng, n: int) -> Sample:
    """Two of equal mean, one with the wider logarithm."""
    wide = 1.32
    return _paired(rng.lognormal(size=n), rng.lognormal((1 - wide**2) / 2, wide, size=n))
