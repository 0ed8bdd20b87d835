"""The validation study: what every default of reportkit holds of its level, and what users pick otherwise.

    python docs/validation/study.py [--part tests] [--draws 2000] [--only TEXT] [--processes 1] [--minutes 60]
    python docs/validation/study.py --cluster tcp://HOST:8786

The parts are `tests` (pairs.py), `warnings` (cautions.py), `counts` (counts.py) and `analyses` (analyses.py). Samples
are drawn in blocks, each with a random stream by the name of its cell and its number, and what is counted in it is
added to `results/PART.csv`. A run that is stopped goes on where it was, small cells and those that took the least time
first; whoever asks for as many draws of a cell gets the same row, in any order and with any number of processes. A
cluster of Dask whose workers see this folder does it, too.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
PARTS = {"tests": "pairs", "warnings": "cautions", "counts": "counts", "analyses": "analyses"}
"""Names of the parts, and the modules that hold them."""

Tally = Counter[str]
Found = dict[str, Tally]


def module_of(part: str) -> ModuleType:
    """Load a part: its cells, and what is counted in a block of one."""
    for folder in (HERE.parents[1], HERE):
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
    return importlib.import_module(PARTS[part])


def path_of(part: str) -> Path:
    """File of a part."""
    return RESULTS / f"{part}.csv"


def read(part: str) -> dict[str, Found]:
    """What has been counted, by cell and method."""
    module, kept = module_of(part), dict[str, Found]()
    by_place = {tuple(map(str, place)): name for name, place in module.places().items()}
    if path_of(part).exists():
        with path_of(part).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                tally = Tally({name: int(row[name]) for name in ("draws", *module.COUNTS)})
                for test in filter(None, row["tests"].split(" ")):
                    tally["test " + test.partition(":")[0]] = int(test.partition(":")[2])
                name = by_place.get(tuple(row[key] for key in module.KEYS))
                if name is not None:  # of a cell that is still planned
                    kept.setdefault(name, {})[row["method"]] = tally
    return kept


def rows(part: str, kept: Mapping[str, Found]) -> list[dict[str, object]]:
    """Rows of the file of a part, in the order of its cells."""
    module, found = module_of(part), []
    for name, place in module.places().items():
        for method, tally in sorted(kept.get(name, {}).items(), key=lambda item: (item[0] != "reportkit", item[0])):
            tests = [f"{key.removeprefix('test ')}:{tally[key]}" for key in sorted(tally) if key.startswith("test ")]
            counts = {key: tally[key] for key in ("draws", *module.COUNTS)}
            head = dict(zip(module.KEYS, place, strict=True)) | {"method": method, "tests": " ".join(tests)}
            found.append(head | counts)
    return found


def write(part: str, kept: Mapping[str, Found]) -> None:
    """Replace the file, so a run can be stopped at any moment."""
    module, beside = module_of(part), path_of(part).with_suffix(".new")
    with beside.open("w", encoding="utf-8", newline="") as file:
        fields = (*module.KEYS, "method", "tests", "draws", *module.COUNTS)
        writer = csv.DictWriter(file, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows(part, kept))
    beside.replace(path_of(part))


def timed(part: str, name: str, block: int) -> tuple[Found, float]:
    """Counts of one block, and the seconds of the processor that they took."""
    start = time.process_time()
    return module_of(part).simulated(name, block), time.process_time() - start


@contextmanager
def pool_of(processes: int, cluster: str) -> Iterator[tuple[Executor, int]]:
    """Who does the blocks, and how many at once: processes of this machine, or a cluster of Dask."""
    if not cluster:
        with ProcessPoolExecutor(processes) as pool:
            yield pool, processes
        return
    from distributed import Client

    with Client(cluster) as client:
        yield client.get_executor(pure=False), sum(client.nthreads().values())


def draws_of(found: Found) -> int:
    """Draws of a cell so far."""
    return max((tally["draws"] for tally in found.values()), default=0)


def run(part: str, draws: int, only: str, processes: int, end: float, cluster: str = "") -> None:
    """Go on with the cells that took the least time, until all have as many draws as are asked for."""
    module, kept = module_of(part), read(part)
    todo = {
        name: range(draws_of(kept.get(name, {})) // module.BLOCK, draws // module.BLOCK)
        for name in module.places()
        if only in name
    }
    spent = {name: 1e-6 * int(str(module.places()[name][module.KEYS.index(module.SIZE_KEY)])) for name in todo}
    with pool_of(processes, cluster) as (pool, processes):
        running: dict[Future[tuple[Found, float]], str] = {}
        while True:
            for name, blocks in sorted(todo.items(), key=lambda item: spent[item[0]]):
                waits = bool(blocks) and name not in running.values()
                if waits and len(running) < processes and time.monotonic() < end:
                    running[pool.submit(timed, part, name, blocks[0])] = name
                    todo[name] = blocks[1:]
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                name, (found, seconds) = running.pop(future), future.result()
                spent[name] += seconds
                of_cell = kept.setdefault(name, {})
                for method, tally in found.items():
                    of_cell.setdefault(method, Tally()).update(tally)
                write(part, kept)
                print(
                    f"{sum(map(len, todo.values())):5} blocks left; {draws_of(of_cell):7,} draws of {name}", flush=True
                )


def main() -> None:
    """Run one part or all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", choices=PARTS, help="by default all, one after the other")
    parser.add_argument("--draws", type=int, help="of each cell, in whole blocks; by default what the part plans")
    parser.add_argument("--only", default="", help="part of the name of the cells")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--cluster", default="", help="address of a scheduler of Dask, instead of processes here")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no block after that")
    settings = parser.parse_args()
    end = time.monotonic() + 60 * settings.minutes
    for part in [settings.part] if settings.part else PARTS:
        draws = settings.draws or module_of(part).DRAWS
        run(part, draws, settings.only, settings.processes, end, settings.cluster)


if __name__ == "__main__":
    main()
