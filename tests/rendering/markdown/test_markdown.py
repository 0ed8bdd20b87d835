"""Markdown tables and documents."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from reportkit.rendering.markdown.markdown import (
    markdown_document,
    markdown_head,
    markdown_paragraph,
    markdown_table,
    numbers,
)
from reportkit.rendering.text.inline import Lookup

from reportkit.errors import RenderingError
from reportkit.report.model import Paragraph, Report, Section, Spanner
from reportkit.report.prose import Reference, prose
from tests.rendering.conftest import HOSTILE, SIGNATURE, counts, grid, hostile_report, p_values, words

GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _cells(source: str) -> list[list[str]]:
    """Rows of the first table, each cell as rendered HTML."""
    tokens = GFM.parse(source)
    rows: list[list[str]] = []
    for index, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        if token.type in ("td_open", "th_open"):
            rows[-1].append(GFM.renderer.render([tokens[index + 1]], GFM.options, {}))
    return rows


def test_a_table_as_it_stands() -> None:
    """The source reads well without being rendered."""
    table = grid(
        systems=("VADER", "R&D_50%", "my_model"), datasets=("tweets",), caption=prose("Accuracy, {n} as given.")
    )
    assert markdown_table(table) == (
        "| System   | tweets        |\n"
        "| :--      | --:           |\n"
        "| *n*      | 871           |\n"
        "| VADER    | 40.0          |\n"
        "| R&D_50%  | <u>47.3</u>\\* |\n"
        "| my_model | **54.6**\\*+   |\n"
        "\n"
        "**Table.** Accuracy, *n* as given.\n"
    )


def test_spanners_stand_before_their_headers() -> None:
    """Markdown has one row of headers."""
    table = grid(datasets=("SST-2", "MNLI"), spanners=(Spanner(header=words("In|domain"), first=1, last=2),))
    assert _cells(markdown_table(table))[0] == ["System", "In|domain: SST-2", "In|domain: MNLI"]


def test_bold_underline_and_marks_are_rendered() -> None:
    """Numbers are set off, their marks are not."""
    rows = _cells(markdown_table(grid(datasets=("a", "b"), marks=("*", "†", "ab"))))
    assert rows[-1][1:] == ["<strong>54.6</strong><sup>ab</sup>", "<strong>67.7</strong>†"]
    assert rows[-2][1] == "<u>47.3</u>†"


@pytest.mark.parametrize("mark", ["*", "+", "*+", "†", "a", "1", "_", "**"])
@pytest.mark.parametrize("content", ["93.1", "93%", "(3)", "−3", "*", "1|2", "a_", "3.9×10⁻¹⁰"])
def test_bold_cells_are_bold_whatever_they_hold(content: str, mark: str) -> None:
    """Stars beside punctuation are not always read as bold; here they are."""
    table = grid(systems=("a",), datasets=("b",))
    (row,) = table.rows
    cell = dataclasses.replace(row.cells[1], text=words(content), mark=mark, bold=True, underline=False)
    changed = dataclasses.replace(table, rows=(dataclasses.replace(row, cells=(row.cells[0], cell)),))
    shown = _cells(markdown_table(changed))[-1][1]
    assert shown.startswith(f"<strong>{content}</strong>")


@pytest.mark.slow
@given(st.lists(st.text(max_size=20) | st.sampled_from(HOSTILE), min_size=2, max_size=6))
@settings(deadline=None, max_examples=60)
def test_no_name_changes_the_shape_of_a_table(names: list[str]) -> None:
    """As many rows and cells as the table has, whatever the names are."""
    rows = _cells(
        markdown_table(grid(systems=names, datasets=tuple(names), caption=words("; ".join(names))), SIGNATURE)
    )
    assert [len(row) for row in rows] == [len(names) + 1] * (len(names) + 2)


def test_symbols_and_exponents() -> None:
    """The other kinds of columns."""
    assert "k̂<sub>Bonf.</sub>" in markdown_table(counts())
    table = markdown_table(p_values())
    assert "3.9×10⁻¹⁰" in table
    assert r"\[−0.4, +3.1\]" in table
    assert r"1\|2" in table
    assert "| <.001" in table


def test_a_document_has_numbers_and_works_in_words(small_report: Report) -> None:
    """References are resolved, works are listed, the signature closes it."""
    document = markdown_document(small_report)
    assert "See Table 1 and Figure 1" in document
    assert [f"**Table {n}.**" in document for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert "![From 0% to 1 \\[up\\] & on.](figures/forest.png)\n\n**Figure 1.** Differences" in document
    assert "- Sture Holm (1979). A Simple Sequentially" in document
    assert document.rstrip().endswith(f"Signature: `{SIGNATURE.line}`")


def test_a_hostile_document_keeps_its_headings() -> None:
    """No name makes a heading, a list, a quotation, code or a picture."""
    report = hostile_report()
    tokens = GFM.parse(markdown_document(report))
    kinds = [token.type for token in tokens]
    assert kinds.count("heading_open") == 1 + len(report.sections) + 1
    assert kinds.count("table_open") == 3
    assert kinds.count("bullet_list_open") == 2
    assert not {"blockquote_open", "fence", "code_block", "ordered_list_open", "hr"} & set(kinds)
    inline = [child for token in tokens for child in token.children or []]
    assert sum(child.type == "image" for child in inline) == 1
    assert not any(child.type in ("link_open", "s_open") for child in inline)
    allowed = {"<u>", "</u>", "<sup>", "</sup>", "<sub>", "</sub>", "<strong>", "</strong>", "<code>", "</code>"}
    assert {child.content for child in inline if child.type == "html_inline"} <= allowed
    blocks = [token.content for token in tokens if token.type == "html_block"]
    assert all(block.startswith("<!-- ") for block in blocks)


def test_comments_cannot_be_closed_by_a_name() -> None:
    """Neither by a file name nor by a table's."""
    signature = dataclasses.replace(SIGNATURE, source="a--><script>.csv")
    for comment in markdown_head("table -->", signature).comments:
        assert "--" not in comment
        assert ">" not in comment


def test_no_signature_no_comment() -> None:
    """A table for a notebook is a table alone."""
    assert markdown_table(grid()).startswith("| System")


def test_a_paragraph_starts_no_list() -> None:
    """A sentence that begins with a number stays a sentence."""
    paragraph = Paragraph(content=words("1. System is better"), name="paragraph")
    assert markdown_paragraph(paragraph) == "1\\. System is better\n"
    assert markdown_paragraph(paragraph, SIGNATURE).startswith("<!-- reportkit 0.1.0 | paragraph paragraph |")


def test_numbers_count_in_order(small_report: Report) -> None:
    """As LaTeX counts them."""
    assert numbers(small_report) == {
        ("table", "results"): 1,
        ("table", "p-values"): 2,
        ("table", "replicability"): 3,
        ("figure", "forest"): 1,
    }


def test_a_table_alone_can_be_numbered() -> None:
    """With the numbers of its report."""
    lookup = Lookup(numbers={("table", "results"): 3})
    assert "**Table 3.** c" in markdown_table(grid(caption=words("c")), lookup=lookup)


def test_a_reference_to_nothing_is_an_error() -> None:
    """As in LaTeX."""
    paragraph = Paragraph(content=(Reference("figure", "x"),))
    with pytest.raises(RenderingError, match="figure 'x'"):
        markdown_document(Report(title="t", sections=(Section(title="s", blocks=(paragraph,)),), signature=SIGNATURE))
