"""The exact permutation test of F1 beside a million random swaps.

Run `python benchmarks/f_permutation.py`. Printed are medians and ratios: how many times longer b = 1,000,000 random
swaps take than the exact tails, both at once. Times of random swaps are measured with fewer and extrapolated; they are
linear in their number. "NumPy" draws one bit per instance and adds up the chosen rows; "reportkit" is
`swapped_differences` of this package, which draws bits only for instances that differ and adds by a matrix product.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.random.random_swaps import swapped_differences
from reportkit.null_distributions.swap_walks.ratio_permutation import ratio_permutation_tail

SEED = 20_251_121
WANTED = 1_000_000
SIZES = (10, 30, 100, 300, 1_000, 2_000, 10_000)

Rows = NDArray[np.float64]


def median_seconds(work: Callable[[], object], repetitions: int) -> float:
    """Median duration of a call, after one that does not count."""
    work()
    durations = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        durations.append(time.perf_counter() - start)
    return statistics.median(durations)


def systems(n: int, gain: float, differing: float) -> tuple[Rows, Rows]:
    """Rows 2 tp and 2 tp + fp + fn of two systems that differ on a share of the instances."""
    rng = np.random.default_rng([SEED, n])
    gold = rng.poisson(3, n)
    tables = []
    for chance in (0.8 + gain, 0.8):
        tp = rng.binomial(gold, chance)
        tables.append(np.stack((2 * tp, tp + rng.poisson(0.6, n) + gold), axis=1).astype(float))
    same = rng.random((n, 1)) >= differing
    return np.where(same, tables[1], tables[0]), tables[1]


def ratio(sums: Rows) -> Rows:
    """F1 of sums of rows."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def numpy_swaps(a: Rows, b: Rows, n_resamples: int) -> int:
    """Random swaps as one would write them."""
    rng = np.random.default_rng(SEED)
    sums, moved, both = a.sum(axis=0), b - a, (a + b).sum(axis=0)
    observed = ratio(sums) - ratio(both - sums)
    hits = 0
    for _ in range(0, n_resamples, 1000):
        drawn = sums + rng.integers(0, 2, size=(1000, len(a)), dtype=np.int8) @ moved
        hits += int(np.count_nonzero(ratio(drawn) - ratio(both - drawn) >= observed - 1e-12))
    return hits


def package_swaps(a: Rows, b: Rows, n_resamples: int) -> int:
    """Random swaps of this package."""
    observed = float(ratio(a.sum(axis=0)) - ratio(b.sum(axis=0)))
    blocks = swapped_differences(a, b, ratio, rng=np.random.default_rng(SEED), n_resamples=n_resamples)
    return sum(int(np.count_nonzero(block >= observed - 1e-12)) for block in blocks)


def main() -> None:
    """Print one row per number of instances and size of the difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=7)
    arguments = parser.parse_args()
    print("       n  differ        p  bound on error  method       exact ms    NumPy/exact  reportkit/exact")
    for gain in (0.0, 0.04):
        for n in SIZES:
            a, b = systems(n, gain, 0.3)
            tails = ratio_permutation_tail(a, b)
            assert tails is not None
            exact = median_seconds(lambda a=a, b=b: ratio_permutation_tail(a, b), arguments.repetitions)
            drawn = 20_000 if n <= 1_000 else 4_000
            times = [
                median_seconds(lambda a=a, b=b, work=work, drawn=drawn: work(a, b, drawn), 3) * WANTED / drawn
                for work in (numpy_swaps, package_swaps)
            ]
            print(
                f"{n:8,}  {int((a != b).any(axis=1).sum()):6,}  {tails.p_greater:7.1e}  {tails.relative_error:14.0e}  "
                f"{tails.method:11}  {1e3 * exact:9.2f}  {times[0] / exact:13,.0f}  {times[1] / exact:15,.0f}"
            )


if __name__ == "__main__":
    main()
