"""Statements: quotations, other people's work, negations, neighbours."""

from __future__ import annotations

import re

import pytest

from reportkit.checker.paper.reading import document_of
from reportkit.checker.prose import Prose


def prose_of(text, language="latex"):
    """Statements of a paper given as text."""
    return Prose(document_of(text, language=language))


def test_quotations_are_blanked_and_places_stay():
    """A match behind a quotation leads to its own place in the source."""
    prose = prose_of("They write ``no difference'' and mean on par.")
    (item,) = prose.own
    assert "no difference" not in item.text
    match = re.search("on par", item.text)
    span = item.span(match)
    assert prose.document.source(span) == "on par"


@pytest.mark.parametrize(
    "text",
    [
        r"\citet{a} report that the gain is significant.",
        r"As shown by \citet{a}, the gain is significant.",
        r"\section{Related Work} The gain is significant \citep{a}.",
        "It is a common fallacy that p is the probability of chance.",
        "Many authors write that the gain is marginally significant.",
    ],
)
def test_what_others_write_is_told_apart(text):
    """Reported speech, related work and talk about mistakes."""
    assert prose_of(text).own == ()


@pytest.mark.parametrize(
    "text",
    [
        r"Our gain over the parser of \citet{a} is significant.",
        "We outperform previous work significantly.",
        r"Following \citep{a}, the gain is significant.",
    ],
)
def test_claims_of_the_authors_stay_theirs(text):
    """A citation or a look at earlier work does not make a claim somebody else's."""
    assert len(prose_of(text).own) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This does not mean that X holds.", True),
        ("It is no X.", True),
        ("It is not large, but X holds.", False),
        ("X does not hold.", False),
    ],
)
def test_a_negation_reaches_to_the_end_of_its_clause(text, expected):
    """Before the place, in the same clause."""
    (item,) = prose_of(text).statements
    assert item.negated(item.text.index("X")) is expected


def test_headings_and_bibliographies_are_no_statements():
    """Only the text itself."""
    prose = prose_of("# Significant gains\n\nText.\n\n## References\n\n- A. Significant.\n", "markdown")
    assert [item.text for item in prose.statements] == ["Text."]


def test_what_refers_to_a_table_is_found_by_its_label():
    """And by its place where a Markdown table has no caption."""
    table = "\\begin{table}\\begin{tabular}{l}A\\\\B\\end{tabular}\\label{t}\\end{table}"
    text = f"{table}\n\nSee Table~\\ref{{t}}. Daggers.\n\nNo."
    prose = prose_of(text)
    assert prose.refers_to(prose.document.tables[0]).endswith("Daggers.")
    prose = prose_of("Before.\n\n| S | F1 |\n|---|---|\n| A | 80.0 |\n\nStars.\n\nNo.\n", "markdown")
    assert prose.refers_to(prose.document.tables[0]) == "Stars."


def test_says_looks_everywhere_and_own_only_in_what_the_authors_claim():
    """The first statement, or None."""
    prose = prose_of(r"\citet{a} use a t-test. We count.")
    pattern = re.compile("t-test")
    assert prose.says(pattern) is prose.statements[0]
    assert prose.says(pattern, own=True) is None
