"""Find the rows and columns that name the others, head groups, or begin a table of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.paper.printed_number import PrintedNumber, is_measured
from reportkit.checker.paper.source import MappedText, Span
from reportkit.checker.paper.spreads import with_spreads

_SETTING = re.compile(r"[^\W\d]\w*\s?=")
_RANGE = re.compile(
    r"(?:[\[(]?\d[\d,.]*\s?(?:[–×-]\s?\d[\d,.]*[\])]?|\+)|\d+[:/]\d+|\(\d[\d.]*(?:, ?\d[\d.]*){2,}\))(?!\S)"
)
_ASIDE = re.compile(r"\([^()]*[^\W\d]{2}[^()]*\)")
_COUNTED = re.compile(
    r"(?:(?:data ?)?sets?|models?|methods?|systems?|(?:tasks?|settings?|scales?|thresholds?)(?: \S{1,3})?|"
    r"#|no\.?|years?|ids?|[a-z]|batch|runs?|steps?|epochs?|layers?|levels?|rank|rounds?|seeds?|folds?|threshold|size|budget|dim\w*|"
    r"λ|α|β|ε|τ|thr\w*|\w+ size|number of \w+|# ?\w+)\s*$",
    re.IGNORECASE,
)
"""Headings of a first column of numbers that name rows."""
MOST_HEADER_ROWS = 6
MOST_LABELS = 3
"""If this many columns of words precede the results, only those that distinguish rows are labels."""


def finished_table(
    cells: list[list[Cell]], rules: Sequence[int], *, span: Span, n_header_rows: int | None = None
) -> Table:
    """Recognise headers and make the table."""
    above = header_rows(cells, rules) if n_header_rows is None else n_header_rows
    if all(1 < row[0].n_columns == len(row) for row in cells[:above]) and group_rows(cells, above):
        above = 0  # the first group of rows has its heading at the top
    left = header_columns(cells, above)
    groups = group_rows(cells, above, rules)
    return Table(
        grid=with_spreads(with_headers(cells, above, left, groups), above, left),
        n_header_rows=above,
        n_header_columns=left,
        rules=tuple(rules),
        group_rows=groups,
        span=span,
    )


def header_rows(grid: Sequence[Sequence[Cell]], rules: Sequence[int]) -> int:
    """Count the leading rows that name columns: those above the first rule inside the table that hold no results."""
    if len(grid) < 2:
        return 0
    if len(grid[0]) == 1:
        return int(1 in rules)
    leading = 0
    while leading < len(grid) - 1 and not is_result_row(grid[leading]):
        leading += 1
    inside = [rule for rule in rules if min(leading, _unfinished(grid, leading)) < rule < len(grid)]
    if inside and inside[0] <= MOST_HEADER_ROWS:
        if not leading:  # years, or sizes, above a rule
            values = [cell.number for cell in grid[0][1:] if cell.number is not None]
            return int(inside[0] == 1 and not any(map(_has_decimals, values)))
        below_groups = inside[0] == 2 and any(1 < cell.n_columns < len(grid[0]) for cell in grid[0])
        return min(inside[0], max(leading, inside[0] * below_groups))
    if any(is_numeric(cell) and cell.number and cell.number.decimals for cell in grid[0]):
        return 0
    if leading == len(grid) - 1 and not is_result_row(grid[-1]):
        return int(_set_apart(grid[0]) and any(cell.text for cell in grid[0][1:]))
    return min(leading, _unfinished(grid, leading) + 1) if leading else 0


def _set_apart(row: Sequence[Cell]) -> bool:
    """Return whether all texts of a row are bold or italic."""
    return all(cell.bold or cell.italic or not cell.text for cell in row)


def _unfinished(grid: Sequence[Sequence[Cell]], leading: int) -> int:
    """Count the rows at the top whose header goes on below: headings of several columns, and cells of several rows."""
    grouped = any(cell.n_columns > 1 for cell in grid[0]) and 1 < leading < len(grid) - 1
    return max(int(grouped), *(cell.n_rows - 1 for cell in grid[0] if cell.n_rows <= max(1, leading)))


def notes_below(grid: Sequence[Sequence[Cell]]) -> tuple[MappedText, ...]:
    """Return the texts of last rows as wide as the table: headings have rows below them, so these are notes."""
    found: list[MappedText] = []
    for row in reversed(grid[2:]):
        wide = 2 * row[0].n_columns > len(row) > 1 and all(is_blank(cell) for cell in row[row[0].n_columns :])
        if not (wide and any(map(str.isalpha, row[0].text.text))):
            break
        found.insert(0, row[0].text)
    return tuple(found)


def is_result_row(row: Sequence[Cell]) -> bool:
    """Return whether half of the printed cells after the first, or more, are numbers of one column."""
    cells = list({id(cell): cell for cell in row[1:] if not is_blank(cell)}.values())
    results = sum(is_numeric(cell) and cell.n_columns == 1 and not _SETTING.match(cell.text.text) for cell in cells)
    return bool(cells) and results >= 0.5 * len(cells)


def header_columns(grid: Sequence[Sequence[Cell]], n_header_rows: int) -> int:
    """Count the leading columns that name rows: those in which most cells hold no numbers."""
    body = grid[n_header_rows:]
    if not body or not body[0]:
        return 0
    last, first = len(body[0]) - 1, 0
    for column in range(last + 1):
        cells = [row[column] for row in body if row[column].column == column and row[column].n_columns < len(row)]
        cells = [cell for cell in cells if not is_blank(cell)]
        results = sum(is_numeric(cell) or (column > 0 and is_symbol(cell)) for cell in cells)
        numeric = results >= 0.5 * len(cells) and (cells or column)
        if column and 4 * results >= len(cells) > 0 and len(set(_carried(body, column))) == len(body) and not numeric:
            break  # words and numbers, where they distinguish the rows
        if numeric and (column == last or not _names_rows(grid, n_header_rows, column, cells)):
            if column < MOST_LABELS or len(body) == 1:
                return column
            last = column
            break
        first += bool(numeric and first == column)
    if len(grid) == 1:
        return 0
    named = (column for column in range(first + 1, last) if len(set(_carried(body, column))) == len(body))
    return next(named, last)  # of many columns of words, only those that distinguish rows


def _names_rows(grid: Sequence[Sequence[Cell]], n_header_rows: int, column: int, cells: Sequence[Cell]) -> bool:
    """Return whether a column of numbers names the rows: years, ids, settings, or numbers before further names."""
    above, body = grid[:n_header_rows], grid[n_header_rows:]
    heading = next((row[column].text.text for row in reversed(above) if row[column].text), "")
    labels = [len(set(_carried(body, stop))) for stop in (column, column + 1)]
    again = len({cell.text.text for cell in cells}) < len(cells)
    errors = any(cell.text.text.startswith("(") for cell in cells)
    if column and labels[0] < labels[1] == len(body) and not errors:
        return _COUNTED.match(heading) is not None and (again or len(heading) > 1)
    further = [row[column + 1] for row in body if row[column + 1].column == column + 1]
    further = [cell for cell in further if not is_blank(cell)]
    if further and not any(is_numeric(cell) or is_symbol(cell) for cell in further):
        return column == 0 or not cells or (labels[0] < len(body) and _COUNTED.match(heading) is not None)
    return not column and len(cells) > 1 and _is_setting(heading, cells)


def _carried(body: Sequence[Sequence[Cell]], n_columns: int) -> list[tuple[str, ...]]:
    """Return the first texts of each row, after the heading that spans the columns above it.

    A blank text takes the one above it; every citation counts as a text of its own.
    """
    found: list[tuple[str, ...]] = []
    group, above = "", ("",) * n_columns
    for row in body:
        if 1 < row[0].n_columns == len(row):
            group, above = row[0].text.text, ("",) * n_columns
        texts = (f"{cell.text.text}{cell.span.start if '⟦' in cell.text.text else ''}" for cell in row)
        above = tuple(text or before for text, before in zip(texts, above, strict=False))
        found.append((group, *above))
    return found


def _is_setting(heading: str, cells: Sequence[Cell]) -> bool:
    """Return whether the numbers of a first column are settings, such as sizes or years, and not results."""
    texts = [cell.text.text for cell in cells]
    values = [cell.number.value for cell in cells if cell.number is not None]
    if _COUNTED.match(heading) or len(values) < len(cells) or any("=" in text or _RANGE.match(text) for text in texts):
        return True
    ordered = len(set(values)) == len(values) > 2 and sorted(values) in (values, values[::-1])
    return ordered and all(value == int(value) for value in values)


def _has_decimals(number: PrintedNumber) -> bool:
    return bool(number.decimals or number.percent)


def group_rows(grid: Sequence[Sequence[Cell]], n_header_rows: int, rules: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the rows that hold one heading for the rows below.

    A label alone in its row is not a heading if it is the last row, ends its block, or stands above another such label.
    """
    found = []
    for index in range(n_header_rows, len(grid)):
        cells = list({id(cell): cell for cell in grid[index] if cell.text.text.strip()}.values())
        if len(cells) == 2 and _ASIDE.fullmatch(cells[1].text.text):
            cells.pop()
        alone = len(cells) == 1 and (cells[0].column == 0 or cells[0].n_columns > 1)
        if alone and cells[0].row == index and _heads(cells[0]) and len(grid[index]) > 1:
            found.append(index)
    kept: list[int] = []
    for index in reversed(found):
        below = next((row for row in range(index + 1, len(grid)) if any(cell.text for cell in grid[row])), None)
        last = index + 1 in rules and index not in rules and not _set_apart(grid[index])
        empty = below in found and below not in kept
        if below is not None and (grid[index][0].n_columns > 1 or not (last or empty)):
            kept.append(index)
    return tuple(reversed(kept))


