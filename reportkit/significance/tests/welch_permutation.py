"""Welch's t-test and the permutation test of the same statistic, of which the larger p-value counts."""

from __future__ import annotations

from dataclasses import replace

from reportkit.intervals import choose_interval
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.significance.cautions.pairing import SAME_POPULATION
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.studentised_permutation import STUDENTISED_PERMUTATION, studentised_permutation
from reportkit.significance.tests.welch import welch


def welch_permutation(sample: UnpairedScores, plan: ResamplingPlan) -> Outcome:
    """Welch's t-test, confirmed by permutation: of both p-values the larger, in each direction.

    With few instances neither is enough. The permutation test is exact if both systems' scores have the same
    distribution, of whatever shape, but its size at .05 is up to .15 where the few instances are those of the system
    whose scores scatter more. Welch's test allows for that, but not for skewed scores in samples of different sizes,
    where its size is up to .18. Where both reject, either case is covered.

    Parameters
    ----------
    sample : UnpairedScores
        Scores whose mean says something.
    plan : ResamplingPlan
        Number of random divisions and seed, where there are more than 200,000.

    Raises
    ------
    DesignError
        If a system has one instance only, or if the scores of neither system vary though their means differ.

    Notes
    -----
    Null hypothesis: the mean score of A is at most that of B. Assumes independent instances, and scores that are either
    distributed alike where the systems are equally good, or have means that are near normal: a test that rejects where
    both tests do has at most the size of either. Welch (1947); Janssen (1997). Simulated sizes of all three are in
    `benchmarks/results/size_of_designs.csv`.

    Examples
    --------
    >>> import numpy as np
    >>> sample = UnpairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                         a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> outcome = welch_permutation(sample, ResamplingPlan())  # .0132 and 2 / 35
    >>> outcome.statistic_name, round(outcome.p_greater, 4)
    ('t(4.8)', 0.0571)
    """
    parametric = welch(sample, plan)
    if sample.identical:
        return replace(parametric, test=WELCH_PERMUTATION.name, title=WELCH_PERMUTATION.title)
    permuted = studentised_permutation(sample, plan)
    tails = Tails(
        p_greater=max(parametric.p_greater, permuted.p_greater),
        p_less=max(parametric.p_less, permuted.p_less),
        p_min=permuted.p_min,
        method="Monte Carlo" if permuted.n_resamples is not None else "asymptotic",
        algorithm=f"the larger p-value of {parametric.algorithm} and of "
        + ("all permutations" if permuted.n_resamples is None else "random permutations"),
        n_resamples=permuted.n_resamples,
        seed=permuted.seed,
    )
    return WELCH_PERMUTATION.outcome(
        sample,
        tails,
        statistic=parametric.statistic,
        statistic_name=parametric.statistic_name,
        estimate=parametric.estimate,
    )


WELCH_PERMUTATION = replace(
    STUDENTISED_PERMUTATION,
    name="welch-permutation",
    title="Welch t-test confirmed by permutation",
    function=welch_permutation,
    interval=choose_interval.WELCH_AND_PERMUTED_T,
    assumptions=(
        SAME_POPULATION,
        "scores are distributed alike where the systems are equally good, or both means are approximately normal",
    ),
    citation="welch1947generalization",
    summary="The larger p-value of Welch's t-test and of its permutation test; for few instances.",
)
