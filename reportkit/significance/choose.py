"""Choose a test, an estimate and a standard error for the data: decision tables by design."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reportkit.errors import UnknownNameError
from reportkit.scores.choices import Kind
from reportkit.scores.designs import Units, sorted_units
from reportkit.scores.sample import Sample, Shape
from reportkit.scores.scores import Scores
from reportkit.settings import Profile
from reportkit.significance.cautions import ENOUGH_NONZERO, FEWEST_NONZERO, LEVEL
from reportkit.significance.corpus import FEWEST_FOR_BOOTSTRAP, jackknife
from reportkit.significance.entry import TOLERATED_SIZE_ERROR, edgeworth_error
from reportkit.significance.tests.proportions import MOST_TABLES
from reportkit.significance.unpaired import FEW

STRAINED = 30.0
"""Where n is below this many times the squared skewness, the bootstrap-t can exceed its level, too.

Simulated one-sided size for differences that are a constant minus a lognormal variable: .085 at .05 and .032 at .01 for
n = 50, .069 and .023 for n = 100, .051 and .011 for n = 300; see docs/methods.md.
"""


SHOWN = 2.0
"""A population is called skewed where a test of symmetry about the mean is beyond this many standard errors."""


@dataclass(frozen=True, slots=True)
class Differences:
    """The shape of the differences (sums of clusters) about their mean.

    Parameters
    ----------
    skewness : float
        m3 / m2^1.5; 0 if all are alike. Positive if A wins rarely but by much; that of B against A is the negative.
    cubic : float
        Test of symmetry by the third moment: with z the differences minus their mean in standard deviations, the sum
        of z^3 - 3 z divided by the root of the sum of its squares; about standard normal, or smaller, under symmetry.
        This and the next are 0 where the skewness does not matter.
    robust : float
        The same with the bounded function u / (1 + |u|) of u, the differences minus their mean in mean absolute
        deviations, in place of z^3: no single difference can carry it. Positive if skewed to the right.
    n : int
        Units.
    n_nonzero : int
        Units on which A and B differ.
    units : Units
        The units themselves.

    Examples
    --------
    >>> rng = np.random.default_rng(5)
    >>> heavy, skewed = rng.standard_t(2, size=100), rng.exponential(size=100)
    >>> shapes = [shape_of(Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                           a=differences, b=np.zeros(100))) for differences in (heavy, skewed)]
    >>> [shape.matters for shape in shapes], [shape.is_shown for shape in shapes]
    ([True, True], [False, True])
    """

    skewness: float
    cubic: float
    robust: float
    n: int
    n_nonzero: int
    units: Units

    def size_error(self, alpha: float = LEVEL) -> float:
        """Return by how much the one-sided size of a t-test, sign flip or bootstrap of the mean should be off.

        (2 z^2 + 1) phi(z) / 6 times |g| / sqrt(n), the first term of the Edgeworth expansion, g being the skewness of
        the differences and z the upper quantile of the normal distribution at alpha: .110 |g| / sqrt(n) at .05. With
        clusters, n is their number and g that of their sums. The smaller alpha, the larger the error in proportion.

        Notes
        -----
        Hall (1992), "The Bootstrap and Edgeworth Expansion", section 2.4.
        """
        return edgeworth_error(alpha) * abs(self.skewness) / math.sqrt(self.n)

    @property
    def matters(self) -> bool:
        """Return whether a one-sided test of the mean at .05 would be off by more than a point: n < 121 g^2."""
        return self.size_error() > TOLERATED_SIZE_ERROR

    @property
    def is_shown(self) -> bool:
        """Return whether the sample shows, beyond its sampling error, that the population is skewed as the sample is.

        The sample skewness of symmetric, heavy-tailed differences is often large: of 100 differences with Student's t
        distribution with 2 degrees of freedom, n < 121 g^2 holds in two samples of three. So one of two tests of
        symmetry about the mean has to reject as well: that of `cubic`, or that of `robust` in the same direction.
        Fewer than 20 units that differ show nothing.

        Notes
        -----
        Chosen by simulation among the seventeen rules of docs/methods.md: at .05 and .01, its mean size on symmetric
        differences is within a tenth of that of the exact sign flip, and that on skewed ones is the smallest.
        """
        towards = self.robust * math.copysign(1.0, self.skewness)
        return self.n_nonzero >= FEWEST_NONZERO and (abs(self.cubic) > SHOWN or towards > SHOWN)

    @property
    def has_outliers(self) -> bool:
        """Return whether the sample skewness is beyond what normal differences show, by two standard errors.

        It is then more than noise, but may come from heavy tails as well as from skewness: see `is_shown`.
        """
        return self.n > 2 and abs(self.skewness) > 2 * math.sqrt(6 * (self.n - 2) / ((self.n + 1) * (self.n + 3)))

    @property
    def is_strained(self) -> bool:
        """Return whether differences are so skewed, or so few, that the bootstrap-t cannot be trusted either."""
        return self.n < STRAINED * self.skewness**2 or self.n_nonzero < ENOUGH_NONZERO


def shape_of(paired: Sample) -> Differences:
    """Return skewness, tests of symmetry about the mean, and number of units of a pair.

    Notes
    -----
    Both tests of symmetry are sums of influence functions: the second term, 3 z or c u, is what the estimated mean
    takes away from the first, c being the mean derivative 1 / (1 + |u|)^2. The bounded function is Fair's (Rey 1983,
    "Introduction to Robust and Quasi-Robust Statistical Methods", section 6.4.2). Under symmetry, signs of the terms
    are those of fair coins, and a sum of them divided by the root of the sum of squares has variance 1.
    """
    units = sorted_units(paired)
    n_nonzero = int(np.count_nonzero(units.sums))
    if units.standard_error is None:
        return Differences(0.0, 0.0, 0.0, units.n, n_nonzero, units)
    r, sign = units.residuals / float(np.abs(units.residuals).max()), -1.0 if units.swapped else 1.0
    z = r / math.sqrt(float(np.square(r).mean()))
    cubes = np.square(z) * z
    found = Differences(sign * float(cubes.mean()), 0.0, 0.0, units.n, n_nonzero, units)
    if not found.matters:
        return found
    u = r / float(np.abs(r).mean())
    bounds = 1.0 / (1.0 + np.abs(u))
    cubic, robust = (
        float(terms.sum()) / (math.sqrt(float(np.square(terms).sum())) or 1.0)
        for terms in (cubes - 3.0 * z, u * (float(np.square(bounds).mean()) - bounds))
    )
    return replace(found, cubic=sign * cubic, robust=sign * robust)


def is_skewed(paired: Sample, shape: Differences | None = None) -> bool:
    """Return whether the skewness calls for the bootstrap-t: it matters, is not chance, and enough units differ.

    It matters where n < 121 g^2, g being the skewness of the sample: the size of a one-sided test at .05 is then off by
    a percentage point. Never of ordinal scores, nor of right-or-wrong ones without clusters and weights, whose tests
    are exact.

    Examples
    --------
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.arange(1.0, 31.0) ** 4, b=np.zeros(30))
    >>> is_skewed(paired)
    True
    """
    if not paired.of_a_mean or paired.unit != "instance":
        return False
    shape = shape or shape_of(paired)
    return shape.matters and shape.is_shown


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
    n_units: int
    n_tables: int = 0
    identical: bool = False
    clustered: bool = False
    weighted: bool = False
    rated: bool = False
    skewed: bool = False
    constant: bool = False
    few_differ: bool = False
    beyond_half: bool = False

    @classmethod
    def of(cls, sample: Sample, differences: Differences | None = None) -> Design:
        """Find the properties of two systems on one dataset."""
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
    differences : Differences, optional
        Shape of the differences, if it is known.

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


def choose_plain(block: Scores, profile: Profile) -> str:
    """Return the test of two systems with complete scores of instances that stand alone, neither skewed nor equal."""
    design = Design(shape="paired", kind=block.kind, unit=block.unit, n_units=block.n_instances)
    return next(row.test for row in DECISION_TABLES[profile] if row.matches(design))
