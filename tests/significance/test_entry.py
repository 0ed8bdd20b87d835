"""What a test says about itself; its null hypothesis names both systems, and its words fit what it estimates."""

from __future__ import annotations

import dataclasses

import pytest

from reportkit.scores.choices import KINDS
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.entry import ANY_KIND, MEASURED, Hypotheses
from reportkit.significance.outcome import Tails
from reportkit.significance.tests.mcnemar import EXACT
from reportkit.significance.tests.sign_flip import SIGN_FLIP

TAILS = Tails(p_greater=0.2, p_less=0.9, p_min=0.1, method="Monte Carlo", n_resamples=999, seed=4)


def test_the_outcome_carries_tails_and_texts(pair):
    """Nothing that a test says or computed gets lost."""
    paired = pair([1, 3], [0, 1], names=("new", "base"), weights=[1, 3])
    outcome = SIGN_FLIP.outcome(paired, TAILS, statistic=1.75, statistic_name="mean difference", n_nonzero=2)
    for field in dataclasses.fields(Tails):
        assert getattr(outcome, field.name) == getattr(TAILS, field.name)
    assert (outcome.system_a, outcome.system_b, outcome.dataset, outcome.test) == ("new", "base", "cb", "sign-flip")
    assert (outcome.null_hypothesis, outcome.citation) == (SIGN_FLIP.null_hypothesis, SIGN_FLIP.citation)
    assert outcome.assumptions == ("instances are independent of each other", *SIGN_FLIP.assumptions)
    assert (outcome.estimand, outcome.estimate) == ("weighted mean difference", 1.75)
    assert (outcome.n, outcome.n_clusters) == (2, None)
    assert outcome.monte_carlo_error == pytest.approx((0.2 * 0.8 / 1_000) ** 0.5)


def test_clusters_show_only_where_they_are_used(pair):
    """Title, assumptions and number of clusters."""
    paired = pair([1, 0, 1], kind="binary", clusters=[0, 0, 1])
    flip = SIGN_FLIP.outcome(paired, TAILS, statistic=1.0, statistic_name="", n_nonzero=2)
    assert flip.title == SIGN_FLIP.title_with_clusters
    assert flip.n_clusters == 2
    assert flip.assumptions[0].startswith("clusters are independent")
    exact = EXACT.outcome(paired, TAILS, statistic=1.0, statistic_name="", n_nonzero=2)
    assert (exact.title, exact.n_clusters) == (EXACT.title, None)
    assert exact.assumptions[0].startswith("instances are independent")


def test_minus_zero_is_zero(pair):
    """Statistics and estimates print as 0."""
    outcome = SIGN_FLIP.outcome(pair([0, 0]), TAILS, statistic=-0.0, statistic_name="", n_nonzero=0, estimate=-0.0)
    assert str(outcome.statistic) == str(outcome.estimate) == "0.0"


def test_a_title_with_clusters_is_that_of_a_test_with_clusters():
    """What it takes follows from its titles, and what it estimates from its words."""
    assert (EXACT.uses_clusters, EXACT.title_with_clusters) == (False, "")
    assert SIGN_FLIP.uses_clusters
    assert not dataclasses.replace(SIGN_FLIP, title_with_clusters="").uses_clusters
    assert dataclasses.replace(SIGN_FLIP, effect_words="wins").effect == "sign"


def test_ordinal_is_the_kind_without_means():
    """All other kinds have a mean that says something."""
    assert set(KINDS) == ANY_KIND
    assert {"ordinal"} == ANY_KIND - MEASURED


@pytest.mark.parametrize("null", ["{a} is not better", "A is not better than B", "nothing"])
def test_both_systems_are_named(null):
    """A clause that leaves one out is a mistake of the programmer."""
    with pytest.raises(ValueError, match="do not name both"):
        Hypotheses(null, "it is")


def test_a_field_that_is_no_system_is_a_mistake():
    """Nothing but {a} and {b} is filled in."""
    with pytest.raises(KeyError):
        Hypotheses("{a} is not better than {b} on {dataset}", "it is")


def test_one_test_stands_for_nothing_tested():
    """That of identical systems; every other outcome is one of a test."""
    assert [name for name, entry in SIGNIFICANCE_TESTS.items() if entry.tests_nothing] == ["identical"]
