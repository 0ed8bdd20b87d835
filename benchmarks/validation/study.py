"""Simulate whether each default test holds its level, and whether the tests that are used otherwise do.

`python benchmarks/validation/study.py [--draws 250] [--only TEXT] [--processes 1]` draws samples of every design and
prints the tables of docs/validation.md. `results/validation.jsonl`, not tracked, has a line for each cell that is done;
a run that was interrupted goes on behind it. Each block of samples has a random stream by the name of its cell and its
number, so the same draws give the same tables with any number of processes.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2])]

from designs import Cell, cells  # noqa: E402 - from this folder
from pairs import BLOCK, OURS, Tally, simulated  # noqa: E402 - from this folder
from scipy.stats import binom  # noqa: E402 - after the threads are set

RESULTS = Path(__file__).resolve().parents[1] / "results" / "validation.jsonl"

CHANCE = 0.0005
"""An excess counts where so many rejections, or more, are less probable than this at the level."""

DOUBTFUL = 0.08
"""A design is drawn again and again while so many reject, or more, and no excess is clear yet."""

MOST = 1_000
"""Samples of such a design, and of each for power."""

FEWEST = 250
"""Samples below which a method is not shown."""

ENOUGH = 50
"""Units from which on warnings are judged: with fewer, one nearly always stands."""

OTHERS = ("t-test", "Wilcoxon", "sacreBLEU bootstrap")
CLASSES: dict[str, Callable[[Cell], bool]] = {
    "means, symmetric": lambda one: one.group == "means" and one.scores.startswith("symmetric"),
    "means, skewed": lambda one: one.group == "means" and one.scores.startswith(("skewed", "very", "90% N")),
    "means, sparse": lambda one: one.group == "means" and one.scores.startswith("sparse"),
    "means, ceiling or hurdle": lambda one: one.scores.startswith(("ceiling", "hurdle")),
    "means, rare losses": lambda one: one.group == "means" and one.scores.startswith(("99%", "90% gains")),
    "means, partial credit": lambda one: one.scores == "partial credit",
    "right or wrong": lambda one: one.group == "right or wrong",
    "ratings and counts": lambda one: one.group == "ratings and counts",
    "neighbours alike, not declared": lambda one: one.group == "serial",
    "clusters, equally large": lambda one: one.design == "clusters of 5",
    "clusters, sizes matter": lambda one: one.design == "clusters of 2 or 30",
    "clusters, one in ten fails": lambda one: one.design == "clusters of 4",
    "F1 of the test set": lambda one: one.design == "corpus metric",
    "F1 of a rare class": lambda one: one.design == "rare class",
    "correlations with gold": lambda one: one.group == "correlations" and one.scores != "contaminated",
    "correlations, contaminated": lambda one: one.scores == "contaminated",
    "runs, normal": lambda one: one.group == "runs" and one.design.endswith("runs") and one.scores == "normal",
    "runs, one in 7 collapses": lambda one: "collapses" in one.scores,
    "one score per run": lambda one: one.design == "one score per run",
    "unpaired scores": lambda one: one.group == "unpaired",
    "k of n right": lambda one: one.group == "counts of right answers",
    "cross-validation": lambda one: one.group == "folds",
}
"""What a line of the table is about; a cell belongs to the first that fits."""

Found = dict[Cell, Mapping[str, Tally]]


def rejected(tally: Tally, which: str = "") -> int:
    """Return the rejections in the direction with more of them."""
    return max(tally[f"{which}a"], tally[f"{which}b"])


def exceeds(tally: Tally, which: str = "") -> bool:
    """Return whether there are more rejections than a test of level .05 gives by chance."""
    return bool(binom.sf(rejected(tally, which) - 1, tally["draws"], 0.05) < CHANCE)


def is_doubtful(tally: Tally) -> bool:
    """Return whether rejections, or those without a warning, are many but not clearly too many."""
    return any(
        rejected(tally, which) >= DOUBTFUL * tally["draws"] and not exceeds(tally, which) for which in ("", "silent ")
    )


def share(part: float, whole: float) -> str:
    """Return a share with two decimals: .05."""
    text = f"{part / whole:.2f}" if whole else "–"
    return "1" if text == "1.00" else text.removeprefix("0")


def held(tallies: Sequence[tuple[int, Tally]], which: str = "") -> str:
    """Return from which n on no cell exceeds .05 ("yes", "500+", "no"), and the largest share of rejections."""
    shown = [(n, tally) for n, tally in tallies if tally["draws"] >= FEWEST]
    if not shown:
        return "–"
    beyond = [n for n, tally in shown if exceeds(tally, which)]
    worst = max((tally for _, tally in shown), key=lambda tally: rejected(tally, which) / tally["draws"])
    largest = share(rejected(worst, which), worst["draws"])
    if not beyond:
        return f"yes ({largest})"
    later = sorted(n for n, _ in shown if n > max(beyond))
    return f"**{f'{later[0]:,}+' if later else 'no'} ({largest})**"


def false_alarms(tallies: Sequence[tuple[int, Tally]]) -> str:
    """Return the share of samples with a warning in the cells that hold their level, which weigh the same."""
    sound = [tally["warned"] / tally["draws"] for _, tally in tallies if not exceeds(tally)]
    return share(sum(sound), len(sound))


def covered(tallies: Sequence[tuple[int, Tally]]) -> str:
    """Return the share of false claims with a warning in the cells that exceed the level, which weigh the same."""
    beyond = [tally for _, tally in tallies if exceeds(tally)]
    claims = sum(rejected(tally) / tally["draws"] for tally in beyond)
    return share(claims - sum(rejected(tally, "silent ") / tally["draws"] for tally in beyond), claims)


def table(found: Found) -> Iterator[str]:
    """Yield the lines of the table of false claims."""
    yield f"| scores | reportkit | without a warning | false alarms | {' | '.join(OTHERS)} |"
    yield f"|---|---|---|---|{'---|' * len(OTHERS)}"
    for title, fits in by_class(found).items():
        ours = [(cell.n, found[cell][OURS]) for cell in fits]
        judged = [(n, tally) for n, tally in ours if n >= ENOUGH]
        others = [held([(cell.n, found[cell][name]) for cell in fits if name in found[cell]]) for name in OTHERS]
        yield f"| {title} | {' | '.join([held(ours), held(judged, 'silent '), false_alarms(judged), *others])} |"


def by_class(found: Found) -> dict[str, list[Cell]]:
    """Return the null hypotheses of each line."""
    lines: dict[str, list[Cell]] = {title: [] for title in CLASSES}
    for cell in found:
        if not cell.shift:
            lines[next(title for title, fits in CLASSES.items() if fits(cell))].append(cell)
    return {title: members for title, members in lines.items() if members}


def power(found: Found) -> Iterator[str]:
    """Yield the lines of the table of power, in bold where the test exceeds its level without an effect."""
    names = (OURS, "t-test", "Wilcoxon", "compare-mt")
    yield f"| scores | {' | '.join(names)} |"
    yield f"|---|{'---|' * len(names)}"
    nulls = {(cell.design, cell.scores, cell.n): by_method for cell, by_method in found.items() if not cell.shift}
    for cell, by_method in found.items():
        if cell.shift:
            without = nulls.get((cell.design, cell.scores, cell.n), {})
            shown = []
            for name in names:
                tally = by_method.get(name, Tally())
                text = share(tally["a"], tally["draws"])
                shown.append(f"**{text}**" if name in without and exceeds(without[name]) else text)
            yield f"| {cell.scores if cell.design == 'paired' else cell.design} | {' | '.join(shown)} |"


def warnings_in_all(found: Found) -> Iterator[str]:
    """Yield what the warnings are worth, over all null hypotheses."""
    ours = [(cell.n, by_method[OURS]) for cell, by_method in found.items() if not cell.shift]
    yield f"{len(ours)} designs, {sum(tally['draws'] for _, tally in ours):,} samples"
    for least in (0, ENOUGH):
        some = [(n, tally) for n, tally in ours if n >= least]
        sound = sum(not exceeds(tally) for _, tally in some)
        yield f"n >= {least}: {sound} of {len(some)} designs hold their level, false alarms {false_alarms(some)};"
        yield f"    in the others, false claims with a warning {covered(some)}"
    for cell, by_method in found.items():
        if not cell.shift and exceeds(by_method[OURS], "silent "):
            tally = by_method[OURS]
            yield f"exceeds without a warning: {cell.name}: {share(rejected(tally, 'silent '), tally['draws'])}"


def of_cell(name: str, draws: int) -> dict[str, Any]:
    """Draw all samples of a cell, and say how many processor seconds it took: a line of the results."""
    start = time.process_time()
    cell = next(cell for cell in cells() if cell.name == name)
    found: dict[str, Tally] = {}
    for block in itertools.count():
        for method, tally in simulated(cell, block, min(BLOCK, draws)).items():
            found.setdefault(method, Tally()).update(tally)
        drawn = found[OURS]["draws"]
        if drawn >= draws and (drawn >= MOST or not (cell.shift or is_doubtful(found[OURS]))):
            break
    return {"cell": name, "seconds": round(time.process_time() - start, 1), "found": found}


def kept(chosen: Sequence[Cell], draws: int) -> Found:
    """Return the cells that are done, with so many draws or more."""
    lines = [json.loads(line) for line in RESULTS.open(encoding="utf-8")] if RESULTS.exists() else []
    done = {line["cell"]: {method: Tally(tally) for method, tally in line["found"].items()} for line in lines}
    return {cell: done[cell.name] for cell in chosen if cell.name in done and done[cell.name][OURS]["draws"] >= draws}


def main() -> None:
    """Draw the samples that are missing, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=250, help="of each cell, at least; above 250, in blocks of 250")
    parser.add_argument("--only", default="", help="part of the name of the cells")
    parser.add_argument("--processes", type=int, default=1)
    settings = parser.parse_args()
    chosen = [cell for cell in cells() if settings.only in cell.name]
    done = kept(chosen, settings.draws)
    missing = [cell.name for cell in chosen if cell not in done]
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file, ProcessPoolExecutor(settings.processes) as pool:
        for line in pool.map(partial(of_cell, draws=settings.draws), missing):
            print(json.dumps(line), file=file, flush=True)
    found = kept(chosen, settings.draws)
    for lines in (table(found), power(found), warnings_in_all(found)):
        print("\n".join(lines), end="\n\n")


if __name__ == "__main__":
    main()
