"""Time and memory where results are large: in memory, some datasets at a time, and by workers; each in its own process.

    python benchmarks/scale.py --rows 10000000                  # writes Parquet to a temporary folder first
    python benchmarks/scale.py --rows 50000000 --ways together apart workers=2

Every way writes a report, and the hashes of all files are compared. Ratios of one run are what counts: seconds are
those of the machine at that moment.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

SYSTEMS, DATASETS = 20, 5
WAYS = ("together", "apart", "workers=1", "workers=2", "duckdb")


def write(folder: Path, n_rows: int, systems: int = SYSTEMS, datasets: int = DATASETS) -> None:
    """Write scores of four decimals, one folder and one file for each dataset."""
    n = n_rows // (systems * datasets)
    for number in range(datasets):
        draw = np.random.default_rng(number)
        ability = draw.normal(size=n)
        part = folder / f"dataset=d{number}"
        part.mkdir(parents=True)
        ids = pa.array([f"d{number}-{place}" for place in range(n)]).dictionary_encode()
        tables = []
        for system in range(systems):
            values = 1 / (1 + np.exp(-(ability + 0.002 * system + draw.normal(size=n))))
            name = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), n), pa.array([f"s{system}"]))
            tables.append(pa.table({"system": name, "instance": ids, "score": np.round(values, 4)}))
        pyarrow.parquet.write_table(pa.concat_tables(tables).unify_dictionaries(), part / "part-0.parquet")


def one(way: str, folder: Path) -> dict[str, object]:
    """Compare with a baseline, write the report, and say what it cost."""
    started = time.perf_counter()
    digest = ""
    if way == "duckdb":
        import duckdb

        duckdb.sql(
            f"select dataset, system, avg(score), stddev(score) from read_parquet('{folder}/*/*.parquet', "
            "hive_partitioning=true) group by all"
        ).fetchall()
    else:
        import reportkit

        options: dict[str, object] = {"apart": {"memory_limit": "2GB"}}.get(way, {})
        if way.startswith("workers"):
            options = {"workers": int(way.partition("=")[2]), "memory_limit": "4GB"}
        if way == "together":
            results = reportkit.read(folder)
            analysis = reportkit.compare(results, baseline="s0")
        else:
            analysis = reportkit.compare(folder, baseline="s0", **options)
        with tempfile.TemporaryDirectory() as out:
            analysis.report().save(Path(out) / "report")
            total = hashlib.sha256()
            for path in sorted(Path(out).rglob("*")):
                if path.is_file():
                    total.update(str(path.relative_to(out)).encode() + path.read_bytes())
            digest = total.hexdigest()[:12]
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return {
        "way": way,
        "seconds": round(time.perf_counter() - started, 1),
        "cpu": round(own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime, 1),
        "peak_gb": round(own.ru_maxrss / 1e6, 2),
        "report": digest,
    }


def main() -> None:
    """Run each way in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--ways", nargs="+", default=list(WAYS))
    parser.add_argument("--one", nargs=2, metavar=("WAY", "FOLDER"))
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(one(asked.one[0], Path(asked.one[1]))))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "results"
        write(folder, asked.rows)
        for way in asked.ways:
            command = [sys.executable, __file__, "--one", way, str(folder)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            print(done.stdout.strip().splitlines()[-1] if done.returncode == 0 else f"{way}: {done.stderr[-500:]}")


if __name__ == "__main__":
    main()
