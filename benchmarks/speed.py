"""Measure where people wait: processor time, clock time and peak memory, row by row.

`python benchmarks/speed.py [--repeats 5] [--rows pair-2000 ...]` runs each row in a process of its own and prints
medians as a table in Markdown. A yardstick is measured too: 100,000 random sign patterns of 2,000 instances by NumPy.
On a shared machine read the ratios to it. Frames are made before the clock starts. Where a row has a peer, which takes
its turn among the rows, its clock time is given as a multiple of the row's, for as many resamples.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import io
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
ALPACA = ROOT.parent / "shared/data/alpaca_eval/v2.parquet"
WMT = ROOT.parent / "shared/data/wmt17_ende/stats_bleu13a.parquet"
CALIBRATED = ROOT / "examples/calibration/results.parquet"
YARDSTICK = "yardstick"
WHO = (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)
Work = Callable[[], object]


class Row(NamedTuple):
    """One row: what prepares the work, its goal, the file it needs, how many calls are measured together, and a peer.

    The row does as much as so many calls of its peer.
    """

    prepare: Callable[[], Work]
    goal: str = ""
    needs: Path = ROOT
    calls: int = 1
    peer: str = ""
    of_peer: float = 1.0


def frame(
    n_systems: int, n: int, *, n_datasets: int = 1, kind: str = "normal", decimals: int | None = None
) -> pd.DataFrame:
    """Return scores of systems that share the difficulty of instances."""
    rng = np.random.default_rng(0)
    parts = []
    for dataset in range(n_datasets):
        difficulty = rng.normal(size=n)
        for system in range(n_systems):
            latent = difficulty + rng.normal(0.0, 0.5, n) + 0.005 * system
            scores = 1.0 / (1.0 + np.exp(-latent))
            if kind == "binary":
                scores = (latent > 0).astype(float)
            if kind == "skewed":
                scores = rng.lognormal(0.0, 1.5, n) + 0.02 * system
            if decimals is not None:
                scores = np.round(scores, decimals)
            columns = {"dataset": f"d{dataset}", "system": f"s{system:03d}", "instance": np.arange(n), "score": scores}
            parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True).assign(metric="accuracy" if kind == "binary" else "f1")


def compare(make: Callable[[], pd.DataFrame], **options: Any) -> Work:
    """Prepare `reportkit.compare` of a frame, with everything imported."""
    import reportkit

    table = make()
    reportkit.compare(frame(2, 100))
    return lambda: reportkit.compare(table, **options)


def shown() -> Work:
    """Prepare to print a comparison of 30 systems on 8 datasets."""
    import reportkit

    analysis = reportkit.compare(frame(30, 200, n_datasets=8))

    def run() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            print(analysis)

    return run


def command(name: str, source: pd.DataFrame | Path, *options: str) -> Work:
    """Prepare a command in a fresh process, with modules and templates compiled."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if isinstance(source, pd.DataFrame):
        source.to_csv(folder / "scores.csv", index=False)
        source = folder / "scores.csv"

    def run(given: Path, *further: str) -> None:
        line = [sys.executable, "-m", "reportkit", name, given, *further, "-o", folder / "report"]
        done = subprocess.run([*map(str, line)], capture_output=True, check=False, cwd=folder)
        if done.returncode not in (0, 1):  # 1: with findings
            raise RuntimeError(done.stderr.decode())

    if name == "build":
        frame(2, 100).to_csv(folder / "small.csv", index=False)
        run(folder / "small.csv", "--no-pdf")
    return partial(run, source, *options)


def python(code: str) -> Work:
    """Prepare a line of Python in a fresh process."""
    run = partial(subprocess.run, [sys.executable, "-c", code], check=True)
    run()
    return run


