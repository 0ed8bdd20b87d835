"""Margin claims, such as "at least 1 point better": tests shifted from a difference of 0 to the margin."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scipy.special import ndtr, stdtr

from reportkit.errors import DesignError, SettingsError
from reportkit.intervals.correlations.correlation_jackknife import estimate_difference
from reportkit.intervals.jackknife import jackknife
from reportkit.intervals.margin_result import MarginTest
from reportkit.intervals.margins.bootstrap_t_margin import bootstrap_t_margin
from reportkit.intervals.margins.independent_margin import independent_margin
from reportkit.intervals.margins.sign_flip_margin import sign_flip_margin
from reportkit.intervals.means.corrected_resampled import estimate_over_folds
from reportkit.intervals.means.run_means import estimate_run_means
from reportkit.intervals.means.sign_flip_interval import is_heaped
from reportkit.intervals.means.skewness import is_skewed
from reportkit.intervals.means.student_t import estimate_mean
from reportkit.intervals.means.two_way import estimate_two_way
from reportkit.intervals.means.units import as_wins
from reportkit.intervals.means.welch import estimate_unpaired
from reportkit.intervals.proportions.discordant_pairs import (
    WinTail,
    check_counts,
    tango_p_value,
    tango_z,
    upper_binomial_tail,
)
from reportkit.null_distributions import SMALLEST_P_VALUE
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import Sample, Shape
from reportkit.scores.shapes.unpaired import UnpairedScores


def margin_test(sample: Sample, margin: float, *, seed: int = 0) -> MarginTest | None:
    """Test whether A is better than B by more than a margin, by the default method for this design.

    Right-or-wrong scores (and wins of ordinal ones) without clusters and weights get Tango's score test, matched to the
    exact McNemar test; means a sign flip of what exceeds the margin, with whole clusters, or the bootstrap-t where
    differences are skewed; corpus metrics and correlations the jackknife t; runs the two-way t; folds the corrected
    resampled t; scores of runs and unpaired scores Welch's t. "A is better by more than the margin" at level alpha
    follows exactly where the margin is below the lower end of the corresponding interval at level 1 - 2 alpha. The
    margin test of a named test is that of its entry in the catalogue of tests.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    margin : float
        In units of the score, oriented: with lower scores being better, .01 means lower by .01. Negative for claims of
        non-inferiority ("at most 1 point worse"). Declared before looking at the results.
    seed : int
        Of random resamples, where the test needs them.

    Returns
    -------
    MarginTest or None
        None if the data hold no information on the variance.

    Raises
    ------
    SettingsError
        If the margin is not finite, or is impossible for a difference of proportions.
    DesignError
        If no shifted test is known for the design.

    See Also
    --------
    sign_flip_margin : permutation test of the same claim about a mean.
    equivalence_test : whether the difference lies between two margins.

    Notes
    -----
    Null hypotheses: difference <= margin (`p_greater`), and >= margin (`p_less`). Rejecting at margin 0 does not show a
    difference of the size that was observed. Of corpus metrics the interval of the report is the basic bootstrap
    interval, of unpaired ordinal and right-or-wrong scores another one; agreement about other margins than 0 is then
    approximate. Tango (1998), equation 3; Fisher (1935), section 21; Hinkley (1978).

    Examples
    --------
    >>> import numpy as np
    >>> right = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                      a=np.repeat([1.0, 0.0, 1.0], [30, 14, 56]), b=np.repeat([0.0, 1.0, 1.0], [30, 14, 56]))
    >>> test = margin_test(right, 0.01)
    >>> test.title, round(test.statistic, 4), round(test.p_greater, 4)
    ('Tango score test', 2.2666, 0.0117)
    """
    if not math.isfinite(margin):
        raise SettingsError(f"the margin is {margin!r}", remedy="give a finite difference, in units of the score")
    if isinstance(sample, PairedScores):
        paired = as_wins(sample) if sample.kind == "ordinal" else sample
        if paired.kind == "binary" and paired.clusters is None and paired.weights is None:
            return tango_margin(*paired.wins_and_losses, paired.n, margin, tail=upper_binomial_tail)
        if is_skewed(paired):
            return bootstrap_t_or_student_margin(paired, margin, seed=seed)
        return None if estimate_mean(paired).standard_error is None else heaped_flip_margin(paired, margin, seed=seed)
    if (right := sample.independent_rights) is not None:
        return independent_margin(right, margin)
    if sample.shape not in ESTIMATES or (sample.shape == "unpaired" and sample.kind == "ordinal"):
        raise DesignError(
            "no shifted test is known for margins of this design",
            where=f"dataset {sample.dataset!r}: shape {sample.shape!r}, kind {sample.kind!r}",
            remedy="compare the margin with the ends of the interval, or score both systems on the same instances",
        )
    return _shifted(ESTIMATES[sample.shape](sample), margin)


def student_margin(paired: PairedScores, margin: float) -> MarginTest | None:
    """Student's t of a mean difference minus the margin, cluster-robust if there are clusters.

    Returns
    -------
    MarginTest or None
        None if the data hold no information on the variance.
    """
    return _shifted(_of_mean(paired), margin)


def heaped_flip_margin(paired: PairedScores, margin: float, *, seed: int = 0) -> MarginTest:
    """Sign flip of what exceeds the margin; where half of the units tie, the larger p-value of it and of Student's t.

    A claim that follows from that of no margin has no larger p-value than that: "at most 1 point worse" from "better".
    """
    flip = sign_flip_margin(paired, margin)
    student = student_margin(paired, margin) if margin and is_heaped(paired) else None
    if student is None:
        return flip
    zero = sign_flip_margin(paired, 0.0)
    return replace(
        flip,
        p_greater=min(max(flip.p_greater, student.p_greater), zero.p_greater if margin < 0 else 1.0),
        p_less=min(max(flip.p_less, student.p_less), zero.p_less if margin > 0 else 1.0),
    )


def welch_margin(sample: UnpairedScores, margin: float) -> MarginTest | None:
    """Welch's t of a difference of two independent means minus the margin, right-or-wrong scores included."""
    return _shifted(ESTIMATES["unpaired"](sample), margin)


