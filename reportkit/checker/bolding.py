r"""Edits that set a number of a table in bold as its neighbours are, or take the bold away, and touch nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from reportkit.checker.paper.document import Cell, Document
from reportkit.checker.paper.source import Span

Change = tuple[Span, str]
"""A stretch of source, and what is to stand there."""

_OPENS = re.compile(r"(?:\\(?:textbf|mathbf|boldsymbol|bm)\s*\{\s*|\\(?:bfseries|bf)\s+|\*\*|__)$")
_COMMAND = re.compile(r"[^{}\\]*(?:\\%\s*)?\}")
_PLAIN = re.compile(r"\s*(?:\\?%\s*)?(?:$|[^\w.\\\s{}]|\\(?!num)[a-zA-Z(]|\s)")


class _Bold(NamedTuple):
    """How a number is set in bold: what opens and closes it, and where that stands."""

    opens: str
    closes: str
    before: Span
    after: Span | None


def moved(document: Document, cell: Cell, winners: Sequence[Cell]) -> list[Change]:
    """Edits that take the bold of a cell away and give it to those that have it not; none if one cannot be."""
    bold = _bold_of(document, cell)
    if bold is None:
        return []
    taken = plain(document, cell)
    given = [_made_bold(document, other, bold) for other in winners if not other.bold]
    return [*taken, *(change for changes in given for change in changes)] if all(given) else []


def also_bold(document: Document, cell: Cell, others: Sequence[Cell]) -> list[Change]:
    """Edits that set a cell in bold as others are; none if that cannot be."""
    style = next(filter(None, (_bold_of(document, other) for other in others)), None)
    return [] if style is None else _made_bold(document, cell, style)


def plain(document: Document, cell: Cell) -> list[Change]:
    """Edits that take the bold of a cell away; none where that is not plain to see."""
    bold = _bold_of(document, cell)
    return [] if bold is None else [(bold.before, ""), *([] if bold.after is None else [(bold.after, "")])]


def _bold_of(document: Document, cell: Cell) -> _Bold | None:
    """How the number of a cell is set in bold; None where that is not plain to see."""
    around = surroundings(document, cell)
    if around is None:
        return None
    number, before, after = around
    match = _OPENS.search(before)
    if match is None:
        return None
    opens = match[0]
    start = Span(number.file, number.start - len(opens), number.start)
    if opens.startswith("\\") and "{" not in opens:
        return _Bold(opens, "", start, None)
    if "{" in opens:
        closing = _COMMAND.match(after)
        end = number.end + closing.end() if closing else -1
    else:
        end = number.end + len(opens) if after.startswith(opens) else -1
    closes = "}" if "{" in opens else opens
    return _Bold(opens, closes, start, Span(number.file, end - len(closes), end)) if end > 0 else None


def _made_bold(document: Document, cell: Cell, like: _Bold) -> list[Change]:
    """Edits that set the number of a cell in bold as another one is; none where that is not plain to see."""
    around = surroundings(document, cell)
    if around is None:
        return []
    number, before, after = around
    mathematics = "math" in like.opens or like.opens.startswith(("\\bm", "\\boldsymbol"))
    if before != ("$" if mathematics else "") or not _PLAIN.match(after):
        return []
    start, end = Span(number.file, number.start, number.start), Span(number.file, number.end, number.end)
    return [(start, like.opens), *([(end, like.closes)] if like.closes else [])]


def surroundings(document: Document, cell: Cell) -> tuple[Span, str, str] | None:
    """Where the one number of a cell stands, and what stands before and after it in the cell."""
    values = [number for number in cell.numbers if number.role == "value"]
    if len(values) != 1 or not document.source(values[0].span).replace(".", "").isdigit():
        return None
    number = values[0].span
    if number.file != cell.span.file or not cell.span.start <= number.start < number.end <= cell.span.end:
        return None
    text = document.files[number.file].text
    return number, text[cell.span.start : number.start], text[number.end : cell.span.end]
