"""Do the systems differ on a typical dataset? Friedman's test over datasets, and which pairs differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, fdtrc

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.language import counted, listed, short_repr
from reportkit.metrics.correlation import midranks
from reportkit.replicability.compare import claims_for, compare_systems
from reportkit.replicability.multiple_testing.correction import Correction
from reportkit.replicability.multiple_testing.partial_conjunction import holm
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.scores import Results, Scores
from reportkit.settings import Settings
from reportkit.significance.nulls import SMALLEST_P_VALUE
from reportkit.significance.outcome import rejection_level

FOLLOW_UP = "sign-flip"
"""Test of the pairs, where the analysis does not compare them over the datasets itself."""

FEW_DATASETS = 10
"""With fewer, the chi-squared and F approximations are rough."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDifference:
    """Two systems over all datasets.

    Parameters
    ----------
    system_a, system_b : str
        The one with the better average rank comes first.
    mean_difference : float
        Mean difference of the scores, positive if A is better.
    rank_difference : float
        Average rank of B minus that of A.
    p_value : float
        Two-sided.
    adjusted_p_value : float
        By Holm's procedure over all pairs, or by the maximum statistic.
    """

    system_a: str
    system_b: str
    mean_difference: float
    rank_difference: float
    p_value: float
    adjusted_p_value: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FriedmanOutcome:
    """Friedman's test with pairwise follow-ups.

    Parameters
    ----------
    systems : tuple of str
        Best average rank first.
    datasets : tuple of str
        The blocks of the test.
    average_ranks : mapping of str to float
        1 is best; ties share midranks.
    chi_squared, chi_squared_p : float
        Friedman's statistic, corrected for ties, with k - 1 degrees of freedom.
    f, f_p : float
        Statistic of Iman and Davenport, with k - 1 and (k - 1)(N - 1) degrees of freedom; infinite if all datasets
        rank the systems alike.
    pairs : tuple of PairDifference
        All pairs, smallest p-value first.
    alpha : float
        Level of the follow-ups.
    correction : {"Holm", "max-T"}
        What adjusts the p-values of the pairs.
    findings : tuple of Finding
        What limits the test.
    """

    systems: tuple[str, ...]
    datasets: tuple[str, ...]
    average_ranks: Mapping[str, float]
    chi_squared: float
    chi_squared_p: float
    f: float
    f_p: float
    pairs: tuple[PairDifference, ...]
    alpha: float
    correction: Correction
    findings: tuple[Finding, ...] = ()

    __repr__ = short_repr

    @property
    def degrees_of_freedom(self) -> tuple[int, int]:
        """Return the degrees of freedom of F, k - 1 and (k - 1)(N - 1); the first is also that of chi-squared."""
        return len(self.systems) - 1, (len(self.systems) - 1) * (len(self.datasets) - 1)

    @property
    def differing(self) -> tuple[PairDifference, ...]:
        """Return the pairs with an adjusted p-value of at most alpha."""
        return tuple(pair for pair in self.pairs if pair.adjusted_p_value <= rejection_level(self.alpha))


def friedman_of(analysis: ReplicabilityAnalysis) -> FriedmanOutcome:
    """Test whether some systems differ on a typical dataset, by their mean scores in the primary metric, and which do.

    Raises
    ------
    DesignError
        If there are fewer than three systems, fewer than two datasets on which all have a score, or ordinal scores.

    Notes
    -----
    Null hypothesis: on each dataset every ranking of the systems is equally likely. With R_j the average ranks, k
    systems and N datasets, chi^2 = 12 N / (k (k + 1)) sum (R_j - (k + 1) / 2)^2, divided by 1 - sum (t^3 - t) / (N k
    (k^2 - 1)) for ties (Friedman 1937), and F = (N - 1) chi^2 / (N (k - 1) - chi^2) (Iman and Davenport 1980), which
    is less conservative. The pairs are tested on their own scores, not by differences of average ranks, which depend on
    the other systems (Benavoli et al. 2016): by the analysis, if it compares all pairs over the datasets, else by sign
    flips of the differences over the datasets, a test of their mean.

    Examples
    --------
    >>> import pandas as pd
    >>> import reportkit
    >>> ranks = [[3.0, 2.0, 1.0]] * 5 + [[2.0, 3.0, 1.0]] * 3
    >>> rows = [(name, f"d{d}", row[j]) for d, row in enumerate(ranks) for j, name in enumerate("abc")]
    >>> frame = pd.DataFrame(rows, columns=["system", "dataset", "score"])
    >>> outcome = reportkit.compare(frame, across_datasets=True, friedman=True).friedman_outcome
    >>> outcome.average_ranks["a"], round(outcome.chi_squared, 4), round(outcome.f, 4)
    (1.375, 12.25, 22.8667)
    """
    if any(item.kind == "ordinal" for item in analysis.comparisons[0].assessments):
        raise DesignError(
            "Friedman's test over datasets compares mean scores, and the mean of ordinal scores says nothing",
            where=f"metric {analysis.metrics[0]!r}",
            remedy="declare the scores continuous if their steps are of equal size",
        )
    known, systems = analysis.system_scores, tuple(sorted({*analysis.systems_a, *analysis.systems_b}))
    together = analysis.datasets if analysis.across_datasets else ()
    named = [name for name in dict.fromkeys(name for one, name in known if one in systems) if name not in together]
    datasets = [name for name in named if all((system, name) in known for system in systems)]
    n, k = len(datasets), len(systems)
    if k < 3 or n < 2:
        raise DesignError(
            "Friedman's test is for three systems or more on two datasets or more (better ten) that all have scores on",
            where=f"{counted(k, 'system')} on {counted(n, 'dataset')}",
            remedy="compare two systems with across_datasets=True (--across-datasets), or give the results on other "
            "datasets too",
        )
    means = [[known[one, name] for name in datasets] for one in systems]
    scores = np.array([[item.mean if item.higher_is_better else -item.mean for item in row] for row in means])
    ranks = np.array([midranks(-row) for row in scores.T])
    average = dict(zip(systems, ranks.mean(axis=0).tolist(), strict=True))
    chi_squared, f = _statistics(ranks)
    freedom = (k - 1, (k - 1) * (n - 1))
    compared = analysis.across_datasets and analysis.design == "all-pairs"
    over = analysis if compared else _all_pairs(scores, systems, datasets, analysis.settings)
    ranked = tuple(sorted(systems, key=lambda name: (average[name], name)))
    return FriedmanOutcome(
        systems=ranked,
        datasets=tuple(datasets),
        average_ranks={name: average[name] for name in ranked},
        chi_squared=chi_squared,
        chi_squared_p=max(float(chdtrc(freedom[0], chi_squared)), SMALLEST_P_VALUE),
        f=f,
        f_p=SMALLEST_P_VALUE if math.isinf(f) else max(float(fdtrc(*freedom, f)), SMALLEST_P_VALUE),
        pairs=_pairs(over, ranked, average),
        alpha=analysis.alpha[0],
        correction=over.correction,
        findings=tuple(_findings([name for name in named if name not in datasets], n, k)),
    )


