"""Partial conjunction p-values, k-hat and Holm's procedure against published tables, definitions and each other."""

from __future__ import annotations

import itertools
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from reportkit.errors import InputError, SettingsError, UnknownNameError
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.partial_conjunction import NAIVE_COUNT, holm, k_hat, partial_conjunction

METHODS = list(COMBINATIONS)
vectors = st.lists(
    st.one_of(st.floats(1e-320, 1), st.sampled_from([0.01, 0.02, 0.025, 0.05, 1.0])), min_size=1, max_size=10
)


@pytest.mark.parametrize("method", ["fisher", "bonferroni"])
def test_published_tables(published, method):
    """Every p*_u of the five comparisons; a printed 0 stands for a tiny p-value there."""
    for table in published.values():
        truth = np.array(table.truths[f"pc_{method}"])
        computed = partial_conjunction(table.p_values(zero=1e-100), method)
        np.testing.assert_allclose(computed[truth > 0], truth[truth > 0], rtol=5e-6)
        assert np.all(computed[truth == 0] < 1e-12)
        assert np.all(computed > 0)


@pytest.mark.parametrize("method", ["bonferroni", "fisher"])
def test_largest_p_values_are_the_least_favourable_subset(method):
    """p^{u/N} is the largest global-null p-value over all subsets of size N - u + 1 (Benjamini and Heller 2008)."""
    rng = np.random.default_rng(31)
    for _ in range(20):
        p_values = 1 - rng.random(6) ** rng.choice([0.5, 1, 3])
        raw = partial_conjunction(p_values, method, running_max=False)
        for u in range(1, 7):
            subsets = np.array(list(itertools.combinations(p_values, 6 - u + 1)))
            assert raw[u - 1] == pytest.approx(partial_conjunction(subsets, method, running_max=False)[:, 0].max())


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


ALL_METHODS = [NAIVE_COUNT, *METHODS]
TRUTHS = ["count", "bonferroni", "fisher", "simes"]


@pytest.mark.parametrize("method", TRUTHS)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("zero", [1e-320, 1e-100, 5e-5])
def test_published_counts(published, method, alpha, zero):
    """Recomputed k-hats of Dror et al. 2017 at both levels, wherever in its rounding cell a printed 0 may lie."""
    for table in published.values():
        assert k_hat(table.p_values(zero), alpha, method) == table.truths["alpha"][str(alpha)][method]


@pytest.mark.parametrize("method", ALL_METHODS)
@given(p_values=vectors, data=st.data())
@settings(deadline=None, max_examples=40)
def test_order_is_irrelevant_and_larger_p_values_never_help(method, p_values, data):
    """A permutation changes nothing, raising one p-value never raises k-hat, raising alpha never lowers it."""
    number = k_hat(p_values, 0.05, method)
    assert k_hat(data.draw(st.permutations(p_values)), 0.05, method) == number
    larger = list(p_values)
    position = data.draw(st.integers(0, len(p_values) - 1))
    larger[position] = data.draw(st.floats(p_values[position], 1))
    assert k_hat(larger, 0.05, method) <= number
    assert k_hat(p_values, 0.01, method) <= number <= k_hat(p_values, 0.2, method)


@given(n_datasets=st.integers(1, 40), data=st.data(), alpha=st.sampled_from([0.05, 0.01, 0.1]))
@settings(deadline=None, max_examples=150)
def test_bonferroni_counts_exactly_what_holm_names(n_datasets, data, alpha):
    """With p-values of exactly alpha / k and ties as well, k-hat by Bonferroni is the number of Holm rejections."""
    thresholds = st.sampled_from([alpha / k for k in range(1, n_datasets + 1)])
    p_values = data.draw(st.lists(st.one_of(thresholds, st.floats(1e-6, 1)), min_size=n_datasets, max_size=n_datasets))
    assert k_hat(p_values, alpha) == int(holm(p_values, alpha).sum())


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.025, 0.1, 0.3])
def test_p_value_of_exactly_alpha_over_n_counts(alpha):
    """A p-value of alpha / N is rejected for every N, in spite of rounding; the next larger p-values are not."""
    for n_datasets in range(2, 120):
        p_values = [alpha / n_datasets] + [0.9] * (n_datasets - 1)
        assert k_hat(p_values, alpha) == 1
        assert k_hat([alpha / n_datasets * (1 + 1e-9), *p_values[1:]], alpha) == 0


