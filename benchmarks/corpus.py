"""Paired tests of corpus BLEU beside sacreBLEU: one pair, and 15 systems against a baseline, the same counts for both.

Run `python benchmarks/corpus.py [STATISTICS]` (extra `[bench]`); the statistics are those of WMT 2017, by default in
the folder beside the project. Works take turns; printed are medians of processor seconds, and ratios, which go to
results/corpus.json, too. "sacreBLEU" is its own code for paired bootstrap and for approximate randomization, handed
the counts of the sentences instead of texts; it is measured on one pair and multiplied. "reportkit" is timed from the
counts to the p-values and, for one pair, from the table to the analysis, with interval, jackknife and all checks.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import reportkit
from reportkit.metrics.corpus import BLEU, COLUMNS
from reportkit.significance.resamples import MetricResamples, drawn_counts, swapped_differences

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import save

STATISTICS = Path(__file__).resolve().parents[2] / "shared/data/wmt17_ende/stats_bleu13a.parquet"
BASELINE = "LIUM-NMT.4900"
SEED = 12_345

Counts = NDArray[np.float64]


def median_seconds(works: Mapping[str, Callable[[], object]], repetitions: int) -> dict[str, float]:
    """Median processor seconds of each of several works, which take turns."""
    durations: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repetitions):
        for name, work in works.items():
            start = time.process_time()
            work()
            durations[name].append(time.process_time() - start)
    return {name: statistics.median(taken) for name, taken in durations.items()}


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


def parts_of_the_bootstrap(counts: Counts, n_resamples: int, repetitions: int) -> dict[str, float]:
    """What the time of the shared bootstrap goes into."""
    n_systems, n, k = counts.shape
    resamples = MetricResamples(counts, BLEU.oriented, key=(SEED,))
    rows = resamples._rows
    columns = resamples._columns.reshape(n, -1)
    weights = drawn_counts((SEED,), n, 0, rows)
    sums = (weights @ columns).reshape(rows, n_systems, k).astype(float)
    works = {
        "draw": lambda: drawn_counts((SEED,), n, 0, rows),
        "multiply": lambda: weights @ columns,
        "BLEU of the sums": lambda: BLEU.oriented(sums),
    }
    return {name: n_resamples / rows * seconds for name, seconds in median_seconds(works, 5 * repetitions).items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print and write one pair, all systems, and what dominates."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("statistics", type=Path, nargs="?", default=STATISTICS)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--repetitions", type=int, default=5)
    settings = parser.parse_args(arguments)
    frame = pd.read_parquet(settings.statistics).sort_values(["system", "instance"])
    by_name = {name: rows[list(COLUMNS)].to_numpy(dtype=float) for name, rows in frame.groupby("system")}
    names = [BASELINE, *(name for name in by_name if name != BASELINE)]
    counts = np.stack([by_name[name] for name in names])
    of_pair = frame[frame["system"].isin(names[:2])].reset_index(drop=True)
    n_others, b = len(names) - 1, settings.resamples

    def compared(n_resamples: int) -> object:
        return reportkit.compare(of_pair, names[1], names[0], metric="bleu", n_resamples=n_resamples)

    compared(100)  # loads what a comparison loads
    works: dict[str, Callable[[], object]] = {
        "compare, one pair": lambda: compared(b),
        "bootstrap, one pair": lambda: our_bootstrap(counts[:2], b),
        "bootstrap, all": lambda: our_bootstrap(counts, b),
        "randomization, all": lambda: our_randomization(counts, b),
        "sacreBLEU bootstrap, one pair": lambda: sacrebleu_test("bs", counts[0], counts[1], b),
        "sacreBLEU randomization, one pair": lambda: sacrebleu_test("ar", counts[0], counts[1], b),
    }
    seconds = median_seconds(works, settings.repetitions)
    peer = {kind: seconds[f"sacreBLEU {kind}, one pair"] for kind in ("bootstrap", "randomization")}
    ratios = {
        "compare, one pair": peer["bootstrap"] / seconds["compare, one pair"],
        "bootstrap, one pair": peer["bootstrap"] / seconds["bootstrap, one pair"],
        "bootstrap, all": n_others * peer["bootstrap"] / seconds["bootstrap, all"],
        "randomization, all": n_others * peer["randomization"] / seconds["randomization, all"],
    }
    parts = parts_of_the_bootstrap(counts[:2], b, settings.repetitions)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e9
    print(f"{n_others} systems against {BASELINE}, n = {counts.shape[1]:,}, b = {b:,}; medians of processor seconds")
    for name, taken in seconds.items():
        ratio = f"   sacreBLEU takes {ratios[name]:6.1f} times as long" if name in ratios else ""
        print(f"{name:36}{taken:8.3f} s{ratio}")
    print("one pair's bootstrap is " + ", ".join(f"{name} {taken:.3f} s" for name, taken in parts.items()))
    print(f"peak memory of this process, sacreBLEU's included: {peak:.2f} GB")
    save("corpus", {"repetitions": settings.repetitions, "seconds": seconds, "ratios": ratios, "parts": parts})


if __name__ == "__main__":
    main()
