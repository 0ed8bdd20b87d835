"""What stands above a LaTeX file, and characters that a font lacks."""

from __future__ import annotations

import dataclasses

import pytest

from reportkit.rendering.contents import origin
from reportkit.rendering.latex.latex import latex_document
from reportkit.rendering.latex.latex_head import halves, latex_head, unicode_finding, watched_glyphs
from reportkit.rendering.text.escaping import unsettable
from reportkit.report.model import Figure, Report
from tests.rendering.conftest import SIGNATURE, Compile, hostile_report


def test_origin_packages_signature_and_notes() -> None:
    """The four lines that a reader of the file needs, in order."""
    head = latex_head("table main", SIGNATURE, "words", packages=("booktabs",), notes=("about 204 pt wide",))
    assert head.comments == (
        origin("table main", SIGNATURE),
        r"needs \usepackage{booktabs}",
        "reportkit:0.1.0|data:results_v2%.csv|sha256:3f9c3f9c3f9c|test:mcnemar|adj:holm(m=8)|alpha:.05,.01",
        "about 204 pt wide",
    )
    assert head.definitions == ()


def test_t1_is_asked_for_where_it_is_needed() -> None:
    """Only letters that OT1 lacks ask for another package."""
    assert r"\usepackage[T1]{fontenc}" in latex_head("x", None, "Łódź Dąbrowa", packages=("booktabs",)).comments[1]
    assert r"\usepackage[T1]{fontenc}" not in latex_head("x", None, "naïve", packages=("booktabs",)).comments[1]


def test_a_comment_stays_on_its_line() -> None:
    """A file name with a line break does not leave the comment."""
    signature = dataclasses.replace(SIGNATURE, source="a\n\\input{b}\r\u2028c")
    assert all("\n" not in line and "\r" not in line for line in latex_head("x\ny", signature, "").comments)


def test_what_pdflatex_cannot_set_is_said_and_defined() -> None:
    """Each character once, with its code in two halves; joiners are nothing."""
    head = latex_head("x", None, "中中👩\u200d")
    assert "U+4E2D U+1F469" in head.comments[1]
    assert any(r"\rkunicode{4E}{2D}" in line for line in head.definitions)
    assert any(r"\rkunicode{01F}{469}" in line for line in head.definitions)
    assert len(head.definitions) == 4
    assert all(line.endswith("%") for line in head.definitions)


def test_the_report_can_say_so(small_report: Report) -> None:
    """A finding for the reader, none where all is well."""
    assert unicode_finding(small_report) is None
    finding = unicode_finding(hostile_report(("中文", "b", "c")))
    assert finding is not None
    assert finding.severity == "info"
    assert "中 文" in finding.message
    assert "xelatex" in finding.remedy


NAMES = ("中文", "русский", "العربية", "👩", "R&D")


def _source(names: tuple[str, ...]) -> str:
    report: Report = hostile_report(names)
    sections = tuple(
        dataclasses.replace(
            section,
            blocks=tuple(
                block for block in section.blocks if not isinstance(block, Figure) and getattr(block, "name", "") == ""
            ),
        )
        for section in report.sections
    )
    return latex_document(dataclasses.replace(report, sections=sections), inline=True)


def test_each_missing_character_once() -> None:
    """In the order of their codes; none where pdflatex sets all."""
    lines = watched_glyphs("".join(NAMES) * 2)
    watched = [line for line in lines if line.startswith(r"\rkwatch")]
    assert len(watched) == len(unsettable("".join(NAMES)))
    assert watched == sorted(watched, key=lambda line: int(line.split("{")[1].rstrip("}"), 16))
    assert watched_glyphs("naïve κ ≤ −1 Łódź") == ()


def test_only_the_document_watches_its_characters() -> None:
    """Characters of somebody's paper are left alone."""
    assert r"\rkwatch{4E2D}{4E}{2D}" in _source(NAMES)
    assert r"\rkwatch" not in _source(("a", "b", "c"))


@pytest.mark.tex
@pytest.mark.slow
@pytest.mark.parametrize("engine", ["xelatex", "lualatex"])
def test_nothing_is_left_out(engine: str, compile_tex: Compile) -> None:
    """The default font has no Chinese and no Arabic: each character is a box with its code, in names and in titles."""
    done = compile_tex(_source(NAMES), {"references.bib": ""}, engine=engine, runs=2)
    assert "Missing character" not in done.log
    printed = done.text.split()
    for character in "中文":
        assert {*halves(character)} <= set(printed), character


@pytest.mark.tex
@pytest.mark.slow
@pytest.mark.parametrize("engine", ["xelatex", "lualatex"])
def test_what_a_font_has_is_set(engine: str, compile_tex: Compile) -> None:
    """Latin Modern has the letter ħ, which pdflatex has not: it stands in its word, and no box."""
    source = _source(("\u0127elow", "b", "c")).replace("TeX Gyre Termes", "no such font")
    assert r"\rkwatch{0127}{01}{27}" in source
    done = compile_tex(source, {"references.bib": ""}, engine=engine)
    assert "Missing character" not in done.log
    assert done.text.count("\u0127elow") >= 4
