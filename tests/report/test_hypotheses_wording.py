"""Null hypothesis and alternative in words."""

from __future__ import annotations

import re

import pytest

from reportkit.report.hypotheses_wording import HYPOTHESES, hypotheses_in_words
from reportkit.report.prose import prose
from reportkit.report.wording import plain
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from tests.report.design_cases import design
from tests.report.paragraph_cases import all_tests, analysis


def test_every_null_hypothesis_of_the_catalogue_has_its_words():
    """And none is written for a hypothesis that no test has."""
    assert {test.null_hypothesis for test in SIGNIFICANCE_TESTS.values()} == set(HYPOTHESES)


@pytest.mark.parametrize("null", HYPOTHESES)
def test_null_and_alternative_name_the_same_two_systems(null):
    """Both names occur, and no letter of the catalogue is left."""
    words, alternative = HYPOTHESES[null]
    assert {"{a}", "{b}"} <= set(re.findall(r"{\w}", words + alternative))
    said = plain(prose(f"{words}; {alternative}", a="ours", b="base"))
    assert not re.search(r"\b[AB]\b|[{}]", said)


@pytest.mark.parametrize("test", all_tests())
def test_each_test_says_what_it_tests(test):
    """One sentence on each dataset, one on the direction."""
    for cell in ("one dataset, shown", "four datasets, three"):
        said = plain(hypotheses_in_words(analysis(test, cell).data.family))
        assert said.count("the alternative that") == 1
        assert "new" in said
        assert said.endswith("one-sided, in the direction declared in advance.")
        assert said.startswith("On each dataset, the" if cell.startswith("four") else "The null hypothesis")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("both directions", "No direction was declared in advance, so we test both"),
        ("all pairs", "the first system of a pair is right where the second is wrong"),
        ("two baselines", "s2 is right where a baseline is wrong"),
        ("three systems, one baseline", "a system is right where s0 is wrong"),
        (
            "two metrics, none",
            "By time, on each dataset, the null hypothesis is that the mean score of new is no better",
        ),
        ("mixed tests and intervals", "On news, the null hypothesis is that the mean score"),
        ("printed, two claims", "Each claim is read one-sided, in the direction claimed."),
    ],
)
def test_names_and_places_of_each_design(name, expected):
    """Who A and B are where there are several pairs, and where a hypothesis is tested."""
    assert expected in plain(hypotheses_in_words(design(name).data.family))
