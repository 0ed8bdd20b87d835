"""Turn written cells into a table: resolve spans, join split columns, recognise headers and marks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportkit.checker.paper.cleaner import Styled
from reportkit.checker.paper.document import Cell
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import MappedText, Span

SYMBOLS = "*†‡§¶‖•⋄△✓✗°↑↓#♮♭♯♠♡♢♣★▲"
_POWER = "".join(rf"(?<!(?<![\d.,]){base}\^)(?<!(?<![\d.,]){base}\^\()" for base in (10, 2))
_RAISED = re.compile(
    rf"(?<![|\\])(?<!(?<![^\W\d_])(?<!\d(?=[kKMBGT]))[^\W\d_])\^\(?([{re.escape(SYMBOLS)}×]+|"
    rf"[a-zA-Z](?:,?[a-zA-Z]){{0,3}}(?![\w])|{_POWER}\d(?:,\d){{0,3}}(?!\d))"
    rf"|\^\(?([{re.escape(SYMBOLS.replace('*', ''))}]+)"
)
"""A superscript after a letter belongs to a variable, as in R^2, |V|^2 and τ^*, except daggers; 3.1k is a number."""
_BESIDE = re.compile(
    r"(?<=[\d%)\]\u2009 ])(?:\((?=[*†‡§¶‖△•⋄]+[,)]))?(?!\*+[^\W_])([*†‡§¶‖△•⋄]+)|"
    r"^([*†‡§¶‖△•⋄]+)(?=[\d\-−+.])|\.\d+(\+)$|(?<=[^\W\d_]{2})([*†‡]+)$"
)
_WITHIN = re.compile(r"\)?\u200b?[^\W\d_]")
"""Letters after a superscript, which belong to a name, as in EV^2R."""
_BEHIND = re.compile(rf"(?<![\s^{re.escape(SYMBOLS)}])(?:\s|\^?[{re.escape(SYMBOLS)}]|\^\++|\^\w(?!\w)|⟦\w+⟧)+\Z")
"""Marks and citations after a name: they have its style or none."""
_LEVEL = re.compile(r"\d\d(?:\.\d)?\s?%\s?(?:CI|[Cc]onfidence)\b")
_ENCLOSED = re.compile(r"\([^()]*\)|\[[^][]*\]|⟦\w+⟧")
_SEVERAL = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class WrittenCell:
    r"""A cell as it is in the source.

    Parameters
    ----------
    content : Styled
        Cleaned text and its styles.
    span : Span
        Its source.
    n_rows, n_columns : int
        What it spans; negative rows go upwards.
    """

    content: Styled
    span: Span
    n_rows: int = 1
    n_columns: int = 1


Placed = tuple[WrittenCell, int, int]
"""A cell at one of its places, and its upper left corner."""


def without_blank_rows(rows: list[list[WrittenCell]], rules: Sequence[int]) -> list[int]:
    """Drop empty rows, except those that cells of other rows span; return the new places of rules."""
    spanned = {
        other
        for index, row in enumerate(rows)
        for cell in row
        for other in range(index + min(0, cell.n_rows + 1), index + max(1, cell.n_rows))
        if abs(cell.n_rows) > 1
    }
    blank = [
        index
        for index, row in enumerate(rows)
        if index not in spanned and not any(cell.content.text.text.strip() for cell in row)
    ]
    for index in reversed(blank):
        del rows[index]
    return [rule - sum(index < rule for index in blank) for rule in rules]


def finished(written: WrittenCell, row: int, column: int) -> Cell:
    """Read the numbers, marks and styles of a cell."""
    text = written.content.text
    located = [(a, b, _aside(text.text, a, number)) for a, b, number in located_numbers(text)]
    behind = _BEHIND.search(text.text)
    named = (0, (behind and behind.start()) or len(text.text))
    first = next(((a, b) for a, b, number in located if number.role == "value"), None)
    if first is not None and not _is_about_number(text.text, first[0]):
        first = None
    own = written.content.styles(*(first or named), words=first is None) if text else frozenset()
    return Cell(
        text=text,
        row=row,
        column=column,
        n_rows=abs(written.n_rows),
        n_columns=written.n_columns,
        numbers=tuple(number for _, _, number in located),
        marks=_marks(text.text),
        bold="bold" in own,
        underlined="underlined" in own,
        italic="italic" in own,
        span=written.span,
        styles=written.content.runs,
    )


def _is_about_number(text: str, at: int) -> bool:
    """Return whether a text with a number is not one of several words: 84.2 (ours), 12 GPU hours, Layer: 84.2."""
    words = _SEVERAL.findall(_ENCLOSED.sub(" ", text))
    leads = not any(map(str.isalnum, text[:at]))
    return len(words) <= 1 + leads and not _LEVEL.match(text, at)


def _aside(text: str, at: int, number: PrintedNumber) -> PrintedNumber:
    """Mark a number as a remark if it stands in parentheses after other text of its cell."""
    opened = text.rfind("(", 0, at)
    if number.role != "value" or opened <= 0 or text.count("(", 0, at) <= text.count(")", 0, at):
        return number
    return replace(number, role="remark") if text[opened - 1].isspace() or text[opened - 1].isdigit() else number


def _marks(text: str) -> tuple[str, ...]:
    """Return the significance marks: superscripts, and symbols next to a number; `**` is one mark, `†‡` are two."""
    if "^" not in text and not any(symbol in text for symbol in SYMBOLS) and not text.endswith("+"):
        return ()
    found: list[str] = []
    for match in _RAISED.finditer(text):
        raised = match[1] or match[2]
        word = raised.isalpha() and len(raised) > 1 and not (list(raised) == sorted(set(raised)) and raised[-1] < "i")
        within = text[: match.start()][-1:].isalpha() and _WITHIN.match(text, match.end())
        if not word and not within:
            found.extend(_single(raised))
    for match in _BESIDE.finditer(re.sub(r"\^\S+", " ", text)):
        found.extend(_single(next(filter(None, match.groups()))))
    return tuple(dict.fromkeys(found))


def _single(text: str) -> list[str]:
    return [match[0] for match in re.finditer(r"([^\w,\s])\1*|\w", text)]


def placed(rows: Sequence[Sequence[WrittenCell]], n_columns: int) -> list[list[Placed]]:
    """Put cells into a rectangle; each place names its cell and the upper left corner of that."""
    empty = WrittenCell(Styled(MappedText(), ()), Span(0, 0, 0))
    grid: list[list[Placed]] = []
    for index, row in enumerate(rows):
        line: list[Placed] = []
        for cell in row:
            corner = len(line)
            count = max(1, min(cell.n_columns, n_columns - corner))
            line.extend([(cell, index, corner)] * count)
        line.extend((empty, index, column) for column in range(len(line), n_columns))
        grid.append(line[:n_columns])
    for index, line in enumerate(grid):
        for column, (cell, began, corner) in enumerate(line):
            if abs(cell.n_rows) <= 1 or began != index:
                continue
            step, top = (1 if cell.n_rows > 0 else -1), index
            for other in range(index + step, index + cell.n_rows, step):
                if 0 <= other < len(grid) and not grid[other][column][0].content.text.text.strip():
                    top = min(top, other)
                    grid[other][column] = (cell, min(index, index + cell.n_rows + 1), corner)
            line[column] = (cell, top, corner)
    return grid


def grid_of(places: Sequence[Sequence[Placed]]) -> list[list[Cell]]:
    """Finish every cell once and put it at each of its places."""
    made: dict[tuple[int, int], Cell] = {}
    grid: list[list[Cell]] = []
    for line in places:
        cells = []
        for written, row, column in line:
            key = (row, column)
            if key not in made:
                made[key] = finished(written, row, column)
            cells.append(made[key])
        grid.append(cells)
    return grid
