"""What reportkit puts into a paper: tables in two formats, and numbers; from a report, or from the folder of one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reportkit.errors import ReadingError
from reportkit.rendering.files.places import placed
from reportkit.rendering.files.placing import settle
from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.markdown.markdown import markdown_table
from reportkit.rendering.markdown.markdown import numbers as numbers_of_tables
from reportkit.rendering.numbers.number_list import NUMBERS_JSON, markdown_value
from reportkit.rendering.text.inline import Lookup
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


def pieces_of(report: Report) -> Pieces:
    """Render what a paper may hold."""
    lookup = Lookup(numbers=numbers_of_tables(report))
    return Pieces(
        latex={
            table.name: latex_table(table, report.signature, appearance=report.appearance) for table in report.tables
        },
        markdown={table.name: markdown_table(table, report.signature, lookup=lookup) for table in report.tables},
        values={key: markdown_value(key, number) for key, number in report.numbers.items()},
    )


def read_pieces(folder: Path) -> Pieces:
    """Read the parts of a report from its folder.

    Raises
    ------
    ReadingError
        If there is no report in the folder.
    """
    settle(folder)
    try:
        written = json.loads((folder / "report.json").read_text(encoding="utf-8"))["files"]
        tables = {
            ending: {
                path.stem: path.read_text(encoding="utf-8")
                for path in sorted(folder.glob(placed(f"tables/*.{ending}")))
                if path.relative_to(folder).as_posix() in written
            }
            for ending in ("tex", "md")
        }
        path = folder / placed(NUMBERS_JSON)
        listed = json.loads(path.read_text(encoding="utf-8"))["numbers"] if path.exists() else {}
        return Pieces(
            latex=tables["tex"],
            markdown=tables["md"],
            values={key: item["markdown"] for key, item in listed.items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ReadingError(
            f"there is no report in {str(folder)!r}",
            where=f"{type(error).__name__}: {error}",
            remedy="name the folder that reportkit build has written",
        ) from None
