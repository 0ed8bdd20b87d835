"""The rules of combination against SciPy, statsmodels, exact arithmetic and simulation."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import fdrcorrection

from reportkit.errors import UnknownNameError
from reportkit.replicability.multiple_testing.combination import COMBINATIONS, leading, simes_unrejected
from reportkit.replicability.multiple_testing.p_values import SMALLEST_P_VALUE, rejection_level
from tests.replicability.multiple_testing.test_fisher_bonferroni import by_integration

SUMS = [name for name, entry in COMBINATIONS.items() if entry.sum_rule is not None]


def simes_by_statsmodels(p_values):
    """Simes' p-value is the smallest p-value that Benjamini and Hochberg adjust."""
    return fdrcorrection(p_values)[1].min()


ORACLES = {
    "bonferroni": lambda p_values: min(1.0, len(p_values) * min(p_values)),
    "fisher": lambda p_values: stats.combine_pvalues(p_values, method="fisher").pvalue,
    "simes": simes_by_statsmodels,
    "stouffer": lambda p_values: stats.combine_pvalues(p_values, method="stouffer").pvalue,
    "geometric": lambda p_values: min(1.0, np.e * stats.gmean(p_values)),
    "fisher-bonferroni": by_integration,
}


def random_p_values(rng, n_datasets):
    """Null p-values, small ones, ties and ones in random proportions."""
    values = (1 - rng.random(n_datasets)) ** rng.choice([1, 1, 4, 30])
    if rng.random() < 0.3:
        values = np.ceil(values * 20) / 20
    return np.sort(values)


@pytest.mark.parametrize("name", ORACLES)
def test_p_value_for_u_combines_the_n_minus_u_plus_1_largest(name):
    """Every entry agrees with an independent test of the global null on the largest p-values; u = 1 takes all."""
    rng = np.random.default_rng(20)
    for _ in range(60):
        p_values = random_p_values(rng, int(rng.integers(1, 15)))
        if name == "stouffer":  # SciPy's normal scores of p = 1 are minus infinity and warn
            p_values = np.minimum(p_values, 0.999)
        expected = [ORACLES[name](p_values[u:]) for u in range(len(p_values))]
        np.testing.assert_allclose(COMBINATIONS[name].partial_conjunction(p_values), expected, rtol=1e-9)


def test_every_rule_but_the_truncated_product_has_an_oracle_here():
    """A new rule has to bring its oracle; the truncated product has its own file."""
    assert {*ORACLES, "tpm"} == set(COMBINATIONS)


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_fisher_is_exact_far_out_in_the_tail(size):
    """The chi-squared tail with an even number of degrees of freedom is a finite sum; 60 digits of it are the truth."""
    for exponent in (1, 5, 20, 100, 300):
        if size * exponent > 300:
            continue
        p_values = np.full(size, 10.0**-exponent)
        with localcontext() as context:
            context.prec = 60
            half = -size * Decimal(float(p_values[0])).ln()
            term = total = Decimal(1)
            for j in range(1, size):
                term *= half / j
                total += term
            truth = float(total * (-half).exp())
        assert COMBINATIONS["fisher"].partial_conjunction(p_values)[0] == pytest.approx(truth, rel=1e-11)


@pytest.mark.parametrize("name", COMBINATIONS)
def test_p_values_are_never_zero_and_never_above_one(name):
    """Products of a thousand tiny p-values underflow to the smallest normal number, and ones give 1."""
    tiny = COMBINATIONS[name].partial_conjunction(np.full(1000, 5e-324))
    assert np.all(tiny > 0)
    if name in SUMS:
        assert np.all(tiny[:-2] == SMALLEST_P_VALUE)
    assert COMBINATIONS[name].partial_conjunction(np.ones(50)).tolist() == [1.0] * 50


@pytest.mark.parametrize("name", COMBINATIONS)
def test_one_p_value_of_one_dataset_is_its_own_combination(name):
    """With N = 1 every rule returns p; the geometric mean e p, and the truncated product 1 above its tau."""
    for p in (1e-320, 1e-200, 1e-9, 0.01, 0.05, 0.3, 1.0):
        expected = {"geometric": min(1.0, np.e * p), "tpm": p if p <= 0.05 else 1.0}.get(name, p)
        (combined,) = COMBINATIONS[name].partial_conjunction(np.array([p]))
        assert combined == pytest.approx(expected, rel=1e-12, abs=SMALLEST_P_VALUE)


