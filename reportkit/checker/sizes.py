"""How many test instances a paper says that a dataset has."""

from __future__ import annotations

import re
from functools import lru_cache

from reportkit.checker.labels import normalised, quantity_of
from reportkit.checker.paper.document import Cell, Document, Table

NOUN = (
    r"(?:test\s+|evaluation\s+|held-out\s+)?(?:instances|examples|items|sentences|questions|segments|documents|"
    r"reviews|pairs|"
    r"utterances|samples|tasks|problems|queries|topics|tweets|premises|dialogues|turns)"
)
_NUMBER = r"(?P<n>\d{1,3}(?:,\d{3})+|\d{2,})"
_MANY = re.compile(
    r"(?:^|(?<=[.;:()])|(?<=respectively))(?P<names>[^.;:()]+?)(?<!\s)\s+"
    r"(?:have|has|contain|comprise|hold|consist of)\s+"
    r"(?P<numbers>[\d,]+(?:(?:,\s*(?:and|&)?\s*|\s+(?:and|&)\s+|\s*&\s*)[\d,]*\d)+)\s+(?:\w+\s+)?"
    + NOUN
    + r"[^.;]*\brespectively",
    re.IGNORECASE,
)


class Sizes:
    """Looks sizes up: in the tables of a paper, then in its text.

    Parameters
    ----------
    document : Document
        The paper.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> sizes = Sizes(document_of("We test on SST-2 (872 sentences). RTE has 277 test pairs."))
    >>> sizes.of("SST-2"), sizes.of("RTE"), sizes.of("MNLI")
    (872, 277, None)
    """

    def __init__(self, document: Document) -> None:
        self._texts = [
            sentence.text.text.replace("\u2009", ",").replace("\u202f", ",")
            for sentence in document.sentences
            if sentence.place != "reference" and re.search(r"\d", sentence.text.text)
        ]
        self._known: dict[str, set[int]] = {}
        for table in document.tables:
            self._of_table(table)
        for text in self._texts:
            if "respectively" in text.lower():
                self._several(text)
        self._found: dict[str, set[int]] = {}

    def of(self, name: str) -> int | None:
        """Instances of a dataset; None if the paper does not say, or says two things."""
        sizes = self._said(name)
        return next(iter(sizes)) if len(sizes) == 1 else None

    def _said(self, name: str) -> set[int]:
        key = _key(name)
        if key not in self._found:
            self._found[key] = self._known.get(key) or self._in_text(re.sub(r"\s*\(.*?\)", "", name).strip())
        return self._found[key]

    def _of_table(self, table: Table) -> None:
        for column in range(table.n_header_columns, table.n_columns):
            if _is_n(table, table.column_header(column)):
                for row in range(table.n_header_rows, table.n_rows):
                    self._note(table.row_header(row), table.grid[row][column])
        for row in range(table.n_header_rows, table.n_rows):
            if _is_n(table, table.row_header(row)):
                for column in range(table.n_header_columns, table.n_columns):
                    self._note(table.column_header(column), table.grid[row][column])

    def _note(self, headings: tuple[str, ...], cell: Cell) -> None:
        if headings and cell.number is not None and len(cell.numbers) == 1 and not cell.number.decimals:
            self._known.setdefault(_key(headings[-1]), set()).add(int(cell.number.value))

    def _several(self, text: str) -> None:
        """Read "A and B have 12 and 34 instances, respectively"."""
        for match in _MANY.finditer(text):
            names = [
                part.strip() for part in re.split(r",\s*(?:and\s+)?|\s+(?:and|&)\s+", match["names"]) if part.strip()
            ]
            numbers = re.findall(r"\d{1,3}(?:,\d{3})+|\d+", match["numbers"])
            if len(names) >= len(numbers) > 1:
                for name, number in zip(names[-len(numbers) :], numbers, strict=True):
                    self._known.setdefault(_key(name.split(" on ")[-1]), set()).add(int(number.replace(",", "")))

    def _in_text(self, name: str) -> set[int]:
        if len(name) < 2:
            return set()
        own = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
        patterns = [
            rf"{own}[^().;\d]{{0,20}}\(\s*(?:[nN]\s*=\s*{_NUMBER}|{_NUMBER.replace('<n>', '<m>')}\s+(?:\w+\s+)?{NOUN})",
            rf"{own}\s+(?:test set\s+)?(?:has|have|contains|with|comprises)\s+{_NUMBER}\s+(?:\w+\s+)?{NOUN}",
            rf"(?<![\d.,]){_NUMBER}\s+(?:\w+\s+)?{NOUN}\s+(?:of|in|from|for)\s+(?:the\s+)?{own}",
        ]
        found: set[int] = set()
        for text in self._texts:
            if name in text:
                for pattern in patterns:
                    for match in re.finditer(pattern, text):
                        written = match["n"] or match.groupdict().get("m") or ""
                        found.add(int(written.replace(",", "")))
        return found


@lru_cache(maxsize=2)
def sizes_of(document: Document) -> Sizes:
    """Sizes that a paper prints, looked for once."""
    return Sizes(document)


def _is_n(table: Table, headings: tuple[str, ...]) -> bool:
    return bool(headings) and quantity_of(table, headings[-1]) == "n"


def _key(text: str) -> str:
    return normalised(re.sub(r"\s*\(.*?\)", "", text) or text).replace(" ", "")
