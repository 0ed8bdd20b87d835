"""Widths in print without TeX, against TeX; and how a column is made up."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from reportkit.appearance.appearance import Appearance
from reportkit.appearance.venues import VENUES, TypeSize
from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.layout.layout import lay_out
from reportkit.rendering.layout.width import (
    FONTS,
    Face,
    Font,
    Kind,
    at_the_point,
    column_kinds,
    column_widths,
    mark_width,
    prose_width,
    text_width,
)
from reportkit.rendering.text.inline import latex_mark, latex_prose
from reportkit.report.model import Align, Cell, Column, Row, Spanner, Table
from reportkit.report.prose import Code, Emphasis, Strong, Text, prose
from tests.rendering.conftest import Compile, counts, grid, p_values, words
from tests.rendering.real_tables import alpaca, bbh, dror_tables, named, sentiment, swebench

PREAMBLES: dict[Font, str] = {
    "times": r"\usepackage{times}\renewcommand{\ttdefault}{pcr}",
    "computer modern": r"\usepackage{lmodern}",
}
SIZES = {10: "normalsize", 9: "small", 8: "footnotesize"}
COMMAND = {"roman": r"\rmfamily", "bold": r"\bfseries", "italic": r"\itshape", "typewriter": r"\ttfamily"}

TABLES: list[Table] = [
    grid(),
    grid("plain", marks=("",)),
    grid("daggers", ("Base", "+Aug", "Ours"), ("SST-2", "MNLI", "ANLI", "HANS"), marks=("", "†", "†‡", "")),
    grid("letters", ("BM25", "RM3", "ANCE (b)"), ("MAP", "nDCG@10", "P@5"), marks=("abc", "ab", "", "c")),
    grid("six", ("Base", "Ours"), ("a", "b", "c", "d", "e", "f"), marks=("*",)),
    grid("seven", ("Base", "Ours"), ("a", "b", "c", "d", "e", "f", "g"), marks=("",)),
    grid("eight", ("Base", "Ours"), ("a", "b", "c", "d", "e", "f", "g", "h"), marks=("†",)),
    grid("long-heads", ("V", "W"), ("Amazon reviews", "Movie reviews", "NYT editorials")),
    grid("long-names", ("Meta-Llama-3.1-405B-Instruct-Turbo", "Qwen2.5-72B-Instruct"), ("MMLU", "GPQA")),
    grid("capitals", ("ELECTRA-LARGE", "ROBERTA WWM"), ("WMT24 EN–DE", "IWSLT ZH–EN")),
    grid("underscores", ("my_model_v2", "base_line"), ("swe_bench", "human_eval")),
    grid("accents", ("Łódź model", "Système naïf"), ("français", "português", "čeština")),
    grid("specials", (r"R&D_50%~{x}\^$#", "[x] <b>"), ("100%", "M&M")),
    grid("greek", ("α-model", "β₂-model → γ"), ("κ ≤ 1", "±3 × 2")),
    grid("many", ("Base",), tuple(f"d{i}" for i in range(12))),
    grid(
        "spanned",
        ("Base", "Ours (large)"),
        ("SST-2", "MNLI", "ANLI", "HANS"),
        spanners=(
            Spanner(header=words("In-domain"), first=1, last=2),
            Spanner(header=words("Transfer to other domains"), first=3, last=4),
        ),
    ),
    grid("languages", ("Kazakh", "Vietnamese", "Indonesian"), ("UAS", "LAS", "CLAS", "MLAS", "BLEX")),
    p_values(),
    counts(),
    grid("one", ("Base",), ("tweets",)),
]


def _measured(log: str) -> list[float]:
    return [float(width) for width in re.findall(r"^RKWIDTH=([\d.]+)pt", log, re.MULTILINE)]


def _source(font: Font, boxes: list[str]) -> str:
    head = rf"\documentclass[10pt]{{article}}\usepackage[T1]{{fontenc}}{PREAMBLES[font]}\usepackage{{booktabs}}"
    measures = "\n".join(rf"\setbox0\hbox{{{box}}}\typeout{{RKWIDTH=\the\wd0}}" for box in boxes)
    return f"{head}\n\\begin{{document}}\n{measures}\n\\end{{document}}\n"


def _ratios(compile_tex: Compile, tables: Sequence[Table], font: Font) -> list[float]:
    r"""Estimated widths over TeX's, at \small and at \footnotesize, each table in one piece."""
    wanted, boxes = [], []
    for table in tables:
        for size, tabcolsep in ((9, 4.0), (8, 3.0)):
            type_size = TypeSize(command=SIZES[size], points=size, leading=11)
            room = VENUES["report"].resized(10_000, 10_000)
            layout = lay_out(table, dataclasses.replace(room, sizes=(type_size,), face=font), most_lines=10_000)
            source = latex_table(table, layout=layout, appearance=Appearance())
            tabular = re.search(r"\\begin\{tabular\}.*\\end\{tabular\}", source, re.DOTALL)
            assert tabular is not None
            boxes.append(rf"\{SIZES[size]}\setlength{{\tabcolsep}}{{{tabcolsep}pt}}%{chr(10)}{tabular.group()}")
            wanted.append(layout.width - 2 * (layout.tabcolsep - tabcolsep) * (len(table.columns) - 1))
    measured = _measured(compile_tex(_source(font, boxes)).log)
    assert len(measured) == len(wanted)
    return [estimate / true for estimate, true in zip(wanted, measured, strict=True)]


