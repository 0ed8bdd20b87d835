"""Draft answers as files: Markdown that reads well, LaTeX with references that TeX resolves."""

from __future__ import annotations

import dataclasses

import pytest
from markdown_it import MarkdownIt

from reportkit.rendering.checklist import latex_checklist, markdown_checklist
from reportkit.rendering.files.write import rendered
from reportkit.rendering.markdown.markdown import numbers
from reportkit.rendering.text.inline import Lookup
from reportkit.report.model import Itemize, Report, Section
from reportkit.report.prose import Reference, prose
from tests.rendering.conftest import HOSTILE, Compile, words
from tests.report.design_cases import CASES, design

SHOWN = [name for name in CASES if name in ("both directions", "all pairs", "printed", "names with markup")]


@pytest.mark.parametrize("name", SHOWN)
def test_markdown_has_a_heading_for_each_item(name: str) -> None:
    """Tables by their numbers in the report, and no name that breaks a list."""
    model = design(name).report().model
    html = MarkdownIt("commonmark").render(markdown_checklist(model, Lookup(numbers=numbers(model))))
    assert (html.count("<h1>"), html.count("<h2>")) == (1, 7)
    blocks = [block for section in model.checklist for block in section.blocks]
    assert html.count("<li>") == sum(len(block.items) for block in blocks if isinstance(block, Itemize))
    assert "Table 1" in html
    assert "Table “" not in html


@pytest.mark.tex
@pytest.mark.slow
def test_latex_compiles_with_the_tables(compile_tex: Compile) -> None:
    """Every reference is resolved, in an appendix of the paper that reads the tables."""
    for name in SHOWN:
        model = design(name).report().model
        files = {
            path.removeprefix("more/"): text.decode() for path, text in rendered(model).items() if path.endswith(".tex")
        }
        floats = "".join(rf"\input{{tables/{table.name}}}" for table in model.tables)
        figures = "".join(
            rf"\begin{{figure}}\caption{{x}}\label{{{figure.label}}}\end{{figure}}" for figure in model.figures
        )
        source = (
            r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern,booktabs}\emergencystretch3em"
            rf"\begin{{document}}{floats}{figures}\clearpage\appendix\input{{checklist}}\end{{document}}"
        )
        done = compile_tex(source, files, runs=2)
        assert "FILL IN: which split" in done.text
        assert "Reference `" not in done.log.replace("'", "`"), name
        assert "??" not in done.text


def test_hostile_answers_are_escaped(small_report: Report, compile_tex: Compile) -> None:
    """Names from the data stand in answers, too."""
    answers = Itemize(items=(*(words(name) for name in HOSTILE), prose("{it}", it=Reference("table", "results"))))
    report = dataclasses.replace(small_report, checklist=(Section(title=HOSTILE[0], blocks=(answers,)),))
    html = MarkdownIt("commonmark").render(markdown_checklist(report, Lookup()))
    assert "<script>" not in html
    assert html.count("<li>") == len(HOSTILE) + 1
    assert r"\input{/etc" not in latex_checklist(report)
    assert rendered(report)["more/checklist.tex"].decode() == latex_checklist(report)


def test_a_report_without_answers_has_no_such_files(small_report: Report) -> None:
    """As those that are made by hand."""
    assert not [name for name in rendered(small_report) if "checklist" in name]
