"""Look for contradictions between an interval and its test, in at least 10,000 data sets per default design.

Run `python benchmarks/interval_agreement.py`; it goes on where it was stopped. Each data set has a number of units that
is drawn from a range and, in every second one, a difference of about two standard errors, where p-values are near the
levels that matter. The test is that of the decision table. Its one-sided p-values in both directions are compared with
(1 - level) / 2, and the ends of its interval at this level with 0: a contradiction is an interval that excludes 0 where
the p-value is above, or holds 0 where it is not. Looked at is 95%, and one of 80%, 90%, 99% and 99.9% in turn.

`results/interval_agreement.csv` holds how many contradictions there are, how often there is no interval, how often the
test has moved an end of an interval that is not its inversion (`test_based`), and how often, at the other levels, the
interval would have contradicted the test if the test had not decided (`undecided`): for an inversion, no more than the
noise of random resamples. A test reads it.
"""

from __future__ import annotations

import argparse
import csv
import math
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import size_under_null as null
from numpy.typing import NDArray

from reportkit.metrics.corpus import CORPUS_METRICS
from reportkit.scores.choices import Kind
from reportkit.scores.sample import Sample
from reportkit.settings import Profile
from reportkit.significance.assess import TEST_BASED, agreeing, interval_for
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.choose import choose
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.outcome import Interval

SEED = 20_251_122
LEVEL = 0.95
OTHER_LEVELS = (0.8, 0.9, 0.99, 0.999)
TOLERANCE = 1e-12
RESULTS = Path(__file__).with_name("results") / "interval_agreement.csv"
FIELDS = (
    *("design", "scores", "fewest", "most", "data_sets", "tests", "contradictions", "contradictions_at_other_levels"),
    *("without_interval", "test_based", "undecided"),
)

Rng = np.random.Generator
Floats = NDArray[np.float64]
Draw = Callable[[Rng, int, float], Sample]


@dataclass(frozen=True, slots=True)
class Cell:
    """One design.

    Parameters
    ----------
    design, scores : str
        What is simulated, in words.
    sizes : tuple of int
        Fewest and most units (instances, clusters, runs, folds).
    draw : callable
        (rng, n, effect) -> Sample; the effect is in standard errors, as nearly as the design allows.
    data_sets : int
        How many are drawn, unless said otherwise.
    profile : {"recommended", "dror2017"}
        Decision table.
    """

    design: str
    scores: str
    sizes: tuple[int, int]
    draw: Draw
    data_sets: int = 10_000
    profile: Profile = "recommended"

    @property
    def name(self) -> str:
        """Name of the random stream."""
        return f"{self.design}|{self.scores}|{self.sizes[0]}"


def _paired(a: Floats, b: Floats, kind: Kind = "continuous", **others: NDArray[np.int64] | Floats | None) -> Sample:
    return Sample(**null.NAMES, metric="score", a=a, b=b, kind=kind, **others)


DIFFERENCES: dict[str, Callable[[Rng, int], Floats]] = {
    **null.DIFFERENCES,
    **null.FURTHER,
    "partial credit": lambda rng, n: rng.choice([0.0, 1.0], n, p=[0.2, 0.8]) - rng.choice([0.75, 1.0], n, p=[0.8, 0.2]),
    "five levels": lambda rng, n: rng.choice([-2.0, -1.0, 0.0, 1.0, 2.0], n, p=[0.1, 0.2, 0.4, 0.2, 0.1]),
    "95% zeros": lambda rng, n: rng.choice([-1.0, 0.0, 1.0], n, p=[0.025, 0.95, 0.025]),
}


def _of(differences: Callable[[Rng, int], Floats], *, weighted: bool = False) -> Draw:
    def draw(rng: Rng, n: int, effect: float) -> Sample:
        d = differences(rng, n)
        lattice = (np.rint(4 * d) == 4 * d).all()
        shift = effect * float(d.std()) / math.sqrt(n)
        d = np.where(rng.random(n) < min(abs(shift), 1.0), np.copysign(1.0, effect), d) if lattice else d + shift
        base = np.round(rng.normal(size=n), 1)
        return _paired(base + d, base, weights=rng.exponential(size=n) + 0.1 if weighted else None)

    return draw


def _wins(rng: Rng, n: int, effect: float, share: float) -> Floats:
    """1, 0 and -1; `share` of them not 0."""
    more = min(effect / math.sqrt(max(share * n, 1.0)) / 2, 0.45)
    return np.where(rng.random(n) < share, np.where(rng.random(n) < 0.5 + more, 1.0, -1.0), 0.0)


