"""What goes into a paper is the same, taken from a report or from the folder that it was written to."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from reportkit.rendering.files.write import write_report

from reportkit.errors import ReadingError
from reportkit.rendering.paper.paper_pieces import pieces_of, read_pieces
from reportkit.report.model import Number, Report
from tests.rendering.conftest import words


def test_a_folder_gives_what_the_report_gives(small_report: Report, tmp_path: Path) -> None:
    """Tables and numbers; files that are not the report's are left out."""
    report = dataclasses.replace(
        small_report,
        numbers={"main/a": Number(content=words("−1.5"), meaning="m"), "main/b": Number(content=words("x"))},
    )
    write_report(report, tmp_path / "r")
    (tmp_path / "r" / "tables" / "mine.tex").write_text("mine")
    assert read_pieces(tmp_path / "r") == pieces_of(report)
    assert pieces_of(report).values == {"main/a": "−1.5", "main/b": "x"}


def test_a_report_without_numbers_has_tables(small_report: Report, tmp_path: Path) -> None:
    """As those of other programs, or older ones."""
    write_report(small_report, tmp_path / "r")
    assert read_pieces(tmp_path / "r") == pieces_of(small_report)


@pytest.mark.parametrize("content", [None, "{}", "[]", "no json"])
def test_another_folder_is_refused(tmp_path: Path, content: str | None) -> None:
    """With what to name."""
    if content is not None:
        (tmp_path / "report.json").write_text(content)
    with pytest.raises(ReadingError, match="there is no report in"):
        read_pieces(tmp_path)
