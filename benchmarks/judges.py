"""Coverage of the prediction-powered difference, by simulation with a known true difference.

`python benchmarks/judges.py` prints the table of docs/how-to/judges.md: 2,000 samples of 1,000 instances in each
design, some of them labelled by people; how often the 95% interval holds the truth, and its width and that of people
alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError
from reportkit.significance.prediction_powered import prediction_powered

SEED = 20_261_128
REPLICATES = 2_000
N = 1_000
LABELLED = (20, 50, 100, 300)
FIELDS = ("scores", "judge", "labelled", "samples", "covered", "judge_covered", "width", "width_of_people")
Floats = NDArray[np.float64]
Sampler = Callable[[np.random.Generator], tuple[Floats, Floats]]


def normal(rho: float, bias: float) -> Sampler:
    """Differences of ratings with a spread of 1 and a mean of 0.1; the judge's correlate, and are off by a bias."""

    def sample(rng: np.random.Generator) -> tuple[Floats, Floats]:
        z, e = rng.normal(size=(2, N))
        return 0.1 + z, 0.1 + bias + rho * z + np.sqrt(1.0 - rho**2) * e

    return sample


def right_or_wrong(flips: float, favour: float) -> Sampler:
    """Two systems that are right on 70% and 60%; the judge errs on some answers, and takes some of A's for right."""

    def sample(rng: np.random.Generator) -> tuple[Floats, Floats]:
        truth = rng.random((2, N)) < np.array([[0.7], [0.6]])
        seen = truth ^ (rng.random((2, N)) < flips)
        seen[0] |= rng.random(N) < favour
        return (1.0 * truth[0] - truth[1]), (1.0 * seen[0] - seen[1])

    return sample


DESIGNS: dict[tuple[str, str], tuple[Sampler, float]] = {
    ("ratings", "correlation .3"): (normal(0.3, 0.0), 0.1),
    ("ratings", "correlation .7"): (normal(0.7, 0.0), 0.1),
    ("ratings", "correlation .95"): (normal(0.95, 0.0), 0.1),
    ("ratings", "correlation .7, half a point for B"): (normal(0.7, -0.5), 0.1),
    ("ratings", "correlation 0"): (normal(0.0, 0.0), 0.1),
    ("right or wrong", "errs on 10%"): (right_or_wrong(0.1, 0.0), 0.1),
    ("right or wrong", "errs on 30%"): (right_or_wrong(0.3, 0.0), 0.1),
    ("right or wrong", "errs on 10%, 20% more for A"): (right_or_wrong(0.1, 0.2), 0.1),
}
"""Scores and judge to a sampler and the true difference."""


def simulate(key: tuple[str, str], labelled: int, replicates: int = REPLICATES) -> dict[str, str]:
    """Return one row of the table."""
    sample, truth = DESIGNS[key]
    rng = np.random.default_rng([SEED, labelled, zlib.crc32(repr(key).encode())])
    covered = by_judge = 0
    widths: list[tuple[float, float]] = []
    for _ in range(replicates):
        y, f = sample(rng)
        people = np.where(np.arange(N) < labelled, y, np.nan)
        try:
            found = prediction_powered(people, f)
            alone = prediction_powered(people, np.zeros(N))
        except DesignError:
            continue
        covered += found.low <= truth <= found.high
        by_judge += abs(f.mean() - truth) <= 1.96 * f.std(ddof=1) / np.sqrt(N)
        widths.append((found.high - found.low, alone.high - alone.low))
    width, of_people = np.median(widths, axis=0)
    share = f"{covered / len(widths):.4f}", f"{by_judge / len(widths):.4f}"
    values = (*key, labelled, len(widths), *share, f"{width:.4f}", f"{of_people:.4f}")
    return dict(zip(FIELDS, map(str, values), strict=True))


def main() -> None:
    """Print the table in Markdown."""
    print(f"| {' | '.join(FIELDS)} |\n|{'---|' * len(FIELDS)}")
    for key in DESIGNS:
        for labelled in LABELLED:
            print(f"| {' | '.join(simulate(key, labelled).values())} |", flush=True)


if __name__ == "__main__":
    main()
