"""Inside a notebook, its export and Quarto: pieces of a document, never a document of their own."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import reportkit
from reportkit.appearance import Appearance
from reportkit.rendering.exports import plain_table
from reportkit.rendering.notebook import QUARTO, bare_latex, report_as_latex, report_formats
from reportkit.report.model import Report
from reportkit.report.shown import Shown
from tests.conftest import needed
from tests.rendering.conftest import HOSTILE, Compile, grid, hostile_report, p_values

ROOT = Path(__file__).resolve().parents[2]
TYPES = {"text/html", "text/latex", "text/markdown", "text/plain"}
VOID = {"br", "img", "meta", "path", "use", "rect", "stop"}


@pytest.fixture(autouse=True)
def no_quarto(monkeypatch: pytest.MonkeyPatch) -> None:
    """Quarto does not run these tests."""
    monkeypatch.delenv(QUARTO, raising=False)


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    """What a user may put at the end of a cell."""
    a = reportkit.compare(
        ROOT / "examples" / "sentiment" / "results.csv.gz", "vader", "textblob", dependence="independent"
    )
    return {"analysis": a, "table": a.table(), "report": a.report()}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["analysis", "table", "report"])
def test_the_protocol_of_ipython(shown: dict[str, Any], name: str) -> None:
    """Four types at once, or those that are wanted; the single methods take no argument and say the same."""
    item = shown[name]
    bundle = item._repr_mimebundle_()
    assert set(bundle) == TYPES
    assert item._repr_mimebundle_(include=["text/html"]) == {"text/html": bundle["text/html"]}
    assert set(item._repr_mimebundle_(exclude={"text/html", "text/latex"})) == {"text/markdown", "text/plain"}
    assert item._repr_mimebundle_(None, None) == bundle
    for kind in ("html", "latex", "markdown"):
        method = getattr(item, f"_repr_{kind}_")
        assert not inspect.signature(method).parameters
        assert method() == bundle[f"text/{kind}"]


@pytest.mark.parametrize("name", ["analysis", "report"])
def test_the_text_is_what_print_says(shown: dict[str, Any], name: str) -> None:
    """Compact, and the same in a terminal."""
    text = shown[name]._repr_mimebundle_()["text/plain"]
    assert text == repr(shown[name])
    assert "on three of four datasets" in text
    assert len(text) < 500


def test_a_display_of_ipython_takes_them(shown: dict[str, Any]) -> None:
    """By its own formatters."""
    formatters = needed("IPython.core.formatters", "notebook")
    content, _ = formatters.DisplayFormatter().format(shown["table"])
    assert set(content) >= TYPES


def test_only_what_is_wanted_is_made() -> None:
    """Formats that are not asked for cost nothing."""

    def fails() -> str:
        raise AssertionError

    class Half(Shown):
        def _formats(self) -> dict[str, Callable[[], str]]:
            return {"text/html": fails, "text/plain": lambda: "x"}

    assert Half()._repr_mimebundle_(include=["text/plain"]) == {"text/plain": "x"}
    assert Half()._repr_mimebundle_(exclude=["text/html"]) == {"text/plain": "x"}


@pytest.mark.parametrize("name", ["analysis", "table", "report"])
def test_latex_is_a_piece_of_a_document(shown: dict[str, Any], name: str) -> None:
    """No preamble, no float, no label, no citation that nobody resolves, no file that is not there."""
    latex = shown[name]._repr_latex_()
    for word in (r"\documentclass", r"\usepackage", r"\begin{document}", r"\begin{table", r"\label", r"\cite", r"\ref"):
        assert word not in latex
    assert r"\includegraphics" not in latex
    assert r"\begin{tabular}" in latex


class _Elements(HTMLParser):
    """Which elements there are, and whether each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def _elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = _Elements()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser.seen


@pytest.mark.parametrize("names", [HOSTILE, ("VADER", "TextBlob", "AFINN")], ids=["hostile", "plain"])
def test_html_reaches_nothing_beyond_itself(names: Any) -> None:
    """No style sheet, no script, nothing loaded; hostile names open no element and set no attribute."""
    elements = _elements(report_formats(hostile_report(names))["text/html"]())
    assert {tag for tag, _ in elements} <= {
        *("div", "h3", "h4", "p", "code", "table", "caption", "thead", "tbody", "tr", "th", "td", "sup", "sub", "i"),
        *("strong", "b", "em", "u", "ul", "li", "figure", "figcaption", "img"),
    }
    for tag, attributes in elements:
        assert set(attributes) <= {"style", "class", "scope", "colspan", "alt", "src", "id"}, tag
        assert (attributes.get("src") or "data:image/png;base64,").startswith("data:image/png;base64,")


def test_colours_are_those_of_the_page(shown: dict[str, Any]) -> None:
    """A table sets none, so that it is read on a dark page; a picture stands on white."""
    assert not re.search(r"(?<!-)color:|background|#[0-9a-f]{3,6}\b|rgb", shown["table"]._repr_html_())
    assert "background: white" in shown["report"]._repr_html_()


def test_in_quarto_a_table_has_no_caption(shown: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Quarto numbers and captions what a cell shows."""
    monkeypatch.setenv(QUARTO, "/opt/quarto/bin")
    for name in ("analysis", "table"):
        bundle = shown[name]._repr_mimebundle_()
        for kind in ("text/html", "text/latex", "text/markdown"):
            assert "Accuracy" not in bundle[kind]
            assert "57.1" in bundle[kind]
        assert r"\begin{center}" not in bundle["text/latex"]
        assert bundle["text/latex"].count(r"\begin{tabular}") == 1
        assert bundle["text/latex"].endswith("}\n")
    assert r"\caption" in shown["analysis"].to_latex()
    assert "Accuracy" in shown["report"]._repr_latex_()


def test_a_table_needs_booktabs_alone() -> None:
    """Whatever the appearance is: the document around has its preamble already."""
    look = Appearance(environment="table*", venue="ieee")
    assert bare_latex(grid(), look) == bare_latex(grid(), Appearance(environment="tabular", venue="ieee"))


def test_works_are_cited_in_words() -> None:
    """Also in cells and headers; a table of a report is called by its number."""
    latex = bare_latex(p_values(), Appearance())
    assert "(Dror et al., 2017)" in latex
    assert "Table 2." in report_as_latex(hostile_report(("a", "b", "c")))


def test_a_table_as_text() -> None:
    """Columns are even, numbers flush right, and a long table is cut."""
    lines = plain_table(grid()).splitlines()
    assert len({len(line) for line in lines[:2]}) == 1
    assert lines[1] == "  ".join("-" * len(part) for part in lines[1].split("  "))
    assert lines[3].startswith("VADER ")
    long = plain_table(grid(systems=[f"s{i}" for i in range(100)])).splitlines()
    assert long[-1] == "... 41 more rows"
    assert len(long) == 63


@pytest.mark.tex
def test_the_pieces_compile(compile_tex: Compile, small_report: Report) -> None:
    """Within a document of their own, with booktabs alone; hostile names, too."""
    for report in (small_report, hostile_report(HOSTILE)):
        report = dataclasses.replace(report, title="x")
        body = report_as_latex(report)
        source = (
            "\\documentclass{article}\\usepackage{iftex}\\iftutex\\usepackage{fontspec}\\else\\usepackage[T1]{fontenc}\\fi"
            "\\usepackage{booktabs,textcomp}\\begin{document}\n" + body + "\n\\end{document}\n"
        )
        assert compile_tex(source, engine="xelatex").pdf.is_file()
