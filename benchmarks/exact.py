"""Exact p-values beside Monte Carlo with a million resamples, for one pair and for all pairs.

Run `python benchmarks/exact.py` (extra `[bench]`; a peer that is not installed is left out). Printed are medians of
processor seconds and ratios: how many times longer b = 1,000,000 resamples take than the exact tails, both at once.
Monte Carlo times are measured with fewer resamples and multiplied; they are linear in their number.

- NumPy: random signs or instances in blocks, a sum, a count
- reportkit: the Monte Carlo of this package, which looks eight signs up at a time
- SciPy: `permutation_test` with `permutation_type="samples"`, vectorised, and the resampling of `bootstrap`
- sacreBLEU: its paired approximate randomization and paired bootstrap, handed a metric that is a mean
- deepsig: `permutation_test` and `bootstrap_test`; mlxtend: `permutation_test`, paired; ranx: Fisher's randomization
  test, compiled, on all cores

They do not all compute the same p-value: sacreBLEU's tests are two-sided and count `>` only, and the tests of deepsig
ignore the pairs. What is compared is what a user waits for.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.significance.nulls import draw_tails, flip_tails

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import save

SEED = 20_251_121
WANTED = 1_000_000
DRAWN = {
    "NumPy": 20_000,
    "SciPy": 2_000,
    "sacreBLEU": 2_000,
    "ranx": 2_000,
    "deepsig": 200,
    "mlxtend": 500,
}
N_SYSTEMS = 150

Differences = NDArray[np.float64]


def median_seconds(work: Callable[[], object], repetitions: int) -> float:
    """Median processor seconds of a call, of all its threads, after one call that does not count."""
    work()
    durations = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        durations.append(time.process_time() - start)
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


class MeanMetric:
    """The mean of scores, as sacreBLEU's tests ask a metric for it."""

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
        return hypotheses

    def _compute_score_from_stats(self, stats: Any) -> SimpleNamespace:
        return SimpleNamespace(score=float(stats[0]))

    def _aggregate_and_compute(self, stats: Any) -> SimpleNamespace:
        return self._compute_score_from_stats(np.sum(stats, axis=0))


def sacrebleu_test(kind: str, d: Differences, n_resamples: int) -> float:
    """Run sacreBLEU's own code for one system against a baseline; scores are its sufficient statistics."""
    from sacrebleu import significance

    metric, scores, baseline = MeanMetric(), d[:, None], np.zeros((d.size, 1))
    known = {"mean": (baseline, significance.Result(0.0))}
    test = significance._paired_bs_test if kind == "bootstrap" else significance._paired_ar_test
    _, found = test(known, "system", scores, None, {"mean": metric}, n_resamples, -1, SEED)
    return float(found["mean"].p_value)


def deepsig_test(kind: str, d: Differences, n_resamples: int) -> float:
    """Run deepsig's tests, which take the scores of each system."""
    import deepsig

    test = deepsig.bootstrap_test if kind == "bootstrap" else deepsig.permutation_test
    return float(test(d, np.zeros_like(d), num_samples=n_resamples, seed=SEED))


def mlxtend_test(kind: str, d: Differences, n_resamples: int) -> float:
    """Run mlxtend's paired permutation test."""
    from mlxtend.evaluate import permutation_test

    options: dict[str, Any] = {"method": "approximate", "num_rounds": n_resamples, "seed": SEED, "paired": True}
    return float(permutation_test(d, np.zeros_like(d), **options))


def ranx_test(kind: str, d: Differences, n_resamples: int) -> float:
    """Fisher's randomization test of ranx."""
    from ranx.statistical_tests.fisher_randomization_test import fisher_randomization_test

    return float(fisher_randomization_test(np.zeros_like(d), d, n_permutations=n_resamples)[0])


def numpy_test(kind: str, d: Differences, n_resamples: int) -> int:
    """What one would write."""
    return numpy_bootstrap(d, n_resamples) if kind == "bootstrap" else numpy_flips(d, n_resamples)


