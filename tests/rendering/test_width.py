"""Estimated widths against TeX's own."""

from __future__ import annotations

import re

import pytest

from reportkit.rendering.font_widths import FONTS, Face, Font
from reportkit.rendering.inline import latex_mark, latex_prose
from reportkit.rendering.latex import latex_table
from reportkit.rendering.layout import lay_out
from reportkit.rendering.width import column_widths, mark_width, prose_width, table_width, text_width
from reportkit.report.model import Spanner, Table
from reportkit.report.prose import Code, Emphasis, Strong, Text, prose
from tests.rendering.conftest import Compile, counts, grid, p_values, words

PREAMBLES: dict[Font, str] = {
    "times": r"\usepackage{mathptmx}\renewcommand{\ttdefault}{pcr}",
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


@pytest.mark.tex
@pytest.mark.parametrize("font", FONTS)
def test_tables_within_five_percent_of_tex(compile_tex: Compile, font: Font) -> None:
    """The natural width of twenty tables, at two type sizes, is estimated within 5%."""
    wanted, boxes = [], []
    for table in TABLES:
        one_line_headers = lay_out(table, column_width=10_000)
        source = latex_table(table, layout=one_line_headers)
        tabular = re.search(r"\\begin\{tabular\}.*\\end\{tabular\}", source, re.DOTALL)
        assert tabular is not None
        for size, tabcolsep in ((9, 4.0), (8, 3.0)):
            boxes.append(rf"\{SIZES[size]}\setlength{{\tabcolsep}}{{{tabcolsep}pt}}%{chr(10)}{tabular.group()}")
            wanted.append(table_width(table, size=size, tabcolsep=tabcolsep, font=font))
    measured = _measured(compile_tex(_source(font, boxes)).log)
    assert len(measured) == len(wanted) >= 40
    ratios = [estimate / true for estimate, true in zip(wanted, measured, strict=True)]
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
        assert mark_width(mark, size=size, font=font) == pytest.approx(true, abs=0.5)


def test_width_of_prose_is_the_sum_of_its_parts() -> None:
    """Each part of a prose is measured in its own face."""
    parts = (Text("a "), Strong("b"), Emphasis("c"), Code("d"), *prose("{n}"))
    assert prose_width(parts) == pytest.approx(sum(prose_width((part,)) for part in parts))


def test_marks_have_their_own_column_only_among_numbers() -> None:
    """A column without marks takes no room for them."""
    widths = column_widths(grid(datasets=("a", "b", "c"), plain_every=3))
    assert [width.mark > 0 for width in widths] == [False, False, True, True]


def test_the_wider_font_counts_by_default() -> None:
    """Without a font the estimate fits both."""
    assert table_width(TABLES[0]) == max(table_width(TABLES[0], font=font) for font in FONTS)
