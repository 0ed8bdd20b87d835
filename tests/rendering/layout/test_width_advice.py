"""What is said of tables that are too wide."""

from __future__ import annotations

import dataclasses

import pytest

from reportkit.appearance.appearance import Appearance
from reportkit.appearance.venues import VENUES
from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.layout.layout import lay_out
from reportkit.rendering.layout.width_advice import exchanged, lacking, savings, width_findings, width_notes
from reportkit.report.model import Cell, Report, Row, Section, Table
from tests.rendering.conftest import SIGNATURE, grid, words

ACL = VENUES["acl"]
WIDE = grid(datasets=tuple(f"dataset_{i}" for i in range(25)))


def _with_intervals(table: Table) -> Table:
    rows = tuple(
        Row(cells=(row.cells[0], *(Cell(text=words("93.1 [92.6, 93.5]")) for _ in row.cells[1:]))) for row in table.rows
    )
    return dataclasses.replace(table, rows=rows)


def test_a_table_that_fits_is_not_talked_about() -> None:
    """No comment and no finding."""
    table = grid(datasets=("a", "b"))
    assert width_notes(table, lay_out(table, ACL), ACL) == ()
    report = Report(title="t", sections=(Section(title="s", blocks=(table,)),), signature=SIGNATURE)
    assert width_findings(report) == ()


def test_a_saving_is_the_difference_that_it_makes() -> None:
    """Intervals left out: the table without them is narrower by just that."""
    table = _with_intervals(WIDE)
    found = {saving.what: saving.points for saving in savings(table, ACL)}
    bare = dataclasses.replace(
        table,
        rows=tuple(Row(cells=(row.cells[0], *(Cell(text=words("93.1")) for _ in row.cells[1:]))) for row in table.rows),
    )
    before, after = (lacking(each, lay_out(each, ACL), ACL)[0] for each in (table, bare))
    assert found["only scores, with nothing after them (cell)"] == pytest.approx(before - after)


def test_exchanging_twice_gives_the_same_cells() -> None:
    """Rows become columns, and columns rows."""
    turned = exchanged(WIDE)
    assert turned is not None
    assert len(turned.rows) == 25
    assert turned.rows[3].cells[2].text == WIDE.rows[0].cells[4].text
    assert exchanged(dataclasses.replace(WIDE, header_rows=(), rows=())) is None


def test_what_is_said_to_be_enough_is_enough() -> None:
    """A table that is cut into panels fits in one piece once rows and columns are exchanged, as the comment says."""
    lines = width_notes(WIDE, lay_out(WIDE, ACL), ACL)
    assert "to fit the page of 455 pt" in lines[0]
    assert [line for line in lines if "exchanged" in line and line.endswith("enough")]
    turned = exchanged(WIDE)
    assert turned is not None
    assert lay_out(turned, ACL).n_panels == 1


def test_the_names_to_shorten_are_named() -> None:
    """The longest label is said, and how long the others are."""
    table = grid(systems=("base", "a-system-with-a-very-long-name", "ours"), datasets=("a", "b"))
    (label,) = [saving for saving in savings(table, ACL) if "no longer" in saving.what]
    assert label.what.startswith("'a-system-with-a-very-long-name' no longer than 6 characters")


def test_the_finding_and_the_comment_say_the_same() -> None:
    """The terminal hears of what the file says."""
    look = Appearance(venue="acl")
    report = Report(title="t", sections=(Section(title="s", blocks=(WIDE,)),), signature=SIGNATURE, appearance=look)
    (finding,) = width_findings(report)
    assert finding.code == "wide-table"
    assert "cut into" in finding.message
    source = latex_table(WIDE, appearance=look)
    for way in finding.remedy.split("; or ")[:1]:
        assert f"% - {way.rpartition(' (')[0]}" in source
