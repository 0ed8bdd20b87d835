"""What is said of tables that are too wide."""

from __future__ import annotations

from reportkit.appearance.appearance import Appearance
from reportkit.rendering.layout.width_advice import width_findings
from reportkit.report.model import Report, Section, Table
from tests.rendering.conftest import SIGNATURE, grid


def _report(table: Table, environment: str = "auto") -> Report:
    look = Appearance(venue="acl", environment=environment)  # type: ignore[arg-type]
    section = Section(title="s", blocks=(table,))
    return Report(title="t", sections=(section,), signature=SIGNATURE, appearance=look)


def test_a_table_that_fits_is_not_talked_about() -> None:
    """No finding."""
    assert width_findings(_report(grid(datasets=("a", "b")))) == ()


def test_a_table_that_is_cut_is_said_to_be_with_what_would_help() -> None:
    """Its width, that of its place, and the settings to change; the other column only where it was not taken."""
    wide = grid(datasets=tuple(f"dataset_{i}" for i in range(25)))
    (finding,) = width_findings(_report(wide))
    assert finding.code == "wide-table"
    assert "pt wide for 455 pt: it is cut into" in finding.message
    assert "(rows)" in finding.remedy
    assert "table*" not in finding.remedy
    (finding,) = width_findings(_report(wide, "table"))
    assert "pt wide for 219 pt" in finding.message
    assert finding.remedy.startswith("set it across both columns (environment table*)")
