"""What all pairs cost against the number of instances, of systems and of datasets: curves, and how near to the limit.

Run `python benchmarks/curves.py`; it writes `results/curves.json` and `figures/curves.svg`. Seconds are processor
seconds of one process, so that other work on the machine changes little; medians of a few runs.

- against n: one pair, exact tails alone, for continuous scores and for scores with two decimals (a lattice)
- against systems: `compare` of all pairs on one dataset of 500 instances, report not included
- against datasets: `compare` of one system with a baseline, 500 instances each

The limit of the exact sign-flip tail of continuous scores is the sum over the main lobe of the contour, about 16 nodes:
for each instance and node one complex product for the phase and one for the product over instances, 14 floating-point
operations with the addition. The limit is drawn for the rate at which NumPy multiplies complex numbers in the cache.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import save

FIGURE = Path(__file__).resolve().parent / "figures" / "curves.svg"
SEED = 20_251_121
NODES = 16
FLOPS_PER_NODE = 14

Points = dict[int, float]


def median_seconds(work: Callable[[], object], repetitions: int) -> float:
    """Median processor seconds of a call, after one that does not count."""
    work()
    durations = []
    for _ in range(repetitions):
        start = time.process_time()
        work()
        durations.append(time.process_time() - start)
    return statistics.median(durations)


def against_n(repetitions: int) -> dict[str, Points]:
    """Seconds per pair of the exact tails, several pairs at once."""
    from reportkit.null_distributions import bootstrap_tails, sign_flip_tails

    found: dict[str, Points] = {}
    for name, tails, decimals in (
        ("sign flips, continuous", sign_flip_tails, None),
        ("sign flips, two decimals", sign_flip_tails, 2),
        ("bootstrap, continuous", bootstrap_tails, None),
        ("bootstrap, two decimals", bootstrap_tails, 2),
    ):
        found[name] = {}
        for n in (100, 300, 1000, 3000, 10_000, 30_000, 100_000):
            n_pairs = max(2, min(100, 200_000 // n))
            rows = np.random.default_rng([SEED, n]).normal(0.5 / np.sqrt(n), 1.0, (n_pairs, n))
            rows = rows if decimals is None else np.round(rows, decimals)
            found[name][n] = median_seconds(lambda tails=tails, rows=rows: tails(rows), repetitions) / n_pairs
    return found


def limit(sizes: list[int]) -> Points:
    """Seconds per pair if nothing but the products of the main lobe were computed, at the speed of complex products."""
    numbers = np.exp(1j * np.random.default_rng(SEED).random(1 << 13))
    out = np.empty_like(numbers)

    def multiply() -> None:
        for _ in range(200):
            np.multiply(numbers, numbers, out=out)

    rate = 6 * numbers.size * 200 / median_seconds(multiply, 7)
    return {n: n * NODES * FLOPS_PER_NODE / rate for n in sizes}


def results_of(n_systems: int, n_datasets: int, n: int, scores: str) -> Any:
    """Validated results, made in memory."""
    import pandas as pd

    import reportkit

    rng = np.random.default_rng([SEED, n_systems, n_datasets])
    values: NDArray[np.float64] = rng.normal(0.5, 0.1, (n_systems, n_datasets, n))
    values += rng.normal(0.0, 0.02, (n_systems, 1, 1)) + rng.normal(0.0, 0.1, (1, n_datasets, n))
    if scores == "binary":
        values = (values > 0.5).astype(np.float64)
    system, dataset, instance = np.indices(values.shape).reshape(3, -1)
    frame = pd.DataFrame(
        {
            "system": pd.Categorical.from_codes(system, [f"s{i:03d}" for i in range(n_systems)]),
            "dataset": pd.Categorical.from_codes(dataset, [f"d{i:03d}" for i in range(n_datasets)]),
            "instance": instance,
            "score": values.ravel(),
        }
    )
    return reportkit.read(frame)


def against_systems(repetitions: int) -> dict[str, Points]:
    """Seconds of `compare` for all pairs of systems on one dataset of 500 instances."""
    import reportkit

    found: dict[str, Points] = {"continuous": {}, "right or wrong": {}}
    for name, scores in (("continuous", "continuous"), ("right or wrong", "binary")):
        for n_systems in (3, 6, 12, 25, 50, 100):
            results = results_of(n_systems, 1, 500, scores)
            found[name][n_systems] = median_seconds(
                lambda results=results: reportkit.compare(results, other_profile=False),
                repetitions if n_systems < 100 else 1,
            )
    return found


def against_datasets(repetitions: int) -> dict[str, Points]:
    """Seconds of `compare` for one system and a baseline on so many datasets of 500 instances."""
    import reportkit

    found: dict[str, Points] = {"continuous": {}, "right or wrong": {}}
    for name, scores in (("continuous", "continuous"), ("right or wrong", "binary")):
        for n_datasets in (1, 3, 10, 30, 100, 300):
            results = results_of(2, n_datasets, 500, scores)
            found[name][n_datasets] = median_seconds(
                lambda results=results: reportkit.compare(results, "s000", "s001", other_profile=False), repetitions
            )
    return found


def draw(curves: dict[str, dict[str, Points]]) -> None:
    """Three panels with logarithmic axes."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": "curves", "font.size": 8, "svg.fonttype": "none"})
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(10.5, 3.4), layout="constrained")
    titles = {
        "n": ("instances", "seconds per pair"),
        "systems": ("systems, all pairs, n = 500", "seconds"),
        "datasets": ("datasets, one pair, n = 500", "seconds"),
    }
    for axis, (name, lines) in zip(axes, curves.items(), strict=True):
        for label, points in lines.items():
            style = "k--" if label == "limit" else "o-"
            axis.loglog(list(points), list(points.values()), style, label=label, markersize=3, linewidth=1)
        axis.set(xlabel=titles[name][0], ylabel=titles[name][1])
        axis.grid(visible=True, linewidth=0.3)
        axis.legend(frameon=False, fontsize=7)
    FIGURE.parent.mkdir(exist_ok=True)
    figure.savefig(FIGURE, metadata={"Date": None})


def main() -> None:
    """Measure, draw, save, and print how near to the limit the largest n is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=3)
    settings = parser.parse_args()
    by_n = against_n(settings.repetitions)
    by_n["limit"] = limit(list(by_n["sign flips, continuous"]))
    curves = {
        "n": by_n,
        "systems": against_systems(settings.repetitions),
        "datasets": against_datasets(settings.repetitions),
    }
    draw(curves)
    save("curves", curves)
    for name, lines in curves.items():
        for label, points in lines.items():
            print(f"{name:9} {label:26}", "  ".join(f"{x:,}: {seconds:.3g}" for x, seconds in points.items()))
    for n, seconds in by_n["sign flips, continuous"].items():
        print(f"n = {n:,}: {seconds / by_n['limit'][n]:.1f} times the limit")


if __name__ == "__main__":
    main()
