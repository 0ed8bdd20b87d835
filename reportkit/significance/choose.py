"""Choose the test for two systems on one dataset, and what the choice depends on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from reportkit.errors import UnknownNameError
from reportkit.scores.choices import Kind
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.scores.shapes.sample import Sample, Shape
from reportkit.settings import Profile
from reportkit.significance.corpus import jackknife_standard_error
from reportkit.significance.decision_tables import DECISION_TABLES, Rule
from reportkit.significance.skewness import is_skewed


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What the choice of a test depends on.

    Parameters
    ----------
    shape : str
        What there is of each system; see `reportkit.scores.shapes.sample`.
    kind : {"binary", "continuous", "ordinal", "count"}
        Kind of scores of the dataset.
    identical : bool
        Whether both systems have the same score on every instance.
    clustered, weighted : bool
        Whether instances nest in clusters, and whether they carry weights.
    n : int
        Instances.
    n_units : int
        Independent units: clusters if there are any, else instances.
    skewed : bool
        Whether the differences are too skewed for a sign flip of their mean at this n, and enough of them are not 0
        for the bootstrap-t; see `is_skewed`.
    rated : bool
        Whether the clusters are the ratings of one instance by several raters.
    unit : str
        Noun for one of the `n`.
    n_tables : int
        Tables of right and wrong answers of two unpaired systems, given their numbers of instances.
    constant : bool
        Whether neither of two unpaired systems' scores vary.
    few_differ : bool
        Whether the counts of a corpus metric differ on few units only; see `PairedStatistics.few_differ`.
    beyond_half : bool
        Whether a corpus metric differs by more than half of its range, so that no resample can double the difference.
    """

    shape: Shape
    kind: Kind
    identical: bool
    clustered: bool
    weighted: bool
    n: int
    n_units: int
    skewed: bool = False
    rated: bool = False
    unit: str = "instance"
    n_tables: int = 0
    constant: bool = False
    few_differ: bool = False
    beyond_half: bool = False

    @classmethod
    def of(cls, sample: Sample) -> Design:
        """Look at two systems on one dataset."""
        n_clusters = sample.n_clusters
        return cls(
            shape=sample.shape,
            kind=sample.kind,
            identical=sample.identical,
            clustered=n_clusters is not None,
            weighted=sample.weighted,
            n=sample.n,
            n_units=sample.n if n_clusters is None else n_clusters,
            skewed=isinstance(sample, PairedScores) and sample.of_a_mean and is_skewed(sample),
            rated=sample.cluster_noun == "instance",
            unit=sample.unit,
            n_tables=sample.n_tables,
            constant=sample.constant
            or (isinstance(sample, PairedStatistics) and jackknife_standard_error(sample) is None),
            few_differ=sample.few_differ,
            beyond_half=sample.beyond_half,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The row that applies, its test, and why."""

    row: int
    test: str
    reason: str


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
    >>> from reportkit.scores.shapes.paired_scores import PairedScores
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                       a=np.array([1.0, 1.0, 0.0]), b=np.array([1.0, 0.0, 0.0]))
    >>> choose(paired)
    Choice(row=5, test='mcnemar', reason='scores are right or wrong, and paired')
    >>> choose(paired, "dror2017").test
    'mcnemar-chi2'
    """
    if profile not in DECISION_TABLES:
        raise UnknownNameError("profile", profile, DECISION_TABLES)
    design = Design.of(sample)
    rule = _first_match(profile, design)
    reason = rule.reason
    if sample.averages_runs:
        reason += "; each score is the mean over the runs of a system"
    if profile == "dror2017" and design.clustered and not design.identical:
        whole = _CLUSTERS_WHOLE.get(rule.test, _CLUSTERS_IGNORED)
        reason += whole.replace("instances nest in clusters", "ratings nest in instances") if design.rated else whole
    return Choice(row=rule.row, test=rule.test, reason=reason)


def choose_plain(
    block: Block,
    profile: Profile,
    *,
    shape: Shape = "paired",
    clustered: bool = False,
    weighted: bool = False,
    n: int | None = None,
) -> str:
    """Test of two systems with complete scores, neither skewed nor equal, as far as counts tell; `n` of each."""
    n = block.n_instances if n is None else n
    design = Design(
        shape=shape,
        kind=block.kind,
        identical=False,
        clustered=clustered,
        weighted=weighted,
        n=n,
        n_units=n,
        unit=block.unit,
        n_tables=(n + 1) ** 2,
    )
    return _first_match(profile, design).test


@lru_cache(maxsize=1024)
def _first_match(profile: Profile, design: Design) -> Rule:
    """Row of a table that applies; most pairs of systems on a dataset have the same design."""
    return next(rule for rule in DECISION_TABLES[profile] if rule.matches(design))
