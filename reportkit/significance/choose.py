"""Which test for which data: the decision tables, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reportkit.errors import UnknownNameError
from reportkit.results.kinds import Kind
from reportkit.results.sample import Sample, Shape
from reportkit.settings import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What the choice of a test depends on.

    Parameters
    ----------
    shape : str
        What there is of each system; see `reportkit.results.sample`.
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
        Whether the differences are too skewed for a one-sided test of their mean at this n; see `skewness_finding`.
    """

    shape: Shape
    kind: Kind
    identical: bool
    clustered: bool
    weighted: bool
    n: int
    n_units: int
    skewed: bool = False

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
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One row of a decision table: conditions, all of which must hold, and the test they lead to.

    Parameters
    ----------
    row : int
        Number of the row; rows keep their numbers when others are added between them.
    test : str
        Name in the registry of tests.
    reason : str
        Why, as a clause: "scores are right or wrong, and paired".
    identical, clustered, weighted, skewed : bool, optional
        What the design has to be; None if it does not matter.
    kinds : frozenset of str, optional
        Which kinds of scores the row is for; None for all.
    shape : str, optional
        Which shape of results the row is for; None for all.
    fewest_units, most_units : int, optional
        Bounds, inclusive, on the number of independent units.
    """

    row: int
    test: str
    reason: str
    identical: bool | None = None
    clustered: bool | None = None
    weighted: bool | None = None
    skewed: bool | None = None
    kinds: frozenset[Kind] | None = None
    shape: Shape | None = "paired"
    fewest_units: int | None = None
    most_units: int | None = None

    def matches(self, design: Design) -> bool:
        """Whether all conditions hold."""
        flags = (
            (self.shape, design.shape),
            (self.identical, design.identical),
            (self.clustered, design.clustered),
            (self.weighted, design.weighted),
            (self.skewed, design.skewed),
        )
        fits = all(wanted is None or wanted == found for wanted, found in flags)
        enough = self.fewest_units is None or design.n_units >= self.fewest_units
        few = self.most_units is None or design.n_units <= self.most_units
        return fits and enough and few and (self.kinds is None or design.kind in self.kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The row that applies, its test, and why."""

    row: int
    test: str
    reason: str


_ORDINAL: frozenset[Kind] = frozenset({"ordinal"})
_BINARY: frozenset[Kind] = frozenset({"binary"})
_CONTINUOUS: frozenset[Kind] = frozenset({"continuous"})
_COUNT: frozenset[Kind] = frozenset({"count"})

_IDENTICAL = Rule(
    row=1, test="identical", shape=None, identical=True, reason="the two systems score the same on every instance"
)

DECISION_TABLES: Mapping[Profile, tuple[Rule, ...]] = {
    "recommended": (
        _IDENTICAL,
        Rule(
            row=4,
            test="sign-test",
            clustered=True,
            kinds=_ORDINAL,
            reason="scores are ordinal, so only who scores better counts, and instances nest in clusters, "
            "whose signs are flipped together",
        ),
        Rule(
            row=4,
            test="sign-flip",
            clustered=True,
            reason="instances nest in clusters, which are flipped whole",
        ),
        Rule(
            row=9,
            test="sign-test",
            weighted=True,
            kinds=_ORDINAL,
            reason="scores are ordinal, paired and weighted, so only who scores better counts",
        ),
        Rule(
            row=8,
            test="sign-flip",
            weighted=True,
            reason="instances are paired and weighted, and the claim is about the weighted mean",
        ),
        Rule(row=5, test="mcnemar", kinds=_BINARY, reason="scores are right or wrong, and paired"),
        Rule(
            row=8,
            test="sign-flip",
            kinds=_CONTINUOUS,
            reason="scores are continuous and paired, and the claim is about the mean",
        ),
        Rule(
            row=9,
            test="sign-test",
            kinds=_ORDINAL,
            reason="scores are ordinal and paired, so only who scores better counts",
        ),
        Rule(
            row=10,
            test="sign-flip",
            kinds=_COUNT,
            reason="scores are counts and paired, and the claim is about the mean",
        ),
    ),
    "dror2017": (
        _IDENTICAL,
        Rule(
            row=9,
            test="sign-test",
            weighted=True,
            kinds=_ORDINAL,
            reason="scores are ordinal, paired and weighted; Dror et al. (2017) had no such scores, "
            "and their Wilcoxon test takes no weights",
        ),
        Rule(
            row=8,
            test="paired-bootstrap",
            weighted=True,
            reason="instances are paired and weighted, so the distribution of the metric is unknown",
        ),
        Rule(row=5, test="mcnemar-chi2", kinds=_BINARY, reason="scores are right or wrong, and paired"),
        Rule(
            row=8,
            test="wilcoxon",
            kinds=_CONTINUOUS,
            reason="scores are continuous, and paired instance by instance",
        ),
        Rule(row=9, test="wilcoxon", kinds=_ORDINAL, reason="scores are ordinal, and paired instance by instance"),
        Rule(
            row=10,
            test="paired-bootstrap",
            kinds=_COUNT,
            reason="scores are counts, and the distribution of the metric is unknown",
        ),
    ),
}
"""Per profile, rows of which the first that matches applies. Every design matches one: the last rows name all kinds."""

_CLUSTERS_IGNORED = "; that instances nest in clusters is ignored, as in Dror et al. (2017)"
_CLUSTERS_WHOLE = {
    "paired-bootstrap": "; clusters are drawn whole",
    "sign-test": "; signs of a cluster are flipped together",
}


def choose(sample: Sample, profile: Profile = "recommended") -> Choice:
    """Choose the test for two systems on one dataset.

    `recommended` takes tests that keep their level: exact for right-or-wrong and ordinal scores, sign-flip for means,
    with whole clusters. `dror2017` takes what Dror et al. (2017), section 6.2, would have used: McNemar's test for
    classification, Wilcoxon's signed-rank test for scores of sentences, the paired bootstrap where the distribution of
    the metric is unknown.

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
    >>> from reportkit.results.pairing import PairedScores
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
    rule = next(rule for rule in DECISION_TABLES[profile] if rule.matches(design))
    reason = rule.reason
    if profile == "dror2017" and design.clustered and not design.identical:
        reason += _CLUSTERS_WHOLE.get(rule.test, _CLUSTERS_IGNORED)
    return Choice(row=rule.row, test=rule.test, reason=reason)