def _statistics(ranks: NDArray[np.float64]) -> tuple[float, float]:
    """Return chi-squared, corrected for ties, and F; 0 where all systems tie on every dataset."""
    n, k = ranks.shape
    spread = float(np.square(ranks - (k + 1) / 2).sum())  # n k (k^2 - 1) / 12 without ties
    if not spread:
        return 0.0, 0.0
    chi_squared = (k - 1) * n**2 * float(np.square(ranks.mean(axis=0) - (k + 1) / 2).sum()) / spread
    left = n * (k - 1) - chi_squared
    return chi_squared, math.inf if left <= 1e-9 * n * (k - 1) else (n - 1) * chi_squared / left


def _all_pairs(
    scores: NDArray[np.float64], systems: tuple[str, ...], datasets: Sequence[str], settings: Settings
) -> ReplicabilityAnalysis:
    """Compare all pairs over the datasets."""
    about: Any = {"dataset": "all datasets", "metric": "score", "kind": "continuous", "unit": "dataset"}
    block = Scores(systems=systems, instances=np.array(datasets, dtype=object), scores=scores, **about)
    chosen = Settings(across_datasets=True, test=FOLLOW_UP, alpha=settings.alpha, rng=settings.rng)
    return compare_systems(Results(datasets=(block,)), claims_for(systems, (), ()), chosen, into=ReplicabilityAnalysis)


def _pairs(
    over: ReplicabilityAnalysis, ranked: Sequence[str], average: Mapping[str, float]
) -> tuple[PairDifference, ...]:
    """Return the pairs of an analysis of all pairs over the datasets, two-sided."""
    frame, pairs = over.frame, list(combinations(ranked, 2))
    claims = list(zip(frame["system_a"], frame["system_b"], strict=True))
    p, adjusted, difference = (
        dict(zip(claims, frame[name], strict=True)) for name in ("p_value", "adjusted_p_value", "difference")
    )
    p_values = [min(1.0, 2 * p[a, b], 2 * p[b, a]) for a, b in pairs]
    corrected = holm(p_values) if over.correction == "Holm" else [min(adjusted[a, b], adjusted[b, a]) for a, b in pairs]
    found = [
        PairDifference(
            system_a=a,
            system_b=b,
            mean_difference=difference[a, b],
            rank_difference=average[b] - average[a],
            p_value=p_value,
            adjusted_p_value=float(own),
        )
        for (a, b), p_value, own in zip(pairs, p_values, corrected, strict=True)
    ]
    return tuple(sorted(found, key=lambda pair: (pair.p_value, pair.system_a, pair.system_b)))


def _findings(left_out: Sequence[str], n: int, k: int) -> Iterator[Finding]:
    if left_out:
        yield Finding(
            "friedman-datasets-left-out",
            "warning",
            f"Friedman's test leaves out {counted(len(left_out), 'dataset')} on which a system has no score.",
            where=listed(left_out, 5),
            remedy="complete the results, or name fewer systems",
        )
    if n < FEW_DATASETS:
        yield Finding(
            "friedman-few-datasets",
            "warning",
            f"Friedman's test over {n} datasets: with fewer than {FEW_DATASETS}, the chi-squared and F approximations "
            f"are rough, and the tests can hardly separate {k} systems.",
            remedy="add datasets, or test within each dataset",
        )