def scipy_test(kind: str, d: Differences, n_resamples: int) -> float:
    """`scipy.stats`."""
    return scipy_bootstrap(d, n_resamples) if kind == "bootstrap" else scipy_flips(d, n_resamples)


PEERS: dict[str, Callable[[str, Differences, int], object]] = {
    "NumPy": numpy_test,
    "SciPy": scipy_test,
    "sacreBLEU": sacrebleu_test,
    "deepsig": deepsig_test,
    "mlxtend": mlxtend_test,
    "ranx": ranx_test,
}
ONLY_FLIPS = {"mlxtend", "ranx"}


def one_pair(n: int, repetitions: int) -> dict[str, Any]:
    """Compare all ways for one pair of `n` continuous scores."""
    d = np.random.default_rng([SEED, n]).normal(1.8 / np.sqrt(n), 1.0, n)
    found: dict[str, Any] = {}
    for kind, exact in (("sign flips", flip_tails), ("bootstrap", draw_tails)):
        seconds = median_seconds(lambda exact=exact: [exact(d[None, :]) for _ in range(20)], 3 * repetitions) / 20
        (tail,) = exact(d[None, :]).each()
        print(f"n = {n:,}, {kind}: {1e3 * seconds:.2f} ms, p = {tail.greater:.6g}, at most {tail.error:.1%} too large")
        found[kind] = {"exact_seconds": seconds, "bound": tail.error, "times_as_long": {}}
        for peer, work in PEERS.items():
            if kind == "bootstrap" and peer in ONLY_FLIPS:
                continue
            drawn = max(DRAWN[peer] // max(n // 2000, 1), 50)
            try:
                measured = median_seconds(lambda work=work, kind=kind, drawn=drawn: work(kind, d, drawn), repetitions)
            except ImportError:
                print(f"    {peer:9s} is not installed")
                continue
            million = measured * WANTED / drawn
            found[kind]["times_as_long"][peer] = million / seconds
            print(f"    {peer:9s} b = 1,000,000: {million:9.2f} s, {million / seconds:12,.0f} times as long")
    return found


def all_pairs(n: int, share: float) -> dict[str, Any]:
    """Exact tails of all pairs of 150 systems; a share of them, extrapolated, if they are many."""
    rng = np.random.default_rng([SEED, n, 1])
    scores = rng.normal(size=(N_SYSTEMS, n)) + rng.normal(0.0, 0.1, size=(N_SYSTEMS, 1)) + rng.normal(size=n)
    first, second = np.triu_indices(N_SYSTEMS, 1)
    kept = slice(0, round(share * first.size))
    differences = scores[first[kept]] - scores[second[kept]]
    found: dict[str, Any] = {"pairs": int(first.size), "measured_pairs": len(differences)}
    for name, function in (("sign flips", flip_tails), ("bootstrap", draw_tails)):
        wall, start = time.perf_counter(), time.process_time()
        function(differences)
        seconds = (time.process_time() - start) * first.size / len(differences)
        wall = (time.perf_counter() - wall) * first.size / len(differences)
        found[name] = {"cpu_seconds": seconds, "wall_seconds": wall}
        note = "" if share == 1.0 else f", from {len(differences)} of them"
        print(
            f"all {first.size} pairs of {N_SYSTEMS} systems, n = {n:,}, {name}: {seconds:.2f} s of "
            f"processor time ({wall:.2f} s by the clock){note}"
        )
    found["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"    peak memory of this process so far: {found['peak_mb']:.0f} MB")
    return found


def main() -> None:
    """Print one pair for several n, then all pairs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 2000, 10_000])
    parser.add_argument("--share", type=float, default=0.1, help="share of the pairs that are done for n = 10,000")
    settings = parser.parse_args()
    # all pairs first: the peers need memory of their own
    together = {"1000": all_pairs(1000, 1.0), "10000": all_pairs(10_000, settings.share)}
    pairs = {str(n): one_pair(n, settings.repetitions) for n in settings.sizes}
    save("exact", {"one pair, by n": pairs, "all pairs of 150 systems, by n": together})


if __name__ == "__main__":
    main()
