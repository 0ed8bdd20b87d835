"""Words of the field: what they match, and what looks alike."""

from __future__ import annotations

import pytest

from reportkit.checker import vocabulary


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("TEST", "the exact McNemar test", True),
        ("TEST", "a paired t-test", True),
        ("TEST", "the test set", False),
        ("TEST", "bootstrapping language models", False),
        ("TEST", "bootstrap resampling", True),
        ("CORRECTION", "Holm-adjusted", True),
        ("CORRECTION", "Stockholm corrections of spelling", False),
        ("CORRECTION", "corrected for the number of comparisons", True),
        ("SIDES", "two-tailed", True),
        ("SIDES", "long-tailed", False),
        ("LEVEL", "p < .05", True),
        ("LEVEL", "sentence-level BLEU", False),
        ("INTERVAL", "95% confidence interval", True),
        ("INTERVAL", "in intervals of five minutes", False),
        ("EQUIVALENCE", "two one-sided tests", True),
        ("EQUIVALENCE", "the two are equivalent", False),
    ],
)
def test_what_a_pattern_matches(name, text, expected):
    """Each with a near miss."""
    assert (getattr(vocabulary, name).search(text) is not None) is expected


@pytest.mark.parametrize(
    ("text", "relation", "printed"),
    [("p = .041", "=", ".041"), ("p-value of 0.3", None, "0.3"), ("p ≤ .05", "≤", ".05"), ("p > 0.05", ">", "0.05")],
)
def test_a_printed_p_value(text, relation, printed):
    """Its relation and its digits."""
    match = vocabulary.P_NUMBER.search(text)
    assert (match["relation"], match["p"]) == (relation, printed)


@pytest.mark.parametrize("text", ["top 5", "step = 3", "pp. 5", "P(x) = .5"])
def test_no_p_value(text):
    """Letters of other words and probabilities."""
    assert vocabulary.P_NUMBER.search(text) is None
