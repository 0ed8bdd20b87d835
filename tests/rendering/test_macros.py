r"""`\rk{key}` in LaTeX: TeX itself is asked, in the ways that papers are written."""

from __future__ import annotations

import re
import unicodedata

import pytest

from reportkit.rendering.macros import latex_numbers
from reportkit.report.model import Report
from tests.rendering.conftest import SIGNATURE, Compile, words

VALUES: dict[str, str] = {
    "main/sst2/ours": words("93.1"),
    "main/sst2/n": words("12,400"),
    "main/sst2/ours-vs-base/ci": words("−1.25 to +3.0"),
    "main/sst2/ours-vs-base/p": words("<.001"),
    "main/sst2/ours-vs-base/mark": "*+",
    "main/ours-vs-base/k-hat": words("3"),
    "main/ours-vs-base/identified": words("R&D_50%~{x}\\^$# and κ ≤ −1.5 naïve"),
}
BODY = r"""
\section{S \rk{main/sst2/ours} I \rk{main/ours-vs-base/identified}}
T1 \rk{main/sst2/ours}\,\%, T2 \rk{main/sst2/ours-vs-base/ci}, T3 \rk{main/sst2/n},
T4 x\rk{main/sst2/ours-vs-base/mark}.

M1 $d = \rk{main/sst2/ours-vs-base/ci}$, M2 $p\rk{main/sst2/ours-vs-base/p}$.

D1 \ifdim\rk{main/sst2/ours}pt>93pt yes\else no\fi, D2 \ifnum\rk{main/ours-vs-base/k-hat}>3 more\else three\fi.

\newcommand\base{main/sst2}K1 \rk{\base/ours}.

Q1 \rk{main/sst2/ors}.
\begin{table}\caption{C1 \rk{main/sst2/ours}, C2 \rk{main/sst2/n}}\end{table}
\end{document}
"""
CLASSES = {
    "article": r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern}\usepackage{hyperref}",
    "acmart": r"\PassOptionsToPackage{expansion=false}{microtype}\documentclass[sigconf,nonacm]{acmart}",
    "IEEEtran": r"\documentclass[conference]{IEEEtran}",
}
EXPECTED = (
    *("S 93.1", "T1 93.1", "T2 −1.25 to +3.0", "T3 12,400", "M1 d = −1.25", "M2 p < .001", "D1 yes", "D2 three"),
    *("K1 93.1", "C1 93.1", "C2 12,400", "Q1 ??main/sst2/ors??"),
)


def _report(values: dict[str, str]) -> Report:
    return Report(title="t", sections=(), signature=SIGNATURE, numbers=values)


@pytest.mark.tex
@pytest.mark.parametrize("name", CLASSES)
def test_numbers_print_everywhere(compile_tex: Compile, name: str) -> None:
    """In text, headings, captions, mathematics and comparisons; a key without a value is seen and warned of."""
    source = CLASSES[name] + r"\input{rknumbers}\begin{document}" + BODY
    done = compile_tex(source, {"rknumbers.tex": latex_numbers(_report(VALUES))}, runs=2)
    text = re.sub(r"\s", "", unicodedata.normalize("NFKC", done.text))  # letters of mathematics as letters
    for expected in EXPECTED:
        assert re.sub(r"\s", "", expected) in text, expected
    assert re.findall(r"Package reportkit Warning: no value for key .([^']*)'", done.log) == ["main/sst2/ors"]


def test_the_file_says_what_it_is_and_is_ascii() -> None:
    """Signature above; numbers alone need no encoding, and @ is as it was behind it."""
    written = latex_numbers(_report({key: VALUES[key] for key in list(VALUES)[:6]}))
    assert SIGNATURE.line in written
    assert written.isascii()
    assert written.startswith("% reportkit 0.1.0 | numbers |")
    assert written.endswith("\\rk@restore\n")
