"""What users pick otherwise, on the same samples: two one-sided p-values of each, and an interval where there is one.

Tests that only give a two-sided p-value are read in the direction of the difference, at half of it. sacreBLEU's
bootstrap is the exception: it counts one tail, and is read as it is printed. Resamples are shared by all samples of a
block that are equally large, as sacreBLEU shares them, which seeds every comparison alike.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import ndtr, ndtri

from reportkit.scores.sample import Sample, Shape

N_BOOTSTRAP = 1_000
"""Resamples of sacreBLEU and of compare-mt, by default."""

N_SHUFFLED = 10_000
"""Trials of sacreBLEU's approximate randomization, by default."""

MOST_SHUFFLED = 500
"""Instances up to which approximate randomization is run; 100 for metrics of sums."""

FEW = 13
"""Differences up to which SciPy enumerates Wilcoxon's test if there are ties: 0.14 s each, which is left out."""

LEVEL = 0.95
EPSILON = 0.2
"""deep-significance calls A better where its bound on the violation of stochastic order is below this."""

ASO_STEP = 0.005
"""Of its integrals over quantiles."""

Floats = NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Answers:
    """Of one method, for several samples: p-values for A and for B better, and the ends of intervals, if any."""

    greater: Floats
    less: Floats
    low: Floats | None = None
    high: Floats | None = None

    def joined(self, other: Answers) -> Answers:
        """Put the answers for further samples behind these."""
        ends = None if self.low is None or other.low is None else np.append(self.low, other.low)
        tops = None if self.high is None or other.high is None else np.append(self.high, other.high)
        return Answers(np.append(self.greater, other.greater), np.append(self.less, other.less), ends, tops)


def alternatives(samples: Sequence[Sample], rng: Rng) -> dict[str, Answers]:
    """Ask every method that fits the samples; all are of one shape."""
    found: dict[str, Answers] = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # SciPy's, about ties and constant scores
        for method, answers in METHODS[samples[0].shape](samples, rng):
            found[method] = found[method].joined(answers) if method in found else answers
    return found


def two_sided(p: Floats, difference: Floats) -> Answers:
    """Read a two-sided p-value in the direction of the difference."""
    half = p / 2
    return Answers(np.where(difference > 0, half, 1 - half), np.where(difference < 0, half, 1 - half))


def from_scipy(test: Callable[..., object], *columns: Floats, interval: bool = False, **options: object) -> Answers:
    """Ask SciPy for both alternatives; what it leaves undefined is no rejection."""
    sides = [np.asarray(test(*columns, alternative=side, axis=0, **options).pvalue) for side in ("greater", "less")]
    greater, less = (np.where(np.isnan(p), 1.0, p) for p in sides)
    if not interval:
        return Answers(greater, less)
    ends = test(*columns, axis=0, **options).confidence_interval(LEVEL)
    return Answers(greater, less, np.asarray(ends.low), np.asarray(ends.high))


def draws(n: int, size: int, rng: Rng) -> Floats:
    """How often each of n instances is in each of the resamples, of so many instances."""
    drawn = rng.integers(0, n, size=(N_BOOTSTRAP, size)) + n * np.arange(N_BOOTSTRAP)[:, None]
    return np.bincount(drawn.ravel(), minlength=N_BOOTSTRAP * n).reshape(N_BOOTSTRAP, n).astype(np.float64)


def _untied(d: Floats) -> bool:
    ordered = np.sort(np.abs(d), axis=0)
    return bool((ordered[0] > 0).all() and (np.diff(ordered, axis=0) > 0).all())


def by_wins(differences: Floats) -> Answers:
    """Share of resamples, of shape (resamples, samples), in which a system does not win; and their middle 95%."""
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(differences, (tail, 1 - tail), axis=0)
    return Answers((differences <= 0).mean(axis=0), (differences >= 0).mean(axis=0), low, high)


def by_shift(differences: Floats, observed: Floats) -> Answers:
    """Count as sacreBLEU's bootstrap: absolute differences of resamples minus their mean, against the observed one."""
    absolute = np.abs(differences)
    p = ((absolute - absolute.mean(axis=0) > np.abs(observed)).sum(axis=0) + 1) / (N_BOOTSTRAP + 1)
    return Answers(np.where(observed > 0, p, 1.0), np.where(observed < 0, p, 1.0))


def by_shuffling(differences: Floats, observed: Floats) -> Answers:
    """Count as sacreBLEU's shuffling does: absolute differences of shuffled systems, against the observed one."""
    exceeding = np.abs(differences) > np.abs(observed) * (1 + 1e-12)
    return two_sided((exceeding.sum(axis=0) + 1) / (N_SHUFFLED + 1), observed)