def _heads(cell: Cell) -> bool:
    """Return whether a cell alone in its row is a heading: neither a number nor a remark in parentheses."""
    aside = cell.text.text.startswith("(") and cell.text.text.endswith(")")
    return not is_numeric(cell) and not (aside and (cell.numbers or cell.n_columns > 1))


def with_headers(
    grid: Sequence[Sequence[Cell]], n_rows: int, n_columns: int, groups: Sequence[int]
) -> tuple[tuple[Cell, ...], ...]:
    """Mark the cells of header rows and columns."""
    made: dict[tuple[int, int], Cell] = {}
    for row, line in enumerate(grid):
        for column, cell in enumerate(line):
            if (cell.row, cell.column) == (row, column):
                label = column < n_columns and row not in groups and cell.n_columns < max(2, len(line))
                header = row < n_rows or label
                made[row, column] = replace(cell, header=header)
    return tuple(tuple(made.get((cell.row, cell.column), cell) for cell in line) for line in grid)


_NAMED = re.compile(r"[A-Za-z]{2,}\.? \d+\s*$|[A-Za-z]{2,}-|[A-Za-z]{2}\S*\s*[(_^]|(?:19|20)\d\d-\d\d(?!\d)|\d\d:\d\d")
_COUNT = re.compile(r"[~≈<>]?\s?\d[\d,.]*\s[KMBT](?:\s?/\s?\d[\d,.]*\s?[KMBT])*")


