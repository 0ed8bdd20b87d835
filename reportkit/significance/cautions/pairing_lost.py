"""What has to be said where two systems are compared as independent samples."""

from __future__ import annotations

from reportkit.finding import Finding
from reportkit.scores.shapes.sample import Details, SideDetails
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.significance.outcome import Outcome

SAME_POPULATION = "the instances of both systems are drawn from the same population"
"""Assumption of every unpaired test, besides independent instances."""


def pairing_findings(sample: UnpairedScores, outcome: Outcome) -> tuple[Finding, ...]:
    """Say that the pairing is lost: because it was asked for, or because there is none.

    Examples
    --------
    >>> import numpy as np
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9]), b=np.array([0.4, 0.5, 0.3]), n_common=2)
    >>> [finding.code for finding in pairing_findings(sample, None)]
    ['pairing-lost']
    """
    where = f"{sample.system_a} v {sample.system_b} on {sample.dataset}"
    if sample.n_common:
        return (
            Finding(
                "pairing-lost",
                "warning",
                f"The two systems have {sample.n_common:,} instances in common, but are compared as independent "
                "samples, as was asked for: a paired test is usually far more powerful, and this one keeps its level "
                "only if the scores on the common instances are not negatively correlated.",
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


def unpaired_details(sample: UnpairedScores, outcome: Outcome) -> Details:
    """Sizes of both samples, and of what they have in common.

    Examples
    --------
    >>> import numpy as np
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9]), b=np.array([0.4, 0.5, 0.3]))
    >>> unpaired_details(sample, None).as_dict()
    {'n_common': 0, 'a': {'n_instances': 2}, 'b': {'n_instances': 3}}
    """
    return Details(
        n_common=sample.n_common,
        a=SideDetails(n_instances=sample.n_a),
        b=SideDetails(n_instances=sample.n_b),
    )
