"""Coverage of every interval and of every posterior, by simulation with known true differences.

Run `python benchmarks/interval_coverage.py`. For each form of the scores and number of units, data have a known
true difference; counted is how often the 95% interval of the report holds it, how often it lies above and below, and
the same for the equal-tailed credible interval of the posterior. `results/coverage.csv`, not tracked, holds the shares;
at the end they are printed as a table, from which docs/methods.md has its rows.
"""

from __future__ import annotations

import argparse
import csv
import math
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import size_under_null as null
from numpy.typing import NDArray

from reportkit.bayes.models import model_of
from reportkit.errors import DesignError
from reportkit.scores.choices import Kind
from reportkit.scores.sample import Sample
from reportkit.significance.assess import interval_for
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.choose import choose
from reportkit.significance.decision_intervals import simultaneous_level
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.outcome import Interval
from reportkit.significance.proportions import clopper_pearson_interval, wilson_interval

SEED = 20_261_122
LEVEL = 0.95
SIZES = (10, 30, 100, 500, 2000)
RESULTS = Path(__file__).with_name("results") / "coverage.csv"
FIELDS = (
    *("design", "scores", "n", "interval", "replicates", "covered", "above", "below", "none", "median_width"),
    *("model", "credible_covered", "credible_above", "credible_below"),
)

Rng = np.random.Generator
Floats = NDArray[np.float64]
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Cell:
    """One design with a known truth.

    Parameters
    ----------
    design, scores : str
        What is simulated, in words.
    n : int
        Instances (runs, folds).
    truth : float
        What the interval is for.
    draw : callable
        (rng, n) -> what `interval` takes.
    interval : callable
        Drawn data -> (low, high, title), or None.
    posterior : bool
        Whether the posterior of the difference is looked at too.
    slow : bool
        Simulated less often.
    """

    design: str
    scores: str
    n: int
    truth: float
    draw: Callable[[Rng, int], Any]
    interval: Callable[[Any], tuple[float, float, str] | None]
    posterior: bool = True
    slow: bool = False

    @property
    def name(self) -> str:
        """Name of the random stream."""
        return f"{self.design}|{self.scores}|{self.n}"


def _chosen(sample: Sample) -> tuple[float, float, str] | None:
    """The interval of the report."""
    return _ends(_beside(sample, LEVEL))


def _beside(sample: Sample, level: float) -> Interval | None:
    """Interval that belongs to the test of the decision table."""
    plan = ResamplingPlan()
    name = choose(sample).test
    return interval_for(SIGNIFICANCE_TESTS[name], sample, run_test(name, sample, plan), level, plan.seed)


def _ends(interval: Interval | None) -> tuple[float, float, str] | None:
    return None if interval is None else (interval.low, interval.high, interval.title)


def _binary(p10: float, p01: float) -> Callable[[Rng, int], Sample]:
    """Right or wrong answers: only A right with probability p10, only B with p01."""

    def draw(rng: Rng, n: int) -> Sample:
        u = rng.random(n)
        both = (rng.random(n) < 0.7).astype(float)
        a = np.where(u < p10, 1.0, np.where(u < p10 + p01, 0.0, both))
        b = np.where(u < p10, 0.0, np.where(u < p10 + p01, 1.0, both))
        return _paired(a, b, "binary")

    return draw


def _paired(a: Floats, b: Floats, kind: Kind = "continuous") -> Sample:
    return Sample(**null.NAMES, metric="score", a=a, b=b, kind=kind)


def _normal(mean: float) -> Callable[[Rng, int], Sample]:
    """Positive scores whose differences are normal with standard deviation 1."""

    def draw(rng: Rng, n: int) -> Sample:
        base = 10 + rng.normal(size=n)
        return _paired(base + mean + rng.normal(size=n), base)

    return draw


def _correlations(first: float, second: float) -> Callable[[Rng, int], Sample]:
    """Predictions with given correlations with gold, independent errors."""

    def draw(rng: Rng, n: int) -> Sample:
        gold, e, f = rng.normal(size=(3, n))
        a = first * gold + math.sqrt(1 - first**2) * e
        b = second * gold + math.sqrt(1 - second**2) * f
        return Sample(
            shape="correlation",
            **null.NAMES,
            metric="pearson",
            kind="continuous",
            a=a,
            b=b,
            gold=gold,
            coefficient="pearson",
        )

    return draw


