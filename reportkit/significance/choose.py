"""Choose a test, an estimate and a standard error for the data: decision tables by design."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scipy.special import stdtr

from reportkit.errors import UnknownNameError
from reportkit.scores.choices import Kind
from reportkit.scores.sample import Details, Sample, Shape
from reportkit.scores.scores import Scores
from reportkit.settings import Profile
from reportkit.significance.corpus import FEWEST_FOR_BOOTSTRAP, jackknife
from reportkit.significance.entry import Effect
from reportkit.significance.interval import Estimate
from reportkit.significance.nulls import SMALLEST_P_VALUE
from reportkit.significance.outcome import Interval
from reportkit.significance.proportions import newcombe_error
from reportkit.significance.skewness import Shape as Differences
from reportkit.significance.skewness import is_skewed
from reportkit.significance.tests.bootstrap_t import bootstrap_t_interval
from reportkit.significance.tests.correlations import estimate_difference
from reportkit.significance.tests.independent_samples import estimate_superiority, estimate_unpaired
from reportkit.significance.tests.proportions import MOST_TABLES
from reportkit.significance.tests.scores_of_runs import estimate_over_folds, estimate_run_means
from reportkit.significance.tests.two_way_t import estimate_two_way
from reportkit.significance.units import as_wins, estimate_mean, student_t_interval
from reportkit.significance.unpaired import FEW

FEW_CLUSTERS = 10
"""With fewer, a cluster-robust t-test is printed next to the test."""

ESTIMATES: Mapping[Shape, Callable[[Any], Estimate]] = {
    "paired": estimate_mean,
    "corpus": jackknife,
    "correlation": estimate_difference,
    "runs": estimate_two_way,
    "run-scores": estimate_run_means,
    "folds": estimate_over_folds,
    "unpaired": estimate_unpaired,
    "counts": lambda sample: _of_proportions(sample),
}
"""The estimate with a t distribution of each design; of `counts`, with a normal one."""


def _of_proportions(sample: Sample) -> Estimate:
    return Estimate(
        mean=sample.value_difference, standard_error=newcombe_error(sample.right), degrees_of_freedom=math.inf
    )


def standard_error(sample: Sample, *, effect: Effect | None = None) -> float | None:
    """Return the standard error of the difference between A and B, cluster-robust if there are clusters.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    effect : {"mean", "sign"}, optional
        Of the mean difference, or of the share of wins minus the share of losses; by default the latter for ordinal
        scores and the former for all others.

    Returns
    -------
    float or None
        None if the data hold no information on the variance.
    """
    signs = effect == "sign" or sample.kind == "ordinal"
    if sample.shape == "paired":
        signs = effect == "sign" or (effect is None and sample.kind == "ordinal")
        return estimate_mean(as_wins(sample) if signs else sample).standard_error
    if sample.shape == "unpaired":
        if signs:
            return estimate_superiority(sample).standard_error
        return (_of_proportions(sample) if sample.binary else estimate_unpaired(sample)).standard_error
    return ESTIMATES[sample.shape](sample).standard_error


def design_effect(sample: Sample, effect: Effect | None = None) -> float | None:
    """Return by how much clusters multiply the variance of the difference: se^2 with clusters / se^2 without.

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
    if sample.clusters is None:
        return None
    clustered, naive = (standard_error(one, effect=effect) for one in (sample, replace(sample, clusters=None)))
    return None if clustered is None or naive is None else (clustered / naive) ** 2


def cluster_details(sample: Sample, effect: Effect) -> Details:
    """Return the design effect and, with fewer than ten clusters, the p-values of the cluster-robust t-test.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset, with clusters.
    effect : {"mean", "sign"}
        Whether the test is about the mean difference, or about wins and losses.
    """
    factor = design_effect(sample, effect)
    details = {} if factor is None else {"design_effect": factor}
    if sample.shape != "paired":
        return details
    estimate = estimate_mean(as_wins(sample) if effect == "sign" else sample)
    freedom, t = estimate.degrees_of_freedom, estimate.t
    if freedom + 1 >= FEW_CLUSTERS or t is None or not estimate.n_nonzero:
        return details
    p_values = {side: max(float(stdtr(freedom, value)), SMALLEST_P_VALUE) for side, value in (("a", -t), ("b", t))}
    return {**details, **{side: {"cluster_robust_t_p_value": p} for side, p in p_values.items()}}


