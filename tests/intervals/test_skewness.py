"""Whether differences are too skewed for a symmetric test, and whether there are enough for the bootstrap-t."""

import numpy as np
import pytest
from scipy import stats

from reportkit.intervals.skewness import FEWEST_NONZERO, is_skewed, size_error, skewness


def test_size_error_is_the_edgeworth_term(pair):
    """.110 |g| / sqrt(n)."""
    differences = np.random.default_rng(1).exponential(size=50)
    expected = 0.110 * stats.skew(differences) / np.sqrt(50)
    assert size_error(pair(differences)) == pytest.approx(expected, rel=1e-6)
    assert size_error(pair(-differences)) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("wins", [25, 40, 80, 200, 400])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_rule_is_n_below_121_g_squared(pair, wins, sign):
    """A tenth of all differences are 1, the others 0.1: the skewness is 2.67, so that 859 of them are enough."""
    values = sign * np.append(np.ones(wins), np.full(9 * wins, 0.1))
    assert is_skewed(pair(values)) == (10 * wins < 121 * stats.skew(values) ** 2) == (10 * wins < 860)


@pytest.mark.parametrize("n_nonzero", [5, FEWEST_NONZERO - 1, FEWEST_NONZERO])
def test_few_differing_units_are_left_to_the_sign_flip(pair, n_nonzero):
    """Resamples of 19 units say too little, however skewed they are; zeros do not help."""
    differences = np.append(np.zeros(200), np.arange(1.0, n_nonzero + 1) ** 3)
    assert is_skewed(pair(differences)) == (n_nonzero >= FEWEST_NONZERO)


def test_only_of_means_of_instances(pair, counts):
    """Never of ordinal and of plain right-or-wrong scores; with clusters, of their sums."""
    differences = np.arange(1.0, 41.0) ** 4
    assert is_skewed(pair(differences))
    assert is_skewed(pair(differences, kind="count"))
    assert not is_skewed(pair(differences, kind="ordinal"))
    assert not is_skewed(counts(25, 1, 300))
    assert is_skewed(counts(25, 0, 300, weights=np.ones(325)))
    assert not is_skewed(pair(differences, clusters=np.repeat(range(10), 4)))
    assert skewness(pair(differences, clusters=np.repeat(range(10), 4))) > 1
