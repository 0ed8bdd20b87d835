"""Families of comparisons: how the level is shared out, and what is counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from reportkit.replicability.comparison import discovered
from reportkit.replicability.family import build_family
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.replicability.multiple_testing.partial_conjunction import holm, k_hat
from reportkit.settings import Settings

ANY = IndependenceAudit(declared="any")
INDEPENDENT = IndependenceAudit(declared="independent")
OVERLAP = IndependenceAudit(declared="independent", evidence=("a and b share 3 instances",))
ALPHA = (0.05, 0.01)

p_vectors = arrays(np.float64, st.integers(1, 12), elements=st.floats(1e-12, 1.0))


@pytest.mark.parametrize(("design", "share"), [("declared", 1), ("both", 2)])
@given(p_values=p_vectors)
@settings(deadline=None, max_examples=25)
def test_a_claim_is_counted_as_dror_et_al_do_and_two_directions_share_the_level(
    printed_assessments, design, share, p_values
):
    """K-hat by Bonferroni and Fisher are those of the plain functions at that level, and Holm names as many."""
    assessed = printed_assessments(p_values)
    family = build_family(design, assessed, settings=Settings(alpha=ALPHA), audit=INDEPENDENT, jointly=False)
    assert design == "both" or family.correction == "Holm"
    np.testing.assert_array_equal(family.comparisons[0].p_values, p_values)
    for comparison in family.comparisons:
        p = comparison.p_values
        for alpha in ALPHA:
            k, level = comparison.k_hat[alpha], alpha / share
            assert k.count == k_hat(p, level, "count")
            assert k.bonferroni == k_hat(p, level, "bonferroni") == comparison.identified(alpha).sum()
            assert k.fisher == (k_hat(p, level, "fisher") if p.size > 1 else None)
            assert k.recommended == k_hat(p, level, k.method)


def test_baselines_are_corrected_together(printed_assessments):
    """Holm runs over all systems and datasets; Fisher's k-hat of each system gets its share of the level."""
    rng = np.random.default_rng(1)
    table = rng.uniform(size=(3, 5)) ** 4
    outcomes = [item for i, row in enumerate(table) for item in printed_assessments(row, system_a=f"s{i}")]
    family = build_family("baselines", outcomes, settings=Settings(alpha=ALPHA), audit=INDEPENDENT, jointly=False)
    adjusted = holm(table.ravel()).reshape(table.shape)
    assert family.n_hypotheses == 15
    for row, expected, comparison in zip(table, adjusted, family.comparisons, strict=True):
        np.testing.assert_array_equal(comparison.adjusted_p_values, expected)
        assert comparison.k_hat[0.05].fisher == k_hat(row, 0.05 / 3, "fisher")
        assert comparison.k_hat[0.05].bonferroni == (expected <= 0.05).sum()


@st.composite
def drawn_families(draw):
    """Design, p-values by claim, metric and dataset, gatekeeping."""
    design = draw(st.sampled_from(["declared", "both", "baselines", "all-pairs", "separate"]))
    n_systems = {"declared": 1, "both": 1, "baselines": 3, "all-pairs": 3, "separate": 2}[design]
    n_metrics = 1 if design == "separate" else draw(st.integers(1, 2))
    gatekeepings = ["none", "by-dataset", "exploratory"] + (["serial"] if design != "all-pairs" else [])
    shape = (n_systems, n_metrics, draw(st.integers(1, 5)))
    small = st.one_of(st.floats(1e-12, 1.0), st.floats(1e-5, 0.06))
    return design, draw(arrays(np.float64, shape, elements=small)), draw(st.sampled_from(gatekeepings))


def family_of(drawn, printed_assessments, audit, *, jointly=True):
    """Build what `drawn_families` draws: for two directions, the second has the complements of the p-values."""
    design, table, gatekeeping = drawn
    metrics = ("f1", "bleu")[: table.shape[1]]
    outcomes = []
    for system, by_metric in enumerate(table):
        claim = (f"s{system}", f"s{(system + 1) % 3}" if design == "all-pairs" else "base")
        outcomes += [
            replace(item, metric=metric)
            for metric, p_values in zip(metrics, by_metric, strict=True)
            for item in printed_assessments(p_values, system_a=claim[0], system_b=claim[1])
        ]
    asked = Settings(alpha=ALPHA, gatekeeping=gatekeeping if len(metrics) > 1 else "none")
    return build_family(design, outcomes, settings=asked, audit=audit, metrics=metrics, jointly=jointly)


