"""Read back what a user sees: tables of LaTeX, HTML and Markdown, and the claims that sentences make."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from typing import NamedTuple

from markdown_it import MarkdownIt
from pylatexenc.latex2text import LatexNodes2Text

_TEXT = LatexNodes2Text(math_mode="text")
_NESTED = r"\\begin\{tabular\}\[\w\]\{(?:[^{}]|\{[^{}]*\})*\}(.*?)\\end\{tabular\}"
_BROKEN = r"\\parbox\[t\]\{[^{}]*\}\{\\raggedright\\hspace\{0pt\}\\strut (.*?)\\strut\}"
_RULES = r"\\(?:top|bottom)rule|\\cmidrule(?:\([lr]+\))?\{[^}]*\}|\\addlinespace"


class Cell(NamedTuple):
    """A cell: its characters without blanks, and whether it is bold."""

    text: str
    bold: bool


Grid = list[list[Cell]]
"""A table: the heads of its columns, then its rows, without empty ones."""


class Claim(NamedTuple):
    """One system is said to be better than another, on a number of datasets where one is said."""

    winner: str
    loser: str
    count: int | None
    sentence: str


def plain(text: str) -> str:
    """Return a text without blanks, with one kind of dash and no raised or lowered digits."""
    return re.sub(r"\s", "", re.sub("[−–]", "-", unicodedata.normalize("NFKC", text)))


def _grid(head: Sequence[Sequence[tuple[Cell, int]]], body: Sequence[Sequence[tuple[Cell, int]]]) -> Grid:
    """Put the head over several columns before the heads below it, and leave out empty rows."""
    empty = Cell("", False)
    rows = [[part for cell, span in row for part in (cell, *[empty] * (span - 1))] for row in (*head, *body)]
    if any(span > 1 for _, span in head[0]):
        over = [cell.text for cell, span in head[0] for _ in range(span)]
        below = rows[1]
        rows[:2] = [[Cell(f"{a}:{b.text}" if a else b.text, b.bold) for a, b in zip(over, below, strict=True)]]
    return [row for row in rows if any(cell.text for cell in row)]


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tables: list[tuple[str, Grid]] = []
        self._figure = ""
        self._parts: tuple[list, list] = ([], [])
        self._in_head = False
        self._cell: list[str] | None = None
        self._bold, self._span = False, 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "figure":
            self._figure = (given.get("id") or "").removeprefix("tab:")
        elif tag == "table":
            self._parts = ([], [])
        elif tag in ("thead", "tbody"):
            self._in_head = tag == "thead"
        elif tag == "tr":
            self._parts[not self._in_head].append([])
        elif tag in ("th", "td"):
            self._cell, self._bold, self._span = [], False, int(given.get("colspan") or 1)
        elif tag == "strong":
            self._bold = True

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("th", "td") and self._cell is not None:
            row = self._parts[not self._in_head][-1]
            row.append((Cell(plain("".join(self._cell)), self._bold), self._span))
            self._cell = None
        elif tag == "table":
            self.tables.append((self._figure, _grid(*self._parts)))


def html_tables(page: str) -> list[tuple[str, Grid]]:
    """Return the tables of a page with their names, in order."""
    reader = _Tables()
    reader.feed(page)
    return reader.tables


def markdown_tables(text: str) -> list[Grid]:
    """Return the tables of a text in Markdown, in order."""
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    return [grid for _, grid in html_tables(page)]


def latex_table(source: str) -> Grid:
    """Return the one table of a LaTeX source; columns without space between them are one column."""
    source = re.sub(r"(?m)^%.*\n", "", source)
    start = source.index(r"\begin{tabular}") + len(r"\begin{tabular}")
    specification, start = _braces(source, start)
    body = source[start : source.rindex(r"\end{tabular}")]
    body = re.sub(_NESTED, lambda found: found[1].replace(r"\\", " "), body, flags=re.DOTALL)
    body = re.sub(_RULES, "", re.sub(_BROKEN, r"\1", body))
    columns = re.findall(r"([lcr])\s*((?:@\{[^{}]*\})?)", specification)
    joined = [bool(gap) for _, gap in columns[:-1]]
    head, *rest = body.split(r"\midrule")
    return _grid(_latex_rows(head, joined), _latex_rows("".join(rest), joined))


def _latex_rows(text: str, joined: Sequence[bool]) -> list[list[tuple[Cell, int]]]:
    return [_latex_row(row, joined) for row in re.split(r"\\\\", text) if row.strip()]


def _latex_row(row: str, joined: Sequence[bool]) -> list[tuple[Cell, int]]:
    cells: list[tuple[Cell, int]] = []
    place = 0
    for part in re.split(r"(?<!\\)&", row):
        content, span = part.strip(), 1
        if content.startswith(r"\multicolumn"):
            number, at = _braces(content, len(r"\multicolumn"))
            _, at = _braces(content, at)
            content, span = _braces(content, at)[0], int(number)
        level = re.sub(r"(?<!\\)[_^]", "", content)  # pylatexenc would keep the signs of raised and lowered text
        cell = Cell(plain(_TEXT.latex_to_text(level)), r"\textbf" in content)
        n_columns = span - sum(joined[place : place + span - 1])
        if place and joined[place - 1]:
            before, width = cells[-1]
            cells[-1] = Cell(before.text + cell.text, before.bold or cell.bold), width
        else:
            cells.append((cell, n_columns))
        place += span
    return cells


def _braces(text: str, start: int) -> tuple[str, int]:
    """Return what is in the braces that open at `start`, and where they have ended."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return text[start + 1 : place], place + 1
    raise ValueError(f"braces do not close: {text[start : start + 40]}")