def of_means(d: Floats, rng: Rng) -> Iterator[tuple[str, Answers]]:
    """Tests of differences, of shape (instances, samples)."""
    n = d.shape[0]
    yield "t-test (SciPy)", from_scipy(stats.ttest_1samp, d, popmean=0.0, interval=True)
    if n > FEW or _untied(d):
        yield "Wilcoxon (SciPy)", from_scipy(stats.wilcoxon, d)
    means = draws(n, n, rng) @ d / n
    yield "bootstrap of wins (Koehn)", by_wins(means)
    yield "paired bootstrap (sacreBLEU)", by_shift(means, d.mean(axis=0))
    if half := n // 2:
        wins = by_wins(draws(n, half, rng) @ d / half)
        yield "bootstrap of wins (compare-mt)", Answers(wins.greater, wins.less)
    if n <= MOST_SHUFFLED:
        signs = 2.0 * rng.integers(0, 2, size=(N_SHUFFLED, n), dtype=np.int8) - 1
        yield "approximate randomization (sacreBLEU)", by_shuffling(signs @ d / n, d.mean(axis=0))


def _paired(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    pairs = [sample for sample in samples if sample.shape == "paired"]
    for _, alike in itertools.groupby(pairs, key=lambda pair: pair.a.size):
        group = list(alike)
        yield from of_means(np.stack([pair.a - pair.b for pair in group], axis=1), rng)
        if group[0].kind == "binary":
            wins = np.array([[np.sum(pair.a > pair.b), np.sum(pair.a < pair.b)] for pair in group], dtype=float).T
            z = (wins[0] - wins[1]) / np.sqrt(np.maximum(wins.sum(axis=0), 1))
            yield "McNemar's chi-squared (no correction)", Answers(ndtr(-z), ndtr(z))


def _folds(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    d = np.stack([sample.differences.ravel() for sample in samples if sample.shape == "folds"], axis=1)
    yield "t-test (SciPy)", from_scipy(stats.ttest_1samp, d, popmean=0.0, interval=True)
    yield "Wilcoxon (SciPy)", from_scipy(stats.wilcoxon, d)


def of_two_samples(a: Floats, b: Floats) -> Iterator[tuple[str, Answers]]:
    """Tests of two independent samples, each of shape (units, samples)."""
    yield "t-test (SciPy)", from_scipy(stats.ttest_ind, a, b, interval=True)
    yield "Welch's t-test (SciPy)", from_scipy(stats.ttest_ind, a, b, interval=True, equal_var=False)
    yield "Mann-Whitney (SciPy)", from_scipy(stats.mannwhitneyu, a, b)


def _unpaired(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    two = [sample for sample in samples if sample.shape in ("unpaired", "run-scores")]
    a, b = (np.stack([getattr(sample, side) for sample in two], axis=1) for side in "ab")
    yield from of_two_samples(a, b)
    if two[0].shape == "run-scores":
        both = [
            [by_stochastic_order(x, y, rng) for x, y in zip(one.T, other.T, strict=True)]
            for one, other in ((a, b), (b, a))
        ]
        better = [np.where(np.array(bounds) < EPSILON, 1 - LEVEL, 1.0) for bounds in both]
        yield "ASO (deep-significance)", Answers(*better)


def by_stochastic_order(a: Floats, b: Floats, rng: Rng) -> float:
    """Upper bound on the violation of almost stochastic order of A over B, as deep-significance bootstraps it."""
    observed = violation(a[None], b[None])[0]
    again = violation(rng.choice(a, (N_BOOTSTRAP, a.size)), rng.choice(b, (N_BOOTSTRAP, b.size)))
    spread = np.sqrt(a.size * b.size / (a.size + b.size))
    bound = observed - np.std(spread * (again - observed)) / spread * ndtri(1 - LEVEL)
    return float(np.clip(bound, 0, 1))


def violation(a: Floats, b: Floats) -> Floats:
    """Share of the squared Wasserstein distance where B is above A, of each row; one half where there is none."""
    t = np.arange(ASO_STEP, 1, ASO_STEP)
    f, g = (np.sort(x, axis=1)[:, np.clip(np.ceil(x.shape[1] * t).astype(int) - 1, 0, None)] for x in (a, b))
    whole = np.square(g - f).sum(axis=1)
    part = np.square(np.where(f >= g, 0.0, g - f)[:, 1:]).sum(axis=1)
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), 0.5)


def _runs(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    """Instances alone, as if the runs were all there are; and runs alone, where both systems have several."""
    runs = [sample for sample in samples if sample.shape == "runs"]
    d = np.stack([sample.a.mean(axis=0) - sample.b.mean(axis=0) for sample in runs], axis=1)
    yield from of_means(d, rng)
    if min(len(runs[0].a), len(runs[0].b)) > 1:
        a, b = (np.stack([getattr(sample, side).mean(axis=1) for sample in runs], axis=1) for side in "ab")
        welch = from_scipy(stats.ttest_ind, a, b, interval=True, equal_var=False)
        yield "Welch's t-test over run means (SciPy)", welch


def _proportions(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    rights = [sample.right for sample in samples if sample.shape == "counts"]
    a, n_a, b, n_b = np.array(rights, dtype=float).T
    pooled, gap = (a + b) / (n_a + n_b), a / n_a - b / n_b
    spread = np.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
    z = np.where(spread > 0, gap / np.where(spread > 0, spread, 1), 0.0)
    wald = stats.norm.ppf((1 + LEVEL) / 2) * np.sqrt(a / n_a * (1 - a / n_a) / n_a + b / n_b * (1 - b / n_b) / n_b)
    yield "z-test of two proportions", Answers(ndtr(-z), ndtr(z), gap - wald, gap + wald)


def _statistics(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    """A metric of sums of counts: the differences of resampled and shuffled test sets."""
    pairs = [sample for sample in samples if sample.shape == "corpus"]
    n, measure = pairs[0].n, pairs[0].measure
    observed = np.array([pair.value_difference for pair in pairs])
    counts = draws(n, n, rng)
    resampled = np.stack([measure(counts @ pair.a) - measure(counts @ pair.b) for pair in pairs], axis=1)
    yield "bootstrap of wins (Koehn)", by_wins(resampled)
    yield "paired bootstrap (sacreBLEU)", by_shift(resampled, observed)
    if half := n // 2:
        counts = draws(n, half, rng)
        wins = by_wins(np.stack([measure(counts @ pair.a) - measure(counts @ pair.b) for pair in pairs], axis=1))
        yield "bootstrap of wins (compare-mt)", Answers(wins.greater, wins.less)
    if n <= MOST_SHUFFLED // 5:
        kept = rng.integers(0, 2, size=(N_SHUFFLED, n), dtype=np.int8).astype(np.float64)
        shuffled = np.stack(
            [
                measure(kept @ pair.a + (1 - kept) @ pair.b) - measure(kept @ pair.b + (1 - kept) @ pair.a)
                for pair in pairs
            ],
            axis=1,
        )
        yield "approximate randomization (sacreBLEU)", by_shuffling(shuffled, observed)


def _correlation(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    """Fisher's z of two correlations as if they were of independent samples, and the bootstrap of Pearson's."""
    pairs = [sample for sample in samples if sample.shape == "correlation"]
    if pairs[0].coefficient != "pearson":
        return
    n = pairs[0].n
    r = np.array([[np.corrcoef(scores, pair.gold)[0, 1] for scores in (pair.a, pair.b)] for pair in pairs]).T
    z = (np.arctanh(r[0]) - np.arctanh(r[1])) / np.sqrt(2 / (n - 3))
    yield "Fisher's z, as if unpaired", Answers(ndtr(-z), ndtr(z))
    counts = draws(n, n, rng)
    wins = np.stack([_pearson(counts, pair.a, pair.gold) - _pearson(counts, pair.b, pair.gold) for pair in pairs], 1)
    yield "bootstrap of wins (Koehn)", by_wins(np.nan_to_num(wins))


def _pearson(counts: Floats, x: Floats, y: Floats) -> Floats:
    n = x.size
    x, y = x - x.mean(), y - y.mean()
    sums = counts @ np.stack((x, y, x * x, y * y, x * y), axis=1) / n
    return (sums[:, 4] - sums[:, 0] * sums[:, 1]) / np.sqrt(
        (sums[:, 2] - sums[:, 0] ** 2) * (sums[:, 3] - sums[:, 1] ** 2)
    )


METHODS: Mapping[Shape, Callable[[Sequence[Sample], Rng], Iterator[tuple[str, Answers]]]] = {
    "paired": _paired,
    "folds": _folds,
    "unpaired": _unpaired,
    "run-scores": _unpaired,
    "runs": _runs,
    "counts": _proportions,
    "corpus": _statistics,
    "correlation": _correlation,
}
"""By the design of the scores."""
