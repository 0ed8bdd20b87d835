"""Two systems whose missing scores are taken at their worst and at their best."""

from __future__ import annotations

from dataclasses import replace

from reportkit.finding import Finding
from reportkit.scores.details import Details, SideDetails
from reportkit.scores.missing_bounds import BoundedPair
from reportkit.scores.sample import Sample
from reportkit.settings import Profile
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.choose import choose
from reportkit.significance.interval import Interval
from reportkit.significance.outcome import Method, Outcome
from reportkit.significance.plan import UNSTABLE, ResamplingPlan, straddles

_OF_TEST = ("test", "title", "statistic_name", "estimand", "assumptions", "citation", "tested")


def with_bounds(
    base: Outcome, bounded: BoundedPair, plan: ResamplingPlan, *, test: str, reason: str, level: float
) -> Outcome:
    """Widen what was found on the instances that both systems have to both extremes of the missing scores."""
    against_a, against_b = (_outcome(sample, test, plan) for sample in (bounded.against_a, bounded.against_b))
    outcome = _combined(base, against_a, against_b, test)
    unstable = straddles(against_a, plan.thresholds) or straddles(against_b.towards("less"), plan.thresholds)
    findings = [item for item in base.findings if item.code not in (UNSTABLE, "identical-systems")]
    if not SIGNIFICANCE_TESTS[test].monotone:
        findings.append(_not_monotone(bounded.observed, outcome))
    if unstable:
        findings.append(_unstable(bounded.observed))
    return replace(
        outcome,
        interval=_hull(bounded, level, (against_a, against_b), plan.seed),
        reason=reason,
        n_dropped=0,
        n_imputed=bounded.n_missing_a + bounded.n_missing_b,
        details=base.details | _details(bounded, against_a, against_b),
        findings=tuple(findings),
    )


def one_test(bounded: BoundedPair, profile: Profile, test: str | None) -> tuple[str, str]:
    """One test for all cases: that of the decision table, but a sign flip where skewness asks for the bootstrap-t."""
    if test is not None:
        return test, "named by the user"
    samples = (bounded.observed, bounded.against_a, bounded.against_b)
    choices = [choice for sample in samples if (choice := choose(sample, profile)).test != "identical"]
    chosen = (choices or [choose(bounded.observed, profile)])[0]
    if chosen.test == "bootstrap-t":
        return "sign-flip", "scores are missing, and a sign flip of the mean has its largest p-value at their worst"
    return chosen.test, chosen.reason


def _outcome(sample: Sample, name: str, plan: ResamplingPlan) -> Outcome:
    return run_test("identical" if sample.identical else name, sample, plan)


def _combined(base: Outcome, against_a: Outcome, against_b: Outcome, test: str) -> Outcome:
    """Both conservative p-values beside what was observed, in the words of the test where it could be run at all."""
    shown = next((one for one in (base, against_a, against_b) if one.test == test), base)
    drawn = [one.n_resamples for one in (against_a, against_b) if one.n_resamples is not None]
    methods = {one.method for one in (against_a, against_b)}
    first: Method = "Monte Carlo" if "Monte Carlo" in methods else "asymptotic" if "asymptotic" in methods else "exact"
    return replace(
        base,
        **{name: getattr(shown, name) for name in _OF_TEST},
        p_greater=against_a.p_greater,
        p_less=against_b.p_less,
        p_min=min(against_a.p_min, against_b.p_min),
        n=against_a.n,
        n_clusters=against_a.n_clusters,
        method=first,
        algorithm="",
        n_resamples=min(drawn) if drawn else None,
        relative_error=max(against_a.relative_error, against_b.relative_error),
        seed=next((one.seed for one in (against_a, against_b) if one.seed is not None), None),
    )


def _hull(bounded: BoundedPair, level: float, outcomes: tuple[Outcome, Outcome], seed: int) -> Interval | None:
    low, high = (
        SIGNIFICANCE_TESTS[outcome.test].interval_beside(sample, outcome, level, seed)
        for sample, outcome in zip((bounded.against_a, bounded.against_b), outcomes, strict=True)
    )
    if low is None or high is None:
        return None
    return Interval(
        low=low.low,
        high=high.high,
        level=level,
        title=f"{min(low.title, high.title)} over both extremes of missing scores",
        citation=low.citation,
    )


def _details(bounded: BoundedPair, against_a: Outcome, against_b: Outcome) -> Details:
    """Of the claim of either system: p-value and difference (its scores minus the other's) in both cases."""
    return Details(
        n_common=bounded.observed.n,
        a=SideDetails(
            n_missing=bounded.n_missing_a,
            p_value_missing_against=against_a.p_greater,
            p_value_missing_in_favour=against_b.p_greater,
            difference_missing_against=against_a.estimate,
            difference_missing_in_favour=against_b.estimate,
        ),
        b=SideDetails(
            n_missing=bounded.n_missing_b,
            p_value_missing_against=against_b.p_less,
            p_value_missing_in_favour=against_a.p_less,
            difference_missing_against=-against_b.estimate,
            difference_missing_in_favour=-against_a.estimate,
        ),
    )


def _not_monotone(sample: Sample, outcome: Outcome) -> Finding:
    return Finding(
        "bounds-not-guaranteed",
        "warning",
        f"The p-value of the {outcome.title} is not always largest where missing scores are at their worst: other "
        "values may give a larger one.",
        where=sample.label,
        remedy="choose 'sign-flip' (means), 'mcnemar' (right or wrong) or 'sign-test' (ordinal scores)",
    )


def _unstable(sample: Sample) -> Finding:
    return Finding(
        UNSTABLE,
        "warning",
        "With missing scores at their worst, this p-value is too close to the level for its random resamples to "
        "settle: with another seed the verdict could change.",
        where=sample.label,
        remedy="raise n_resamples (--n-resamples), or report it as borderline",
    )