def mean_interval(paired: Sample, confidence_level: float = 0.95, seed: int = 0) -> Interval | None:
    """Return the interval of a mean that goes with no test: bootstrap-t where it is skewed, else Student's t."""
    if is_skewed(paired):
        return bootstrap_t_interval(paired, confidence_level, seed)
    return student_t_interval(paired, confidence_level)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Properties of two systems on one dataset that the choice of a test depends on.

    Parameters
    ----------
    shape, kind, unit : str
        Of the sample.
    identical, clustered, weighted, rated : bool
        Whether all scores are equal, instances nest in clusters or have weights, or several raters scored each.
    n_units, n_tables : int
        Independent units (instances or clusters), of the smaller sample; pairs of numbers of right answers there can be.
    skewed : bool
        Whether the differences are too skewed for a sign flip of their mean.
    constant, few_differ, beyond_half : bool
        Whether no score varies; whether systems differ on too few units for a bootstrap; whether the difference is more
        than half of the range of the metric.
    """

    shape: Shape
    kind: Kind
    unit: str
    identical: bool
    clustered: bool
    weighted: bool
    n_units: int
    n_tables: int
    rated: bool = False
    skewed: bool = False
    constant: bool = False
    few_differ: bool = False
    beyond_half: bool = False

    @classmethod
    def of(cls, sample: Sample, differences: Differences | None = None) -> Design:
        """Look at two systems on one dataset."""
        no_variance = sample.shape == "corpus" and jackknife(sample).standard_error is None
        return cls(
            shape=sample.shape,
            kind=sample.kind,
            unit=sample.unit,
            identical=sample.identical,
            clustered=sample.n_clusters is not None,
            weighted=sample.weights is not None,
            n_units=sample.n if sample.n_clusters is None else sample.n_clusters,
            n_tables=(sample.a.size + 1) * (sample.b.size + 1) if sample.shape in ("unpaired", "counts") else 0,
            rated=sample.cluster_noun == "instance",
            skewed=sample.shape == "paired" and sample.of_a_mean and is_skewed(sample, differences),
            constant=sample.constant or no_variance,
            few_differ=sample.few_differ,
            beyond_half=sample.beyond_half,
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """A row of a decision table: its number, the test, the reason as a clause, and the conditions, which all hold.

    A condition is a property of `Design` and its value, or `most_units` or `most_tables` and the largest number.
    """

    row: int
    test: str
    reason: str
    conditions: Mapping[str, Any]

    def matches(self, design: Design) -> bool:
        """Say whether all conditions hold."""
        for name, value in self.conditions.items():
            found = getattr(design, name.replace("most_", "n_"))
            if found > value if name.startswith("most_") else found != value:
                return False
        return True


def _row(row: int, test: str, reason: str, *, shape: Shape | None = "paired", **conditions: Any) -> Choice:
    return Choice(row, test, reason, conditions if shape is None else {**conditions, "shape": shape})


_CORPUS = "the metric is a function of sums over all instances"
_OWN = "each system has instances of its own"
_WINS = "scores are ordinal, so only who scores better counts"
_FEW_UNITS = FEWEST_FOR_BOOTSTRAP - 1
_SWAPS = "approximate-randomization"

# ruff: noqa: E501 - a row of a table is a line
# fmt: off
_FIRST = (
    _row(1, "identical", "the two systems score the same on every instance", shape=None, identical=True),
    _row(2, "two-way-t", "there are several runs of a system, and the claim is about the systems trained anew", shape="runs"),
    _row(2, "mann-whitney-seeds", "there is one score per run, and the runs of neither system differ", shape="run-scores", constant=True),
    _row(2, "welch-seeds", "there is one score per run, and instances are not known", shape="run-scores"),
    _row(15, "corrected-resampled-t", "there is one score per fold of a cross-validation, whose training sets overlap", shape="folds"),
)
DECISION_TABLES: Mapping[Profile, tuple[Choice, ...]] = {
    "recommended": (
        *_FIRST,
        _row(6, _SWAPS, f"{_CORPUS}, and the systems differ on too few for a bootstrap", shape="corpus", few_differ=True),
        _row(6, _SWAPS, f"{_CORPUS}, and the difference is more than half of its range, which no resample can double", shape="corpus", beyond_half=True),
        _row(6, _SWAPS, f"{_CORPUS}, there are too few for a bootstrap, and they hold no information on the variance", shape="corpus", constant=True, most_units=_FEW_UNITS),
        _row(6, "corpus-jackknife-t", f"{_CORPUS}, and there are too few for a bootstrap", shape="corpus", most_units=_FEW_UNITS),
        _row(6, "corpus-bootstrap", _CORPUS, shape="corpus"),
        _row(7, "correlation-jackknife-t", "predictions are paired and judged by their correlation with a gold score, and instances nest in clusters, which are left out whole", shape="correlation", clustered=True),
        _row(7, "correlation-jackknife-t", "predictions are paired, and judged by their correlation with a gold score", shape="correlation"),
        _row(14, "sign-flip", "there is one score per system and dataset, and the claim is about the mean over datasets", unit="dataset"),
        _row(4, "sign-test", f"{_WINS}, and the ratings of an instance are not independent of each other, so their signs are flipped together", clustered=True, rated=True, kind="ordinal"),
        _row(4, "bootstrap-t", "the ratings of an instance are not independent of each other, so instances are drawn with all their ratings, and differences are skewed", clustered=True, rated=True, skewed=True),
        _row(4, "sign-flip", "the ratings of an instance are not independent of each other, so they are flipped together", clustered=True, rated=True),
        _row(4, "sign-test", f"{_WINS}, and instances nest in clusters, whose signs are flipped together", clustered=True, kind="ordinal"),
        _row(4, "bootstrap-t", "instances nest in clusters, which we draw as wholes, and their differences are skewed", clustered=True, skewed=True),
        _row(4, "sign-flip", "instances nest in clusters, which we permute as wholes", clustered=True),
        _row(9, "sign-test", "scores are ordinal, paired and weighted, so only who scores better counts", weighted=True, kind="ordinal"),
        _row(8, "bootstrap-t", "instances are paired and weighted, the claim is about the weighted mean, and differences are skewed", weighted=True, skewed=True),
        _row(8, "sign-flip", "instances are paired and weighted, and the claim is about the weighted mean", weighted=True),
        _row(5, "mcnemar", "scores are right or wrong, and paired", kind="binary"),
        _row(8, "bootstrap-t", "scores are continuous and paired, the claim is about the mean, and differences are skewed", kind="continuous", skewed=True),
        _row(8, "sign-flip", "scores are continuous and paired, and the claim is about the mean", kind="continuous"),
        _row(9, "sign-test", "scores are ordinal and paired, so only who scores better counts", kind="ordinal"),
        _row(10, "bootstrap-t", "scores are counts and paired, the claim is about the mean, and differences are skewed", kind="count", skewed=True),
        _row(10, "sign-flip", "scores are counts and paired, and the claim is about the mean", kind="count"),
        _row(11, "boschloo", f"scores are right or wrong, and {_OWN}", shape="unpaired", kind="binary", most_tables=MOST_TABLES),
        _row(11, "fisher-exact", f"scores are right or wrong, {_OWN}, and they are too many for Boschloo's test", shape="unpaired", kind="binary"),
        _row(12, "mann-whitney", f"scores are ordinal, so only which is higher counts, and {_OWN}", shape="unpaired", kind="ordinal"),
        _row(12, "studentised-permutation", f"{_OWN}, one of them has a single one, and the claim is about the mean", shape="unpaired", most_units=1),
        _row(12, "studentised-permutation", f"{_OWN}, and the scores of neither vary", shape="unpaired", constant=True),
        _row(12, "welch-permutation", f"{_OWN}, one of them few, and the claim is about the mean", shape="unpaired", most_units=FEW - 1),
        _row(12, "welch", f"{_OWN}, and the claim is about the mean", shape="unpaired"),
        _row(13, "aggregate-boschloo", "only numbers of right answers are known", shape="counts", most_tables=MOST_TABLES),
        _row(13, "aggregate-fisher", "only numbers of right answers are known, and they are too large for Boschloo's test", shape="counts"),
    ),
    "dror2017": (
        *_FIRST,
        _row(6, "corpus-bootstrap", f"{_CORPUS}, so its distribution is unknown", shape="corpus"),
        _row(7, "steiger", "predictions are paired, and judged by their correlation with a gold score", shape="correlation"),
        _row(14, "wilcoxon", "there is one score per system and dataset", unit="dataset"),
        _row(9, "sign-test", "scores are ordinal, paired and weighted; Dror et al. (2017) had no such scores, and their Wilcoxon test takes no weights", weighted=True, kind="ordinal"),
        _row(8, "paired-bootstrap", "instances are paired and weighted, so the distribution of the metric is unknown", weighted=True),
        _row(5, "mcnemar-chi2", "scores are right or wrong, and paired", kind="binary"),
        _row(8, "wilcoxon", "scores are continuous, and paired instance by instance", kind="continuous"),
        _row(9, "wilcoxon", "scores are ordinal, and paired instance by instance", kind="ordinal"),
        _row(10, "paired-bootstrap", "scores are counts, and the distribution of the metric is unknown", kind="count"),
        _row(11, "pooled-z", f"scores are right or wrong, and {_OWN}", shape="unpaired", kind="binary"),
        _row(12, "mann-whitney", f"scores can be ordered, and {_OWN}", shape="unpaired"),
        _row(13, "aggregate-z", "only numbers of right answers are known", shape="counts"),
    ),
}
"""Rows of each profile; the first that matches applies. Every design matches one: the last rows name all kinds."""
# fmt: on

_CLUSTERS_IGNORED = "; that instances nest in clusters is ignored, as in Dror et al. (2017)"
_CLUSTERS_WHOLE = {
    "corpus-bootstrap": "; clusters are drawn whole",
    "paired-bootstrap": "; clusters are drawn whole",
    "sign-test": "; signs of a cluster are flipped together",
}


def choose(sample: Sample, profile: Profile = "recommended", differences: Differences | None = None) -> Choice:
    """Choose the test for two systems on one dataset.

    `recommended` takes tests that keep their level: exact for right-or-wrong and ordinal scores, sign-flip for means,
    with whole clusters. `dror2017` takes what Dror et al. (2017), section 6.2, would have used: McNemar's test for
    classification, Wilcoxon's signed-rank test for scores of sentences, Steiger's test for correlations with gold
    scores, the paired bootstrap where the distribution of the metric is unknown.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    profile : {"recommended", "dror2017"}
        Which decision table.
    differences : Shape, optional
        Of the differences, if it is known.

    Returns
    -------
    Choice
        Number of the row, name of the test, and the reason as a clause, to be followed by "so the ... test was used".

    Raises
    ------
    UnknownNameError
        If there is no such profile.

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.scores.sample import Sample
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                 a=np.array([1.0, 1.0, 0.0]), b=np.array([1.0, 0.0, 0.0]))
    >>> found = choose(paired)
    >>> found.row, found.test, found.reason
    (5, 'mcnemar', 'scores are right or wrong, and paired')
    >>> choose(paired, "dror2017").test
    'mcnemar-chi2'
    """
    if profile not in DECISION_TABLES:
        raise UnknownNameError("profile", profile, DECISION_TABLES)
    design = Design.of(sample, differences)
    found = next(row for row in DECISION_TABLES[profile] if row.matches(design))
    reason = found.reason
    if sample.shape == "paired" and max(sample.details.get(side, {}).get("n_runs", 1) for side in ("a", "b")) > 1:
        reason += "; each score is the mean over the runs of a system"
    if profile == "dror2017" and design.clustered and not design.identical:
        whole = _CLUSTERS_WHOLE.get(found.test, _CLUSTERS_IGNORED)
        reason += whole.replace("instances nest in clusters", "ratings nest in instances") if design.rated else whole
    return Choice(found.row, found.test, reason, found.conditions)


def choose_plain(
    block: Scores,
    profile: Profile,
    *,
    shape: Shape = "paired",
    clustered: bool = False,
    weighted: bool = False,
    n: int | None = None,
) -> str:
    """Return the test of two systems with complete scores, neither skewed nor equal, as far as counts tell."""
    n = block.n_instances if n is None else n
    design = Design(
        shape=shape,
        kind=block.kind,
        unit=block.unit,
        identical=False,
        clustered=clustered,
        weighted=weighted,
        n_units=n,
        n_tables=(n + 1) ** 2,
    )
    return next(row.test for row in DECISION_TABLES[profile] if row.matches(design))
