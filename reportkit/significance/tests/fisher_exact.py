"""Fisher's exact test of two independent proportions."""

from __future__ import annotations

from dataclasses import replace

from reportkit.scores.sample import RightOf, Sample
from reportkit.significance.entry import RIGHT_ANSWERS, IntervalMethod, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.proportions import independent_margin, newcombe_interval
from reportkit.significance.unpaired import (
    NOT_NEGATIVELY_CORRELATED,
    SAME_POPULATION,
    margin_details,
    pairing_findings,
    pairing_unknown,
    unpaired_details,
)

RELATIVE_ERROR = 1e-9
"""Bound on the relative error of a hypergeometric tail above the smallest float."""


def fisher_exact(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Fisher's exact test, one-sided in each direction.

    Given how many of all answers are right, the number of right answers of A is hypergeometric if both systems are
    right equally often: p = P(X >= a). The p-value is valid at any n, and conservative.

    Parameters
    ----------
    sample : Sample
        Scores of 0 or 1 (0 or -1 where lower is better).
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: A is right no more often than B. Fisher (1935), "The Design of Experiments".

    Examples
    --------
    >>> import numpy as np
    >>> sample = Sample(shape="unpaired", system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                 a=np.repeat([1.0, 0.0], [7, 1]), b=np.repeat([1.0, 0.0], [2, 6]))
    >>> outcome = fisher_exact(sample, ResamplingPlan())
    >>> round(outcome.p_greater, 6)  # (8 * 28 + 1 * 8) / 11440
    0.02028
    """
    entry = AGGREGATE_FISHER if sample.shape == "counts" else FISHER_EXACT
    return entry.outcome(sample, fisher_tails(sample.right), statistic_name="difference in accuracy")


def fisher_tails(right: RightOf) -> Tails:
    """Return both one-sided p-values."""
    return Tails(
        p_greater=fisher_p(right),
        p_less=fisher_p(right.swapped()),
        p_min=min(_least(right), _least(right.swapped())),
        method="exact",
        algorithm="hypergeometric",
        relative_error=RELATIVE_ERROR,
    )


def fisher_p(right: RightOf) -> float:
    """Return the one-sided p-value for the first of two proportions being larger.

    Examples
    --------
    >>> round(fisher_p(RightOf(3, 3, 0, 3)), 12)
    0.05
    """
    from scipy.stats import hypergeom  # imported here: it is slow to import

    a, n_a, b, n_b = right
    if a <= max(0, a + b - n_b):
        return 1.0
    return min(1.0, float(hypergeom.sf(a - 1, n_a + n_b, a + b, n_a)))


def _least(right: RightOf) -> float:
    """Return the smallest p-value that these numbers of right answers in all allow."""
    total = right.a + right.b
    most = min(right.n_a, total)
    return fisher_p(RightOf(most, right.n_a, total - most, right.n_b))


PROPORTIONS = IntervalMethod(
    interval=lambda sample, level, seed, p_values: newcombe_interval(sample.right, level),
    margin=lambda sample, margin, seed: independent_margin(sample.right, margin),
    matched=False,
)
"""Newcombe's interval and the score test of a margin, for every test of two independent proportions."""


FISHER_EXACT = SignificanceTest(
    name="fisher-exact",
    title="Fisher exact test",
    function=fisher_exact,
    shape="unpaired",
    kinds=frozenset({"binary"}),
    interval=PROPORTIONS,
    estimand="difference in accuracy",
    hypotheses=RIGHT_ANSWERS,
    assumptions=(SAME_POPULATION,),
    citation="fisher1935design",
    summary="Exact conditional test of two independent proportions; valid at any n, and conservative.",
    remarks=pairing_findings,
    details=unpaired_details,
)


AGGREGATE_FISHER = replace(
    FISHER_EXACT,
    name="aggregate-fisher",
    shape="counts",
    assumptions=(NOT_NEGATIVELY_CORRELATED,),
    summary="Exact test of k of n against k of n, for numbers too large for Boschloo's; conservative.",
    remarks=pairing_unknown,
    details=margin_details,
)
