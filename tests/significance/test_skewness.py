"""The skewness rule against SciPy, its own arithmetic and simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.skewness import SIZE_ERROR, skewness, skewness_finding
from reportkit.significance.student_t import paired_t


def test_skewness_agrees_with_scipy(pair):
    """The moment estimator, not corrected for bias."""
    differences = np.round(np.random.default_rng(1).exponential(size=50), 6)
    assert skewness(pair(differences)) == pytest.approx(stats.skew(differences), rel=1e-9)
    assert skewness(pair(0 * differences, differences)) == pytest.approx(-stats.skew(differences), rel=1e-9)


def test_skewness_of_clusters_is_that_of_their_sums(pair):
    """With clusters of equal size."""
    differences = np.round(np.random.default_rng(1).exponential(size=60), 6)
    paired = pair(differences, clusters=np.repeat(range(20), 3))
    assert skewness(paired) == pytest.approx(stats.skew(differences.reshape(20, 3).sum(axis=1)), rel=1e-9)


@pytest.mark.parametrize("values", [[0.3], [0.3, 0.3], [0.0, 0.0]])
def test_no_variance_no_skewness(pair, values):
    """Differences that are all alike are not skewed."""
    assert skewness(pair(values)) == 0.0
    assert skewness_finding(pair(values)) is None


def test_the_constant_is_the_edgeworth_term():
    """(2 z^2 + 1) phi(z) / 6 at the 95% quantile."""
    z = stats.norm.isf(0.05)
    assert pytest.approx((2 * z**2 + 1) * stats.norm.pdf(z) / 6, abs=5e-4) == SIZE_ERROR


def test_said_where_n_is_below_121_times_squared_skewness(pair):
    """Repeating the same differences keeps the skewness and raises n: the finding goes away at 121 g^2."""
    differences = np.round(np.random.default_rng(2).exponential(size=20), 6)
    enough = 121 * stats.skew(differences) ** 2
    for times in range(1, 60):
        finding = skewness_finding(pair(np.tile(differences, times)))
        assert (finding is not None) == (20 * times < enough)
    assert 20 < enough < 1_200


def test_message(pair):
    """Skewness, n, the n that would do, the predicted error, and whose claim it favours."""
    paired = pair(np.repeat([1.0, -0.1], [2, 28]), names=("new", "base"))
    finding = skewness_finding(paired)
    assert (finding.code, finding.severity) == ("skewed-differences", "warning")
    assert finding.message == (
        "The differences are skewed (skewness 3.47, n = 30, where 1,461 would do): the true size of a one-sided test "
        "of the mean at .05 is predicted to differ from .05 by about .070, upwards for a claim that 'base' is better."
    )
    assert finding.where == "'new' v 'base' on 'cb'"
    other = skewness_finding(pair(-np.repeat([1.0, -0.1], [2, 28]), names=("new", "base")))
    assert "skewness −3.47" in other.message
    assert other.message.endswith("a claim that 'new' is better.")


def test_clusters_are_counted_instead_of_instances(pair):
    """Message and rule use the number of clusters."""
    paired = pair(np.repeat([1.0, -0.1], [4, 56]), clusters=np.repeat(range(30), 2))
    message = skewness_finding(paired).message
    assert message.startswith(
        "The sums of differences of the clusters are skewed (skewness 3.47, number of clusters = 30"
    )


def test_not_said_where_no_test_of_a_mean_is_meant(pair, counts):
    """Ordinal scores, and plain right-or-wrong scores, whose tests are exact."""
    assert skewness_finding(counts(1, 0, 30)) is None
    assert skewness_finding(pair(np.repeat([1.0, -0.1], [2, 28]), kind="ordinal")) is None
    assert skewness_finding(counts(1, 0, 30, weights=np.ones(31))) is not None


@pytest.mark.slow
def test_predicted_direction_and_size_hold_in_simulation(pair):
    """Differences 1 - Exp with mean 0, n = 100: a t-test for A better rejects too often, by about .110 * 2 / 10."""
    rng, repetitions = np.random.default_rng(0), 4_000
    plan = ResamplingPlan()
    rejected = np.mean(
        [paired_t(pair(1 - rng.exponential(size=100)), plan).p_greater <= 0.05 for _ in range(repetitions)]
    )
    predicted = 0.05 + SIZE_ERROR * 2 / math.sqrt(100)
    assert rejected > 0.05 + 4 * math.sqrt(0.05 * 0.95 / repetitions)
    assert rejected == pytest.approx(predicted, abs=4 * math.sqrt(0.07 * 0.93 / repetitions))