@pytest.mark.parametrize("name", COMBINATIONS)
def test_leading_axes_are_kept_apart(name):
    """An array of vectors gives what its vectors give one by one."""
    p_values = np.sort(1 - np.random.default_rng(5).random((2, 3, 6)) ** 3, axis=-1)
    together = COMBINATIONS[name].partial_conjunction(p_values)
    counts = COMBINATIONS[name].count(p_values, 0.2)
    assert together.shape == p_values.shape
    assert counts.shape == (2, 3)
    for index in np.ndindex(2, 3):
        np.testing.assert_array_equal(together[index], COMBINATIONS[name].partial_conjunction(p_values[index]))
        assert counts[index] == COMBINATIONS[name].count(p_values[index], 0.2)


@pytest.mark.parametrize("name", COMBINATIONS)
@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_a_larger_p_value_never_gives_a_smaller_combined_p_value(name, data):
    """All rules are non-decreasing in each p-value, without which partial conjunction would not be valid."""
    p_values = data.draw(st.lists(st.floats(1e-12, 1), min_size=1, max_size=8))
    larger = list(p_values)
    position = data.draw(st.integers(0, len(p_values) - 1))
    larger[position] = data.draw(st.floats(p_values[position], 1))
    before = COMBINATIONS[name].partial_conjunction(np.sort(p_values))
    after = COMBINATIONS[name].partial_conjunction(np.sort(larger))
    assert np.all(after >= before * (1 - 1e-12))


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("alpha", [1e-9, 0.01, 0.05, 0.2, 0.9])
def test_sums_are_decided_as_their_p_values_decide_also_next_to_the_critical_value(name, alpha):
    """`rejected` is `p_value <= level` on both sides of every critical value and a few units of rounding around it."""
    rule = COMBINATIONS[name].sum_rule
    level = rejection_level(alpha)
    sizes = np.arange(1, 41)
    critical = rule.critical_totals(40, level)
    for shift in (-1e-3, -1e-8, -1e-10, -1e-15, -3e-16, 0.0, 3e-16, 1e-15, 1e-10, 1e-8, 1e-3):
        totals = critical + shift * np.maximum(np.abs(critical), 1.0)
        if name == "tpm":  # a sum of its scores is 0, or at least that of one p-value at tau
            totals = np.where(totals < -np.log(0.05), 0.0, totals)
        np.testing.assert_array_equal(rule.rejected(totals, sizes, level), rule.p_value(totals, sizes) <= level)


@pytest.mark.parametrize("name", SUMS)
def test_critical_totals_are_where_the_p_value_crosses_the_level(name):
    """Just below them the p-value is above the level, just above them it is not."""
    rule = COMBINATIONS[name].sum_rule
    for level in (1e-6, 0.01, 0.049):
        critical = rule.critical_totals(300, level)
        sizes = np.arange(1, 301)
        margin = 1e-9 * np.abs(critical)
        assert np.all(rule.p_value(critical + margin, sizes) < level)
        assert np.all(rule.p_value(critical - margin, sizes) > level)


def unrejected_by_definition(sorted_p_values, level):
    """Largest k whose k largest p-values Simes' test does not reject, trying all k."""
    n_datasets = len(sorted_p_values)
    for k in range(n_datasets, 0, -1):
        largest = sorted_p_values[n_datasets - k :]
        if all(k * p / i > level for i, p in enumerate(largest, start=1)):
            return k
    return 0


def test_number_that_simes_does_not_reject_is_found_without_trying_all():
    """One minimum over the p-values gives the definition's number, with ties and p-values at the thresholds too."""
    rng = np.random.default_rng(8)
    for _ in range(1500):
        n_datasets = int(rng.integers(1, 25))
        alpha = float(rng.choice([0.01, 0.05, 0.1, 0.5]))
        p_values = random_p_values(rng, n_datasets)
        if rng.random() < 0.5:  # exactly at thresholds i alpha / k
            k = rng.integers(1, n_datasets + 1, n_datasets)
            at_threshold = rng.integers(1, n_datasets + 1, n_datasets) * alpha / k
            p_values = np.sort(np.where(rng.random(n_datasets) < 0.7, np.minimum(at_threshold, 1.0), p_values))
        level = rejection_level(alpha)
        assert int(simes_unrejected(p_values, level)) == unrejected_by_definition(p_values, level)