def _proportions(p_a: float, p_b: float) -> Callable[[Rng, int], Sample]:
    def draw(rng: Rng, n: int) -> Sample:
        right = [int(rng.binomial(n, p)) for p in (p_a, p_b)]
        a, b = (np.repeat([1.0, 0.0], [k, n - k]) for k in right)
        return Sample(shape="counts", **null.NAMES, metric="accuracy", kind="binary", a=a, b=b)

    return draw


def cells() -> Iterator[Cell]:
    """All designs."""
    for n in SIZES:
        for name in null.DIFFERENCES:
            yield Cell("paired means", name, n, 0.0, null._means(name), _chosen)
        for p10, p01 in ((0.15, 0.15), (0.2, 0.1), (0.05, 0.01), (0.02, 0.0)):
            scores = f"right or wrong, {p10:.0%} only A, {p01:.0%} only B"
            yield Cell("paired", scores, n, p10 - p01, _binary(p10, p01), _chosen)
        yield Cell("paired", "ordinal", n, 0.0, null._ordinal, _chosen)
        yield Cell("paired", "counts", n, 0.0, null._counts, _chosen)
        for kind in ("continuous", "binary"):
            yield Cell("clusters of 5", kind, n, 0.0, null._clustered(kind), _chosen)
        yield Cell("clusters of 5", "continuous, skewed to the left", n, 0.0, null._clustered_skewed, _chosen)
        yield Cell("corpus metric", "F1", n, 0.0, null._f1, _chosen, slow=True)
        for first, second in ((0.6, 0.6), (0.8, 0.5)):
            truth = first - second
            scores = f"Pearson {first} and {second}, normal"
            yield Cell("correlation with gold", scores, n, truth, _correlations(first, second), _chosen, slow=True)
        for m in (3, 5):
            yield Cell(f"{m} runs of each", "normal", n, 0.0, null._runs(m, m), _chosen)
        for scores in ("normal", "skewed to the left (exponential)"):
            yield Cell("unpaired", scores, n, 0.0, null._unpaired(scores), _chosen)
        for p_a, p_b in ((0.8, 0.8), (0.95, 0.85)):
            scores = f"k of n, {p_a:.0%} and {p_b:.0%}"
            yield Cell("independent proportions", scores, n, p_a - p_b, _proportions(p_a, p_b), _chosen)
        yield from _simultaneous(n)
        yield from _single(n)
    for repetitions in (1, 10):
        yield Cell(
            "cross-validation",
            f"{repetitions} times 10 folds",
            10 * repetitions,
            0.0,
            null._folds(repetitions),
            _chosen,
        )


def _simultaneous(n: int) -> Iterator[Cell]:
    """Simultaneous intervals of several datasets, whose common truth all must hold."""
    yield Cell(
        "simultaneous over 5 datasets",
        "right or wrong, 20% only A, 10% only B",
        n,
        0.1,
        lambda rng, size: [_binary(0.2, 0.1)(rng, size) for _ in range(5)],
        _widest_miss,
        posterior=False,
    )


def _widest_miss(samples: list[Sample]) -> tuple[float, float, str] | None:
    """Intersection of the simultaneous intervals: it holds the common truth exactly if all of them do."""
    each = simultaneous_level(LEVEL, len(samples))
    found = [interval for sample in samples if (interval := _beside(sample, each)) is not None]
    return max(item.low for item in found), min(item.high for item in found), f"simultaneous: {found[0].title}"


def _single(n: int) -> Iterator[Cell]:
    """Accuracy of one system."""
    for p in (0.7, 0.98):
        for function in (wilson_interval, clopper_pearson_interval):
            yield Cell(
                "one system",
                f"accuracy {p:.0%}, {function.__name__.removesuffix('_interval').replace('_', '-')}",
                n,
                p,
                lambda rng, size, p=p: (int(rng.binomial(size, p)), size),
                lambda drawn, function=function: _ends(function(*drawn, LEVEL)),
                posterior=False,
            )


