"""What a table says of two systems on several datasets: scores, p-values and marks, as printed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from reportkit.checker.labels import AVERAGES, normalised, p_heading, quantity_of
from reportkit.checker.paper.document import Cell, Document, Table
from reportkit.checker.paper.source import Span
from reportkit.checker.vocabulary import HIGHER_IS_BETTER, LOWER_IS_BETTER

TRAILING_MARKS = re.compile(r"\^?\s*\(?(?P<marks>[*†‡§¶+](?:[*†‡§¶+]|,\s*)*)\)?\s*$")
LEVEL = re.compile(
    r"(?:(?:\bα|\balpha|\bp)\s*(?:=|<|≤|<=)|\bat(?=\s+0?\.[01]))\s*(?P<level>0?\.\d+)|(?P<percent>\d+(?:\.\d+)?)\s?%\s+level",
    re.I,
)
MARK = re.compile(r"\*{1,3}|[†‡§¶]+|(?<![\w)])\+(?=[\s,\]):]|$)")
_TEN = re.compile(r"(?:(?P<factor>\d+(?:\.\d+)?)\s*[·×]\s*)?10\^\(?\s*(?P<power>[−–-]\s?\d+)\)?")
_E_RAISED = re.compile(r"(\d(?:\.\d+)?)\s*e\^\(?\s*([−–-]?\s?\d+)\)?", re.IGNORECASE)
FEWEST_LINES = 2
CLAIM = re.compile(r"\b(?:better|worse|within|equivalent|non-inferior)\b", re.IGNORECASE)
"""Rows that are claims about one dataset, not datasets."""


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One dataset of a comparison.

    Parameters
    ----------
    dataset : str
        Its heading, without marks.
    a, b, difference, p, n : Cell or None
        Score of A, of B, their difference, the p-value, the number of instances; None where the table prints none.
    marks : tuple of str
        At the heading of the dataset, or at any of these cells.
    span : Span
        The heading, or the first cell.
    """

    dataset: str
    a: Cell | None
    b: Cell | None
    difference: Cell | None
    p: Cell | None
    n: Cell | None
    marks: tuple[str, ...]
    span: Span

    @property
    def sign(self) -> int | None:
        """1 if A is printed with the larger score, -1 with the smaller, 0 if they tie; None if that is not printed."""
        if self.a is not None and self.b is not None and self.a.number is not None and self.b.number is not None:
            gap = self.a.number.value - self.b.number.value
        elif self.difference is not None and self.difference.number is not None:
            gap = self.difference.number.value
        else:
            return None
        return (gap > 0) - (gap < 0)


@dataclass(frozen=True, slots=True)
class PrintedComparison:
    """Two systems of one table, over its datasets.

    Parameters
    ----------
    table : Table
        Where it stands.
    system_a, system_b : str
        Headings of the two score columns (or rows), in the order of the table; empty if only differences are printed.
    lines : tuple of ComparedLine
        One for each dataset.
    adjusted : bool
        Whether the heading of the p-values says that they are adjusted.
    lower_is_better : bool
        Whether a heading or the caption names a metric that is better when it is lower.
    """

    table: Table
    system_a: str
    system_b: str
    lines: tuple[ComparedLine, ...]
    adjusted: bool
    lower_is_better: bool

    def p_texts(self) -> list[str] | None:
        """Printed p-values as `p_value_cells` takes them; None if one of them is absent or not understood."""
        from reportkit.scores.rounding_cell import parsed_p_value

        texts = [p_text(line.p) for line in self.lines]
        return None if any(parsed_p_value(text) is None for text in texts) else texts

    def names(self, text: str) -> bool:
        """Whether a text names both systems."""
        key = _key(text)
        return all(name and _key(name) in key for name in (self.system_a, self.system_b))


