"""Tables in a terminal: whatever the width, every number is there whole and every column is there."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from reportkit.cli.table_lines import MOST_ROWS, table_lines
from reportkit.report.model import Cell, Column, Row, Spanner, Table

NAMES = st.text(st.sampled_from("abcdefg hijk-_/xyzäß中"), min_size=1, max_size=30).filter(str.strip)
WIDTHS = st.one_of(st.none(), st.integers(40, 200))


def _column_of_numbers(n_columns: int, n_rows: int, first: int = 0) -> list[list[str]]:
    """Numbers that are all different, and none of which is part of another one's digits."""
    return [[f"{1000 + first + row * n_columns + column}.5" for column in range(n_columns)] for row in range(n_rows)]


@st.composite
def _tables(draw: st.DrawFn) -> tuple[Table, list[str], list[str]]:
    n_columns, n_rows = draw(st.integers(0, 8)), draw(st.integers(1, 12))
    numbers = _column_of_numbers(n_columns, n_rows)
    heads = [f"h{index}{draw(NAMES)}".strip() for index in range(n_columns)]
    align = st.sampled_from(["left", "right", "center"])
    rows = tuple(
        Row(
            cells=(
                Cell(text=draw(NAMES)),
                *(Cell(text=number, mark=draw(st.sampled_from(["", "*", "†", "12", "ab"]))) for number in line),
            ),
            rule_above=draw(st.booleans()),
        )
        for line in numbers
    )
    others = (Column(header=head, align=draw(align)) for head in heads)
    columns = (Column(header="system", align="left"), *others)
    spanners: tuple[Spanner, ...] = ()
    if n_columns > 1 and draw(st.booleans()):
        last = draw(st.integers(1, n_columns))
        spanners = (Spanner(header="over all of these", first=1, last=last),)
    table = Table(name="results", caption="", columns=columns, rows=rows, spanners=spanners)
    return table, [number for line in numbers for number in line], [" ".join(head.split()) for head in heads]


@pytest.mark.slow
@given(_tables(), WIDTHS)
def test_every_number_and_every_header_is_there_whole(
    drawn: tuple[Table, list[str], list[str]], width: int | None
) -> None:
    """Once, on its own, at every width and in a pipe; no line is too wide, but for a single wide column."""
    table, numbers, heads = drawn
    lines = [line.plain for line in table_lines(table, width)]
    text = "\n".join(lines)
    found = re.findall(r"(?<![\d.])\d{4}\.5(?!\d)", text)
    assert sorted(found) == sorted(numbers)
    for head in heads:
        assert head in text
    widest = max([cell_len(head) for head in heads] + [9])
    if width is not None and widest + 2 <= width // 2:
        assert max(map(cell_len, lines)) <= max(width, len("over all of these") + width // 2 + 2)


def test_a_long_name_is_broken_and_not_cut() -> None:
    """The numbers stand in its last line."""
    name = "Mixtral-8x7B-Instruct-v0.1-of-December"
    rows = (Row(cells=(Cell(text=name), Cell(text="91.5"))),)
    columns = (Column(header="system", align="left"), Column(header="sst2"))
    lines = [line.plain for line in table_lines(Table(name="results", caption="", columns=columns, rows=rows), 40)]
    assert "".join(line[:20].rstrip() for line in lines[1:]) == name
    assert lines[-1].endswith("  91.5")
    assert max(map(len, lines)) <= 40


def _shown(n_rows: int, *, average: bool) -> list[str]:
    rows = [Row(cells=(Cell(text=f"row {number}"),)) for number in range(n_rows)]
    if average:
        rows.append(Row(cells=(Cell(text="mean"),), rule_above=True))
    table = Table(name="results", caption="", columns=(Column(header="dataset"),), rows=tuple(rows))
    return [line.plain.strip() for line in table_lines(table, 80)][1:]


def test_the_average_that_was_asked_for_is_never_hidden() -> None:
    """Of a long table the first rows are shown, the row below the last rule, and how many are left out."""
    assert _shown(50, average=True)[-3:] == [
        f"row {MOST_ROWS - 1}",
        "mean",
        "... 20 more rows; all are in tables/results.tex",
    ]


def test_rows_that_are_left_out_are_counted() -> None:
    """Without an average the count comes last; the line never stands for a single row."""
    assert _shown(50, average=False)[-1] == "... 20 more rows; all are in tables/results.tex"
    for n_rows in range(MOST_ROWS - 2, MOST_ROWS + 6):
        for average in (False, True):
            shown = _shown(n_rows, average=average)
            n_hidden = sum(int(line.split()[1]) for line in shown if line.startswith("..."))
            assert len([line for line in shown if not line.startswith("...")]) + n_hidden == n_rows + average
            assert n_hidden != 1
