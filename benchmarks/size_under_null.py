"""Size of every default test under its null hypothesis, by simulation.

Run `python benchmarks/size_under_null.py`. For each default row of the decision table, each number of units and each
form of the scores, data are drawn under equality of the two systems, and the one-sided p-values in both directions are
compared with .05 and .01. `results/size_under_null.csv`, which is not tracked, holds the shares of rejections, and the
shares of silent ones: rejections without a warning about size (a warning about power does not count).

Cells that are done are kept in `results/size_under_null.partial.csv`, so that an interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.metrics.corpus import CORPUS_METRICS
from reportkit.scores.choices import Kind
from reportkit.scores.sample import Sample
from reportkit.significance.assess import assess
from reportkit.significance.entry import ResamplingPlan

SEED = 20_251_121
ALPHA = 0.05
LEVELS = (ALPHA, 0.01)
SIZES = (10, 30, 100, 1000)
SHARED_SEED = 50
"""Replicates that share a seed, and with it the draws of resamples."""

OF_POWER = frozenset(
    {
        *("constant-system", "few-clusters", "few-datasets", "identical-systems", "pairing-unknown", "small-dataset"),
        *("unattainable-level", "unstable-p-value"),
    }
)
"""Warnings that say nothing about size."""

NOTES = frozenset({"skewness-unseen", "few-resampled-units"})
"""Notes on what so few units cannot show, which count as warnings here."""

RESULTS = Path(__file__).with_name("results") / "size_under_null.csv"
PARTIAL = RESULTS.with_suffix(".partial.csv")

Rng = np.random.Generator
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Cell:
    """One design under the null hypothesis.

    Parameters
    ----------
    row : int
        Of the decision table.
    design, scores : str
        What is simulated, in words.
    n : int
        Instances (runs, folds).
    draw : callable
        (rng, n) -> Sample.
    """

    row: int
    design: str
    scores: str
    n: int
    draw: Callable[[Rng, int], Sample]

    @property
    def name(self) -> str:
        """Name of the random stream."""
        return f"{self.row}|{self.design}|{self.scores}|{self.n}"


def _paired(a: Floats, b: Floats, kind: Kind = "continuous", **others: NDArray[np.int64] | Floats | None) -> Sample:
    return Sample(system_a="new", system_b="old", dataset="simulated", metric="score", a=a, b=b, kind=kind, **others)


DIFFERENCES: dict[str, Callable[[Rng, int], Floats]] = {
    "symmetric (normal)": lambda rng, n: rng.normal(size=n),
    "symmetric, heavy tails (t, 3 degrees of freedom)": lambda rng, n: rng.standard_t(3, size=n),
    "skewed to the right (exponential)": lambda rng, n: rng.exponential(size=n) - 1,
    "skewed to the left (exponential)": lambda rng, n: 1 - rng.exponential(size=n),
    "very skewed to the left (lognormal)": lambda rng, n: math.exp(0.5) - rng.lognormal(size=n),
    "sparse (80% zeros)": lambda rng, n: rng.normal(size=n) * (rng.random(n) < 0.2),
    "sparse and skewed to the left": lambda rng, n: (1 - rng.exponential(size=n)) * (rng.random(n) < 0.2),
}
"""Differences of mean 0."""

FURTHER: dict[str, Callable[[Rng, int], Floats]] = {
    "symmetric, heavy tails (t, 2 degrees of freedom)": lambda rng, n: rng.standard_t(2, size=n),
    "symmetric, U-shaped (beta)": lambda rng, n: rng.beta(0.3, 0.3, size=n) - 0.5,
    "90% N(.1, .3), 10% N(-.9, 1)": lambda rng, n: np.where(
        rng.random(n) < 0.9, rng.normal(0.1, 0.3, size=n), rng.normal(-0.9, 1.0, size=n)
    ),
    "90% gains of .1, 10% losses of .9": lambda rng, n: np.where(rng.random(n) < 0.9, 0.1, -0.9),
}
"""More of them, of which the simulation of coverage makes no use."""

RARE: dict[str, Callable[[Rng, int], Floats]] = {
    "99% gains of .01, 1% losses of .99": lambda rng, n: np.where(rng.random(n) < 0.99, 0.01, -0.99),
    "99% N(.1, .04), 1% losses of 9.9": lambda rng, n: np.where(rng.random(n) < 0.99, rng.normal(0.1, 0.04, n), -9.9),
    "99% N(.1, .1), 1% losses of 9.9": lambda rng, n: np.where(rng.random(n) < 0.99, rng.normal(0.1, 0.1, n), -9.9),
}
"""Differences of mean 0 that no sample of a hundred is sure to show: rare catastrophes."""


def _means(name: str) -> Callable[[Rng, int], Sample]:
    def draw(rng: Rng, n: int) -> Sample:
        base = rng.normal(size=n)
        return _paired(base + (DIFFERENCES | FURTHER | RARE)[name](rng, n), base)

    return draw


def _partial_credit(rng: Rng, n: int) -> Sample:
    """Equal means of .8; of five instances, all differences are equal in one sample of nine."""
    return _paired(np.where(rng.random(n) < 0.8, 1.0, 0.0), np.where(rng.random(n) < 0.8, 0.75, 1.0))


def _weighted(rng: Rng, n: int) -> Sample:
    base = rng.normal(size=n)
    return _paired(base + rng.normal(size=n), base, weights=rng.exponential(size=n) + 0.1)


def _binary(discordant: float) -> Callable[[Rng, int], Sample]:
    def draw(rng: Rng, n: int) -> Sample:
        a = (rng.random(n) < 0.7).astype(float)
        differs = rng.random(n) < discordant
        coin = (rng.random(n) < 0.5).astype(float)
        return _paired(np.where(differs, coin, a), np.where(differs, 1 - coin, a), "binary")

    return draw


def _counts(rng: Rng, n: int) -> Sample:
    common = rng.poisson(1.0, n)
    return _paired((common + rng.poisson(1.0, n)).astype(float), (common + rng.poisson(1.0, n)).astype(float), "count")


def _ordinal(rng: Rng, n: int) -> Sample:
    base = rng.normal(size=(1, n))
    ratings = np.clip(np.rint(3 + base + rng.normal(scale=0.7, size=(2, n))), 1, 5)
    return _paired(ratings[0], ratings[1], "ordinal")


def _clustered(kind: Kind) -> Callable[[Rng, int], Sample]:
    """Five instances per cluster, correlation .2 between the differences within one."""

    def draw(rng: Rng, n: int) -> Sample:
        clusters = np.arange(n) // 5
        effect = rng.normal(size=n // 5)
        d = math.sqrt(0.2) * effect[clusters] + math.sqrt(0.8) * rng.normal(size=n)
        if kind == "continuous":
            base = rng.normal(size=n)
            return _paired(base + d, base, clusters=clusters)
        signs = np.where(d > 0.8, 1.0, np.where(d < -0.8, -1.0, 0.0))
        if kind == "ordinal":
            return _paired(3 + signs, np.full(n, 3.0), "ordinal", clusters=clusters)
        a = np.where(signs == 0, (rng.random(n) < 0.7).astype(float), (signs + 1) / 2)
        return _paired(a, a - signs, "binary", clusters=clusters)

    return draw


def _clustered_skewed(rng: Rng, n: int) -> Sample:
    clusters = np.arange(n) // 5
    d = 0.5 * (1 - rng.exponential(size=n // 5))[clusters] + (1 - rng.exponential(size=n))
    base = rng.normal(size=n)
    return _paired(base + d, base, clusters=clusters)


def _informative(rng: Rng, n: int) -> Sample:
    """N clusters: four of five hold 2 instances with +.5, the others 30 instances with -.133."""
    large = rng.random(n) < 0.2
    sizes = np.where(large, 30, 2)
    d = np.repeat(np.where(large, -2 / 15, 0.5), sizes) + 0.05 * rng.normal(size=int(sizes.sum()))
    base = rng.normal(size=d.size)
    return _paired(base + d, base, clusters=np.repeat(np.arange(n), sizes))


def _clusters_that_fail(rng: Rng, n: int) -> Sample:
    """N clusters of four: +.1 in nine of ten, -.9 in the tenth, and noise."""
    effect = np.where(rng.random(n) < 0.9, 0.1, -0.9)
    d = np.repeat(effect, 4) + 0.1 * rng.normal(size=4 * n)
    base = rng.normal(size=d.size)
    return _paired(base + d, base, clusters=np.repeat(np.arange(n), 4))


NAMES = {"system_a": "new", "system_b": "old", "dataset": "simulated"}


def _f1(rng: Rng, n: int) -> Sample:
    """Equal F1 in the population, one system with more recall, the other with more precision."""
    gold = 1 + rng.poisson(2.0, n)
    rows = []
    for recall, precision in ((0.8, 0.6), (0.6, 0.8)):
        right = rng.binomial(gold, recall)
        rows.append(np.stack((right, rng.poisson(gold * recall * (1 - precision) / precision), gold - right), axis=1))
    a, b = (row.astype(float) for row in rows)
    return Sample(shape="corpus", **NAMES, metric="f1", kind="continuous", a=a, b=b, measure=CORPUS_METRICS["f1"])


def _correlation(coefficient: str, scores: str) -> Callable[[Rng, int], Sample]:
    """Two predictions that correlate .6 with gold each, and their errors .3 with each other."""

    def draw(rng: Rng, n: int) -> Sample:
        common, gold = rng.normal(size=(2, n))
        errors = math.sqrt(0.3) * common + math.sqrt(0.7) * rng.normal(size=(2, n))
        if scores == "contaminated":  # of equal variance, one with rare large errors
            wild = rng.normal(size=n) * np.where(rng.random(n) < 0.03, 5.0, 0.5)
            a, b = gold + rng.normal(size=n), gold + wild
        else:
            columns = np.vstack((0.6 * gold + 0.8 * errors, gold))
            a, b, gold = np.exp(columns) if scores == "lognormal" else columns
        scored = {"a": a, "b": b, "gold": gold, "metric": coefficient, "coefficient": coefficient}
        return Sample(shape="correlation", **NAMES, kind="continuous", **scored)

    return draw


def _runs(m_a: int, m_b: int) -> Callable[[Rng, int], Sample]:
    """Systems, runs and instances all vary; scores of one run share its deviation."""

    def draw(rng: Rng, n: int) -> Sample:
        base = rng.normal(size=n)
        a, b = (
            base
            + rng.normal(scale=0.5, size=n)
            + rng.normal(scale=0.15, size=(m, 1))
            + rng.normal(scale=0.5, size=(m, n))
            for m in (m_a, m_b)
        )
        return Sample(shape="runs", **NAMES, metric="score", kind="continuous", a=a, b=b)

    return draw


def _runs_that_collapse(rng: Rng, n: int) -> Sample:
    """Five runs each; a run of A gains .1, but one in seven loses .6."""
    base = rng.normal(size=n)
    effects = np.where(rng.random(5) < 6 / 7, 0.1, -0.6)
    a = base + effects[:, None] + rng.normal(scale=0.3, size=(5, n))
    return Sample(
        shape="runs", **NAMES, metric="score", kind="continuous", a=a, b=base + rng.normal(scale=0.3, size=(5, n))
    )


def _few_of_one(rng: Rng, n: int) -> Sample:
    """Ten instances of A with sd 1, three of B with sd 4, and so on in proportion."""
    a, b = rng.normal(size=n), rng.normal(scale=4.0, size=round(0.3 * n))
    return Sample(shape="unpaired", **NAMES, metric="score", kind="continuous", a=a, b=b)


def _run_scores(scores: str) -> Callable[[Rng, int], Sample]:
    def draw(rng: Rng, n: int) -> Sample:
        a, b = rng.normal(size=(2, n)) if scores == "normal" else rng.exponential(size=(2, n))
        return Sample(shape="run-scores", unit="run", **NAMES, metric="score", kind="continuous", a=a, b=b)

    return draw


def _folds(repetitions: int) -> Callable[[Rng, int], Sample]:
    """Ten folds, differences that correlate 1/10, as the correction assumes."""

    def draw(rng: Rng, n: int) -> Sample:
        d = math.sqrt(0.1) * rng.normal() + math.sqrt(0.9) * rng.normal(size=(repetitions, 10))
        base = rng.normal(size=(repetitions, 10))
        return Sample(shape="folds", unit="fold", **NAMES, metric="score", kind="continuous", a=base + d, b=base)

    return draw


def _unpaired(scores: str) -> Callable[[Rng, int], Sample]:
    def draw(rng: Rng, n: int) -> Sample:
        n_b = round(1.5 * n)
        if scores == "right or wrong":
            a, b = (rng.random(n) < 0.8).astype(float), (rng.random(n_b) < 0.8).astype(float)
        elif scores == "ordinal":
            a, b = rng.integers(1, 6, n).astype(float), rng.integers(1, 6, n_b).astype(float)
        elif scores == "normal":
            a, b = rng.normal(size=n), rng.normal(scale=2.0, size=n_b)
        else:
            a, b = 1 - rng.exponential(size=n), 2 * (1 - rng.exponential(size=n_b))
        kind: Kind = "binary" if scores == "right or wrong" else "ordinal" if scores == "ordinal" else "continuous"
        return Sample(shape="unpaired", **NAMES, metric="score", kind=kind, a=a, b=b)

    return draw


def _aggregates(rng: Rng, n: int) -> Sample:
    a, b = (np.repeat([1.0, 0.0], [k, n - k]) for k in rng.binomial(n, 0.8, 2))
    return Sample(shape="counts", **NAMES, metric="accuracy", kind="binary", a=a, b=b)


def cells() -> Iterator[Cell]:
    """All designs."""
    yield from _paired_cells()
    for n in SIZES:
        yield Cell(6, "corpus metric", "F1, equal with unequal precision and recall", n, _f1)
        for coefficient in ("pearson", "spearman", "kendall"):
            for scores in ("normal", "lognormal"):
                if not (coefficient == "kendall" and n > 100):
                    yield Cell(7, f"{coefficient} correlation with gold", scores, n, _correlation(coefficient, scores))
        yield Cell(7, "pearson correlation with gold", "contaminated", n, _correlation("pearson", "contaminated"))
        yield Cell(2, "5 and 5 runs", "one run of A in seven collapses", n, _runs_that_collapse)
        yield Cell(12, "unpaired", "normal, three tenths as many of the system with four times the sd", n, _few_of_one)
        for m_a, m_b in ((2, 2), (3, 3), (5, 5), (5, 1)):
            yield Cell(2, f"{m_a} and {m_b} runs", "normal", n, _runs(m_a, m_b))
        for scores in ("right or wrong", "ordinal", "normal", "skewed to the left (exponential)"):
            yield Cell(11 if scores == "right or wrong" else 12, "unpaired", scores, n, _unpaired(scores))
        yield Cell(13, "aggregates, independent samples", "right or wrong", n, _aggregates)
    for m in (3, 5, 10, 15):
        for scores in ("normal", "skewed (exponential)"):
            yield Cell(
                2, "one score per run", scores, m, _run_scores("normal" if scores == "normal" else "exponential")
            )
    for repetitions in (1, 10):
        yield Cell(15, "cross-validation", f"{repetitions} times 10 folds", 10 * repetitions, _folds(repetitions))


def _paired_cells() -> Iterator[Cell]:
    for n in (5, *SIZES):
        yield Cell(8, "paired", "partial credit", n, _partial_credit)
        for name in RARE:
            yield Cell(8, "paired", name, n, _means(name))
    for n in (5, 10, 30, 100):
        yield Cell(4, "clusters of 2 or 30", "size tells who is better", n, _informative)
        yield Cell(4, "clusters of 4", "one cluster in ten fails", n, _clusters_that_fail)
    for name in (
        "very skewed to the left (lognormal)",
        "90% N(.1, .3), 10% N(-.9, 1)",
        "skewed to the left (exponential)",
    ):
        yield Cell(8, "paired", name, 50, _means(name))
    for n in SIZES:
        for name in DIFFERENCES | FURTHER:
            yield Cell(8, "paired", name, n, _means(name))
        yield Cell(8, "paired, weighted", "symmetric (normal)", n, _weighted)
        for share in (0.05, 0.3):
            yield Cell(5, "paired", f"right or wrong, {share:.0%} discordant", n, _binary(share))
        yield Cell(9, "paired", "ordinal", n, _ordinal)
        yield Cell(10, "paired", "counts", n, _counts)
        for kind in ("continuous", "binary", "ordinal"):
            yield Cell(4, "clusters of 5", kind, n, _clustered(kind))
        yield Cell(4, "clusters of 5", "continuous, skewed to the left", n, _clustered_skewed)


def size_warnings(findings: Iterable[Finding]) -> frozenset[str]:
    """Return the codes of the warnings, and of the notes on few units, that say that the size of a test may be off."""
    return frozenset(
        finding.code
        for finding in findings
        if (finding.severity != "info" or finding.code in NOTES)
        and finding.code not in OF_POWER
        and (finding.code != "small-sample" or "skewed" in finding.message)
    )


def simulated(name: str, replicates: int) -> dict[str, object]:
    """Shares of rejections of one cell, in both directions."""
    cell = next(cell for cell in cells() if cell.name == name)
    rng = np.random.default_rng(np.random.SeedSequence([SEED, zlib.crc32(cell.name.encode())]))
    tests: Counter[str] = Counter()
    rejected, silent = Counter[str](), Counter[str]()
    for replicate in range(replicates):
        sample = cell.draw(rng, cell.n)
        item = assess(sample, ResamplingPlan(n_resamples=999, seed=replicate // SHARED_SEED))
        tests[item.test] += 1
        warned = bool(size_warnings(item.findings))
        for side, p_value in (("a", item.p_greater), ("b", item.p_less)):
            for level in LEVELS:
                rejected[column("rejected", side, level)] += p_value <= level
                silent[column("silent", side, level)] += p_value <= level and not warned
    return {
        "row": cell.row,
        "design": cell.design,
        "scores": cell.scores,
        "n": cell.n,
        "tests": " ".join(f"{name}:{count / replicates:.2g}" for name, count in sorted(tests.items())),
        "replicates": replicates,
        **{name: count / replicates for name, count in rejected.items()},
        **{name: count / replicates for name, count in silent.items()},
    }


def column(what: str, side: str, level: float) -> str:
    """Name of a column: `silent_a_05`."""
    return f"{what}_{side}_{f'{level:g}'.partition('.')[2]}"


def larger(row: Mapping[str, object], what: str, level: float) -> float:
    """Share of the direction in which there are more."""
    return max(float(str(row[column(what, side, level)])) for side in "ab")


def limit(replicates: int, level: float = ALPHA) -> float:
    """Nominal level plus four standard errors."""
    return level + 4 * math.sqrt(level * (1 - level) / replicates)


def exceeding(rows: Iterable[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Cells in which silent rejections exceed a level by more than four standard errors."""
    return [
        row
        for row in rows
        if any(larger(row, "silent", level) > limit(int(str(row["replicates"])), level) for level in LEVELS)
    ]


