"""From cells as they are written to a table: spans resolved, split columns joined, headers and marks recognised."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reportkit.checker.paper.cleaner import Styled
from reportkit.checker.paper.document import Cell
from reportkit.checker.paper.printed_number import PrintedNumber, is_measured, located_numbers
from reportkit.checker.paper.source import MappedText, Piece, Span

SYMBOLS = "*†‡§¶‖•⋄△✓✗°↑↓#♮♭♯♠♡♢♣★▲"
_POWER = r"(?<!(?<![\d.,])10\^)(?<!(?<![\d.,])10\^\()"
_RAISED = re.compile(
    rf"(?<!(?<![^\W\d_])[^\W\d_])\^\(?([{re.escape(SYMBOLS)}]+|"
    rf"[a-zA-Z](?:,?[a-zA-Z]){{0,3}}(?![\w])|{_POWER}\d(?:,\d){{0,3}}(?!\d))"
    rf"|\^\(?([{re.escape(SYMBOLS.replace('*', ''))}]+)"
)
"""Behind a single letter, as in R^2 and τ^*, what is raised is of a variable, unless it is a dagger or the like."""
_BESIDE = re.compile(r"(?<=[\d%)\]\u2009 ])([*†‡§¶‖△•⋄]+)|^([*†‡§¶‖△•⋄]+)(?=[\d\-−+.])")
_NAMED = re.compile(r"[A-Za-z]{2,}\.? \d+\s*$|[A-Za-z]{2,}-|[A-Za-z]{2,}\S*\s*[(_^]|\d{4}-\d\d-\d\d|\d\d:\d\d")
_COUNT = re.compile(r"[~≈<>]?\s?\d[\d,.]*\s[KMBT](?:\s?/\s?\d[\d,.]*\s?[KMBT])*")
_SETTING = re.compile(r"[^\W\d]\w*\s?=")
_RANGE = re.compile(
    r"(?:[\[(]?\d[\d,.]*\s?(?:[–×-]\s?\d[\d,.]*[\])]?|\+)|\d+[:/]\d+|\(\d[\d.]*(?:, ?\d[\d.]*){2,}\))(?!\S)"
)
_GOES_ON = re.compile(r"[a-z(+⟦]")
_WORDED = re.compile(r"[^\W\d]{2}|[^\W\d]_")
_COUNTED = re.compile(
    r"(?:(?:data ?)?sets?|models?|methods?|systems?|(?:tasks?|settings?|scales?|thresholds?)(?: \S{1,3})?|"
    r"#|no\.?|years?|ids?|[a-z]|batch|runs?|steps?|epochs?|layers?|levels?|rank|rounds?|seeds?|folds?|threshold|size|budget|dim\w*|"
    r"λ|α|β|ε|τ|thr\w*|\w+ size|number of \w+|# ?\w+)\s*$",
    re.IGNORECASE,
)
"""Headings of a first column of numbers that name rows."""
FIRST_YEAR, LAST_YEAR = 1900, 2100
MOST_HEADER_ROWS = 6


@dataclass(frozen=True, slots=True)
class WrittenCell:
    """A cell as it stands in the source.

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


def joined(left: WrittenCell, glue: str, right: WrittenCell) -> WrittenCell:
    """Two cells of columns that are set without space between them, as one."""
    if not right.content.text.text:
        return left
    if not left.content.text.text:
        return replace(right, n_rows=left.n_rows)
    first, second = left.content.text, right.content.text
    between = (Piece(len(first.text), left.span.file, left.span.end, left.span.end, False),) if glue else ()
    shift = len(first.text) + len(glue)
    text = MappedText(
        first.text + glue + second.text,
        (*first.pieces, *between, *(piece._replace(at=piece.at + shift) for piece in second.pieces)),
    )
    runs = (*left.content.runs, *((a + shift, b + shift, styles) for a, b, styles in right.content.runs))
    span = left.span
    if right.span.file == span.file and right.span.end > span.start:
        span = Span(span.file, span.start, right.span.end)
    return WrittenCell(Styled(text, runs), span, left.n_rows, left.n_columns)