def test_independent_toy_example():
    """Dror et al. 2017, section 5, 100 true nulls: exact P(k-hat > 0), and P(k-hat > 1), which their figures fit."""
    repetitions = 20_000
    p_values = 1 - np.random.default_rng(2017).random((repetitions, 100))
    none = (1 - 0.05) ** 100
    exact = {
        ("count", 0): 1 - none,
        ("count", 1): 1 - none - 100 * 0.05 * 0.95**99,
        ("bonferroni", 0): 1 - (1 - 0.05 / 100) ** 100,
        ("bonferroni", 1): 0.0012216,
        ("fisher", 0): 0.05,
    }
    assert exact["count", 0] == pytest.approx(0.994079, abs=1e-6)
    assert exact["count", 1] == pytest.approx(0.962919, abs=1e-6)
    assert exact["bonferroni", 0] == pytest.approx(0.048782, abs=1e-6)
    for (method, more_than), probability in exact.items():
        rate = np.mean(k_hat(p_values, 0.05, method) > more_than)
        assert abs(rate - probability) < 4 * np.sqrt(probability * (1 - probability) / repetitions), method


@pytest.mark.parametrize("method", METHODS)
def test_too_much_is_claimed_with_probability_at_most_alpha(method):
    """5 overwhelming effects and 15 true nulls: k-hat exceeds 5 in at most 5% of the repetitions; the count in 54%."""
    repetitions = 40_000
    p_values = 1 - np.random.default_rng(55).random((repetitions, 20))
    p_values[:, :5] *= 1e-9
    error = 4 * np.sqrt(0.05 * 0.95 / repetitions)
    assert np.mean(k_hat(p_values, 0.05, method) > 5) <= 0.05 + error
    assert np.mean(k_hat(p_values, 0.05, NAIVE_COUNT) > 5) == pytest.approx(1 - 0.95**15, abs=0.01)


def test_observed_direction_is_no_declared_direction():
    """P-values of the direction that won, min(p, 1 - p), break Fisher's guarantee: 23 true nulls, error 0.957."""
    repetitions = 20_000
    p_values = 1 - np.random.default_rng(23).random((repetitions, 23))
    rate = np.mean(k_hat(np.minimum(p_values, np.maximum(1 - p_values, 2**-53)), 0.05, "fisher") > 0)
    assert rate == pytest.approx(0.957, abs=0.006)


def test_k_hat_refuses_bad_input():
    """Impossible p-values, levels and method names raise; the naive count is among the names."""
    with pytest.raises(InputError, match="1 of 2 p-values is not"):
        k_hat([0.1, float("nan")])
    with pytest.raises(SettingsError, match="alpha is 5"):
        k_hat([0.1], alpha=5)
    with pytest.raises(UnknownNameError, match="did you mean 'count'"):
        k_hat([0.1], method="counts")


def rejected_as_published(p_values, alpha):
    """The procedure of Dror et al. (2017), section 4.3, step by step, with a tolerance for rounding."""
    order = np.argsort(p_values, kind="stable")
    n_datasets = len(p_values)
    for k, position in enumerate(order, start=1):
        if p_values[position] > alpha / (n_datasets + 1 - k) * (1 + 1e-12):
            return set(order[: k - 1].tolist())
    return set(range(n_datasets))


@pytest.mark.slow
@given(p_values=vectors)
@settings(deadline=None, max_examples=30)
def test_adjusted_p_values_are_those_of_statsmodels(p_values):
    """The same numbers in the same order, ties included."""
    with mock.patch("gc.collect"):  # which takes longer than all the rest
        expected = multipletests(p_values, method="holm")[1]
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


@given(p_values=vectors)
@settings(deadline=None, max_examples=100)
def test_sorted_they_are_the_partial_conjunction_p_values(p_values):
    """The identity of the two questions, bit by bit."""
    np.testing.assert_array_equal(np.sort(holm(p_values)), partial_conjunction(p_values, "bonferroni"))