def main() -> None:
    """Simulate all cells, write the table, and name what lies above the limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=2000, help="half as many where n is 1,000")
    parser.add_argument("--only", default="", help="part of the name of the cells to simulate; the others are kept")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    settings = parser.parse_args()
    done = written(PARTIAL)
    chosen = [cell for cell in cells() if settings.only in cell.name and cell.name not in done]
    numbers = [settings.replicates // (2 if cell.n >= 1000 else 1) for cell in chosen]
    PARTIAL.parent.mkdir(exist_ok=True)
    with ProcessPoolExecutor(settings.processes) as pool:
        for row in pool.map(simulated, [cell.name for cell in chosen], numbers):
            _append(row)
            sign = "!!" if exceeding([row]) else "  "
            print(
                f"{sign} {larger(row, 'rejected', ALPHA):.4f} {larger(row, 'silent', ALPHA):.4f}  row {row['row']:>2} "
                f"n={row['n']:<5} {row['design']}, {row['scores']} ({row['tests']})",
                flush=True,
            )
    kept = written() | written(PARTIAL)
    missing = [cell.name for cell in cells() if cell.name not in kept]
    if missing:
        print(f"not written: {len(missing)} cells were not simulated, such as {missing[0]!r}")
        return
    rows = [kept[cell.name] for cell in cells()]
    with RESULTS.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    PARTIAL.unlink(missing_ok=True)


def _append(row: Mapping[str, object]) -> None:
    new = not PARTIAL.exists()
    with PARTIAL.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(row), lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)


def written(path: Path = RESULTS) -> dict[str, Mapping[str, str]]:
    """Rows that were simulated, by the names of their cells."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8") as file:
        return {name_of(row): row for row in csv.DictReader(file) if column("silent", "a", ALPHA) in row}


def name_of(row: Mapping[str, object]) -> str:
    """Name of the cell of a row."""
    return f"{row['row']}|{row['design']}|{row['scores']}|{row['n']}"


if __name__ == "__main__":
    main()
