"""Simulate which samples of few differences are warned of: all of equal means, by the default test of a mean.

Run `python benchmarks/thirty_differences.py`; it takes about ten minutes. `results/thirty_differences.csv` holds, for
each design and n, the share of samples with a warning about the size of the test, and of false claims in both
directions, in all and without such a warning.
"""

from __future__ import annotations

import argparse
import csv
import math
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from size_under_null import OF_POWER

from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.significance.assess import assess
from reportkit.significance.plan import ResamplingPlan

RESULTS = Path(__file__).with_name("results") / "thirty_differences.csv"
SIZES = (20, 30)
LEVELS = (0.05, 0.01, 0.001)
SHARED = 50
"""Samples that share one seed of resamples."""

Rng = np.random.Generator
DESIGNS: dict[str, Callable[[Rng, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "t, 3 degrees of freedom": lambda rng, n: rng.standard_t(3, size=n),
    "two uniform scores": lambda rng, n: rng.random(n) - rng.random(n),
    "two ratings from 1 to 5": lambda rng, n: rng.integers(1, 6, n) - rng.integers(1, 6, n) + 0.0,
    "three strata (.4, .1, -.5) + N(0, .3)": lambda rng, n: rng.choice([0.4, 0.1, -0.5], n) + rng.normal(0, 0.3, n),
    "+1 (60%), -1.5 (40%)": lambda rng, n: np.where(rng.random(n) < 0.6, 1.0, -1.5),
    "reciprocal rank minus right or wrong": lambda rng, n: (
        1 / rng.integers(1, 9, n) - (rng.random(n) < np.mean(1 / np.arange(1, 9)))
    ),
    "two lognormal scores, sigma 1 and 1.32": lambda rng, n: (
        rng.lognormal(0, 1, n) - rng.lognormal((1 - 1.32**2) / 2, 1.32, n)
    ),
    "constant minus lognormal": lambda rng, n: math.exp(0.5) - rng.lognormal(0, 1, n),
    "constant minus exponential": lambda rng, n: 1 - rng.exponential(size=n),
    "1 in 90%, else U(0, 1), minus N(.95, .01)": lambda rng, n: (
        np.where(rng.random(n) < 0.9, 1.0, rng.random(n)) - rng.normal(0.95, 0.01, n)
    ),
    "+.02 (95%), -.38 (5%)": lambda rng, n: np.where(rng.random(n) < 0.95, rng.normal(0.02, 0.005, n), -0.38),
    "0 (92%), +.25 (6%), -.75 (2%)": lambda rng, n: rng.choice([0, 0.25, -0.75], n, p=[0.92, 0.06, 0.02]),
}


def one(differences: np.ndarray, seed: int) -> tuple[bool, list[bool]]:
    """Whether there is a warning, and at which levels and in which directions a system is said to be better."""
    names = {"system_a": "a", "system_b": "b", "dataset": "d", "metric": "score", "kind": "continuous"}
    sample = PairedScores(**names, a=differences, b=np.zeros(differences.size))
    if sample.identical:
        return False, [False] * 6
    outcome = assess(sample, ResamplingPlan(n_resamples=999, seed=seed))
    warned = any(finding.severity != "info" and finding.code not in OF_POWER for finding in outcome.findings)
    return warned, [p <= level for level in LEVELS for p in (outcome.p_greater, outcome.p_less)]


def main() -> None:
    """Simulate each design at each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=500)
    draws = parser.parse_args().draws
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        directions = [f"{side}_{str(level)[2:]}" for level in LEVELS for side in "ab"]
        writer.writerow(
            ["differences", "n", "draws", "warned", *directions, *(f"unwarned_{name}" for name in directions)]
        )
        for name, draw in DESIGNS.items():
            for n in SIZES:
                rng = np.random.default_rng(zlib.crc32(f"{name} {n}".encode()))
                found = [one(draw(rng, n), number // SHARED) for number in range(draws)]
                warned, rejected = np.array([one[0] for one in found]), np.array([one[1] for one in found])
                shares = [*rejected.mean(axis=0), *(rejected & ~warned[:, None]).mean(axis=0)]
                writer.writerow([name, n, draws, f"{warned.mean():.3f}", *(f"{share:.3f}" for share in shares)])
                file.flush()


if __name__ == "__main__":
    main()