def large(n_datasets: int) -> Path:
    """Write 2 million rows for each dataset: 20 systems on 100,000 instances."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    names = ["dataset", "system", "instance", "score"]
    parts = (frame(20, 100_000, decimals=4)[names].assign(dataset=f"d{number:02d}") for number in range(n_datasets))
    first = pa.Table.from_pandas(next(parts))
    with pq.ParquetWriter(folder / "scores.parquet", first.schema) as file:
        file.write_table(first)
        for part in parts:
            file.write_table(pa.Table.from_pandas(part))
    return folder / "scores.parquet"


def by_dask(n_datasets: int) -> Work:
    """Prepare a comparison by two workers of Dask with 1 GB each; one that takes more is killed."""
    from distributed import Client, LocalCluster

    import reportkit

    file = large(n_datasets)
    start: Any = LocalCluster
    cluster = start(n_workers=2, threads_per_worker=1, memory_limit="1GB", dashboard_address=None)
    client: Any = Client(cluster)  # type: ignore[no-untyped-call] # Dask has no types here
    atexit.register(cluster.close)
    atexit.register(client.close)
    return lambda: reportkit.compare(file, baseline="s000", client=client)


def of_bleu() -> pd.DataFrame:
    """Return the counts of BLEU of two systems on 3,004 sentences."""
    found = pd.read_parquet(WMT)
    return found[found["system"].isin(["LIUM-NMT.4900", "online-B.0"])]


def sacrebleu_bootstrap() -> Work:
    """Prepare 1,000 resamples of two systems by BLEU, as sacreBLEU computes them."""
    metric, both = _by_sacrebleu(3_004)

    def run() -> None:
        drawn = np.random.default_rng(0).choice(3_004, size=(1_000, 3_004), replace=True)
        for counts in both:
            _ = [metric._compute_score_from_stats(some.sum(0)).score for some in counts.astype(np.float32)[drawn]]

    return run


def sacrebleu_randomization() -> Work:
    """Prepare 1,000 swaps of two systems' 2,000 sentences by BLEU, as sacreBLEU computes them."""
    metric, (a, b) = _by_sacrebleu(2_000)

    def run() -> None:
        swapped = np.random.default_rng(0).integers(2, size=(1_000, 2_000), dtype=bool)
        for sums in (swapped @ a + ~swapped @ b, ~swapped @ a + swapped @ b):
            _ = [metric._aggregate_and_compute(each).score for each in sums[:, None]]

    return run


def _by_sacrebleu(n: int) -> tuple[Any, list[np.ndarray]]:
    from sacrebleu.metrics.bleu import BLEU

    columns = ["hyp_len", "ref_len", *(f"{kind}{order}" for kind in ("correct", "total") for order in range(1, 5))]
    systems = [rows.sort_values("instance")[columns].to_numpy(np.int64)[:n] for _, rows in of_bleu().groupby("system")]
    return BLEU(), systems


def patterns() -> Work:
    """Prepare 100,000 random sign patterns."""
    differences = np.random.default_rng(0).normal(0.01, 0.3, 2_000)

    def run() -> None:
        rng = np.random.default_rng(0)
        for _ in range(200):
            (rng.choice([-1.0, 1.0], (500, 2_000)) @ differences >= differences.sum()).sum()

    return run


def pairs(n_systems: int, n: int, **options: Any) -> Callable[[], Work]:
    """Prepare all pairs of systems."""
    return partial(compare, partial(frame, n_systems, n, **options))


