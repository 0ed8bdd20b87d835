"""One dataset: choose the test of each pair of systems, run it, add the interval, say what limits both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reportkit.finding import Finding
from reportkit.language.metric_names import is_proportion
from reportkit.language.numerals import p_value_text
from reportkit.scores.across_datasets import FEWEST_DATASETS
from reportkit.scores.missing_bounds import BoundedPair
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.sample import Details, Sample, remembered
from reportkit.settings import Profile
from reportkit.significance.bounds import one_test, with_bounds
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, entry_for
from reportkit.significance.cautions import cluster_details, few_clusters_finding, informative_sizes_finding
from reportkit.significance.choose import Choice, choose
from reportkit.significance.entry import NO_VARIANCE, SignificanceTest
from reportkit.significance.estimates import standard_error
from reportkit.significance.interval import Interval
from reportkit.significance.outcome import Outcome
from reportkit.significance.plan import UNSTABLE, ResamplingPlan, straddles
from reportkit.significance.second_test import details_beside, disagreement, outcome_beside
from reportkit.significance.skewness import SMALL_SAMPLE, shape_findings, small_sample_message


def chosen(sample: Sample, profile: Profile) -> Choice:
    """The test of a sample, chosen once."""
    if not isinstance(sample, PairedScores):
        return choose(sample, profile)
    return remembered(sample.known, f"choice of {profile}", lambda: choose(sample, profile))


def assess(
    sample: Sample,
    plan: ResamplingPlan,
    *,
    profile: Profile = "recommended",
    test: str | None = None,
    level: float = 0.95,
    later: Callable[[], Interval | None] | None = None,
) -> Outcome:
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
    later : callable, optional
        Computes the interval when somebody looks at it, where it is sure that there is one.

    Returns
    -------
    Outcome
        Read one-sided in favour of A.

    Raises
    ------
    DesignError
        If a named test does not fit the scores.
    """
    entry, reason = entry_of(sample, profile, test)
    outcome = entry.run(sample, plan)
    interval: Interval | Callable[[], Interval | None] | None = later
    if later is None or not entry.interval.exists(sample, level):
        interval = entry.interval_beside(sample, outcome, level, plan.seed)
    details, findings = _details(entry, sample, outcome), _findings(entry, sample, outcome, plan)
    if interval is None:
        findings += _no_interval(entry, sample, outcome, level)
    if entry.beside and (second := outcome_beside(sample, entry.beside, plan)) is not None:
        details |= details_beside(second)
        findings += disagreement(outcome, second, plan.thresholds)
    return outcome.changed(
        standard_error=standard_error(sample, effect=entry.effect),
        interval=interval,
        reason=reason,
        in_percent=outcome.in_percent or _is_share(outcome, sample.own_metric or sample.metric),
        details=details,
        findings=tuple(findings),
    )


def entry_of(sample: Sample, profile: Profile, test: str | None) -> tuple[SignificanceTest, str]:
    """The test of a sample, named or chosen, and the reason.

    Raises
    ------
    DesignError
        If a named test does not fit the shape of the sample.
    """
    if test is None:
        choice = chosen(sample, profile)
        return SIGNIFICANCE_TESTS[choice.test], choice.reason
    if sample.identical:
        return SIGNIFICANCE_TESTS["identical"], "the two systems score the same on every instance"
    return entry_for(test, sample), "named by the user"


def assess_with_bounds(
    bounded: BoundedPair,
    plan: ResamplingPlan,
    *,
    profile: Profile = "recommended",
    test: str | None = None,
    level: float = 0.95,
) -> Outcome:
    """Test A against B on one dataset so that what is found holds whatever the missing scores were.

    Parameters
    ----------
    bounded : BoundedPair
        The instances that both have, and all of them with missing scores filled in the two extreme ways.
    plan, profile, test, level
        As for `assess`.

    Returns
    -------
    Outcome
        p_greater is that with missing scores against A, p_less that with missing scores against B. With a test that is
        `monotone`, each is the largest that any values of the missing scores give; the decision table is therefore read
        without the bootstrap-t, and other tests that are named get a finding. Scores, difference, statistic and
        standard error are those on the instances that both have; the interval reaches from the lower
        end in the one case to the upper end in the other. The details hold both p-values and both differences of both
        claims. `n` counts the instances that one of the two has, and `n_imputed` the missing scores.

    Notes
    -----
    A sign flip counts the sets of units whose differences sum to at most 0, and McNemar's and the sign test are such
    counts too, or functions of wins and losses that only grow. Tests that divide by a standard error are not monotone:
    one large gain more can lower t.

    The idea is that of worst-case bounds for missing data: Manski (1989), "Anatomy of the selection problem".
    """
    name, reason = one_test(bounded, profile, test)
    base = assess(bounded.observed, plan, profile=profile, test=name, level=level)
    return with_bounds(base, bounded, plan, test=name, reason=reason, level=level)


def _no_interval(entry: SignificanceTest, sample: Sample, outcome: Outcome, level: float) -> list[Finding]:
    """Say why no interval stands beside a test; nothing where the variance is unknown, which others say."""
    silence = entry.interval.silence(sample, level)
    if silence == NO_VARIANCE:
        return []
    return [
        Finding(
            "no-interval",
            "info",
            f"There is no interval with the {outcome.title}: {silence}.",
            where=sample.label,
        )
    ]


def _details(entry: SignificanceTest, sample: Sample, outcome: Outcome) -> Details:
    details = sample.details if entry.details is None else sample.details | entry.details(sample, outcome)
    if entry.uses_clusters and isinstance(sample, PairedScores) and sample.clusters is not None:
        details |= cluster_details(sample, entry.effect)
    return details


def _findings(entry: SignificanceTest, sample: Sample, outcome: Outcome, plan: ResamplingPlan) -> list[Finding]:
    where = sample.label
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
        if entry.if_skewed != "nothing":
            shape = shape_findings(sample, outcome, entry.if_skewed, plan.thresholds)
            found.extend(replace(one, where=where) for one in shape)
        if sample.clusters is not None:
            found.extend(few_clusters_finding(sample, outcome, plan.thresholds))
            found.extend(informative_sizes_finding(sample, outcome, entry.effect))
    if entry.remarks is not None:
        found.extend(entry.remarks(sample, outcome))
    if entry.size_remarks is not None:
        found.extend(entry.size_remarks(sample, outcome, plan.thresholds))
    if straddles(outcome, plan.thresholds):
        found.append(
            Finding(
                UNSTABLE,
                "warning",
                f"This p-value is too close to the level for {outcome.n_resamples:,} random resamples to settle: with "
                "another seed the verdict could change.",
                where=where,
                remedy=f"n_resamples={10 * (outcome.n_resamples or 0) + 9} (--n-resamples), or report it as borderline",
            )
        )
    return found


def _is_share(outcome: Outcome, metric: str) -> bool:
    """Whether the metric is a proportion by its name, and the scores of both systems lie between 0 and 1."""
    within = within_0_and_1(outcome.score_a, outcome.score_b)
    return within and outcome.shape != "correlation" and is_proportion(metric)


def within_0_and_1(*scores: float) -> bool:
    """Whether scores may be proportions."""
    return min(scores) >= 0 and max(scores) <= 1