def _binary(share: float) -> Draw:
    def draw(rng: Rng, n: int, effect: float) -> Sample:
        d, both = _wins(rng, n, effect, share), (rng.random(n) < 0.7).astype(float)
        return _paired(
            np.where(d == 0, both, d > 0).astype(float), np.where(d == 0, both, d < 0).astype(float), "binary"
        )

    return draw


def _ordinal(rng: Rng, n: int, effect: float) -> Sample:
    b = rng.integers(1, 6, n).astype(float)
    return _paired(np.clip(b + _wins(rng, n, effect, 0.6) * rng.integers(1, 3, n), 1, 5), b, "ordinal")


def _counts(rng: Rng, n: int, effect: float) -> Sample:
    more = max(0.3 + effect * math.sqrt(0.6 / n), 0.02)
    return _paired(rng.poisson(more, n).astype(float), rng.poisson(0.3, n).astype(float), "count")


def _clusters(kind: Kind, sizes: str) -> Draw:
    """N clusters, equal, unequal, or with a difference that depends on their size."""

    def draw(rng: Rng, n: int, effect: float) -> Sample:
        if sizes == "informative":
            small = rng.random(n) < 0.8
            each, means = np.where(small, 2, 30), np.where(small, 0.5, -0.133)
        else:
            each = np.full(n, 5) if sizes == "equal" else 1 + rng.geometric(0.2, n)
            means = np.zeros(n)
        clusters = np.repeat(np.arange(n), each)
        means = means + 0.45 * rng.normal(size=n) + effect * 0.6 / math.sqrt(n)
        d = means[clusters] + 0.9 * rng.normal(size=clusters.size)
        if kind == "continuous":
            return _paired(d, np.zeros(d.size), clusters=clusters)
        signs = np.where(d > 0.8, 1.0, np.where(d < -0.8, -1.0, 0.0))
        if kind == "ordinal":
            return _paired(3 + signs, np.full(d.size, 3.0), "ordinal", clusters=clusters)
        return _paired((signs > 0).astype(float), (signs < 0).astype(float), "binary", clusters=clusters)

    return draw


def _f1(rng: Rng, n: int, effect: float) -> Sample:
    gold = 1 + rng.poisson(2.0, n)
    rows = []
    for recall, precision in ((0.8, 0.6), (0.6 - 0.1 * effect / math.sqrt(n), 0.8)):
        right = rng.binomial(gold, max(recall, 0.05))
        wrong = rng.poisson(gold * recall * (1 - precision) / precision)
        rows.append(np.stack((right, wrong, gold - right), axis=1).astype(float))
    return Sample(
        shape="corpus", **null.NAMES, metric="f1", kind="continuous", a=rows[0], b=rows[1], measure=CORPUS_METRICS["f1"]
    )


def _error_rate(rng: Rng, n: int, effect: float) -> Sample:
    """Errors per word: both systems have the same words."""
    words = 5 + rng.poisson(15, n)
    rate = 0.15 * rng.gamma(2.0, 0.5, n)
    a, b = (np.minimum(rng.poisson(words * rate * more), words) for more in (1 - 0.25 * effect / math.sqrt(n), 1.0))
    rows = [np.stack((one, words), axis=1).astype(float) for one in (a, b)]
    measure = CORPUS_METRICS["wer"]
    return Sample(
        shape="corpus",
        **null.NAMES,
        metric="wer",
        kind="continuous",
        a=rows[0],
        b=rows[1],
        measure=measure,
        higher_is_better=False,
    )


def _bleu(rng: Rng, n: int, effect: float) -> Sample:
    """Matched n-grams of four orders, of sentences of 10 to 40 words."""
    length = rng.integers(10, 41, n)
    difficulty = rng.beta(6, 6, n)
    rows = []
    for more in (0.12 * effect / math.sqrt(n), 0.0):
        right, columns = np.clip(difficulty + 0.1 * rng.normal(size=n) + more, 0.05, 0.95), []
        for order in range(1, 5):
            total = length - order + 1
            columns += [rng.binomial(total, right**order), total]
        rows.append(np.stack([*columns, length, length], axis=1).astype(float))
    measure = CORPUS_METRICS["bleu"]
    return Sample(shape="corpus", **null.NAMES, metric="bleu", kind="continuous", a=rows[0], b=rows[1], measure=measure)


def _tilted(draw: Callable[[Rng, int], Sample], scale: Callable[[int], float]) -> Draw:
    """Samples under the null hypothesis whose scores of A are all raised by the effect."""

    def tilted(rng: Rng, n: int, effect: float) -> Sample:
        sample = draw(rng, n)
        return replace(sample, a=sample.a + effect * scale(n)) if effect else sample

    return tilted


