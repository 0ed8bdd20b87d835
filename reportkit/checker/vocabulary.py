"""Words of the field: tests, corrections, metrics with their direction, counts; and tables that print results."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reportkit.checker.paper.document import Table
from reportkit.checker.paper.printed_number import is_measured
from reportkit.checker.patterns import patterns

TEST, P_SAID, CORRECTION, UNCERTAINTY, LOWER_IS_BETTER, HIGHER_IS_BETTER = patterns("vocabulary").values()
METRIC, BOLD_IS_BEST = patterns("results_tables").values()
NUMERALS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "one": 1, "both": 2,
}  # fmt: skip


def number_of(text: str) -> int:
    """Return the value of a numeral, written in digits or as a word.

    Examples
    --------
    >>> number_of("Four"), number_of("12")
    (4, 12)
    """
    return NUMERALS.get(text.lower()) or int(text)


METRICS = re.compile(f"{HIGHER_IS_BETTER.pattern}|{LOWER_IS_BETTER.pattern}", re.IGNORECASE)


def higher_is_better(*texts: str) -> bool | None:
    """Return the direction that the first text with one gives; None if none does, or it gives both.

    Examples
    --------
    >>> higher_is_better("WER"), higher_is_better("Ours", "Accuracy and F1"), higher_is_better("Books")
    (False, True, None)
    """
    for text in texts:
        for lower, higher in (
            ("↓" in text, "↑" in text),
            (LOWER_IS_BETTER.search(text), HIGHER_IS_BETTER.search(text)),
        ):
            if bool(lower) != bool(higher):
                return bool(higher)
    return None


def metrics_in(texts: Iterable[str]) -> set[str]:
    """Return the names of metrics in some texts, in lower case."""
    found = {match[0].lower().rstrip(".") for text in texts for match in METRICS.finditer(text)}
    return {"accuracy" if name == "acc" else name for name in found} - {"score", "error", "errors"}


FEWEST_SCORES = 2


def is_results(table: Table, pattern: re.Pattern[str] = METRIC) -> bool:
    r"""Return whether a table prints at least two scores with decimals of something that a pattern names.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> paper = document_of("| S | F1 |\n|---|---|\n| A | 80.1 |\n| B | 80.2 |\n", language="markdown")
    >>> is_results(paper.tables[0])
    True
    """
    scores = [
        cell
        for cell in table.body()
        if cell.number is not None and cell.number.decimals and not is_measured(cell.text.text)
    ]
    if len(scores) < FEWEST_SCORES:
        return False
    return pattern.search(words_of(table)) is not None


def words_of(table: Table) -> str:
    """Return caption, notes and headings of a table."""
    headings = (cell.text.text for cell in table.cells() if cell.header)
    return " ".join([table.caption.text, *(note.text for note in table.notes), *dict.fromkeys(headings)])
