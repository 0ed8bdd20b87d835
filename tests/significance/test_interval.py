"""Intervals, their agreement with tests, margins and equivalence."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import ttest_ind, ttost_paired

from reportkit.errors import SettingsError
from reportkit.scores.sample import Sample
from reportkit.significance.assess import TEST_BASED, agreeing, assess
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.interval import equivalence_test
from reportkit.significance.outcome import Interval, rejection_level, tail_level
from reportkit.significance.proportions import independent_margin
from reportkit.significance.standard_errors import standard_error
from reportkit.significance.tango import (
    tango_interval,
    tango_margin,
    upper_binomial_tail,
)
from reportkit.significance.tests.sign_flip import (
    sign_flip_interval,
    sign_flip_margin,
)
from reportkit.significance.units import estimate_mean, student_t_interval, student_t_margin
from tests.significance.methods import interval_of, margin_test


def test_swapping_turns_the_interval_round():
    """For B against A, both ends change sign and place."""
    interval = Interval(low=-0.1, high=0.3, level=0.95, title="t interval", citation="student1908probable")
    swapped = interval.swapped()
    assert (swapped.low, swapped.high) == (-0.3, 0.1)
    assert swapped.swapped() == interval


@pytest.mark.parametrize(
    ("low", "high", "level"), [(0.2, 0.1, 0.95), (float("nan"), 1.0, 0.95), (0.0, 1.0, 0.0), (0.0, 1.0, 95)]
)
def test_what_is_no_interval_is_refused(low, high, level):
    """Ends in the wrong order, NaN, and levels outside (0, 1) are mistakes of the caller."""
    with pytest.raises(ValueError, match="t interval"):
        Interval(low=low, high=high, level=level, title="t interval", citation="")


def interval(low, high, level=0.95):
    """An interval with a name."""
    return Interval(low=low, high=high, level=level, title="some interval", citation="")


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1 - 1e-7])
def test_the_level_is_that_of_all_decisions(level):
    """The same tolerance for rounding as in Holm's procedure and k-hat."""
    assert tail_level(level) == pytest.approx(rejection_level((1 - level) / 2), rel=1e-12)


def test_the_end_is_test_based():
    """Estimate x (1 - z_level / z_p): on the side of 0, and the nearer the level the nearer 0."""
    found = agreeing(interval(0.01, 0.31), 0.16, 0.03, 0.97, matched=False)
    assert found.low == pytest.approx(0.16 * (1 - stats.norm.isf(0.025) / stats.norm.isf(0.03)))
    assert found.high == 0.31
    assert found.title == f"some interval{TEST_BASED}"
    assert agreeing(interval(0.01, 0.31), 0.16, 0.03, 0.97, matched=True).title == "some interval"
    near = agreeing(interval(0.01, 0.31), 0.16, 0.0251, 0.97, matched=False)
    assert found.low < near.low < 0
    assert agreeing(interval(-0.01, 0.31), 0.16, 0.02, 0.98, matched=False).low > 0


def test_a_p_value_of_exactly_the_level_rejects():
    """As everywhere else; the end is then beyond 0, if by little."""
    assert agreeing(interval(0.0, 0.31), 0.16, 0.025, 0.975, matched=True).low > 0


