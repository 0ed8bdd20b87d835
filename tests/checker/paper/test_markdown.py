"""Markdown to a document."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.checker.paper.reading import document_of


def read(text):
    """A document from Markdown."""
    return document_of(text, language="markdown")


CLEANED = {
    "Ours **wins** by 2.3 points (*p* < .001)[^1].": "Ours wins by 2.3 points (p < .001).",
    "See [the table](x.md#a) and `code 1.5` by @foo2020 [@bar; @baz].": "See the table and ⟦code⟧ by ⟦cite⟧ ⟦cite⟧.",
    r"With $\chi^2(1) = 4.2$ and 3 \* 4.": "With χ^2(1) = 4.2 and 3 * 4.",
    "A snake_case_name and 2 &plusmn; 1.": "A snake_case_name and 2 ± 1.",
    "One\ntwo <b>three</b>.": "One two three.",
    "Hidden <!-- 1.5 --> not.": "Hidden not.",
}


@pytest.mark.parametrize("source", CLEANED)
def test_text_is_what_a_reader_sees(source):
    """Styles, links, code, mathematics, comments."""
    assert read(source).sentences[0].text.text == CLEANED[source]


def test_code_front_matter_and_comments_are_skipped():
    """Fences of both kinds, also unclosed ones."""
    source = "---\ntitle: 1.5\n---\n\n```\n2.5\n```\n~~~~ r\n3.5\n~~~\n~~~~\n\nText 4.5.\n\n```\n5.5\n"
    assert [number.text for number in read(source).numbers] == ["4.5"]


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="|-:*_`~#<>!&$[]()\\^@ \n\t1.5ab", max_size=120))
def test_whatever_is_written_is_read(source):
    """Any text gives a document; every number stands where it says."""
    document = read(source)
    for number in document.numbers:
        assert document.source(number.span)
    for table in document.tables:
        assert len({len(row) for row in table.grid}) == 1


CLAIM = "It is significantly better."
NO_PROSE = {
    "code by indentation": f"Text.\n\n    {CLAIM}\n",
    "code by a tab": f"Text.\n\n\t{CLAIM}\n",
    "a fence within a list": f"- Item.\n\n  ```text\n  {CLAIM}\n  ```\n",
    "a fence within a quotation": f"> Text.\n>\n> ```\n> {CLAIM}\n> ```\n",
    "code in an item": f"1. Item.\n\n       {CLAIM}\n",
    "preformatted text": f"Text.\n\n<pre>\n{CLAIM}\n</pre>\n",
    "a script": f"<script>\n{CLAIM}\n</script>\n\nText.\n",
    "code in HTML": f"Text <code>{CLAIM}</code> more.\n",
    "a definition of a link": f'See [it][x].\n\n[x]: https://example.org "{CLAIM}"\n',
    "a comment over several lines": f"Text.\n<!--\n\n{CLAIM}\n\n-->\n",
    "front matter": f"---\nabstract: {CLAIM}\n---\n\nText.\n",
    "the bibliography under a line of signs": f"Text.\n\nReferences\n==========\n\nA. Author. {CLAIM}\n",
}


@pytest.mark.parametrize("what", NO_PROSE)
def test_what_is_no_prose_of_the_authors_is_not_read_as_such(what):
    """Code, preformatted text, definitions and bibliographies in all the ways that Markdown has."""
    document = read(NO_PROSE[what])
    assert all(CLAIM not in item.text.text for item in document.sentences if item.place == "body")
    assert document.sentences


PROSE = {
    "a quotation": f"> {CLAIM}\n",
    "a lazy quotation": "> It is\nsignificantly better.\n",
    "an item": f"* {CLAIM}\n",
    "an item in an item": f"- One.\n  1. {CLAIM}\n",
    "a paragraph of an item": f"- One.\n\n  {CLAIM}\n",
    "a line that is not indented enough for code": f"   {CLAIM}\n",
    "indented lines of a paragraph": "It is\n        significantly better.\n",
    "a heading below a line of signs": f"Results\n-------\n{CLAIM}\n",
    "a footnote of several words": f"[^1]: One.\n[^2]: {CLAIM}\n",
    "after an open comment": f"Text <!-- open\n\n{CLAIM}\n",
    "carriage returns": f"Text.\r\n\r\n> {CLAIM}\r\n",
}


@pytest.mark.parametrize("what", PROSE)
def test_what_is_prose_is_read_and_its_place_is_known(what):
    """The word that rules look for stands where the document says."""
    document = read(PROSE[what])
    (found,) = [item for item in document.sentences if "significantly" in item.text.text]
    at = found.text.text.index("significantly")
    assert document.source(found.text.span(at, at + 13)) == "significantly"


def test_the_abstract_of_the_front_matter_is_read_and_nothing_else():
    """Quarto and R Markdown keep the abstract among the settings."""
    text = "---\ntitle: Up 9.9 points\nabstract: |\n  We win by 2.3 points.\ndate: 1.1\n---\n\nMore.\n"
    assert [item.text.text for item in read(text).sentences] == ["We win by 2.3 points.", "More."]
