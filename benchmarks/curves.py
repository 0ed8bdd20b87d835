"""What a comparison costs against the number of instances, systems, datasets, clusters and runs: curves and exponents.

Run `python benchmarks/curves.py`; it writes `results/curves.json` and `figures/curves.svg`. Each point is measured in a
process of its own, which makes the scores, compares them once so that everything is loaded, and then takes processor
seconds (medians of a few runs; a single one where it takes long) and its peak memory.

- tails: exact tails of one pair alone, for continuous scores and for scores with two decimals (a lattice)
- instances: `compare` of one pair, from the frame to the analysis
- systems: `compare` of all pairs on one dataset of 200 instances
- datasets: `compare` of one pair, 50 instances each
- clusters: `compare` of one pair on 20,000 instances in so many clusters
- runs: `compare` of one pair on 1,000 instances, so many runs of each system

The limit of the exact sign-flip tail of continuous scores is the sum over the main lobe of the contour, about 16 nodes:
for each instance and node one complex product for the phase and one for the product over instances, 14 floating-point
operations with the addition. The limit is drawn for the rate at which NumPy multiplies complex numbers in the cache.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import save

FIGURE = Path(__file__).resolve().parent / "figures" / "curves.svg"
SEED = 20_251_121
NODES = 16
FLOPS_PER_NODE = 14
LONG = 3.0
"""Seconds from which one run has to do."""

Work = Callable[[], object]
Points = dict[int, dict[str, float]]


def tails(name: str, n: int) -> tuple[Work, int]:
    """Exact tails of several pairs at once, and how many these are."""
    from reportkit.significance.nulls import draw_tails, flip_tails

    n_pairs = max(2, min(100, 200_000 // n))
    rows = np.random.default_rng([SEED, n]).normal(0.5 / np.sqrt(n), 1.0, (n_pairs, n))
    if name.endswith("two decimals"):
        rows = np.round(rows, 2)
    computed = flip_tails if name.startswith("sign flips") else draw_tails
    return lambda: computed(rows), n_pairs


def compared(kind: str, *, n_systems: int = 2, n_datasets: int = 1, n: int = 200, **beside: int) -> tuple[Work, int]:
    """`compare` of a frame of made scores; `beside` has a number of `clusters` or of `runs`."""
    import pandas as pd

    import reportkit

    rng = np.random.default_rng([SEED, n_systems, n_datasets])
    n_runs = beside.get("runs", 1)
    shape = (n_systems, n_datasets, n_runs, n)
    values = rng.normal(0.5, 0.1, shape) + rng.normal(0.0, 0.1, (1, n_datasets, 1, n))
    values += rng.normal(0.0, 0.02, (n_systems, 1, 1, 1))
    if kind == "right or wrong":
        values = (values > 0.5).astype(np.float64)
    elif kind == "two decimals":
        values = np.round(values, 2)
    elif kind == "skewed":
        values = np.exp(1.5 * (values - 0.5) / 0.1)
    system, dataset, run, instance = np.indices(shape).reshape(4, -1)
    columns = {
        "system": pd.Categorical.from_codes(system, [f"s{i:04d}" for i in range(n_systems)]),
        "dataset": pd.Categorical.from_codes(dataset, [f"d{i:04d}" for i in range(n_datasets)]),
        "instance": dataset * n + instance,
        "score": values.ravel(),
    }
    if "runs" in beside:
        columns["seed"] = run
    if "clusters" in beside:
        columns["cluster"] = instance % beside["clusters"]
    frame = pd.DataFrame(columns)
    return lambda: reportkit.compare(frame), 1


def growing(axis: str, *kinds: str, **others: int) -> dict[str, Callable[[int], tuple[Work, int]]]:
    """For each kind of scores what `compared` gives as the numbers on an axis grow and the others stay."""

    def of(kind: str) -> Callable[[int], tuple[Work, int]]:
        return lambda size: compared(kind, **{**others, axis: size})

    return {kind: of(kind) for kind in kinds}


AXES: dict[str, tuple[str, dict[str, Callable[[int], tuple[Work, int]]], tuple[int, ...]]] = {
    "tails": (
        "instances; tails of a pair alone",
        {
            name: partial(tails, name)
            for name in (
                "sign flips, continuous",
                "sign flips, two decimals",
                "bootstrap, continuous",
                "bootstrap, two decimals",
            )
        },
        (100, 1_000, 10_000, 100_000, 1_000_000),
    ),
    "instances": (
        "instances, one pair",
        growing("n", "continuous", "two decimals", "right or wrong", "skewed"),
        (100, 1_000, 10_000, 100_000, 1_000_000),
    ),
    "systems": (
        "systems, all pairs, n = 200",
        growing("n_systems", "continuous", "right or wrong"),
        (4, 15, 60, 125, 250, 500),
    ),
    "datasets": (
        "datasets, one pair, n = 50",
        growing("n_datasets", "continuous", "right or wrong", n=50),
        (1, 10, 100, 1_000, 5_000),
    ),
    "clusters": (
        "clusters, one pair, n = 20,000",
        growing("clusters", "continuous", "right or wrong", n=20_000),
        (20, 200, 2_000, 20_000),
    ),
    "runs": (
        "runs, one pair, n = 1,000",
        growing("runs", "continuous", "right or wrong", n=1_000),
        (2, 5, 20, 100),
    ),
}
"""By axis: what it counts, the curves, and the numbers."""


def processor_seconds(work: Work, repetitions: int) -> float:
    """Median of a call after one that does not count; of the one, where it took long."""
    durations = []
    for number in range(repetitions + 1):
        start = time.process_time()
        work()
        seconds = time.process_time() - start
        if number or seconds > LONG:
            durations.append(seconds)
        if seconds > LONG:
            break
    return statistics.median(durations)


def measure(axis: str, label: str, size: int, repetitions: int) -> dict[str, float]:
    """One point, in this process."""
    _, curves, _ = AXES[axis]
    if axis != "tails":
        compared("continuous", n=30)[0]()  # loads what a comparison loads
    work, parts = curves[label](size)
    seconds = processor_seconds(work, repetitions) / parts
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"seconds": seconds, "peak_gb": peak / 1e9}


def measured_apart(*point: str | int) -> dict[str, float]:
    """`measure` in a process of its own."""
    line = [sys.executable, __file__, "--one", *map(str, point)]
    one_thread = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(line, capture_output=True, text=True, check=True, env=one_thread)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def limit(sizes: list[int]) -> Points:
    """Seconds per pair if nothing but the products of the main lobe were computed, at the speed of complex products."""
    numbers = np.exp(1j * np.random.default_rng(SEED).random(1 << 13))
    out = np.empty_like(numbers)

    def multiply() -> None:
        for _ in range(200):
            np.multiply(numbers, numbers, out=out)

    rate = 6 * numbers.size * 200 / processor_seconds(multiply, 7)
    return {n: {"seconds": n * NODES * FLOPS_PER_NODE / rate} for n in sizes}


def exponent(points: Points) -> float:
    """Of the last step: 1 where the time grows in proportion."""
    *_, (first, last) = pairwise(sorted(points))
    return math.log(points[last]["seconds"] / points[first]["seconds"]) / math.log(last / first)


def draw(curves: dict[str, dict[str, Points]]) -> None:
    """A panel for each axis, with logarithmic scales; each label has the exponent of the last step."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update({"svg.hashsalt": "curves", "font.size": 8, "svg.fonttype": "none"})
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(10.5, 6.4), layout="constrained")
    for axis, (name, lines) in zip(axes.flat, curves.items(), strict=True):
        for label, points in lines.items():
            style = "k--" if label == "limit" else "o-"
            seconds = [point["seconds"] for point in points.values()]
            shown = label if label == "limit" else f"{label} ({exponent(points):.2f})"
            axis.loglog(list(points), seconds, style, label=shown, markersize=3, linewidth=1)
        axis.set(xlabel=AXES[name][0], ylabel="processor seconds")
        axis.grid(visible=True, linewidth=0.3)
        axis.legend(frameon=False, fontsize=7)
    FIGURE.parent.mkdir(exist_ok=True)
    figure.savefig(FIGURE, metadata={"Date": None})


