"""Tails of sign flips and of the bootstrap on random inputs, against exact distributions.

Run `python benchmarks/tails.py [--inputs 10000] [--seed 1]`. Inputs are whole numbers, so that the distribution of
their sum is known: by meeting in the middle with integers up to 34 differences, else by adding up probabilities step by
step, which are all positive and so keep some 13 digits however far the tail is. Printed are, for each family and n, how
many inputs there were, the worst relative error of a tail below the truth and above it, and milliseconds per pair.
A tail may be at most 1e-9 too small, and 1.5% too large (2% for fewer than 40 values near a lattice).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.significance.nulls import SMALLEST_P_VALUE, draw_tails, flip_tails

Whole = NDArray[np.int64]
Family = Callable[[np.random.Generator, int], Any]


def near(jitter: float) -> Family:
    """Values -1, 0 and 1 with normal jitter, in steps of 1e-6 (n up to 34) or of 1e-3."""

    def drawn(rng: np.random.Generator, n: int) -> Any:
        step = 1e6 if n <= MIDDLE else 1e3
        return step * (rng.choice([-1, 0, 1], n, p=[0.3, 0.3, 0.4]) + jitter * rng.normal(size=n))

    return drawn


def far_out(rng: np.random.Generator, n: int) -> Any:
    """Normal values, and two far out."""
    return np.append(rng.normal(20, 200, n - 2), [rng.uniform(2e3, 1e4), -rng.uniform(2e3, 1e4)])


FLIPS: dict[str, tuple[Family, tuple[int, ...]]] = {
    "right or wrong": (lambda rng, n: rng.choice([-1, 0, 1], n), (34, 400)),
    "ratings": (lambda rng, n: rng.integers(-4, 5, n), (30, 300)),
    "thirds and halves": (lambda rng, n: rng.choice([-6, -4, -3, -2, 0, 2, 3, 4, 6], n), (32, 200)),
    "two decimals": (lambda rng, n: rng.normal(2, 30, n), (30, 120)),
    "continuous": (lambda rng, n: rng.normal(60, 800, n), (28, 33, 100)),
    "skewed": (lambda rng, n: 300 * rng.lognormal(0, 1, n) - 450, (30, 100)),
    "heavy tails": (lambda rng, n: 300 * rng.standard_t(2, n).clip(-30, 30), (30, 100)),
    "two values far out": (far_out, (30, 100)),
    "nearly all wins": (lambda rng, n: np.abs(rng.normal(0, 700, n)) * np.where(rng.random(n) < 0.93, 1, -1), (34, 80)),
    "jitter 1e-4": (near(1e-4), (28, 34)),
    "jitter .01": (near(0.01), (30, 80)),
    "jitter .1": (near(0.1), (30, 80)),
    "jitter .3": (near(0.3), (30, 80)),
}
DRAWS: dict[str, tuple[Family, tuple[int, ...]]] = {
    "bootstrap, right or wrong": (lambda rng, n: rng.choice([-1, 0, 1], n), (40,)),
    "bootstrap, ratings": (lambda rng, n: rng.integers(-4, 5, n), (30,)),
    "bootstrap, continuous": (lambda rng, n: rng.normal(5, 40, n), (16, 40)),
    "bootstrap, skewed": (lambda rng, n: 20 * rng.lognormal(0, 1, n) - 28, (25,)),
}
MIDDLE = 34
MOST_AT_ONCE = 32


def truth_of_flips(row: Whole) -> tuple[float, float]:
    """P(T >= t) and P(T <= t) of the sum with random signs, t the observed one."""
    threshold = int(row.sum())
    steps = np.abs(row[row != 0])
    if steps.size <= MIDDLE:
        halves = [np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)]
        for place, step in enumerate(steps):
            halves[place % 2] = np.concatenate((halves[place % 2] + step, halves[place % 2] - step))
        halves[0].sort()
        below = int(np.searchsorted(halves[0], threshold - halves[1], side="right").sum())
        above = 2**steps.size - int(np.searchsorted(halves[0], threshold - halves[1], side="left").sum())
        return above / 2**steps.size, below / 2**steps.size
    turned = np.ones(1)  # probabilities of the sum of the steps whose sign is turned
    for step in np.sort(steps):
        longer = np.zeros(turned.size + step)
        longer[: turned.size] += 0.5 * turned
        longer[step:] += 0.5 * turned
        turned = longer
    most = (int(steps.sum()) - threshold) // 2
    return float(turned[: most + 1].sum()), float(turned[most:].sum())


def truth_of_draws(row: Whole) -> tuple[float, float]:
    """P(S >= 2 t) and P(S <= 2 t) of the sum of n draws with replacement, t the observed sum."""
    low = int(row.min())
    law = np.bincount(row - low) / row.size
    sums = np.ones(1)
    for _ in range(row.size):
        sums = np.convolve(sums, law)
    place = 2 * int(row.sum()) - low * row.size
    if place >= sums.size:
        return 0.0, 1.0
    return (float(sums[max(place, 0) :].sum()), float(sums[: place + 1].sum())) if place >= 0 else (1.0, 0.0)


def compare(name: str, n: int, inputs: int, rng: np.random.Generator) -> dict[str, Any]:
    """Draw inputs of one family and compare both tails of each with the truth."""
    flips = name in FLIPS
    family, _ = (FLIPS if flips else DRAWS)[name]
    rows = np.array([np.rint(family(rng, n)) for _ in range(inputs)]).astype(np.int64)
    rows = rows[rows.any(axis=1)]
    started, found = time.process_time(), []
    for first in range(0, len(rows), MOST_AT_ONCE):
        found += (flip_tails if flips else draw_tails)(rows[first : first + MOST_AT_ONCE].astype(np.float64)).each()
    seconds = time.process_time() - started
    down = up = 0.0
    for row, tail in zip(rows, found, strict=True):
        for p, truth in zip((tail.greater, tail.less), (truth_of_flips if flips else truth_of_draws)(row), strict=True):
            down = max(down, 1.0 - p / max(truth, SMALLEST_P_VALUE))
            up = max(up, p / max(truth, SMALLEST_P_VALUE) - 1.0)
    return {
        "family": name,
        "n": n,
        "inputs": len(rows),
        "worst down": float(f"{down:.2g}"),
        "worst up": float(f"{up:.2g}"),
        "ms per pair": float(f"{1e3 * seconds / len(rows):.2g}"),
    }


def main() -> None:
    """Compare all families."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    settings = parser.parse_args()
    cases = [(name, n) for families in (FLIPS, DRAWS) for name, (_, sizes) in families.items() for n in sizes]
    each = -(-settings.inputs // len(cases))
    for place, (name, n) in enumerate(cases):
        print(*compare(name, n, each, np.random.default_rng([settings.seed, place])).values(), sep="\t", flush=True)


if __name__ == "__main__":
    main()
