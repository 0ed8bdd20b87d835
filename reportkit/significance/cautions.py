"""Cautions: what clusters, unequal samples, and lost or unknown pairing do to a test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.special import stdtr

from reportkit.finding import Finding
from reportkit.language.numerals import p_value_range_text, p_value_text
from reportkit.scores.details import Details, SideDetails
from reportkit.scores.sample import Sample
from reportkit.significance.entry import Effect
from reportkit.significance.nulls import SMALLEST_P_VALUE
from reportkit.significance.outcome import Outcome
from reportkit.significance.skewness import (
    SIZE_ERROR,
    TOLERATED_SIZE_ERROR,
    edgeworth_error,
    levels_used,
    size_at,
    sizes_text,
)
from reportkit.significance.tango import feasible_interval
from reportkit.significance.units import as_wins, estimate_mean

FEW_CLUSTERS = 10
"""With fewer, a cluster-robust t-test stands beside the test."""

TOO_FEW_CLUSTERS = 6
"""With fewer, no sign flip of whole clusters reaches .05 two-sided: 2^-5 = .031."""


def design_effect(paired: Sample) -> float | None:
    """Return by how much clusters multiply the variance of the mean difference: se^2 with clusters / se^2 without.

    1 if differences within a cluster are no more alike than others; about 1 + (m - 1) r for clusters of m instances
    and an intra-cluster correlation of r. n divided by it is the number of independent instances that would say as
    much.

    Returns
    -------
    float or None
        None without clusters, and where a variance is 0 or unknown.

    Notes
    -----
    Kish (1965), "Survey Sampling", section 5.4; Miller (2024), "Adding error bars to evals", section 2.2.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.repeat([0.5, 0.9, 0.1, 0.8], 3), b=np.zeros(12), clusters=np.repeat(range(4), 3))
    >>> round(design_effect(paired), 2)  # three times the same instance: 3 (n - 1) / n * G / (G - 1)
    3.67
    """
    if paired.clusters is None:
        return None
    clustered = estimate_mean(paired).standard_error
    naive = estimate_mean(replace(paired, clusters=None)).standard_error
    return None if clustered is None or naive is None else (clustered / naive) ** 2


def cluster_details(paired: Sample, effect: Effect) -> Details:
    """Design effect, and p-values of the cluster-robust t-test where there are fewer than ten clusters.

    Parameters
    ----------
    paired : Sample
        A and B on one dataset.
    effect : {"mean", "sign"}
        Whether the test is about the mean difference, or about wins and losses.
    """
    if paired.clusters is None:
        return Details()
    units = as_wins(paired) if effect == "sign" else paired
    details = Details(design_effect=design_effect(units))
    estimate = estimate_mean(units)
    if estimate.degrees_of_freedom + 1 < FEW_CLUSTERS and estimate.t is not None and estimate.n_nonzero:
        p_a, p_b = (
            max(float(stdtr(estimate.degrees_of_freedom, t)), SMALLEST_P_VALUE) for t in (-estimate.t, estimate.t)
        )
        return replace(
            details, a=SideDetails(cluster_robust_t_p_value=p_a), b=SideDetails(cluster_robust_t_p_value=p_b)
        )
    return details


def few_clusters_finding(paired: Sample, outcome: Outcome, thresholds: tuple[float, ...]) -> Iterator[Finding]:
    """Say so where there are fewer than six clusters, and whether any level can be reached at all."""
    n_clusters = outcome.n_clusters
    if n_clusters is None or n_clusters >= TOO_FEW_CLUSTERS:
        return
    smallest = p_value_text(outcome.p_min)
    message = f"There are only {n_clusters} clusters, the independent units of this test"
    if outcome.method != "asymptotic":
        message += f", so no one-sided p-value can be below {smallest}"
    if thresholds and outcome.p_min > max(thresholds):
        message += f"; after the correction, {max(thresholds):.3g} would be needed"
    yield Finding(
        code="few-clusters",
        severity="warning",
        message=message + ".",
        where=paired.label,
        remedy="collect more documents (dialogues, ...), not more instances of the same ones",
    )


SAME_POPULATION = "the instances of both systems are drawn from the same population"
"""Assumption of every unpaired test, besides independent instances."""


def pairing_findings(sample: Sample, outcome: Outcome) -> tuple[Finding, ...]:
    """Say that the pairing is lost: because it was asked for, or because there is none.

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9]), b=np.array([0.4, 0.5, 0.3]), n_common=2)
    >>> [finding.code for finding in pairing_findings(sample, None)]
    ['pairing-lost']
    """
    where = sample.label
    if sample.n_common:
        return (
            Finding(
                "pairing-lost",
                "warning",
                f"The two systems have {sample.n_common:,} instances in common, but are compared as independent "
                "samples, as you chose. A paired test is usually far more powerful, and this one keeps its level only "
                "if the scores on the common instances are not negatively correlated.",
                where=where,
                remedy="leave pairing='unpaired' away to compare on the common instances (missing='drop' if there are "
                "others)",
            ),
        )
    return (
        Finding(
            "different-instances",
            "info",
            "The two systems were scored on different instances: a difference between the instances cannot be told "
            "from one between the systems, unless both sets are drawn at random from the same population.",
            where=where,
        ),
    )


def unpaired_details(sample: Sample, outcome: Outcome) -> Details:
    """Return the sizes of both samples, and of what they have in common.

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9]), b=np.array([0.4, 0.5, 0.3]))
    >>> unpaired_details(sample, None).as_dict()
    {'n_common': 0, 'a': {'n_instances': 2}, 'b': {'n_instances': 3}}
    """
    return Details(
        n_common=sample.n_common,
        a=SideDetails(n_instances=sample.n_a),
        b=SideDetails(n_instances=sample.n_b),
    )


NOT_NEGATIVELY_CORRELATED = "the right answers of the two systems are not negatively correlated"
"""Assumption of every test that takes two systems with unknown pairing as independent samples."""


def margin_details(sample: Sample, outcome: Outcome) -> Details:
    """Sizes, and the McNemar p-values that the margins allow in each direction if both have the same test set."""
    a, n_a, b, n_b = sample.right
    higher = sample.higher_is_better
    details = Details(
        a=SideDetails(n_right=a if higher else n_a - a, n_instances=n_a),
        b=SideDetails(n_right=b if higher else n_b - b, n_instances=n_b),
    )
    if n_a != n_b:
        return details
    return details | Details(a=_margins(a, b, n_a), b=_margins(b, a, n_a))


def _margins(one: int, other: int, n: int) -> SideDetails:
    interval = feasible_interval(one, other, n)
    return SideDetails(
        mcnemar_p_value_low=interval.low, mcnemar_p_value_high=interval.high, n_only_right_most=interval.most_wins
    )


def pairing_unknown(sample: Sample, outcome: Outcome) -> Iterator[Finding]:
    """Say that the pairing is not known, and what can be said whatever it was."""
    a, n_a, b, n_b = sample.right
    where = sample.label
    if n_a != n_b:
        yield Finding(
            "pairing-unknown",
            "warning",
            f"Only numbers of right answers are known, of {n_a:,} and of {n_b:,} instances: the systems are compared "
            "as independent samples, and what part of the test set they share is not known.",
            where=where,
            remedy="give the score of every instance",
        )
        return
    interval = feasible_interval(max(a, b), min(a, b), n_a)
    better = sample.system_a if a >= b else sample.system_b
    yield Finding(
        "pairing-unknown",
        "warning",
        "Only numbers of right answers are known, so the systems are compared as independent samples. If the test set "
        f"is the same, the exact McNemar p-value of the claim that {better} is better is "
        f"{p_value_range_text(interval.low, interval.high)}, depending on the pairing.",
        where=where,
        remedy="give the score of every instance; or choose test='mcnemar-margins', which is valid for every pairing",
    )


FEW = 50
"""With fewer instances of a system, nobody can see whether its scores are too skewed for a test of the mean."""

FEW_FOR_ANY = 20
"""With fewer it is a warning, else a note."""

SIZES_WHERE_SKEWED: Mapping[int, Mapping[float, float]] = {
    3: {0.05: 0.25, 0.01: 0.14, 0.005: 0.11, 0.001: 0.07},
    5: {0.05: 0.24, 0.01: 0.13, 0.005: 0.10, 0.001: 0.053},
    10: {0.05: 0.21, 0.01: 0.12, 0.005: 0.096, 0.001: 0.056},
    20: {0.05: 0.19, 0.01: 0.10, 0.005: 0.082, 0.001: 0.05},
    30: {0.05: 0.16, 0.01: 0.079, 0.005: 0.061, 0.001: 0.031},
}
"""Largest simulated one-sided sizes where one system's scores are lognormal, by the instances of the smaller sample."""