def test_number_that_simes_does_not_reject_agrees_with_the_p_values_bit_by_bit():
    """Where p-values lie exactly on thresholds and no tolerance helps, both ways of deciding still agree."""
    rng = np.random.default_rng(9)
    for _ in range(1500):
        n_datasets = int(rng.integers(1, 25))
        level = float(rng.choice([0.01, 0.05, 0.1, 0.3]))
        k = rng.integers(1, n_datasets + 1, n_datasets)
        p_values = np.sort(np.minimum(rng.integers(1, n_datasets + 1, n_datasets) * level / k, 1.0))
        by_p_values = leading(COMBINATIONS["simes"].partial_conjunction(p_values) <= level)
        assert n_datasets - int(simes_unrejected(p_values, level)) == int(by_p_values)


def test_simes_needs_no_running_maximum():
    """Raw partial conjunction p-values by Simes ascend in u."""
    p_values = np.sort(1 - np.random.default_rng(3).random((2000, 12)) ** 2, axis=-1)
    raw = COMBINATIONS["simes"].partial_conjunction(p_values)
    assert np.all(np.diff(raw, axis=-1) >= -1e-15)


def test_leading_counts_up_to_the_first_failure():
    """A rejection after a failure does not count."""
    assert leading(np.array([[True, True], [False, True], [True, False]])).tolist() == [2, 0, 1]
    assert int(leading(np.array([True]))) == 1


@pytest.mark.parametrize("name", COMBINATIONS)
def test_size_at_the_global_null_with_independent_datasets(name):
    """Fisher, Simes, Stouffer and the truncated product reject exactly 5% of independent global nulls; others fewer."""
    repetitions, alpha = 40_000, 0.05
    p_values = np.sort(1 - np.random.default_rng(41).random((repetitions, 10)), axis=-1)
    rate = np.mean(COMBINATIONS[name].count(p_values, alpha) > 0)
    exact = {"bonferroni": 1 - (1 - alpha / 10) ** 10}.get(name, alpha)
    error = 4 * np.sqrt(exact * (1 - exact) / repetitions)
    if name == "geometric":
        assert rate <= exact + error
    else:
        assert abs(rate - exact) < error


@pytest.mark.parametrize("name", [name for name, entry in COMBINATIONS.items() if entry.validity == "any"])
@pytest.mark.parametrize("dependence", ["equal", "opposite", "shared"])
def test_rules_declared_valid_under_any_dependence_keep_their_level(name, dependence):
    """Equal, mirrored and equicorrelated p-values: the global null is rejected in at most 5% of the cases."""
    repetitions = 40_000
    rng = np.random.default_rng(17)
    if dependence == "shared":
        normal = rng.standard_normal((repetitions, 1)) + rng.standard_normal((repetitions, 10))
        p_values = stats.norm.sf(normal / np.sqrt(2))
    else:
        one = 1 - rng.random((repetitions, 1))
        other = one if dependence == "equal" else np.maximum(1 - one, 2**-53)
        p_values = np.repeat(np.hstack([one, other]), 5, axis=1)
    rate = np.mean(COMBINATIONS[name].count(np.sort(p_values, axis=-1), 0.05) > 0)
    assert rate <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / repetitions)


def test_registry_says_what_each_rule_needs():
    """Validity as in the table of the specification; every rule has a title and sources."""
    assert {name: entry.validity for name, entry in COMBINATIONS.items()} == {
        "bonferroni": "any",
        "fisher": "independent",
        "simes": "positive dependence (PRDS)",
        "stouffer": "independent",
        "tpm": "independent",
        "geometric": "any",
        "fisher-bonferroni": "independent",
    }
    for name, entry in COMBINATIONS.items():
        assert entry.name == name
        assert entry.title
        assert entry.citations


def test_misspelt_rule_is_answered_with_the_nearest():
    """A look-up of an unknown name suggests the known one."""
    with pytest.raises(UnknownNameError, match="did you mean 'fisher'"):
        COMBINATIONS["fischer"]
