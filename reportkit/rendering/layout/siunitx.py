r"""Columns of numbers for siunitx (version 3): `S`, aligned at the point whatever stands around the number.

The model of a column, `table-format=2.1{$^{\dagger}$}`, reserves room for the widest mark. Bold digits are wider than
others in Computer Modern: they stand out on both sides of the point. An underlined number is no number for siunitx: it
is put in its place by hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reportkit.rendering.layout.width import Face, Font, mark_width, text_width
from reportkit.rendering.text.inline import latex_mark, latex_prose
from reportkit.report.model import Cell, Table
from reportkit.report.prose import Text

PACKAGES = ("siunitx", "etoolbox")
PREAMBLE = (r"\robustify\bfseries", r"\sisetup{mode=text,reset-text-series=false}")
"""What a document needs in its preamble, besides booktabs."""

UNDERLINED = (
    r"\providecommand{\rkunderlined}[6]{\hphantom{#1}\llap{\rlap{\underline{#2#3}}\phantom{#2}}"
    r"\hphantom{#4}\rlap{#5}\hphantom{#6}}%"
)
"""Definition for underlined numbers: whole of the model, the number in two parts, fraction of the model, both marks."""

_NUMBER = re.compile(r"([+−-]?)(\d+)(\.\d+)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class DecimalColumn:
    """A column that siunitx sets.

    Parameters
    ----------
    sign : str
        `+` or `-` if some number has one.
    whole : int
        Most digits before the point.
    decimals : int
        Most digits behind it.
    mark : str
        The widest mark.
    bold : bool
        Whether some number is in bold, and bold digits may be wider than others.
    """

    sign: str
    whole: int
    decimals: int
    mark: str
    bold: bool

    @property
    def specification(self) -> str:
        r"""What stands in the preamble of the tabular.

        Examples
        --------
        >>> print(DecimalColumn(sign="", whole=2, decimals=1, mark="†", bold=True).specification)
        S[table-format=2.1{$^{\dagger}$}]
        """
        model = f"{self.sign}{self.whole}" + (f".{self.decimals}" if self.decimals else "")
        options = [f"table-format={model}" + (f"{{{latex_mark(self.mark)}}}" if self.mark else "")]
        if self.sign == "+":
            options.append("retain-explicit-plus")
        if max(self.whole, self.decimals) > 4:
            options.append("group-digits=none")
        return f"S[{','.join(options)}]"

    def width(self, *, size: float, font: Font) -> float:
        """Width of the model, in points."""
        digits = "−" * bool(self.sign) + "0" * self.whole + "." * bool(self.decimals) + "0" * self.decimals
        face: Face = "bold" if self.bold else "roman"
        return text_width(digits, size=size, font=font, face=face) + mark_width(self.mark, size=size)

    def cell(self, cell: Cell) -> str:
        r"""One cell: a number, its mark in braces; what is no number is in braces altogether.

        Examples
        --------
        >>> column = DecimalColumn(sign="-", whole=2, decimals=1, mark="*", bold=True)
        >>> print(column.cell(Cell(text=(Text("−9.3"),), mark="*", bold=True)))
        \bfseries -9.3 {$^{*}$}
        """
        match = _matched(cell)
        mark = latex_mark(cell.mark)
        if match is None:
            content = latex_prose(cell.text)
            content = rf"\textbf{{{content}}}" if cell.bold and content else content
            content = rf"\underline{{{content}}}" if cell.underline and content else content
            return f"{{{content}{mark}}}" if content or mark else ""
        sign, whole, fraction = match[1].replace("−", "-"), match[2], match[3] or ""
        if cell.underline:
            return self._underlined(sign, whole, fraction, cell)
        number = (r"\bfseries " if cell.bold else "") + sign + whole + fraction
        return f"{number} {{{mark}}}" if mark else number

    def _underlined(self, sign: str, whole: str, fraction: str, cell: Cell) -> str:
        model = (f"${self.sign}$" if self.sign else "") + "0" * self.whole
        before = (f"${sign}$" if sign else "") + whole
        if cell.bold:
            before, fraction = rf"\textbf{{{before}}}", rf"\textbf{{{fraction}}}"
        behind = "." + "0" * self.decimals if self.decimals else ""
        arguments = (model, before, fraction, behind, latex_mark(cell.mark), latex_mark(self.mark))
        return r"{\rkunderlined" + "".join(f"{{{argument}}}" for argument in arguments) + "}"


def decimal_columns(table: Table) -> tuple[DecimalColumn | None, ...]:
    """Models of the columns of a table; None for those that siunitx does not set."""
    body = [row for row in table.rows if not row.heading]
    return tuple(
        decimal_column([row.cells[index] for row in body]) if column.align == "right" else None
        for index, column in enumerate(table.columns)
    )


def decimal_column(cells: Sequence[Cell]) -> DecimalColumn | None:
    """Find the model of a column of the body, or None if it is not one of plain numbers.

    Parameters
    ----------
    cells : sequence of Cell
        Of the body, without headers and headings.

    Returns
    -------
    DecimalColumn or None
        None where fewer than half of the cells are numbers, or others than short words and dashes stand among them:
        p-values such as `<.001`, intervals, numbers with a comma.
    """
    filled = [cell for cell in cells if cell.text]
    matches = [(cell, match) for cell in filled if (match := _matched(cell)) is not None]
    others = [cell for cell in filled if _matched(cell) is None]
    if 2 * len(matches) < len(filled) or not matches or not all(map(_is_dash, others)):
        return None
    signs = {match[1].replace("−", "-") for _, match in matches}
    return DecimalColumn(
        sign="+" if "+" in signs else "-" if "-" in signs else "",
        whole=max(len(match[2]) for _, match in matches),
        decimals=max(len(match[3] or ".") - 1 for _, match in matches),
        mark=max((cell.mark for cell in filled), key=mark_width, default=""),
        bold=any(cell.bold for cell, _ in matches),
    )


def _matched(cell: Cell) -> re.Match[str] | None:
    return _NUMBER.fullmatch(cell.text[0].text) if len(cell.text) == 1 and isinstance(cell.text[0], Text) else None


def _is_dash(cell: Cell) -> bool:
    return len(cell.text) == 1 and isinstance(cell.text[0], Text) and cell.text[0].text in {"–", "—", "-", "−", "n/a"}