_DOUBT = "collect more instances, or do not rely on p-values close to the level"


def unpaired_size_findings(sample: Sample, outcome: Outcome, thresholds: Sequence[float]) -> Iterator[Finding]:
    """Say how far skewed scores can spoil the level of a test of two independent means.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    outcome : Outcome
        Of the test.
    thresholds : sequence of float
        Levels that p-values are compared with.

    Yields
    ------
    Finding
        `skewed-scores`, if scores as skewed as those of the samples would shift the size at .05 by more than .01;
        otherwise `skewness-unseen`, if a system has fewer than 50 instances, which cannot show it.

    Notes
    -----
    The first term of the Edgeworth expansion changes a one-sided level alpha by (2 z^2 + 1) phi(z) / 6 times the
    skewness of the difference of the means, z being the normal quantile: Hall (1992), "The Bootstrap and Edgeworth
    Expansion", section 2.4.
    """
    if sample.identical or sample.constant:
        return
    where = sample.label
    skewness = skewness_of_difference(sample)
    levels = levels_used(outcome, thresholds)
    if SIZE_ERROR * abs(skewness) > TOLERATED_SIZE_ERROR:
        favoured = sample.system_a if skewness < 0 else sample.system_b
        sizes = [(level, min(1.0, level + edgeworth_error(level) * abs(skewness))) for level in levels]
        yield Finding(
            "skewed-scores",
            "warning",
            f"If scores are as skewed in general as in these samples ({sample.n_a:,} and {sample.n_b:,} instances), "
            f"the {outcome.title} would find {favoured!r} better, though the means are equal, about "
            f"{sizes_text(sizes)}.",
            where=where,
            remedy=_DOUBT,
        )
    elif sample.n < FEW:
        fewest = max((n for n in SIZES_WHERE_SKEWED if n <= sample.n), default=min(SIZES_WHERE_SKEWED))
        sizes = [(level, size_at(level, SIZES_WHERE_SKEWED[fewest])) for level in levels]
        yield Finding(
            "skewness-unseen",
            "warning" if sample.n < FEW_FOR_ANY else "info",
            f"So few instances of a system ({sample.n:,}) do not show whether its scores are skewed. If they are, "
            "p-values can be too small: for instance, where those of one system are lognormal, a system that is not "
            f"better is called so about {sizes_text(sizes)}.",
            where=where,
            remedy=_DOUBT if sample.n < FEW_FOR_ANY else "",
        )


def skewness_of_difference(sample: Sample) -> float:
    """Return the skewness of the difference of the two means, as far as the samples tell it; 0 if neither varies.

    The third central moments of both means, A minus B, over the cube of the standard error. Positive if the mean of A
    has the longer tail upwards; equal samples of equal size cancel.

    Examples
    --------
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.0, 0.0, 0.0, 1.0]), b=np.array([0.0, 1.0, 0.5, 0.5]))
    >>> round(skewness_of_difference(sample), 4)
    0.2683
    """
    third = variance = 0.0
    scale = max(float(np.abs(sample.a).max()), float(np.abs(sample.b).max()))
    for scores, sign in ((np.sort(sample.a), 1.0), (np.sort(sample.b), -1.0)):
        deviations = (scores - scores.mean()) / scale if scale else np.zeros_like(scores)
        third += sign * float(np.mean(deviations**3)) / scores.size**2
        variance += float(np.mean(deviations**2)) / scores.size
    return third / variance**1.5 if variance > 1e-24 else 0.0
