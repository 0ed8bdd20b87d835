"""Exact p-values beside Monte Carlo with a million resamples, for one pair and for all pairs.

Run `python benchmarks/exact.py`. Printed are medians and ratios: how many times longer b = 1,000,000 resamples take
than the exact tails, both at once. Monte Carlo times are measured with fewer resamples and extrapolated; they are
linear in their number. "NumPy" draws signs or instances in blocks and adds them up; "reportkit" is the Monte Carlo of
this package, which looks eight signs up at a time; "SciPy" is `scipy.stats.permutation_test` with
`permutation_type="samples"`, vectorised, and `scipy.stats.bootstrap`'s resampling for the bootstrap.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from reportkit.resampling import (
    bootstrap_monte_carlo,
    bootstrap_tail,
    bootstrap_tails,
    sign_flip_monte_carlo,
    sign_flip_tail,
    sign_flip_tails,
)

SEED = 20_251_121
WANTED = 1_000_000
DRAWN = 20_000
N_SYSTEMS = 150

Differences = NDArray[np.float64]


def median_seconds(work: Callable[[], object], repetitions: int) -> float:
    """Median duration of a call, after one that does not count."""
    work()
    durations = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        durations.append(time.perf_counter() - start)
    return statistics.median(durations)


def numpy_flips(d: Differences, n_resamples: int) -> int:
    """Sign flips as one would write them: random signs, a product, a count."""
    rng = np.random.default_rng(SEED)
    hits = 0
    for _ in range(0, n_resamples, 1000):
        signs = 2 * rng.integers(0, 2, size=(1000, d.size), dtype=np.int8) - 1
        hits += int(np.count_nonzero(signs @ d >= d.sum() - 1e-9))
    return hits


def numpy_bootstrap(d: Differences, n_resamples: int) -> int:
    """The paired bootstrap as one would write it: random instances, their mean, a count."""
    rng = np.random.default_rng(SEED)
    hits = 0
    for _ in range(0, n_resamples, 1000):
        hits += int(np.count_nonzero(d[rng.integers(0, d.size, size=(1000, d.size))].sum(axis=1) >= 2 * d.sum()))
    return hits


def scipy_flips(d: Differences, n_resamples: int) -> float:
    """`scipy.stats.permutation_test` of paired samples."""
    from scipy import stats

    result = stats.permutation_test(
        (d, np.zeros_like(d)),
        lambda x, y, axis: (x - y).mean(axis=axis),
        permutation_type="samples",
        alternative="greater",
        n_resamples=n_resamples,
        vectorized=True,
        batch=500,
        rng=np.random.default_rng(SEED),
    )
    return float(result.pvalue)


def scipy_bootstrap(d: Differences, n_resamples: int) -> int:
    """`scipy.stats.bootstrap` of the mean."""
    from scipy import stats

    result = stats.bootstrap(
        (d,), np.mean, n_resamples=n_resamples, batch=500, method="percentile", rng=np.random.default_rng(SEED)
    )
    return int(np.count_nonzero(result.bootstrap_distribution >= 2 * d.mean()))


def one_pair(n: int, repetitions: int) -> None:
    """Compare all ways for one pair of `n` continuous scores."""
    d = np.random.default_rng([SEED, n]).normal(1.8 / np.sqrt(n), 1.0, n)
    ways: list[tuple[str, Callable[..., object], dict[str, Callable[[], object]]]] = [
        (
            "sign flips",
            sign_flip_tail,
            {
                "reportkit": lambda: sign_flip_monte_carlo(d, n_resamples=DRAWN, rng=np.random.default_rng(SEED)),
                "NumPy": lambda: numpy_flips(d, DRAWN),
                "SciPy": lambda: scipy_flips(d, DRAWN // 10),
            },
        ),
        (
            "bootstrap",
            bootstrap_tail,
            {
                "reportkit": lambda: bootstrap_monte_carlo(d, n_resamples=DRAWN, rng=np.random.default_rng(SEED)),
                "NumPy": lambda: numpy_bootstrap(d, DRAWN),
                "SciPy": lambda: scipy_bootstrap(d, DRAWN // 10),
            },
        ),
    ]
    for name, exact, peers in ways:
        seconds = median_seconds(lambda exact=exact: exact(d), 10 * repetitions)
        tails = exact(d)
        print(f"n = {n}, {name}: exact {1e3 * seconds:.2f} ms, p = {tails.p_greater:.6g}, "
              f"error at most {tails.relative_error:.1e}, expected {tails.expected_error:.0e}")  # fmt: skip
        for peer, work in peers.items():
            drawn = DRAWN // 10 if peer == "SciPy" else DRAWN
            million = median_seconds(work, repetitions) * WANTED / drawn
            print(f"    {peer:9s} b = 1,000,000: {million:9.2f} s, {million / seconds:12,.0f} times as long")


def all_pairs(n: int, share: float) -> None:
    """Exact tails of all pairs of 150 systems; a share of them, extrapolated, if they are many."""
    rng = np.random.default_rng([SEED, n, 1])
    scores = rng.normal(size=(N_SYSTEMS, n)) + rng.normal(0.0, 0.1, size=(N_SYSTEMS, 1)) + rng.normal(size=n)
    first, second = np.triu_indices(N_SYSTEMS, 1)
    kept = slice(0, round(share * first.size))
    differences = scores[first[kept]] - scores[second[kept]]
    for name, function in (("sign flips", sign_flip_tails), ("bootstrap", bootstrap_tails)):
        start = time.perf_counter()
        tails = function(differences)
        seconds = (time.perf_counter() - start) * first.size / len(tails)
        inexact = sum(tail is None for tail in tails)
        note = "" if share == 1.0 else f", from {len(tails)} of them"
        print(
            f"all {first.size} pairs of {N_SYSTEMS} systems, n = {n}, {name}: {seconds:.2f} s{note}, {inexact} without"
        )
    print(f"    peak memory of this process so far: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def main() -> None:
    """Print one pair for several n, then all pairs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 2000, 10_000])
    settings = parser.parse_args()
    for n in settings.sizes:
        one_pair(n, settings.repetitions)
    all_pairs(1000, 1.0)
    all_pairs(10_000, 0.1)


if __name__ == "__main__":
    main()
