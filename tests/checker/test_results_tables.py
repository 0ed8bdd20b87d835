"""Which tables print results."""

from __future__ import annotations

import pytest

from reportkit.checker.paper.reading import document_of
from reportkit.checker.results_tables import results_table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("| S | F1 |\n|---|---|\n| A | 80.1 |\n| B | 80.2 |\n", True),
        ("| S | x |\n|---|---|\n| A | 80.1 |\n| B | 80.2 |\n\nTable 1: Accuracy.\n", True),
        ("| S | Learning rate |\n|---|---|\n| A | 0.1 |\n| B | 0.2 |\n", False),
        ("| S | Size, F1 data |\n|---|---|\n| A | 1.2k |\n| B | 3.4k |\n", False),
        ("| S | Accuracy bits |\n|---|---|\n| A | 8 |\n| B | 16 |\n", False),
    ],
)
def test_scores_have_decimals_and_a_metric(text, expected):
    """A metric in headings or caption, and numbers with decimals."""
    assert (results_table(document_of(text, language="markdown")) is not None) is expected
