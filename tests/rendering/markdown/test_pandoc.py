"""Prose for pandoc and Quarto."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import typing
from pathlib import Path
from typing import Any

import pytest

from reportkit.appearance.appearance import Appearance
from reportkit.errors import UnknownNameError
from reportkit.rendering.files.write import rendered
from reportkit.rendering.markdown.markdown import markdown_document, markdown_table
from reportkit.rendering.markdown.pandoc import guard_box, pandoc_mark, pandoc_prose
from reportkit.rendering.text.inline import Lookup
from reportkit.report.model import Report, Spanner
from reportkit.report.prose import Cite, Code, Emphasis, Raised, Reference, Strong, Symbol, Text, prose
from tests.conftest import unavailable
from tests.rendering.conftest import grid, hostile_report, p_values, words


def read(source: str, *options: str, to: str = "json") -> Any:
    """What pandoc reads."""
    if shutil.which("pandoc") is None:
        unavailable("pandoc is not installed")
    command = ["pandoc", "--from", "markdown", "--to", to, *options]
    done = subprocess.run(command, input=source.encode("utf-8"), capture_output=True, timeout=600)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert not done.stderr, done.stderr.decode("utf-8", "replace")
    return json.loads(done.stdout)["blocks"] if to == "json" else done.stdout.decode("utf-8")


def inlines(source: str) -> list[list[Any]]:
    """Kind and content of the pieces of one paragraph."""
    (paragraph,) = read(source)
    return [[piece["t"], piece.get("c")] for piece in paragraph["c"]]


@pytest.mark.parametrize(
    ("part", "kind", "written"),
    [
        (Strong("a_b"), "Strong", "**a_b**"),
        (Strong("(a)"), "Strong", "**(a)**"),
        (Strong("*"), "Strong", r"**\***"),
        (Emphasis("a b"), "Emph", "*a b*"),
        (Code("a`b|c"), "Code", "``a`b|c``"),
        (Code("`"), "Code", "`` ` ``"),
        (Cite(("holm1979simple",)), "Cite", "[@holm1979simple]"),
        (Raised("*+"), "Superscript", r"^\*+^"),
        (Raised("a b"), "Superscript", r"^a\ b^"),
        *((Symbol(name), "Math", None) for name in typing.get_args(typing.get_type_hints(Symbol)["name"])),
    ],
)
@pytest.mark.parametrize(("before", "after"), [("", ""), ("a", "b"), ("1", "2"), ("(", ")")])
def test_each_part_is_what_it_is_meant_to_be(
    part: Any, kind: str, written: str | None, before: str, after: str
) -> None:
    """Pandoc reads one piece of the right kind between the words around it, also where no space parts them."""
    text = pandoc_prose((Text(before), part, Text(after)))
    assert written is None or written in text
    kinds = [piece for piece, _ in inlines(text)]
    assert kinds.count(kind) == 1
    assert set(kinds) <= {kind, "Str", "Space"}


def test_spaces_at_the_ends_stay_outside() -> None:
    """Stars do not stand beside a space; of spaces alone nothing is set off."""
    assert pandoc_prose((Text("x"), Strong(" a "), Text("y"))) == "x **a** y"
    assert pandoc_prose((Strong(" "), Code(" "), Raised(""))) == " "


def test_references_have_the_numbers_of_the_report() -> None:
    """In a report a link with the number; in a part of it a key that Quarto numbers."""
    content = prose("{t}", t=Reference("figure", "forest"))
    assert pandoc_prose(content, Lookup(numbers={("figure", "forest"): 2})) == "[Figure 2](#fig-forest)"
    assert pandoc_prose(content) == "@fig-forest"


@pytest.mark.parametrize(("before", "after"), [("", ""), ("(", ") x"), ("see ", "."), ("see ", " and")])
def test_a_reference_to_be_numbered_is_read_as_one(before: str, after: str) -> None:
    """At the start of a line, in brackets, before a full stop."""
    pieces = inlines(pandoc_prose((Text(before), Reference("table", "main"), Text(after))))
    (cited,) = [content for kind, content in pieces if kind == "Cite"]
    assert cited[0][0]["citationId"] == "tbl-main"


def test_an_unknown_work_is_an_error() -> None:
    """As in every other format."""
    with pytest.raises(UnknownNameError, match="holm1979"):
        pandoc_prose((Cite(("holm1979",)),))


def test_a_table_is_one_with_its_caption() -> None:
    """Spanners before their headers, underlined and raised by pandoc's own signs, the caption with its id."""
    table = grid(
        datasets=("A", "B"), caption=words("Scores."), spanners=(Spanner(header=words("Over"), first=1, last=2),)
    )
    source = markdown_table(table, flavour="pandoc")
    assert source.endswith("\n\n: Scores. {#tbl-results}\n")
    (read_table,) = read(source)
    assert read_table["t"] == "Table"
    _, caption, alignments, (_, head), ((_, _, _, body),), _ = read_table["c"]
    assert "Scores." in json.dumps(caption)
    assert [alignment["t"] for alignment, _ in alignments] == ["AlignLeft", "AlignRight", "AlignRight"]
    assert [cell[4][0]["c"][0]["c"] for cell in head[0][1][1:]] == ["Over:", "Over:"]
    kinds = [piece["t"] for piece in body[2][1][1][4][0]["c"]]
    assert kinds == ["Underline", "Superscript"]
    assert len(body) == 4


