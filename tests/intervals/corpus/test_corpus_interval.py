"""Which interval for how many instances."""

import numpy as np
import pytest

from reportkit.intervals.choose_interval import standard_error
from reportkit.significance.corpus import (
    corpus_bootstrap_interval,
    corpus_bootstrap_margin,
    corpus_interval,
)
from reportkit.significance.corpus import resampled_differences
from reportkit.significance.interval import agrees
from reportkit.significance.corpus import jackknife, jackknife_t_interval
from reportkit.metrics.corpus import F1
from reportkit.metrics.corpus import ACCURACY
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.significance.catalogue import run_test
from reportkit.significance.plan import ResamplingPlan


@pytest.mark.parametrize(
    ("n", "clusters", "title"),
    [
        (19, None, "jackknife t interval"),
        (20, None, "bootstrap-t interval"),
        (49, None, "bootstrap-t interval"),
        (50, None, "BCa bootstrap interval"),
        (200, 10, "jackknife t interval"),
        (200, 40, "bootstrap-t interval"),
        (200, 100, "BCa bootstrap interval"),
    ],
)
def test_by_the_number_of_units(n, clusters, title):
    """Clusters count as units."""
    rng = np.random.default_rng(1)
    b = rng.integers(0, 9, size=(n, 3)).astype(float)
    paired = PairedStatistics(
        system_a="a",
        system_b="b",
        dataset="cb",
        metric="F1",
        kind="continuous",
        a=b + rng.integers(0, 2, size=(n, 3)) * [1, 0, 0],
        b=b,
        measure=F1,
        clusters=None if clusters is None else np.arange(n) % clusters,
    )
    assert corpus_interval(paired, 0.95, seed=1).title == title
    assert standard_error(paired) == jackknife(paired).standard_error


def f1(n, seed, common=False):
    """Counts of F1 on n instances; with a common denominator, of accuracy."""
    rng = np.random.default_rng(seed)
    b = rng.integers(1, 9, size=(n, 3)).astype(float)
    a = b + rng.integers(-1, 3, size=(n, 3)) * [1, 0, 0]
    names = {"system_a": "a", "system_b": "b", "dataset": "cb", "metric": "F1", "kind": "continuous"}
    if common:
        totals = b.sum(axis=1)
        return PairedStatistics(
            **names, a=np.stack((a[:, 0], totals), axis=1), b=np.stack((b[:, 0], totals), axis=1), measure=ACCURACY
        )
    return PairedStatistics(**names, a=np.maximum(a, 0), b=b, measure=F1)


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


def test_few_instances_reach_as_far_as_the_jackknife():
    """Unless the test says that an end is on the other side of 0."""
    sample = f1(30, 1)
    few, basic = (corpus_bootstrap_interval(sample, 0.95, 0, fewest=fewest) for fewest in (50, 0))
    jack = jackknife_t_interval(sample)
    assert (few.low, few.high) == (min(basic.low, jack.low), max(basic.high, jack.high))
    assert few.title == "basic bootstrap and jackknife t interval"
    assert basic.title == corpus_bootstrap_interval(f1(60, 1)).title == "basic bootstrap interval"


def test_the_exact_interval_is_that_of_infinitely_many_resamples():
    """Of a ratio with a common denominator; the drawn one is near it."""
    sample = f1(80, 3, common=True)
    exact = corpus_bootstrap_interval(sample)
    drawn = np.concatenate(list(resampled_differences(sample, 0, 0, 9_999)))
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
