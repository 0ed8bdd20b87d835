"""One dataset: choose the test, run it, add the interval, say what limits both."""

from __future__ import annotations

from dataclasses import replace

from reportkit.finding import Finding
from reportkit.intervals.choose_interval import interval_for, standard_error
from reportkit.results.pairing import PairedScores
from reportkit.settings import Profile
from reportkit.significance.assessment import Assessment
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.choose import choose
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import ResamplingPlan, straddles
from reportkit.significance.skewness import skewness_finding

SMALL_SAMPLE = 20
TESTS_OF_THE_MEAN = frozenset({"sign-flip", "paired-t", "paired-bootstrap", "cluster-robust-t"})


def assess(
    paired: PairedScores,
    plan: ResamplingPlan,
    *,
    profile: Profile = "recommended",
    test: str | None = None,
    level: float = 0.95,
) -> Assessment:
    """Test A against B on one dataset.

    Parameters
    ----------
    paired : PairedScores
        Scores of both systems, instance by instance.
    plan : ResamplingPlan
        Resamples, seed and the thresholds that matter, for tests that need random resamples.
    profile : {"recommended", "dror2017"}
        Decision table that chooses the test.
    test : str, optional
        Name of a test to use instead.
    level : float
        Confidence level of the interval.

    Returns
    -------
    Assessment
        Read one-sided in favour of A.

    Raises
    ------
    DesignError
        If a named test does not fit the scores.
    """
    if test is None:
        choice = choose(paired, profile)
        name, reason = choice.test, choice.reason
    else:
        name, reason = test, "named by the user"
        if not paired.differences.any():
            name, reason = "identical", "the two systems score the same on every instance"
    outcome = run_test(name, paired, plan)
    effect = SIGNIFICANCE_TESTS[name].effect
    n_imputed = paired.n_imputed_a + paired.n_imputed_b
    return Assessment(
        dataset=paired.dataset,
        metric=paired.metric,
        kind=paired.kind,
        n=paired.n,
        score_a=_as_given(paired.mean_a, paired),
        score_b=_as_given(paired.mean_b, paired),
        higher_is_better=paired.higher_is_better,
        standard_error=standard_error(paired, effect=effect),
        outcome=outcome,
        interval=interval_for(paired, level, effect=effect),
        reason=reason,
        n_dropped=paired.n_dropped,
        n_imputed=n_imputed,
        findings=tuple(_findings(paired, outcome, plan)),
    )


def _as_given(mean: float, paired: PairedScores) -> float:
    return mean if paired.higher_is_better else -mean


def _findings(paired: PairedScores, outcome: Outcome, plan: ResamplingPlan) -> list[Finding]:
    where = f"{paired.system_a} v {paired.system_b} on {paired.dataset}"
    found: list[Finding] = []
    if outcome.test == "identical":
        found.append(
            Finding(
                "identical-systems",
                "warning",
                f"The two systems have the same score on all {paired.n:,} instances; p = 1.",
                where=where,
                remedy="check that the two systems are not the same file twice",
            )
        )
        return found
    if paired.n < SMALL_SAMPLE:
        found.append(
            Finding(
                "small-sample",
                "warning",
                f"Fewer than {SMALL_SAMPLE} instances: differences that matter can easily be missed.",
                where=f"{where} (n = {paired.n})",
            )
        )
    if paired.clusters is not None and not SIGNIFICANCE_TESTS[outcome.test].uses_clusters:
        found.append(
            Finding(
                "clusters-ignored",
                "error",
                f"Instances nest in {paired.n_clusters:,} clusters, which the {outcome.title} ignores: "
                "its p-value is too small if scores within a cluster are alike.",
                where=where,
                remedy="use the recommended profile, or the test 'sign-flip', which flips whole clusters",
            )
        )
    if outcome.test in TESTS_OF_THE_MEAN and (skew := skewness_finding(paired)) is not None:
        found.append(replace(skew, where=where))
    if straddles(outcome, plan.thresholds):
        found.append(
            Finding(
                "unstable-p-value",
                "warning",
                f"With {outcome.n_resamples:,} random resamples the verdict at the level used could change with the "
                f"seed.",
                where=where,
                remedy="raise n_resamples",
            )
        )
    return found
