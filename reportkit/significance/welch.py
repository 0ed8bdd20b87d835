"""Welch's t-test of the means of two independent samples."""

from __future__ import annotations

from collections.abc import Iterator

from scipy.special import stdtr

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.intervals.skewness import SIZE_ERROR, TOLERATED_SIZE_ERROR
from reportkit.intervals.welch import estimate_unpaired, skewness_of_difference
from reportkit.results.unpaired import UnpairedScores
from reportkit.significance.entry import MEASURED, SignificanceTest
from reportkit.significance.hypotheses import MEAN_SCORES
from reportkit.significance.outcome import Outcome
from reportkit.significance.pairing_lost import SAME_POPULATION, pairing_findings, unpaired_details
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tails import Tails


def welch(sample: UnpairedScores, plan: ResamplingPlan) -> Outcome:
    """Welch's t-test: two means, unequal variances, Satterthwaite's degrees of freedom.

    Parameters
    ----------
    sample : UnpairedScores
        Scores whose mean says something.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Raises
    ------
    DesignError
        If a system has one instance only, or if the scores of neither system vary though their means differ.

    Notes
    -----
    Null hypothesis: the mean score of A is at most that of B. Assumes independent instances and means whose
    distributions are near normal; not equal variances. Welch (1947).

    Examples
    --------
    >>> import numpy as np
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> outcome = welch(sample, ResamplingPlan())
    >>> outcome.statistic_name, round(outcome.statistic, 4), round(outcome.p_greater, 4)
    ('t(4.8)', 3.153, 0.0132)
    """
    if sample.identical:
        tails = Tails(p_greater=1.0, p_less=1.0, p_min=1.0, method="asymptotic", algorithm="t")
        return WELCH.outcome(sample, tails, statistic=0.0, statistic_name="t", n_nonzero=None)
    estimate = estimate_unpaired(sample)
    if estimate.t is None:
        problem = (
            "'welch' needs two instances or more of each system"
            if sample.n < 2
            else "'welch' cannot estimate a variance: neither system's scores vary"
        )
        raise DesignError(
            problem, where=sample.label, remedy="choose 'studentised-permutation', which needs no variance"
        )
    tails = Tails(
        p_greater=float(stdtr(estimate.degrees_of_freedom, -estimate.t)),
        p_less=float(stdtr(estimate.degrees_of_freedom, estimate.t)),
        p_min=0.0,
        method="asymptotic",
        algorithm=f"t with {estimate.degrees_of_freedom:,.1f} degrees of freedom",
    )
    return WELCH.outcome(
        sample,
        tails,
        statistic=estimate.t,
        statistic_name=f"t({estimate.degrees_of_freedom:.1f})",
        n_nonzero=None,
        estimate=estimate.mean,
    )


def welch_findings(sample: UnpairedScores, outcome: Outcome) -> Iterator[Finding]:
    """What is said of all unpaired tests, and that skewed scores spoil the level at these sizes.

    The first term of the Edgeworth expansion changes a one-sided level of .05 by about .110 times the skewness of the
    difference of the means.
    """
    yield from pairing_findings(sample, outcome)
    skewness = skewness_of_difference(sample)
    error = SIZE_ERROR * abs(skewness)
    if error <= TOLERATED_SIZE_ERROR:
        return
    favoured = sample.system_a if skewness < 0 else sample.system_b
    predicted = f"{error:.3f}".removeprefix("0")
    yield Finding(
        "skewed-scores",
        "warning",
        f"The scores are skewed, unequally in the two samples ({sample.n_a:,} and {sample.n_b:,} instances): the true "
        f"size of a one-sided test of the mean at .05 is predicted to differ from .05 by about {predicted}, upwards "
        f"for a claim that {favoured!r} is better.",
        where=f"{sample.system_a} v {sample.system_b} on {sample.dataset}",
        remedy="choose the test 'studentised-permutation', collect more instances, or read a p-value near the level "
        "with that much doubt",
    )


WELCH = SignificanceTest(
    name="welch",
    title="Welch t-test",
    function=welch,
    shape="unpaired",
    kinds=MEASURED,
    uses_weights=False,
    uses_clusters=False,
    effect="mean",
    estimand="difference of the means",
    null_hypothesis="the mean score of A is at most that of B",
    hypotheses=MEAN_SCORES,
    assumptions=(SAME_POPULATION, "both means are near normally distributed"),
    citation="welch1947generalization",
    summary="t-test of two independent means with unequal variances; for thirty instances and more.",
    remarks=welch_findings,
    details=unpaired_details,
)
