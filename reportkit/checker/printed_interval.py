"""Intervals as papers print them, in a sentence or a cell, with their estimate and p-value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reportkit.checker.labels import normalised, p_heading, quantity_of
from reportkit.checker.paper.document import Document, Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import Span
from reportkit.checker.patterns import patterns
from reportkit.checker.vocabulary import words_of

RE = patterns("printed_interval")


@dataclass(frozen=True, slots=True)
class PrintedInterval:
    """An interval with its estimate and p-value.

    Parameters
    ----------
    low, high : PrintedNumber
        Its bounds.
    estimate : PrintedNumber or None
        What it is about, if that is certain.
    p : PrintedNumber or None
        The p-value of the same sentence or line, if there is exactly one.
    level : float or None
        In percent, if it is said.
    words : str
        The sentence; or the headings and the caption.
    """

    low: PrintedNumber
    high: PrintedNumber
    estimate: PrintedNumber | None
    p: PrintedNumber | None
    level: float | None
    words: str

    @property
    def span(self) -> Span:
        """Source from the first digit of the lower bound to the last of the upper."""
        return Span(self.low.span.file, self.low.span.start, max(self.low.span.end, self.high.span.end))

    @property
    def half_width(self) -> tuple[float, float]:
        """Smallest and largest half-width of the intervals that round to the printed one."""
        return max(0.0, (self.high.low - self.low.high) / 2), (self.high.high - self.low.low) / 2

    @property
    def text(self) -> str:
        """As printed."""
        return f"[{self.low.text}, {self.high.text}]"


def printed_intervals(document: Document) -> Iterator[PrintedInterval]:
    """Find the intervals of a paper, in its order: text first."""
    for sentence in document.sentences:
        if sentence.place not in ("reference", "heading"):
            yield from _in_sentence(document, sentence)
    for table in document.tables:
        yield from _in_table(table)


def _in_sentence(document: Document, sentence: Sentence) -> Iterator[PrintedInterval]:
    if not any(number.role == "high" for number in sentence.numbers):
        return
    text = sentence.text.text
    located = located_numbers(sentence.text)
    stated = list(RE["level"].finditer(text))
    levels = {float(match["level"] or match["behind"]) for match in stated}
    p_values = [number for start, _, number in located if _is_p(text, start)]
    for index in range(len(located) - 1):
        start, _, low = located[index]
        high = located[index + 1][2]
        if low.role != "low" or high.role != "high":
            continue
        if RE["range"].search(text[:start].rstrip("[( ")):
            continue  # the interval of another quantity
        if RE["matrix"].search(text[:start]) or RE["matrix_ahead"].match(text, located[index + 1][1]):
            continue
        if not RE["interval_words"].search(text) and not any(
            RE["interval_words"].search(other.text.text) for other in document.paragraph(sentence.paragraph)
        ):
            continue
        yield PrintedInterval(
            low=low,
            high=high,
            estimate=_before(text, [item for item in located[:index] if not _inside(item, stated)], start),
            p=p_values[0] if len(p_values) == 1 else None,
            level=next(iter(levels)) if len(levels) == 1 else None,
            words=text,
        )


def _inside(item: tuple[int, int, PrintedNumber], stated: list[re.Match[str]]) -> bool:
    """Return whether a number is the level of an interval."""
    return any(match.start() <= item[0] < match.end() for match in stated)


def _before(text: str, located: list[tuple[int, int, PrintedNumber]], start: int) -> PrintedNumber | None:
    """Return the number before an interval, if only words such as "95% CI" stand between the two."""
    for begin, end, number in reversed(located):
        if number.role not in ("value", "remark"):
            return None
        between = text[end:start].rstrip("[(")
        return number if RE["between"].fullmatch(between) and not _is_p(text, begin) else None
    return None


def _is_p(text: str, start: int) -> bool:
    return re.search(r"(?<![\w-])[pP](?:[_-]\w+|-?values?)?\s*(?:of|is|was)?\s*[<>=≤≥]+\s*$", text[:start]) is not None


def _in_table(table: Table) -> Iterator[PrintedInterval]:
    words = words_of(table)
    if not RE["interval_words"].search(words):
        return
    level = next((float(match["level"] or match["behind"]) for match in RE["level"].finditer(words)), None)
    for row in range(table.n_header_rows, table.n_rows):
        line = list(dict.fromkeys(table.grid[row][table.n_header_columns :]))
        named = {cell: (table.column_header(cell.column) or ("",))[-1] for cell in line}
        p = [cell.number for cell in line if cell.number and p_heading(table, named[cell])]
        alone = [cell for cell in line if cell.number and cell.interval is None and _competes(table, named[cell])]
        gaps = [cell for cell in alone if quantity_of(table, named[cell]) == "difference"] or alone
        intervals = [cell for cell in line if cell.interval is not None]
        for cell, bounds in ((cell, cell.interval) for cell in intervals):
            estimate = None if RE["fraction"].search(cell.text.text) else cell.number
            if cell.number is None and sum(other.number is None for other in intervals) == 1:
                estimate = gaps[0].number if len(gaps) == 1 else None
            lone = p[0] if len(p) == len(intervals) == 1 else None
            if bounds is not None:
                yield PrintedInterval(*bounds, estimate, lone, level, words)


def _competes(table: Table, heading: str) -> bool:
    """Return whether a cell may be the estimate of an interval, and is not a standard error."""
    error = normalised(heading) in ("se", "s e", "std error", "standard error", "standard errors", "sem")
    return not error and quantity_of(table, heading) in (None, "score", "difference", "interval")
