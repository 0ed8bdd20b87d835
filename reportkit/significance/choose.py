"""Choose the test for two systems on one dataset: the decision tables, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reportkit.errors import UnknownNameError
from reportkit.scores.choices import Kind
from reportkit.scores.sample import Sample, Shape
from reportkit.scores.scores import Scores
from reportkit.settings import Profile
from reportkit.significance.corpus import FEWEST_FOR_BOOTSTRAP, jackknife_standard_error
from reportkit.significance.skewness import is_skewed
from reportkit.significance.tests.proportions import MOST_TABLES
from reportkit.significance.unpaired import FEW


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
    def of(cls, sample: Sample) -> Design:
        """Look at two systems on one dataset."""
        no_variance = sample.shape == "corpus" and jackknife_standard_error(sample) is None
        return cls(
            shape=sample.shape,
            kind=sample.kind,
            unit=sample.unit,
            identical=sample.identical,
            clustered=sample.n_clusters is not None,
            weighted=sample.weighted,
            n_units=sample.n if sample.n_clusters is None else sample.n_clusters,
            n_tables=sample.n_tables,
            rated=sample.cluster_noun == "instance",
            skewed=sample.shape == "paired" and sample.of_a_mean and is_skewed(sample),
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
        return all(
            getattr(design, f"n_{name.removeprefix('most_')}") <= value
            if name.startswith("most_")
            else getattr(design, name) == value
            for name, value in self.conditions.items()
        )


def _row(row: int, test: str, reason: str, *, shape: Shape | None = "paired", **conditions: Any) -> Choice:
    return Choice(row, test, reason, conditions if shape is None else {"shape": shape, **conditions})


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


def choose(sample: Sample, profile: Profile = "recommended") -> Choice:
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
    design = Design.of(sample)
    found = next(row for row in DECISION_TABLES[profile] if row.matches(design))
    reason = found.reason
    if sample.averages_runs:
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
