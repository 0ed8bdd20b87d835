"""Find the number of test instances of a dataset, a level or a group in a paper."""

from __future__ import annotations

import re

from reportkit.checker.labels import normalised, quantity_of
from reportkit.checker.paper.document import Document

NOUN = (
    r"(?:test\s+|evaluation\s+|held-out\s+)?(?:instances|examples|items|sentences|questions|segments|documents|"
    r"reviews|pairs|utterances|samples|tasks|problems|queries|topics|tweets|premises|dialogues|turns)"
)
_NUMBER = r"(?P<n>\d{1,3}(?:,\d{3})+|\d+)"
_IN_HEADING = re.compile(rf"\(\s*(?:[nN]\s*=\s*)?{_NUMBER}\s*(?:{NOUN})?\s*\)\s*$")
"""Of a heading: "GPQA (n = 198)", "Easy (15)"."""
_MANY = re.compile(
    r"(?P<names>[^.;:()]{3,80}?)\s(?:have|has|contain|comprise|hold|consist of)\s+"
    r"(?P<numbers>\d[\d,]*(?:,? (?:and |& )?\d[\d,]*)+)\s+(?:\w+\s+)?" + NOUN + r"[^.;]{0,40}\brespectively",
    re.IGNORECASE,
)


class Sizes:
    """Sizes that a paper prints: in its tables, in headings, then in its text.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> sizes = Sizes(document_of("We test on SST-2 (872 sentences). RTE has 277 test pairs."))
    >>> sizes.of("SST-2"), sizes.of("RTE"), sizes.of("GPQA (n=198)"), sizes.of("MNLI")
    (872, 277, 198, None)
    """

    def __init__(self, document: Document) -> None:
        self._texts = [item.text.text for item in document.sentences if item.numbers and item.place != "reference"]
        self._known: dict[str, set[int]] = {}
        for table in document.tables:
            for line in table.lines:
                if any(quantity_of(table, text) == "n" for text in line.headings[-1:]):
                    for names, cell in zip(line.across, line.cells, strict=True):
                        number = cell.number
                        if names and number is not None and len(cell.numbers) == 1 and not number.decimals:
                            self._known.setdefault(_key(names[-1]), set()).add(int(number.value))
        for text in self._texts:
            for match in _MANY.finditer(text) if "respectively" in text else ():
                listed = [part.strip() for part in re.split(r",\s*(?:and\s+)?|\s+(?:and|&)\s+", match["names"])]
                sizes = re.findall(r"\d{1,3}(?:,\d{3})+|\d+", match["numbers"])
                if len(listed) >= len(sizes) > 1:
                    for name, size in zip(listed[-len(sizes) :], sizes, strict=True):
                        self._known.setdefault(_key(name.split(" on ")[-1]), set()).add(int(size.replace(",", "")))

    def of(self, name: str) -> int | None:
        """Return the instances of a dataset; None if the paper does not say, or says two things."""
        written = _IN_HEADING.search(name)
        if written is not None:
            return int(written["n"].replace(",", ""))
        key = _key(name)
        if key not in self._known:
            self._known[key] = self._in_text(re.sub(r"\s*\(.*?\)", "", name).strip())
        sizes = self._known[key]
        return next(iter(sizes)) if len(sizes) == 1 else None

    def _in_text(self, name: str) -> set[int]:
        texts = [text for text in self._texts if name in text]
        if len(name) < 2 or not texts:
            return set()
        behind = re.compile(
            rf"(?<![\w-]){re.escape(name)}(?![\w-])"
            rf"(?:[^().;\d]{{0,20}}\(\s*|\s+(?:test set\s+)?(?:has|have|contains|with|comprises)\s+)"
            rf"(?:[nN]\s*=\s*{_NUMBER}\b|{_NUMBER.replace('<n>', '<m>')}\s+(?:\w+\s+)?{NOUN})"
        )
        found = (match["n"] or match["m"] for text in texts for match in behind.finditer(text))
        return {int(size.replace(",", "")) for size in found}


def _key(text: str) -> str:
    return normalised(re.sub(r"\s*\(.*?\)", "", text) or text).replace(" ", "")
