"""Where people wait, row by row: processor time, clock time and peak memory beside the goal of each.

Run: python benchmarks/speed.py [--repeats 5] [--rows pair-2000 ...] [--before FOLDER]

Each row is run in a process of its own; rows take turns with their peers, so that what else the machine does falls on
all of them. In each turn a yardstick is measured too, 100,000 random sign patterns of one pair with 2,000 instances
by NumPy: read the ratios to it. Frames are made before the clock starts. Medians go to results/speed.json, where rows
that were not run keep theirs. FOLDER holds another version of reportkit, which takes turns with this one; a row that
it cannot do has no such ratio. Files and papers have scripts of their own: build.py, reading.py, corpus.py (BLEU) and
checking.py.
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

PATTERNS = 100_000
ALPACA = Path(__file__).resolve().parents[2] / "shared/data/alpaca_eval/v2.parquet"
WMT = ALPACA.parents[1] / "wmt17_ende/stats_bleu13a.parquet"
CALIBRATED = Path(__file__).resolve().parents[1] / "examples/calibration/results.parquet"


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
            if kind == "one-sided":  # the first system loses much, now and then
                scores = 0.0 * latent if system else 1.0 - rng.exponential(1.0, n)
            if decimals is not None:
                scores = np.round(scores, decimals)
            parts.append(
                pd.DataFrame({"dataset": f"d{dataset}", "system": f"s{system:03d}", "instance": names, "score": scores})
            )
    return pd.concat(parts, ignore_index=True).assign(metric="accuracy" if kind == "binary" else "f1")


Work = Callable[[], object]


class Row(NamedTuple):
    """One row of the table.

    Parameters
    ----------
    prepare : callable
        Does what is not measured, and returns what is.
    goal : str
        As the table has it.
    peer : str
        Another row that does the same work in another way.
    times : float
        How many times the peer's work is multiplied.
    all_processors : bool
        Whether other processes may join in, as without OMP_NUM_THREADS=1: read the clock.
    calls : int
        How many calls are measured together, of work that takes milliseconds; seconds are those of one.
    """

    prepare: Callable[[], Work]
    goal: str = ""
    peer: str = ""
    times: float = 1.0
    all_processors: bool = False
    calls: int = 1


def compare(make: Callable[[], pd.DataFrame], **options: Any) -> Work:
    """`reportkit.compare` of a frame, with everything imported."""
    import reportkit

    table = make()
    reportkit.compare(frame(2, 100))
    return lambda: reportkit.compare(table, **options)


def again(ask: Callable[[Any], object], *, before: bool) -> Work:
    """What is asked of a comparison of 30 systems on 8 datasets, for the first time or again."""
    import reportkit

    ask(reportkit.compare(frame(2, 100)))
    analysis = reportkit.compare(frame(30, 200, n_datasets=8))
    if before:
        ask(analysis)
    return lambda: ask(analysis)


def shown(analysis: Any) -> None:
    """Print it, to nowhere."""
    with contextlib.redirect_stdout(io.StringIO()):
        print(analysis)


def command(*arguments: str | Path, table: pd.DataFrame | None = None) -> Work:
    """A command in a fresh process, with the table as its first file; what Python compiles is compiled before."""
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    files = []
    if table is not None:
        files = [folder / "scores.csv"]
        table.to_csv(files[0], index=False)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run(*given: str | Path, to: str = "report") -> None:
        line = [sys.executable, "-m", "reportkit", *given, "-o", folder / to]
        done = subprocess.run([*map(str, line)], capture_output=True, check=False, cwd=folder, env=environment)
        if done.returncode not in (0, 1):  # 1: with findings
            raise RuntimeError(done.stderr.decode())

    small = folder / "small.csv"
    frame(2, 100).to_csv(small, index=False)
    run("build", small, "--no-pdf", to="small")
    return partial(run, arguments[0], *files, *arguments[1:])


def patterns() -> Work:
    """100,000 random sign patterns."""
    differences = np.random.default_rng(0).normal(0.01, 0.3, 2_000)

    def run() -> None:
        rng = np.random.default_rng(0)
        for _ in range(PATTERNS // 500):
            (rng.choice([-1.0, 1.0], (500, 2_000)) @ differences >= differences.sum()).sum()

    return run


def sacrebleu() -> Work:
    """SacreBLEU's approximate randomization of one pair of 2,000 scores, 2,000 times."""
    from exact import sacrebleu_test

    differences = np.random.default_rng(0).normal(0.01, 0.3, 2_000)
    return lambda: sacrebleu_test("sign flips", differences, 2_000)


