"""Which rows and columns of a table name the others, which rows head groups, and where a header stands again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.paper.macros import AROUND, FONTS
from reportkit.checker.paper.printed_number import PrintedNumber, Role, is_measured
from reportkit.checker.paper.source import MappedText, Span

_NAMED = re.compile(r"[A-Za-z]{2,}\.? \d+\s*$|[A-Za-z]{2,}-|[A-Za-z]{2}\S*\s*[(_^]|(?:19|20)\d\d-\d\d(?!\d)|\d\d:\d\d")
_COUNT = re.compile(r"[~≈<>]?\s?\d[\d,.]*\s[KMBT](?:\s?/\s?\d[\d,.]*\s?[KMBT])*")
_SETTING = re.compile(r"[^\W\d]\w*\s?=")
_RANGE = re.compile(
    r"(?:[\[(]?\d[\d,.]*\s?(?:[–×-]\s?\d[\d,.]*[\])]?|\+)|\d+[:/]\d+|\(\d[\d.]*(?:, ?\d[\d.]*){2,}\))(?!\S)"
)
_ASIDE = re.compile(r"\([^()]*[^\W\d]{2}[^()]*\)")
_ITEM = re.compile(r"\(?(\d{1,3})[.)]?")
_WORDED = re.compile(r"[^\W\d]{2}|[^\W\d]_")
_COUNTED = re.compile(
    r"(?:(?:data ?)?sets?|models?|methods?|systems?|(?:tasks?|settings?|scales?|thresholds?)(?: \S{1,3})?|"
    r"#|no\.?|years?|ids?|[a-z]|batch|runs?|steps?|epochs?|layers?|levels?|rank|rounds?|seeds?|folds?|threshold|size|budget|dim\w*|"
    r"λ|α|β|ε|τ|thr\w*|\w+ size|number of \w+|# ?\w+)\s*$",
    re.IGNORECASE,
)
"""Headings of a first column of numbers that name rows."""
_DEVIATION = r"(?:s\.? ?d\.?|std\.?(?: ?(?:dev|err)\.?)?|stdev|standard (?:deviation|error)s?)"
_WITH_SPREAD = re.compile(rf"\(\s*(?:±\s?)?(?:{_DEVIATION}|s\.?e\.?m?\.?|σ)\s*\)\s*$", re.IGNORECASE)
_SECOND = re.compile(r"(\S{0,20}[^\W\d]\S{0,20}?)\d+\s*\(\1\d+\)\s*$")
"""Of "top_1 (top_10)"; of a long word without an end, the time would grow with its cube."""
_SPREAD = re.compile(rf"{_DEVIATION}|σ|s\.?e\.?", re.IGNORECASE)
_MEAN = re.compile(r"m|μ|x̄|mean|avg\.?|average|coef(?:\.|f\.?|ficients?)?|estimates?|est\.|b|β|β̂", re.IGNORECASE)
_OPENS, _CLOSES = re.compile(r"\[\.?\d[\d.]*%?"), re.compile(r"\.?\d[\d.]*%?\]")
"""Headings of two columns with the bounds of an interval: [0.025 and 0.975]."""
_PARENTHESISED = re.compile(r"\(\d*\.\d+\)")
_ERRORS = re.compile(r"\bstandard errors?\b|\bs\.?e\.?s?\b", re.IGNORECASE)
_NO_ERRORS = re.compile(
    r"\b[tzp][\s-]*(?:statistic|stat|value|ratio|score)s?\b[^.;]*\b(?:parenthes|bracket)|"
    r"\b(?:parenthes|bracket)\w*[^.;]*\b[tzp][\s-]*(?:statistic|stat|value|ratio|score)s?\b",
    re.IGNORECASE,
)
"""What else stands in parentheses below coefficients."""
_OF_INTERVAL = re.compile(r"\b(?:CIs?|CrIs?|HDIs?|(?:confidence|credible) (?:intervals?|limits))\b")
_SIGNED = r"[+\-−–]?(?:\d+(?:\.\d+)?|\.\d+)"
_BOUNDS = re.compile(rf"{_SIGNED}\s?%?\s*(?:-|–|—|,|;|to)\s*{_SIGNED}\s?%?")
FIRST_YEAR, LAST_YEAR = 1900, 2100
MOST_HEADER_ROWS = 6
LEAST_IN_LIST = 3
"""Numbers in a cell from which on it is no label."""
MOST_LABELS = 3
"""Columns of words before results from which on they are labels only as far as they tell the rows apart."""


def finished_table(
    cells: list[list[Cell]],
    rules: Sequence[int],
    *,
    environment: str,
    span: Span,
    specification: str = "",
    hlines: int = 0,
    n_header_rows: int | None = None,
) -> Table:
    """Recognise headers and make the table."""
    above = header_rows(cells, rules) if n_header_rows is None else n_header_rows
    if all(1 < row[0].n_columns == len(row) for row in cells[:above]) and group_rows(cells, above):
        above = 0  # the first group of rows has its heading at the top
    left = header_columns(cells, above)
    groups = group_rows(cells, above, rules)
    return Table(
        grid=with_bounds(with_spreads(with_headers(cells, above, left, groups), above, left), above, left),
        n_header_rows=above,
        n_header_columns=left,
        environment=environment,
        rules=tuple(rules),
        vertical_rules=specification.count("|"),
        hlines=hlines,
        group_rows=groups,
        span=span,
        column_specification=specification,
    )


def header_rows(grid: Sequence[Sequence[Cell]], rules: Sequence[int]) -> int:
    """Leading rows that name columns: those above the first rule inside the table that hold no results."""
    if len(grid) < 2:
        return 0
    if _counts_on(grid) or (_is_lone_label(grid[0]) and any(_is_lone_label(row) for row in grid[2:])):
        return 0
    if len(grid[0]) == 1:
        ruled = all(rule in rules for rule in range(1, len(grid)))
        return int(1 in rules and (not ruled or (_set_apart(grid[0]) and not _set_apart(grid[1]))))
    leading = 0
    while leading < len(grid) - 1 and not _is_result_row(grid[leading]):
        leading += 1
    inside = [rule for rule in rules if min(leading, _unfinished(grid, leading)) < rule < len(grid)]
    if inside and inside[0] <= MOST_HEADER_ROWS:
        below_groups = inside[0] == 2 and any(1 < cell.n_columns < len(grid[0]) for cell in grid[0])
        above = min(inside[0], max(leading, inside[0] * below_groups)) if leading else _of_numbers(grid, inside[0])
        unnamed = above < leading <= MOST_HEADER_ROWS and leading in rules and _are_spanned(grid[:above])
        if unnamed and _is_result_row(grid[leading]):
            return leading
        above += above > 0 and _spans_only(grid[min(above, len(grid) - 1)], 1)
        while 0 < above < min(leading, MOST_HEADER_ROWS) and above + 1 in rules and _is_of_units(grid[above]):
            above += 1
        return above
    if any(is_numeric(cell) and cell.number and cell.number.decimals for cell in grid[0]):
        return 0
    if leading == len(grid) - 1 and not _is_result_row(grid[-1]):
        grouped = any(cell.n_columns > 1 for cell in grid[0])
        apart = next((index for index, row in enumerate(grid) if not _set_apart(row)), 0)
        named = any(cell.text for row in grid[:apart] for cell in row[1:])
        return apart if named and apart <= 1 + grouped else 0
    if leading:
        bare = 2 * sum(bool(cell.text) for cell in grid[0]) < len(grid[0])
        return min(leading, MOST_HEADER_ROWS if bare else _unfinished(grid, leading) + 1)
    return int(_is_count(grid[0]) and not any(map(_is_result_row, grid[1:])))


def _is_of_units(row: Sequence[Cell]) -> bool:
    """Whether a row says further what stands in most columns, and names no row itself: units, metrics."""
    words = [cell for cell in row if cell.text]
    return (
        not row[0].text
        and 1 < len(row) < 2 * len(words)
        and all(cell.n_columns == 1 and _is_worded(cell) for cell in words)
    )


def _is_lone_label(row: Sequence[Cell]) -> bool:
    """Whether a row holds a label in bold or italic type, and nothing beside it."""
    beside = any(cell.text for cell in row[1:])
    return len(row) > 1 and bool(row[0].text) and row[0].n_columns == 1 and not beside and _set_apart(row)


def _set_apart(row: Sequence[Cell]) -> bool:
    """Whether all texts of a row are bold or italic."""
    return all(cell.bold or cell.italic or not cell.text or _is_around(cell) for cell in row)


def _is_around(cell: Cell) -> bool:
    """Whether bold or italic type is all that a cell is set in, with mathematics in the midst of it."""
    around = [end - start for start, end, styles in cell.styles if styles & {AROUND, *FONTS}]
    return sum(around) >= len(cell.text.text.strip()) and any(AROUND in styles for _, _, styles in cell.styles)


def _unfinished(grid: Sequence[Sequence[Cell]], leading: int) -> int:
    """Rows at the top with more of the header below: headings of several columns, and what one beside them spans."""
    grouped = any(cell.n_columns > 1 for cell in grid[0]) and 1 < leading < len(grid) - 1
    return max(int(grouped), *(cell.n_rows - 1 for cell in grid[0] if cell.n_rows <= max(1, leading)))


def _is_count(row: Sequence[Cell]) -> bool:
    """Whether a row counts its columns: 11, 12, 13."""
    values = [int(cell.text.text) for cell in row if cell.text.text.isdecimal()]
    return len(values) == len(row) > 2 and values == list(range(values[0], values[0] + len(row)))


def _counts_on(grid: Sequence[Sequence[Cell]]) -> bool:
    """Whether the rows are numbered from the first one on: (1), (2), ..."""
    counts = [_ITEM.fullmatch(row[0].text.text) for row in grid]
    return all(count and int(count[1]) == number for number, count in enumerate(counts, start=1))


def _of_numbers(grid: Sequence[Sequence[Cell]], rule: int) -> int:
    """Rows of a header that holds numbers like those below: one above a rule, whole or in order."""
    plain = (cell for cell in grid[0][1:] if not any(map(str.isalpha, cell.text.text)))
    values = [cell.number for cell in plain if cell.number is not None]
    ordered = [number.value for number in values]
    whole = not any(map(_has_decimals, values)) or sorted(set(ordered)) in (ordered, ordered[::-1])
    return rule if rule == 1 and whole else 0


def _spans_only(row: Sequence[Cell], n_labels: int) -> bool:
    """Whether a row holds headings of several columns each, and nothing else."""
    cells = list({id(cell): cell for cell in row if not is_blank(cell)}.values())
    words = all(1 < cell.n_columns < len(row) and _is_worded(cell) for cell in cells)
    return len(cells) > 1 and words and all(cell.text.text == "" for cell in row[:n_labels])


def _are_spanned(header: Sequence[Sequence[Cell]]) -> bool:
    """Whether no column beyond the first has a heading of its own."""
    return all(cell.n_columns > 1 or not cell.text for row in header for cell in row[1:])


def _is_worded(cell: Cell) -> bool:
    """Whether a cell may be a heading: it has letters, and is neither a number nor a mark."""
    return any(map(str.isalpha, cell.text.text)) and not (is_numeric(cell) or is_symbol(cell) or is_blank(cell))


def panels_of(table: Table) -> tuple[Table, ...]:
    """Divide a table where a header stands in its midst that names the columns anew; each panel has its own.

    Tables that stand side by side in one are divided, too.
    """
    starts = _starts(table)
    if not starts:
        return _halves(table)
    above = table.n_header_rows
    made = [_panel(table, range(above), range(above, starts[0][0]))]
    for (begin, _, names), end in zip(starts, [*(start[0] for start in starts[1:]), table.n_rows], strict=True):
        spanning = all(any(cell.n_columns > 1 for cell in table.grid[row]) for row in range(begin, names))
        kept = [row for row in range(above) if spanning and all(cell.n_columns == 1 for cell in table.grid[row])]
        made.append(_panel(table, [*range(begin, names), *kept], range(names, end)))
    return tuple(made)


def _halves(table: Table) -> tuple[Table, ...]:
    """Tables side by side: the same headings again behind a further column of labels, or labels in each of them."""
    width = next((n for n in range(2, table.n_columns // 2 + 1) if _stand_beside(table, n)), 0)
    if not width:
        return (table,)
    above = table.n_header_rows
    made = []
    for begin in range(0, table.n_columns, width):
        columns = range(begin, begin + width)
        body = [row for row in range(above, table.n_rows) if any(table.grid[row][column].text for column in columns)]
        made.append(_panel(table, range(above), body, columns))
    return tuple(made)


def _stand_beside(table: Table, width: int) -> bool:
    """Whether a table is made of tables of so many columns, the first of which names rows."""
    first = range(0, table.n_columns, width)
    if table.n_columns % width or any(
        cell.column // width != (cell.column + cell.n_columns - 1) // width for cell in table.cells()
    ):
        return False
    body = [row for index, row in enumerate(table.grid) if index >= table.n_header_rows]
    labels = [[row[column] for row in body if row[column].text] for column in first]
    others = [cell for row in body for cell in row if cell.column % width and cell.text]
    if len(body) < 2 or not all(labels) or not others:
        return False
    worded = all(all(map(_is_worded, cells)) for cells in labels)
    if not table.n_header_rows:
        return worded and all(_is_label(cell) for cells in labels for cell in cells) and not any(map(_is_label, others))
    names = [cell.text.text for cell in table.grid[table.n_header_rows - 1]]
    again = all(names[column + 1 : column + width] == names[1:width] for column in first)
    numeric = 2 * sum(map(is_numeric, others)) > len(others)
    return again and all(names[1:width]) and numeric and (worded or len({names[column] for column in first}) == 1)


def _is_label(cell: Cell) -> bool:
    """Whether a cell is set as a name: bold, or with a colon behind it."""
    return cell.bold or cell.text.text.endswith(":")


def _starts(table: Table) -> list[tuple[int, int, int]]:
    """Where panels but the first begin, with their titles; where their headers do, and what these name."""
    found: list[tuple[int, int, int]] = []
    above, row = table.n_header_rows, table.n_header_rows + 1
    again = _set_again(table) if above else set()
    while above and row < table.n_rows - 1:
        begin = row - (row - 1 in table.group_rows and row - 1 > above)
        end = row
        if row in again:
            found.append((row, row, row + 1))
            above, row = row + 1, row + 2
            continue
        while end < table.n_rows - 1 and end not in again and _names_anew(table, end):
            end += 1
        if end > row and _follows(table, range(above, begin), row, end):
            found.append((begin, row, end))
            above = end
        row = max(end, row + 1)
    return found


def _names_anew(table: Table, row: int) -> bool:
    """Whether a row has words only, in most columns."""
    left = table.n_header_columns
    if _is_known(table, row):
        return True
    cells = list({id(cell): cell for cell in table.grid[row][left:] if cell.row == row and cell.text}.values())
    covered = sum(cell.n_columns for cell in cells)
    return len(cells) > 1 and all(map(_is_worded, cells)) and 2 * covered >= table.n_columns - left


def _is_known(table: Table, row: int) -> bool:
    """Whether a row begins like one of the header."""
    left = table.n_header_columns
    lines = (table.grid[row], *table.grid[: table.n_header_rows])
    labels = [[cell.text.text for cell in line[:left] if cell.column + cell.n_columns <= left] for line in lines]
    return any(labels[0]) and labels[0] in labels[1:]


def _set_again(table: Table) -> set[int]:
    """Rows that are set as the header: the only bold one between rules, bold with words of it, between double rules."""
    above, rules = table.n_header_rows, table.rules
    bold = [row for row, line in enumerate(table.grid) if all(cell.bold for cell in line)]
    named = [{cell.text.text for cell in table.grid[row]} for row in bold]
    worded = all(_is_worded(cell) for row in bold for cell in table.grid[row])
    if bold[:above] != [*range(above)]:
        bold = []
    elif (
        above == 1 < len(bold)
        and worded
        and all(named[at] & named[0].union(*named[1:at]) for at in range(1, len(bold)))
    ):
        return set(bold[1:])
    alone = bold[above:] if len(bold) == above + 1 else []
    double = {rule for rule in rules if rules.count(rule) > 1} if len(rules) > len(set(rules)) else set()
    return {row for row in alone if row in rules and row + 1 in rules} | {
        row for row in double if above in double and row + 1 in double
    }


def _follows(table: Table, before: range, row: int, end: int) -> bool:
    """Whether words stand between results, and look like a header by their rules, their place or what they say.

    Rules tell nothing where results have rules between them, too.
    """
    body = [index for index in before if index not in table.group_rows]
    results = sum(_is_result_row(table.grid[index]) for index in body)
    if not (body and 2 * results > len(body) and _is_result_row(table.grid[end])):
        return False
    left = table.n_header_columns
    header = table.grid[: table.n_header_rows]
    headings = {cell.text.text for line in header for cell in line[left:] if cell.text}
    again = sum(cell.text.text in headings for cell in table.grid[row][left:])
    labels = any(cell.text for cell in table.grid[row][:left])
    if _is_known(table, row) or 2 * again > table.n_columns - left or _spans_only(table.grid[row], left):
        return True
    ruled = (not table.rules or before.stop in table.rules or row in table.rules, end in table.rules)
    between = [row in table.rules for row in body[1:] if _is_result_row(table.grid[row - 1])]
    return bool(between) and 2 * sum(between) <= len(between) and (all(ruled) or (any(ruled) and not labels))


def _panel(table: Table, header: Sequence[int], body: Sequence[int], columns: range | None = None) -> Table:
    """Rows, or columns, of a table as one of its own; what is counted by tabular is the first panel's."""
    rows, columns = [*header, *body], columns or range(table.n_columns)
    shift = {row: at for at, row in enumerate(rows)}
    made: dict[int, Cell] = {}
    for cell in (table.grid[row][column] for row in rows for column in columns):
        if id(cell) not in made:
            own = [shift[row] for row in range(cell.row, cell.row + cell.n_rows) if row in shift]
            column = cell.column - columns.start
            made[id(cell)] = replace(cell, row=own[0], column=column, n_rows=len(own), header=False)
    first = body[0] == table.n_header_rows and not columns.start
    source = [
        cell.span for row in (*(row for row in header if row >= table.n_header_rows), *body) for cell in table.grid[row]
    ]
    source = [span for span in source if span.end > span.start]
    span = Span(
        table.span.file,
        table.span.start if body[0] == table.n_header_rows else min(span.start for span in source),
        table.span.end if body[-1] + 1 == table.n_rows else max(span.end for span in source),
    )
    beside = len(columns) < table.n_columns
    told = [rule for rule in table.rules if beside or rule in shift or rule == body[-1] + 1]
    below = [shift.get(rule, next((shift[row] for row in body if row >= rule), len(rows))) for rule in told]
    panel = finished_table(
        [[made[id(table.grid[row][column])] for column in columns] for row in rows],
        below,
        environment=table.environment,
        span=table.span if beside or any(other.file != span.file for other in source) else span,
        n_header_rows=len(header),
    )
    return replace(
        panel,
        notes=table.notes,
        column_specification=table.column_specification,
        vertical_rules=table.vertical_rules * first,
        hlines=table.hlines * first,
    )


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
    if _are_crossed(body):
        return 2
    last, first = len(body[0]) - 1, 0
    for column in range(last + 1):
        cells = [row[column] for row in body if row[column].column == column and row[column].n_columns < len(row)]
        cells = [cell for cell in cells if not is_blank(cell)]
        results = sum(is_numeric(cell) or (column > 0 and is_symbol(cell)) for cell in cells)
        numeric = results >= 0.5 * len(cells) and (cells or column)
        if column and 4 * results >= len(cells) > 0 and len(set(_carried(body, column))) == len(body) and not numeric:
            break  # words and numbers of rows that are told apart
        if numeric and (column == last or not _names_rows(grid, n_header_rows, column, cells)):
            if column < MOST_LABELS or len(body) == 1:
                return column
            last = column
            break
        first += bool(numeric and first == column)
    if len(grid) == 1:
        return 0
    if last == 1 < len(body) and all(_is_list([row[column] for row in body]) for column in (0, 1)):
        return 0
    named = (column for column in range(first + 1, last) if len(set(_carried(body, column))) == len(body))
    return next(named, last)  # of many columns of words, those that tell the rows apart


