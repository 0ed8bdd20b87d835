"""Do the systems differ on a typical dataset? Friedman's test over datasets, and which pairs differ."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, fdtrc

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.language import counted, listed, short_repr
from reportkit.metrics.correlation import midranks
from reportkit.replicability.multiple_testing.combination import rejection_level
from reportkit.replicability.multiple_testing.partial_conjunction import holm
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.scores.sample import Sample
from reportkit.significance.catalogue import run_test
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.nulls import SMALLEST_P_VALUE

FOLLOW_UP = "sign-flip"
"""Test of the pairs."""

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
        By Holm's procedure over all pairs.
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


def friedman(
    scores: NDArray[np.float64],
    systems: Sequence[str],
    datasets: Sequence[str],
    *,
    higher_is_better: bool = True,
    alpha: float = 0.05,
    seed: int = 0,
) -> FriedmanOutcome:
    """Test whether some systems differ on a typical dataset, and which pairs do.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, n_systems)
        One score per dataset and system, finite.
    systems, datasets : sequence of str
        Names of the columns and of the rows.
    higher_is_better : bool
        Direction of the scores.
    alpha : float
        Level of the tests of the pairs.
    seed : int
        Seed of the sign flips, where there are too many for an exact computation.

    Returns
    -------
    FriedmanOutcome

    Raises
    ------
    DesignError
        If there are fewer than three systems or fewer than two datasets, or if scores are missing.

    Notes
    -----
    Null hypothesis: on each dataset every ranking of the systems is equally likely. With R_j the average ranks, k
    systems and N datasets, chi^2 = 12 N / (k (k + 1)) sum (R_j - (k + 1) / 2)^2, divided by 1 - sum (t^3 - t) / (N k
    (k^2 - 1)) for ties (Friedman 1937), and F = (N - 1) chi^2 / (N (k - 1) - chi^2) (Iman and Davenport 1980), which
    is less conservative. The pairs are tested on their own scores, not by differences of average ranks, which depend on
    the other systems (Benavoli et al. 2016): sign flips of the differences over the datasets, a test of their mean.

    Examples
    --------
    >>> ranks = np.array([[3.0, 2.0, 1.0]] * 5 + [[2.0, 3.0, 1.0]] * 3)
    >>> outcome = friedman(ranks, ["a", "b", "c"], [f"d{i}" for i in range(8)])
    >>> outcome.average_ranks["a"], round(outcome.chi_squared, 4), round(outcome.f, 4)
    (1.375, 12.25, 22.8667)
    """
    values = np.asarray(scores, dtype=np.float64)
    _check(values, systems, datasets)
    oriented = values if higher_is_better else -values
    order = sorted(range(len(systems)), key=lambda j: systems[j])  # so that no order of columns changes a digit
    ranks = np.array([midranks(-row) for row in oriented[:, order]])
    average = {systems[j]: float(mean) for j, mean in zip(order, ranks.mean(axis=0), strict=True)}
    chi_squared, f = _statistics(ranks)
    n, k = values.shape
    freedom = (k - 1, (k - 1) * (n - 1))
    ranked = tuple(sorted(systems, key=lambda name: (average[name], name)))
    columns = {name: oriented[:, j] for j, name in enumerate(systems)}
    return FriedmanOutcome(
        systems=ranked,
        datasets=tuple(datasets),
        average_ranks={name: average[name] for name in ranked},
        chi_squared=chi_squared,
        chi_squared_p=max(float(chdtrc(freedom[0], chi_squared)), SMALLEST_P_VALUE),
        f=f,
        f_p=SMALLEST_P_VALUE if math.isinf(f) else max(float(fdtrc(*freedom, f)), SMALLEST_P_VALUE),
        pairs=_pairs(columns, ranked, average, seed),
        alpha=alpha,
        findings=() if n >= FEW_DATASETS else (_few_datasets(n, k),),
    )


def _check(values: NDArray[np.float64], systems: Sequence[str], datasets: Sequence[str]) -> None:
    if len(systems) < 3 or len(datasets) < 2:
        raise DesignError(
            "Friedman's test is for three systems or more on two datasets or more (better ten)",
            where=f"{counted(len(systems), 'system')} on {counted(len(datasets), 'dataset')}",
            remedy="compare two systems with across_datasets=True (--across-datasets), or give the results on other "
            "datasets too",
        )
    missing = np.argwhere(~np.isfinite(values))
    if missing.size:
        row, column = missing[0]
        raise DesignError(
            f"Friedman's test needs the scores of all systems on all datasets; {len(missing):,} are missing",
            where=f"such as {systems[column]!r} on {datasets[row]!r}",
            remedy="complete the results, or leave out the system or the dataset",
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


def _pairs(
    columns: Mapping[str, NDArray[np.float64]], ranked: Sequence[str], average: Mapping[str, float], seed: int
) -> tuple[PairDifference, ...]:
    about = {"dataset": "all datasets", "metric": "score", "kind": "continuous", "unit": "dataset"}
    samples = [
        Sample(system_a=a, system_b=b, a=columns[a], b=columns[b], **about)  # type: ignore[arg-type] # names of choices
        for a, b in combinations(ranked, 2)
    ]
    plan = ResamplingPlan(seed=seed, thresholds=(0.025 / len(samples),))
    tests = ["identical" if sample.identical else FOLLOW_UP for sample in samples]
    p_values = [run_test(test, one, plan, "two-sided").p_value for test, one in zip(tests, samples, strict=True)]
    found = [
        PairDifference(
            system_a=sample.system_a,
            system_b=sample.system_b,
            mean_difference=math.fsum(sample.differences) / sample.n,
            rank_difference=average[sample.system_b] - average[sample.system_a],
            p_value=float(p),
            adjusted_p_value=float(adjusted),
        )
        for sample, p, adjusted in zip(samples, p_values, holm(p_values), strict=True)
    ]
    return tuple(sorted(found, key=lambda pair: (pair.p_value, pair.system_a, pair.system_b)))


def friedman_of(analysis: ReplicabilityAnalysis) -> FriedmanOutcome:
    """Run Friedman's test on the mean scores of the systems of an analysis, one per dataset, by the primary metric.

    Raises
    ------
    DesignError
        If there are fewer than three systems or two datasets, if a system lacks a dataset and `missing` is "error", or
        if scores are ordinal.
    """
    first = analysis.comparisons[0].assessments
    if any(item.kind == "ordinal" for item in first):
        raise DesignError(
            "Friedman's test over datasets compares mean scores, and the mean of ordinal scores says nothing",
            where=f"metric {first[0].metric!r}",
            remedy="declare the scores continuous if their steps are of equal size",
        )
    known, settings = analysis.system_scores, analysis.settings
    systems = tuple(dict.fromkeys(name for item in analysis.comparisons for name in (item.system_a, item.system_b)))
    together = {item.dataset for item in first if item.unit == "dataset"}
    datasets = [name for name in dict.fromkeys(name for one, name in known if one in systems) if name not in together]
    complete = [name for name in datasets if all((system, name) in known for system in systems)]
    findings: list[Finding] = []
    if settings.missing != "error" and complete and len(complete) < len(datasets):
        left_out = [name for name in datasets if name not in complete]
        datasets = complete
        findings.append(
            Finding(
                "friedman-datasets-left-out",
                "warning",
                f"Friedman's test leaves out {counted(len(left_out), 'dataset')} on which a system has no score.",
                where=listed(left_out, 5),
                remedy="complete the results, or name fewer systems",
            )
        )
    higher = {item.dataset: item.higher_is_better for item in first}  # each dataset may have a metric of its own
    signs = np.array([[1.0 if higher.get(name, first[0].higher_is_better) else -1.0] for name in datasets])
    means = [[known[one, name].mean if (one, name) in known else np.nan for one in systems] for name in datasets]
    scores = np.array(means).reshape(len(datasets), len(systems)) * signs.reshape(-1, 1)
    outcome = friedman(scores, systems, datasets, alpha=analysis.alpha[0], seed=settings.rng)
    return dataclasses.replace(outcome, findings=(*findings, *outcome.findings))


def _few_datasets(n: int, k: int) -> Finding:
    return Finding(
        "friedman-few-datasets",
        "warning",
        f"Friedman's test over {n} datasets: with fewer than {FEW_DATASETS}, the chi-squared and F approximations "
        f"are rough, and the tests can hardly separate {k} systems.",
        remedy="add datasets, or test within each dataset",
    )
