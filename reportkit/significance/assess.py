"""One dataset: choose the test, run it, add the interval, say what limits both."""

from __future__ import annotations

from dataclasses import replace

from reportkit.finding import Finding
from reportkit.intervals.choose_interval import NO_VARIANCE, standard_error
from reportkit.language.numerals import p_value_text
from reportkit.scores.across_datasets import FEWEST_DATASETS
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import Details, Sample
from reportkit.settings import Profile
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.cautions.clusters import cluster_details, few_clusters_finding, informative_sizes_finding
from reportkit.significance.choose import choose
from reportkit.significance.outcome import Assessment, Outcome
from reportkit.significance.plan import ResamplingPlan, straddles
from reportkit.significance.second_test import details_beside, disagreement, outcome_beside
from reportkit.significance.skewness import SMALL_SAMPLE, shape_findings, small_sample_message


def assess(
    sample: Sample,
    plan: ResamplingPlan,
    *,
    profile: Profile = "recommended",
    test: str | None = None,
    level: float = 0.95,
) -> Assessment:
    """Test A against B on one dataset.

    Parameters
    ----------
    sample : Sample
        Both systems on one dataset.
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
        choice = choose(sample, profile)
        name, reason = choice.test, choice.reason
    else:
        name, reason = test, "named by the user"
        if sample.identical:
            name, reason = "identical", "the two systems score the same on every instance"
    outcome = run_test(name, sample, plan)
    second = outcome_beside(sample, outcome, plan)
    entry = SIGNIFICANCE_TESTS[name]
    interval = entry.interval_beside(sample, outcome, level, plan.seed)
    return Assessment(
        dataset=sample.dataset,
        metric=sample.metric,
        kind=sample.kind,
        shape=sample.shape,
        unit=sample.unit,
        n=sample.n,
        score_a=sample.as_given(sample.value_a),
        score_b=sample.as_given(sample.value_b),
        higher_is_better=sample.higher_is_better,
        standard_error=standard_error(sample, effect=entry.effect),
        outcome=outcome,
        interval=interval,
        reason=reason,
        n_dropped=sample.n_dropped,
        n_imputed=sample.n_imputed_a + sample.n_imputed_b,
        in_percent=sample.in_percent,
        details=_details(sample, outcome) | details_beside(second),
        findings=(
            *_findings(sample, outcome, plan),
            *([] if interval is not None else no_interval_findings(sample, outcome, level)),
            *([found] if (found := disagreement(outcome, second, plan.thresholds)) is not None else []),
        ),
    )


def no_interval_findings(sample: Sample, outcome: Outcome, level: float) -> list[Finding]:
    """Say why no interval stands beside a test; nothing where the variance is unknown, which others say."""
    silence = SIGNIFICANCE_TESTS[outcome.test].interval.silence(sample, level)
    if silence == NO_VARIANCE:
        return []
    return [
        Finding(
            "no-interval",
            "info",
            f"No interval stands beside the {outcome.title}: {silence}.",
            where=f"{sample.system_a} v {sample.system_b} on {sample.dataset}",
        )
    ]


def _details(sample: Sample, outcome: Outcome) -> Details:
    entry = SIGNIFICANCE_TESTS[outcome.test]
    details = sample.details if entry.details is None else sample.details | entry.details(sample, outcome)
    if isinstance(sample, PairedScores) and entry.uses_clusters:
        details |= cluster_details(sample, entry.effect)
    return details


def _findings(sample: Sample, outcome: Outcome, plan: ResamplingPlan) -> list[Finding]:
    where = f"{sample.system_a} v {sample.system_b} on {sample.dataset}"
    entry = SIGNIFICANCE_TESTS[outcome.test]
    found: list[Finding] = []
    if outcome.test == "identical":
        found.append(
            Finding(
                "identical-systems",
                "warning",
                f"The two systems have the same score on all {sample.n:,} {sample.unit}s; p = 1.",
                where=where,
                remedy="check that the two systems are not the same file twice",
            )
        )
        return found
    if sample.unit == "instance" and sample.n < SMALL_SAMPLE:
        found.append(
            Finding(
                "small-sample",
                "warning",
                small_sample_message(sample, outcome, entry.if_skewed, plan.thresholds),
                where=f"{where} (n = {sample.n})",
            )
        )
    if sample.unit == "dataset" and sample.n < FEWEST_DATASETS:
        found.append(
            Finding(
                "few-datasets",
                "warning",
                f"With fewer than {FEWEST_DATASETS} datasets, no two-sided p-value of a sign-flip or rank test can "
                f"reach .05; the smallest possible one-sided one is {p_value_text(outcome.p_min)}.",
                where=f"{where} (n = {sample.n})",
                remedy="add datasets, or give the scores of instances: then each dataset is tested",
            )
        )
    if sample.n_clusters is not None and not entry.uses_clusters:
        found.append(
            Finding(
                "clusters-ignored",
                "error",
                f"Instances nest in {sample.n_clusters:,} clusters, which the {outcome.title} ignores: "
                "its p-value is too small if scores within a cluster are alike."
                if sample.cluster_noun == "cluster"
                else f"Several raters scored each of {sample.n_clusters:,} instances, and the {outcome.title} takes "
                "their ratings as independent: its p-value is too small if raters agree.",
                where=where,
                remedy="use the recommended profile, or the test 'correlation-jackknife-t', "
                "which leaves out whole clusters"
                if sample.shape == "correlation"
                else "use the recommended profile, or the test 'sign-flip', which flips whole clusters",
            )
        )
    if isinstance(sample, PairedScores):
        shape = shape_findings(sample, outcome, entry.if_skewed, plan.thresholds)
        found.extend(replace(one, where=where) for one in shape)
        found.extend(few_clusters_finding(sample, outcome, plan.thresholds))
        found.extend(informative_sizes_finding(sample, outcome, entry.effect))
    if entry.remarks is not None:
        found.extend(entry.remarks(sample, outcome))
    if entry.size_remarks is not None:
        found.extend(entry.size_remarks(sample, outcome, plan.thresholds))
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
