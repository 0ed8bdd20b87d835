"""McNemar's test of wins and losses: exact, asymptotic, and the largest exact p-value over all pairings."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc

from reportkit.errors import DesignError
from reportkit.scores.sample import Sample
from reportkit.significance.entry import IntervalMethod, PValues, ResamplingPlan, SignificanceTest
from reportkit.significance.hypotheses import RIGHT_ANSWERS
from reportkit.significance.interval import MarginTest
from reportkit.significance.nulls import SMALLEST_P_VALUE
from reportkit.significance.outcome import Interval, Outcome, Tails
from reportkit.significance.tango import (
    WinTail,
    feasible_interval,
    normal_tail,
    tango_interval,
    tango_margin,
    upper_binomial_tail,
)
from reportkit.significance.tests.proportions import PROPORTIONS
from reportkit.significance.units import errors_of_counts
from reportkit.significance.unpaired import margin_details

RELATIVE_ERROR = 1e-12
"""Bound on the relative error of a binomial tail above the smallest float."""


def mcnemar(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the exact conditional McNemar test.

    Of the m instances on which exactly one system is right, A is right on b. Given m, b is binomial (m, 1/2) if both
    are equally often the only one to be right: p = P(X >= b). The p-value is valid at any n and for any m.

    Parameters
    ----------
    paired : Sample
        Scores of 0 or 1 (0 or -1 where lower is better), not weighted; clusters are ignored.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: P(only A right) <= P(only B right). Assumes independent instances. McNemar (1947); recommended
    and compared with its variants by Fagerland, Lydersen and Laake (2013).

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                 a=np.repeat([1.0, 0.0], [8, 2]), b=np.repeat([0.0, 1.0], [8, 2]))
    >>> outcome = mcnemar(paired, ResamplingPlan())
    >>> outcome.p_greater == 56 / 1024, outcome.p_min == 1 / 1024
    (True, True)
    """
    return _outcome(EXACT, paired, exact_tails)


def mcnemar_chi2(paired: Sample, plan: ResamplingPlan) -> Outcome:
    """Run McNemar's test by the normal approximation, without continuity correction.

    z = (b - c) / sqrt(b + c); the two-sided p-value is that of chi-squared = z^2 with one degree of freedom. One-sided
    size at .05 is up to .065 (n = 10), .060 (n = 50), .052 (n = 500).

    Notes
    -----
    McNemar (1947). What "McNemar's test" means in most papers.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                 a=np.repeat([1.0, 0.0], [8, 2]), b=np.repeat([0.0, 1.0], [8, 2]))
    >>> round(mcnemar_chi2(paired, ResamplingPlan()).towards("two-sided").p_value, 5)  # chi-squared = 3.6
    0.05778
    """
    return _outcome(CHI2, paired, _normal_tails)


def exact_tails(wins: int, losses: int) -> Tails:
    """Return the binomial tails of wins against losses: the exact McNemar test, and the sign test.

    Examples
    --------
    >>> exact_tails(3, 0).p_greater, exact_tails(3, 0).p_less, exact_tails(0, 0).p_greater
    (0.125, 1.0, 1.0)
    """
    m = wins + losses
    return Tails(
        p_greater=upper_binomial_tail(wins, m),
        p_less=upper_binomial_tail(losses, m),
        p_min=math.ldexp(1.0, -m),
        method="exact",
        algorithm="binomial",
        relative_error=RELATIVE_ERROR,
    )


def mcnemar_columns(wins: NDArray[np.int64], losses: NDArray[np.int64], n: int) -> dict[str, list[Any]]:
    """Return the numbers of many pairs that differ anywhere: see `SignificanceTest`."""
    m = wins + losses
    lowest = np.maximum(np.ldexp(1.0, -m), SMALLEST_P_VALUE)
    greater, less = (np.where(k <= 0, 1.0, betainc(np.maximum(k, 1), m - k + 1, 0.5)) for k in (wins, losses))
    return {
        "p_greater": np.maximum(greater, lowest).tolist(),
        "p_less": np.maximum(less, lowest).tolist(),
        "p_min": lowest.tolist(),
        "estimate": ((wins - losses) / n).tolist(),
        "statistic": (wins - losses).astype(np.float64).tolist(),
        "n_nonzero": m.tolist(),
        "standard_error": errors_of_counts(wins, losses, n),
    }


def _normal_tails(wins: int, losses: int) -> Tails:
    m = wins + losses
    if m == 0:
        return Tails.of_no_difference("asymptotic", "normal")
    return Tails(
        p_greater=normal_tail(wins, m),
        p_less=normal_tail(losses, m),
        p_min=normal_tail(m, m),
        method="asymptotic",
        algorithm="normal",
    )


def _outcome(test: SignificanceTest, paired: Sample, tails: Callable[[int, int], Tails]) -> Outcome:
    """Return the outcome of one form of the test; `tails` follow from the wins and losses."""
    wins, losses = paired.wins_and_losses
    return test.outcome(
        paired,
        tails(wins, losses),
        statistic=float(wins - losses),
        statistic_name="instances only A gets right minus instances only B gets right",
        n_nonzero=wins + losses,
    )


_ESTIMAND = "difference in accuracy"


def _of_wins(tail: WinTail, named: str = "") -> IntervalMethod:
    """Score interval of wins minus losses, matched to one form of McNemar's test; clusters are ignored.

    Of ratings each is one of the pairs: there may be more wins than instances.
    """

    def interval(paired: Sample, level: float, seed: int, p_values: PValues) -> Interval:
        wins, losses = paired.wins_and_losses
        return tango_interval(wins, losses, paired.a.size, level, tail=tail, named=named)

    def margin_of(paired: Sample, margin: float, seed: int) -> MarginTest:
        wins, losses = paired.wins_and_losses
        return tango_margin(wins, losses, paired.a.size, margin, tail=tail)

    return IntervalMethod(interval=interval, margin=margin_of)


EXACT_WINS = _of_wins(upper_binomial_tail, "exact test")

EXACT = SignificanceTest(
    name="mcnemar",
    title="exact McNemar test",
    function=mcnemar,
    kinds=frozenset({"binary"}),
    interval=EXACT_WINS,
    estimand=_ESTIMAND,
    hypotheses=RIGHT_ANSWERS,
    ties_count=False,
    assumptions=(),
    citation="mcnemar1947note",
    summary="Binomial test of the instances on which exactly one system is right; valid at any n.",
    columns=mcnemar_columns,
)
CHI2 = replace(
    EXACT,
    name="mcnemar-chi2",
    title="asymptotic McNemar test without continuity correction",
    function=mcnemar_chi2,
    columns=None,
    interval=_of_wins(normal_tail),
    assumptions=("enough instances differ for the normal approximation",),
    summary="The chi-squared form found in most papers; slightly too liberal for few differing instances.",
)


def mcnemar_margins(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """Run the exact McNemar test at its worst: the largest p-value of all pairings that the right answers allow.

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
    McNemar (1947); see `reportkit.significance.tests.mcnemar`.

    Examples
    --------
    >>> a, b = (np.repeat([1.0, 0.0], [right, 1172 - right]) for right in (566, 496))
    >>> names = {"system_a": "s1", "system_b": "s2", "dataset": "ARC-challenge", "metric": "accuracy"}
    >>> sample = Sample(shape="counts", kind="binary", a=a, b=b, **names)
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
