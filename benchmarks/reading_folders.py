"""How long it takes to read a folder of lm-evaluation-harness, beside a bare parse of the same lines.

The folder has 10 models with 100 tasks of 1,000 documents each: 1,000 files, a million lines of about 1.2 kB, in the
layout of the harness. It is made with a fixed seed in a temporary folder and deleted afterwards.

- *bare parse*: each line through `json.loads` of the standard library, and through `orjson.loads`, and nothing kept
- *ours*: `reportkit.inspect(folder)`: formats recognised, scores by instance in one frame, hashes compared

Each run is a process of its own, that imports first and then takes the time, on the wall and of the processors, which
is less disturbed by what else the machine does; the highest memory is that of the process.

Usage::

    python benchmarks/reading_folders.py [--files 1000] [--records 1000] [--repeats 3] [--output FILE]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "reading_folders.json"
N_MODELS = 10
SEED = 20_261_123
DATE = "2026-01-02T03-04-05.678901"


def make_folder(folder: Path, n_files: int, n_records: int) -> int:
    """Write the files, and return how many bytes they have."""
    rng = np.random.default_rng(SEED)
    n_bytes = 0
    for model in range(N_MODELS):
        place = folder / f"toy-org__model-{model}"
        place.mkdir(parents=True)
        tasks = [f"toy_{task}" for task in range(n_files // N_MODELS)]
        about = {"model_name": f"toy-org/model-{model}", "lm_eval_version": "0.4.13", "results": {}}
        about["higher_is_better"] = {task: {"acc": True, "acc_norm": True} for task in tasks}
        (place / f"results_{DATE}.json").write_text(json.dumps(about))
        for task in tasks:
            right = rng.random((n_records, 2)) < 0.5 + model / 50
            lines = "".join(_line(task, i, *map(float, right[i])) for i in range(n_records))
            (place / f"samples_{task}_{DATE}.jsonl").write_text(lines)
            n_bytes += len(lines)
    return n_bytes


def _line(task: str, number: int, acc: float, norm: float) -> str:
    question = f"Which of these is true of number {number}? " * 4
    name = hashlib.sha256(f"{task} {number}".encode()).hexdigest()
    return (
        json.dumps(
            {
                "doc_id": number,
                "doc": {"question": question, "choices": ["red", "green", "blue", "white"], "label": number % 4},
                "target": "1",
                "arguments": {f"gen_args_{i}": {"arg_0": question, "arg_1": " red"} for i in range(2)},
                "resps": [[["-1.25", "False"]]] * 4,
                "filtered_resps": [["-1.25", "False"]] * 4,
                "filter": "none",
                "metrics": ["acc", "acc_norm"],
                "doc_hash": name,
                "prompt_hash": name[::-1],
                "target_hash": name[:32] * 2,
                "acc": acc,
                "acc_norm": norm,
            }
        )
        + "\n"
    )


class _Clock:
    def __init__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def stopped(self) -> tuple[float, float]:
        """Seconds on the wall, and of the processors."""
        return time.perf_counter() - self.wall, time.process_time() - self.cpu


def _parse(folder: Path, loads: Callable[[bytes], object]) -> tuple[float, float]:
    clock = _Clock()
    for path in sorted(folder.rglob("*.jsonl")):
        with path.open("rb") as file:
            for line in file:
                loads(line)
    return clock.stopped()


def standard(folder: Path) -> tuple[float, float]:
    """Parse with the standard library."""
    return _parse(folder, json.loads)


def fastest(folder: Path) -> tuple[float, float]:
    """Parse with orjson."""
    import orjson

    return _parse(folder, orjson.loads)


def ours(folder: Path) -> tuple[float, float]:
    """Read with reportkit."""
    import reportkit

    reportkit.inspect  # noqa: B018 - imports what it needs
    clock = _Clock()
    reading = reportkit.inspect(folder)
    taken = clock.stopped()
    assert not reading.notes or {note.code for note in reading.notes} == {"metric-chosen"}
    return taken


RUNS: dict[str, Callable[[Path], tuple[float, float]]] = {"json": standard, "orjson": fastest, "reportkit": ours}


def main() -> None:
    """Make the folder, measure, print, and write the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=1_000)
    parser.add_argument("--records", type=int, default=1_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=Path, default=RESULTS)
    parser.add_argument("--run", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        seconds, cpu = RUNS[arguments.run[0]](Path(arguments.run[1]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(json.dumps({"seconds": seconds, "cpu": cpu, "gigabytes": peak}))
        return
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home) / "runs"
        n_bytes = make_folder(folder, arguments.files, arguments.records)
        measured: dict[str, list[dict[str, float]]] = {name: [] for name in RUNS}
        for _ in range(arguments.repeats):
            for name in RUNS:
                command = [sys.executable, __file__, "--run", name, str(folder)]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                measured[name].append(json.loads(done.stdout))
    found = {
        "files": arguments.files,
        "records": arguments.records,
        "gigabytes": round(n_bytes / 1e9, 2),
        **{
            what: {name: round(summary([one[of] for one in runs]), 2) for name, runs in measured.items()}
            for what, of, summary in (
                ("seconds", "seconds", statistics.median),
                ("cpu_seconds", "cpu", statistics.median),
                ("peak_gigabytes", "gigabytes", max),
            )
        },
    }
    print(json.dumps(found, indent=2))
    arguments.output.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
