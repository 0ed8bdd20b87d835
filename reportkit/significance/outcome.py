"""Outcomes: the p-values of a test on one dataset, the scores, the interval, and what limits them.

All decisions compare p-values with `rejection_level`; `step_down` adjusts those of several datasets as Holm does.

`Tails` are the two p-values as a test computes them; an `Outcome` is these with all that a row of a table says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.language import short_repr
from reportkit.scores.sample import Details, Sample, Shape, swapped_details
from reportkit.settings import Alternative
from reportkit.significance.nulls import SMALLEST_P_VALUE, RowTail

Method = Literal["exact", "Monte Carlo", "asymptotic", "printed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A two-sided confidence interval for a difference between A and B.

    Parameters
    ----------
    low, high : float
        Ends, oriented: above 0 means that A is better; -inf and inf where nothing is known.
    level : float
        Confidence level, such as 0.95.
    title : str
        Name in prose, such as "Tango score interval".
    citation : str
        BibTeX key of the source.
    """

    low: float
    high: float
    level: float
    title: str
    citation: str

    def __post_init__(self) -> None:
        if not self.low <= self.high:  # also catches NaN
            raise ValueError(f"{self.title}: the ends {self.low!r} and {self.high!r} are not an interval")
        if not 0 < self.level < 1:
            raise ValueError(f"{self.title}: the level {self.level!r} is not between 0 and 1")

    def within(self, limit: float) -> Interval:
        """Return the interval cut off at the largest possible size of a difference."""
        return replace(self, low=min(max(self.low, -limit), limit), high=max(min(self.high, limit), -limit))

    def swapped(self) -> Interval:
        """Return the interval for B against A."""
        return Interval(low=-self.high, high=-self.low, level=self.level, title=self.title, citation=self.citation)


def title_of_mean(paired: Sample, interval: str, with_clusters: str) -> str:
    """Return the title of an interval of the (weighted) mean, and what becomes of clusters if there are any."""
    title = f"{interval} of the {'' if paired.weights is None else 'weighted '}mean"
    return title if paired.clusters is None else f"{with_clusters} {title}"


def check_alpha(alpha: object) -> float:
    """Return the level as a float strictly between 0 and 1.

    Raises
    ------
    SettingsError
        If it is anything else.

    Examples
    --------
    >>> check_alpha(0.05)
    0.05
    """
    number = alpha if isinstance(alpha, int | float | np.floating | np.integer) else 0.0
    if isinstance(number, bool) or not SMALLEST_P_VALUE < number < 1:
        raise SettingsError(f"alpha is {alpha!r}", remedy="give one number strictly between 0 and 1, such as 0.05")
    return float(number)


def rejection_level(alpha: float) -> float:
    """Return the largest p-value that is rejected at `alpha`: alpha and a tolerance for rounding.

    3 x 0.1 is not 0.3 in floating point, so that a p-value of exactly alpha / N could fall on either side. All
    decisions of this package compare with this number, so that they agree with each other.

    Parameters
    ----------
    alpha : float
        Strictly between 0 and 1.

    Returns
    -------
    float
        alpha + 1e-12; for alpha below 1e-6, alpha x (1 + 1e-6), so that the tolerance never matters against the level.
        Always below 1: a p-value of 1 is never rejected.

    Examples
    --------
    >>> 0.1 * 3 <= 0.3, 0.1 * 3 <= rejection_level(0.3)
    (False, True)
    """
    level = check_alpha(alpha)
    return min(level + min(1e-12, 1e-6 * level), math.nextafter(1.0, 0.0))


def tail_level(confidence_level: float) -> float:
    """Return the largest one-sided p-value with which a test rejects at the level of one end of a two-sided interval.

    Examples
    --------
    >>> round(tail_level(0.95), 9)
    0.025
    """
    return rejection_level((1.0 - confidence_level) / 2.0)


