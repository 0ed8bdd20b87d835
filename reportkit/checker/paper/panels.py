"""Tables in one: panels below each other, where a header stands again, and tables side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reportkit.checker.paper.cell_kinds import is_numeric, is_worded
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.paper.headings import finished_table, is_result_row, spans_only
from reportkit.checker.paper.source import Span


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
    worded = all(all(map(is_worded, cells)) for cells in labels)
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
    return len(cells) > 1 and all(map(is_worded, cells)) and 2 * covered >= table.n_columns - left


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
    worded = all(is_worded(cell) for row in bold for cell in table.grid[row])
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
    results = sum(is_result_row(table.grid[index]) for index in body)
    if not (body and 2 * results > len(body) and is_result_row(table.grid[end])):
        return False
    left = table.n_header_columns
    header = table.grid[: table.n_header_rows]
    headings = {cell.text.text for line in header for cell in line[left:] if cell.text}
    again = sum(cell.text.text in headings for cell in table.grid[row][left:])
    labels = any(cell.text for cell in table.grid[row][:left])
    if _is_known(table, row) or 2 * again > table.n_columns - left or spans_only(table.grid[row], left):
        return True
    ruled = (not table.rules or before.stop in table.rules or row in table.rules, end in table.rules)
    between = [row in table.rules for row in body[1:] if is_result_row(table.grid[row - 1])]
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
        span=table.span if beside or any(other.file != span.file for other in source) else span,
        n_header_rows=len(header),
    )
    return replace(panel, notes=table.notes)
