"""Tables as they are read: each source in `tables.md` is above what is read of it.

A table begins with its caption, label and notes, if there are any. `||` is after the columns that name rows, `===`
below the rows that name columns, `>` before the heading of a group of rows. `<` and `^` are parts of the cell to the
left and above. Bold is `**...**`. Braces hold what is known of the numbers of a cell (values that are not written so,
what they are: a spread, a bound, a remark; or that its digits are none) and its marks.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reportkit.checker.paper.reading import document_of

SECTIONS = Path(__file__).with_name("tables.md").read_text("utf-8").split("\n## ")[1:]
BLOCK = re.compile(r"```(latex|markdown|text)\n(.*?)```", re.DOTALL)


def shown(cell):
    """A cell in one line."""
    known = [
        number.role if f"{number.value:g}" in number.text else f"{number.role} {number.value:g}"
        for number in cell.numbers
        if number.role != "value" or f"{number.value:g}" not in number.text
    ]
    text = f"**{cell.text.text}**" if cell.bold and cell.text else cell.text.text
    if not cell.numbers and re.search(r"\d", cell.text.text) and not cell.header:
        known = ["no number"]
    about = [*known, *([f"marked {' '.join(cell.marks)}"] if cell.marks else [])]
    return f"{text} {{{', '.join(about)}}}" if about else text


def read(table):
    """A table as lines."""
    head = [table.caption.text, table.label, *(note.text for note in table.notes)]
    lines = [f"({text})" for text in head if text]
    for row, cells in enumerate(table.grid):
        parts = [
            "<"
            if column and cells[column - 1] is cell
            else "^"
            if row and table.grid[row - 1][column] is cell
            else shown(cell)
            for column, cell in enumerate(cells)
        ]
        named, others = parts[: table.n_header_columns], parts[table.n_header_columns :]
        line = " || ".join(" | ".join(side) for side in (named, others) if side)
        lines.append(("> " if row in table.group_rows else "") + line)
        if row + 1 == table.n_header_rows:
            lines.append("===")
    return "\n".join(line.rstrip() for line in lines)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.partition("\n")[0].replace(" ", "-"))
def test_a_table_is_read_as_it_prints(section):
    """Grid, headers, groups, spans, styles, numbers and marks."""
    (language, source), (_, expected) = BLOCK.findall(section)
    found = document_of(source, language=language).tables
    assert "\n\n".join(map(read, found)) + "\n" == expected
