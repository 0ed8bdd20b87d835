"""How long it takes to read 10 million scores, beside a bare scan of the same file by DuckDB and by Polars.

The file is a CSV of `system, dataset, instance, score`, and the same as Parquet: 50 systems, 10 datasets of 20,000
instances each, shuffled, ids as text; about 360 MB as CSV. It is made with a fixed seed in a temporary folder and
deleted afterwards.

A *bare scan* parses all four columns, converts the scores to numbers, and keeps nothing:

- duckdb: ``SELECT count(*), sum(score), count(DISTINCT system), count(DISTINCT dataset), count(instance)``
- duckdb, counts only: the same without the two DISTINCT, the cheapest scan that still looks at every cell
- polars: the same as the first, lazily, on its streaming engine

Ours ends with validated results: one float64 matrix per dataset, no duplicates, no missing or infinite scores, names
and instances sorted, findings computed. Each run is a process of its own that imports first and then takes the time,
by the clock and of all its threads, and what memory was added to that of the imports: at most, and at the end. Runs
take turns. Medians go to results/reading.json, where files that were not measured keep theirs.

Usage::

    python benchmarks/reading.py [--rows 10000000] [--repeats 5] [--ids both|shared|dataset] [--formats csv parquet]

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
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import RESULTS, save

ROOT = Path(__file__).resolve().parents[1]
N_SYSTEMS, N_DATASETS = 50, 10
SEED = 20_251_121


def make_file(path: Path, n_rows: int, ids: str) -> int:
    """Write the file, and the same as Parquet; return the number of rows: as many instances per dataset as fit."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet

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
    pyarrow.parquet.write_table(table, path.with_suffix(".parquet"))
    return n_rows


def _texts(names: list[str], codes: object) -> object:
    import pyarrow as pa

    return pa.array(names).take(pa.array(codes))


def ours(path: str) -> Callable[[], object]:
    """Read and validate."""
    import numpy as np
    import pandas as pd

    import reportkit

    names = [f"{number}" for number in range(20)]
    few = pd.DataFrame({"system": np.repeat(["a", "b"], 20), "dataset": "d", "instance": 2 * names, "score": 0.5})
    with tempfile.TemporaryDirectory() as folder:  # loads what reading loads
        for known in (Path(folder) / "few.csv", Path(folder) / "few.parquet"):
            few.to_csv(known) if known.suffix == ".csv" else few.to_parquet(known)
            reportkit.read(known)

    def run() -> object:
        kept.append(results := reportkit.read(path))
        return [len(results.datasets), sum(block.scores.size for block in results), len(results.systems)]

    kept: list[object] = []
    return run


def duckdb_scan(path: str, *, distinct: bool = True) -> Callable[[], object]:
    """Scan with DuckDB."""
    import duckdb

    word = "DISTINCT " if distinct else ""
    columns = f"count(*), sum(score), count({word}system), count({word}dataset), count(instance)"
    read = "read_csv" if path.endswith(".csv") else "read_parquet"
    return lambda: duckdb.sql(f"SELECT {columns} FROM {read}('{path}')").fetchall()


def polars_scan(path: str) -> Callable[[], object]:
    """Scan with Polars."""
    import polars as pl

    scan = pl.scan_csv if path.endswith(".csv") else pl.scan_parquet
    asked = (
        pl.len(),
        pl.col("score").sum(),
        pl.col("system").n_unique(),
        pl.col("dataset").n_unique(),
        pl.col("instance").count(),
    )
    return lambda: scan(path).select(*asked).collect(engine="streaming").row(0)


RUNS: dict[str, Callable[[str], Callable[[], object]]] = {
    "duckdb": duckdb_scan,
    "duckdb, counts only": lambda path: duckdb_scan(path, distinct=False),
    "polars": polars_scan,
    "reportkit": ours,
}
FORMATS = ("csv", "parquet")


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


def resident() -> int:
    """Bytes of memory that the process holds now; where that is not told, what it has held at most."""
    held = Path("/proc/self/statm")
    return int(held.read_text().split()[1]) * resource.getpagesize() if held.exists() else peak()


def peak() -> int:
    """Bytes of memory that the process has held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def child(name: str, path: str) -> None:
    """Print seconds and memory of one run."""
    sys.path.insert(0, str(ROOT))
    run = RUNS[name](path)
    before = resident()
    start, processors = time.perf_counter(), time.process_time()
    answer = run()
    seconds, processors = time.perf_counter() - start, time.process_time() - processors
    found = {"seconds": seconds, "cpu_seconds": processors, "peak_bytes": peak()}
    found |= {"added_at_most": peak() - before, "added_at_the_end": resident() - before}
    print(json.dumps(found | {"answer": str(answer)}))


def main() -> None:
    """Read the options and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ids", choices=["both", "shared", "dataset"], default="both")
    parser.add_argument("--formats", nargs="+", choices=FORMATS, default=FORMATS)
    parser.add_argument("--child", nargs=2, metavar=("NAME", "PATH"), help=argparse.SUPPRESS)
    parser.add_argument("--make", metavar="PATH", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        print(make_file(Path(options.make), options.rows, options.ids))
        return
    if options.child:
        child(*options.child)
        return
    kept = RESULTS / "reading.json"
    found = json.loads(kept.read_text(encoding="utf-8"))["measured"] if kept.exists() else {}
    for ids in ["shared", "dataset"] if options.ids == "both" else [options.ids]:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "results.csv"
            n_rows = int(in_process("--make", str(path), "--rows", str(options.rows), "--ids", ids))
            for suffix in options.formats:
                found[f"{suffix}, ids: {ids}"] = compare(path.with_suffix(f".{suffix}"), n_rows, options.repeats, ids)
    save("reading", found)


def compare(path: Path, n_rows: int, repeats: int, ids: str) -> dict[str, Any]:
    """Measure all, print a table."""
    print(f"{n_rows:,} rows, {path.stat().st_size / 1e6:.0f} MB of {path.suffix[1:]}, ids: {ids}, {repeats} runs each",
          flush=True)  # fmt: skip
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in RUNS}
    for _ in range(repeats):
        for name in RUNS:
            taken[name].append(measure(name, path))
    medians: dict[str, dict[str, float]] = {
        name: {key: statistics.median(run[key] for run in runs) for key in runs[0] if key != "answer"}
        for name, runs in taken.items()
    }
    own = medians["reportkit"]
    print(f"{'':22}{'seconds':>9}{'CPU s':>9}{'reportkit / it':>16}{'by CPU':>9}{'bytes a row':>13}{'at the end':>12}")
    for name, row in medians.items():
        for key in ("seconds", "cpu_seconds"):
            row[f"reportkit_to_it_{key}"] = own[key] / row[key]
        for key in ("added_at_most", "added_at_the_end"):
            row[f"{key}_per_row"] = row[key] / n_rows
        print(f"{name:22}{row['seconds']:9.2f}{row['cpu_seconds']:9.2f}{row['reportkit_to_it_seconds']:16.2f}"
              f"{row['reportkit_to_it_cpu_seconds']:9.2f}{row['added_at_most_per_row']:13.1f}"
              f"{row['added_at_the_end_per_row']:12.1f}", flush=True)  # fmt: skip
    return {"rows": n_rows, "repeats": repeats, **medians}


if __name__ == "__main__":
    main()
