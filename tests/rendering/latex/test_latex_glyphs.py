"""What xelatex and lualatex do with a character that their font lacks."""

from __future__ import annotations

import dataclasses

import pytest

from reportkit.rendering.latex.latex import latex_document
from reportkit.rendering.latex.latex_glyphs import halves, watched_glyphs
from reportkit.rendering.text.escaping import unsettable
from reportkit.report.model import Figure, Report
from tests.rendering.conftest import Compile, hostile_report

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
