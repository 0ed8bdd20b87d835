"""Two systems that score the same on every instance: nothing to test."""

from __future__ import annotations

from reportkit.errors import DesignError
from reportkit.scores.sample import Sample
from reportkit.significance.entry import ANY_KIND, IntervalMethod, ResamplingPlan, SignificanceTest
from reportkit.significance.hypotheses import NOT_BETTER
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.tests.corpus_metrics import CORPUS_JACKKNIFE_T
from reportkit.significance.tests.correlations import CORRELATION_JACKKNIFE_T
from reportkit.significance.tests.independent_samples import MANN_WHITNEY, WELCH
from reportkit.significance.tests.mcnemar import EXACT_WINS
from reportkit.significance.tests.proportions import PROPORTIONS
from reportkit.significance.tests.scores_of_runs import CORRECTED_RESAMPLED_T, WELCH_SEEDS
from reportkit.significance.tests.two_way_t import TWO_WAY_T
from reportkit.significance.units import by_student_t, estimate_mean


def identical(sample: Sample, plan: ResamplingPlan) -> Outcome:
    """State that two systems show no difference: p = 1 on both sides.

    Raises
    ------
    DesignError
        If they do.
    """
    if not sample.identical:
        raise DesignError(
            f"'identical' is for systems with the same output everywhere; on some of {sample.n:,} {sample.unit}s they "
            "differ",
            where=sample.label,
            remedy="name another test, or none",
        )
    tails = Tails.of_no_difference()
    return IDENTICAL.outcome(
        sample, tails, statistic=0.0, statistic_name="units with different scores", n_nonzero=0, estimate=0.0
    )


_METHODS = {
    "paired": by_student_t(estimate_mean, interval="", test="", citation=""),  # without variance: None
    "corpus": CORPUS_JACKKNIFE_T.interval,
    "correlation": CORRELATION_JACKKNIFE_T.interval,
    "runs": TWO_WAY_T.interval,
    "run-scores": WELCH_SEEDS.interval,
    "folds": CORRECTED_RESAMPLED_T.interval,
    "counts": PROPORTIONS,
}


def _method(sample: Sample) -> IntervalMethod:
    """Return the method of the design; right-or-wrong scores and wins bound a difference even where none is seen."""
    alone = sample.n_clusters is None and sample.weights is None
    if sample.shape == "paired" and alone and sample.kind in ("binary", "ordinal"):
        return EXACT_WINS
    if sample.shape == "unpaired":
        if sample.kind == "ordinal":
            return MANN_WHITNEY.interval
        return PROPORTIONS if sample.binary else WELCH.interval
    return _METHODS[sample.shape]


IDENTICAL = SignificanceTest(
    name="identical",
    title="comparison of identical scores",
    function=identical,
    kinds=ANY_KIND,
    uses_weights=True,
    interval=IntervalMethod(
        interval=lambda sample, level, seed, p_values: _method(sample).interval(sample, level, seed, p_values),
        margin=lambda sample, margin, seed: _method(sample).margin(sample, margin, seed),
        matched=False,
    ),
    estimand="mean difference",
    hypotheses=NOT_BETTER,
    tests_nothing=True,
    assumptions=(),
    citation="",
    summary="Both systems have the same score on every instance: p = 1.",
    title_with_clusters="comparison of identical scores",
)