def bootstrap_t_or_student_margin(paired: PairedScores, margin: float, *, seed: int = 0) -> MarginTest | None:
    """Bootstrap-t of a mean difference against the margin; Student's t where too few resamples hold a variance."""
    return bootstrap_t_margin(paired, margin, seed=seed) or student_margin(paired, margin)


def tango_margin(wins: int, losses: int, n: int, margin: float, *, tail: WinTail | None = None) -> MarginTest:
    """Score test of a difference of two paired proportions against a margin.

    Parameters
    ----------
    wins, losses, n : int
        As for `tango_interval`.
    margin : float
        In (-1, 1).
    tail : callable, optional
        p-values of the form of McNemar's test that it is at margin 0, see `tango_p_value`; without, the asymptotic one
        without continuity correction.

    Raises
    ------
    SettingsError
        If the counts or the margin are impossible.

    Notes
    -----
    Assumes independent instances; asymptotic. Tango (1998), equation 3.

    Examples
    --------
    >>> test = tango_margin(30, 14, 100, 0.0)
    >>> round(test.statistic, 4), round(test.p_greater, 5)
    (2.4121, 0.00793)
    """
    check_counts(wins, losses, n)
    if not -1 < margin < 1:
        raise SettingsError(
            f"a margin of {margin!r} is no difference of two proportions",
            remedy="give it as a proportion: 0.01 for one percentage point",
        )
    z = tango_z(margin, wins, losses, n)

    def p_of(statistic: float) -> float:
        return float(ndtr(-statistic)) if tail is None else tango_p_value(statistic, wins + losses, tail)

    known = bool(wins or losses or margin)  # at margin 0 and without any difference nothing speaks against equality
    return MarginTest(
        margin=margin,
        estimate=(wins - losses) / n,
        statistic=z,
        p_greater=max(p_of(z), SMALLEST_P_VALUE) if known else 1.0,
        p_less=max(p_of(-z), SMALLEST_P_VALUE) if known else 1.0,
        title="Tango score test",
        citation="tango1998equivalence",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TEstimate:
    """A difference and its t distribution.

    Parameters
    ----------
    difference : float
        Oriented.
    standard_error : float or None
        None if the data hold no information on the variance.
    degrees_of_freedom : float
        Of the t distribution.
    title, citation : str
        Name of the test in prose, and the BibTeX key of its source.
    """

    difference: float
    standard_error: float | None
    degrees_of_freedom: float
    title: str
    citation: str


def _shifted(estimate: TEstimate, margin: float) -> MarginTest | None:
    """Student's t of the difference minus the margin."""
    if estimate.standard_error is None:
        return None
    t = (estimate.difference - margin) / estimate.standard_error
    return MarginTest(
        margin=margin,
        estimate=estimate.difference,
        statistic=t,
        p_greater=max(float(stdtr(estimate.degrees_of_freedom, -t)), SMALLEST_P_VALUE),
        p_less=max(float(stdtr(estimate.degrees_of_freedom, t)), SMALLEST_P_VALUE),
        title=estimate.title,
        citation=estimate.citation,
    )


def _of_mean(paired: PairedScores) -> TEstimate:
    if paired.clusters is not None:
        return _of(estimate_mean, "cluster-robust t-test", "cameron2015practitioner")(paired)
    return _of(estimate_mean, "paired t-test", "student1908probable")(paired)


def _of(estimate: Callable[[Any], Any], title: str, citation: str, value: str = "mean") -> Callable[[Any], TEstimate]:
    """What estimates of all shapes have in common; `value` is the name of the estimated difference."""

    def shaped(sample: Any) -> TEstimate:
        found = estimate(sample)
        return TEstimate(
            difference=getattr(found, value),
            standard_error=found.standard_error,
            degrees_of_freedom=found.degrees_of_freedom,
            title=title,
            citation=citation,
        )

    return shaped


ESTIMATES: Mapping[Shape, Callable[[Any], TEstimate]] = {
    "corpus": _of(jackknife, "jackknife t-test", "efron1993introduction", "difference"),
    "correlation": _of(estimate_difference, "jackknife t-test", "hinkley1978improving", "difference"),
    "runs": _of(estimate_two_way, "two-way t-test", "searle1992variance"),
    "run-scores": _of(estimate_run_means, "Welch t-test over runs", "welch1947generalization"),
    "folds": _of(estimate_over_folds, "corrected resampled t-test", "nadeau2003inference"),
    "unpaired": _of(estimate_unpaired, "Welch t-test", "welch1947generalization"),
}
"""By shape; that of paired scores is `_of_mean`."""