def pairs(n_systems: int = 150, **options: Any) -> Callable[[], Work]:
    """All pairs of systems on 1,000 instances."""
    return partial(compare, partial(frame, n_systems, 1_000, **options))


def alpaca() -> Work:
    """Preferences, with the tests of the decision table."""
    return compare(lambda: pd.read_parquet(ALPACA), missing="drop")


def summary(make: Callable[[], pd.DataFrame]) -> Work:
    """The answer in words, where nothing is shown: with the instances that would show a percentage point."""
    import reportkit

    reportkit.compare(frame(2, 100)).summary()
    return reportkit.compare(make()).summary


def bleu() -> Work:
    """All pairs of 16 systems by the paired bootstrap of BLEU."""
    return compare(lambda: pd.read_parquet(WMT))


REAL = {alpaca: ALPACA, bleu: WMT}  # which file a row needs
YARDSTICK = "yardstick"
ROWS: dict[str, Row] = {
    YARDSTICK: Row(patterns),
    "sacrebleu-2000": Row(sacrebleu),
    "pair-2000": Row(
        partial(compare, partial(frame, 2, 2_000)), ">= 10,000 x b = 10^6", "sacrebleu-2000", 500, calls=20
    ),
    "all-pairs-150-normal": Row(pairs(), "0.8 s"),
    "all-pairs-150-four-decimals": Row(pairs(decimals=4), "0.8 s"),
    "all-pairs-150-four-decimals-wide": Row(pairs(decimals=4, scale=100.0), "0.8 s"),
    "all-pairs-150-two-decimals": Row(pairs(decimals=2), "0.8 s"),
    "all-pairs-150-binary": Row(pairs(kind="binary"), "0.25 s"),
    "all-pairs-100-of-79-four-decimals": Row(partial(compare, partial(frame, 100, 79, decimals=4))),
    "all-pairs-60-of-40": Row(partial(compare, partial(frame, 60, 40))),
    "all-pairs-150-of-400": Row(partial(compare, partial(frame, 150, 400))),
    "all-pairs-50-of-20000": Row(partial(compare, partial(frame, 50, 20_000, decimals=4))),
    "alpaca-58x5": Row(alpaca, "8 s"),
    "bleu-16-all-pairs": Row(bleu),
    "summary-20-binary": Row(partial(summary, partial(frame, 20, 1_000, kind="binary"))),
    "build-20x4-one-decimal": Row(lambda: command("build", "--no-pdf", table=frame(20, 500, n_datasets=4, decimals=1))),
    "pair-1000-datasets": Row(partial(compare, partial(frame, 2, 50, n_datasets=1_000)), "1 s"),
    "pair-5000-datasets": Row(partial(compare, partial(frame, 2, 50, n_datasets=5_000)), "5 s"),
    "pair-skewed-1e5": Row(partial(compare, partial(frame, 2, 100_000, kind="skewed"))),
    "pair-skewed-1e6": Row(partial(compare, partial(frame, 2, 1_000_000, kind="skewed")), "3 s"),
    "pair-one-sided-1e6": Row(partial(compare, partial(frame, 2, 1_000_000, kind="one-sided")), "3 s"),
    "build-200x3": Row(lambda: command("build", table=frame(200, 100, n_datasets=3)), "15 s"),
    "build-200x3-on-all-processors": Row(
        lambda: command("build", table=frame(200, 100, n_datasets=3)), "15 s", all_processors=True
    ),
    "smallest-build-cold": Row(lambda: command("build", "--no-pdf", table=frame(2, 100, n_datasets=3)), "1.2 s"),
    "smallest-build-cold-and-pdf": Row(lambda: command("build", "--pdf", table=frame(2, 100, n_datasets=3))),
    "print-first": Row(partial(again, shown, before=False), "0.5 s"),
    "print-again": Row(partial(again, shown, before=True), "0.02 s"),
    "to-latex-first": Row(partial(again, lambda a: a.to_latex(), before=False), "0.5 s"),
    "to-latex-again": Row(partial(again, lambda a: a.to_latex(), before=True), "0.02 s"),
    "calibrate-90": Row(lambda: command("calibrate", CALIBRATED), "40 s"),
    "calibrate-90-on-all-processors": Row(lambda: command("calibrate", CALIBRATED), "40 s", all_processors=True),
}