def p_text(cell: Cell | None) -> str:
    """Return the p-value of a cell as `p_value_cell` takes it; empty if there is none.

    Powers of ten in any spelling count: `2·10^-4`, `10^{-4}`, `2e^{-5}`; marks and parentheses do not.
    """
    if cell is None:
        return ""
    text = cell.text.text.replace("−", "-").replace("–", "-").replace("\u200b", "")
    text = _TEN.sub(lambda match: f"{match['factor'] or 1}e{match['power'].replace(' ', '')}", text)
    text = _E_RAISED.sub(lambda match: f"{match[1]}e{match[2].replace(' ', '')}", text)
    text = re.sub(r"^p\s*(?=[=<>≤≥])", "", text.strip(" ()[]"))
    return re.sub(r"\^?\(?[*†‡§¶,]+\)?$", "", text).strip(" ()[]")


@lru_cache(maxsize=2)
def comparisons(document: Document) -> tuple[PrintedComparison, ...]:
    """Find every pair of systems for which a table prints two scores (or a difference) on several datasets.

    Only tables that leave no doubt: exactly two score columns, or p-values whose heading names the pair, or one column
    of differences beside p-values. Rows and columns may be exchanged.
    """
    found: list[PrintedComparison] = []
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

    def comparisons(self) -> Iterator[PrintedComparison]:
        p_of = {kind: match for kind in self.kinds if (match := p_heading(self.table, self._heading(kind)))}
        sort = {kind: self._sort(kind) for kind in self.kinds}
        scores = [kind for kind in self.kinds if kind not in p_of and sort[kind] == "score" and self._numeric(kind)]
        gaps = [kind for kind in self.kinds if kind not in p_of and sort[kind] == "difference"]
        sizes = [kind for kind in self.kinds if sort[kind] == "n"]
        if len(self.items) < FEWEST_LINES or any(CLAIM.search(" ".join(self._item_headings(i))) for i in self.items):
            return
        for kind, match in p_of.items() or {None: None}.items():
            pair = self._pair(scores, match["pair"] if match else None)
            gap = gaps[0] if len(gaps) == 1 else None
            if pair is None and (gap is None or len(scores) > 2 or kind is None):
                continue
            if match is None and (pair is None or self.transposed):
                continue
            yield self._made(kind, match, pair, gap, sizes[0] if len(sizes) == 1 else None)

    def _made(
        self, p: int | None, match: re.Match[str] | None, pair: tuple[int, int] | None, gap: int | None, n: int | None
    ) -> PrintedComparison:
        names = ("", "") if pair is None else tuple(without_marks(self._heading(kind)) for kind in pair)
        lines = []
        for item in self.items:
            a, b = (None, None) if pair is None else (self._cell(pair[0], item), self._cell(pair[1], item))
            others = [None if kind is None else self._cell(kind, item) for kind in (gap, p, n)]
            cells = (a, b, others[0], others[1], others[2])
            heading = self._item_cell(item)
            text = " ".join(self._item_headings(item)) or f"line {item + 1}"
            own = [mark for cell in cells if cell is not None for mark in cell.marks]
            marks = dict.fromkeys([*marks_at_end(text), *own])
            first = next((cell for cell in (heading, *cells) if cell is not None), None)
            span = first.span if first is not None else self.table.span
            lines.append(ComparedLine(without_marks(text), *cells, tuple(marks), span))
        words = f"{self.table.caption.text} {' '.join(self._heading(kind) for kind in self.kinds)}"
        adjusted = bool(match and (match["adjusted"] or match["adjusted2"]))
        lower = bool(LOWER_IS_BETTER.search(words) or "↓" in words) and not HIGHER_IS_BETTER.search(words)
        return PrintedComparison(self.table, names[0], names[1], tuple(lines), adjusted, lower)

    def _pair(self, scores: Sequence[int], named: str | None) -> tuple[int, int] | None:
        if named:
            key = _key(named)
            places = sorted(
                (key.index(own), kind)
                for kind in scores
                if (own := _key(without_marks(self._heading(kind)))) and own in key
            )
            return (places[0][1], places[1][1]) if len(places) == 2 else None
        return (scores[0], scores[1]) if len(scores) == 2 else None

    def _sort(self, kind: int) -> Literal["score", "difference", "n", "other"]:
        words = normalised(self._heading(kind))
        quantity = quantity_of(self.table, self._heading(kind))
        if quantity == "difference":
            return "difference"
        if quantity == "n":
            return "n"
        if (
            quantity is not None
            or words in AVERAGES
            or re.search(r"\b(?:ci|interval|sd|se|std|error|size|rank)\b", words)
        ):
            return "other"
        return "score"

    def _heading(self, kind: int) -> str:
        texts = self.table.row_header(kind) if self.transposed else self.table.column_header(kind)
        return texts[-1] if texts else ""

    def _item_headings(self, item: int) -> tuple[str, ...]:
        texts = self.table.column_header(item) if self.transposed else self.table.row_header(item)
        return texts[-1:]

    def _item_cell(self, item: int) -> Cell | None:
        if self.transposed:
            cells = [row[item] for row in self.table.grid[: self.table.n_header_rows]]
        else:
            cells = list(self.table.grid[item][: self.table.n_header_columns])
        return next((cell for cell in reversed(cells) if cell.text), None)

    def _is_average(self, item: int) -> bool:
        return any(normalised(text) in AVERAGES for text in self._item_headings(item))

    def _cell(self, kind: int, item: int) -> Cell | None:
        cell = self.table.grid[kind][item] if self.transposed else self.table.grid[item][kind]
        return cell if cell.numbers else None

    def _numeric(self, kind: int) -> bool:
        return sum(self._cell(kind, item) is not None for item in self.items) >= 0.5 * len(self.items)


