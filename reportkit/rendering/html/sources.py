"""A table of a page as LaTeX, Markdown and CSV: what its buttons copy, and what can be read without a script."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from reportkit.rendering.latex.latex import latex_table
from reportkit.rendering.markdown.markdown import markdown_table
from reportkit.rendering.plain import csv_table
from reportkit.rendering.text.escaping import coded
from reportkit.rendering.text.inline import Lookup
from reportkit.rendering.view import SourceView
from reportkit.report.model import Report, Table


def sources_of(table: Table, report: Report, lookup: Lookup, templates: Sequence[Path] = ()) -> tuple[SourceView, ...]:
    """Write a table in the formats that papers and spreadsheets take.

    Parameters
    ----------
    table : Table
        One of the report.
    report : Report
        Its venue and flavour of Markdown are used.
    lookup : Lookup
        Numbers of its tables and figures.
    templates : sequence of Path
        Folders with templates of a user.

    Returns
    -------
    tuple of SourceView
        The same text as in `tables/` and `more/tables/`; a control in a name of the CSV is written as its code.
    """
    look = report.appearance
    latex = latex_table(table, report.signature, templates=templates, appearance=look)
    markdown = markdown_table(table, templates=templates, lookup=lookup, flavour=look.markdown)
    texts = {"LaTeX": latex, "Markdown": markdown, "CSV": csv_table(table)}
    return tuple(SourceView(name=name, text=_escaped(text)) for name, text in texts.items())


def _escaped(text: str) -> str:
    """As it is, lines and spaces included: a page shows none of its signs, and a parser changes no end of a line."""
    return "\n".join(html.escape(coded(line), quote=True) for line in text.split("\n"))
