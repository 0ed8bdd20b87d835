r"""Numbers for running text: `\rk{main/sst2/ours}` in LaTeX, a table of keys and values in Markdown.

`\rk` expands to the value, so that it works in text, captions, headings and mathematics. A key without a value prints
`??key??` in bold and gives a warning.
"""

from __future__ import annotations

import re

from reportkit.rendering.documents import Writer
from reportkit.rendering.notation import Format, Latex, Markdown
from reportkit.report.model import Cell, Column, Report, Row, Table
from reportkit.report.tokens import code

_MATHEMATICS = re.compile(r"(?<!\\)\$(.+?)(?<!\\)\$")
_LOOKUP = r"""
\expandafter\edef\csname rk@restore\endcsname{\catcode64=\the\catcode64\relax}\catcode64=11\relax
\DeclareRobustCommand\rk@missing[1]{\PackageWarning{reportkit}{no value for key `#1'}\textbf{??\detokenize{#1}??}}
\providecommand\rk[1]{\ifcsname rk@@#1\endcsname\csname rk@@#1\endcsname\else\rk@missing{#1}\fi}
\providecommand\rk@value[2]{\expandafter\def\csname rk@@#1\endcsname{#2}}
""".strip()


def latex_numbers(report: Report) -> str:
    r"""Write the values of a report for LaTeX, to be read into the preamble with `\input`; needs no package."""
    lines = [rf"\rk@value{{{key}}}{{{latex_value(key, text)}}}" for key, text in report.numbers.items()]
    body = "\n".join([_LOOKUP, *lines, r"\rk@restore", ""])
    return Writer("latex", report.appearance, report.signature).head("numbers", body) + body


def latex_value(key: str, text: str) -> str:
    r"""Write a value for text and mathematics alike.

    Examples
    --------
    >>> print(*(latex_value("", text) for text in ("93.1", "−1.25", "<.001", "R&D")))
    93.1 \ensuremath{-}1.25 \ensuremath{<}.001 R\&D
    """
    return _MATHEMATICS.sub(r"\\ensuremath{\1}", _written(Latex(), key, text))


def markdown_value(key: str, text: str) -> str:
    r"""Write a value for running text in Markdown.

    Examples
    --------
    >>> print(markdown_value("main/sst2/ours", "−1.5"), markdown_value("main/sst2/ours-vs-base/mark", "*"))
    −1.5 \*
    """
    return _written(Markdown(), key, text)


def _written(notation: Format, key: str, text: str) -> str:
    return notation.mark(text) if key.endswith("/mark") else str(notation.write(text))


def markdown_numbers(report: Report) -> str:
    """Write the keys with their values as one Markdown table."""
    rows = tuple(
        Row(cells=(Cell(text=code(key)), Cell(mark=text) if key.endswith("/mark") else Cell(text=text)))
        for key, text in report.numbers.items()
    )
    columns = (Column(header="Key", align="left"), Column(header="Value"))
    writer = Writer("markdown", signature=report.signature)
    return writer.table(Table(name="numbers", caption="", columns=columns, rows=rows))
