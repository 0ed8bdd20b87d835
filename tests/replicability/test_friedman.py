"""Friedman's test against SciPy, published numbers, and the tests of the pairs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

import reportkit
from reportkit.errors import DesignError

DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
"""Table 6 of Demsar (2006): AUC of C4.5 and its variants on 14 datasets; ranks as printed there."""
NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")


def friedman(scores, names=NAMES, **options):
    """From an array with a row for each dataset and a column for each system."""
    rows = [(name, f"d{i}", score) for i, row in enumerate(scores) for name, score in zip(names, row, strict=False)]
    frame = pd.DataFrame(rows, columns=["system", "dataset", "score"])
    return reportkit.compare(frame, across_datasets=True, friedman=True, **options).friedman_outcome


@pytest.mark.slow
@given(st.integers(2, 12), st.integers(3, 4), st.data())
def test_agrees_with_scipy(n, k, data):
    """Chi-squared and its p-value, with ties."""
    scores = np.array(data.draw(st.lists(st.lists(st.integers(0, 5), min_size=k, max_size=k), min_size=n, max_size=n)))
    assume(any(len(set(row)) > 1 for row in scores.tolist()))
    expected = stats.friedmanchisquare(*scores.T)
    outcome = friedman(scores.astype(float))
    assert outcome.chi_squared == pytest.approx(expected.statistic, abs=1e-9)
    assert outcome.chi_squared_p == pytest.approx(expected.pvalue, rel=1e-9)
    if np.isfinite(outcome.f):
        freedom = outcome.degrees_of_freedom
        assert outcome.f == pytest.approx((n - 1) * outcome.chi_squared / (n * (k - 1) - outcome.chi_squared))
        assert outcome.f_p == pytest.approx(stats.f.sf(outcome.f, *freedom), rel=1e-6)


def test_example_of_demsar():
    """Average ranks 3.143, 2.000, 2.893, 1.964; without the correction for ties, chi-squared 9.28 and F 3.69."""
    outcome = friedman(DEMSAR)
    ranks = [round(outcome.average_ranks[name], 3) for name in NAMES]
    assert ranks == [3.143, 2.0, 2.893, 1.964]
    ties = 1 - (2 * 6 + 60 + 6) / (14 * 4 * 15)  # three pairs of equal scores and one dataset where all are equal
    assert outcome.chi_squared * ties == pytest.approx(9.28, abs=0.005)
    assert outcome.systems[0] == "C4.5+m+cf"
    assert outcome.findings == ()


def test_pairs_are_tested_on_their_own_scores():
    """Two-sided sign flips by enumeration; a fourth system changes no p-value; adjusted as in the analysis."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(9, 4)) + np.array([0.0, 0.4, 0.8, 1.2])
    outcome = friedman(scores)
    signs = np.array(np.meshgrid(*[[-1, 1]] * 9)).reshape(9, -1)
    by_names = {frozenset((pair.system_a, pair.system_b)): pair for pair in outcome.pairs}
    for i in range(4):
        for j in range(i):
            difference = scores[:, i] - scores[:, j]
            expected = np.mean(np.abs(signs.T @ difference) >= abs(difference.sum()) - 1e-12)
            assert by_names[frozenset((NAMES[i], NAMES[j]))].p_value == pytest.approx(expected)
    fewer = {frozenset((p.system_a, p.system_b)): p.p_value for p in friedman(scores[:, :3]).pairs}
    assert all(by_names[key].p_value == p for key, p in fewer.items())


def test_direction_and_order():
    """Lower is better turns the scores round; no order of systems changes a digit."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(12, 3)) + np.array([0.0, 0.5, 1.0])
    outcome = friedman(scores)
    lower = friedman(-scores, higher_is_better=False)
    assert (lower.chi_squared, lower.pairs, lower.average_ranks) == (
        outcome.chi_squared,
        outcome.pairs,
        outcome.average_ranks,
    )
    turned = friedman(scores[:, ::-1], NAMES[2::-1])
    assert turned.chi_squared == pytest.approx(outcome.chi_squared, rel=1e-14)
    assert turned.pairs == outcome.pairs
    assert outcome.pairs[0].mean_difference > 0


def test_limits():
    """All datasets agree: F is infinite and p not 0; all scores equal: p = 1; few datasets: a warning."""
    agreed = friedman(np.tile([1.0, 2.0, 3.0], (5, 1)))
    assert np.isinf(agreed.f)
    assert 0 < agreed.f_p < 1e-300
    assert agreed.chi_squared == pytest.approx(10.0)
    assert [finding.code for finding in agreed.findings] == ["friedman-few-datasets"]
    equal = friedman(np.ones((5, 3)))
    assert (equal.chi_squared, equal.chi_squared_p, equal.f_p) == (0.0, 1.0, 1.0)
    assert {pair.p_value for pair in equal.pairs} == {1.0}


def test_what_does_not_fit_is_refused():
    """Two systems: with a way out."""
    with pytest.raises(DesignError, match="three systems or more") as error:
        friedman(np.ones((5, 2)))
    assert "across_datasets=True" in str(error.value)