def _are_crossed(body: Sequence[Sequence[Cell]]) -> bool:
    """Whether the first two columns hold settings: for each number of the first one, the same ones in the second."""
    if len(body[0]) < 3 or not all(is_numeric(cell) for row in body for cell in row[:2]):
        return False
    inner: dict[str, list[str]] = {}
    for row in body:
        inner.setdefault(row[0].text.text, []).append(row[1].text.text)
    repeated = [row[0].text.text for row in body] == [outer for outer, found in inner.items() for _ in found]
    first = next(iter(inner.values()))
    return (
        repeated
        and 1 < len(inner) < len(body)
        and 1 < len({*first}) == len(first)
        and {*map(tuple, inner.values())} == {tuple(first)}
    )


def _is_list(cells: Sequence[Cell]) -> bool:
    """Whether most cells have several numbers, as layers of a network: none names what stands beside it."""
    return 2 * sum(len(cell.numbers) >= LEAST_IN_LIST for cell in cells) > len(cells)


def _names_rows(grid: Sequence[Sequence[Cell]], n_header_rows: int, column: int, cells: Sequence[Cell]) -> bool:
    """Whether a column of numbers names the rows: years, ids, settings, or what stands before further names."""
    above, body = grid[:n_header_rows], grid[n_header_rows:]
    heading, following = (
        next((row[at].text.text for row in reversed(above) if row[at].text), "") for at in (column, column + 1)
    )
    if column and any(row[0].n_columns == column + 1 and _COUNTED.match(row[0].text.text) for row in above):
        return True  # "Model" above a name and a size
    labels = [len(set(_carried(body, stop))) for stop in (column, column + 1)]
    again = len({cell.text.text for cell in cells}) < len(cells)
    errors = any(cell.text.text.startswith("(") for cell in cells)
    if column and labels[0] < labels[1] == len(body) and not errors:
        if _COUNTED.match(heading) and (again or len(heading) > 1):
            return True
        values = {cell.text.text for cell in cells}
        if 2 * len(values) <= len(cells) and not any(cell.number and _has_decimals(cell.number) for cell in cells):
            return True  # each name with the same settings
    beside = [row[column + 1] for row in body if row[column + 1].column == column + 1]
    further = [cell for cell in beside if not is_blank(cell)]
    if further and not any(is_numeric(cell) or is_symbol(cell) for cell in further):
        return (
            column == 0
            or not cells
            or (labels[0] < len(body) and (_COUNTED.match(heading) is not None or not following))
        )
    return not column and len(cells) > 1 and _is_setting(grid, n_header_rows, heading, cells)


