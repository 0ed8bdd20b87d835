"""What clusters do to a comparison: the design effect, and what few of them allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.special import stdtr, stdtrit

from reportkit.finding import Finding
from reportkit.intervals.choose_interval import Effect
from reportkit.intervals.means.student_t import estimate_mean
from reportkit.intervals.means.units import as_wins, sorted_units
from reportkit.language.numerals import fixed, p_value_text
from reportkit.null_distributions import SMALLEST_P_VALUE
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import Details, SideDetails
from reportkit.significance.outcome import Outcome

FEW_CLUSTERS = 10
"""With fewer, a cluster-robust t-test stands beside the test."""

TOO_FEW_CLUSTERS = 6
"""With fewer, no sign flip of whole clusters reaches .05 two-sided: 2^-5 = .031."""


def design_effect(paired: PairedScores) -> float | None:
    """By how much clusters multiply the variance of the mean difference: se^2 with clusters / se^2 without.

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
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.repeat([0.5, 0.9, 0.1, 0.8], 3), b=np.zeros(12), clusters=np.repeat(range(4), 3))
    >>> round(design_effect(paired), 2)  # three times the same instance: 3 (n - 1) / n * G / (G - 1)
    3.67
    """
    if paired.clusters is None:
        return None
    clustered = estimate_mean(paired).standard_error
    naive = estimate_mean(replace(paired, clusters=None)).standard_error
    return None if clustered is None or naive is None else (clustered / naive) ** 2


def cluster_details(paired: PairedScores, effect: Effect) -> Details:
    """Design effect, and p-values of the cluster-robust t-test where there are fewer than ten clusters.

    Parameters
    ----------
    paired : PairedScores
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


def few_clusters_finding(paired: PairedScores, outcome: Outcome, thresholds: tuple[float, ...]) -> Iterator[Finding]:
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


_CHANCE = 0.005
"""One-sided level at which large clusters are said to differ from small ones."""


def informative_sizes_finding(paired: PairedScores, outcome: Outcome, effect: Effect) -> Iterator[Finding]:
    """Say so where large clusters favour another system, or the same by more, than small ones do.

    The mean over instances, which is tested, then rests on a few large clusters, and the sums of clusters are skewed.
    It is said where the mean over instances and the mean over the means of clusters differ by more than Student's
    t quantile at .005 times the standard error of their difference, which is that of its influence function.

    Notes
    -----
    The size of a cluster is then called informative: Williamson, Datta and Satten (2003), "Marginal analyses of
    clustered data when cluster size is informative".
    """
    if outcome.n_clusters is None or effect != "mean" or paired.clusters is None:
        return
    units = sorted_units(paired)
    if units.n < 3 or float(units.sizes.min()) == float(units.sizes.max()):
        return
    means = units.sums / units.sizes
    by_cluster = float(means.mean())
    gap = units.mean - by_cluster
    influence = units.n * (units.sums - units.sizes * units.mean) / float(units.sizes.sum()) - (means - by_cluster)
    error = float(np.sqrt(np.square(influence).sum() / (units.n * (units.n - 1))))
    if not abs(gap) > max(float(stdtrit(units.n - 1, 1 - _CHANCE)) * error, 1e-12 * float(np.abs(means).max())):
        return
    sign = -1.0 if units.swapped else 1.0
    favoured = paired.system_a if gap * sign > 0 else paired.system_b
    digits = max(1, 1 - int(np.floor(np.log10(abs(gap)))))
    yield Finding(
        "informative-cluster-sizes",
        "warning",
        f"Large clusters favour {favoured!r} more than small ones do: the mean difference over instances, which is "
        f"tested, is {fixed(sign * units.mean, digits)}, and that over clusters {fixed(sign * by_cluster, digits)}. It "
        "rests on few clusters, so the test can find a system better too often.",
        where=paired.label,
        remedy="say whether the claim is about instances or about clusters; for clusters, give each its mean score",
    )
