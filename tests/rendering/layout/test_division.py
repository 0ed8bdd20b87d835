"""Cutting rows and columns into parts."""

from __future__ import annotations

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from reportkit.appearance.venues import VENUES
from reportkit.rendering.layout.division import divided, row_units, units_of
from reportkit.rendering.layout.layout import lay_out
from reportkit.report.model import Cell, Row, Table
from tests.rendering.conftest import grid, words


@given(st.lists(st.floats(0.5, 9), min_size=1, max_size=60), st.floats(9, 40))
def test_parts_are_as_few_as_possible_and_within_the_capacity(weights: list[float], capacity: float) -> None:
    """Every element is in one part; no part could take in the whole of the next one from the first on."""
    parts = divided(weights, units_of(weights, [True] * len(weights), capacity), capacity)
    assert [index for start, stop in parts for index in range(start, stop)] == list(range(len(weights)))
    assert all(sum(weights[start:stop]) <= capacity + 1e-9 for start, stop in parts)
    least, room = 0, 0.0
    for weight in weights:
        if weight > room + 1e-9:
            least, room = least + 1, capacity
        room -= weight
    assert len(parts) == least


def test_no_part_holds_a_lone_row_where_others_have_many() -> None:
    """51 rows on pages of 50 are 26 and 25."""
    parts = divided([1.0] * 51, [(i, i + 1) for i in range(51)], 50)
    assert [stop - start for start, stop in parts] == [26, 25]


def _headed(groups: int, each: int) -> Table:
    table = grid(systems=[f"s{i}" for i in range(groups * each)], datasets=("a", "b"))
    rows: list[Row] = []
    for group in range(groups):
        heading = (Cell(text=words(f"group {group}")), Cell(), Cell())
        rows.append(Row(cells=heading, rule_above=group > 0, heading=True))
        rows.extend(table.rows[group * each : (group + 1) * each])
    return dataclasses.replace(table, rows=tuple(rows))


def test_a_group_stays_with_its_heading() -> None:
    """Groups are not torn while they fit, and no heading is the last row of a table."""
    table = _headed(12, 9)
    layout = lay_out(table, VENUES["acl"])
    assert len(layout.floats) > 1
    assert all(table.rows[panel.start].heading for panels in layout.floats for panel in panels)


def test_a_heading_of_a_torn_group_stays_with_its_first_row() -> None:
    """A group of more than a page is cut, but not behind its heading."""
    rows = _headed(2, 80).rows
    units = row_units([1.0] * len(rows), rows, 50)
    assert (0, 2) in units
    assert (81, 83) in units
