"""Adjusted p-values against their definitions and a brute-force closed test."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.errors import InputError, UnknownNameError
from reportkit.replicability.multiple_testing.adjustment import ADJUSTMENTS, adjusted_p_values
from tests.replicability.multiple_testing.test_fisher_bonferroni import by_integration

vectors = st.lists(st.one_of(st.floats(1e-300, 1), st.sampled_from([0.01, 0.05, 0.5, 1.0])), min_size=1, max_size=7)


def step_up(p_values, factors):
    """Step-up: min over j >= i of factors(j) p_(j), at most 1, in the order given."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    running = np.minimum.accumulate((np.sort(p_values) * factors)[::-1])[::-1]
    adjusted[order] = np.minimum(running, 1.0)
    return adjusted


def step_down(p_values):
    """Step-down: max over j <= i of (N - j + 1) p_(j), at most 1, in the order given."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    factors = np.arange(len(p_values), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(np.sort(p_values) * factors), 1.0)
    return adjusted


def hommel_by_closed_testing(p_values):
    """Largest Simes p-value over all sets of hypotheses that contain a dataset: the definition."""
    adjusted = np.zeros(len(p_values))
    for size in range(1, len(p_values) + 1):
        for members in itertools.combinations(range(len(p_values)), size):
            chosen = np.sort(np.array(p_values)[list(members)])
            simes = min(1.0, (size * chosen / np.arange(1, size + 1)).min())
            adjusted[list(members)] = np.maximum(adjusted[list(members)], simes)
    return adjusted


def by_closed_testing(p_values):
    """Largest local p-value over all sets of hypotheses that contain a dataset, by integration."""
    adjusted = np.zeros(len(p_values))
    for size in range(1, len(p_values) + 1):
        for members in itertools.combinations(range(len(p_values)), size):
            local = by_integration([p_values[member] for member in members])
            adjusted[list(members)] = np.maximum(adjusted[list(members)], local)
    return adjusted


DEFINITIONS = {
    "fisher-bonferroni": by_closed_testing,
    "holm": step_down,
    "hochberg": lambda p: step_up(p, np.arange(len(p), 0, -1)),
    "hommel": hommel_by_closed_testing,
    "benjamini-hochberg": lambda p: step_up(p, len(p) / np.arange(1, len(p) + 1)),
    "benjamini-yekutieli": lambda p: step_up(
        p, len(p) / np.arange(1, len(p) + 1) * (1 / np.arange(1, len(p) + 1)).sum()
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("method", ADJUSTMENTS)
@given(p_values=vectors)
@settings(deadline=None, max_examples=60)
def test_definitions(method, p_values):
    """Each procedure is what its authors define, ties and ones included; never 0, never below p."""
    adjusted = adjusted_p_values(p_values, method)
    by_quadrature = method == "fisher-bonferroni"
    np.testing.assert_allclose(adjusted, DEFINITIONS[method](p_values), rtol=1e-8 if by_quadrature else 1e-12)
    assert np.all(adjusted >= np.array(p_values) * (1 - 1e-12))
    assert np.all((adjusted > 0) & (adjusted <= 1))


@given(p_values=vectors)
@settings(deadline=None, max_examples=60)
def test_stronger_assumptions_never_name_fewer(p_values):
    """Hommel's p-values are at most Hochberg's, those at most Holm's; Benjamini-Hochberg's are at most Hommel's."""
    holm, hochberg, hommel, hochberg_fdr, yekutieli = (
        adjusted_p_values(p_values, name)
        for name in ("holm", "hochberg", "hommel", "benjamini-hochberg", "benjamini-yekutieli")
    )
    margin = 1 + 1e-12
    for smaller, larger in (
        (hochberg, holm),
        (hommel, hochberg),
        (hochberg_fdr, hommel),
        (hochberg_fdr, yekutieli),
    ):
        assert np.all(smaller <= larger * margin)


@pytest.mark.parametrize("method", ADJUSTMENTS)
def test_one_dataset_needs_no_adjustment(method):
    """With N = 1 the p-value stays as it is."""
    assert adjusted_p_values([0.03], method).tolist() == pytest.approx([0.03])


@pytest.mark.parametrize("method", ADJUSTMENTS)
def test_families_of_an_array_are_separate(method):
    """An array of families gives what the families give one by one."""
    p_values = 1 - np.random.default_rng(6).random((2, 3, 5)) ** 2
    together = adjusted_p_values(p_values, method)
    assert together.shape == (2, 3, 5)
    for index in np.ndindex(2, 3):
        np.testing.assert_array_equal(together[index], adjusted_p_values(p_values[index], method))


def test_registry_says_what_each_procedure_claims_and_needs():
    """Family-wise error rates and false discovery rates are told apart, with the dependence they need."""
    assert {name: (entry.claim, entry.validity) for name, entry in ADJUSTMENTS.items()} == {
        "holm": ("FWER", "any"),
        "hochberg": ("FWER", "positive dependence (PRDS)"),
        "hommel": ("FWER", "positive dependence (PRDS)"),
        "benjamini-hochberg": ("FDR", "positive dependence (PRDS)"),
        "benjamini-yekutieli": ("FDR", "any"),
        "fisher-bonferroni": ("FWER", "independent"),
    }
    for name, entry in ADJUSTMENTS.items():
        assert entry.name == name
        assert entry.title
        assert entry.citations


def test_bad_input_is_refused():
    """Impossible p-values and unknown procedures raise, before statsmodels is asked."""
    with pytest.raises(InputError, match="above 1"):
        adjusted_p_values([0.1, 1.5], "hommel")
    with pytest.raises(UnknownNameError, match="did you mean 'hochberg'"):
        adjusted_p_values([0.1], "hochberk")