@pytest.mark.slow
@given(drawn=drawn_families(), audit=st.sampled_from([ANY, INDEPENDENT, OVERLAP]))
@settings(deadline=None, max_examples=100)
def test_no_count_is_below_the_number_of_names(printed_assessments, drawn, audit):
    """In every design, with any gatekeeping: of each claim, of each of its subsets, at each level."""
    family = family_of(drawn, printed_assessments, audit)
    for comparison in family.comparisons:
        for alpha in ALPHA:
            named = comparison.identified(alpha)
            k = comparison.k_hat[alpha]
            assert k.recommended >= named.sum() >= comparison.marked(alpha).sum()
            assert discovered(comparison, comparison.datasets, alpha) == k.recommended
            names = [name for name, one in zip(comparison.datasets, named, strict=True) if one]
            assert discovered(comparison, names, alpha) == len(names)
            assert discovered(comparison, comparison.datasets[:1], alpha) == named[0]
            if family.correction != "closed testing":
                assert k.recommended == named.sum()


@pytest.mark.slow
@given(drawn=drawn_families())
@settings(deadline=None, max_examples=25)
def test_one_closed_test_where_datasets_are_independent(printed_assessments, drawn):
    """It is used but where there is nothing to combine, and where the level is passed on by names; else Holm's."""
    _, table, gatekeeping = drawn
    family = family_of(drawn, printed_assessments, INDEPENDENT)
    graph = table.shape[1] > 1 and gatekeeping == "by-dataset"
    expected = "graph" if graph else "Holm" if table.shape[2] == 1 else "closed testing"
    assert family.correction == expected
    apart = family_of(drawn, printed_assessments, INDEPENDENT, jointly=False)
    for mine, theirs in zip(family.comparisons, apart.comparisons, strict=True):
        np.testing.assert_array_equal(mine.stepwise_p_values, theirs.adjusted_p_values)
        assert theirs.joint is None
        if expected == "closed testing":
            assert (mine.k_hat[0.05].bonferroni, mine.k_hat[0.05].fisher) == (
                theirs.k_hat[0.05].bonferroni,
                theirs.k_hat[0.05].fisher,
            )


def test_count_and_names_of_an_audit_no_longer_contradict_each_other(printed_assessments):
    """Four p-values of which Holm's procedure names two at .01 while Fisher's combination counts one."""
    outcomes = printed_assessments([0.001, 0.00005, 0.993, 0.868])
    apart = build_family(
        "declared", outcomes, settings=Settings(alpha=(0.01,)), audit=INDEPENDENT, jointly=False
    ).comparisons[0]
    assert (apart.k_hat[0.01].recommended, apart.identified(0.01).sum()) == (1, 2)
    together = build_family("declared", outcomes, settings=Settings(alpha=(0.01,)), audit=INDEPENDENT).comparisons[0]
    assert together.k_hat[0.01].recommended == together.identified(0.01).sum() == 2


def test_printed_claims_are_families_of_their_own(printed_assessments):
    """Claims that a paper prints one by one are corrected one by one."""
    first, second = [0.01, 0.02, 0.9], [0.03, 0.5]
    family = build_family(
        "separate",
        [
            *printed_assessments(first, system_a="a", system_b="b"),
            *printed_assessments(second, system_a="a", system_b="c"),
        ],
        settings=Settings(alpha=(0.05,)),
        audit=ANY,
    )
    assert [(one.system_a, one.system_b) for one in family.comparisons] == [("a", "b"), ("a", "c")]
    for one, p_values in zip(family.comparisons, (first, second), strict=True):
        np.testing.assert_array_equal(one.adjusted_p_values, holm(p_values))


def test_fisher_needs_a_declaration_that_nothing_contradicts(printed_assessments):
    """Fisher's bound is given only for declared independence; evidence against it is said and is an error."""
    outcomes = printed_assessments([0.01, 0.04])
    assert (
        build_family("declared", outcomes, settings=Settings(alpha=ALPHA), audit=ANY).comparisons[0].k_hat[0.05].fisher
        is None
    )
    family = build_family("declared", outcomes, settings=Settings(alpha=ALPHA), audit=OVERLAP)
    assert family.comparisons[0].k_hat[0.05].fisher is None
    finding = next(item for item in family.findings if item.code == "not-independent")
    assert finding.severity == "error"
    assert "share 3 instances" in finding.message


def test_a_mark_needs_the_claimed_sign(printed_assessments):
    """A small printed p-value on a dataset where the claimed winner scores lower identifies, but does not mark."""
    family = build_family(
        "declared",
        printed_assessments([1e-4, 1e-4], [2.0, -2.0]),
        settings=Settings(alpha=(0.05,)),
        audit=ANY,
    )
    comparison = family.comparisons[0]
    assert comparison.identified(0.05).tolist() == [True, True]
    assert comparison.marked(0.05).tolist() == [True, False]