def is_worded(cell: Cell) -> bool:
    """Return whether a cell may be a heading: it has letters, and is neither a number nor a mark."""
    return any(map(str.isalpha, cell.text.text)) and not (is_numeric(cell) or is_symbol(cell) or is_blank(cell))


def is_numeric(cell: Cell) -> bool:
    """Return whether a cell prints a number and not much else; one with a unit glued to it may be a name: 7B."""
    bounds = cell.interval
    number = cell.number or next((number for number in cell.numbers if number.role != "remark"), None)
    if bounds and number is None:
        return not cell.text.text.startswith("(") and any(bound.decimals for bound in bounds)
    if number is None or is_measured(cell.text.text):
        return False
    if _NAMED.match(cell.text.text):
        return False
    letters = sum(character.isalpha() for character in cell.text.text)
    return letters <= max(3, len(cell.text.text) // 3)


def is_symbol(cell: Cell) -> bool:
    """Return whether a cell prints a check mark, a cross or the like, or numbers with units: 46.8K / 37.1K, 31ms."""
    text = cell.text.text
    if not text.strip("?!.,;:…") or is_blank(cell):
        return False
    return not any(map(str.isalnum, text)) or is_measured(text) or _COUNT.fullmatch(text) is not None


def is_blank(cell: Cell) -> bool:
    """Return whether a cell prints nothing, or a dash for nothing."""
    return cell.text.text.strip(" -–—−\u2009·•.") in ("", "n/a", "N/A", "NA")


def panel_starts(table: Table) -> list[tuple[int, int]]:
    """Return the rows at which a table names its columns again, each with the first row of that panel's header.

    A heading of a group directly above belongs to it.
    """
    above = table.n_header_rows
    starts = [
        row
        for row in range(above + 1, table.n_rows - 1)
        if above and _names_anew(table, row) and is_result_row(table.grid[row + 1])
        and (_is_known(table, row) or row + 1 in table.rules)
        and any(is_result_row(table.grid[before]) for before in range(max(above, row - 2), row))
    ]  # fmt: skip
    return [(row - (row - 1 in table.group_rows and row - 1 > above), row) for row in starts]


def _names_anew(table: Table, row: int) -> bool:
    """Return whether a row names columns again: words only, in most columns."""
    left = table.n_header_columns
    if _is_known(table, row):
        return True
    cells = list({id(cell): cell for cell in table.grid[row][left:] if cell.row == row and cell.text}.values())
    covered = sum(cell.n_columns for cell in cells)
    return len(cells) > 1 and all(map(is_worded, cells)) and 2 * covered >= table.n_columns - left


def _is_known(table: Table, row: int) -> bool:
    """Return whether a row begins like one of the header rows."""
    left = table.n_header_columns
    lines = (table.grid[row], *table.grid[: table.n_header_rows])
    labels = [[cell.text.text for cell in line[:left] if cell.column + cell.n_columns <= left] for line in lines]
    return any(labels[0]) and labels[0] in labels[1:]
