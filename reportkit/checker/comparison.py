"""Scores of two systems on several datasets, as a table prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from reportkit.checker.labels import AVERAGES, normalised, p_heading, quantity_of
from reportkit.checker.paper.document import Cell, Document, Table

TRAILING_MARKS = re.compile(r"\^?\s*\(?(?P<marks>[*†‡§¶+](?:[*†‡§¶+]|,\s*)*)\)?\s*$")
FEWEST_LINES = 2
CLAIM = re.compile(r"\b(?:better|worse|within|equivalent|non-inferior)\b", re.IGNORECASE)
"""Rows that are claims about one dataset, not datasets."""


class ComparedLine(NamedTuple):
    """One dataset: its heading without marks, the scores of two systems, the number of instances if it is printed."""

    dataset: str
    a: Cell | None
    b: Cell | None
    n: Cell | None


@lru_cache(maxsize=2)
def comparisons(document: Document) -> tuple[tuple[ComparedLine, ...], ...]:
    """Find every pair of systems for which a table prints two scores on several datasets, with a line for each.

    Only tables that leave no doubt: exactly two score columns, or p-values whose heading names the pair. Rows and
    columns may be exchanged.
    """
    found: list[tuple[ComparedLine, ...]] = []
    for table in document.tables:
        for transposed in (False, True):
            made = list(_Axis(table, transposed=transposed).comparisons())
            if made:
                found += made
                break
    return tuple(found)


class _Axis:
    """A table read with datasets along one of its sides."""

    def __init__(self, table: Table, *, transposed: bool) -> None:
        self.table = table
        self.transposed = transposed
        rows, columns = range(table.n_header_rows, table.n_rows), range(table.n_header_columns, table.n_columns)
        self.kinds: Sequence[int] = rows if transposed else columns
        items = columns if transposed else rows
        self.items = [i for i in items if (transposed or i not in table.group_rows) and not self._is_average(i)]

    def comparisons(self) -> Iterator[tuple[ComparedLine, ...]]:
        p_of = {kind: match for kind in self.kinds if (match := p_heading(self.table, self._heading(kind)))}
        sort = {kind: self._sort(kind) for kind in self.kinds}
        scores = [kind for kind in self.kinds if kind not in p_of and sort[kind] == "score" and self._numeric(kind)]
        sizes = [kind for kind in self.kinds if sort[kind] == "n"]
        if len(self.items) < FEWEST_LINES or any(CLAIM.search(self._item_heading(item)) for item in self.items):
            return
        for match in p_of.values() or [None]:
            pair = self._pair(scores, match["pair"] if match else None)
            if pair is not None and (match is not None or not self.transposed):
                yield self._lines(*pair, sizes[0] if len(sizes) == 1 else None)

    def _lines(self, a: int, b: int, n: int | None) -> tuple[ComparedLine, ...]:
        return tuple(
            ComparedLine(
                _without_marks(self._item_heading(item)),
                self._cell(a, item),
                self._cell(b, item),
                None if n is None else self._cell(n, item),
            )
            for item in self.items
        )

    def _pair(self, scores: Sequence[int], named: str | None) -> tuple[int, int] | None:
        if named:
            key = _key(named)
            places = sorted(
                (key.index(own), kind)
                for kind in scores
                if (own := _key(_without_marks(self._heading(kind)))) and own in key
            )
            return (places[0][1], places[1][1]) if len(places) == 2 else None
        return (scores[0], scores[1]) if len(scores) == 2 else None

    def _sort(self, kind: int) -> Literal["score", "n", "other"]:
        words = normalised(self._heading(kind))
        quantity = quantity_of(self.table, self._heading(kind))
        if quantity == "n":
            return "n"
        other = re.search(r"\b(?:ci|interval|sd|se|std|error|size|rank)\b", words)
        return "other" if quantity is not None or words in AVERAGES or other else "score"

    def _heading(self, kind: int) -> str:
        texts = self.table.row_header(kind) if self.transposed else self.table.column_header(kind)
        return texts[-1] if texts else ""

    def _item_heading(self, item: int) -> str:
        texts = self.table.column_header(item) if self.transposed else self.table.row_header(item)
        return texts[-1] if texts else ""

    def _is_average(self, item: int) -> bool:
        return normalised(self._item_heading(item)) in AVERAGES

    def _cell(self, kind: int, item: int) -> Cell | None:
        cell = self.table.grid[kind][item] if self.transposed else self.table.grid[item][kind]
        return cell if cell.numbers else None

    def _numeric(self, kind: int) -> bool:
        return sum(self._cell(kind, item) is not None for item in self.items) >= 0.5 * len(self.items)


def _without_marks(text: str) -> str:
    return TRAILING_MARKS.sub("", text).strip() or text


def _key(text: str) -> str:
    return normalised(text).replace(" ", "")
