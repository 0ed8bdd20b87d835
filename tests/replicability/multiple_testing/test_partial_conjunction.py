"""Partial conjunction p-values against the published tables and their definition."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.errors import InputError, UnknownNameError
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.partial_conjunction import partial_conjunction

METHODS = list(COMBINATIONS)
REDSHIFT = [0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823]
vectors = st.lists(st.one_of(st.floats(1e-320, 1), st.sampled_from([0.01, 0.05, 0.5, 1.0])), min_size=1, max_size=9)


@pytest.mark.parametrize("method", ["fisher", "bonferroni"])
def test_published_tables(published, method):
    """Every p*_u of the five comparisons; a printed 0 stands for a tiny p-value there."""
    for table in published.values():
        truth = np.array(table.truths[f"pc_{method}"])
        computed = partial_conjunction(table.p_values(zero=1e-100), method)
        np.testing.assert_allclose(computed[truth > 0], truth[truth > 0], rtol=5e-6)
        assert np.all(computed[truth == 0] < 1e-12)
        assert np.all(computed > 0)


def test_fisher_on_seven_genres_by_scipy():
    """Mate against Redshift, Table 2: each entry is SciPy's Fisher test of the largest p-values."""
    ordered = sorted(REDSHIFT)
    expected = np.maximum.accumulate([stats.combine_pvalues(ordered[u:]).pvalue for u in range(7)])
    np.testing.assert_allclose(partial_conjunction(REDSHIFT, "fisher"), expected, rtol=1e-12)


@pytest.mark.parametrize("method", ["bonferroni", "fisher", "simes", "stouffer"])
def test_largest_p_values_are_the_least_favourable_subset(method):
    """p^{u/N} is the largest global-null p-value over all subsets of size N - u + 1 (Benjamini and Heller 2008)."""
    rng = np.random.default_rng(31)
    for _ in range(20):
        p_values = 1 - rng.random(6) ** rng.choice([0.5, 1, 3])
        raw = partial_conjunction(p_values, method, running_max=False)
        for u in range(1, 7):
            subsets = np.array(list(itertools.combinations(p_values, 6 - u + 1)))
            assert raw[u - 1] == pytest.approx(partial_conjunction(subsets, method, running_max=False)[:, 0].max())


def test_running_maximum_matters():
    """Raw Bonferroni p-values fall where the next dataset has one hypothesis fewer to pay for; p*_u do not."""
    raw = partial_conjunction([0.03, 0.04, 0.05], running_max=False)
    np.testing.assert_allclose(raw, [0.09, 0.08, 0.05])
    np.testing.assert_allclose(partial_conjunction([0.03, 0.04, 0.05]), [0.09, 0.09, 0.09])


@pytest.mark.parametrize("method", METHODS)
@given(p_values=vectors, data=st.data())
@settings(deadline=None, max_examples=40)
def test_order_of_datasets_is_irrelevant_and_p_values_ascend(method, p_values, data):
    """Any permutation gives the same bytes; entries lie in (0, 1] and ascend; the last is at least the largest p."""
    result = partial_conjunction(p_values, method)
    permuted = data.draw(st.permutations(p_values))
    np.testing.assert_array_equal(partial_conjunction(permuted, method), result)
    assert np.all((result > 0) & (result <= 1))
    assert np.all(np.diff(result) >= 0)
    assert result[-1] >= max(p_values) * (1 - 1e-12)
    raw = partial_conjunction(p_values, method, running_max=False)
    np.testing.assert_array_equal(np.maximum.accumulate(raw), result)


@pytest.mark.parametrize("method", METHODS)
def test_repetitions_are_computed_together_as_one_by_one(method):
    """Shape (repetitions, n_datasets) is kept, and no row influences another."""
    p_values = 1 - np.random.default_rng(2).random((4, 5, 7)) ** 2
    together = partial_conjunction(p_values, method)
    assert together.shape == (4, 5, 7)
    for index in np.ndindex(4, 5):
        np.testing.assert_array_equal(together[index], partial_conjunction(p_values[index], method))


def test_input_is_left_alone():
    """The array that is given is not sorted in place."""
    p_values = np.array([0.9, 0.1])
    partial_conjunction(p_values)
    assert p_values.tolist() == [0.9, 0.1]


def test_bad_input_is_refused():
    """P-values of 0 and unknown methods raise; the naive count is no combination."""
    with pytest.raises(InputError, match="1 of 2 p_values is 0"):
        partial_conjunction([0.0, 0.5])
    with pytest.raises(UnknownNameError, match="there is no combination of p-values 'count'"):
        partial_conjunction([0.5], "count")
