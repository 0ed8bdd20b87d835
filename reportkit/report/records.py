"""The records of a report: one of each metric, score, claim, outcome and test, with plain, unrounded values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reportkit.language import fixed, short_repr


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Factor and decimals with which scores are printed.

    Parameters
    ----------
    factor : float
        100 for proportions, which are printed in percent; else 1.
    decimals : int
        Decimals of scores and differences.
    noun : str
        Noun of a difference that is not in percent; empty for correlations.
    """

    factor: float = 1.0
    decimals: int = 2
    noun: str = "points"

    def score(self, value: float) -> str:
        """Write a score."""
        return fixed(value * self.factor, self.decimals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric.

    Parameters
    ----------
    name, title, short : str
        Name in the data, in a sentence, and above a column.
    cite : str
        BibTeX key of its definition; empty if it is not in the bibliography.
    higher_is_better : bool
        Direction.
    summed : bool
        Whether it is computed from counts that are summed over all instances.
    n_tests : int
        Number of p-values that are corrected together at its stage.
    scale : Scale
        For all datasets.
    by_dataset : mapping of str to Scale
        Where scores of a dataset are printed in another way.
    ranking : tuple of str
        Systems, the best mean rank over the datasets first.
    lower_on : tuple of str
        Datasets on which lower is better.
    """

    name: str
    title: str
    short: str
    cite: str = ""
    higher_is_better: bool = True
    summed: bool = False
    n_tests: int = 1
    scale: Scale = Scale()
    by_dataset: Mapping[str, Scale] = field(default_factory=dict)
    ranking: tuple[str, ...] = ()
    lower_on: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Score of one system on one dataset, with its spread where that is known.

    Parameters
    ----------
    metric, system, dataset : str
        What was scored.
    value : float
        As given, not negated where lower is better.
    n : int or None
        Number of instances.
    sd, se, low, high : float or None
        Standard deviation, standard error, confidence interval of the score.
    joint : tuple of float, or None
        Interval that holds for all systems at once, of a leaderboard: one dataset, all pairs of three systems or more.
    spread : mapping
        What they are over, and why one is missing: `sd_over`, `error_over`, `no_sd`, `no_error`.
    """

    metric: str
    system: str
    dataset: str
    value: float
    n: int | None = None
    sd: float | None = None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    joint: tuple[float, float] | None = None
    spread: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class KHat:
    """Lower bounds for the number of datasets at one level; `count` alone has no guarantee.

    Parameters
    ----------
    alpha : float
        Level.
    count : int
        Datasets with a p-value of at most alpha.
    bonferroni, fisher, joint : int or None
        Lower bounds by combination; None where one may not be used.
    recommended : int
        The one to report.
    method : str
        Name of its combination.
    """

    alpha: float
    count: int
    bonferroni: int
    fisher: int | None = None
    joint: int | None = None
    recommended: int = 0
    method: str = "bonferroni"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The claim that A is better than B by one metric.

    Parameters
    ----------
    metric, a, b : str
        A is claimed to be better than B.
    datasets : tuple of str
        On which they were compared.
    k_hat : int
        Lower bound for the number of datasets on which A is better, at the largest level; 0 if it is shown on none.
    named : tuple of str
        Datasets on which A is shown to be better at the largest level.
    mean_difference : float or None
        Mean of the differences over the datasets; None where it says nothing.
    exploratory : bool
        Whether nothing is claimed by it.
    bounds : tuple of KHat
        By level, largest first; empty where no datasets are counted.
    partial_conjunction : mapping of str to tuple of float
        p-values for u = 1..N by method.
    """

    __repr__ = short_repr

    metric: str
    a: str
    b: str
    datasets: tuple[str, ...]
    k_hat: int = 0
    named: tuple[str, ...] = ()
    mean_difference: float | None = None
    exploratory: bool = False
    bounds: tuple[KHat, ...] = ()
    partial_conjunction: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    @property
    def shown(self) -> bool:
        """Whether A is shown to be better on at least one dataset."""
        return self.k_hat > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A against B on one dataset.

    Parameters
    ----------
    metric, a, b, dataset : str
        What was compared where.
    test : int
        Index into `Facts.tests`.
    n : int or None
        Instances (runs, folds) that were compared.
    sizes : tuple of int
        Those of A and of B, where nothing is paired.
    n_nonzero, n_clusters : int or None
        Instances on which the two differ; independent clusters.
    n_dropped, n_imputed : int
        Instances left out, scores filled with the worst.
    score_a, score_b, difference, statistic : float
        As in `Score`, and as estimated by the test.
    standard_error : float or None
        Standard error of the difference.
    low, high, level : float or None
        Confidence interval of the difference, not adjusted.
    decision_low, decision_high : float or None
        Interval at the level of the correction: above 0 exactly where A is shown to be better.
    p_value, p_min, adjusted, stepwise : float
        One-sided for A better; the smallest possible; adjusted; adjusted by Holm's procedure whatever was used.
    marked_at : tuple of float
        Levels at which A is shown to be better.
    details : mapping
        Further numbers of the test or the design.
    findings : tuple of str
        Codes of the findings about it that limit it.
    """

    metric: str
    a: str
    b: str
    dataset: str
    test: int
    n: int | None = None
    sizes: tuple[int, ...] = ()
    n_nonzero: int | None = None
    n_clusters: int | None = None
    n_dropped: int = 0
    n_imputed: int = 0
    score_a: float = 0.0
    score_b: float = 0.0
    difference: float = 0.0
    statistic: float | None = None
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    decision_low: float | None = None
    decision_high: float | None = None
    p_value: float = 1.0
    p_min: float = 1.0
    adjusted: float = 1.0
    stepwise: float = 1.0
    marked_at: tuple[float, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A test as it was used: why, under which assumptions, how computed.

    Parameters
    ----------
    metric, name, title, cite : str
        `cite` is a BibTeX key, empty if the source is not in the bibliography.
    shape, kind, unit : str
        Shape of the data, kind of the scores, noun of one instance.
    effect : {"difference", "wins", "superiority"}
        What is estimated.
    percent : bool
        Whether differences are printed in percentage points.
    tested : bool
        Whether there was anything to test.
    reason : str
        Why this test, as a clause.
    assumptions : tuple of str
        Each a clause.
    null, alternative : str
        Hypotheses as clauses with {a} and {b}.
    method, algorithm : str
        How p-values were computed.
    n_resamples, seed : int or None
        Of random resamples.
    error : float
        Bound on how much exact p-values may be too large, relative.
    interval, interval_cite : str
        Name and source of the interval; empty where there is none.
    ties_count, any_pairing : bool
        Properties of the test, see `SignificanceTest`.
    """

    metric: str
    name: str
    title: str
    cite: str = ""
    shape: str = "paired"
    kind: str = "continuous"
    unit: str = "instance"
    effect: str = "difference"
    percent: bool = False
    tested: bool = True
    reason: str = ""
    assumptions: tuple[str, ...] = ()
    null: str = ""
    alternative: str = ""
    statistic_name: str = ""
    estimand: str = ""
    method: str = "exact"
    algorithm: str = ""
    n_resamples: int | None = None
    seed: int | None = None
    error: float = 0.0
    interval: str = ""
    interval_cite: str = ""
    ties_count: bool = True
    any_pairing: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """The largest difference that the data leave possible, where no claim is shown."""

    metric: str
    a: str
    b: str
    dataset: str
    difference: float
    level: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Number of instances of a dataset that would show a difference, where none is shown."""

    metric: str
    difference: float
    declared: bool
    n: int
    power: float
