"""Simulate whether each default test holds its level, and whether the tests that are used otherwise do.

`python benchmarks/validation/study.py [--draws 2000] [--only TEXT] [--processes 1]` draws samples of every design and
prints the table of docs/validation.md. Each block of samples has a random stream by the name of its cell and its
number, so the same draws give the same table with any number of processes.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2])]

import pairs  # noqa: E402 - from this folder
from designs import Cell, cells  # noqa: E402
from scipy.stats import binom  # noqa: E402

CHANCE = 0.0005
"""An excess counts where so many rejections, or more, are less probable than this at the level."""

FEWEST = 250
"""Samples below which a method is not shown."""

METHODS = {
    "reportkit": "reportkit",
    "t-test (SciPy)": "t-test",
    "Wilcoxon (SciPy)": "Wilcoxon",
    "paired bootstrap (sacreBLEU)": "sacreBLEU bootstrap",
}
CLASSES: dict[str, Callable[[Cell], bool]] = {
    "means, sparse": lambda one: one.group == "means" and one.scores.startswith("sparse"),
    "means, symmetric": lambda one: one.group == "means" and one.scores.startswith("symmetric"),
    "means, skewed": lambda one: one.group == "means" and ("skewed" in one.scores or "N(-.9" in one.scores),
    "means, rare losses": lambda one: one.group == "means" and one.scores.startswith(("99%", "90% gains")),
    "means, partial credit": lambda one: one.scores == "partial credit",
    "right or wrong": lambda one: one.group == "right or wrong",
    "ratings and counts": lambda one: one.group == "ratings and counts",
    "clusters, equally large": lambda one: one.design == "clusters of 5",
    "clusters, sizes matter": lambda one: one.design == "clusters of 2 or 30",
    "clusters, one in ten fails": lambda one: one.design == "clusters of 4",
    "F1 of the test set": lambda one: one.group == "corpus metrics",
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


@dataclass(frozen=True, slots=True)
class Found:
    """Rejections of one method in one cell, in the direction with more of them."""

    n: int
    rejected: int
    draws: int

    @property
    def exceeds(self) -> bool:
        """Whether there are more rejections than a test of level .05 gives by chance."""
        return bool(binom.sf(self.rejected - 1, self.draws, 0.05) < CHANCE)


def counted(cell: Cell, draws: int, blocks: Iterator[dict[str, Counter[str]]]) -> dict[str, Found]:
    """Return the rejections of one cell by method; "unwarned" are those of reportkit without a warning."""
    tallies: dict[str, Counter[str]] = {}
    for _ in range(draws // pairs.BLOCK):
        for method, tally in next(blocks).items():
            tallies.setdefault(method, Counter()).update(tally)
    found = {
        method: Found(cell.n, max(tally["a_05"], tally["b_05"]), tally["draws"]) for method, tally in tallies.items()
    }
    ours = tallies["reportkit"]
    return found | {"unwarned": Found(cell.n, max(ours["silent_a_05"], ours["silent_b_05"]), ours["draws"])}


def held(cells_of: Sequence[Found]) -> str:
    """Return from which n on no cell exceeds .05 ("yes", "500+", "no"), and the largest share of rejections."""
    if not cells_of:
        return "–"
    beyond = [one.n for one in cells_of if one.exceeds]
    worst = max(one.rejected / one.draws for one in cells_of)
    share = f"{worst:.2f}".removeprefix("0") if worst < 0.995 else "1"
    if not beyond:
        return f"yes ({share})"
    later = sorted(one.n for one in cells_of if one.n > max(beyond))
    return f"**{f'{later[0]:,}+' if later else 'no'} ({share})**"


def table(found: dict[Cell, dict[str, Found]]) -> Iterator[str]:
    """Yield the lines of the table."""
    columns = ["reportkit", "unwarned", *[method for method in METHODS if method != "reportkit"]]
    yield f"| scores | {' | '.join(METHODS.get(name, name) for name in columns)} |"
    yield f"|---|{'---|' * len(columns)}"
    class_of = {cell: next(title for title, fits in CLASSES.items() if fits(cell)) for cell in found}
    for title in sorted(set(class_of.values()), key=list(CLASSES).index):
        here = [by_method for cell, by_method in found.items() if class_of[cell] == title]
        shown = [held([one[name] for one in here if name in one and one[name].draws >= FEWEST]) for name in columns]
        yield f"| {title} | {' | '.join(shown)} |"


def main() -> None:
    """Draw all samples and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=pairs.DRAWS, help="of each cell, in blocks of 250")
    parser.add_argument("--only", default="", help="part of the name of the cells")
    parser.add_argument("--processes", type=int, default=1)
    settings = parser.parse_args()
    chosen = [cell for cell in cells() if cell.effect == "none" and settings.only in cell.name]
    work = [(cell.name, block) for cell in chosen for block in range(settings.draws // pairs.BLOCK)]
    with ProcessPoolExecutor(settings.processes) as pool:
        blocks = iter(pool.map(pairs.simulated, *zip(*work, strict=True)))
        found = {cell: counted(cell, settings.draws, blocks) for cell in chosen}
    print("\n".join(table(found)))


if __name__ == "__main__":
    main()
