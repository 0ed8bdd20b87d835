"""Parts of a report that go into a paper: tables in two formats, and numbers; from a report, or from its folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reportkit.errors import ReadingError
from reportkit.rendering.documents import Writer, report_writer
from reportkit.rendering.macros import markdown_value
from reportkit.rendering.stored import files_of, read_report
from reportkit.report.model import Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """Parts of a report that a paper may hold.

    Parameters
    ----------
    latex, markdown : mapping of str to str
        Name of a table to its text.
    values : mapping of str to str
        Key of a number to its text in Markdown.
    """

    latex: Mapping[str, str]
    markdown: Mapping[str, str]
    values: Mapping[str, str]


def pieces_of(report: Report, latex: Mapping[str, str] | None = None) -> Pieces:
    """Write the parts of a report; LaTeX tables may be those that stand in its folder."""
    writer = Writer("latex", report.appearance, report.signature)
    markdown = report_writer("markdown", report)
    return Pieces(
        latex={table.name: writer.table(table) for table in report.tables} if latex is None else latex,
        markdown={table.name: markdown.table(table) for table in report.tables},
        values={key: markdown_value(key, number) for key, number in report.numbers.items()},
    )


def read_pieces(folder: Path) -> Pieces:
    """Read the parts of a report from its folder.

    Raises
    ------
    ReadingError
        If there is no report in the folder.
    """
    written = [folder / name for name in files_of(folder) if name.startswith("tables/") and name.endswith(".tex")]
    try:
        latex = {path.stem: path.read_text(encoding="utf-8") for path in written}
    except (OSError, UnicodeDecodeError) as error:
        raise ReadingError(f"a table of the report in {str(folder)!r} cannot be read: {error}") from None
    return pieces_of(read_report(folder), latex)
