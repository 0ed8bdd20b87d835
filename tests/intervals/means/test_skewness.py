"""Whether differences are too skewed for a symmetric test, and whether there are enough for the bootstrap-t."""

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.skewness import (
    FEWEST_NONZERO,
    has_outliers,
    is_skewed,
    shape_of,
    shows_skewness,
    size_error,
    skewness,
)


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


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001])
def test_size_error_at_any_level(pair, alpha):
    """(2 z^2 + 1) phi(z) / 6 |g| / sqrt(n), with z from SciPy."""
    differences = np.random.default_rng(1).exponential(size=50)
    z = stats.norm.isf(alpha)
    expected = (2 * z**2 + 1) * stats.norm.pdf(z) / 6 * stats.skew(differences) / np.sqrt(50)
    assert size_error(pair(differences), alpha) == pytest.approx(expected, rel=3e-3)


def test_the_tests_of_symmetry_are_those_of_their_influence_functions(pair):
    """Each is the sum of influences over the root of the sum of squares, influences by a numerical derivative."""
    d = np.random.default_rng(2).exponential(size=25)

    def third(values, weights):
        mean = weights @ values
        return weights @ ((values - mean) / d.std()) ** 3

    def bounded(values, weights):
        u = (values - weights @ values) / np.abs(d - d.mean()).mean()
        return -(weights @ (u / (1 + np.abs(u))))

    even = np.full(d.size, 1 / d.size)
    for function, found in ((third, shape_of(pair(d)).cubic), (bounded, shape_of(pair(d)).robust)):
        step = 1e-6
        influence = np.array(
            [(function(d, (1 - step) * even + step * row) - function(d, even)) / step for row in np.eye(d.size)]
        )
        influence += function(d, even)
        assert found == pytest.approx(influence.sum() / np.sqrt((influence**2).sum()), rel=2e-2)


def test_a_pair_and_the_swapped_pair_are_judged_alike(pair):
    """Signs turn, verdicts stay; and zeros, scale and order do not matter."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        d = rng.exponential(size=40) - 1
        there, back = pair(d, names=("a", "b")), pair(-d, names=("a", "b"))
        assert shape_of(there).robust == pytest.approx(-shape_of(back).robust, rel=1e-9)
        assert shape_of(there).cubic == pytest.approx(-shape_of(back).cubic, rel=1e-9)
        verdicts = {
            (shows_skewness(one), is_skewed(one), has_outliers(one))
            for one in (there, back, pair(1e6 * d), pair(rng.permutation(d)))
        }
        assert len(verdicts) == 1


@pytest.mark.parametrize("n", [30, 100, 400])
def test_symmetric_heavy_tails_are_seldom_called_skewed(pair, n):
    """Of 300 samples of Student's t with 2 degrees of freedom at most one in eight; of lognormal ones most."""
    rng = np.random.default_rng(n)
    heavy = np.mean([is_skewed(pair(rng.standard_t(2, size=n))) for _ in range(300)])
    skewed = np.mean([is_skewed(pair(rng.lognormal(size=n))) for _ in range(300)])
    assert heavy < 0.125
    assert skewed > (0.6 if n == 30 else 0.9)


def test_two_points_are_no_crash(pair):
    """One unit, two units, all alike: no skewness, and no division by zero."""
    for values in ([0.3], [0.3, -0.3], [0.3, 0.3, 0.3], [0.0, 0.0]):
        paired = pair(np.array(values))
        assert not is_skewed(paired)
        assert not shows_skewness(paired)
        assert not has_outliers(paired)