def simulated(name: str, replicates: int) -> dict[str, object]:
    """Coverage of one cell."""
    cell = next(cell for cell in cells() if cell.name == name)
    rng = np.random.default_rng(np.random.SeedSequence([SEED, zlib.crc32(cell.name.encode())]))
    n_drawn = max(replicates // 4, 1) if cell.slow else replicates
    above = below = none = credible_above = credible_below = known = 0
    widths: list[float] = []
    titles: dict[str, None] = {}
    models: dict[str, None] = {}
    for _ in range(n_drawn):
        data = cell.draw(rng, cell.n)
        ends = cell.interval(data)
        if ends is None:
            none += 1
        else:
            titles[ends[2]] = None
            widths.append(ends[1] - ends[0])
            above += ends[0] > cell.truth + 1e-12
            below += ends[1] < cell.truth - 1e-12
        if cell.posterior:
            try:
                model = model_of(data)
            except DesignError:
                continue
            known += 1
            models[model.name] = None
            tail = (1 - LEVEL) / 2
            credible_above += model.posterior.below(cell.truth) < tail
            credible_below += model.posterior.above(cell.truth) < tail
    drawn = n_drawn - none
    return {
        "design": cell.design,
        "scores": cell.scores,
        "n": cell.n,
        "interval": " or ".join(sorted(titles)),
        "replicates": n_drawn,
        "covered": _share(drawn - above - below, drawn),
        "above": _share(above, drawn),
        "below": _share(below, drawn),
        "none": none / n_drawn,
        "median_width": f"{np.median(widths):.4g}" if widths else "",
        "model": " or ".join(sorted(models)),
        "credible_covered": _share(known - credible_above - credible_below, known) if cell.posterior else "",
        "credible_above": _share(credible_above, known) if cell.posterior else "",
        "credible_below": _share(credible_below, known) if cell.posterior else "",
    }


def _share(count: int, total: int) -> object:
    return round(count / total, 5) if total else ""


BOLD_BELOW = 0.93


def document() -> str:
    """Return the table in Markdown: coverage in percent, behind the bar that of the posterior, bold below 93."""
    with RESULTS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    by_design: dict[str, dict[str, dict[int, dict[str, str]]]] = {}
    for row in rows:
        by_design.setdefault(row["design"], {}).setdefault(row["scores"], {})[int(row["n"])] = row
    sizes = sorted({int(row["n"]) for row in rows if row["design"] != "cross-validation"})
    lines = ["| results | scores | interval | " + " | ".join(f"n = {n:,}" for n in sizes) + " |"]
    lines.append("|---|---|---|" + "---|" * len(sizes))
    for design, forms in by_design.items():
        for scores, found in forms.items():
            titles = list(dict.fromkeys(title for row in found.values() for title in row["interval"].split(" or ")))
            if design == "cross-validation":
                (row,) = found.values()
                cells = [_cell(row), *[""] * (len(sizes) - 1)]
            else:
                cells = [_cell(found[n]) if n in found else "" for n in sizes]
            lines.append(f"| {design} | {scores} | {', '.join(filter(None, titles))} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(row: dict[str, str]) -> str:
    return " \\| ".join(_percent(row[name]) for name in ("covered", "credible_covered") if row[name])


def _percent(share: str) -> str:
    written = f"{100 * float(share):.1f}"
    return f"**{written}**" if float(share) < BOLD_BELOW else written


def _write(kept: dict[str, dict[str, object]]) -> None:
    """Write the rows that there are, in the order of the cells."""
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept[cell.name] for cell in cells() if cell.name in kept)


def main() -> None:
    """Simulate all cells, and write and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=2000)
    parser.add_argument("--only", default="", help="part of the name of the cells to simulate; the others are kept")
    parser.add_argument("--processes", type=int, default=None)
    settings = parser.parse_args()
    chosen = [cell.name for cell in cells() if settings.only in cell.name]
    kept: dict[str, dict[str, object]] = {}
    if settings.only and RESULTS.exists():
        with RESULTS.open(encoding="utf-8") as file:
            kept = {f"{row['design']}|{row['scores']}|{row['n']}": dict(row) for row in csv.DictReader(file)}
    with ProcessPoolExecutor(settings.processes) as pool:
        for name, row in zip(chosen, pool.map(simulated, chosen, [settings.replicates] * len(chosen)), strict=True):
            kept[name] = row
            _write(kept)
            print(f"{row['covered']!s:<8} {row['credible_covered']!s:<8} {name} ({row['interval']})", flush=True)
    print(document())


if __name__ == "__main__":
    main()