_LARGE = ("--baseline", "s000", "--no-pdf", "--workers", "1")
BARE = "import pandas, matplotlib.figure, scipy.special"
ROWS: dict[str, Row] = {
    YARDSTICK: Row(patterns),
    "pair-2000": Row(pairs(2, 2_000), ">= 1,500 x", calls=20, peer="sacrebleu-randomization", of_peer=1e3),
    "sacrebleu-randomization": Row(sacrebleu_randomization, "", WMT),
    "pair-1000-datasets": Row(pairs(2, 50, n_datasets=1_000), "2 s"),
    "pair-5000-datasets": Row(pairs(2, 50, n_datasets=5_000), "exponent 1.1"),
    "pair-skewed-1e6": Row(pairs(2, 1_000_000, kind="skewed"), "3 s"),
    "all-pairs-150-normal": Row(pairs(150, 1_000), "12 s"),
    "all-pairs-150-four-decimals": Row(pairs(150, 1_000, decimals=4), "6 s"),
    "all-pairs-150-binary": Row(pairs(150, 1_000, kind="binary"), "0.5 s"),
    "all-pairs-100-of-79": Row(pairs(100, 79, decimals=4)),
    "alpaca-58x5": Row(partial(compare, partial(pd.read_parquet, ALPACA), missing="drop"), "30 s", ALPACA),
    "bleu-pair": Row(
        partial(compare, of_bleu, test="corpus-bootstrap"), ">= 20 x", WMT, 5, "sacrebleu-bootstrap", 9.999
    ),
    "sacrebleu-bootstrap": Row(sacrebleu_bootstrap, "", WMT),
    "bleu-16-all-pairs": Row(partial(compare, partial(pd.read_parquet, WMT)), "", WMT),
    "print-30x8": Row(shown, "0.5 s"),
    "bare-imports": Row(partial(python, BARE)),
    "import-reportkit": Row(partial(python, "import reportkit"), ">= 0.87 x", peer="bare-imports"),
    "smallest-build": Row(
        lambda: command("build", frame(2, 100, n_datasets=3), "--no-pdf"), ">= 0.87 x", peer="bare-imports"
    ),
    "build-20x4": Row(lambda: command("build", frame(20, 500, n_datasets=4, decimals=1), "--no-pdf")),
    "build-200x3": Row(lambda: command("build", frame(200, 100, n_datasets=3)), "15 s"),
    "build-1e7-rows": Row(lambda: command("build", large(5), *_LARGE), "10 s, 1.5 GB"),
    "build-5e7-rows": Row(lambda: command("build", large(25), *_LARGE), "25 s, 1 GB"),
    "dask-5e7-rows": Row(partial(by_dask, 25), "1 GB each"),
    "calibrate-90": Row(lambda: command("calibrate", CALIBRATED), "80 s", CALIBRATED),
}


def measure(name: str) -> dict[str, float]:
    """Return processor seconds, clock seconds and peak memory of one row, in this process."""
    run, calls = ROWS[name].prepare(), ROWS[name].calls
    wall, cpu = time.perf_counter(), _processor_seconds()
    for _ in range(calls):
        run()
    return {
        "cpu": (_processor_seconds() - cpu) / calls,
        "wall": (time.perf_counter() - wall) / calls,
        "megabytes": next(filter(None, (resource.getrusage(who).ru_maxrss for who in WHO))) / 1024,
    }


def _processor_seconds() -> float:
    return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime for who in WHO)


def main() -> None:
    """Run all rows in turns and print their medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", nargs="*", choices=[*ROWS], default=[*ROWS])
    parser.add_argument("--one", choices=[*ROWS], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one)))
        return
    names = [name for name in dict.fromkeys((YARDSTICK, *options.rows)) if ROWS[name].needs.exists()]
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    for _ in range(options.repeats):
        for name in names:
            line = [sys.executable, __file__, "--one", name]
            done = subprocess.run(line, capture_output=True, text=True, check=True, env=environment)
            found[name].append(json.loads(done.stdout))
    medians = {
        name: {key: statistics.median(one[key] for one in rows) for key in rows[0]} for name, rows in found.items()
    }
    print("| work | processor | clock | ÷ yardstick | memory | peer ÷ work | goal |\n|---|--:|--:|--:|--:|--:|---|")
    for name, row in medians.items():
        ratio, (*_, peer, of_peer) = row["cpu"] / medians[YARDSTICK]["cpu"], ROWS[name]
        times = f"{of_peer * medians[peer]['wall'] / row['wall']:.3g} x" if peer in medians else ""
        print(
            f"| {name} | {row['cpu']:.3g} s | {row['wall']:.3g} s | {ratio:.2f} | {row['megabytes']:.0f} MB "
            f"| {times} | {ROWS[name].goal} |"
        )


if __name__ == "__main__":
    main()