def _carried(body: Sequence[Sequence[Cell]], n_columns: int) -> list[tuple[str, ...]]:
    """First texts of each row, behind the heading that spans the columns above it.

    A blank one is that of the row above, and of citations each is another.
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


def group_rows(grid: Sequence[Sequence[Cell]], n_header_rows: int, rules: Sequence[int] = ()) -> tuple[int, ...]:
    """Rows that hold one heading for the rows below.

    A label alone heads nothing if it is the last one, above another label that heads nothing, or the last of its block.
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
    last_row = len(grid) - 1
    if last_row in found and last_row in rules:  # a row without results, as are those that look like it
        kept = [row for row in kept if not ({row, row + 1} <= {*rules} and _look_alike(grid[row], grid[last_row]))]
    return tuple(reversed(kept))


def _look_alike(row: Sequence[Cell], other: Sequence[Cell]) -> bool:
    return (row[0].n_columns, _set_apart(row)) == (other[0].n_columns, _set_apart(other))


def _heads(cell: Cell) -> bool:
    """Whether a cell alone in its row is no number and no remark in parentheses."""
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


def with_spreads(grid: tuple[tuple[Cell, ...], ...], n_rows: int, n_columns: int) -> tuple[tuple[Cell, ...], ...]:
    """Say what numbers in parentheses are, where a heading does: "Mean (SD)", "SD" beside "Mean", "P@1 (P@10)"."""
    headed = [[cell.text.text for cell in row] for row in grid[:n_rows]]
    width = len(grid[0]) if grid else 0
    names = [next((row[column] for row in reversed(headed) if row[column]), "") for column in range(width)]
    beside = {column for column, name in enumerate(names) if _WITH_SPREAD.search(name)}
    own = {
        column
        for column in range(max(1, n_columns), width)
        if _SPREAD.fullmatch(names[column]) and _MEAN.fullmatch(names[column - 1])
    }
    rows = {
        index
        for index, row in enumerate(grid)
        if index >= n_rows and any(_WITH_SPREAD.search(cell.text.text) for cell in row[:n_columns])
    }
    second = {column for column, name in enumerate(names) if _SECOND.search(name)}
    opens = {column for column in range(n_columns, width - 1) if _bounds_headed(names[column : column + 2])}
    alone: dict[int, Role] = {**dict.fromkeys(own, "spread"), **dict.fromkeys(opens, "low")}
    alone |= {column + 1: "high" for column in opens}
    if not (beside or alone or rows or second):
        return grid
    made: dict[int, Cell] = {}
    for index, row in enumerate(grid):
        for column, cell in enumerate(row):
            roles = tuple(number.role for number in cell.numbers)
            if cell.header or id(cell) in made:
                continue
            if (column in beside or column in second or index in rows) and roles == ("value", "remark"):
                made[id(cell)] = _with_role(cell, 1, "value" if column in second else "spread")
            elif column in alone and roles == ("value",):
                made[id(cell)] = _with_role(cell, 0, alone[column])
    return tuple(tuple(made.get(id(cell), cell) for cell in row) for row in grid)


