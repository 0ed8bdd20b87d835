"""McNemar's test where only the numbers of right answers are known: the largest p-value that they allow."""

from __future__ import annotations

import math

from reportkit.errors import DesignError
from reportkit.scores.sample import Sample
from reportkit.significance.entry import RIGHT_ANSWERS, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tango import feasible_interval
from reportkit.significance.tests.fisher_exact import PROPORTIONS
from reportkit.significance.tests.mcnemar import RELATIVE_ERROR
from reportkit.significance.unpaired import margin_details


def mcnemar_margins(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Exact McNemar test at its worst: the largest p-value of all pairings that the numbers of right answers allow.

    It is valid whatever the pairing was, and conservative: two good systems mostly agree far more than at worst.

    Parameters
    ----------
    sample : Sample
        Right answers of both systems on the same test set.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Raises
    ------
    DesignError
        If the numbers of instances differ: then the test sets are not the same.

    Notes
    -----
    Null hypothesis: P(only A right) <= P(only B right). Assumes independent instances, the same for both systems.
    McNemar (1947); see `reportkit.significance.tests.mcnemar_margins`.

    Examples
    --------
    >>> from reportkit.scores.sample import RightOf
    >>> sample = Sample(shape="counts",
    ...                 system_a="s1", system_b="s2", dataset="ARC-challenge", metric="accuracy", kind="binary",
    ...                 counts=RightOf(566, 1172, 496, 1172))
    >>> round(mcnemar_margins(sample, ResamplingPlan()).p_greater, 5)
    0.01709
    """
    a, n, b, n_b = sample.right
    if n != n_b:
        raise DesignError(
            f"'mcnemar-margins' needs the same test set for both systems, and these have {n:,} and {n_b:,} instances",
            where=sample.label,
            remedy="choose 'aggregate-boschloo', or let the decision table choose",
        )
    tails = Tails(
        p_greater=feasible_interval(a, b, n).high,
        p_less=feasible_interval(b, a, n).high,
        p_min=math.ldexp(1.0, -n),
        method="exact",
        algorithm="binomial, maximum over the pairings",
        relative_error=RELATIVE_ERROR,
    )
    return MCNEMAR_MARGINS.outcome(
        sample, tails, statistic=float(a - b), statistic_name="right answers of A minus those of B"
    )


MCNEMAR_MARGINS = SignificanceTest(
    name="mcnemar-margins",
    title="exact McNemar test at its largest possible p-value",
    function=mcnemar_margins,
    shape="counts",
    kinds=frozenset({"binary"}),
    interval=PROPORTIONS,
    estimand="difference in accuracy",
    hypotheses=RIGHT_ANSWERS,
    any_pairing=True,
    assumptions=("both systems were scored on the same instances",),
    citation="mcnemar1947note",
    summary="Largest exact McNemar p-value that the numbers of right answers allow: valid for every pairing.",
    details=margin_details,
)
