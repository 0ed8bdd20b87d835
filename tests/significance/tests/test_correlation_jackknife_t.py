"""The jackknife t-test of two correlations."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import DesignError
from reportkit.metrics.correlation import COEFFICIENTS
from reportkit.significance.choose import choose
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.standard_errors import standard_error
from reportkit.significance.tests.correlations import correlation_jackknife_t, estimate_difference
from tests.significance.methods import interval_of

PLAN = ResamplingPlan()


def test_it_is_the_default_and_takes_clusters(predictions):
    """Row 7 of the decision table; with clusters, their number minus 1 degrees of freedom."""
    rng = np.random.default_rng(2)
    gold, a, b = rng.normal(size=(3, 40))
    assert choose(predictions(a, b, gold)).test == "correlation-jackknife-t"
    clustered = predictions(a, b, gold, clusters=np.arange(40) // 4)
    choice = choose(clustered)
    assert (choice.row, choice.test) == (7, "correlation-jackknife-t")
    assert "clusters, which are left out whole" in choice.reason
    outcome = correlation_jackknife_t(clustered, PLAN)
    assert (outcome.statistic_name, outcome.n_clusters) == ("t(9)", 10)
    assert outcome.title.endswith("with whole clusters")
    assert outcome.assumptions[0].startswith("clusters are independent")


@pytest.mark.parametrize(
    ("a", "reason"),
    [
        (-np.arange(12.0), "the difference is the same without each instance"),
        (np.eye(12)[3], "without one instance, the gold score or the predictions of a system are constant"),
    ],
)
def test_no_standard_error_no_test(predictions, a, reason):
    """Refused with the reason; never p = 0, never NaN."""
    gold = np.arange(12.0)
    with pytest.raises(DesignError, match=f"cannot estimate a variance: {reason}"):
        correlation_jackknife_t(predictions(gold, a, gold), PLAN)


def _size(predictions, draw, test, n_samples, **fields):
    rejected = 0
    for _ in range(n_samples):
        rejected += test(predictions(*draw(), **fields), PLAN).p_greater <= 0.05
    return rejected / n_samples


@pytest.mark.slow
@pytest.mark.parametrize(("n_clusters", "size"), [(4, 20), (15, 6)])
def test_size_with_clusters(predictions, n_clusters, size):
    """Left out whole they keep the level; ignored they do not."""
    rng = np.random.default_rng(4)
    clusters = np.repeat(np.arange(n_clusters), size)

    def together(n):
        return math.sqrt(0.4) * rng.normal(size=n_clusters)[clusters] + math.sqrt(0.6) * rng.normal(size=n)

    def draw():
        gold = together(clusters.size)
        return *(0.6 * gold + 0.8 * together(clusters.size) for _ in range(2)), gold

    limit = 0.05 + 4 * math.sqrt(0.05 * 0.95 / 500)
    assert _size(predictions, draw, correlation_jackknife_t, 500, clusters=clusters) <= limit
    assert _size(predictions, draw, correlation_jackknife_t, 500) > limit


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
    interval = interval_of("correlation-jackknife-t")(sample, 0.9)
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
    interval = interval_of("correlation-jackknife-t")(
        predictions(a, b, gold, coefficient=coefficient, clusters=clusters)
    )
    assert interval.title == "jackknife t interval with whole clusters"


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_nothing_is_known_where_nothing_varies(predictions, three, coefficient):
    """Systems in the same order have the difference 0 and no interval; no interval has a width of 0."""
    a, _, gold = three
    same = estimate_difference(predictions(a, 3 * a - 1, gold, coefficient=coefficient))
    assert (same.mean, same.standard_error, same.n_nonzero, same.t, same.unknown) == (0.0, None, 0, 0.0, "")
    opposite = predictions(gold, -gold, gold, coefficient=coefficient)
    estimate = estimate_difference(opposite)
    assert estimate.t is None
    assert estimate.unknown == "the difference is the same without each instance"
    assert interval_of("correlation-jackknife-t")(opposite) is None