def step_down(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Holm-adjusted p-values, in the given order, of numbers that are known to lie in (0, 1]; see `holm`.

    Examples
    --------
    >>> step_down(np.array([0.03, 0.01, 0.04])).round(3).tolist()
    [0.06, 0.03, 0.06]
    """
    order = np.argsort(p_values, axis=-1, kind="stable")
    scaled = np.arange(p_values.shape[-1], 0, -1) * np.take_along_axis(p_values, order, axis=-1)
    adjusted = np.empty_like(p_values)
    np.put_along_axis(adjusted, order, np.maximum.accumulate(np.minimum(scaled, 1.0), axis=-1), axis=-1)
    return adjusted


@dataclass(frozen=True, slots=True, kw_only=True)
class Tails:
    """The two one-sided p-values of A against B.

    Parameters
    ----------
    p_greater, p_less : float
        For A better, and for B better, in [0, 1]; values below `p_min` are raised to it.
    p_min : float
        Smallest one-sided p-value that the test could have given, in [0, 1]; 0 stands for a number too small for a
        float and becomes `SMALLEST_P_VALUE`.
    method : {"exact", "Monte Carlo", "asymptotic", "printed"}
        How they were computed.
    algorithm : str
        Which way of computing, if there are several.
    n_resamples : int, optional
        Number of random resamples, if any.
    seed : int, optional
        Seed of the random stream, if one was used.
    relative_error : float
        Bound on how much exact p-values may be too large, relative; relative standard error of those from tilted
        resamples.

    Examples
    --------
    >>> Tails(p_greater=0.0, p_less=1.0, p_min=0.0, method="exact").p_greater
    2.2250738585072014e-308
    """

    p_greater: float
    p_less: float
    p_min: float
    method: Method
    algorithm: str = ""
    n_resamples: int | None = None
    seed: int | None = None
    relative_error: float = 0.0

    def __post_init__(self) -> None:
        lowest = max(float(self.p_min), SMALLEST_P_VALUE)
        object.__setattr__(self, "p_min", lowest)
        for name in ("p_greater", "p_less"):
            object.__setattr__(self, name, max(float(getattr(self, name)), lowest))

    @classmethod
    def of_no_difference(cls, method: Method = "exact", algorithm: str = "", *, seed: int | None = None) -> Tails:
        """Return p = 1 in both directions, where nothing differs or nothing is known of the variance.

        Examples
        --------
        >>> Tails.of_no_difference().p_less
        1.0
        """
        return cls(p_greater=1.0, p_less=1.0, p_min=1.0, method=method, algorithm=algorithm, seed=seed)

    @classmethod
    def of_t(cls, t: float | None, freedom: float, *, identical: bool = False, digits: int = 0) -> Tails:
        """Take both tails of Student's t distribution.

        Parameters
        ----------
        t : float or None
            Positive in favour of A; None where there is no variance, and p = 1.
        freedom : float
            Degrees of freedom, shown with `digits` decimals.
        identical : bool
            Whether A and B differ nowhere, so that p = 1.

        Examples
        --------
        >>> round(Tails.of_t(6.314, 1).p_greater, 4)
        0.05
        >>> Tails.of_t(None, 1).algorithm
        'no variance'
        """
        if t is None:
            return cls.of_no_difference("asymptotic", "no variance")
        algorithm = f"t with {freedom:,.{digits}f} degrees of freedom"
        if identical:
            return cls.of_no_difference("asymptotic", algorithm)
        return cls(
            p_greater=float(stdtr(freedom, -t)),
            p_less=float(stdtr(freedom, t)),
            p_min=0.0,
            method="asymptotic",
            algorithm=algorithm,
        )

    @classmethod
    def computed(cls, tail: RowTail, *, p_min: float) -> Tails:
        """Take both tails of an exact distribution.

        Examples
        --------
        >>> import numpy as np
        >>> from reportkit.significance.nulls import flip_tails
        >>> (tail,) = flip_tails(np.array([[1.0, 2.0, 4.0]])).each()
        >>> round(Tails.computed(tail, p_min=0.125).p_greater, 12)
        0.125
        """
        return cls(p_greater=tail.greater, p_less=tail.less, p_min=p_min, method="exact", relative_error=tail.error)

    @classmethod
    def estimated(cls, for_a: int, for_b: int, n_resamples: int, *, seed: int, p_min: float) -> Tails:
        """Estimate both tails from counts of random resamples, the observed data being one more of them.

        Parameters
        ----------
        for_a, for_b : int
            Resamples at least as far in favour of A, and of B, as the observed value.
        n_resamples : int
            All resamples, b.
        seed : int
            Seed of the stream.
        p_min : float
            Smallest p-value of the distribution that is sampled; the estimate cannot be below 1 / (b + 1) either.

        Notes
        -----
        Phipson and Smyth (2010), "Permutation p-values should never be zero", section 4.

        Examples
        --------
        >>> Tails.estimated(49, 951, 999, seed=0, p_min=0.0).p_greater
        0.05
        """
        return cls(
            p_greater=(for_a + 1) / (n_resamples + 1),
            p_less=(for_b + 1) / (n_resamples + 1),
            p_min=max(p_min, 1 / (n_resamples + 1)),
            method="Monte Carlo",
            n_resamples=n_resamples,
            seed=seed,
        )

    def swapped(self) -> Tails:
        """Return the tails of B against A."""
        return replace(self, p_greater=self.p_less, p_less=self.p_greater)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Tails):
    """System A against system B on one dataset: all that a row of a table says.

    Both one-sided p-values are kept, so that the two directional analyses of an undeclared direction, and the swap of
    A and B, are coherent by construction. The two-sided p-value is twice the smaller one, at most 1.

    Parameters
    ----------
    p_greater, p_less, p_min, method, algorithm, n_resamples, seed, relative_error
        As for `Tails`; p-values in (0, 1].
    system_a, system_b, dataset, metric : str
        What was compared, where.
    kind : str
        Kind of scores: "binary", "continuous", "ordinal", "count", or "printed" where only a paper's figures are known.
    shape : str
        What there was of each system; see `reportkit.scores.sample.Shape`.
    unit : str
        Noun for one of the `n`: "instance", "run", "fold", ...
    n : int or None
        Instances (runs, folds) compared; None if a paper does not print it.
    n_nonzero : int or None
        Instances (clusters, if there are any) on which A and B differ; None if nothing is paired.
    n_clusters : int, optional
        Number of clusters that were treated as the independent units.
    n_dropped, n_imputed : int
        Instances left out, scores filled with the worst one.
    score_a, score_b : float
        (Weighted) mean scores, BLEU, correlations, ..., as given: not negated where lower is better.
    higher_is_better : bool
        Direction of the metric.
    in_percent : bool
        Whether the scores are proportions, printed in percent.
    decimals : int or None
        Decimals of the scores, where a paper prints them.
    test : str
        Name in the registry, such as "mcnemar".
    title : str
        Name in prose, such as "exact McNemar test".
    alternative : {"greater", "less", "two-sided"}
        Which of them `p_value` is.
    statistic : float
        Observed test statistic, positive in favour of A; that of B against A is its negative.
    statistic_name : str
        What the statistic is.
    estimand : str
        The quantity the test is about, such as "difference in accuracy".
    estimate : float
        Observed value of it, oriented: positive if A is better.
    assumptions : tuple of str
        Conditions under which the p-value is valid, each a clause.
    citation : str
        BibTeX key of the source.
    tested : bool
        Whether there was anything to test: not if the two systems score the same everywhere.
    reason : str
        Why this test, as a clause: "scores are right or wrong, and paired"; empty where only the test was run.
    standard_error : float or None
        Standard error of the difference, for the choice of decimals; None if unknown.
    interval : Interval or None
        For the difference, oriented.
    details : Details
        Further numbers that belong to the test or the design, such as the design effect of clusters.
    findings : tuple of Finding
        What limits this outcome.
    """

    system_a: str
    system_b: str
    dataset: str
    metric: str
    kind: str
    shape: Shape = "paired"
    unit: str = "instance"
    n: int | None
    n_nonzero: int | None
    n_clusters: int | None = None
    n_dropped: int = 0
    n_imputed: int = 0
    score_a: float
    score_b: float
    higher_is_better: bool
    in_percent: bool = False
    decimals: int | None = None
    test: str
    title: str
    alternative: Alternative = "greater"
    statistic: float
    statistic_name: str
    estimand: str
    estimate: float
    assumptions: tuple[str, ...]
    citation: str
    tested: bool = True
    reason: str = ""
    standard_error: float | None = None
    interval: Interval | None = None
    details: Details = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    __repr__ = short_repr

    def __post_init__(self) -> None:
        for name in ("p_greater", "p_less", "p_min"):
            p = getattr(self, name)
            if not 0 < p <= 1:  # also catches NaN: a mistake of a test, not of the user
                raise ValueError(f"{name} of {self.test!r} is {p!r}, not in (0, 1]")

    @property
    def p_value(self) -> float:
        """p-value of the stated alternative, in (0, 1]."""
        if self.alternative == "greater":
            return self.p_greater
        if self.alternative == "less":
            return self.p_less
        return min(1.0, 2.0 * min(self.p_greater, self.p_less))

    @property
    def percent(self) -> bool:
        """Return whether its scores are printed in percent: right or wrong, or proportions."""
        return self.kind == "binary" or self.in_percent

    @property
    def difference(self) -> float:
        """Observed value of what the test is about, oriented: positive in favour of A; mostly the mean difference."""
        return self.estimate

    @property
    def score_difference(self) -> float:
        """Return the difference of the mean scores, oriented: positive if A scores better than B."""
        return self.score_a - self.score_b if self.higher_is_better else self.score_b - self.score_a

    def towards(self, alternative: Alternative) -> Outcome:
        """Return the same test read with another alternative."""
        return self if alternative == self.alternative else replace(self, alternative=alternative)

    def swapped(self) -> Outcome:
        """Return the outcome of B against A."""
        return replace(
            self,
            system_a=self.system_b,
            system_b=self.system_a,
            p_greater=self.p_less,
            p_less=self.p_greater,
            score_a=self.score_b,
            score_b=self.score_a,
            statistic=-self.statistic,
            estimate=-self.estimate,
            interval=None if self.interval is None else self.interval.swapped(),
            details=swapped_details(self.details),
        )

    @property
    def kind_of_test(self) -> tuple[Any, ...]:
        """Return all that sentences say of an outcome except its numbers.

        The names of the systems are part of it where something is known of each, such as its number of runs.
        """
        names = (self.system_a, self.system_b) if {"a", "b"} & self.details.keys() else ()
        return (*(getattr(self, name) for name in _SAID), repr(self.details), *names)


_NUMBERS = {
    *("system_a", "system_b", "p_greater", "p_less", "p_min", "relative_error", "n_nonzero"),
    *("score_a", "score_b", "statistic", "estimate", "standard_error", "interval", "details"),
}
_SAID = tuple(item.name for item in fields(Outcome) if item.name not in _NUMBERS)
