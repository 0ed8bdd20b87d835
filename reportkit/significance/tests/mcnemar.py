"""McNemar's test for right-or-wrong scores: exact, mid-p, and by the normal approximation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.special import betainc

from reportkit.intervals import choose_interval
from reportkit.intervals.means.student_t import errors_of_counts
from reportkit.intervals.proportions.discordant_pairs import mid_p_tail, normal_tail, upper_binomial_tail
from reportkit.null_distributions import SMALLEST_P_VALUE
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.significance.assessed import Rows
from reportkit.significance.entry import RIGHT_ANSWERS, SignificanceTest
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plain_pairs import PlainPairs
from reportkit.significance.plan import ResamplingPlan

RELATIVE_ERROR = 1e-12
"""Bound on the relative error of a binomial tail above the smallest float."""


def mcnemar(paired: PairedScores, plan: ResamplingPlan) -> Outcome:
    """Exact conditional McNemar test.

    Of the m instances on which exactly one system is right, A is right on b. Given m, b is binomial (m, 1/2) if both
    are equally often the only one to be right: p = P(X >= b). The p-value is valid at any n and for any m.

    Parameters
    ----------
    paired : PairedScores
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
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                       a=np.repeat([1.0, 0.0], [8, 2]), b=np.repeat([0.0, 1.0], [8, 2]))
    >>> outcome = mcnemar(paired, ResamplingPlan())
    >>> outcome.p_greater == 56 / 1024, outcome.p_min == 1 / 1024
    (True, True)
    """
    return _outcome(EXACT, paired, exact_tails)


def mcnemar_mid_p(paired: PairedScores, plan: ResamplingPlan) -> Outcome:
    """McNemar's test with the mid-p-value: the observed table counts half.

    p = P(X > b) + P(X = b) / 2. Closer to the level than the exact test on average, but not guaranteed to keep it: its
    largest size over all discordance rates is .055 to .060 at .05 for n = 10 to 50.

    Notes
    -----
    Fagerland, Lydersen and Laake (2013), "The McNemar test for binary matched-pairs data: mid-p and asymptotic are
    better than exact conditional", section 2.3.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                       a=np.repeat([1.0, 0.0], [8, 2]), b=np.repeat([0.0, 1.0], [8, 2]))
    >>> mcnemar_mid_p(paired, ResamplingPlan()).p_greater == (56 - 45 / 2) / 1024
    True
    """
    return _outcome(MID_P, paired, _mid_p_tails)


def mcnemar_chi2(paired: PairedScores, plan: ResamplingPlan) -> Outcome:
    """McNemar's test by the normal approximation, without continuity correction.

    z = (b - c) / sqrt(b + c); the two-sided p-value is that of chi-squared = z^2 with one degree of freedom. One-sided
    size at .05 is up to .065 (n = 10), .060 (n = 50), .052 (n = 500).

    Notes
    -----
    McNemar (1947). What "McNemar's test" means in most papers.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                       a=np.repeat([1.0, 0.0], [8, 2]), b=np.repeat([0.0, 1.0], [8, 2]))
    >>> round(mcnemar_chi2(paired, ResamplingPlan()).towards("two-sided").p_value, 5)  # chi-squared = 3.6
    0.05778
    """
    return _outcome(CHI2, paired, partial(_normal_tails, correction=0))


def mcnemar_chi2_corrected(paired: PairedScores, plan: ResamplingPlan) -> Outcome:
    """McNemar's test by the normal approximation, with continuity correction.

    The difference is brought nearer to 0 by 1: p = P(Z >= (b - c - 1) / sqrt(b + c)). It approximates the exact test;
    the two-sided p-value is that of chi-squared = max(|b - c| - 1, 0)^2 / (b + c).

    Notes
    -----
    Edwards (1948), "Note on the correction for continuity in testing the significance of the difference between
    correlated proportions".

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                       a=np.repeat([1.0, 0.0], [8, 2]), b=np.repeat([0.0, 1.0], [8, 2]))
    >>> round(mcnemar_chi2_corrected(paired, ResamplingPlan()).towards("two-sided").p_value, 5)  # chi-squared = 2.5
    0.11385
    """
    return _outcome(CHI2_CORRECTED, paired, partial(_normal_tails, correction=1))


def exact_tails(wins: int, losses: int) -> Tails:
    """Binomial tails of wins against losses, the exact McNemar test and the sign test.

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


