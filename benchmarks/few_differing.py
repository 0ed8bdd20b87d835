"""Simulate from how few differing instances on swaps keep the level better than resamples: F1 of a rare class.

Run `python benchmarks/few_differing.py`; it takes about ten minutes. Labels are right or wrong, F1 is equal in the
population, and the systems err alike (exchangeable), or one is precise where the other is complete (not exchangeable).
`results/few_differing.csv` holds the shares of rejections in both directions if swaps decide where so many instances
differ, or fewer, or where the difference is more than one half; 0 stands for the bootstrap alone, "all" for swaps.
"""

from __future__ import annotations

import argparse
import csv
import zlib
from pathlib import Path

import numpy as np

from reportkit.metrics.corpus import F1
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.significance.catalogue import run_test
from reportkit.significance.plan import ResamplingPlan

RESULTS = Path(__file__).with_name("results") / "few_differing.csv"
LEVELS = (0.05, 0.01, 0.001)
LIMITS = (0, 5, 10, 15, 20, 30, "all")
NULLS = {  # instances, share of the class, recall and precision of A, and of B
    "alike": [(100, 0.06, (0.6, 0.6), (0.6, 0.6)), (300, 0.06, (0.6, 0.6), (0.6, 0.6))],
    "unlike": [
        *((n, 0.06, (0.45, 0.9), (0.9, 0.45)) for n in (100, 300, 1000)),
        *((n, share, (0.45, 0.9), (0.9, 0.45)) for n, share in ((100, 0.2), (300, 0.03), (1000, 0.01))),
        *((n, 0.06, (0.5, 0.8), (0.8, 0.5)) for n in (100, 300)),
    ],
}


def counts(rng: np.random.Generator, gold: np.ndarray, share: float, recall: float, precision: float) -> np.ndarray:
    """True positives, false positives and false negatives of each instance."""
    false_alarms = recall * share * (1 - precision) / precision / (1 - share)
    said = rng.random(gold.size) < np.where(gold, recall, false_alarms)
    return np.stack((gold & said, ~gold & said, gold & ~said), axis=1).astype(float)


def p_values(rng: np.random.Generator, n: int, share: float, *systems: tuple[float, float]) -> list[float]:
    """Differing instances, whether the difference is beyond one half, p-values of the bootstrap, p-values of swaps."""
    gold = rng.random(n) < share
    a, b = (counts(rng, gold, share, *system) for system in systems)
    names = {"system_a": "a", "system_b": "b", "dataset": "rare", "metric": "F1", "kind": "continuous"}
    paired = PairedStatistics(**names, a=a, b=b, measure=F1)
    if paired.identical:
        return [0, 0, 1, 1, 1, 1]
    found = [run_test(test, paired, ResamplingPlan()) for test in ("corpus-bootstrap", "approximate-randomization")]
    tails = [p for outcome in found for p in (outcome.p_greater, outcome.p_less)]
    return [paired.n_differing_units, paired.beyond_half, *tails]


def main() -> None:
    """Simulate each design, and write the shares of rejections by limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=2000)
    draws = parser.parse_args().draws
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        directions = [f"{side}_{str(level)[2:]}" for level in LEVELS for side in "ab"]
        writer.writerow(["systems", "n", "share", "recall_a", "draws", "median_differing", "limit", *directions])
        for systems, designs in NULLS.items():
            for design in designs:
                rng = np.random.default_rng(zlib.crc32(repr(design).encode()))
                found = np.array([p_values(rng, *design) for _ in range(draws)])
                for limit in LIMITS:
                    swaps = (found[:, 0] <= (np.inf if limit == "all" else limit)) | ((limit != 0) & (found[:, 1] > 0))
                    p = np.where(swaps[:, None], found[:, 4:], found[:, 2:4])
                    shares = [f"{(p[:, side] <= level).mean():.4f}" for level in LEVELS for side in (0, 1)]
                    n, share, (recall, _), _ = design
                    writer.writerow([systems, n, share, recall, draws, int(np.median(found[:, 0])), limit, *shares])
                file.flush()


if __name__ == "__main__":
    main()
