"""Margin tests: duality with the one-sided intervals of each design, SciPy and statsmodels, and size by enumeration."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import ttest_ind

from reportkit.errors import DesignError, SettingsError
from reportkit.significance.tests.correlation_jackknife_t import correlation_jackknife_interval
from reportkit.significance.corpus import jackknife_t_interval
from reportkit.significance.proportions import independent_margin
from reportkit.intervals.margins.margin import margin_test, student_margin, tango_margin
from reportkit.significance.tests.sign_flip import sign_flip_margin
from reportkit.significance.tests.corrected_resampled_t import corrected_resampled_interval
from reportkit.significance.tests.welch_seeds import run_means_interval
from reportkit.significance.units import student_t_interval
from reportkit.significance.tests.two_way_t import two_way_interval
from reportkit.significance.tests.welch import welch_interval
from reportkit.significance.tango import tango_interval, upper_binomial_tail
from reportkit.metrics.corpus import ACCURACY
from reportkit.scores.shapes.folds import PairedFolds
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.scores.shapes.run_scores import RunScores
from reportkit.scores.shapes.runs import PairedRuns
from reportkit.scores.shapes.unpaired import UnpairedScores

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


@pytest.mark.parametrize(("n", "margin", "nuisance"), [(60, 0.1, 0.05), (60, -0.1, 0.05), (100, 0.02, 0.1)])
def test_size_of_tango_by_enumeration(n, margin, nuisance):
    """Where the difference is exactly the margin, rejection at .05 has a probability near .05."""
    win, loss = nuisance + max(margin, 0.0), nuisance + max(-margin, 0.0)
    total = 0.0
    for wins in range(n + 1):
        losses = np.arange(n - wins + 1)
        cells = np.column_stack((np.full_like(losses, wins), losses, n - wins - losses))
        chances = stats.multinomial.pmf(cells, n, [win, loss, 1 - win - loss])
        for count, chance in zip(losses, chances, strict=True):
            if chance > 1e-8 and tango_margin(wins, int(count), n, margin).p_greater <= 0.05:
                total += chance
    assert 0.035 < total < 0.065


def test_means(pair):
    """SciPy's t test of the shifted differences; dual with Student's interval, with clusters and weights too."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.3, 1, 40), rng.normal(0, 1, 40)
    expected = stats.ttest_1samp(a - b, 0.1, alternative="greater")
    found = student_margin(pair(a, b), 0.1)
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.p_greater == pytest.approx(expected.pvalue)
    assert found.title == "paired t-test"
    clustered = pair(a, b, clusters=np.repeat(np.arange(10), 4))
    assert student_margin(clustered, 0.0).title == "cluster-robust t-test"
    for sample in (pair(a, b), clustered, pair(a, b, weights=rng.uniform(1, 2, 40))):
        assert_dual(sample, student_t_interval, student_margin)


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


def test_corpus_metrics():
    """Dual with the jackknife t interval."""
    rng = np.random.default_rng(1)
    totals = rng.integers(5, 15, (60, 1)).astype(float)
    a, b = (np.floor(totals * rng.uniform(low, 1, (60, 1))) for low in (0.3, 0.1))
    sample = PairedStatistics(**NAMES, a=np.hstack([a, totals]), b=np.hstack([b, totals]), measure=ACCURACY)
    assert margin_test(sample, 0.01).title == "jackknife t-test"
    assert_dual(sample, jackknife_t_interval)


def test_correlations(predictions):
    """Dual with the jackknife t interval of two correlations."""
    rng = np.random.default_rng(2)
    gold = rng.normal(size=50)
    sample = predictions(gold + rng.normal(size=50), gold + 2 * rng.normal(size=50), gold)
    assert_dual(sample, correlation_jackknife_interval)


def test_runs_and_folds():
    """Dual with the two-way interval, the Welch interval over runs, and the corrected resampled one."""
    rng = np.random.default_rng(3)
    assert_dual(PairedRuns(**NAMES, a=rng.normal(size=(3, 20)), b=rng.normal(size=(4, 20))), two_way_interval)
    assert_dual(RunScores(**NAMES, a=rng.normal(size=5), b=rng.normal(size=4)), run_means_interval)
    assert_dual(
        PairedFolds(**NAMES, a=rng.normal(size=(2, 5)), b=rng.normal(size=(2, 5))), corrected_resampled_interval
    )


def test_unpaired():
    """Statsmodels' Welch test with a value under the null hypothesis; dual with Welch's interval."""
    rng = np.random.default_rng(4)
    sample = UnpairedScores(**NAMES, a=rng.normal(0.5, 1, 20), b=rng.normal(0, 2, 25))
    _, p_greater, _ = ttest_ind(sample.a, sample.b, alternative="larger", usevar="unequal", value=0.2)
    assert margin_test(sample, 0.2).p_greater == pytest.approx(p_greater)
    assert_dual(sample, welch_interval)


def test_swapped(counts):
    """A above B by more than the margin is B below A by more than it."""
    found = margin_test(counts(30, 14, 56), 0.05)
    back = margin_test(counts(14, 30, 56, names=("b", "a")), -0.05)
    assert found.swapped().p_greater == pytest.approx(back.p_greater)
    assert (found.swapped().margin, found.swapped().estimate) == (back.margin, back.estimate)


def test_unknown_and_refused(pair, counts):
    """No variance; designs without a shifted test; margins that make no sense."""
    assert margin_test(pair([1.0, 1.0, 1.0]), 0.5) is None
    with pytest.raises(SettingsError, match="the margin is nan"):
        margin_test(pair([1.0, 2.0]), math.nan)
    with pytest.raises(SettingsError, match=r"1\.0 is no difference of two proportions"):
        margin_test(counts(3, 1, 4), 1.0)
    with pytest.raises(SettingsError, match="3 wins and 3 losses among 5"):
        tango_margin(3, 3, 5, 0.1)
    ordinal = UnpairedScores(**NAMES | {"kind": "ordinal"}, a=np.array([1.0, 2.0, 3.0]), b=np.array([1.0, 3.0]))
    with pytest.raises(DesignError, match="no shifted test"):
        margin_test(ordinal, 0.1)


def test_proportions_of_different_instances_have_a_score_test():
    """Right or wrong answers on different instances, and counts of them."""
    binary = UnpairedScores(**NAMES | {"kind": "binary"}, a=np.array([0.0, 1.0, 1.0]), b=np.array([0.0, 1.0]))
    assert margin_test(binary, 0.1) == independent_margin(binary.right, 0.1)


def test_p_values_are_never_zero(counts, pair):
    """However far the difference is from the margin."""
    rng = np.random.default_rng(5)
    assert 0 < margin_test(counts(100_000, 0), -0.9).p_greater < 1e-300
    assert 0 < student_margin(pair(1.0 + 1e-6 * rng.normal(size=500)), -1000.0).p_greater < 1e-300
    assert margin_test(pair(1.0 + 1e-6 * rng.normal(size=500)), -1000.0).p_greater == pytest.approx(2.0**-500, rel=0.02)
