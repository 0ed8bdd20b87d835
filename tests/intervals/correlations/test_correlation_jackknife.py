"""The jackknife of a difference of correlations, against the formula with SciPy's coefficients."""

import math

import numpy as np
import pytest
from scipy import stats

from reportkit.intervals.choose_interval import standard_error
from reportkit.significance.tests.correlation_jackknife_t import correlation_jackknife_interval, estimate_difference
from reportkit.metrics.correlation import COEFFICIENTS

OF_SCIPY = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@pytest.fixture
def three():
    """Predictions of two systems and gold scores, with ties."""
    rng = np.random.default_rng(8)
    gold = rng.integers(0, 12, 40).astype(float)
    return gold + rng.normal(0, 2, 40), np.round(gold + rng.normal(0, 5, 40)), gold


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_standard_error_and_interval_follow_the_formula(predictions, three, coefficient):
    """Each instance left out for both systems, ranks anew; t with n - 1 degrees of freedom."""
    a, b, gold = three
    r = OF_SCIPY[coefficient]
    without = np.array(
        [r(np.delete(a, j), np.delete(gold, j))[0] - r(np.delete(b, j), np.delete(gold, j))[0] for j in range(40)]
    )
    error = math.sqrt(39 / 40 * ((without - without.mean()) ** 2).sum())
    difference = r(a, gold)[0] - r(b, gold)[0]
    sample = predictions(a, b, gold, coefficient=coefficient)
    assert standard_error(sample) == pytest.approx(error, rel=1e-11)
    interval = correlation_jackknife_interval(sample, 0.9)
    half = stats.t.ppf(0.95, 39) * error
    assert (interval.low, interval.high) == pytest.approx((difference - half, difference + half), rel=1e-11)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_clusters_are_left_out_whole(predictions, three, coefficient):
    """The number of clusters minus 1 degrees of freedom; the title says so."""
    a, b, gold = three
    clusters = np.arange(40) % 7
    r = OF_SCIPY[coefficient]
    kept = [clusters != c for c in range(7)]
    without = np.array([r(a[k], gold[k])[0] - r(b[k], gold[k])[0] for k in kept])
    estimate = estimate_difference(predictions(a, b, gold, coefficient=coefficient, clusters=clusters))
    assert estimate.degrees_of_freedom == 6
    assert estimate.standard_error == pytest.approx(
        math.sqrt(6 / 7 * ((without - without.mean()) ** 2).sum()), rel=1e-11
    )
    interval = correlation_jackknife_interval(predictions(a, b, gold, coefficient=coefficient, clusters=clusters))
    assert interval.title == "jackknife t interval with whole clusters"


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_nothing_is_known_where_nothing_varies(predictions, three, coefficient):
    """Systems in the same order have the difference 0 and no interval; no interval has a width of 0."""
    a, _, gold = three
    same = estimate_difference(predictions(a, 3 * a - 1, gold, coefficient=coefficient))
    assert (same.difference, same.standard_error, same.n_differing, same.t, same.unknown) == (0.0, None, 0, 0.0, "")
    opposite = predictions(gold, -gold, gold, coefficient=coefficient)
    estimate = estimate_difference(opposite)
    assert estimate.t is None
    assert estimate.unknown == "the difference is the same without each instance"
    assert correlation_jackknife_interval(opposite) is None


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_constant_without_one_instance(predictions, coefficient):
    """One instance alone makes a correlation exist: it has no standard error."""
    gold = np.arange(12.0)
    estimate = estimate_difference(predictions(gold, gold == 4, gold, coefficient=coefficient))
    assert estimate.standard_error is None
    assert estimate.unknown == "without one instance, the gold score or the predictions of a system are constant"
    one = estimate_difference(predictions(gold % 5, gold, gold, coefficient=coefficient, clusters=np.zeros(12)))
    assert one.unknown == "there is one cluster only"


def test_ends_stay_among_possible_differences(predictions):
    """A difference of correlations lies between -2 and 2."""
    rng = np.random.default_rng(1)
    gold = rng.normal(size=10)
    noise = rng.normal(size=10)
    interval = correlation_jackknife_interval(predictions(gold + noise, -gold + noise, gold), 0.999)
    assert -2 <= interval.low < interval.high == 2


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", ["pearson", "spearman"])
def test_coverage(predictions, coefficient):
    """95% intervals hold the true difference (0) in about 95% of samples of lognormal data, within 4 standard errors.

    Pearson intervals by Fisher's z hold it in 50 to 76% of such samples (see `significance.steiger`).
    """
    rng = np.random.default_rng(12)
    covered = 0
    for _ in range(600):
        gold = rng.normal(size=100)
        a, b = (np.exp(0.6 * gold + 0.8 * rng.normal(size=100)) for _ in range(2))
        interval = correlation_jackknife_interval(predictions(a, b, np.exp(gold), coefficient=coefficient))
        covered += interval.low <= 0 <= interval.high
    assert covered / 600 > 0.95 - 4 * math.sqrt(0.95 * 0.05 / 600)
