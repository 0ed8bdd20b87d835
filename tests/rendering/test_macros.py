r"""`\rk{key}` in LaTeX: TeX itself is asked, in all the ways that papers are written."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from pathlib import Path

import pytest

from reportkit.rendering.macros import aliases_of, ascii_number, latex_numbers, latex_value
from reportkit.report.model import Number, Report
from tests.rendering.conftest import HOSTILE, SIGNATURE, Compile, words

VALUES: dict[str, str] = {
    "main/sst2/ours": words("93.1"),
    "main/sst2/n": words("12,400"),
    "main/sst2/ours-vs-base/difference": words("+1.7"),
    "main/sst2/ours-vs-base/ci-low": words("−1.25"),
    "main/sst2/ours-vs-base/ci": words("[−1.25, +3.0]"),
    "main/sst2/ours-vs-base/p": words("<.001"),
    "main/sst2/ours-vs-base/p-stated": "𝑝\u00a0=\u00a0.036",
    "main/sst2/ours-vs-base/mark": words("*+"),
    "main/ours-vs-base/k-hat/.05": words("3"),
    "main/ours-vs-base/identified": words("R&D_50%~{x}\\^$# and κ ≤ −1.5 naïve"),
}

BODY = r"""
\section{S \rk{main/sst2/ours} L \rk{main/sst2/ours-vs-base/ci-low} P \rk{main/sst2/ours-vs-base/p}
  N \rk{main/sst2/n} I \rk{main/ours-vs-base/identified}}
T1 \rk{main/sst2/ours}\,\%, T2 \rk{main/sst2/ours-vs-base/p-stated}, T3 \rk{main/sst2/ours-vs-base/ci}, T4
\rk{main/sst2/n}, T5 x\rk{main/sst2/ours-vs-base/mark}.

M1 $d = \rk{main/sst2/ours-vs-base/ci-low}$, M2 $p\rk{main/sst2/ours-vs-base/p}$, M3 $n=\rk{main/sst2/n}$.

N1 \num{\rk{main/sst2/ours}}, N2 \num{\rknum{main/sst2/n}}, N3 \num{\rknum{main/sst2/ours-vs-base/ci-low}}.

D1 \ifdim\rk{main/sst2/ours}pt>93pt yes\else no\fi, D2 \ifnum\rk{main/ours-vs-base/k-hat/.05}>3 more\else three\fi,
D3 \ifnum\rknum{main/sst2/n}>12399 many\else few\fi.

A1 \RkSstTwoOurs, A2 \RkOursVsBaseKHatPointZeroFive.

\newcommand\base{main/sst2}K1 \rk{\base/ours}.

