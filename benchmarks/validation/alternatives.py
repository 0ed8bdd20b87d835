"""What users pick otherwise, on the same samples: two one-sided p-values of each.

A test that only gives a two-sided p-value would be read in the direction of the difference, at half of it. sacreBLEU's
bootstrap counts one tail, and is read as it is printed. Resamples are shared by all samples that are equally large, as
sacreBLEU shares them, which seeds every comparison alike.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from reportkit.scores.sample import Sample, Shape

N_BOOTSTRAP = 1_000
"""Resamples of sacreBLEU and of compare-mt, by default."""

FEW = 13
"""Differences up to which SciPy enumerates Wilcoxon's test if there are ties: 0.14 s each, which is left out."""

Floats = NDArray[np.float64]
Rng = np.random.Generator


@dataclass(frozen=True, slots=True)
class Answers:
    """Of one method, for several samples: p-values for A and for B better."""

    greater: Floats
    less: Floats

    def joined(self, other: Answers) -> Answers:
        """Put the answers for further samples behind these."""
        return Answers(np.append(self.greater, other.greater), np.append(self.less, other.less))


def alternatives(samples: Sequence[Sample], rng: Rng) -> dict[str, Answers]:
    """Ask every method that fits the samples; all are of one shape."""
    found: dict[str, Answers] = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # SciPy's, about ties and constant scores
        for method, answers in METHODS.get(samples[0].shape, _none)(samples, rng):
            found[method] = found[method].joined(answers) if method in found else answers
    return found


def from_scipy(test: Callable[..., object], *columns: Floats) -> Answers:
    """Ask SciPy for both alternatives; what it leaves undefined is no rejection."""
    sides = [np.asarray(test(*columns, alternative=side, axis=0).pvalue) for side in ("greater", "less")]
    return Answers(*(np.where(np.isnan(p), 1.0, p) for p in sides))


def draws(n: int, size: int, rng: Rng) -> Floats:
    """How often each of n instances is in each of the resamples, of so many instances."""
    drawn = rng.integers(0, n, size=(N_BOOTSTRAP, size)) + n * np.arange(N_BOOTSTRAP)[:, None]
    return np.bincount(drawn.ravel(), minlength=N_BOOTSTRAP * n).reshape(N_BOOTSTRAP, n).astype(np.float64)


def by_wins(differences: Floats) -> Answers:
    """Share of resamples, of shape (resamples, samples), in which a system does not win."""
    return Answers((differences <= 0).mean(axis=0), (differences >= 0).mean(axis=0))


def by_shift(differences: Floats, observed: Floats) -> Answers:
    """Count as sacreBLEU's bootstrap: absolute differences of resamples minus their mean, against the observed one."""
    absolute = np.abs(differences)
    p = ((absolute - absolute.mean(axis=0) > np.abs(observed)).sum(axis=0) + 1) / (N_BOOTSTRAP + 1)
    return Answers(np.where(observed > 0, p, 1.0), np.where(observed < 0, p, 1.0))


def _untied(d: Floats) -> bool:
    ordered = np.sort(np.abs(d), axis=0)
    return bool((ordered[0] > 0).all() and (np.diff(ordered, axis=0) > 0).all())


def of_means(d: Floats, rng: Rng) -> Iterator[tuple[str, Answers]]:
    """Tests of differences, of shape (instances, samples)."""
    n = d.shape[0]
    yield "t-test", from_scipy(stats.ttest_1samp, d, np.zeros(1))
    if n > FEW or _untied(d):
        yield "Wilcoxon", from_scipy(stats.wilcoxon, d)
    yield "sacreBLEU bootstrap", by_shift(draws(n, n, rng) @ d / n, d.mean(axis=0))
    yield "compare-mt", by_wins(draws(n, n // 2, rng) @ d / (n // 2))


def _paired(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    for _, alike in itertools.groupby(samples, key=lambda pair: pair.a.size):
        yield from of_means(np.stack([pair.a - pair.b for pair in alike], axis=1), rng)


def _folds(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    d = np.stack([sample.differences.ravel() for sample in samples], axis=1)
    yield "t-test", from_scipy(stats.ttest_1samp, d, np.zeros(1))
    yield "Wilcoxon", from_scipy(stats.wilcoxon, d)


def _unpaired(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    a, b = (np.stack([getattr(sample, side) for sample in samples], axis=1) for side in "ab")
    yield "t-test", from_scipy(stats.ttest_ind, a, b)


def _runs(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    """Instances alone, as if the runs were all there are."""
    yield from of_means(np.stack([runs.a.mean(axis=0) - runs.b.mean(axis=0) for runs in samples], axis=1), rng)


def _corpus(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    """A metric of sums of counts: the differences of resampled test sets."""
    measure, counts = samples[0].measure, draws(samples[0].n, samples[0].n, rng)
    resampled = np.stack([measure(counts @ pair.a) - measure(counts @ pair.b) for pair in samples], axis=1)
    yield "sacreBLEU bootstrap", by_shift(resampled, np.array([pair.value_difference for pair in samples]))


def _none(samples: Sequence[Sample], rng: Rng) -> Iterator[tuple[str, Answers]]:
    """No tool has a usual test."""
    yield from ()


METHODS: Mapping[Shape, Callable[[Sequence[Sample], Rng], Iterator[tuple[str, Answers]]]] = {
    "paired": _paired,
    "folds": _folds,
    "unpaired": _unpaired,
    "run-scores": _unpaired,
    "runs": _runs,
    "corpus": _corpus,
}
"""By the design of the scores."""
