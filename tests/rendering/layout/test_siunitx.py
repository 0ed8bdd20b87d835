"""Columns for siunitx: their models, their cells, and where TeX puts the points."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from reportkit.appearance.appearance import Appearance
from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.layout.siunitx import PREAMBLE, decimal_column
from reportkit.rendering.layout.width import text_width
from reportkit.report.model import Cell, Column, Row, Table
from tests.conftest import unavailable
from tests.rendering.conftest import Compile, grid, p_values, words

SIUNITX = Appearance(engine="siunitx", venue="article")


def _cells(*texts: str, mark: str = "", bold: bool = False) -> list[Cell]:
    return [Cell(text=words(text), mark=mark if index == 0 else "", bold=bold) for index, text in enumerate(texts)]


def test_the_model_holds_the_longest_number_and_the_widest_mark() -> None:
    """Digits on both sides, the sign and the mark are reserved."""
    cells = [*_cells("−3.25", "12.5", mark="*"), Cell(text=words("7.1"), mark="*+")]
    column = decimal_column(cells)
    assert column is not None
    assert column.specification == "S[table-format=-2.2{$^{*+}$}]"


@pytest.mark.parametrize("texts", [("<.001", ".03"), ("93.1 [92.6, 93.5]",), ("1,024", "9"), ("SVM", "12.1"), ()])
def test_what_are_no_plain_numbers_stay_as_they_are(texts: tuple[str, ...]) -> None:
    """p-values, intervals, thousands, words and nothing at all are not for siunitx."""
    assert decimal_column(_cells(*texts)) is None


def test_dashes_stand_in_braces() -> None:
    """A missing number among others is text for siunitx."""
    column = decimal_column(_cells("93.1", "–", ""))
    assert column is not None
    assert [column.cell(cell) for cell in _cells("93.1", "–", "")] == ["93.1", "{--}", ""]


def test_signs_and_many_digits_are_kept() -> None:
    """A plus sign stays, and siunitx does not group digits."""
    column = decimal_column(_cells("+12345.5"))
    assert column is not None
    assert column.specification == "S[table-format=+5.1,retain-explicit-plus,group-digits=none]"


def test_the_head_says_what_is_needed() -> None:
    """Packages and lines of the preamble; nothing of it where no column is for siunitx."""
    head = latex_table(grid(), appearance=SIUNITX)
    assert r"% needs \usepackage{booktabs} \usepackage{siunitx} \usepackage{etoolbox}" in head
    assert "% and in the preamble " + " ".join(PREAMBLE) in head
    assert head.count(r"\providecommand{\rkunderlined}") == 1
    only_words = Table(name="t", caption=(), columns=(Column(header=words("x")),), rows=(Row(cells=(Cell(),)),))
    assert "siunitx" not in latex_table(only_words, appearance=SIUNITX)


@pytest.mark.tex
@pytest.mark.parametrize("package", ["lmodern", "times"])
def test_points_stand_below_one_another(compile_tex: Compile, package: str) -> None:
    """Bold digits, wider in Computer Modern, and underlined ones leave the point where it is."""
    if shutil.which("pdftotext") is None:
        unavailable("pdftotext is not installed")
    numbers = ("61.1", "72.22", "3.3", "84.4", "95.5")
    rows = tuple(
        Row(
            cells=(
                Cell(text=words(f"s{index}")),
                Cell(text=words(number), mark="*" if index % 2 else "", bold=index == 1, underline=index in (2, 3)),
            )
        )
        for index, number in enumerate(numbers)
    )
    columns = (Column(header=words("System"), align="left"), Column(header=words("score")))
    table = latex_table(Table(name="t", caption=(), columns=columns, rows=rows), appearance=SIUNITX)
    head = rf"\documentclass{{article}}\usepackage[T1]{{fontenc}}\usepackage{{{package},booktabs,siunitx,etoolbox}}"
    pdf = compile_tex(f"{head}{''.join(PREAMBLE)}\n\\begin{{document}}\n{table}\n\\end{{document}}\n").pdf
    boxes = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, check=True).stdout.decode()
    points = []
    for number in numbers:
        found = re.search(rf'xMin="([\d.]+)"[^>]*>{re.escape(number)}', boxes)
        assert found is not None
        face, font = ("bold" if number == "72.22" else "roman"), ("times" if package == "times" else "computer modern")
        whole = text_width(number.partition(".")[0], size=9, face=face, font=font)
        points.append(float(found[1]) * 72.27 / 72 + whole)
    assert max(points) - min(points) < 0.4


@pytest.mark.tex
def test_every_kind_of_table_compiles(compile_tex: Compile) -> None:
    """Marks, spanners, p-values and missing numbers, with siunitx for what it can set."""
    tables = (grid(), grid("daggers", marks=("", "†", "†‡", "")), p_values())
    body = "\n".join(latex_table(table, appearance=SIUNITX) for table in tables)
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern,booktabs,siunitx,etoolbox}"
    compiled = compile_tex(f"{head}{''.join(PREAMBLE)}\n\\begin{{document}}\n{body}\n\\end{{document}}\n")
    assert compiled.overfull == []
