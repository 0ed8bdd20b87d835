"""Build three reports into a folder; run by `test_processors`, each time as if on another processor.

Together they resample skewed differences, flip whole clusters, draw posteriors, and vary runs and correlations. The
scores are made without NumPy, whose functions may differ in their last digits.
"""

import random
import sys
from pathlib import Path

import pandas as pd

import reportkit


def _skewed(draw: random.Random) -> pd.DataFrame:
    rows = []
    for dataset in ("qa", "nli", "mt"):
        for i in range(90):
            base = draw.random() / 2
            for system, shift in (("old", 0.0), ("new", 0.05), ("newer", 0.02)):
                loss = 0.4 * (draw.random() < 0.05)
                rows.append((system, dataset, f"{dataset}-{i}", base + shift - loss + draw.expovariate(10)))
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


def _clusters(draw: random.Random) -> pd.DataFrame:
    rows = [
        (system, dataset, f"{dataset}-{i}", f"{dataset}-doc{i // 4}", draw.random() ** 3 + shift)
        for dataset in ("qa", "nli")
        for i in range(120)
        for system, shift in (("old", 0.0), ("new", 0.06))
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "cluster", "score"])


def _runs(draw: random.Random) -> pd.DataFrame:
    rows = [
        (system, dataset, i, run, draw.gauss(shift, 1.0))
        for dataset in ("a", "b")
        for i in range(60)
        for system, shift in (("old", 0.0), ("new", 0.2))
        for run in range(4)
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "seed", "score"])


def main(folder: Path) -> None:
    """Build the reports."""
    draw = random.Random(7)  # noqa: S311 # the same numbers everywhere are what is wanted
    reportkit.compare(_skewed(draw)).report().save(folder / "skewed")
    reportkit.compare(_clusters(draw), "new", "old", bayes=True, rope=0.01).report().save(folder / "clusters")
    reportkit.compare(_runs(draw), "new", "old").report().save(folder / "runs")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
