"""Intervals as papers print them: in a sentence or a cell, with what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reportkit.checker.comparison import P_HEADING
from reportkit.checker.labels import QUANTITIES, normalised
from reportkit.checker.paper.document import Cell, Document, Sentence, Table
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import Span

INTERVAL_WORDS = re.compile(r"\b(?:CIs?|confidence|credible|interval|bootstrap|HDI|HPDI?|bounds?)\b", re.IGNORECASE)
LEVEL = re.compile(
    r"(?P<level>\d{2}(?:\.\d+)?)\s?%[\s-]*(?:\w+\s+){0,3}?(?:CIs?|confidence|credible|intervals?|HDI)\b", re.IGNORECASE
)
_BETWEEN = re.compile(
    r"(?:\s|%|,|:|;|\(|\[|=|points?|percentage|pp|F1|BLEU|accuracy|on average|with|and|a|an|the|its|at|of|is|"
    r"\d{2}(?:\.\d+)?\s?%|CIs?|confidence|credible|bootstrap|intervals?|HDI|Wilson|Newcombe|percentile|BCa)*",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\b(?:range[sd]?|between|from|bins?|window|in steps|grid|domain|values? in)\b[^.;]{0,20}$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class PrintedInterval:
    """An interval and what stands beside it.

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
    named : str
        The heading of the line, or the sentence: for finding out which dataset it is about.
    standard_error : PrintedNumber or None
        Of the same line.
    """

    low: PrintedNumber
    high: PrintedNumber
    estimate: PrintedNumber | None
    p: PrintedNumber | None
    level: float | None
    words: str
    named: str
    standard_error: PrintedNumber | None = None

    @property
    def span(self) -> Span:
        """From the first digit of the lower bound to the last of the upper."""
        return Span(self.low.span.file, self.low.span.start, max(self.low.span.end, self.high.span.end))

    @property
    def half_width(self) -> tuple[float, float]:
        """Smallest and largest half-width of the intervals that are printed so."""
        return max(0.0, (self.high.low - self.low.high) / 2), (self.high.high - self.low.low) / 2

    @property
    def text(self) -> str:
        """As printed."""
        return f"[{self.low.text}, {self.high.text}]"


def printed_intervals(document: Document) -> Iterator[PrintedInterval]:
    """Find the intervals of a paper, in its order: text first."""
    for sentence in document.sentences:
        if sentence.place not in ("reference", "heading"):
            yield from _in_sentence(sentence)
    for table in document.tables:
        yield from _in_table(table)


def _in_sentence(sentence: Sentence) -> Iterator[PrintedInterval]:
    if not any(number.role == "high" for number in sentence.numbers):
        return
    text = sentence.text.text
    located = located_numbers(sentence.text)
    levels = {float(match["level"]) for match in LEVEL.finditer(text)}
    p_values = [number for start, _, number in located if _is_p(text, start)]
    for index in range(len(located) - 1):
        start, _, low = located[index]
        high = located[index + 1][2]
        if low.role != "low" or high.role != "high":
            continue
        bracket = text.rfind("[", 0, start) if "[" in text[max(0, start - 3) : start] else start
        if _RANGE.search(text[:start].rstrip("[( ")) or (text[max(0, bracket) : start].find("[") < 0
                                                         and not INTERVAL_WORDS.search(text)):  # fmt: skip
            continue
        yield PrintedInterval(
            low=low,
            high=high,
            estimate=_before(text, located[:index], start),
            p=p_values[0] if len(p_values) == 1 else None,
            level=levels.pop() if len(levels) == 1 else None,
            words=text,
            named=text,
        )
        levels = {float(match["level"]) for match in LEVEL.finditer(text)}


def _before(text: str, located: list[tuple[int, int, PrintedNumber]], start: int) -> PrintedNumber | None:
    """The number that an interval follows, with nothing but words of its kind between."""
    for begin, end, number in reversed(located):
        if number.role not in ("value", "remark"):
            return None
        if number.percent and LEVEL.match(text, begin):
            continue
        between = text[end:start].rstrip("[(")
        return number if _BETWEEN.fullmatch(between) and not _is_p(text, begin) else None
    return None


def _is_p(text: str, start: int) -> bool:
    return re.search(r"(?<![\w-])[pP](?:[_-]\w+|-?values?)?\s*(?:of|is|was)?\s*[<>=≤≥]+\s*$", text[:start]) is not None


def _in_table(table: Table) -> Iterator[PrintedInterval]:
    level = next((float(match["level"]) for match in LEVEL.finditer(_words(table))), None)
    for row in range(table.n_header_rows, table.n_rows):
        line = list(dict.fromkeys(table.grid[row][table.n_header_columns :]))
        p = [cell for cell in line if cell.number and _heading(table, cell, P_HEADING.fullmatch)]
        errors = [cell for cell in line if cell.number and _heading(table, cell, _is_standard_error)]
        alone = [cell for cell in line if cell.number and cell.interval is None and _competes(table, cell)]
        bare = [cell for cell in line if cell.interval is not None and cell.number is None]
        for cell in line:
            bounds = cell.interval
            if bounds is None:
                continue
            estimate = cell.number
            if estimate is None and len(bare) == 1:
                gaps = [other for other in alone if _heading(table, other, _is_difference)]
                fitting = gaps if gaps else alone
                estimate = fitting[0].number if len(fitting) == 1 else None
            yield PrintedInterval(
                low=bounds[0],
                high=bounds[1],
                estimate=estimate,
                p=p[0].number if len(p) == 1 and len([c for c in line if c.interval]) == 1 else None,
                level=level,
                words=_words(table),
                named=" ".join((*table.row_header(row), *table.column_header(cell.column))),
                standard_error=errors[0].number if len(errors) == 1 and len(bare) <= 1 else None,
            )


def _heading(table: Table, cell: Cell, test: Callable[[str], object]) -> bool:
    headings = table.column_header(cell.column)
    return bool(headings) and bool(test(headings[-1]))


def _is_standard_error(text: str) -> bool:
    return normalised(text) in ("se", "s e", "std error", "standard error", "standard errors", "sem")


def _is_difference(text: str) -> bool:
    return QUANTITIES.get(normalised(text)) == "difference"


def _competes(table: Table, cell: Cell) -> bool:
    """Whether a cell may be what an interval is about."""
    headings = table.column_header(cell.column)
    words = normalised(headings[-1]) if headings else ""
    return not (
        P_HEADING.fullmatch(headings[-1] if headings else "")
        or _is_standard_error(words)
        or QUANTITIES.get(words) in ("n", "p-value", "adjusted-p-value", "k-hat")
    )


def _words(table: Table) -> str:
    headings = [text for column in range(table.n_columns) for text in table.column_header(column)]
    return " ".join([table.caption.text, *(note.text for note in table.notes), *dict.fromkeys(headings)])
