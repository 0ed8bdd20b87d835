"""A second test that is always computed beside the first: its p-values, and whether the two come to other verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.language.numerals import p_value_text
from reportkit.scores.details import Details, SideDetails
from reportkit.scores.sample import Sample
from reportkit.significance.catalogue import run_test
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan

DISAGREEMENT = "tests-disagree"
"""Code of the finding."""


def outcome_beside(sample: Sample, name: str, plan: ResamplingPlan) -> Outcome | None:
    """Run the test that the entry of another one names as the one beside it.

    Returns
    -------
    Outcome or None
        None if the data do not allow it.

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.metrics.corpus import F1
    >>> from reportkit.scores.sample import Sample
    >>> a, b = np.array([[3.0, 1, 0], [2, 0, 2], [5, 1, 1]]), np.array([[3.0, 2, 0], [2, 1, 2], [4, 1, 2]])
    >>> paired = Sample(shape="corpus", system_a="a", system_b="b", dataset="cb", metric="F1", kind="continuous",
    ...                 a=a, b=b, measure=F1)
    >>> outcome_beside(paired, "corpus-jackknife-t", ResamplingPlan()).test
    'corpus-jackknife-t'
    """
    try:
        return run_test(name, sample, plan)
    except DesignError:
        return None


def details_beside(second: Outcome) -> Details:
    """Name of the second test, and its p-values."""
    return Details(
        test_beside=second.test,
        a=SideDetails(p_value_beside=second.p_greater),
        b=SideDetails(p_value_beside=second.p_less),
    )


def disagreement(outcome: Outcome, second: Outcome, thresholds: Sequence[float]) -> Iterator[Finding]:
    """Say so if the two tests come to different sides of a level that matters, in either direction."""
    both = ((outcome.p_greater, second.p_greater, outcome.system_a), (outcome.p_less, second.p_less, outcome.system_b))
    for first_p, second_p, better in both:
        if any((first_p <= threshold) != (second_p <= threshold) for threshold in thresholds):
            yield Finding(
                DISAGREEMENT,
                "warning",
                f"That {better} is better has p = {p_value_text(first_p)} by the {outcome.title} and p = "
                f"{p_value_text(second_p)} by the {second.title}, on different sides of a level that matters.",
                where=f"{outcome.system_a} v {outcome.system_b} on {outcome.dataset}",
                remedy="rely on a verdict only where both agree",
            )
            return