def marks_at_end(text: str) -> tuple[str, ...]:
    """Marks at the end of a heading.

    Examples
    --------
    >>> marks_at_end("K → D^*,+"), marks_at_end("Tamil*"), marks_at_end("BLEU")
    (('*', '+'), ('*',), ())
    """
    match = TRAILING_MARKS.search(text)
    return () if match is None else tuple(re.findall(r"([*†‡§¶+])", match["marks"].replace("**", "*")))


def without_marks(text: str) -> str:
    """Return a heading without the marks at its end."""
    return TRAILING_MARKS.sub("", text).strip() or text


def words_about(document: Document, table: Table) -> list[str]:
    """Sentences of the caption and the notes of a table, and of the paragraphs that refer to it."""
    texts, referring = _paragraphs(document)
    parts = list(texts.get(table.paragraph, ())) if table.paragraph >= 0 else [table.caption.text]
    parts += [note.text for note in table.notes]
    for number in referring.get(table.label, ()) if table.label else ():
        parts += texts[number]
    return [part for part in parts if part]


@lru_cache(maxsize=2)
def _paragraphs(document: Document) -> tuple[dict[int, list[str]], dict[str, list[int]]]:
    """Texts of the sentences of each paragraph, and the paragraphs that refer to each label."""
    texts: dict[int, list[str]] = {}
    places: list[tuple[int, int, int, int]] = []
    for sentence in document.sentences:
        texts.setdefault(sentence.paragraph, []).append(sentence.text.text)
        span = sentence.span
        places.append((span.file, span.start, span.end, sentence.paragraph))
    places.sort()
    referring: dict[str, list[int]] = {}
    for label in document.labels:
        if not label.use:
            continue
        at = bisect_right(places, (label.span.file, label.span.start, 10**12, 0)) - 1
        if at >= 0 and places[at][0] == label.span.file and places[at][2] >= label.span.start:
            numbers = referring.setdefault(label.name, [])
            if places[at][3] not in numbers:
                numbers.append(places[at][3])
    return texts, referring


def levels_of_marks(sentences: Sequence[str]) -> dict[str, float]:
    """Levels that a legend gives to marks: as many levels as marks in one sentence, in the same order.

    Examples
    --------
    >>> levels_of_marks(["* and + indicate domains identified by Holm with α = 0.05 and α = 0.01."])
    {'*': 0.05, '+': 0.01}
    """
    found: dict[str, float] = {}
    for sentence in sentences:
        marks = list(dict.fromkeys(match[0] for match in MARK.finditer(sentence)))
        levels = [
            float(match["level"]) if match["level"] else float(match["percent"]) / 100
            for match in LEVEL.finditer(sentence)
        ]
        if marks and len(marks) == len(levels):
            found.update(zip(marks, levels, strict=True))
    return found


def _key(text: str) -> str:
    return normalised(text).replace(" ", "")
