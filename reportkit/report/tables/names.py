"""Names in tables: plain text, or the TeX that a user wrote for them, where they stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from reportkit.appearance.labels import Label
from reportkit.report.model import Cell, Row, Table
from reportkit.report.prose import Inline, Prose, Text, Typeset

Labels = Mapping[str, Label]
"""By their plain form, names that have another one in LaTeX."""

_LETTERED = re.compile(r"(\([a-z]+\) )(.+)", re.DOTALL)


def typeset_labels(labels: Iterable[str | Label]) -> dict[str, Label]:
    """Labels with TeX, by their plain form."""
    return {label.plain: label for label in labels if isinstance(label, Label)}


def name_in_print(name: str, labels: Labels) -> Inline:
    """One name, as TeX if it has a label with TeX.

    Examples
    --------
    >>> name_in_print("b_i", {"b_i": Label(r"$b_i$", "b_i")})
    Typeset(latex='$b_i$', plain='b_i')
    """
    label = labels.get(name)
    return Text(name) if label is None else Typeset(label.latex, label.plain)


def with_typeset_names(table: Table, labels: Labels) -> Table:
    """Write names with TeX in headers and first cells: alone, behind a letter, or as the two sides of a claim."""
    if not labels:
        return table
    return replace(
        table,
        columns=tuple(replace(column, header=_typeset(column.header, labels)) for column in table.columns),
        spanners=tuple(replace(spanner, header=_typeset(spanner.header, labels)) for spanner in table.spanners),
        header_rows=tuple(_row(row, labels) for row in table.header_rows),
        rows=tuple(_row(row, labels) for row in table.rows),
    )


def _row(row: Row, labels: Labels) -> Row:
    first: Cell = row.cells[0]
    return replace(row, cells=(replace(first, text=_typeset(first.text, labels)), *row.cells[1:]))


def _typeset(content: Prose, labels: Labels) -> Prose:
    if len(content) != 1 or not isinstance(content[0], Text):
        return content
    words = content[0].text
    if words in labels:
        return (name_in_print(words, labels),)
    lettered = _LETTERED.fullmatch(words)
    if lettered and lettered[2] in labels:
        return Text(lettered[1]), name_in_print(lettered[2], labels)
    better, sign, worse = words.partition(" > ")
    if sign and (better in labels or worse in labels):
        return name_in_print(better, labels), Text(sign), name_in_print(worse, labels)
    return content
