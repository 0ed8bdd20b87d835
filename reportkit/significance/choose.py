"""Choose the test for two systems on one dataset."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from reportkit.errors import UnknownNameError
from reportkit.scores.shapes.sample import Sample
from reportkit.settings import Profile
from reportkit.significance.decision_tables import DECISION_TABLES, Rule
from reportkit.significance.design import Design


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


@lru_cache(maxsize=1024)
def _first_match(profile: Profile, design: Design) -> Rule:
    """Row of a table that applies; most pairs of systems on a dataset have the same design."""
    return next(rule for rule in DECISION_TABLES[profile] if rule.matches(design))
