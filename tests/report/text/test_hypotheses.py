"""Null hypothesis and alternative in words."""

from __future__ import annotations

import re

import pytest

from reportkit.report.prose import plain, prose
from reportkit.report.text.hypotheses import hypotheses_in_words
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from tests.report.design_cases import design
from tests.report.paragraph_cases import all_tests, analysis


@pytest.mark.parametrize("name", SIGNIFICANCE_TESTS)
def test_null_and_alternative_name_the_same_two_systems(name):
    """Both names occur, and no letter of the catalogue is left."""
    hypotheses = SIGNIFICANCE_TESTS[name].hypotheses
    words, alternative = hypotheses.null, hypotheses.alternative
    assert {"{a}", "{b}"} <= set(re.findall(r"{\w}", words + alternative))
    said = plain(prose(f"{words}; {alternative}", a="ours", b="base"))
    assert not re.search(r"\b[AB]\b|[{}]", said)


@pytest.mark.parametrize("test", all_tests())
def test_each_test_says_what_it_tests(test):
    """One sentence on each dataset, one on the direction."""
    for cell in ("one dataset, shown", "four datasets, three"):
        said = plain(hypotheses_in_words(analysis(test, cell)))
        assert said.count("the alternative that") == 1
        assert "new" in said
        assert said.endswith("All tests are one-sided, in the direction of the claim.")
        assert said.startswith("On each dataset, the" if cell.startswith("four") else "The null hypothesis")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("both directions", "We test both directions, each one-sided at half the level"),
        ("all pairs", "the first system of a pair is right no more often than the second"),
        (
            "two baselines",
            "s2 is right no more often than a baseline",
        ),
        (
            "three systems, one baseline",
            "a system is right no more often than s0",
        ),
        (
            "two metrics, none",
            "For time, on each dataset, the null hypothesis is that the mean score of new is no better",
        ),
        ("mixed tests and intervals", "On news, the null hypothesis is that the mean score"),
        ("printed, two claims", "We test each claim one-sided, in the direction claimed."),
    ],
)
def test_names_and_places_of_each_design(name, expected):
    """Who A and B are where there are several pairs, and where a hypothesis is tested."""
    assert expected in plain(hypotheses_in_words(design(name)))
