"""Prose as runs of characters that look alike, for formats that have no markup of their own."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from html.parser import HTMLParser

from reportkit.rendering.text.inline import Lookup, html_prose
from reportkit.report.model import Cell
from reportkit.report.prose import Prose


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Some characters, and how they look."""

    text: str
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    code: bool = False
    raised: bool = False
    lowered: bool = False


_LOOKS = {
    "strong": "bold",
    "em": "italic",
    "i": "italic",
    "u": "underlined",
    "code": "code",
    "sup": "raised",
    "sub": "lowered",
}


def runs_of(content: Prose, lookup: Lookup | None = None) -> tuple[Run, ...]:
    """Prose as runs, as a page shows it.

    Examples
    --------
    >>> from reportkit.report.prose import prose
    >>> [(run.text, run.italic, run.lowered) for run in runs_of(prose("{k_hat_fisher} & {n}"))]
    [('k̂', False, False), ('Fisher', False, True), (' & ', False, False), ('n', True, False)]
    """
    reader = _Reader()
    reader.feed(html_prose(content, lookup))
    reader.close()
    return tuple(reader.runs)


def runs_of_cell(cell: Cell, lookup: Lookup | None = None) -> tuple[Run, ...]:
    """Runs of a cell: its text as it is set off, and the signs behind it."""
    shown = [
        dataclasses.replace(run, bold=run.bold or cell.bold, underlined=run.underlined or cell.underline)
        for run in runs_of(cell.text, lookup)
    ]
    return (*shown, Run(text=cell.mark, raised=True)) if cell.mark else tuple(shown)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.runs: list[Run] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        looks = {_LOOKS[tag]: True for tag in self._open if tag in _LOOKS}
        self.runs.append(Run(text=data, **looks))
