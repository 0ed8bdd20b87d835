"""Where people wait: `reportkit.compare` on frames of several shapes, in processor time, by the clock, and in memory.

Run: python benchmarks/speed.py [--repeats 5] [--rows pair-2000 ...]

Each row is run in a process of its own; rows take turns, so that what else the machine does falls on all of them. In
each turn a yardstick is measured too, 100,000 random sign patterns of one pair with 2,000 instances by NumPy: read the
ratios to it. Frames are made before the clock starts. Results go to results/speed.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

YARDSTICK = "yardstick"
PATTERNS = 100_000


def frame(
    n_systems: int,
    n: int,
    *,
    n_datasets: int = 1,
    kind: str = "normal",
    decimals: int | None = None,
    scale: float = 1.0,
) -> pd.DataFrame:
    """Scores of systems that share the difficulty of instances; `decimals` as files hold them."""
    rng = np.random.default_rng(0)
    parts = []
    for dataset in range(n_datasets):
        difficulty = rng.normal(size=n)
        names = np.char.add(f"d{dataset}-i", np.arange(n).astype(str))
        for system in range(n_systems):
            latent = difficulty + rng.normal(0.0, 0.5, n) + 0.005 * system
            scores = scale / (1.0 + np.exp(-latent))
            if kind == "binary":
                scores = (latent > 0).astype(float)
            if kind == "skewed":
                scores = rng.lognormal(0.0, 1.5, n) + 0.02 * system
            if decimals is not None:
                scores = np.round(scores, decimals)
            parts.append(
                pd.DataFrame({"dataset": f"d{dataset}", "system": f"s{system:03d}", "instance": names, "score": scores})
            )
    return pd.concat(parts, ignore_index=True).assign(metric="accuracy" if kind == "binary" else "f1")


ROWS: dict[str, Callable[[], pd.DataFrame]] = {
    "pair-2000": lambda: frame(2, 2_000),
    "all-pairs-150-normal": lambda: frame(150, 1_000),
    "all-pairs-150-four-decimals": lambda: frame(150, 1_000, decimals=4),
    "all-pairs-150-four-decimals-wide": lambda: frame(150, 1_000, decimals=4, scale=100.0),
    "all-pairs-150-two-decimals": lambda: frame(150, 1_000, decimals=2),
    "all-pairs-150-binary": lambda: frame(150, 1_000, kind="binary"),
    "all-pairs-75-normal": lambda: frame(75, 1_000),
    "pair-1000-datasets": lambda: frame(2, 50, n_datasets=1_000),
    "pair-5000-datasets": lambda: frame(2, 50, n_datasets=5_000),
    "pair-skewed-1e5": lambda: frame(2, 100_000, kind="skewed"),
    "pair-skewed-1e6": lambda: frame(2, 1_000_000, kind="skewed"),
}


def measure(name: str) -> dict[str, float]:
    """Processor seconds, seconds by the clock and peak memory of one row, in this process."""
    if name == YARDSTICK:
        rng = np.random.default_rng(0)
        differences = rng.normal(0.01, 0.3, 2_000)
        run: Callable[[], Any] = lambda: [  # noqa: E731
            (rng.choice([-1.0, 1.0], (500, 2_000)) @ differences >= differences.sum()).sum()
            for _ in range(PATTERNS // 500)
        ]
    else:
        import reportkit

        table = ROWS[name]()
        reportkit.compare(frame(2, 100))  # imports
        run = lambda: reportkit.compare(table)  # noqa: E731
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    return {
        "cpu": time.process_time() - cpu,
        "wall": time.perf_counter() - wall,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    """Run all rows in turns, and print and write medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", nargs="*", choices=[*ROWS], default=[*ROWS])
    parser.add_argument("--one", choices=[*ROWS, YARDSTICK], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one)))
        return
    found: dict[str, list[dict[str, float]]] = {name: [] for name in (YARDSTICK, *options.rows)}
    for _ in range(options.repeats):
        for name, measured in found.items():
            done = subprocess.run([sys.executable, __file__, "--one", name], capture_output=True, text=True, check=True)
            measured.append(json.loads(done.stdout))
    medians = {
        name: {key: statistics.median(one[key] for one in measured) for key in measured[0]}
        for name, measured in found.items()
    }
    for name, row in medians.items():
        row["to_yardstick"] = row["cpu"] / medians[YARDSTICK]["cpu"]
        print(
            f"{name:34}{row['cpu']:9.3f} s cpu{row['wall']:9.3f} s{row['peak_mb']:8.0f} MB{row['to_yardstick']:8.3f} x"
        )
    from machine import save

    save("speed", {"repeats": options.repeats, "rows": medians})


if __name__ == "__main__":
    main()
