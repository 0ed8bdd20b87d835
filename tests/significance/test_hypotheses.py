"""The words for null hypotheses name both systems; what a test says of its effect fits what it estimates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.hypotheses import Hypotheses


@pytest.mark.parametrize("null", ["{a} is not better", "A is not better than B", "nothing"])
def test_both_systems_are_named(null):
    """A clause that leaves one out is a mistake of the programmer."""
    with pytest.raises(ValueError, match="do not name both"):
        Hypotheses(null, "it is")


def test_a_field_that_is_no_system_is_a_mistake():
    """Nothing but {a} and {b} is filled in."""
    with pytest.raises(KeyError):
        Hypotheses("{a} is not better than {b} on {dataset}", "it is")


def test_a_rank_test_has_to_say_its_effect():
    """A new test of wins that does not say how to put them in words is refused; so is one of means that does."""
    ranks, mean = SIGNIFICANCE_TESTS["mann-whitney"], SIGNIFICANCE_TESTS["welch"]
    with pytest.raises(ValueError, match="the effect is 'sign', and a text would say 'difference'"):
        replace(ranks, name="brunner-munzel", effect_words="difference")
    with pytest.raises(ValueError, match="the effect is 'mean', and a text would say 'wins'"):
        replace(mean, effect_words="wins")


def test_one_test_stands_for_nothing_tested():
    """That of identical systems; every other outcome is one of a test."""
    assert [name for name, entry in SIGNIFICANCE_TESTS.items() if entry.tests_nothing] == ["identical"]
