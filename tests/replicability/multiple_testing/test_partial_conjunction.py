"""Partial conjunction p-values, k-hat and Holm's procedure against published tables, definitions and each other."""

from __future__ import annotations

import itertools
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from reportkit.errors import InputError, SettingsError, UnknownNameError
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.replicability.multiple_testing.partial_conjunction import NAIVE_COUNT, holm, k_hat, partial_conjunction

METHODS = list(COMBINATIONS)
REDSHIFT = [0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823]
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


ALL_METHODS = [NAIVE_COUNT, *METHODS]
SENTIMENT = [0.0268, 0.0011, 0.0119, 0.0038, 1.9e-6, 0.018, 0.0186, 0.0014, 0.0011, 0.4823, 0.9507, 0.0003]
WORD_SIMILARITY = [2e-5, 5e-5, 0.2123, 0.0001, 0.3053, 0.2426, 0.0021, 0.2076, 0.0425, 5e-5, 0.0015, 0.0431]
TRUTHS = ["count", "bonferroni", "fisher", "simes", "stouffer"]


def by_p_values(p_values, alpha, method):
    """k-hat from all partial conjunction p-values: the definition."""
    return (partial_conjunction(p_values, method) <= rejection_level(alpha)).sum(axis=-1)


@pytest.mark.parametrize("method", TRUTHS)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("zero", [1e-320, 1e-100, 5e-5])
def test_published_counts(published, method, alpha, zero):
    """Recomputed k-hats of Dror et al. 2017 at both levels, wherever in its rounding cell a printed 0 may lie."""
    for table in published.values():
        assert k_hat(table.p_values(zero), alpha, method) == table.truths["alpha"][str(alpha)][method]


@pytest.mark.parametrize(
    ("p_values", "alpha", "expected"),
    [
        (REDSHIFT, 0.05, (2, 1, 5)),
        (REDSHIFT, 0.01, (1, 0, 2)),
        (SENTIMENT, 0.05, (10, 6, 9)),
        (SENTIMENT, 0.01, (6, 2, 8)),
        (WORD_SIMILARITY, 0.05, (8, 6, 7)),
        (WORD_SIMILARITY, 0.01, (6, 4, 6)),
    ],
)
def test_three_printed_rows(p_values, alpha, expected):
    """Count, Bonferroni, Fisher as printed in Table 1 and footnote 13, but for the 10 that is printed instead of 9."""
    assert tuple(k_hat(p_values, alpha, method) for method in ("count", "bonferroni", "fisher")) == expected


@pytest.mark.parametrize("method", METHODS)
def test_critical_values_give_the_number_that_p_values_give(method):
    """The fast way and the definition agree on null, small, tied and boundary p-values of many sizes."""
    rng = np.random.default_rng(12)
    for n_datasets in (1, 2, 3, 7, 23, 60):
        p_values = (1 - rng.random((300, n_datasets))) ** rng.choice([1, 2, 8], size=(300, 1))
        grid = np.ceil(p_values[:100] * 200) / 200
        at_threshold = 0.05 / rng.integers(1, n_datasets + 1, size=(100, n_datasets))
        for values in (p_values, grid, at_threshold, np.concatenate([p_values, 1 - p_values + 2**-53])):
            for alpha in (0.001, 0.05, 0.3):
                np.testing.assert_array_equal(k_hat(values, alpha, method), by_p_values(values, alpha, method))


@pytest.mark.parametrize("method", METHODS)
@given(p_values=vectors, alpha=st.sampled_from([1e-7, 0.01, 0.05, 0.5]))
@settings(deadline=None, max_examples=60)
def test_critical_values_agree_on_any_vector(method, p_values, alpha):
    """The same, on what hypothesis finds; a vector gives an int between 0 and N."""
    number = k_hat(p_values, alpha, method)
    assert type(number) is int
    assert 0 <= number <= len(p_values)
    assert number == by_p_values(p_values, alpha, method)


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


@given(p_values=vectors)
@settings(deadline=None, max_examples=150)
def test_simes_finds_at_least_what_bonferroni_finds(p_values):
    """The Simes p-value is never above the Bonferroni p-value, and neither finds more than the naive count."""
    bonferroni, simes = k_hat(p_values), k_hat(p_values, method="simes")
    assert bonferroni <= simes <= k_hat(p_values, method="count")


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


@pytest.mark.parametrize("p", [1e-320, 0.01, 0.05, 0.0500001, 0.7, 1.0])
def test_with_one_dataset_every_method_asks_whether_p_is_at_most_alpha(p):
    """All methods agree for N = 1."""
    for method in ALL_METHODS:
        assert k_hat([p], 0.05, method) == int(p <= 0.05)


@pytest.mark.parametrize("method", ALL_METHODS)
def test_ones_show_nothing(method):
    """Identical systems on all datasets: k-hat is 0, at any level."""
    assert k_hat([1.0] * 12, 0.05, method) == 0
    assert k_hat([1.0] * 12, 1 - 1e-14, method) == 0


@pytest.mark.parametrize("method", ALL_METHODS)
def test_leading_axes_and_many_rows(method):
    """Shape (...) comes back as integers, also where the rows need several blocks, and with no rows at all."""
    p_values = 1 - np.random.default_rng(4).random((3, 700, 40)) ** 2
    numbers = k_hat(p_values, 0.1, method)
    assert numbers.shape == (3, 700)
    assert np.issubdtype(numbers.dtype, np.integer)
    for index in [(0, 0), (0, 699), (1, 250), (2, 699)]:
        assert numbers[index] == k_hat(p_values[index], 0.1, method)
    assert k_hat(np.empty((0, 4)), 0.1, method).shape == (0,)


def test_independent_toy_example():
    """Dror et al. 2017, section 5, 100 true nulls: exact P(k-hat > 0), and P(k-hat > 1), which their figures fit."""
    repetitions = 60_000
    p_values = 1 - np.random.default_rng(2017).random((repetitions, 100))
    none = (1 - 0.05) ** 100
    exact = {
        ("count", 0): 1 - none,
        ("count", 1): 1 - none - 100 * 0.05 * 0.95**99,
        ("bonferroni", 0): 1 - (1 - 0.05 / 100) ** 100,
        ("bonferroni", 1): 0.0012216,
        ("fisher", 0): 0.05,
        ("simes", 0): 0.05,
        ("stouffer", 0): 0.05,
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
    with pytest.raises(InputError, match="NaN"):
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


@given(p_values=vectors)
@settings(deadline=None, max_examples=30)
def test_adjusted_p_values_are_those_of_statsmodels(p_values):
    """The same numbers in the same order, ties included."""
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


def test_holm_refuses_bad_input():
    """Impossible p-values and levels raise."""
    with pytest.raises(InputError, match="is 0, which no p-value can be"):
        holm([0.0, 0.3])
    with pytest.raises(SettingsError, match="alpha is 0"):
        holm([0.1], alpha=0)