def mcnemar_columns(pairs: PlainPairs) -> Rows:
    """Numbers of the pairs that differ anywhere: see `SignificanceTest`."""
    wins, losses = pairs.wins_and_losses()
    differ = np.flatnonzero(wins + losses)
    wins, losses = wins[differ], losses[differ]
    m, n = wins + losses, pairs.scores.shape[1]
    lowest = np.maximum(np.ldexp(1.0, -m), SMALLEST_P_VALUE)
    greater, less = (np.where(k <= 0, 1.0, betainc(np.maximum(k, 1), m - k + 1, 0.5)) for k in (wins, losses))
    columns = {
        "p_greater": np.maximum(greater, lowest),
        "p_less": np.maximum(less, lowest),
        "p_min": lowest,
        "estimate": (wins - losses) / n,
        "statistic": (wins - losses).astype(np.float64),
        "n_nonzero": m,
    }
    values = {name: column.tolist() for name, column in columns.items()}
    rows = {pair: row for row, pair in enumerate(differ.tolist())}
    return Rows(None, rows, values | {"standard_error": errors_of_counts(wins, losses, n)})


def _mid_p_tails(wins: int, losses: int) -> Tails:
    m = wins + losses
    return Tails(
        p_greater=mid_p_tail(wins, m),
        p_less=mid_p_tail(losses, m),
        p_min=1.0 if m == 0 else math.ldexp(0.5, -m),
        method="exact",
        algorithm="binomial",
        relative_error=RELATIVE_ERROR,
    )


def _normal_tails(wins: int, losses: int, *, correction: int) -> Tails:
    m = wins + losses
    if m == 0:
        return Tails.of_no_difference("asymptotic", "normal")
    return Tails(
        p_greater=normal_tail(wins, m, correction=correction),
        p_less=normal_tail(losses, m, correction=correction),
        p_min=normal_tail(m, m, correction=correction),
        method="asymptotic",
        algorithm="normal",
    )


def _outcome(test: SignificanceTest, paired: PairedScores, tails: Callable[[int, int], Tails]) -> Outcome:
    """Outcome of one form of the test; `tails` follow from the wins and losses."""
    wins, losses = paired.wins_and_losses
    return test.outcome(
        paired,
        tails(wins, losses),
        statistic=float(wins - losses),
        statistic_name="instances only A gets right minus instances only B gets right",
        n_nonzero=wins + losses,
    )


_NULL = "A is right no more often than B"
_ESTIMAND = "difference in accuracy"

EXACT = SignificanceTest(
    name="mcnemar",
    title="exact McNemar test",
    function=mcnemar,
    kinds=frozenset({"binary"}),
    interval=choose_interval.EXACT_WINS,
    estimand=_ESTIMAND,
    null_hypothesis=_NULL,
    hypotheses=RIGHT_ANSWERS,
    ties_count=False,
    monotone=True,
    assumptions=(),
    citation="mcnemar1947note",
    summary="Binomial test of the instances on which exactly one system is right; valid at any n.",
    columns=mcnemar_columns,
)
MID_P = replace(
    EXACT,
    name="mcnemar-mid-p",
    title="mid-p McNemar test",
    function=mcnemar_mid_p,
    columns=None,
    interval=choose_interval.MID_P_WINS,
    assumptions=("a slight excess over the level is tolerable",),
    citation="fagerland2013mcnemar",
    summary="As mcnemar, but the observed table counts half: more powerful, and slightly too liberal at worst.",
)
CHI2 = replace(
    EXACT,
    name="mcnemar-chi2",
    title="asymptotic McNemar test without continuity correction",
    function=mcnemar_chi2,
    columns=None,
    interval=choose_interval.NORMAL_WINS,
    assumptions=("enough instances differ for the normal approximation",),
    summary="The chi-squared form found in most papers; slightly too liberal for few differing instances.",
)
CHI2_CORRECTED = replace(
    EXACT,
    monotone=False,
    name="mcnemar-chi2-corrected",
    title="asymptotic McNemar test with continuity correction",
    function=mcnemar_chi2_corrected,
    columns=None,
    interval=choose_interval.CORRECTED_WINS,
    assumptions=("enough instances differ for the normal approximation",),
    summary="The chi-squared form with continuity correction: an approximation to the exact test.",
)