def join_wrapped(rows: list[list[WrittenCell]], rules: Sequence[int]) -> list[int]:
    """Join a label that goes on in the next row, where nothing else stands, to its row; return where rules are then.

    The next row begins with a citation, a parenthesis or a small letter, and no rule is between the two.
    """
    kept = list(rules)
    for index in range(len(rows) - 1, 0, -1):
        above, row = rows[index - 1], rows[index]
        first = row[0]
        wraps = (
            len(above) > 1
            and first.n_columns == first.n_rows == above[0].n_columns == 1
            and _GOES_ON.match(first.content.text.text) is not None
            and any(character.isalpha() for character in above[0].content.text.text)
            and not any(cell.content.text.text.strip() for cell in row[1:])
            and any(located_numbers(cell.content.text) for cell in above[1:])
            and index not in kept
        )
        if wraps:
            above[0] = replace(joined(above[0], " ", first), n_rows=1)
            above[1:] = [
                replace(cell, n_rows=max(1, cell.n_rows - 1)) if cell.n_rows > 1 else cell for cell in above[1:]
            ]
            del rows[index]
            kept = [rule - (rule > index) for rule in kept]
    return kept


def finished(written: WrittenCell, row: int, column: int, styles: frozenset[str] = frozenset()) -> Cell:
    """Read the numbers, marks and styles of a cell."""
    text = written.content.text
    located = located_numbers(text)
    first = next(((a, b) for a, b, number in located if number.role == "value"), (0, len(text.text)))
    own = (written.content.styles(*first) if text else frozenset()) | styles
    colours = sorted(
        style.removeprefix("colour:") for _, _, run in written.content.runs for style in run if ":" in style
    )
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
        colour=colours[0] if colours else "",
        span=written.span,
        styles=written.content.runs,
    )


def _marks(text: str) -> tuple[str, ...]:
    """Significance marks: superscripts, and symbols beside a number; `**` is one mark, `†‡` are two."""
    if "^" not in text and not any(symbol in text for symbol in SYMBOLS):
        return ()
    found: list[str] = []
    for match in _RAISED.finditer(text):
        found.extend(_single(match[1] or match[2]))
    for match in _BESIDE.finditer(re.sub(r"\^\S+", " ", text)):
        found.extend(_single(match[1] or match[2]))
    return tuple(dict.fromkeys(found))


def _single(text: str) -> list[str]:
    return [match[0] for match in re.finditer(r"([^\w,\s])\1*|\w", text)]