@pytest.mark.tex
@pytest.mark.parametrize("font", FONTS)
def test_tables_within_five_percent_of_tex(compile_tex: Compile, font: Font) -> None:
    """The natural width of twenty tables, at two type sizes, is estimated within 5%."""
    ratios = _ratios(compile_tex, TABLES, font)
    assert len(ratios) >= 40
    assert min(ratios) > 0.95
    assert max(ratios) < 1.05


@pytest.fixture(scope="module")
def real_tables(shared: Path) -> list[Table]:
    """Of real results: scores, p-values, counts, intervals in the cells, long names, both ways round."""
    tables = [
        *dror_tables().values(),
        *named("lexicons", sentiment()).values(),
        *named("intervals", sentiment(), cell="{score} [{ci_low}, {ci_high}]{mark}").values(),
        *named("swebench", swebench(shared)).values(),
        *named("systems", swebench(shared), rows="systems").values(),
        *named("bbh", bbh(shared), cell="{score} ± {se}{mark}").values(),
        *named("alpaca", alpaca(shared), marks="stars").values(),
    ]
    assert len(tables) >= 20
    return tables


@pytest.mark.tex
@pytest.mark.parametrize("font", FONTS)
def test_real_tables_within_five_percent_of_tex(compile_tex: Compile, real_tables: list[Table], font: Font) -> None:
    """So is the width of tables of real results."""
    ratios = _ratios(compile_tex, real_tables, font)
    assert min(ratios) > 0.95
    assert max(ratios) < 1.05


@pytest.mark.tex
@pytest.mark.parametrize("font", FONTS)
def test_text_in_every_face(compile_tex: Compile, font: Font) -> None:
    """Words and numbers in roman, bold, italic and typewriter type, in three sizes, within 3%."""
    texts = ["93.1", "Hamburgefonstiv", "12,345 of 67,890", "Replicability (%)", "VWAXYZ"]
    faces: list[Face] = ["roman", "bold", "italic", "typewriter"]
    cases = [(text, face, size) for text in texts for face in faces for size in SIZES]
    boxes = [rf"\{SIZES[size]}{COMMAND[face]} {latex_prose(words(text))}" for text, face, size in cases]
    measured = _measured(compile_tex(_source(font, boxes)).log)
    for (text, face, size), true in zip(cases, measured, strict=True):
        kerned = 0.09 if text == "VWAXYZ" else 0.03
        assert text_width(text, size=size, font=font, face=face) == pytest.approx(true, rel=kerned)


@pytest.mark.tex
@pytest.mark.parametrize("font", FONTS)
def test_marks_within_half_a_point(compile_tex: Compile, font: Font) -> None:
    """Signs behind numbers, at the two sizes that tables are set in."""
    cases = [(mark, size) for mark in ("*", "*+", "†", "†‡", "abc", "12") for size in (9, 8)]
    measured = _measured(
        compile_tex(_source(font, [rf"\{SIZES[size]} {latex_mark(mark)}" for mark, size in cases])).log
    )
    for (mark, size), true in zip(cases, measured, strict=True):
        assert mark_width(mark, size=size) == pytest.approx(true, abs=0.5)


def test_width_of_prose_is_the_sum_of_its_parts() -> None:
    """Each part of a prose is measured in its own face."""
    parts = (Text("a "), Strong("b"), Emphasis("c"), Code("d"), *prose("{n}"))
    assert prose_width(parts) == pytest.approx(sum(prose_width((part,)) for part in parts))


def test_marks_have_their_own_column_only_among_numbers() -> None:
    """A column without marks takes no room for them."""
    widths = column_widths(grid(datasets=("a", "b", "c"), plain_every=3))
    assert [width.mark > 0 for width in widths] == [False, False, True, True]


def _kind(texts: list[str], align: Align = "right", mark: str = "") -> Kind:
    rows = tuple(Row(cells=(Cell(text=words(text), mark=mark),)) for text in texts)
    (kind,) = column_kinds(Table(name="t", caption=(), columns=(Column(header=(), align=align),), rows=rows))
    return kind


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        ([".036", ".48", "<.001", "1"], "point"),
        (["3.9×10⁻¹⁰", ".072"], "point"),
        (["1.0×10⁻⁴", "2.5×10⁻⁷"], "point"),
        (["84.1", "9.3", "–"], "single"),
        (["1,024", "872"], "single"),
        ([".05", ".01"], "single"),
        ([".036", ".48", "not tested here"], "single"),
        ([".036", "1.2.3"], "single"),
        ([], "single"),
    ],
)
def test_numbers_with_different_decimals(texts: list[str], kind: Kind) -> None:
    """Only columns of numbers, and only where their decimals differ."""
    assert _kind(texts) == kind
    assert _kind(texts, "left") == "single"
    assert _kind(texts, mark="*") == (kind if kind == "point" or not texts else "marks")


def test_scores_with_marks() -> None:
    """A column without a mark stays one column."""
    assert column_kinds(grid(datasets=("a", "b"), plain_every=2)) == ("single", "single", "marks")


@pytest.mark.parametrize(
    ("text", "whole", "fraction"),
    [
        ("84.1", "84", ".1"),
        ("−0.5", "−0", ".5"),
        (">.99", ">", ".99"),
        ("+3.1", "+3", ".1"),
        ("1|2", "1|2", ""),
        ("a.1", "a.1", ""),
    ],
)
def test_cut_at_the_point(text: str, whole: str, fraction: str) -> None:
    """Signs belong to what stands before the point."""
    assert at_the_point(words(text)) == (words(whole), words(fraction))


def test_symbols_are_not_cut() -> None:
    """Only plain numbers have a point."""
    assert at_the_point(prose("{alpha} .5")) == (prose("{alpha} .5"), ())
