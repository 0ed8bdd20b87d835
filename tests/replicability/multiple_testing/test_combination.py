"""The rules of combination against SciPy, exact arithmetic and simulation."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import fdrcorrection

from reportkit.errors import UnknownNameError
from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.partial_conjunction import partial_conjunction
from reportkit.significance.nulls import SMALLEST_P_VALUE
from tests.replicability.multiple_testing.test_fisher_bonferroni import by_integration

ORACLES = {
    "simes": lambda p_values: fdrcorrection(p_values)[1].min(),
    "bonferroni": lambda p_values: min(1.0, len(p_values) * min(p_values)),
    "fisher": lambda p_values: stats.combine_pvalues(p_values, method="fisher").pvalue,
    "fisher-bonferroni": by_integration,
}


def raw(p_values, method):
    """Partial conjunction p-values without the running maximum."""
    return partial_conjunction(p_values, method, running_max=False)


@pytest.mark.parametrize("name", ORACLES)
def test_p_value_for_u_combines_the_n_minus_u_plus_1_largest(name):
    """Every entry agrees with an independent test of the global null on the largest p-values; u = 1 takes all."""
    rng = np.random.default_rng(20)
    for _ in range(60):
        values = (1 - rng.random(int(rng.integers(1, 15)))) ** rng.choice([1, 1, 4, 30])
        p_values = np.sort(np.ceil(values * 20) / 20 if rng.random() < 0.3 else values)
        expected = [ORACLES[name](p_values[u:]) for u in range(len(p_values))]
        np.testing.assert_allclose(raw(p_values, name), expected, rtol=1e-9)


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
        assert raw(p_values, "fisher")[0] == pytest.approx(truth, rel=1e-11)


@pytest.mark.parametrize("name", COMBINATIONS)
def test_p_values_are_never_zero_and_never_above_one(name):
    """Products of a thousand tiny p-values underflow to the smallest normal number, and ones give 1; one p stays."""
    tiny = raw(np.full(1000, 5e-324), name)
    assert np.all(tiny > 0)
    assert name == "bonferroni" or np.all(tiny[:-2] <= 2 * SMALLEST_P_VALUE)
    assert raw(np.ones(50), name).tolist() == [1.0] * 50
    assert raw([0.03], name)[0] == pytest.approx(0.03, rel=1e-12)


@pytest.mark.parametrize("name", COMBINATIONS)
@given(data=st.data())
@settings(deadline=None, max_examples=30)
def test_a_larger_p_value_never_gives_a_smaller_combined_p_value(name, data):
    """All rules are non-decreasing in each p-value, without which partial conjunction would not be valid."""
    p_values = data.draw(st.lists(st.floats(1e-12, 1), min_size=1, max_size=8))
    larger = list(p_values)
    position = data.draw(st.integers(0, len(p_values) - 1))
    larger[position] = data.draw(st.floats(p_values[position], 1))
    assert np.all(raw(larger, name) >= raw(p_values, name) * (1 - 1e-12))


@pytest.mark.parametrize("dependence", ["equal", "opposite", "shared"])
def test_bonferroni_keeps_its_level_under_any_dependence(dependence):
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
    rate = np.mean(raw(p_values, "bonferroni")[:, 0] <= 0.05)
    assert rate <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / repetitions)


def test_misspelt_rule_is_answered_with_the_nearest():
    """A look-up of an unknown name suggests the known one."""
    with pytest.raises(UnknownNameError, match="did you mean 'fisher'"):
        raw([0.1], "fischer")
