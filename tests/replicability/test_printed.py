"""Printed claims, recomputed: the published tables of Dror et al. (2017) and their known truths."""

from __future__ import annotations

import json

import numpy as np
import pytest

from reportkit.replicability.printed import PrintedClaim, one_sided, reproduce

TABLES = ["Mate-SpaCy", "Mate-Redshift", "POS", "Sent", "WordSim"]


@pytest.fixture(scope="module")
def tables(shared):
    """Printed p-values and differences with everything that follows from them, computed independently."""
    return json.loads((shared / "truths" / "papers.json").read_text())["tables"]


def _reproduced(table, alpha, printed=None, zero=5e-5):
    p = np.array(table["p"])
    cells = np.stack([p, np.where(p == 0, zero, p), np.where(p == 0, zero, p)], axis=1)
    return reproduce(
        system_a="A",
        system_b="B",
        datasets=table["names"],
        cells=cells,
        differences=np.array(table["delta"]),
        alpha=alpha,
        printed=printed,
    )


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_every_k_hat_and_holm_set_follows_from_the_printed_p_values(tables, name, alpha):
    """k-hat by count, Bonferroni, Fisher, and the datasets of Holm's procedure, as recomputed elsewhere."""
    truth = tables[name]["alpha"][f"{alpha}"]
    result = _reproduced(tables[name], alpha)
    assert dict(result.recomputed) == {method: truth[method] for method in ("count", "bonferroni", "fisher")}
    assert set(result.identified) == set(truth["holm"])
    assert dict(result.recomputed_low) == dict(result.recomputed_high) == dict(result.recomputed)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize(
    ("reading", "key"),
    [("observed-direction", "one_sided_observed_direction"), ("two-sided", "two_sided")],
)
def test_the_direction_of_the_printed_scores_is_respected(tables, name, alpha, reading, key):
    """One-sided p-values for A better and B better, under both readings, count as recomputed elsewhere.

    The truths take a printed 0 as 0. The report takes the upper end of its rounding cell, at which YP-130 alone no
    longer carries Fisher's bound for GloVe.
    """
    truth = tables[name]["alpha"][f"{alpha}"]
    table = tables[name]
    doubled = _reproduced(table, 2 * alpha, zero=1e-300)
    for side, better in (("A", doubled.a_better), ("B", doubled.b_better)):
        expected = truth[f"{side}_better_if_printed_p_{key}"]
        assert dict(better[reading]) == {method: expected[method] for method in ("count", "bonferroni", "fisher")}


def test_the_impossible_fisher_count_of_the_sentiment_table_is_found(tables):
    """Fisher's bound is printed as 10 at alpha = .05; 9 follows, and no rounding of the printed p-values rescues 10."""
    printed = PrintedClaim(system_a="A", system_b="B", alpha=0.05, k_hat={"count": 10, "bonferroni": 6, "fisher": 10})
    result = _reproduced(tables["Sent"], 0.05, printed)
    assert result.impossible == ("fisher",)
    assert result.recomputed["fisher"] == 9


@pytest.mark.parametrize(
    ("name", "wrong"), [("POS", {"Tamil", "Basque", "Indonesian"}), ("WordSim", {"YP-130"}), ("Sent", set())]
)
def test_starred_rows_with_the_wrong_sign_are_found(tables, name, wrong):
    """Rows that the paper stars although the claimed winner scores lower there."""
    assert set(_reproduced(tables[name], 0.05).wrong_direction) == wrong


@pytest.mark.parametrize(("name", "a", "b"), [("POS", 3, 3), ("WordSim", 5, 1)])
def test_split_level_truths(tables, name, a, b):
    """At .025 for each direction Bonferroni's bounds are the same under both readings of the printed p-values."""
    result = _reproduced(tables[name], 0.05)
    assert {values["bonferroni"] for values in result.a_better.values()} == {a}
    assert {values["bonferroni"] for values in result.b_better.values()} == {b}


def test_equal_printed_scores_support_neither_side():
    """Where a paper prints the same score twice, no direction is observed: neither p-value is below one half."""
    a, b = one_sided(np.array([0.001, 0.9]), np.zeros(2), "two-sided")
    assert a.tolist() == b.tolist() == [0.5, 0.5]
    a, b = one_sided(np.array([0.001]), np.zeros(1), "observed-direction")
    assert a.tolist() == b.tolist() == [0.5]
