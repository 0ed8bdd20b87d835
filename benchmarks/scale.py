"""Time and memory where results are large: in memory, some datasets at a time, and by workers.

    python benchmarks/scale.py                              # all parts: 50 million rows take minutes, growth longer
    python benchmarks/scale.py rows --rows 10000000         # one part
    python benchmarks/scale.py growth systems workers added divided plan
    python benchmarks/scale.py identity                     # real results beside the checkout, if they are there

What is timed runs in a process of its own, on Parquet in a temporary folder. `rows` compares the hashes of all files of
the reports. Seconds by the clock are those of the machine at that moment; processor seconds count those of all
processes, and ratios of one run are what counts. What was measured is kept in `results/scale.json`, part by part.
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
import itertools
import json
import math
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from machine import RESULTS, save

Measured = dict[str, Any]

WAYS = ("together", "apart", "workers=1", "workers=2", "workers=4")
"""All rows in memory; some datasets at a time in one process; so many workers of Dask."""


def write(
    folder: Path, systems: int, datasets: int, n: int, *, shuffled: bool = False, levels: int | None = None
) -> None:
    """Write scores of four decimals, one folder and one file for each dataset; or rows in random order, in five files.

    The scores of a system are the same however many systems there are. Each is a little better than the one before,
    or each of so many `levels`, after which it begins anew: then p-values are no smaller where there are more systems.
    """
    for number in range(datasets):
        ability = np.random.default_rng([number, 0]).normal(size=n)
        part = folder / f"dataset=d{number:04}"
        part.mkdir(parents=True)
        ids = pa.array([f"d{number}-{place}" for place in range(n)]).dictionary_encode()
        tables = []
        for system in range(systems):
            noise = np.random.default_rng([number, 1 + system]).normal(size=n)
            values = 1 / (1 + np.exp(-(ability + 0.002 * (system % (levels or systems)) + noise)))
            name = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), n), pa.array([f"s{system:03}"]))
            tables.append(pa.table({"system": name, "instance": ids, "score": np.round(values, 4)}))
        pyarrow.parquet.write_table(pa.concat_tables(tables).unify_dictionaries(), part / "part-0.parquet")
    if shuffled:
        table = pyarrow.parquet.read_table(folder)
        shutil.rmtree(folder)
        shuffle(table, folder)


def shuffle(table: pa.Table, folder: Path) -> None:
    """Write rows in random order, in five files."""
    folder.mkdir(parents=True)
    order = np.random.default_rng(0).permutation(table.num_rows)
    for number, rows in enumerate(np.array_split(order, 5)):
        pyarrow.parquet.write_table(table.take(pa.array(rows)), folder / f"part-{number}.parquet")


def once(asked: Measured) -> Measured:
    """What one process does: read, compare, and write the report where that is asked for."""
    folder, way = Path(asked["folder"]), asked["way"]
    options = dict(asked.get("options", {}))
    started = time.perf_counter()
    found: Measured = {}
    if way == "duckdb":
        import duckdb

        duckdb.sql(
            f"select dataset, system, avg(score), stddev(score) from read_parquet('{folder}/*/*.parquet', "
            "hive_partitioning=true) group by all"
        ).fetchall()
    else:
        import reportkit
        from reportkit.scale import asked as of_scale

        of_scale.LARGE = math.inf  # what is to be read together is, however large
        with connected(way) as (client, of_workers):
            options |= {} if client is None else {"client": client}
            options = ({"memory_limit": "1GB"} if way == "apart" else {}) | options
            work: Any = reportkit.calibrate if asked.get("calibrate") else reportkit.compare
            ready = time.perf_counter()
            analysis = work(folder, **options)
            found["compared"] = time.perf_counter() - started
            found["worked"] = time.perf_counter() - ready
            found |= of_workers()
            if asked.get("report", True):
                found["report"] = digest_of(analysis)
    own = resource.getrusage(resource.RUSAGE_SELF)
    here = own.ru_utime + own.ru_stime
    return found | {
        "seconds": time.perf_counter() - started,
        "cpu": here + found.get("workers_cpu", 0.0),
        "peak_gb": own.ru_maxrss / 1e6,
    }


@contextmanager
def connected(way: str) -> Iterator[tuple[Any, Callable[[], Measured]]]:
    """A client of so many workers of Dask, and what these have used by then; no client where there are none."""
    n_workers = int(way.partition("=")[2] or 0)
    if not n_workers:
        yield None, dict
        return
    from reportkit.scale.asked import means_of

    holder = means_of(workers=n_workers, memory_limit=f"{700 * n_workers}MB").holder  # of which 0.56 GB were used
    client = holder.client
    try:
        client.run(used)  # imports what the workers need besides
        before = client.run(used)

        def of_workers() -> Measured:
            after = client.run(used)
            seconds = [after[worker][0] - before[worker][0] for worker in after]
            peaks = [peak for _, peak in after.values()]
            return {"busiest_cpu": max(seconds), "workers_cpu": sum(seconds), "worker_peak_gb": max(peaks)}

        yield client, of_workers
    finally:
        holder.close()


def used() -> tuple[float, float]:
    """Processor seconds and peak memory (GB) of this process."""
    import reportkit.analysis.calibrate
    import reportkit.scale.on_dask  # noqa: F401

    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime, own.ru_maxrss / 1e6


def digest_of(analysis: Any) -> str:
    """Hash of all files of a report."""
    with tempfile.TemporaryDirectory() as out:
        analysis.report().save(Path(out) / "report")
        total = hashlib.sha256()
        for path in sorted(Path(out).rglob("*")):
            if path.is_file():
                total.update(str(path.relative_to(out)).encode() + path.read_bytes())
    return total.hexdigest()[:12]


def run(folder: Path, way: str, **asked: Any) -> Measured:
    """Time one way in a process of its own, and say what it took."""
    command = [sys.executable, __file__, "--once", json.dumps({"folder": str(folder), "way": way, **asked})]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{way}: {done.stderr[-2000:]}")
    found: Measured = json.loads(done.stdout.strip().splitlines()[-1])
    shown = {name: round(value, 2) if isinstance(value, float) else value for name, value in found.items()}
    print(f"{way:>10}  {shown}", flush=True)
    return found


@contextmanager
def written(*shape: int, shuffled: bool = False, levels: int | None = None) -> Iterator[Path]:
    """Results of a shape in a temporary folder, if there is room for them."""
    systems, datasets, n = shape
    needed = 25 * systems * datasets * n
    if shutil.disk_usage(tempfile.gettempdir()).free < needed + 5e9:
        raise SystemExit(f"{needed / 1e9:.0f} GB and some room are needed in {tempfile.gettempdir()}")
    with tempfile.TemporaryDirectory(prefix="scale-") as temporary:
        folder = Path(temporary) / "results"
        write(folder, systems, datasets, n, shuffled=shuffled, levels=levels)
        print(f"{systems * datasets * n:,} rows: {systems} systems, {datasets} datasets, {n:,} instances", flush=True)
        yield folder


def rows(n_rows: int) -> Measured:
    """50 systems on 10 datasets with a baseline: every way, a bare aggregation by DuckDB, and shuffled rows at last."""
    options = {"baseline": "s000"}
    with written(50, 10, n_rows // 500) as folder:
        found = {way: run(folder, way, options=options) for way in ("duckdb", *WAYS)}
    if n_rows <= 10_000_000:  # what shuffles them here holds all of them
        with written(50, 10, n_rows // 500, shuffled=True) as folder:
            found["shuffled"] = run(folder, "apart", options=options)
    hashes = {of["report"] for way, of in found.items() if way != "duckdb"}
    return {"rows": n_rows, "ways": found, "same_bytes": len(hashes) == 1}


REAL: tuple[tuple[str, Measured], ...] = (
    ("bbh/data", {}),
    ("alpaca_eval/v2", {"missing": "drop", "baseline": "FuseChat-Gemma-2-9B-Instruct"}),
    ("alpaca_eval/v2", {"missing": "drop"}),
    ("mqm_ted/ted_error_counts", {"higher_is_better": False, "baseline": "Facebook-AI"}),
    ("rtdl/data", {"baseline": "autoint/tuned"}),
)
"""Right or wrong, preferences with gaps (also all pairs, several pieces of work on each dataset), counts of errors with
documents as clusters, and runs; with what is asked."""


def identity(_: int) -> Measured:
    """Hashes of whole reports by every way, from files by dataset and from shuffled rows in other files."""
    import reportkit
    from reportkit.scale import asked as of_scale

    of_scale.LARGE = math.inf
    found: dict[str, dict[str, str]] = {}
    data = Path(__file__).resolve().parents[2] / "shared" / "data"
    with written(50, 10, 20_000) as folder:
        asked = {"synthetic, 10^7 rows": ({"baseline": "s000"}, "1GB", folder)}
        for number, (source, options) in enumerate(REAL):
            if not (data / f"{source}.parquet").exists():
                print(f"{source} is left out: there is no {data / source}.parquet")
                continue
            given = folder.parent / str(number) / "results"
            given.mkdir(parents=True)
            table = pyarrow.parquet.read_table(data / f"{source}.parquet")
            pyarrow.parquet.write_table(table, given / "part-0.parquet", row_group_size=1000)
            asked[source if "baseline" in options else f"{source}, all pairs"] = (options, "100MB", given)
        for name, (_, _, given) in asked.items():
            shuffle(pyarrow.parquet.read_table(given), folder.parent / "shuffled" / name.replace("/", "-") / given.name)
        for way in WAYS:
            with connected(way) as (client, _):
                for name, (options, least, given) in asked.items():
                    how = {"memory_limit": least} if way == "apart" else {} if client is None else {"client": client}
                    of = found.setdefault(name, {})
                    of[way] = digest_of(reportkit.compare(given, **options, **how))
                    if way in ("apart", "workers=2"):
                        mixed = folder.parent / "shuffled" / name.replace("/", "-") / given.name
                        of[f"{way}, shuffled"] = digest_of(reportkit.compare(mixed, **options, **how))
                    print(f"{way:>10} {name:>26}  {of}", flush=True)
    for name, of in found.items():
        print(f"{name:>26}  {'one hash' if len({*of.values()}) == 1 else 'DIFFERENT'}  {of}")
    return {"reports": found, "same_bytes": all(len({*of.values()}) == 1 for of in found.values())}


def growth(_: int) -> Measured:
    """Processor seconds and memory, with a baseline, against rows: more and more datasets of 20 systems, n = 50,000.

    How a dataset that is too large for memory grows is another question: see `divided`.
    """
    found = {}
    for n_datasets in (1, 3, 10, 30, 100):
        with written(20, n_datasets, 50_000) as folder:
            found[1_000_000 * n_datasets] = run(folder, "apart", options={"baseline": "s000"}, report=False)
    return {"of": found, "exponent": exponent(found), "peak_gb": [of["peak_gb"] for of in found.values()]}


def systems(_: int) -> Measured:
    """Against systems, with a baseline and for all pairs; 2 datasets, of 10,000 and of 1,000 instances.

    All pairs once of systems that are as far apart however many there are, and once of ever farther ones, whose tails
    of 1e-20 take longer than those of 1e-3.
    """
    found: dict[str, dict[int, Measured]] = {}
    for name, n, options, levels in (
        ("baseline", 10_000, {"baseline": "s000"}, None),
        ("all pairs", 1_000, {}, 25),
        ("all pairs, farther apart", 1_000, {}, None),
    ):
        found[name] = {}
        for number in (25, 50, 100, 200):
            with written(number, 2, n, levels=levels) as folder:
                found[name][number] = run(folder, "apart", options=options, report=False)
    return {name: {"of": of, "exponent": exponent(of)} for name, of in found.items()}


def exponent(found: dict[int, Measured]) -> float:
    """Slope of the last step, by logarithms, of processor seconds without those of the smallest (start of Python)."""
    sizes = sorted(found)
    first, *_, before, last = (found[size]["cpu"] for size in sizes)
    return math.log((last - first / 2) / (before - first / 2)) / math.log(sizes[-1] / sizes[-2])


def workers(_: int) -> Measured:
    """2 workers of Dask against 1, and none: calibration of 5 systems and all pairs of 40, on 8 datasets.

    How often one worker takes what the busiest of two does, in processor seconds, is what the work itself allows. By
    the clock, everything else on the machine counts, but not what starts the workers.
    """
    found: Measured = {}
    quick = {"quick": True, "n_replicates": 300, "n_subsamples": 100, "max_tests": 1500}
    for name, shape, asked in (
        ("calibrate", (5, 8, 500), {"calibrate": True, "options": quick, "report": False}),
        ("all pairs", (40, 8, 10_000), {"report": False}),
    ):
        with written(*shape) as folder:
            ways = {way: run(folder, way, **asked) for way in ("together", "workers=1", "workers=2")}
        one, two = ways["workers=1"], ways["workers=2"]
        found[name] = {
            "ways": ways,
            "clock_ratio": one["worked"] / two["worked"],
            "busiest_ratio": one["busiest_cpu"] / two["busiest_cpu"],
        }
    with written(3, 2, 300) as folder:
        found["small build"] = {way: run(folder, way) for way in ("together", "workers=2")}
    return found


def added(_: int) -> Measured:
    """All pairs of 100 systems with a folder of finished tests, then of 101, and of 101 without that folder."""
    found: Measured = {}
    hundred = [f"s{number:03}" for number in range(100)]
    for n_datasets, n in ((2, 1_000), (2, 5_000), (8, 2_000), (2, 50_000)):
        with written(101, n_datasets, n) as folder, tempfile.TemporaryDirectory() as kept:
            ways = {
                name: run(folder, "apart", options=options, report=False)
                for name, options in (
                    ("first", {"systems": hundred, "resume": kept}),
                    ("further", {"resume": kept}),
                    ("again", {"resume": kept}),
                    ("full", {}),
                )
            }
        found[f"{n_datasets} datasets, n={n}"] = {**ways, "share": ways["further"]["cpu"] / ways["full"]["cpu"]}
    return found


def divided(_: int) -> Measured:
    """One dataset of 20 million rows, 50 systems, with memory for a part of it; and all of it in memory."""
    found = {}
    with written(50, 1, 400_000) as folder:
        for way, limit in (("together", None), ("apart", "1GB"), ("apart", "500MB")):
            options: Measured = {"baseline": "s000"} | ({} if limit is None else {"memory_limit": limit})
            found[limit or way] = run(folder, way, options=options)
    return found


def plan(_: int) -> Measured:
    """10^10 scores, 1,000 systems on 1,000 datasets of 10,000: units on workers, one after the other, as Dask does it.

    Costs of a unit are measured: a thirtieth of the systems on three datasets of that size. Reading grows with rows,
    testing with rows of the claims; every piece of work costs the scheduler a millisecond, and what comes back of each
    claim is measured as bytes. Store, network and failures are not simulated.
    """
    n_systems, n_datasets, n, sample = 1_000, 1_000, 10_000, 15
    unit = {}
    for name, options in (("baseline", {"baseline": "s000"}), ("all pairs", {})):
        with written(sample, 3, n) as folder:
            one = run(folder / "dataset=d0000", "apart", options=options, report=False)
            three = run(folder, "apart", options=options, report=False)
        unit[name] = (three["cpu"] - one["cpu"]) / 2
    claims = {"baseline": sample - 1, "all pairs": sample * (sample - 1) // 2}
    per_claim = (unit["all pairs"] - unit["baseline"]) / (claims["all pairs"] - claims["baseline"])
    per_row = (unit["baseline"] - per_claim * claims["baseline"]) / (sample * n)
    found: Measured = {"seconds_per_row": per_row, "seconds_per_claim": per_claim}
    for name, n_claims in (("baseline", n_systems - 1), ("all pairs", n_systems * (n_systems - 1) // 2)):
        pieces = [per_claim * min(500, n_claims - start) for start in range(0, n_claims, 500)]
        for number in (1, 10, 100, 1_000):
            found[f"{name}, {number} workers"] = {
                "hours": simulated(n_datasets, per_row * n_systems * n, pieces, number) / 3600,
                "pieces": n_datasets * (1 + len(pieces)),
                "gb_of_a_unit": 60 * n_systems * n / 1e9,
            }
        print(name, {key: round(of["hours"], 2) for key, of in found.items() if key.startswith(name)}, flush=True)
    return found


def simulated(n_datasets: int, reading: float, pieces: list[float], n_workers: int, overhead: float = 1e-3) -> float:
    """Seconds until all datasets are read, and then all pieces are tested, each by the next idle worker."""
    free = [0.0] * n_workers
    end = sent = 0.0
    for costs in ([reading] * n_datasets, list(itertools.chain.from_iterable([pieces] * n_datasets))):
        for cost in costs:
            sent += overhead
            begin = max(heapq.heappop(free), sent)
            heapq.heappush(free, begin + cost)
            end = max(end, begin + cost)
        free = [end] * n_workers  # everything is read before a hypothesis is tested
        sent = end
    return end


PARTS: dict[str, Callable[[int], Measured]] = {
    part.__name__: part for part in (rows, identity, growth, systems, workers, added, divided, plan)
}


def main() -> None:
    """Run some parts, or all, and keep what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--rows", type=int, default=50_000_000)
    parser.add_argument("--once", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.once:
        print(json.dumps(once(json.loads(asked.once))))
        return
    for name in asked.parts or PARTS:
        measured = PARTS[name](asked.rows)
        kept = RESULTS / "scale.json"
        before = json.loads(kept.read_text("utf-8"))["measured"] if kept.exists() else {}
        save("scale", before | {name: measured})


if __name__ == "__main__":
    main()
