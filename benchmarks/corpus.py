"""Paired tests of corpus BLEU beside sacreBLEU: 15 systems against a baseline, statistics precomputed for both.

Run `python benchmarks/corpus.py ../shared/data/wmt17_ende/stats_bleu13a.parquet` (extra `[bench]`). Printed are medians
and ratios. "sacreBLEU" is its own code for paired bootstrap and for approximate randomization, handed the counts of the
sentences instead of texts; it is measured on a few systems and multiplied. "reportkit" is timed from the counts to the
p-values, and once more from the table to the comparisons with intervals, jackknife and correction.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import reportkit
from reportkit.metrics.corpus.bleu import BLEU, COLUMNS
from reportkit.null_distributions.products import thin_product
from reportkit.null_distributions.random.metric_resamples import MetricResamples, drawn_counts
from reportkit.null_distributions.random.random_swaps import swapped_differences

BASELINE = "LIUM-NMT.4900"
SEED = 12_345

Counts = NDArray[np.float64]


def median_seconds(work: Callable[[], object], repetitions: int) -> float:
    """Median duration of a call."""
    durations = []
    for _ in range(repetitions):
        start = time.perf_counter()
        work()
        durations.append(time.perf_counter() - start)
    return statistics.median(durations)


def sacrebleu_test(kind: str, base: Counts, system: Counts, n_samples: int) -> float:
    """p-value of sacreBLEU's own code, handed counts instead of texts."""
    from sacrebleu import metrics, significance

    class Precomputed(metrics.BLEU):
        def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Any:
            return hypotheses

    metric = Precomputed()
    rows, base_rows = system.astype(int).tolist(), base.astype(int).tolist()
    score = metric._aggregate_and_compute(base_rows).score
    known = {"BLEU": (base_rows if kind == "bs" else base.astype(int), significance.Result(score))}
    run = significance._paired_bs_test if kind == "bs" else significance._paired_ar_test
    hypotheses = rows if kind == "bs" else system.astype(int)
    _, results = run(known, "system", hypotheses, None, {"BLEU": metric}, n_samples, -1, SEED)  # type: ignore[arg-type]
    return float(results["BLEU"].p_value)


def our_bootstrap(counts: Counts, n_resamples: int) -> list[float]:
    """p-values of all systems against the first, recentred."""
    resamples = MetricResamples(counts, BLEU.oriented, key=(SEED,))
    values = resamples.values(range(len(counts)), 0, n_resamples)
    observed = BLEU.oriented(counts.sum(axis=1))
    differences, expected = values[1:] - values[0], (observed[1:] - observed[0])[:, None]
    return list((1 + np.count_nonzero(differences >= 2 * expected, axis=1)) / (n_resamples + 1))


def our_randomization(counts: Counts, n_resamples: int) -> list[float]:
    """p-values of all systems against the first."""
    found = []
    for system in counts[1:]:
        observed = float(BLEU.oriented(system.sum(axis=0)) - BLEU.oriented(counts[0].sum(axis=0)))
        rng = np.random.default_rng(SEED)
        drawn = swapped_differences(system, counts[0], BLEU.oriented, rng=rng, n_resamples=n_resamples)
        found.append((1 + sum(int(np.count_nonzero(part >= observed)) for part in drawn)) / (n_resamples + 1))
    return found


def parts_of_the_bootstrap(counts: Counts, n_resamples: int, repetitions: int) -> None:
    """Print what the time of the shared bootstrap goes into."""
    n_systems, n, k = counts.shape
    resamples = MetricResamples(counts, BLEU.oriented, key=(SEED,))
    rows = resamples._rows
    share = n_resamples / rows
    columns = resamples._columns.reshape(n, -1)
    weights = drawn_counts((SEED,), n, 0, rows)
    sums = (weights @ columns).reshape(rows, n_systems, k).astype(float)
    for name, work in {
        "draw": lambda: drawn_counts((SEED,), n, 0, rows),
        "multiply": lambda: thin_product(weights, columns),
        "BLEU of the sums": lambda: BLEU.oriented(sums),
    }.items():
        seconds = share * median_seconds(work, 5 * repetitions)
        flops = 2 * n_resamples * n * n_systems * k / seconds / 1e9
        note = f", {flops:.0f} GFlop/s" if name == "multiply" else ""
        print(f"    {name:17s} {seconds:7.3f} s{note}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tests, then what dominates, then the whole comparison."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("statistics", type=Path, help="Parquet: system, dataset, instance and BLEU statistics")
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--measured", type=int, default=2, help="systems on which sacreBLEU is measured")
    settings = parser.parse_args(arguments)
    frame = pd.read_parquet(settings.statistics).sort_values(["system", "instance"])
    by_name = {name: rows[list(COLUMNS)].to_numpy(dtype=float) for name, rows in frame.groupby("system")}
    names = [BASELINE, *(name for name in by_name if name != BASELINE)]
    counts = np.stack([by_name[name] for name in names])
    n_others, b = len(names) - 1, settings.resamples
    print(f"{n_others} systems against {BASELINE}, n = {counts.shape[1]:,}, b = {b:,}; medians")
    for kind, title, ours in (("bs", "paired bootstrap", our_bootstrap), ("ar", "randomization", our_randomization)):
        mine = median_seconds(lambda ours=ours: ours(counts, b), settings.repetitions)
        measured = range(1, 1 + settings.measured)
        theirs = statistics.median(
            median_seconds(lambda i=i, kind=kind: sacrebleu_test(kind, counts[0], counts[i], b), 1) for i in measured
        )
        theirs *= n_others
        print(f"{title:17s} reportkit {mine:7.3f} s   sacreBLEU {theirs:8.2f} s   {theirs / mine:6.0f} times as long")
    print("what the bootstrap's time goes into:")
    parts_of_the_bootstrap(counts, b, settings.repetitions)
    start = time.perf_counter()
    reportkit.compare(frame, baseline=BASELINE, metric="bleu", n_resamples=b, alpha=0.05, other_profile=False)
    print(f"from the table to intervals, jackknife and Holm: {time.perf_counter() - start:.2f} s (more resamples where")
    print("    the verdict at a corrected level was open)")
    print(f"peak memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