def test_agrees_with_statsmodels(pair):
    """Paired t: the larger of both p-values."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 1, 200), rng.normal(0, 1, 200)
    expected, above, below = ttost_paired(a, b, -0.3, 0.25)
    found = equivalence_test(lambda margin: student_t_margin(pair(a, b), margin), -0.3, 0.25)
    assert found.p_value == pytest.approx(expected)
    assert found.above.p_greater == pytest.approx(above[1])
    assert found.below.p_less == pytest.approx(below[1])


@given(st.integers(0, 80), st.integers(0, 80), st.integers(1, 2000), st.floats(0.002, 0.2))
@settings(deadline=None)
def test_equivalent_exactly_where_the_interval_lies_inside(counts, wins, losses, ties, margin):
    """Right-or-wrong scores: the 90% interval for .05, and the same family of tests."""
    sample = counts(wins, losses, ties)
    interval = interval_of("mcnemar")(sample, 0.90)
    assume(min(abs(interval.low + margin), abs(interval.high - margin)) > 1e-9)
    found = equivalent(sample, -margin, margin)
    assert (found.p_value <= 0.05) == (-margin < interval.low and interval.high < margin)


def equivalent(sample, low, high):
    """Two one-sided tests by the test of the decision table."""
    return equivalence_test(lambda margin: margin_test(sample, margin), low, high)


def test_unknown_and_refused(pair):
    """No variance; margins in the wrong order."""
    assert equivalent(pair([1.0, 1.0]), -2.0, 2.0) is None
    with pytest.raises(SettingsError, match=r"0\.1 and -0\.1 are no range"):
        equivalent(pair([1.0, 2.0]), 0.1, -0.1)


NAMES = {"system_a": "a", "system_b": "b", "dataset": "cb", "metric": "score", "kind": "continuous"}


def assert_dual(sample, interval_at, margin_test=margin_test):
    """At the ends of a two-sided interval at level 1 - 2 alpha, the one-sided p-values are alpha."""
    for alpha in (0.01, 0.05, 0.2):
        interval = interval_at(sample, 1 - 2 * alpha)
        assert margin_test(sample, interval.low).p_greater == pytest.approx(alpha, abs=1e-9)
        assert margin_test(sample, interval.high).p_less == pytest.approx(alpha, abs=1e-9)
        width = interval.high - interval.low
        assert margin_test(sample, interval.low - 0.01 * width).p_greater < alpha
        assert margin_test(sample, interval.low + 0.01 * width).p_greater > alpha


@given(st.integers(1, 300), st.floats(-0.3, 0.3), st.sampled_from([0.01, 0.05, 0.1]), st.data())
@settings(deadline=None)
def test_tango_rejects_exactly_what_its_interval_excludes(n, margin, alpha, data):
    """For any counts and any margin."""
    wins = data.draw(st.integers(0, n))
    losses = data.draw(st.integers(0, n - wins))
    found, interval = tango_margin(wins, losses, n, margin), tango_interval(wins, losses, n, 1 - 2 * alpha)
    assume(min(abs(interval.low - margin), abs(interval.high - margin)) > 1e-9)
    assert (found.p_greater < alpha) == (margin < interval.low)
    assert (found.p_less < alpha) == (margin > interval.high)
    back = tango_margin(losses, wins, n, -margin)
    assert (back.p_greater, back.p_less) == pytest.approx((found.p_less, found.p_greater), rel=1e-6)


def test_tango_at_no_margin_is_mcnemar():
    """Z = (b - c) / sqrt(b + c); without any difference p = 1."""
    assert tango_margin(30, 14, 100, 0.0).p_greater == pytest.approx(stats.norm.sf(16 / math.sqrt(44)))
    nothing = tango_margin(0, 0, 50, 0.0)
    assert (nothing.p_greater, nothing.p_less) == (1.0, 1.0)


def test_means(pair):
    """SciPy's t test of the shifted differences; dual with Student's interval, with clusters and weights too."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.3, 1, 40), rng.normal(0, 1, 40)
    expected = stats.ttest_1samp(a - b, 0.1, alternative="greater")
    found = student_t_margin(pair(a, b), 0.1)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_greater == pytest.approx(expected.pvalue)
    assert found.title == "paired t-test"
    clustered = pair(a, b, clusters=np.repeat(np.arange(10), 4))
    assert student_t_margin(clustered, 0.0).title == "cluster-robust t-test"
    for sample in (pair(a, b), clustered, pair(a, b, weights=rng.uniform(1, 2, 40))):
        assert_dual(sample, student_t_interval, student_t_margin)


def test_skewed_differences(pair, beside):
    """The bootstrap-t, with the resamples of the interval that the report shows."""
    sample = pair(np.random.default_rng(6).lognormal(0, 1.2, 60))
    low = beside(sample, 0.9).low
    assert margin_test(sample, low).title == "bootstrap-t test"
    assert margin_test(sample, low).p_greater == pytest.approx(0.05, abs=2e-4)
    assert margin_test(sample, low, seed=1).p_greater != margin_test(sample, low).p_greater


def test_right_or_wrong_and_ordinal(pair, counts, beside):
    """The score test through `margin_test`; of ordinal scores the wins; clusters are flipped whole."""
    assert margin_test(counts(30, 14, 56), 0.05) == tango_margin(30, 14, 100, 0.05, tail=upper_binomial_tail)
    for alpha in (0.01, 0.05, 0.2):
        interval = beside(counts(30, 14, 56), 1 - 2 * alpha)
        for end, tail in ((interval.low, "p_greater"), (interval.high, "p_less")):
            outwards = -1e-6 if tail == "p_greater" else 1e-6
            assert getattr(margin_test(counts(30, 14, 56), end + outwards), tail) <= alpha
            assert getattr(margin_test(counts(30, 14, 56), end - outwards), tail) > alpha
    ordinal = pair([5.0, 3.0, 2.0, 4.0], [1.0, 3.0, 1.0, 5.0], kind="ordinal")
    assert margin_test(ordinal, 0.1) == tango_margin(2, 1, 4, 0.1, tail=upper_binomial_tail)
    clustered = counts(30, 14, 56, clusters=np.arange(100) % 20)
    assert margin_test(clustered, 0.05) == sign_flip_margin(clustered, 0.05)