def main() -> None:
    """Measure, draw, save, and print how near to the limit the largest n is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--most", type=int, default=10**9, help="leave out larger numbers, and write nothing")
    parser.add_argument("--one", nargs=3, metavar=("AXIS", "LABEL", "SIZE"), help=argparse.SUPPRESS)
    settings = parser.parse_args()
    if settings.one:
        axis, label, size = settings.one
        print(json.dumps(measure(axis, label, int(size), settings.repetitions)))
        return
    curves: dict[str, dict[str, Points]] = {}
    for axis, (_, of_axis, sizes) in AXES.items():
        curves[axis] = {}
        for label in of_axis:
            points = {size: measured_apart(axis, label, size) for size in sizes if size <= settings.most}
            curves[axis][label] = points
            shown = "  ".join(f"{size:,}: {point['seconds']:.3g}" for size, point in points.items())
            peak = max(point["peak_gb"] for point in points.values())
            print(f"{axis:10}{label:26}{shown}; exponent {exponent(points):.2f}, {peak:.2f} GB", flush=True)
    flips = curves["tails"]["sign flips, continuous"]
    curves["tails"]["limit"] = limit([*flips])
    for n, point in flips.items():
        print(f"n = {n:,}: {point['seconds'] / curves['tails']['limit'][n]['seconds']:.1f} times the limit")
    if settings.most == parser.get_default("most"):
        draw(curves)
        exponents = {
            axis: {label: exponent(points) for label, points in lines.items() if label != "limit"}
            for axis, lines in curves.items()
        }
        save("curves", curves | {"exponents": exponents})


if __name__ == "__main__":
    main()
