r"""Edits that give a number of a table a significance mark as its neighbours have it, or take it away."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportkit.checker.bolding import Change, plain, surroundings
from reportkit.checker.paper.document import Cell, Document
from reportkit.checker.paper.source import Span

_SPELLINGS = {
    "†": r"\\dagger|\\dag|\\textdagger|†", "‡": r"\\ddagger|\\ddag|\\textdaggerdbl|‡", "*": r"\*|\\\*|\\ast|\\star",
    "§": r"\\S|\\textsection|§", "¶": r"\\P|\\textparagraph|¶",
}  # fmt: skip


def without_mark(document: Document, cell: Cell, mark: str) -> list[Change]:
    """Edits that take a mark away; none where it is not plain to see, or shares its superscript with others."""
    if mark == "bold":
        return plain(document, cell)
    found = _written(document, cell, mark)
    return [] if found is None else [(found[0], "")]


def with_mark(document: Document, cell: Cell, mark: str, others: Sequence[Cell]) -> list[Change]:
    """Edits that mark a cell as others are marked; none if it has marks, or stands there in another way than they."""
    place = surroundings(document, cell)
    if place is None or cell.marks:
        return []
    number, before, after = place
    for other in others:
        found, like = _written(document, other, mark), surroundings(document, other)
        if found is None or like is None or like[1].strip() != before.strip():
            continue
        span, between = found
        if after.startswith(between) and not re.search(r"[\w^*]", after[len(between) :].replace(r"\pm", "")):
            at = number.end + len(between)
            return [(Span(number.file, at, at), document.source(span))]
    return []


def _written(document: Document, cell: Cell, mark: str) -> tuple[Span, str] | None:
    """Where a mark alone is written behind the number of a cell, and what stands between the two."""
    place = surroundings(document, cell)
    if place is None:
        return None
    number, _, after = place
    sign = _SPELLINGS.get(mark[0], re.escape(mark[0]))
    one = rf"(?:\s*(?:{sign})(?![a-zA-Z])){{{len(mark)}}}"
    raised = rf"\^\s*(?:\{{{one}\s*\}}|{one})"
    bare = rf"|{one}(?!{sign})" if mark[0] in _SPELLINGS else ""
    written = rf"\$\s*(?:\{{\}})?{raised}\s*\$|\\textsuperscript\{{\$?{one}\$?\}}|{raised}\^?{bare}"
    pattern = rf"(?P<between>\s*(?:\\?%)?)(?P<mark>{written})"
    match = re.match(pattern, after)
    if match is None:
        return None
    start, end = number.end + match.start("mark"), number.end + match.end("mark")
    return Span(number.file, start, end), match["between"]