def seconds() -> float:
    """Of processor time, of this process and of those it started."""
    return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime for who in WHO)


WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def measure(name: str) -> dict[str, float]:
    """Processor seconds, seconds by the clock and peak memory of one row, in this process."""
    run, calls = ROWS[name].prepare(), ROWS[name].calls
    wall, cpu = time.perf_counter(), seconds()
    for _ in range(calls):
        run()
    return {
        "cpu": (seconds() - cpu) / calls,
        "wall": (time.perf_counter() - wall) / calls,
        "peak_mb": max(resource.getrusage(who).ru_maxrss for who in WHO) / 1024,
    }


def measured_apart(name: str, folder: Path | None) -> dict[str, float]:
    """`measure` in a process of its own, with the version of reportkit that is in a folder."""
    environment = os.environ | ({} if ROWS[name].all_processors else {"OMP_NUM_THREADS": "1"})
    if folder:
        environment["PYTHONPATH"] = str(folder)
    line = [sys.executable, __file__, "--one", name]
    done = subprocess.run(line, capture_output=True, text=True, check=True, env=environment)
    return json.loads(done.stdout)


def medians_of(measured: list[dict[str, float]]) -> dict[str, Any]:
    """Of all turns of a row."""
    return {key: statistics.median(one[key] for one in measured) for key in measured[0]}


def main() -> None:
    """Run all rows in turns, and print and write medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rows", nargs="*", choices=[*ROWS], default=[*ROWS])
    parser.add_argument("--before", type=Path, help="folder of another version, the one that holds reportkit/")
    parser.add_argument("--one", choices=[*ROWS], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one)))
        return
    asked = [name for name in options.rows if REAL.get(ROWS[name].prepare, CALIBRATED).exists()]
    peers = [ROWS[name].peer for name in asked if ROWS[name].peer]
    names = [*dict.fromkeys((YARDSTICK, *peers, *asked))]
    runs = [(name, None) for name in names]
    if options.before:
        runs += [(name, options.before.resolve()) for name in asked if name != YARDSTICK]
        runs.sort(key=lambda run: names.index(run[0]))
    found: dict[tuple[str, Path | None], list[dict[str, float]]] = {run: [] for run in runs}
    for _ in range(options.repeats):
        for name, folder in [*found]:
            try:
                found[name, folder].append(measured_apart(name, folder))
            except subprocess.CalledProcessError as failure:
                if folder is None:
                    raise
                print(f"{name}: not done before ({failure.stderr.strip().splitlines()[-1]})")
                del found[name, folder]
    medians: dict[str, dict[str, Any]] = {name: medians_of(found[name, None]) for name in names}
    for name, folder in found:
        if folder is not None:
            before = medians_of(found[name, folder])
            medians[name] |= {f"before_{key}": value for key, value in before.items()}
            medians[name]["to_before"] = before["cpu"] / medians[name]["cpu"]
    for name, row in medians.items():
        row["to_yardstick"] = row["cpu"] / medians[YARDSTICK]["cpu"]
        row["goal"] = ROWS[name].goal
        if ROWS[name].peer:
            row["to_peer"] = ROWS[name].times * medians[ROWS[name].peer]["cpu"] / row["cpu"]
        print(
            f"{name:34}{row['cpu']:9.3f} s cpu{row['wall']:9.3f} s{row['peak_mb']:8.0f} MB{row['to_yardstick']:8.3f} x"
            f"  goal {row['goal'] or '-'}"
            + (f", {row['to_peer']:,.4g} x" if "to_peer" in row else "")
            + (f", before {row['before_cpu']:.3f} s: {row['to_before']:.3g} x" if "to_before" in row else "")
        )
    from machine import RESULTS, save

    kept = RESULTS / "speed.json"
    rows = json.loads(kept.read_text(encoding="utf-8"))["measured"]["rows"] if kept.exists() else {}
    save("speed", {"rows": rows | {name: row | {"repeats": options.repeats} for name, row in medians.items()}})


if __name__ == "__main__":
    main()
