"""Adjusted p-values against their definitions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.errors import InputError, UnknownNameError
from reportkit.replicability.multiple_testing.adjustment import adjusted_p_values
from tests.replicability.multiple_testing.test_fisher_bonferroni import by_integration

vectors = st.lists(st.one_of(st.floats(1e-300, 1), st.sampled_from([0.01, 0.05, 0.5, 1.0])), min_size=1, max_size=6)


def step_up(p_values, factors):
    """Step-up: min over j >= i of factors(j) p_(j), at most 1, in the order given."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    running = np.minimum.accumulate((np.sort(p_values) * factors)[::-1])[::-1]
    adjusted[order] = np.minimum(running, 1.0)
    return adjusted


def closed_testing(p_values, local):
    """Largest local p-value over all sets of hypotheses that contain a dataset: the definition."""
    adjusted = np.zeros(len(p_values))
    for size in range(1, len(p_values) + 1):
        for members in itertools.combinations(range(len(p_values)), size):
            value = local(np.array(p_values)[list(members)])
            adjusted[list(members)] = np.maximum(adjusted[list(members)], value)
    return adjusted


def simes(p_values):
    """Simes' p-value of a global null."""
    return min(1.0, *(len(p_values) * p / i for i, p in enumerate(np.sort(p_values), start=1)))


DEFINITIONS = {
    "holm": lambda p: closed_testing(p, lambda own: min(1.0, own.size * own.min())),
    "fisher-bonferroni": lambda p: closed_testing(p, by_integration),
    "hochberg": lambda p: step_up(p, np.arange(len(p), 0, -1)),
    "hommel": lambda p: closed_testing(p, simes),
    "benjamini-hochberg": lambda p: step_up(p, len(p) / np.arange(1, len(p) + 1)),
    "benjamini-yekutieli": lambda p: step_up(
        p, len(p) / np.arange(1, len(p) + 1) * (1 / np.arange(1, len(p) + 1)).sum()
    ),
}


@pytest.mark.parametrize("method", DEFINITIONS)
@given(p_values=vectors)
@settings(deadline=None, max_examples=15)
def test_definitions(method, p_values):
    """Each procedure is what its authors define, ties and ones included, family by family."""
    adjusted = adjusted_p_values([p_values, p_values[::-1]], method)
    by_quadrature = method == "fisher-bonferroni"
    np.testing.assert_allclose(adjusted[0], DEFINITIONS[method](p_values), rtol=1e-8 if by_quadrature else 1e-12)
    np.testing.assert_array_equal(adjusted[1], adjusted[0][::-1])
    assert np.all((adjusted[0] >= np.array(p_values) * (1 - 1e-12)) & (adjusted <= 1))


def test_bad_input_is_refused():
    """Impossible p-values and unknown procedures raise, before statsmodels is asked."""
    with pytest.raises(InputError, match=r"1 of 2 p-values is not in \(0, 1\]"):
        adjusted_p_values([0.1, 1.5], "hommel")
    with pytest.raises(UnknownNameError, match="did you mean 'hochberg'"):
        adjusted_p_values([0.1], "hochberk")