def test_wide_tables_keep_their_proportions() -> None:
    """Where a row is long, pandoc sets the columns by the dashes: as wide as what stands in them."""
    source = markdown_table(p_values(), flavour="pandoc")
    (read_table,) = read(source)
    dashes = [len(cell) for cell in source.splitlines()[1].strip("|").split("|")]
    shares = [width["c"] for _, width in read_table["c"][2]]
    assert [share / sum(shares) for share in shares] == pytest.approx(
        [count / sum(dashes) for count in dashes], abs=0.01
    )


def test_a_report_is_read_without_a_warning(tmp_path: Path) -> None:
    """With citations resolved from the report's own bibliography, words for the figure, and the ids of Quarto."""
    report = dataclasses.replace(hostile_report(), appearance=Appearance(markdown="pandoc"))
    files = rendered(report)
    (tmp_path / "references.bib").write_bytes(files["references.bib"])
    (tmp_path / "report.md").write_bytes(files["more/report.md"])
    text = files["more/report.md"].decode("utf-8")
    html = read(
        text,
        "--citeproc",
        "--wrap=none",
        "--resource-path",
        str(tmp_path),
        f"--metadata=bibliography:{tmp_path}/references.bib",
        to="html",
    )
    assert 'id="ref-holm1979simple"' in html
    assert "(Holm 1979; Dror et al. 2017)" in html
    assert 'id="fig-forest"' in html
    assert "From 0% to 1 [up] &amp; on." in html
    assert '<a href="#tbl-results">Table 1</a>' in html
    assert "{#tbl-results}" in text
    assert "@tbl-results" in files["paragraph.md"].decode("utf-8")


def test_the_flavour_is_that_of_the_appearance(small_report: Report) -> None:
    """No raw HTML but the comment above, where GitHub has elements."""
    github = markdown_document(small_report)
    pandoc = markdown_document(dataclasses.replace(small_report, appearance=Appearance(markdown="pandoc")))
    assert "<u>" in github
    assert "<u>" not in pandoc
    kinds = [block["t"] for block in read(pandoc)]
    assert kinds.count("Table") == 3
    assert kinds.count("RawBlock") <= 2


@pytest.mark.parametrize("mark", ["*", "†‡", "abc", "a^b", "_", "1"])
def test_marks_are_raised(mark: str) -> None:
    """Whatever they hold."""
    ((kind, content),) = inlines(pandoc_mark(mark))
    assert kind == "Superscript"
    assert "".join(piece["c"] for piece in content) == mark


def test_a_box_to_tick_is_none() -> None:
    """A point that begins with brackets keeps them."""
    (blocks,) = read(f"- {guard_box(pandoc_prose(words('[ ] open')))}")
    assert [piece["t"] for piece in blocks["c"][0][0]["c"]] == ["Span", "Str", "Space", "Str", "Space", "Str"]