def _bounds_headed(names: Sequence[str]) -> bool:
    """Whether two headings are those of the bounds of an interval."""
    return _OPENS.fullmatch(names[0]) is not None and _CLOSES.fullmatch(names[1]) is not None


def _with_role(cell: Cell, at: int, role: Role) -> Cell:
    numbers = (replace(number, role=role) if index == at else number for index, number in enumerate(cell.numbers))
    return replace(cell, numbers=tuple(numbers))


def with_errors(table: Table) -> Table:
    """Say of numbers in parentheses below coefficients that they are their standard errors, row by row of a regression.

    Coefficients have marks, or a caption or a note says so; none says that other statistics stand there.
    """
    said = " ".join(text.text for text in (table.caption, *table.notes))
    left = table.n_header_columns
    errors: dict[int, Cell] = {}
    marked = _ERRORS.search(said) is not None
    for above, row in pairwise(table.grid[table.n_header_rows :]):
        pairs = [(over, cell) for over, cell in zip(above[left:], row[left:], strict=True) if cell.text]
        if (
            left
            and pairs
            and any(cell.text for cell in above[:left])
            and not any(cell.text and cell.row == pairs[0][1].row for cell in row[:left])
            and all(_PARENTHESISED.fullmatch(cell.text.text) and over.number is not None for over, cell in pairs)
        ):
            errors |= {id(cell): _with_role(cell, 0, "spread") for _, cell in pairs}
            marked |= any(mark.startswith(("*", "+", "†")) for over, _ in pairs for mark in over.marks)
    if len({cell.row for cell in errors.values()}) < 2 or not marked or _NO_ERRORS.search(said):
        return table
    return replace(table, grid=tuple(tuple(errors.get(id(cell), cell) for cell in row) for row in table.grid))


