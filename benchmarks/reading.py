"""How long it takes to read 10 million scores, beside a bare scan of the same file by DuckDB and by Polars.

The file is a CSV of `system, dataset, instance, score`: 50 systems, 10 datasets of 20,000 instances each, shuffled, ids
as text; about 360 MB. It is made with a fixed seed in a temporary folder and deleted afterwards.

A *bare scan* parses all four columns, converts the scores to numbers, and keeps nothing:

- duckdb: ``SELECT count(*), sum(score), count(DISTINCT system), count(DISTINCT dataset), count(instance)``
- duckdb, counts only: the same without the two DISTINCT, the cheapest scan that still looks at every cell
- polars: the same as the first, lazily, on its streaming engine

Ours ends with validated results: one float64 matrix per dataset, no duplicates, no missing or infinite scores, names
and instances sorted, findings computed. Each run is a process of its own that imports first and then takes the time;
the runs are interleaved, so that a busy moment of the machine does not fall on one of them only.

Usage::

    python benchmarks/reading.py [--rows 10000000] [--repeats 5] [--ids both|shared|dataset]

With shared ids, all datasets have the same 20,000 ids; otherwise each has its own, 200,000 in all, which is slower for
everybody who tells texts apart.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
N_SYSTEMS, N_DATASETS = 50, 10
SEED = 20_251_121


def make_file(path: Path, n_rows: int, ids: str) -> int:
    """Write the file and return the number of rows: as many instances per dataset as fit."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv

    rng = np.random.default_rng(SEED)
    n_instances = max(1, n_rows // (N_SYSTEMS * N_DATASETS))
    n_rows = n_instances * N_SYSTEMS * N_DATASETS
    order = rng.permutation(n_rows)
    system, rest = np.divmod(order, N_DATASETS * n_instances)
    dataset, instance = np.divmod(rest, n_instances)
    if ids == "dataset":
        names = [f"d{place}-{number:05d}" for place in range(N_DATASETS) for number in range(n_instances)]
        instance = rest
    else:
        names = [f"item-{number:05d}" for number in range(n_instances)]
    table = pa.table(
        {
            "system": _texts([f"system-{number:02d}" for number in range(N_SYSTEMS)], system),
            "dataset": _texts([f"dataset_{number}" for number in range(N_DATASETS)], dataset),
            "instance": _texts(names, instance),
            "score": rng.integers(0, 10_001, n_rows) / 10_000,
        }
    )
    pyarrow.csv.write_csv(table, path, pyarrow.csv.WriteOptions(quoting_style="none"))
    return n_rows


def _texts(names: list[str], codes: object) -> object:
    import pyarrow as pa

    return pa.array(names).take(pa.array(codes))


def ours(path: str) -> tuple[object, float]:
    """Read and validate."""
    from reportkit.readers import read_frame
    from reportkit.scores.ingest import results_from_frame

    start = time.perf_counter()
    results = results_from_frame(read_frame(path), source=path)
    seconds = time.perf_counter() - start
    return [len(results.datasets), sum(block.scores.size for block in results), len(results.systems)], seconds


def duckdb_scan(path: str, *, distinct: bool = True) -> tuple[object, float]:
    """Scan with DuckDB."""
    import duckdb

    word = "DISTINCT " if distinct else ""
    columns = f"count(*), sum(score), count({word}system), count({word}dataset), count(instance)"
    query = f"SELECT {columns} FROM read_csv('{path}')"
    start = time.perf_counter()
    row = duckdb.sql(query).fetchall()
    return row, time.perf_counter() - start


def polars_scan(path: str) -> tuple[object, float]:
    """Scan with Polars."""
    import polars as pl

    start = time.perf_counter()
    row = (
        pl.scan_csv(path)
        .select(
            pl.len(),
            pl.col("score").sum(),
            pl.col("system").n_unique(),
            pl.col("dataset").n_unique(),
            pl.col("instance").count(),
        )
        .collect(engine="streaming")
        .row(0)
    )
    return row, time.perf_counter() - start


RUNS: dict[str, Callable[[str], tuple[object, float]]] = {
    "duckdb": duckdb_scan,
    "duckdb, counts only": lambda path: duckdb_scan(path, distinct=False),
    "polars": polars_scan,
    "reportkit": ours,
}


def measure(name: str, path: Path) -> dict[str, float]:
    """Run one of `RUNS` in a process of its own."""
    result: dict[str, float] = json.loads(in_process("--child", name, str(path)))
    return result


def in_process(*arguments: str) -> str:
    """Last line that this script prints when it is called so.

    The file is made in a process of its own, too: a child's peak memory is never less than what its parent had.
    """
    command = [sys.executable, str(Path(__file__).resolve()), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stderr}")
    return done.stdout.splitlines()[-1]


def child(name: str, path: str) -> None:
    """Print seconds and peak memory of one run."""
    sys.path.insert(0, str(ROOT))
    answer, seconds = RUNS[name](path)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak_bytes = peak if sys.platform == "darwin" else peak * 1024
    print(json.dumps({"seconds": seconds, "peak_bytes": peak_bytes, "answer": str(answer)}))


def main() -> None:
    """Read the options and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ids", choices=["both", "shared", "dataset"], default="both")
    parser.add_argument("--child", nargs=2, metavar=("NAME", "PATH"), help=argparse.SUPPRESS)
    parser.add_argument("--make", metavar="PATH", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        print(make_file(Path(options.make), options.rows, options.ids))
        return
    if options.child:
        child(*options.child)
        return
    for ids in ["shared", "dataset"] if options.ids == "both" else [options.ids]:
        compare(options.rows, options.repeats, ids)


def compare(rows: int, repeats: int, ids: str) -> None:
    """Make a file, measure all, print a table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.csv"
        n_rows = int(in_process("--make", str(path), "--rows", str(rows), "--ids", ids))
        print(f"{n_rows:,} rows, {path.stat().st_size / 1e6:.0f} MB, ids: {ids}, {repeats} runs each", flush=True)
        taken: dict[str, list[dict[str, float]]] = {name: [] for name in RUNS}
        for _ in range(repeats):
            for name in RUNS:
                taken[name].append(measure(name, path))
    own = statistics.median(run["seconds"] for run in taken["reportkit"])
    print(f"{'':22}{'median s':>10}{'lowest s':>10}{'peak GB':>9}{'reportkit / it':>16}")
    for name, runs in taken.items():
        seconds = [run["seconds"] for run in runs]
        peak = max(run["peak_bytes"] for run in runs) / 1e9
        ratio = own / statistics.median(seconds)
        print(f"{name:22}{statistics.median(seconds):10.2f}{min(seconds):10.2f}{peak:9.2f}{ratio:16.2f}")


if __name__ == "__main__":
    main()
