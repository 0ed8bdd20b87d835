"""The t-test of a blocked cross-validation: its factor, its symmetry, its size."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr
from scipy.stats import t as student

from reportkit.errors import DesignError
from reportkit.reproducibility_analysis import BlockedCV, blocked_t

DIFFERENCES = np.array([[0.02, 0.01], [0.03, -0.01], [0.02, 0.03]])


def test_the_factor_is_seven_sixths_for_three_repetitions():
    """T = mean / sqrt(7/6 S^2), with 5 degrees of freedom."""
    result = blocked_t(DIFFERENCES)
    wanted = DIFFERENCES.mean() / np.sqrt(7 / 6 * DIFFERENCES.var(ddof=1))
    assert result.statistic == pytest.approx(wanted, rel=1e-12)
    assert result.degrees_of_freedom == 5
    assert result.p_greater == pytest.approx(student.sf(wanted, 5), rel=1e-10)
    assert result.p_less == pytest.approx(student.cdf(wanted, 5), rel=1e-10)


@pytest.mark.parametrize("m", [1, 2, 3, 5, 10])
def test_the_factor_is_that_of_correlations_of_one_half(m):
    """(1 + (2m - 1) r) / (2m (1 - r)) with r = 1/2 is 1 / (2m) + 1."""
    values = np.random.default_rng(m).normal(size=2 * m)
    result = blocked_t(values)
    factor = (1 + (2 * m - 1) / 2) / (2 * m * (1 - 1 / 2))
    assert result.standard_error**2 == pytest.approx(factor * values.var(ddof=1), rel=1e-12)


@given(st.lists(st.floats(-1, 1), min_size=6, max_size=6).filter(lambda x: np.ptp(x) > 1e-3))
def test_b_against_a_is_a_against_b_turned_round(values):
    """Statistic and mean change their sign, p-values change places, exactly; a scale plays no part."""
    forth, back = blocked_t(values), blocked_t([-value for value in values])
    assert (back.mean, back.statistic, back.p_greater, back.p_less) == (
        -forth.mean, -forth.statistic, forth.p_less, forth.p_greater,
    )  # fmt: skip
    assert blocked_t([100 * value for value in values]).statistic == pytest.approx(forth.statistic, rel=1e-9, abs=1e-12)
    assert 0 < forth.p_greater <= 1


def test_identical_systems_have_p_one():
    """Without any difference nothing speaks for either."""
    result = blocked_t(np.zeros((3, 2)))
    assert (result.statistic, result.p_greater, result.p_less) == (0, 1, 1)
    assert result.standard_error == 0


def test_a_p_value_is_never_zero():
    """The t of many almost equal differences leaves the range of a float."""
    result = blocked_t(1 + 1e-9 * np.random.default_rng(1).normal(size=200))
    assert result.p_greater > 0


def test_differences_that_are_all_alike_are_refused():
    """They hold no information on the variance."""
    with pytest.raises(DesignError, match=r"all 6 hold-out differences are 0\.1"):
        blocked_t([0.1] * 6)


@pytest.mark.slow
@pytest.mark.parametrize(("n_features", "shift", "seed"), [(2, 1.0, 11), (50, 0.2, 12)])
def test_size_under_equality(n_features, shift, seed):
    """Two nearest-centroid learners with equally good features: size .031 to .045, with the factor 1/6 .21 to .23.

    The ranges are those of the specification; 4 Monte Carlo standard errors are allowed.
    """
    rng = np.random.default_rng(seed)
    n, n_corpora = 200, 2000
    cv = BlockedCV(3)
    corrected, naive = 0, 0
    for _ in range(n_corpora):
        labels = rng.integers(0, 2, n)
        features = rng.normal(size=(2, n, n_features)) + shift * (labels - 0.5)[:, None]
        folds = cv.fold_of_block[:, rng.permutation(n) % 4]
        differences = np.empty((3, 2))
        for i, fold in enumerate(folds):
            for test in (0, 1):
                accuracies = [_nearest_centroid(x, labels, fold != test, fold == test) for x in features]
                differences[i, test] = accuracies[0] - accuracies[1]
        if np.ptp(differences) == 0:
            continue
        result = blocked_t(differences)
        corrected += result.p_greater <= 0.05
        naive += stdtr(5, -result.statistic * np.sqrt(7)) <= 0.05
    _within(corrected / n_corpora, 0.031, 0.045, n_corpora)
    _within(naive / n_corpora, 0.21, 0.23, n_corpora)


def _nearest_centroid(x, labels, train, test):
    high, low = x[train & (labels == 1)].mean(axis=0), x[train & (labels == 0)].mean(axis=0)
    return np.mean((x[test] @ (high - low) > (high + low) @ (high - low) / 2) == labels[test])


def _within(share, low, high, n):
    assert low - 4 * np.sqrt(low * (1 - low) / n) <= share <= high + 4 * np.sqrt(high * (1 - high) / n)