def with_bounds(grid: tuple[tuple[Cell, ...], ...], n_rows: int, n_columns: int) -> tuple[tuple[Cell, ...], ...]:
    """Say of two numbers alone in a cell that they are bounds, where a heading says that there is an interval."""
    width = len(grid[0]) if grid else 0
    below = {at for at in range(width) if any(_OF_INTERVAL.search(row[at].text.text) for row in grid[:n_rows])}
    beside = {at for at, row in enumerate(grid) if any(_OF_INTERVAL.search(cell.text.text) for cell in row[:n_columns])}
    if not (below or beside - set(range(n_rows))):
        return grid
    made: dict[int, Cell] = {}
    for cell in (row[column] for at, row in enumerate(grid) for column in (range(width) if at in beside else below)):
        two = [number.role for number in cell.numbers] == ["value", "value"]
        if two and not cell.header and _BOUNDS.fullmatch(cell.text.text):
            low, high = cell.numbers
            made[id(cell)] = replace(cell, numbers=(replace(low, role="low"), replace(high, role="high")))
    return tuple(tuple(made.get(id(cell), cell) for cell in row) for row in grid)


def is_numeric(cell: Cell) -> bool:
    """Whether a cell prints a number and not much else; one with a unit glued to it may be a name: 7B."""
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
    """Whether a cell prints a check mark, a cross or the like, or numbers with units: 46.8K / 37.1K, 31ms."""
    text = cell.text.text
    if not text.strip("?!.,;:…") or is_blank(cell):
        return False
    return not any(map(str.isalnum, text)) or is_measured(text) or _COUNT.fullmatch(text) is not None


def is_blank(cell: Cell) -> bool:
    """Whether a cell prints nothing, or a dash for nothing."""
    return cell.text.text.strip(" -–—−\u2009·•.") in ("", "n/a", "N/A", "NA")
