"""The rules of combination against SciPy, statsmodels, exact arithmetic and simulation."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import fdrcorrection

from reportkit.errors import UnknownNameError
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.p_values import SMALLEST_P_VALUE
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


def test_every_rule_has_an_oracle_here():
    """A new rule has to bring its oracle."""
    assert set(ORACLES) == set(COMBINATIONS)


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
    """With N = 1 every rule returns p."""
    for p in (1e-320, 1e-200, 1e-9, 0.01, 0.05, 0.3, 1.0):
        (combined,) = COMBINATIONS[name].partial_conjunction(np.array([p]))
        assert combined == pytest.approx(p, rel=1e-12, abs=SMALLEST_P_VALUE)


@pytest.mark.parametrize("name", COMBINATIONS)
def test_leading_axes_are_kept_apart(name):
    """An array of vectors gives what its vectors give one by one."""
    p_values = np.sort(1 - np.random.default_rng(5).random((2, 3, 6)) ** 3, axis=-1)
    together = COMBINATIONS[name].partial_conjunction(p_values)
    assert together.shape == p_values.shape
    for index in np.ndindex(2, 3):
        np.testing.assert_array_equal(together[index], COMBINATIONS[name].partial_conjunction(p_values[index]))


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


def test_simes_needs_no_running_maximum():
    """Raw partial conjunction p-values by Simes ascend in u."""
    p_values = np.sort(1 - np.random.default_rng(3).random((2000, 12)) ** 2, axis=-1)
    raw = COMBINATIONS["simes"].partial_conjunction(p_values)
    assert np.all(np.diff(raw, axis=-1) >= -1e-15)


@pytest.mark.parametrize("name", COMBINATIONS)
def test_size_at_the_global_null_with_independent_datasets(name):
    """Fisher, Simes and Stouffer reject exactly 5% of independent global nulls; Bonferroni fewer."""
    repetitions, alpha = 40_000, 0.05
    p_values = np.sort(1 - np.random.default_rng(41).random((repetitions, 10)), axis=-1)
    rate = np.mean(COMBINATIONS[name].partial_conjunction(p_values)[:, 0] <= alpha)
    exact = {"bonferroni": 1 - (1 - alpha / 10) ** 10}.get(name, alpha)
    error = 4 * np.sqrt(exact * (1 - exact) / repetitions)
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
    rate = np.mean(COMBINATIONS[name].partial_conjunction(np.sort(p_values, axis=-1))[:, 0] <= 0.05)
    assert rate <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / repetitions)


def test_registry_says_what_each_rule_needs():
    """Validity as in the table of the specification; every rule has a title and sources."""
    assert {name: entry.validity for name, entry in COMBINATIONS.items()} == {
        "bonferroni": "any",
        "fisher": "independent",
        "simes": "positive dependence (PRDS)",
        "stouffer": "independent",
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
