"""Zou's interval against its published example, its own logic, and simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import DesignError
from reportkit.intervals.correlations.zou import zou_interval, zou_limits


def test_the_published_example():
    """Zou (2007), overlapping correlations: r = .396 and .179, .088 between them, n = 66."""
    assert zou_limits(0.396, 0.179, 0.088, 66) == pytest.approx((-0.093, 0.517), abs=5e-4)


def test_without_dependence_it_is_the_sum_of_two_intervals():
    """For uncorrelated estimates, squared distances to the limits add up."""
    n, r_a, r_b = 80, 0.5, 0.0
    half = stats.norm.ppf(0.975) / math.sqrt(n - 3)
    low_a, high_a = (math.tanh(math.atanh(r_a) + sign * half) for sign in (-1, 1))
    low_b, high_b = math.tanh(-half), math.tanh(half)
    expected = (0.5 - math.hypot(0.5 - low_a, high_b), 0.5 + math.hypot(high_a - 0.5, low_b))
    assert zou_limits(r_a, r_b, 0.0, n) == pytest.approx(expected, rel=1e-12)


def test_swap_and_rank_variance():
    """B against A is A against B turned round; Spearman correlations have wider limits."""
    low, high = zou_limits(0.6, 0.4, 0.5, 50, 0.9)
    assert zou_limits(0.4, 0.6, 0.5, 50, 0.9) == pytest.approx((-high, -low), rel=1e-14)
    wider = zou_limits(0.6, 0.4, 0.5, 50, 0.9, rank=True)
    assert wider[0] < low
    assert wider[1] > high


def test_of_a_sample(predictions):
    """The three correlations of the sample; None where Fisher's z is infinite; not for Kendall's tau."""
    rng = np.random.default_rng(4)
    gold = rng.normal(size=60)
    a, b = gold + rng.normal(size=60), gold + rng.normal(size=60)
    r = [np.corrcoef(*both)[0, 1] for both in ((a, gold), (b, gold), (a, b))]
    interval = zou_interval(predictions(a, b, gold))
    assert (interval.low, interval.high) == pytest.approx(zou_limits(*r, 60), rel=1e-10)
    spearman = zou_interval(predictions(a, b, gold, coefficient="spearman"))
    assert spearman.title == "Zou interval with the Bonett–Wright variance"
    assert zou_interval(predictions(gold, b, gold)) is None
    with pytest.raises(DesignError, match="not derived for the Kendall"):
        zou_interval(predictions(a, b, gold, coefficient="kendall"))


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_coverage_for_normal_data(predictions, coefficient):
    """95% of intervals hold the true difference 0, within 4 standard errors."""
    rng = np.random.default_rng(14)
    outside = 0
    for _ in range(1500):
        gold = rng.normal(size=60)
        a, b = (0.6 * gold + 0.8 * rng.normal(size=60) for _ in range(2))
        interval = zou_interval(predictions(a, b, gold, coefficient=coefficient))
        outside += not interval.low <= 0 <= interval.high
    assert abs(outside / 1500 - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 1500)
