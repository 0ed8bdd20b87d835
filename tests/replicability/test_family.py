"""Families of comparisons: how the level is shared out, and what is counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.replicability.family import build_family, discovered
from reportkit.replicability.holm import holm
from reportkit.replicability.independence import IndependenceAudit
from reportkit.replicability.k_hat import k_hat

UNKNOWN = IndependenceAudit(declared="unknown")
INDEPENDENT = IndependenceAudit(declared="independent")
OVERLAP = IndependenceAudit(declared="independent", evidence=("a and b share 3 instances",))
ALPHA = (0.05, 0.01)

p_vectors = arrays(np.float64, st.integers(1, 12), elements=st.floats(1e-12, 1.0))


@given(p_vectors)
@settings(deadline=None, max_examples=60)
def test_a_declared_claim_is_counted_as_dror_et_al_do(printed_assessments, p_values):
    """With one claim, k-hat by Bonferroni and Fisher are those of the plain functions, and Holm names as many."""
    family = build_family("declared", {("new", "old"): printed_assessments(p_values)}, alpha=ALPHA, audit=INDEPENDENT)
    comparison = family.comparisons[0]
    for alpha in ALPHA:
        k = comparison.k_hat[alpha]
        assert k.count == k_hat(p_values, alpha, "count")
        assert k.bonferroni == k_hat(p_values, alpha, "bonferroni") == comparison.identified(alpha).sum()
        assert k.fisher == k_hat(p_values, alpha, "fisher") == k.recommended


@given(p_vectors)
@settings(deadline=None, max_examples=60)
def test_an_undeclared_direction_costs_half_the_level(printed_assessments, p_values):
    """Both directions at alpha / 2 each: the same as the plain functions at half the level, on both sides."""
    forth = printed_assessments(p_values)
    back = tuple(item.swapped() for item in forth)
    family = build_family("both", {("new", "old"): forth, ("old", "new"): back}, alpha=ALPHA, audit=INDEPENDENT)
    for comparison in family.comparisons:
        p = comparison.p_values
        for alpha in ALPHA:
            k = comparison.k_hat[alpha]
            assert k.count == k_hat(p, alpha / 2, "count")
            assert k.bonferroni == k_hat(p, alpha / 2, "bonferroni") == comparison.identified(alpha).sum()
            assert k.fisher == k_hat(p, alpha / 2, "fisher")


def test_baselines_are_corrected_together(printed_assessments):
    """Holm runs over all systems and datasets; Fisher's k-hat of each system gets its share of the level."""
    rng = np.random.default_rng(1)
    table = rng.uniform(size=(3, 5)) ** 4
    assessments = {(f"s{i}", "base"): printed_assessments(row, system_a=f"s{i}") for i, row in enumerate(table)}
    family = build_family("baselines", assessments, alpha=ALPHA, audit=INDEPENDENT)
    adjusted = holm(table.ravel()).reshape(table.shape)
    assert family.n_hypotheses == 15
    for row, expected, comparison in zip(table, adjusted, family.comparisons, strict=True):
        np.testing.assert_array_equal(comparison.adjusted_p_values, expected)
        assert comparison.k_hat[0.05].fisher == k_hat(row, 0.05 / 3, "fisher")
        assert comparison.k_hat[0.05].bonferroni == (expected <= 0.05).sum()


def test_printed_claims_are_families_of_their_own(printed_assessments):
    """Claims that a paper prints one by one are corrected one by one."""
    first, second = [0.01, 0.02, 0.9], [0.03, 0.5]
    family = build_family(
        "separate",
        {("a", "b"): printed_assessments(first), ("a", "c"): printed_assessments(second)},
        alpha=(0.05,),
        audit=UNKNOWN,
    )
    np.testing.assert_array_equal(family["a", "b"].adjusted_p_values, holm(first))
    np.testing.assert_array_equal(family["a", "c"].adjusted_p_values, holm(second))


def test_fisher_needs_a_declaration_that_nothing_contradicts(printed_assessments):
    """Fisher's bound is given only for declared independence; evidence against it is said and is an error."""
    claims = {("new", "old"): printed_assessments([0.01, 0.04])}
    assert build_family("declared", claims, alpha=ALPHA, audit=UNKNOWN).comparisons[0].k_hat[0.05].fisher is None
    family = build_family("declared", claims, alpha=ALPHA, audit=OVERLAP)
    assert family.comparisons[0].k_hat[0.05].fisher is None
    finding = next(item for item in family.findings if item.code == "not-independent")
    assert finding.severity == "error"
    assert "share 3 instances" in finding.message
    with pytest.raises(SettingsError, match="independent"):
        discovered(family.comparisons[0], ["d0"], 0.05, OVERLAP, "fisher")


def test_a_mark_needs_the_claimed_sign(printed_assessments):
    """A small printed p-value on a dataset where the claimed winner scores lower identifies, but does not mark."""
    family = build_family(
        "declared", {("new", "old"): printed_assessments([1e-4, 1e-4], [2.0, -2.0])}, alpha=(0.05,), audit=UNKNOWN
    )
    comparison = family.comparisons[0]
    assert comparison.identified(0.05).tolist() == [True, True]
    assert comparison.marked(0.05).tolist() == [True, False]


def test_discoveries_count_identified_datasets_of_a_subset(printed_assessments):
    """With Bonferroni's local tests the bound for a subset is the number of datasets identified in it."""
    family = build_family(
        "declared", {("new", "old"): printed_assessments([1e-4, 0.2, 1e-3, 0.9])}, alpha=(0.05,), audit=UNKNOWN
    )
    comparison = family.comparisons[0]
    assert discovered(comparison, ["d0", "d1"], 0.05, UNKNOWN) == 1
    assert discovered(comparison, ["d0", "d2"], 0.05, UNKNOWN) == 2
    assert discovered(comparison, comparison.datasets, 0.05, UNKNOWN) == comparison.k_hat[0.05].bonferroni
    with pytest.raises(UnknownNameError, match="d9"):
        discovered(comparison, ["d9"], 0.05, UNKNOWN)


def test_an_unknown_comparison_is_answered_with_known_ones(printed_assessments):
    """Asking a family for a pair that it does not hold names those that it holds."""
    family = build_family("declared", {("new", "old"): printed_assessments([0.5])}, alpha=(0.05,), audit=UNKNOWN)
    with pytest.raises(UnknownNameError, match="new > old"):
        family["old", "new"]


@pytest.mark.slow
def test_the_family_of_all_pairs_keeps_its_level_under_the_null():
    """Four equal systems, dependent datasets: any false identification in at most 5% of the families (4 SE)."""
    rng = np.random.default_rng(7)
    n_repetitions, n_systems, n_datasets = 2_000, 4, 3
    from scipy.special import ndtr

    errors = 0
    for _ in range(n_repetitions):
        quality = rng.normal(size=(n_systems, n_datasets)) + rng.normal(size=(n_systems, 1))
        z = [(quality[i] - quality[j]) / 2 for i in range(n_systems) for j in range(n_systems) if i != j]
        errors += bool((holm(ndtr(-np.concatenate(z))) <= 0.05).any())
    assert errors / n_repetitions <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / n_repetitions)
