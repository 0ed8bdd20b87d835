"""Tails of sign flips and of the bootstrap on 10,000 random inputs, against exact distributions.

Run `python benchmarks/tails.py [--share 1] [--only TEXT]`. Inputs are whole numbers, so that the distribution of their
sum is known: by meeting in the middle with integers up to 34 differences, else by adding up probabilities step by step,
which are all positive and so keep some 13 digits however far the tail is, or, for the bootstrap of many differences, by
one Fourier transform of the tilted law. The first rows of each case are checked by a second way, big integers for sign
flips. Printed are, for each family and n, how many inputs there were, the worst relative error of a tail below the
truth and above it, by how much an error exceeds the stated bound, and milliseconds per pair.
A tail may be at most 1e-9 too small, and 1.5% too large (2% for fewer than 40 values near a lattice).
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from reportkit.significance.nulls import SMALLEST_P_VALUE, draw_tails, flip_tails

Whole = NDArray[np.int64]
Rng = np.random.Generator
Family = Callable[[Rng, int], Any]

SEED = 20_261_129
MIDDLE = 34
AT_ONCE = 32
CHECKED = 2  # rows of a case


def steps(n: int) -> float:
    """Return the number of steps of 1 of a continuous scale: the more, the longer the exact sum takes."""
    return 1e6 if n <= MIDDLE else 800 if n <= 100 else 150 if n <= 1000 else 50


def near(jitter: float, finest: float) -> Family:
    """Values -1, 0 and 1 with normal jitter; the step is `finest` of them, or 1e6 up to 34."""
    return lambda rng, n: (
        (1e6 if n <= MIDDLE else finest) * (rng.choice([-1, 0, 1], n, p=[0.3, 0.3, 0.4]) + jitter * rng.normal(size=n))
    )


def far_out(rng: Rng, n: int, scale: float) -> Any:
    """Normal values, and two far out."""
    return np.append(rng.normal(0.1 * scale, scale, n - 2), [rng.uniform(10, 50) * scale, -rng.uniform(10, 50) * scale])


FLIPS: dict[str, tuple[Family, tuple[int, ...]]] = {
    "right or wrong": (lambda rng, n: rng.choice([-1, 0, 1], n), (3, 8, 20, 34, 100, 400, 3000)),
    "ratings": (lambda rng, n: rng.integers(-4, 5, n) + (rng.random(n) < 0.2), (3, 8, 20, 30, 100, 300, 3000)),
    "thirds and halves": (lambda rng, n: rng.choice([-6, -4, -3, -2, 0, 2, 3, 4, 6], n), (5, 12, 32, 60, 200, 1000)),
    "two decimals": (lambda rng, n: rng.normal(2, 30, n), (5, 20, 30, 120, 500, 3000)),
    "four decimals": (lambda rng, n: rng.normal(100, 1500, n), (8, 20, 28, 32, 80)),
    "continuous": (
        lambda rng, n: steps(n) * rng.normal(0.1, 1, n),
        (3, 8, 20, 27, 30, 33, 40, 60, 100, 300, 1000, 3000),
    ),
    "skewed": (lambda rng, n: steps(n) * (rng.lognormal(0, 1, n) - 1.5), (5, 20, 30, 34, 100, 400)),
    "heavy tails": (lambda rng, n: steps(n) * rng.standard_t(1.5, n).clip(-40, 40), (5, 20, 30, 34, 100, 400)),
    "two values far out": (lambda rng, n: far_out(rng, n, steps(n) / 4), (5, 20, 30, 34, 100, 300)),
    "nearly all wins": (
        lambda rng, n: np.abs(steps(n) * rng.normal(0, 1, n)) * np.where(rng.random(n) < 0.93, 1, -1),
        (8, 20, 34, 80, 200),
    ),
    "far tail": (lambda rng, n: steps(n) * rng.normal(rng.uniform(0.5, 2.0), 1, n), (20, 34, 80, 300, 1000)),
    "jitter 1e-4": (near(1e-4, 1e5), (10, 27, 30, 34, 42, 60)),
    "jitter .001": (near(1e-3, 3e4), (10, 28, 34, 60, 150)),
    "jitter .01": (near(0.01, 300), (10, 30, 34, 80, 300, 1000)),
    "jitter .1": (near(0.1, 100), (10, 30, 34, 80, 300, 1000)),
    "jitter .3": (near(0.3, 100), (10, 30, 34, 80, 300, 1000)),
    "large and small steps": (
        lambda rng, n: np.where(rng.random(n) < 0.3, 5000 if n <= MIDDLE else 500, 1) * rng.integers(-9, 10, n),
        (20, 30, 60, 200),
    ),
}
DRAWS: dict[str, tuple[Family, tuple[int, ...]]] = {
    "bootstrap, right or wrong": (lambda rng, n: rng.choice([-1, 0, 1], n), (3, 8, 40, 400, 3000)),
    "bootstrap, ratings": (lambda rng, n: rng.integers(-4, 5, n), (5, 12, 30, 300, 3000)),
    "bootstrap, continuous": (lambda rng, n: rng.normal(5, 40, n), (4, 9, 16, 40, 200, 1000)),
    "bootstrap, fine steps": (lambda rng, n: rng.normal(50, 1000, n), (13, 25, 60, 200)),
    "bootstrap, skewed": (lambda rng, n: 20 * rng.lognormal(0, 1, n) - 28, (5, 25, 100, 500)),
    "bootstrap, heavy tails": (lambda rng, n: 30 * rng.standard_t(1.5, n).clip(-40, 40), (5, 25, 100, 500)),
    "bootstrap, two far out": (lambda rng, n: far_out(rng, n, 20), (8, 30, 100)),
    "bootstrap, jitter .01": (near(0.01, 300), (13, 30, 100, 300)),
    "bootstrap, jitter .1": (near(0.1, 50), (13, 30, 100, 300)),
    "bootstrap, far tail": (lambda rng, n: rng.normal(rng.uniform(20, 80), 40, n), (20, 60, 300)),
}


def truth_of_flips(row: Whole) -> tuple[float, float]:
    """P(T >= t) and P(T <= t) of the sum with random signs, t the observed one."""
    threshold = int(row.sum())
    sizes = np.abs(row[row != 0])
    if sizes.size <= MIDDLE:
        halves = [np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)]
        for place, size in enumerate(sizes):
            halves[place % 2] = np.concatenate((halves[place % 2] + size, halves[place % 2] - size))
        halves[0].sort()
        below = int(np.searchsorted(halves[0], threshold - halves[1], side="right").sum())
        above = 2**sizes.size - int(np.searchsorted(halves[0], threshold - halves[1], side="left").sum())
        return above / 2**sizes.size, below / 2**sizes.size
    turned = np.ones(1)  # probabilities of the sum of the sizes whose sign is turned
    for size in np.sort(sizes):
        longer = np.zeros(turned.size + size)
        longer[: turned.size] += 0.5 * turned
        longer[size:] += 0.5 * turned
        turned = longer
    most = (int(sizes.sum()) - threshold) // 2
    return float(turned[: most + 1].sum()), float(turned[most:].sum())


def flips_by_integers(row: Whole) -> tuple[float, float]:
    """Return the same from the coefficients of the product of 1 + x^size, with x = 2^bits."""
    if row.sum() < 0:
        greater, less = flips_by_integers(-row)
        return less, greater
    sizes = sorted(np.abs(row[row != 0]).tolist())
    n, bits, most = len(sizes), len(sizes) + 1, (sum(sizes) - int(row.sum())) // 2
    product = 1
    for size in sizes:
        product = (product + (product << bits * size)) & ((1 << bits * (most + 1)) - 1)
    at, total, length = product >> bits * most, product, most + 1
    while length > 1:
        half = length // 2
        total, length = (total & ((1 << bits * half) - 1)) + (total >> bits * half), length - half
    return total / (1 << n), ((1 << n) - total + at) / (1 << n)


def truth_of_draws(row: Whole) -> tuple[float, float]:
    """P(S >= 2 t) and P(S <= 2 t) of the sum of n draws with replacement, t the observed sum."""
    low, n = int(row.min()), row.size
    law, at = np.bincount(row - low) / n, 2 * int(row.sum()) - low * n
    if not 0 <= at <= n * (law.size - 1):
        return (1.0, 0.0) if at < 0 else (0.0, 1.0)
    if n > 60 or law.size > 5000:
        return draws_by_transform(law, n, at)
    sums = np.ones(1)
    for _ in range(n):
        sums = np.convolve(sums, law)
    return float(sums[at:].sum()), float(sums[: at + 1].sum())


def draws_by_transform(law: NDArray[np.float64], n: int, at: int) -> tuple[float, float]:
    """Return the same, the smaller tail under a tilt that brings the mean to t."""
    values = np.arange(law.size)
    if at < n * float(law @ values):
        less, greater = draws_by_transform(law[::-1], n, n * (law.size - 1) - at)
        return greater, less

    def tilted(theta: float) -> tuple[NDArray[np.float64], float]:
        weights = law * np.exp(theta * (values - values[-1]))
        return weights / weights.sum(), math.log(weights.sum()) + theta * values[-1]

    def short(theta: float) -> float:
        return n * float(tilted(theta)[0] @ values) - at

    theta = brentq(short, 0.0, 50.0) if short(0.0) < 0.0 < short(50.0) else 50.0 * (short(0.0) < 0.0)
    chances, log_mgf = tilted(theta)
    length = 1 << math.ceil(math.log2(n * (law.size - 1) + 2))
    sums = np.fft.irfft(np.fft.rfft(chances, length) ** n, length)[at : n * (law.size - 1) + 1]
    terms = sums * np.exp(n * log_mgf - theta * (np.arange(sums.size) + at))
    return float(terms.sum()), 1.0 - float(terms[1:].sum())


def number(name: str, n: int, share: float) -> int:
    """Return the number of inputs of a case."""
    if name in ("jitter 1e-4", "jitter .001") and n > MIDDLE:
        return max(1, round(8 * share))  # up to six seconds each
    if (name, n) == ("four decimals", 80):
        return max(1, round(30 * share))
    return max(1, round(share * (100 if n <= 120 else 40 if n <= 400 else 12)))


def compare(name: str, n: int, inputs: int, rng: Rng) -> dict[str, Any]:
    """Draw inputs of one family and compare both tails of each with the truth."""
    family, _ = (FLIPS | DRAWS)[name]
    rows = np.array([np.rint(family(rng, n)) for _ in range(inputs)]).astype(np.int64)
    rows = rows[rows.any(axis=1)]
    started, found = time.process_time(), []
    for first in range(0, len(rows), AT_ONCE):
        found += (flip_tails if name in FLIPS else draw_tails)(rows[first : first + AT_ONCE].astype(np.float64)).each()
    seconds = time.process_time() - started
    down = up = beyond = 0.0
    for place, (row, tail) in enumerate(zip(rows, found, strict=True)):
        truths = truth_of_flips(row) if name in FLIPS else truth_of_draws(row)
        if place < CHECKED and name in FLIPS and n > MIDDLE and np.abs(row).sum() * n < 1e8:
            np.testing.assert_allclose(truths, flips_by_integers(row), rtol=1e-11)
        for p, truth in zip((tail.greater, tail.less), truths, strict=True):
            ratio = p / max(truth, SMALLEST_P_VALUE)
            down, up, beyond = max(down, 1.0 - ratio), max(up, ratio - 1.0), max(beyond, ratio - 1.0 - tail.error)
    return {
        "family": name,
        "n": n,
        "inputs": len(rows),
        "worst down": f"{down:.1g}",
        "worst up": f"{up:.2g}",
        "beyond the bound": f"{beyond:.1g}",
        "ms per pair": f"{1e3 * seconds / len(rows):.2g}",
    }


def main() -> None:
    """Compare all families."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0, help="of the inputs")
    parser.add_argument("--only", default="", help="part of the name of the families")
    settings = parser.parse_args()
    cases = [(name, n) for name, (_, sizes) in (FLIPS | DRAWS).items() for n in sizes]
    for place, (name, n) in enumerate(cases):
        if settings.only in name:
            found = compare(name, n, number(name, n, settings.share), np.random.default_rng([SEED, place]))
            print(*found.values(), sep="\t", flush=True)


if __name__ == "__main__":
    main()
