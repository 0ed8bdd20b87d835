"""What a cell prints: a number, a symbol, words or nothing."""

from __future__ import annotations

import re

from reportkit.checker.paper.document import Cell
from reportkit.checker.paper.printed_number import is_measured

_NAMED = re.compile(r"[A-Za-z]{2,}\.? \d+\s*$|[A-Za-z]{2,}-|[A-Za-z]{2}\S*\s*[(_^]|(?:19|20)\d\d-\d\d(?!\d)|\d\d:\d\d")
_COUNT = re.compile(r"[~≈<>]?\s?\d[\d,.]*\s[KMBT](?:\s?/\s?\d[\d,.]*\s?[KMBT])*")


def is_worded(cell: Cell) -> bool:
    """Whether a cell may be a heading: it has letters, and is neither a number nor a mark."""
    return any(map(str.isalpha, cell.text.text)) and not (is_numeric(cell) or is_symbol(cell) or is_blank(cell))


def is_numeric(cell: Cell) -> bool:
    """Whether a cell prints a number and not much else; one with a unit glued to it may be a name: 7B."""
    bounds = cell.interval
    number = cell.number or next((number for number in cell.numbers if number.role != "remark"), None)
    if bounds and number is None:
        return not cell.text.text.startswith("(") and any(bound.decimals for bound in bounds)
    if number is None or is_measured(cell.text.text):
        return False
    if _NAMED.match(cell.text.text):
        return False
    letters = sum(character.isalpha() for character in cell.text.text)
    return letters <= max(3, len(cell.text.text) // 3)


def is_symbol(cell: Cell) -> bool:
    """Whether a cell prints a check mark, a cross or the like, or numbers with units: 46.8K / 37.1K, 31ms."""
    text = cell.text.text
    if not text.strip("?!.,;:…") or is_blank(cell):
        return False
    return not any(map(str.isalnum, text)) or is_measured(text) or _COUNT.fullmatch(text) is not None


def is_blank(cell: Cell) -> bool:
    """Whether a cell prints nothing, or a dash for nothing."""
    return cell.text.text.strip(" -–—−\u2009·•.") in ("", "n/a", "N/A", "NA")
