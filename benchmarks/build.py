"""How long the whole `reportkit build` takes on 10 million rows, beside a bare scan of the same file by DuckDB.

The file is a CSV of `system, dataset, instance, score`: 50 systems, 10 datasets of 20,000 instances each, shuffled. It
is made with a fixed seed in a temporary folder and deleted afterwards. Scores are right or wrong, or numbers with four
decimals; systems differ by a little, and some instances are harder than others.

- scan: ``SELECT count(*), sum(score), count(DISTINCT system), count(DISTINCT dataset), count(instance)``
- baseline: ``reportkit build FILE --baseline system-00``, 49 x 10 tests
- all pairs: ``reportkit build FILE``, 1,225 x 10 exact tests, each of 20,000 differences, in both directions

Every run is a process of its own, started as a user would start it; seconds include the start of Python. The share of
reading, testing and writing is taken from one more run inside a process.

Usage::

    python benchmarks/build.py [--rows 10000000] [--repeats 3] [--scores binary continuous] [--skip-all-pairs]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from machine import save

N_SYSTEMS, N_DATASETS = 50, 10
SEED = 20_251_121


def make_file(path: Path, n_rows: int, scores: str) -> None:
    """Write the file: as many instances per dataset as fit."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv

    rng = np.random.default_rng(SEED)
    n_instances = max(1, n_rows // (N_SYSTEMS * N_DATASETS))
    order = rng.permutation(n_instances * N_SYSTEMS * N_DATASETS)
    system, rest = np.divmod(order, N_DATASETS * n_instances)
    dataset, instance = np.divmod(rest, n_instances)
    latent = rng.normal(size=rest.size, scale=0.15)
    latent += rng.normal(0.5, 0.2, N_DATASETS * n_instances)[rest] + rng.normal(0.0, 0.01, N_SYSTEMS)[system]
    values = (latent > 0.5).astype(np.int8) if scores == "binary" else np.round(np.clip(latent, 0.0, 1.0), 4)
    table = pa.table(
        {
            "system": _texts([f"system-{number:02d}" for number in range(N_SYSTEMS)], system),
            "dataset": _texts([f"dataset_{number}" for number in range(N_DATASETS)], dataset),
            "instance": _texts([f"item-{number:05d}" for number in range(n_instances)], instance),
            "score": values,
        }
    )
    pyarrow.csv.write_csv(table, path, pyarrow.csv.WriteOptions(quoting_style="none"))


def _texts(names: list[str], codes: object) -> object:
    import pyarrow as pa

    return pa.array(names).take(pa.array(codes))


def scan(path: str) -> None:
    """Scan with DuckDB, keeping nothing."""
    import duckdb

    columns = "count(*), sum(score), count(DISTINCT system), count(DISTINCT dataset), count(instance)"
    print(duckdb.sql(f"SELECT {columns} FROM read_csv('{path}')").fetchall())


def stages(path: str, output: str, baseline: str) -> None:
    """Read, compare and write in this process, and print the seconds of each."""
    import reportkit
    from reportkit.cli.building import run_build  # noqa: F401  loads what the command loads

    marks = [time.perf_counter()]
    results = reportkit.read(path)
    marks.append(time.perf_counter())
    analysis = reportkit.compare(results, baseline=baseline or ())
    marks.append(time.perf_counter())
    analysis.report().save(output)
    marks.append(time.perf_counter())
    seconds = [later - earlier for earlier, later in pairwise(marks)]
    print(json.dumps(dict(zip(("reading", "testing", "writing"), seconds, strict=True))))


def run(command: list[str]) -> dict[str, float]:
    """Wall and processor seconds, and peak memory, of one command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = process.stdout.read() if process.stdout is not None else ""
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{' '.join(command)} failed:\n{output}")
    peak = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    result = {"seconds": seconds, "cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_gb": peak / 1e9}
    last = output.splitlines()[-1] if output else ""
    return result | (json.loads(last) if last.startswith("{") else {})


def measure(rows: int, repeats: int, scores: str, all_pairs: bool) -> dict[str, object]:
    """Make one file, run everything, print ratios."""
    script = [sys.executable, str(Path(__file__).resolve())]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.csv"
        run([*script, "--make", str(path), "--rows", str(rows), "--scores", scores])
        build = [sys.executable, "-m", "reportkit", "build", str(path), "-q", "-o", str(Path(folder) / "report")]
        commands = {"scan": [*script, "--scan", str(path)], "baseline": [*build, "--baseline", "system-00"]}
        if all_pairs:
            commands["all pairs"] = build
        taken: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
        for _ in range(repeats):
            for name, command in commands.items():
                taken[name].append(run(command))
        medians = {
            name: {key: statistics.median(item[key] for item in runs) for key in runs[0]}
            for name, runs in taken.items()
        }
        for name, baseline in (("baseline", "system-00"), ("all pairs", "")):
            if name in commands:
                parts = run([*script, "--stages", str(path), str(Path(folder) / "again"), baseline])
                medians[name] |= {key: parts[key] for key in ("reading", "testing", "writing")}
        size = path.stat().st_size / 1e6
    print(f"{rows:,} rows, {size:.0f} MB, {scores} scores; medians of {repeats}")
    print(f"{'':12}{'seconds':>9}{'CPU s':>9}{'peak GB':>9}{'/ scan':>8}{'reading':>9}{'testing':>9}{'writing':>9}"
          f"{'/ (4 scans + writing)':>23}")  # fmt: skip
    for name, item in medians.items():
        ratio = item["seconds"] / medians["scan"]["seconds"]
        line = f"{name:12}{item['seconds']:9.2f}{item['cpu_seconds']:9.2f}{item['peak_gb']:9.2f}{ratio:8.1f}"
        if "reading" in item:
            limit = 4 * medians["scan"]["seconds"] + item["writing"]
            item["of_limit"] = item["seconds"] / limit
            line += "".join(f"{item[part]:9.2f}" for part in ("reading", "testing", "writing"))
            line += f"{item['of_limit']:23.2f}"
        item["to_scan"] = ratio
        print(line)
    return {"rows": rows, "megabytes": size, "repeats": repeats, **medians}


def main() -> None:
    """Read the options and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--scores", nargs="+", choices=["binary", "continuous"], default=["binary", "continuous"])
    parser.add_argument("--skip-all-pairs", action="store_true")
    parser.add_argument("--make", metavar="PATH", help=argparse.SUPPRESS)
    parser.add_argument("--scan", metavar="PATH", help=argparse.SUPPRESS)
    parser.add_argument("--stages", nargs=3, metavar="TEXT", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.make:
        make_file(Path(options.make), options.rows, options.scores[0])
    elif options.scan:
        scan(options.scan)
    elif options.stages:
        stages(*options.stages)
    else:
        found = {
            scores: measure(options.rows, options.repeats, scores, not options.skip_all_pairs)
            for scores in options.scores
        }
        save("build", found)


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
