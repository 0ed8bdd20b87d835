"""Units, jackknife and intervals of a corpus metric."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportkit.metrics.corpus import ACCURACY, BLEU, F1
from reportkit.significance.assess import agrees, assess
from reportkit.significance.catalogue import run_test
from reportkit.significance.corpus import (
    corpus_bootstrap_interval,
    corpus_bootstrap_margin,
    jackknife,
    jackknife_t_interval,
    resampled_differences,
)
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.standard_errors import design_effect
from tests.samples import corpus


def _counts(rng, n, measure):
    counts = np.sort(rng.integers(0, 30, size=(2, n, len(measure.columns))), axis=-1).astype(float)
    return counts[0], counts[1]


@pytest.mark.parametrize("measure", [F1, BLEU], ids=lambda m: m.name)
@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(9), [1, 2, 3, 4, 5, 6, 7, 8, 4])])
def test_against_leaving_out_by_hand(measure, clusters):
    """Each instance, or each cluster, is deleted and the metric computed again."""
    a, b = _counts(np.random.default_rng(1), 40, measure)
    result = jackknife(corpus(a, b, measure, clusters=clusters))
    groups = np.arange(40) if clusters is None else clusters
    by_hand = []
    for group in np.unique(groups):
        rest = groups != group
        by_hand.append(float(measure(a[rest].sum(axis=0))) - float(measure(b[rest].sum(axis=0))))
    n = len(by_hand)
    assert result.standard_error == pytest.approx(math.sqrt((n - 1) * np.var(by_hand)), rel=1e-9)


def test_of_a_mean_it_is_the_usual_standard_error():
    """Accuracy with equal totals is a mean of scores: se = s / sqrt(n)."""
    correct = np.array([[9, 7, 8, 4, 6], [8, 7, 5, 4, 9]], dtype=float)
    a, b = (np.column_stack((row, np.full(5, 10.0))) for row in correct)
    d = (correct[0] - correct[1]) / 10
    result = jackknife(corpus(a, b, ACCURACY))
    assert result.standard_error == pytest.approx(d.std(ddof=1) / math.sqrt(5), rel=1e-12)


def test_where_the_data_say_nothing_about_the_variance():
    """One instance; equal instances; a metric that is undefined without one of them."""
    assert jackknife(corpus([[3, 1, 1]], [[2, 1, 1]])).standard_error is None
    same = np.tile([3.0, 1, 1], (6, 1)), np.tile([2.0, 1, 1], (6, 1))
    assert jackknife(corpus(*same)).standard_error is None
    assert jackknife_t_interval(corpus(*same)) is None
    undefined = [[3, 4], [0, 0]], [[1, 4], [0, 0]]
    assert jackknife(corpus(*undefined, ACCURACY)).standard_error is None


def test_design_effect():
    """Variance with whole clusters by that of single instances; nothing to say without clusters."""
    a, b = _counts(np.random.default_rng(4), 40, F1)
    clusters = np.repeat(np.arange(10), 4)
    whole, single = (corpus(a, b, clusters=groups) for groups in (clusters, None))
    expected = (jackknife(whole).standard_error / jackknife(single).standard_error) ** 2
    assert design_effect(whole) == expected
    assert design_effect(single) is None


def f1(n, seed, common=False):
    """Counts of F1 on n instances; with a common denominator, of accuracy."""
    rng = np.random.default_rng(seed)
    b = rng.integers(1, 9, size=(n, 3)).astype(float)
    a = b + rng.integers(-1, 3, size=(n, 3)) * [1, 0, 0]
    if common:
        totals = b.sum(axis=1)
        return corpus(*(np.stack((counts[:, 0], totals), axis=1) for counts in (a, b)), ACCURACY)
    return corpus(np.maximum(a, 0), b)


@pytest.mark.slow
@pytest.mark.parametrize("common", [False, True])
@pytest.mark.parametrize("n", [30, 60])
def test_the_basic_interval_agrees_with_the_bootstrap_test(n, common):
    """At several levels; drawn and exact."""
    for seed in range(15):
        sample = f1(n, seed, common)
        outcome = run_test("corpus-bootstrap", sample, ResamplingPlan())
        for level in (0.5, 0.8, 0.95):
            found = corpus_bootstrap_interval(sample, level, 0, (outcome.p_greater, outcome.p_less))
            assert agrees(found, outcome.p_greater, outcome.p_less)
            assert found.low < sample.value_difference < found.high


@pytest.mark.parametrize("number", [999, 9_999, 20_000])
def test_an_outcome_has_the_interval_of_the_first_resamples(number):
    """Whether the test draws as many, more, or fewer; it is the interval that is computed alone."""
    sample, plan = f1(60, 1), ResamplingPlan(n_resamples=number, thresholds=(0.03,))
    found = assess(sample, plan, test="corpus-bootstrap", level=0.9).interval
    assert found == corpus_bootstrap_interval(sample, 0.9)


def test_where_the_metric_is_undefined_without_an_instance_resamples_give_the_interval():
    """A has counts in one instance only: the interval is quantiles of the resamples that hold it, from the first on."""
    a, b = _counts(np.random.default_rng(8), 40, ACCURACY)
    sample = corpus(a * (np.arange(40) == 0)[:, None], b, ACCURACY)
    drawn = resampled_differences(sample, 0, 0, 9_999)
    ends = np.quantile(drawn[np.isfinite(drawn)], [0.05, 0.95], method="weibull")
    found = assess(sample, ResamplingPlan(), test="approximate-randomization", level=0.9).interval
    assert (found.low, found.high) == pytest.approx(tuple(ends), rel=1e-12)


def test_the_exact_interval_is_that_of_infinitely_many_resamples():
    """Of a ratio with a common denominator; the drawn one is near it."""
    sample = f1(80, 3, common=True)
    exact = corpus_bootstrap_interval(sample)
    drawn = resampled_differences(sample, 0, 0, 9_999)
    low, high = 2 * sample.value_difference - np.quantile(drawn, [0.975, 0.025])
    assert (exact.low, exact.high) == pytest.approx((low, high), abs=0.05 * drawn.std())


@pytest.mark.parametrize("common", [False, True])
@pytest.mark.parametrize("n", [30, 60])
def test_the_margin_test_rejects_what_lies_outside(n, common):
    """On either side of both ends at level 1 - 2 alpha."""
    sample = f1(n, 2, common)
    for alpha in (0.025, 0.1):
        found = corpus_bootstrap_interval(sample, 1 - 2 * alpha)
        step = 0.01 * (found.high - found.low)
        assert corpus_bootstrap_margin(sample, found.low - step).p_greater < alpha
        assert corpus_bootstrap_margin(sample, found.low + step).p_greater > alpha
        assert corpus_bootstrap_margin(sample, found.high + step).p_less < alpha
        assert corpus_bootstrap_margin(sample, found.high - step).p_less > alpha