def turned(grid: Grid) -> Grid:
    """Return a table with rows for columns."""
    return [list(row) for row in zip(*grid, strict=True)]


_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COUNT = rf"\b(?:all|both)\b|(?<![\d.,+-])\b\d+\b(?![.,]?\d|%)|\b(?:{'|'.join(_NUMBERS)})\b"
_DENIED = r"\b(?:not|no|none|neither|nor|cannot|whether|if|may|differ)\b"


def claims_of(text: str, systems: Sequence[str], n_datasets: int) -> list[Claim]:
    """Read who is said to be better than whom.

    Parameters
    ----------
    text : str
        Text without markup; blank lines part what does not belong together.
    systems : sequence of str
        Names that may occur. Whoever is named before the first "better" of a sentence is better than those behind it.
    n_datasets : int
        What "all" stands for.

    Returns
    -------
    list of Claim
        Claims of sentences that deny and ask nothing.
    """
    return [claim for sentence in _sentences(text) for claim in _claims(sentence, systems, n_datasets)]


def unbeaten_in(text: str, systems: Sequence[str]) -> set[str] | None:
    """Return the systems that a sentence says no system is better than; None if no sentence says it."""
    said = [sentence for sentence in _sentences(text) if re.search(r"\bno (?:other )?system", sentence, re.IGNORECASE)]
    return {name for sentence in said for name in systems if _name(name).search(sentence)} if said else None


def _sentences(text: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", text):
        yield from re.split(r"(?<=[.!?])\s+", " ".join(block.split()))


def _name(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")


def _claims(sentence: str, systems: Sequence[str], n_datasets: int) -> Iterator[Claim]:
    coded = sentence
    for place, name in enumerate(systems):
        coded = _name(name).sub(f"<{place}>", coded)
    coded = re.sub(r"\([^()]*\)", "", coded.replace("−", "-"))
    if re.search(_DENIED, coded, re.IGNORECASE) or "better" not in coded:
        return
    before, _, behind = coded.partition("better")
    winners = [systems[int(place)] for place in re.findall(r"<(\d+)>", before)]
    waiting: list[str] = []
    for found in re.finditer(rf"<(?P<system>\d+)>|{_COUNT}", behind):
        if found["system"]:
            waiting.append(systems[int(found["system"])])
            continue
        word = found[0]
        count = n_datasets if word in ("all", "both") else _NUMBERS.index(word) if word in _NUMBERS else int(word)
        yield from (Claim(winner, loser, count, sentence) for winner in winners for loser in waiting)
        waiting = []
    yield from (Claim(winner, loser, None, sentence) for winner in winners for loser in waiting)