def is_numeric(cell: Cell) -> bool:
    """Whether a cell prints a number and not much else; one with a unit glued to it may be a name: 7B."""
    bounds = cell.interval
    if bounds and cell.number is None:
        return cell.text.text.startswith("[") and any(bound.decimals for bound in bounds)
    if cell.number is None or is_measured(cell.text.text):
        return False
    if _NAMED.match(cell.text.text):
        return False
    letters = sum(character.isalpha() for character in cell.text.text)
    return letters <= max(3, len(cell.text.text) // 3)


def _is_symbol(cell: Cell) -> bool:
    """Whether a cell prints a check mark, a cross or the like, or numbers with units: 46.8K / 37.1K, 31ms."""
    text = cell.text.text
    if not text or is_blank(cell):
        return False
    return not any(map(str.isalnum, text)) or is_measured(text) or _COUNT.fullmatch(text) is not None


def is_blank(cell: Cell) -> bool:
    """Whether a cell prints nothing, or a dash for nothing."""
    return cell.text.text.strip(" -–—−\u2009·•.") in ("", "n/a", "N/A", "NA")


def placed(rows: Sequence[Sequence[WrittenCell]], n_columns: int) -> list[list[tuple[WrittenCell, int, int]]]:
    """Put cells into a rectangle; each place names its cell and the upper left corner of that."""
    empty = WrittenCell(Styled(MappedText(), ()), Span(0, 0, 0))
    grid: list[list[tuple[WrittenCell, int, int]]] = []
    for index, row in enumerate(rows):
        line: list[tuple[WrittenCell, int, int]] = []
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
            step = 1 if cell.n_rows > 0 else -1
            for other in range(index + step, index + cell.n_rows, step):
                if 0 <= other < len(grid) and not grid[other][column][0].content.text.text.strip():
                    grid[other][column] = (cell, min(index, index + cell.n_rows + 1), corner)
    return _upwards(grid)


def _upwards(grid: list[list[tuple[WrittenCell, int, int]]]) -> list[list[tuple[WrittenCell, int, int]]]:
    """Give a cell that spans upwards its upper corner at each of its places."""
    for index, line in enumerate(grid):
        for column, (cell, row, corner) in enumerate(line):
            if cell.n_rows < -1 and row == index:
                top = index
                while top > 0 and grid[top - 1][column][0] is cell:
                    top -= 1
                line[column] = (cell, top, corner)
    return grid


def grid_of(
    places: Sequence[Sequence[tuple[WrittenCell, int, int]]], column_styles: Sequence[frozenset[str]]
) -> list[list[Cell]]:
    """Finish every cell once and put it at each of its places."""
    made: dict[tuple[int, int], Cell] = {}
    grid: list[list[Cell]] = []
    for line in places:
        cells = []
        for written, row, column in line:
            key = (row, column)
            if key not in made:
                styles = column_styles[column] if column < len(column_styles) else frozenset()
                made[key] = finished(written, row, column, styles)
            cells.append(made[key])
        grid.append(cells)
    return grid


def header_rows(grid: Sequence[Sequence[Cell]], rules: Sequence[int]) -> int:
    """Leading rows that name columns: those above the first rule inside the table that hold no results."""
    if len(grid) < 2:
        return 0
    leading = 0
    while leading < len(grid) - 1 and not _is_result_row(grid[leading]):
        leading += 1
    inside = [rule for rule in rules if min(leading, _unfinished(grid, leading)) < rule < len(grid)]
    if inside and inside[0] <= MOST_HEADER_ROWS:
        below_groups = inside[0] == 2 and any(1 < cell.n_columns < len(grid[0]) for cell in grid[0])
        return min(inside[0], max(leading, inside[0] * below_groups)) if leading else inside[0]
    if any(is_numeric(cell) and cell.number and cell.number.decimals for cell in grid[0]):
        return 0
    if leading:
        return min(leading, _unfinished(grid, leading) + 1)
    return int(_is_count(grid[0]) and not any(map(_is_result_row, grid[1:])))


def _unfinished(grid: Sequence[Sequence[Cell]], leading: int) -> int:
    """Rows at the top with more of the header below: headings of several columns, and what one beside them spans."""
    grouped = any(cell.n_columns > 1 for cell in grid[0]) and 1 < leading < len(grid) - 1
    return max(int(grouped), *(cell.n_rows - 1 for cell in grid[0] if cell.n_rows <= max(1, leading)))


def _is_count(row: Sequence[Cell]) -> bool:
    """Whether a row counts its columns: 11, 12, 13."""
    values = [int(cell.text.text) for cell in row if cell.text.text.isdecimal()]
    return len(values) == len(row) > 2 and values == list(range(values[0], values[0] + len(row)))


def notes_below(grid: Sequence[Sequence[Cell]]) -> tuple[MappedText, ...]:
    """Texts of the last rows that are as wide as the table: there is nothing below that they could be a heading of."""
    found: list[MappedText] = []
    for row in reversed(grid[2:]):
        wide = 2 * row[0].n_columns > len(row) > 1 and all(is_blank(cell) for cell in row[row[0].n_columns :])
        if not (wide and any(map(str.isalpha, row[0].text.text))):
            break
        found.insert(0, row[0].text)
    return tuple(found)


def _is_result_row(row: Sequence[Cell]) -> bool:
    cells = list({id(cell): cell for cell in row[1:] if not is_blank(cell)}.values())
    results = sum(is_numeric(cell) and cell.n_columns == 1 and not _SETTING.match(cell.text.text) for cell in cells)
    return bool(cells) and results >= 0.5 * len(cells)


def header_columns(grid: Sequence[Sequence[Cell]], n_header_rows: int) -> int:
    """Leading columns that name rows: those whose cells are mostly no numbers."""
    body = grid[n_header_rows:]
    if not body or not body[0] or (n_header_rows == 1 and _is_count(grid[0])):
        return 0
    count = 0
    for column in range(len(body[0]) - 1):
        cells = [row[column] for row in body if not is_blank(row[column]) and row[column].n_columns < len(row)]
        results = sum(is_numeric(cell) or (column > 0 and _is_symbol(cell)) for cell in cells)
        numeric = results >= 0.5 * len(cells) and (cells or column)
        if numeric and not _names_rows(grid, n_header_rows, column, cells):
            break
        count += 1
    return count


def _names_rows(grid: Sequence[Sequence[Cell]], n_header_rows: int, column: int, cells: Sequence[Cell]) -> bool:
    """Whether a column of numbers names the rows: years, ids, settings, or what stands before further names."""
    above, body = grid[:n_header_rows], grid[n_header_rows:]
    heading, following = (
        next((row[at].text.text for row in reversed(above) if row[at].text), "") for at in (column, column + 1)
    )
    if column and any(row[0].n_columns == column + 1 and _COUNTED.match(row[0].text.text) for row in above):
        return True  # "Model" above a name and a size
    labels = [len(set(_carried(body, stop))) for stop in (column, column + 1)]
    if column and _COUNTED.match(heading) and labels[0] < labels[1] == len(body):
        return True
    further = [row[column + 1] for row in body if not is_blank(row[column + 1])]
    if further and not any(is_numeric(cell) or _is_symbol(cell) for cell in further):
        return (
            column == 0
            or not cells
            or (labels[0] < len(body) and (_COUNTED.match(heading) is not None or not following))
        )
    return not column and len(cells) > 1 and _is_setting(grid, n_header_rows, heading, cells)


def _carried(body: Sequence[Sequence[Cell]], n_columns: int) -> list[tuple[str, ...]]:
    """First texts of each row; a blank one is that of the row above."""
    found: list[tuple[str, ...]] = []
    for row in body:
        above = found[-1] if found else ("",) * n_columns
        found.append(tuple(cell.text.text or before for cell, before in zip(row, above, strict=False)))
    return found


def _is_setting(grid: Sequence[Sequence[Cell]], n_header_rows: int, heading: str, cells: Sequence[Cell]) -> bool:
    """Whether the numbers of a first column are none that were measured: of each it is asked what belongs to it."""
    texts = [cell.text.text for cell in cells]
    if (
        _COUNTED.match(heading)
        or "\\" in heading
        or any(cell.n_rows > 1 or cell.number is None for cell in cells)
        or any("=" in text or _RANGE.match(text) for text in texts)
        or sum(_WORDED.match(text) is not None for text in texts) > len(texts) / 2
        or {cell.text.text for row in grid[:n_header_rows] for cell in row} >= set(texts)
    ):
        return True
    values = [cell.number.value for cell in cells if cell.number is not None]
    ordered = len(set(values)) == len(values) and sorted(values) in (values, values[::-1])
    if not all(value == int(value) for value in values):
        return ordered and len(values) > 2
    others = [cell.number for row in grid[n_header_rows:] for cell in row[1:] if cell.number is not None]
    return (
        all(FIRST_YEAR <= value <= LAST_YEAR for value in values)
        or (ordered and (len(values) > 2 or values[1] == values[0] + 1))
        or (len(set(values)) == len(values) and 2 * sum(map(_has_decimals, others)) > len(others))
    )


def _has_decimals(number: PrintedNumber) -> bool:
    return bool(number.decimals or number.percent)


def group_rows(grid: Sequence[Sequence[Cell]], n_header_rows: int) -> tuple[int, ...]:
    """Rows that hold one heading for the rows below."""
    found = []
    for index in range(n_header_rows, len(grid)):
        cells = list({id(cell): cell for cell in grid[index] if cell.text.text.strip()}.values())
        if len(cells) == 1 and cells[0].row == index and not is_numeric(cells[0]) and len(grid[index]) > 1:
            found.append(index)
    return tuple(found)


def with_headers(
    grid: Sequence[Sequence[Cell]], n_rows: int, n_columns: int, groups: Sequence[int]
) -> tuple[tuple[Cell, ...], ...]:
    """Mark the cells of header rows and columns."""
    made: dict[tuple[int, int], Cell] = {}
    for row, line in enumerate(grid):
        for column, cell in enumerate(line):
            if (cell.row, cell.column) == (row, column):
                header = row < n_rows or (column < n_columns and row not in groups)
                made[row, column] = replace(cell, header=header)
    return tuple(tuple(made.get((cell.row, cell.column), cell) for cell in line) for line in grid)