def test_unpaired():
    """Statsmodels' Welch test with a value under the null hypothesis; dual with Welch's interval."""
    rng = np.random.default_rng(4)
    sample = Sample(shape="unpaired", **NAMES, a=rng.normal(0.5, 1, 20), b=rng.normal(0, 2, 25))
    _, p_greater, _ = ttest_ind(sample.a, sample.b, alternative="larger", usevar="unequal", value=0.2)
    welch = SIGNIFICANCE_TESTS["welch"].interval
    assert welch.margin(sample, 0.2, 0).p_greater == pytest.approx(p_greater)
    assert_dual(sample, interval_of("welch"), lambda sample, margin: welch.margin(sample, margin, 0))


def test_proportions_of_different_instances_have_a_score_test():
    """Right or wrong answers on different instances, and counts of them."""
    binary = Sample(shape="unpaired", **NAMES | {"kind": "binary"}, a=np.array([0.0, 1.0, 1.0]), b=np.array([0.0, 1.0]))
    assert margin_test(binary, 0.1) == independent_margin(binary.right, 0.1)


def exact(wins, losses, n, level=0.95):
    """Interval shown with the exact McNemar test."""
    return tango_interval(wins, losses, n, level, tail=upper_binomial_tail, named="exact test")


def test_right_or_wrong_scores_get_tango(counts, beside):
    """Wins, losses and n are counted from the scores."""
    assert beside(counts(8, 2, 20), 0.9) == exact(8, 2, 30, 0.9)


def test_lower_is_better_is_oriented(pair, beside):
    """Errors held as 0 and -1: A wins where it has 0 and B has -1."""
    errors = pair([0, 0, -1, 0], [-1, -1, 0, 0], kind="binary", higher_is_better=False)
    assert beside(errors) == exact(2, 1, 4)


def test_identical_right_or_wrong_scores_still_have_an_interval(counts, beside):
    """No difference on 50 instances bounds the true difference."""
    interval = beside(counts(0, 0, 50))
    assert interval.high == -interval.low == pytest.approx(0.0713, abs=1e-4)


@pytest.mark.parametrize("fields", [{"clusters": np.arange(20) % 8}, {"weights": np.arange(1, 21)}])
def test_clusters_and_weights_get_sign_flips(counts, beside, fields):
    """Tango's interval knows neither."""
    paired = counts(9, 5, 6, **fields)
    outcome = assess(paired, ResamplingPlan())
    assert outcome.test == "sign-flip"
    assert beside(paired) == sign_flip_interval(paired, 0.95, (outcome.p_greater, outcome.p_less))


@pytest.mark.parametrize("kind", ["continuous", "count"])
def test_means_get_sign_flips(pair, beside, kind):
    """Scores that are not right or wrong."""
    paired = pair([1, 3, 0, 2, 7, 4, 4], kind=kind)
    assert beside(paired).title == "sign-flip interval of the mean"


def test_ordinal_scores_get_an_interval_for_wins_and_losses(pair, beside):
    """The mean of ordinal scores says nothing unless it is asked for."""
    ratings = pair([5, 4, 4, 3, 1], [1, 3, 2, 3, 2], kind="ordinal")
    assert beside(ratings) == exact(3, 1, 5)
    assert standard_error(ratings) == pytest.approx(np.std([1, 1, 1, 0, -1], ddof=1) / np.sqrt(5))
    assert standard_error(ratings, effect="mean") == estimate_mean(ratings).standard_error
    clustered = pair(np.tile([5, 4, 4, 2], 5), np.tile([1, 3, 4, 4], 5), kind="ordinal", clusters=np.arange(20) // 2)
    assert beside(clustered).title == "whole-cluster sign-flip interval"


def test_no_information_no_interval(pair, beside):
    """Continuous scores that do not vary."""
    assert beside(pair([0.5, 0.5])) is None
    assert standard_error(pair([0.5, 0.5])) is None
    assert standard_error(pair([0.5])) is None


@pytest.mark.parametrize(
    ("fields", "test", "message"),
    [
        ({}, None, "sign-flip permutation test of the mean: 5 instances cannot bound the difference at 95%."),
        (
            {"clusters": [0, 0, 1, 2, 2]},
            None,
            "with whole clusters: 3 clusters cannot bound the difference at 95%.",
        ),
        ({}, "wilcoxon", "signed-rank test: a test of symmetry about 0 has no interval of the mean."),
    ],
)
def test_why_there_is_no_interval_is_said(pair, fields, test, message):
    """A finding for information; nothing where another one says that there is no variance."""
    item = assess(pair([0.1, 0.4, 0.2, -0.1, 0.3], **fields), ResamplingPlan(), test=test)
    (found,) = [finding for finding in item.findings if finding.code == "no-interval"]
    assert message in found.message
    assert found.severity == "info"
    assert item.interval is None
    still = assess(pair([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]), ResamplingPlan())
    assert still.interval is None
    assert "no-interval" not in [finding.code for finding in still.findings]