Q1 \rk{main/sst2/ors}. Q2 \rk{a_b&c}.
\begin{table}\caption{C1 \rk{main/sst2/ours}, C2 \rk{main/sst2/n}, C3 \RkSstTwoOurs}\end{table}
\end{document}
"""
CLASSES = {
    "article": r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern}",
    "acmart": r"\PassOptionsToPackage{expansion=false}{microtype}\documentclass[sigconf,nonacm]{acmart}",
    "IEEEtran": r"\documentclass[conference]{IEEEtran}",
}
EXPECTED = (
    *("T1 93.1", "T2 p = .036", "T3 [−1.25, +3.0]", "T4 12,400", "M1 d = −1.25", "M2 p < .001", "M3 n = 12,400"),
    *("N1 93.1", "N3 −1.25", "D1 yes", "D2 three", "D3 many", "A1 93.1", "A2 3", "K1 93.1", "C1 93.1", "C2 12,400"),
    *("C3 93.1", "Q1 ??main/sst2/ors??"),
)


def _report(values: dict[str, str]) -> Report:
    numbers = {key: Number(content=content, meaning="m") for key, content in values.items()}
    return Report(title="t", sections=(), signature=SIGNATURE, numbers=numbers)


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\u2009", " "))


def _bookmarks(path: Path) -> list[str]:
    """Titles of the outline, from the file that hyperref writes."""
    found = re.findall(r"\\BOOKMARK [^{]*\{[^}]*\}?\{((?:\\\d{3}|[^}\\])*)\}", path.read_text("latin-1"))
    read = []
    for item in found:
        raw = re.sub(rb"\\(\d{3})", lambda digits: bytes([int(digits[1], 8)]), item.encode("latin-1"))
        read.append(raw.removeprefix(b"\xfe\xff").decode("utf-16-be"))
    return read


@pytest.mark.tex
@pytest.mark.slow
@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
@pytest.mark.parametrize("name", CLASSES)
def test_numbers_print_everywhere(compile_tex: Compile, name: str, engine: str) -> None:
    """In text, headings, bookmarks, captions, mathematics, siunitx and comparisons, in three classes and engines."""
    hyperref = "" if name == "acmart" else r"\usepackage{hyperref}"
    source = CLASSES[name] + r"\usepackage{siunitx}" + hyperref + r"\input{rknumbers}\begin{document}" + BODY
    done = compile_tex(source, {"rknumbers.tex": latex_numbers(_report(VALUES))}, engine=engine, runs=2)
    text = unicodedata.normalize("NFKC", _squeezed(done.text))  # letters of mathematics as letters
    for expected in EXPECTED:
        assert re.sub(r"\s", "", expected) in re.sub(r"\s", "", text), expected
    (title,) = _bookmarks(done.pdf.with_suffix(".out"))
    assert "S 93.1 L -1.25 P <.001 N 12,400 I R&D_50%~{x}\\^$# and κ ≤ -1.5 naïve" in _squeezed(title)
    assert re.search(r"Package reportkit Warning: no value for key .main/sst2/ors'", done.log)
    assert re.search(r"Package reportkit Warning: no value for key .a_b&c'", done.log)
    assert done.log.count("Package reportkit Warning") == 2
    assert "Token not allowed in a PDF string" not in done.log


@pytest.mark.tex
def test_no_package_is_needed(compile_tex: Compile) -> None:
    """In a class without anything, in the table of contents too, read in twice and in the middle of a document."""
    body = (
        r"\documentclass{article}\input{rknumbers}\begin{document}\tableofcontents\input{rknumbers}"
        r"\section{S \rk{main/sst2/ours-vs-base/ci-low} \rk{main/ours-vs-base/identified}}"
        r"{\input{rknumbers}X \rk{main/sst2/n}.}\end{document}"
    )
    done = compile_tex(body, {"rknumbers.tex": latex_numbers(_report(VALUES))}, runs=2)
    assert done.text.count("S −1.25 R&D") == 2
    assert "X 12,400." in done.text
    assert "reportkit Warning" not in done.log


@pytest.mark.tex
def test_a_wrong_use_in_siunitx_is_an_error(compile_tex: Compile) -> None:
    r"""`\num{\rk{...}}` of a number with a comma stops, and never prints 12.400 for 12,400."""
    body = r"\documentclass{article}\usepackage{siunitx}\input{rknumbers}\begin{document}\num{\rk{main/sst2/n}}"
    with pytest.raises(pytest.fail.Exception, match="Invalid number"):
        compile_tex(body + r"\end{document}", {"rknumbers.tex": latex_numbers(_report(VALUES))})


@pytest.mark.tex
def test_two_reports_with_one_name_are_noticed(compile_tex: Compile) -> None:
    """The same key with another value is said, and the later one holds; another name is not touched."""
    other = {"main/sst2/ours": words("90.0"), "other/sst2/ours": words("1.0")}
    files = {"a.tex": latex_numbers(_report(VALUES)), "b.tex": latex_numbers(_report(other))}
    body = r"\documentclass{article}\input{a}\input{b}\begin{document}\rk{main/sst2/ours} \rk{other/sst2/ours}"
    done = compile_tex(body + r"\end{document}", files)
    assert "90.0 1.0" in done.text
    assert re.search(r"key .main/sst2/ours' has two values", done.log)


@pytest.mark.tex
def test_hostile_names_are_harmless(compile_tex: Compile) -> None:
    """As values, within a heading with bookmarks."""
    values = {f"main/x{i}/identified": words(name) for i, name in enumerate(HOSTILE)}
    sections = "".join(rf"\section{{Begin \rk{{main/x{i}/identified}} end}}" for i in range(len(HOSTILE)))
    body = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern}\usepackage{hyperref}\input{rknumbers}"
    source = rf"{body}\begin{{document}}{sections}\end{{document}}"
    done = compile_tex(source, {"rknumbers.tex": latex_numbers(_report(values))}, runs=2)
    assert len(_bookmarks(done.pdf.with_suffix(".out"))) == len(HOSTILE)
    assert "root:" not in done.text  # \input{/etc/passwd} is text


def test_the_file_says_what_it_is_and_is_ascii() -> None:
    """Signature above; numbers alone need no encoding, and @ is as it was behind it."""
    written = latex_numbers(_report({key: VALUES[key] for key in list(VALUES)[:9]}))
    assert SIGNATURE.line in written
    assert written.isascii()
    assert written.startswith("% reportkit 0.1.0 | numbers |")
    assert written.endswith("\\rk@restore\n")


def test_aliases_that_would_be_the_same_are_refused_and_said() -> None:
    """Neither key gets the macro; the file says which it is."""
    values = {"main/a-b/c": words("1"), "main/a/b-c": words("2"), "main/a2": words("3")}
    written = latex_numbers(_report(values))
    assert r"\rk@alias{ATwo}{main/a2}" in written
    assert "{ABC}" not in written
    assert "% no macro \\RkABC, which would stand for main/a-b/c and main/a/b-c" in written


def test_aliases_of_another_name_begin_with_it() -> None:
    """Two reports in one paper do not share macros."""
    found, _ = aliases_of(["main/x/a", "ablation/x/a"])
    assert found == {"main/x/a": "XA", "ablation/x/a": "AblationXA"}


@pytest.mark.parametrize(
    ("text", "latex", "number"),
    [
        ("93.1", "93.1", "93.1"),
        ("−0.5", r"\ensuremath{-}0.5", "-0.5"),
        ("1,234,567", r"1\rkcomma 234\rkcomma 567", "1234567"),
        (">.99", r"\ensuremath{>}.99", ">.99"),
        ("1", "1", "1"),
        ("a, b and c", "a, b and c", None),
        ("3/4", "3/4", None),
        ("−", None, None),
        ("٣", None, None),
    ],
)
def test_values_in_text_and_as_numbers(text: str, latex: str | None, number: str | None) -> None:
    """A comma between thousands is kept from being read as a decimal point; words are no numbers."""
    assert ascii_number(words(text)) == number
    if latex is not None:
        assert latex_value(words(text)) == latex


def test_a_report_keeps_its_order(small_report: Report) -> None:
    """The order of the numbers, whatever it is."""
    numbers = {f"main/{name}": Number(content=words("1")) for name in ("z", "a", "m")}
    written = latex_numbers(dataclasses.replace(small_report, numbers=numbers))
    assert re.findall(r"\\rk@value\{main/(\w)\}", written) == ["z", "a", "m"]