def _correlation(coefficient: str) -> Draw:
    def draw(rng: Rng, n: int, effect: float) -> Sample:
        sample = null._correlation(coefficient, "normal")(rng, n)
        return replace(sample, a=sample.a + 0.4 * effect / math.sqrt(n) * sample.gold)

    return draw


def _unpaired(scores: str) -> Draw:
    def draw(rng: Rng, n: int, effect: float) -> Sample:
        n_b = round(1.5 * n)
        shift = effect * math.sqrt(1 / n + 1 / n_b)
        kind: Kind = "continuous"
        if scores == "right or wrong":
            kind = "binary"
            a, b = rng.random(n) < np.clip(0.75 + 0.43 * shift, 0.02, 0.98), rng.random(n_b) < 0.75
        elif scores == "ordinal":
            kind = "ordinal"
            a, b = (np.clip(np.rint(3 + rng.normal(more, 1.0, m)), 1, 5) for more, m in ((shift, n), (0.0, n_b)))
        elif scores == "normal":
            a, b = rng.normal(shift, 1.0, n), rng.normal(size=n_b)
        elif scores == "few and many":
            a, b = rng.normal(2 * shift, 1.0, 2 * n), rng.normal(scale=3.0, size=max(n // 2, 2))
        else:
            a, b = 1 - rng.exponential(size=n) + shift, rng.normal(scale=0.3, size=n_b)
        return Sample(shape="unpaired", **null.NAMES, metric="score", kind=kind, a=a.astype(float), b=b.astype(float))

    return draw


def _aggregates(rng: Rng, n: int, effect: float) -> Sample:
    p = rng.choice([0.5, 0.8, 0.95])
    n_b = n if rng.random() < 0.7 else max(n // 3, 3)
    better = min(max(p + effect * math.sqrt(p * (1 - p) * (1 / n + 1 / n_b)), 0.01), 0.99)
    k, k_b = int(rng.binomial(n, better)), int(rng.binomial(n_b, p))
    a, b = np.repeat([1.0, 0.0], [k, n - k]), np.repeat([1.0, 0.0], [k_b, n_b - k_b])
    return Sample(shape="counts", **null.NAMES, metric="accuracy", kind="binary", a=a, b=b)


def cells() -> Iterator[Cell]:
    """All designs."""
    for name, differences in DIFFERENCES.items():
        yield Cell("paired means", name, (5, 16), _of(differences), 1500)
        yield Cell("paired means", name, (17, 100), _of(differences), 500)
    yield Cell("paired means, weighted", "normal", (5, 60), _of(DIFFERENCES["symmetric (normal)"], weighted=True), 5000)
    yield Cell("paired means, weighted", "five levels", (5, 60), _of(DIFFERENCES["five levels"], weighted=True), 5000)
    for share in (0.05, 0.2, 0.6):
        yield Cell("paired", f"right or wrong, {share:.0%} differ", (5, 500), _binary(share), 4000)
    yield Cell("paired", "right or wrong, many", (500, 3000), _binary(0.1))
    yield Cell("paired", "ordinal", (5, 300), _ordinal)
    yield Cell("paired", "counts", (5, 80), _counts)
    for kind in ("continuous", "binary", "ordinal"):
        for sizes in ("equal", "unequal", "informative"):
            for fewest, most in ((4, 12), (13, 50)):
                if kind == "continuous" or (sizes == "unequal" and fewest == 13):
                    yield Cell(
                        "clusters",
                        f"{kind}, {sizes}",
                        (fewest, most),
                        _clusters(kind, sizes),
                        3000 if fewest == 4 else 1000,
                    )
    yield Cell("corpus metric", "F1", (8, 80), _f1)
    yield Cell("corpus metric", "word error rate", (8, 60), _error_rate, 2000)
    yield Cell("corpus metric", "BLEU", (8, 60), _bleu)
    for coefficient in ("pearson", "spearman", "kendall"):
        yield Cell("correlation with gold", coefficient, (10, 60), _correlation(coefficient), 4000)
    for m_a, m_b in ((2, 2), (5, 5), (5, 1)):
        yield Cell("runs", f"{m_a} and {m_b} runs", (5, 60), _tilted(null._runs(m_a, m_b), lambda n: 0.2), 4000)
    yield Cell("one score per run", "normal", (3, 10), _tilted(null._run_scores("normal"), lambda n: (2 / n) ** 0.5))
    for scores in ("right or wrong", "ordinal", "normal", "few and many", "skewed against normal"):
        yield Cell(
            "unpaired", scores, (4, 40), _unpaired(scores), 3000 if scores in ("right or wrong", "ordinal") else 1500
        )
    yield Cell("k of n", "right or wrong", (5, 300), _aggregates)
    yield Cell("folds", "one to five times ten", (1, 5), _folds)
    dror = "as in Dror et al. (2017): "
    yield Cell(f"{dror}paired", "right or wrong, 20% differ", (5, 500), _binary(0.2), 2000, "dror2017")
    yield Cell(f"{dror}paired", "counts", (5, 100), _counts, 1000, "dror2017")
    yield Cell(f"{dror}correlation with gold", "pearson", (10, 60), _correlation("pearson"), 2000, "dror2017")
    yield Cell(f"{dror}unpaired", "right or wrong", (4, 60), _unpaired("right or wrong"), 2000, "dror2017")


def _folds(rng: Rng, n: int, effect: float) -> Sample:
    sample = null._folds(n)(rng, 10 * n)
    return replace(sample, a=sample.a + 0.5 * effect)


def contradicts(interval: Interval, p_greater: float, p_less: float) -> bool:
    """Whether an interval excludes 0 on a side on which the test does not reject, or the other way round."""
    tail = (1 - interval.level) / 2 + TOLERANCE
    return (interval.low > 0) != (p_greater <= tail) or (interval.high < 0) != (p_less <= tail)


def simulated(cell: Cell, data_sets: int) -> dict[str, object]:
    """Count the contradictions of one cell."""
    rng = np.random.default_rng(np.random.SeedSequence([SEED, zlib.crc32(cell.name.encode())]))
    tests: Counter[str] = Counter()
    found = Counter[str]()
    for number in range(data_sets):
        n = int(rng.integers(cell.sizes[0], cell.sizes[1] + 1))
        effect = (0.0, rng.normal(2.0, 0.7) * rng.choice([-1.0, 1.0]))[number % 2]
        sample = cell.draw(rng, n, effect)
        plan = ResamplingPlan(n_resamples=999, max_resamples=999, seed=number)
        name = choose(sample, cell.profile).test
        outcome = run_test(name, sample, plan)
        tests[name] += 1
        test, p_values = SIGNIFICANCE_TESTS[name], (outcome.p_greater, outcome.p_less)
        interval = interval_for(test, sample, outcome, LEVEL, plan.seed)
        found["without_interval"] += interval is None
        if interval is not None:
            found["contradictions"] += contradicts(interval, *p_values)
            found["test_based"] += interval.title.endswith(TEST_BASED)
        other = OTHER_LEVELS[number // 2 % len(OTHER_LEVELS)]
        undecided = test.interval.interval(sample, other, plan.seed, p_values)
        if undecided is not None:
            found["undecided"] += contradicts(undecided, *p_values)
            decided = agreeing(undecided, outcome.estimate, *p_values, matched=test.interval.matched)
            found["contradictions_at_other_levels"] += contradicts(decided, *p_values)
    return {
        "design": cell.design,
        "scores": cell.scores,
        "fewest": cell.sizes[0],
        "most": cell.sizes[1],
        "data_sets": data_sets,
        "tests": " ".join(f"{name}:{count / data_sets:.2g}" for name, count in sorted(tests.items())),
        **{key: found[key] for key in FIELDS[6:]},
    }


def written() -> dict[str, dict[str, str]]:
    """Return the rows that were simulated, by cell."""
    if not RESULTS.exists():
        return {}
    with RESULTS.open(encoding="utf-8", newline="") as file:
        return {f"{row['design']}|{row['scores']}|{row['fewest']}": row for row in csv.DictReader(file)}


def main() -> None:
    """Simulate the cells that are missing, one after the other, and write each as soon as it is done."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-sets", type=int, default=None, help="of each cell; as many as it says by default")
    parser.add_argument("--only", default="", help="part of the name of the cells to simulate anew")
    settings = parser.parse_args()
    kept: dict[str, dict[str, object]] = {name: dict(row) for name, row in written().items()}
    for cell in cells():
        again = bool(settings.only) and settings.only in cell.name
        if (cell.name in kept and not again) or (settings.only and not again):
            continue
        kept[cell.name] = simulated(cell, settings.data_sets or cell.data_sets)
        row = kept[cell.name]
        print(
            f"{row['contradictions']} {row['contradictions_at_other_levels']} none {row['without_interval']} "
            f"moved {row['test_based']} undecided {row['undecided']}  {cell.name} ({row['tests']})",
            flush=True,
        )
        RESULTS.parent.mkdir(exist_ok=True)
        with RESULTS.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(kept[cell.name] for cell in cells() if cell.name in kept)


if __name__ == "__main__":
    main()
