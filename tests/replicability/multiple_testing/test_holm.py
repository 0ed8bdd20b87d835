"""Holm's procedure against statsmodels, the published sets, and its definition."""

import gc
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from reportkit.errors import InputError, SettingsError
from reportkit.replicability.multiple_testing.holm import holm
from reportkit.replicability.multiple_testing.partial_conjunction import partial_conjunction

vectors = st.lists(st.one_of(st.floats(1e-300, 1), st.sampled_from([0.01, 0.05, 0.5, 1.0])), min_size=1, max_size=12)


def rejected_as_published(p_values, alpha):
    """The procedure of Dror et al. (2017), section 4.3, step by step, with a tolerance for rounding."""
    order = np.argsort(p_values, kind="stable")
    n_datasets = len(p_values)
    for k, position in enumerate(order, start=1):
        if p_values[position] > alpha / (n_datasets + 1 - k) * (1 + 1e-12):
            return set(order[: k - 1].tolist())
    return set(range(n_datasets))


@given(p_values=vectors)
@settings(deadline=None, max_examples=30)
def test_adjusted_p_values_are_those_of_statsmodels(p_values):
    """The same numbers in the same order, ties included."""
    gc.freeze()  # statsmodels collects garbage on every call, which takes a second where thousands of tests are loaded
    try:
        expected = multipletests(p_values, method="holm")[1]
    finally:
        gc.unfreeze()
    np.testing.assert_allclose(holm(p_values), expected, rtol=1e-14)


@given(p_values=vectors, alpha=st.sampled_from([0.05, 0.01, 0.2]))
@settings(deadline=None, max_examples=150)
def test_rejections_are_those_of_the_step_down_procedure(p_values, alpha):
    """Adjusted p-values at most alpha are what the published procedure rejects."""
    assert set(np.flatnonzero(holm(p_values, alpha)).tolist()) == rejected_as_published(p_values, alpha)


@pytest.mark.parametrize("zero", [1e-100, 5e-5])
def test_published_sets(published, zero):
    """The marked languages, domains and datasets of Tables 3 to 5, and those of the other comparisons."""
    for table in published.values():
        for alpha, truth in table.truths["alpha"].items():
            named = holm(table.p_values(zero), float(alpha))
            assert [name for name, yes in zip(table.names, named, strict=True) if yes] == truth["holm"]


def test_published_adjusted_p_values(published):
    """Adjusted p-values of the five comparisons, which are recorded to ten decimals."""
    for table in published.values():
        computed = holm(table.p_values(zero=1e-100))
        np.testing.assert_allclose(computed, table.truths["holm_adjusted"], rtol=1e-12, atol=5.01e-11)


@given(p_values=vectors)
@settings(deadline=None, max_examples=100)
def test_sorted_they_are_the_partial_conjunction_p_values(p_values):
    """The identity of the two questions, bit by bit."""
    np.testing.assert_array_equal(np.sort(holm(p_values)), partial_conjunction(p_values, "bonferroni"))


@given(p_values=vectors, data=st.data())
@settings(deadline=None, max_examples=100)
def test_rejections_are_nested_and_follow_their_datasets(p_values, data):
    """What is named at a level is named at every larger one, and a permutation of the datasets permutes the names."""
    levels = sorted(data.draw(st.lists(st.floats(0.001, 0.999), min_size=2, max_size=4)))
    named = [holm(p_values, level) for level in levels]
    for smaller, larger in pairwise(named):
        assert not np.any(smaller & ~larger)
    order = data.draw(st.permutations(range(len(p_values))))
    np.testing.assert_array_equal(holm(np.array(p_values)[order]), holm(p_values)[order])


def test_ties_share_their_fate():
    """Equal p-values get equal adjusted p-values."""
    assert holm([0.02, 0.5, 0.02]).tolist() == [0.06, 0.5, 0.06]


def test_families_of_an_array_are_separate():
    """Each row is a family of its own, with a level too; nothing is sorted in place."""
    p_values = np.array([[0.04, 0.01], [0.03, 0.9]])
    np.testing.assert_allclose(holm(p_values), [[0.04, 0.02], [0.06, 0.9]])
    assert holm(p_values, 0.05).tolist() == [[True, True], [False, False]]
    assert p_values.tolist() == [[0.04, 0.01], [0.03, 0.9]]


def test_tiny_p_values_stay_positive():
    """The smallest positive number is adjusted to N times itself, not to 0."""
    assert holm([5e-324, 1.0]).tolist() == [1e-323, 1.0]


def test_bad_input_is_refused():
    """Impossible p-values and levels raise."""
    with pytest.raises(InputError, match="is 0, which no p-value can be"):
        holm([0.0, 0.3])
    with pytest.raises(SettingsError, match="alpha is 0"):
        holm([0.1], alpha=0)
