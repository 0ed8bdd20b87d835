"""Paragraphs to sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.paper.source import MappedText

_END = re.compile(r"[.!?…][\"'”’)\]]*(?:\s*⟦cite⟧)?[\"'”’)\]]*\s+(?=[\"'“‘(\[]*(?:[A-ZÀ-Þ0-9⟦α-ωΔ]|[a-z]+[A-Z0-9]))")
REFERENCES = frozenset({"references", "bibliography", "literature", "literature cited"})
"""Headings, in lower case, of what are other people's words."""

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|et al|cf|vs|resp|approx|Fig|Figs|Tab|Tabs|Sec|Secs|Eq|Eqs|App|No|Nr|Dr|Prof|Mr|Ms|St|acc|"
    r"avg|std|dev|max|min|incl|w\.r\.t|a\.k\.a|etc|pp|Ref|Refs|Thm|Def|Alg|Ch|viz|ca)|\b[A-Z]|\bp)\.\s+\Z"
)


def sentences_of(text: MappedText) -> Iterator[MappedText]:
    """Split a paragraph at the ends of its sentences; abbreviations and initials end none.

    Examples
    --------
    >>> from reportkit.checker.paper.source import TextBuilder
    >>> builder = TextBuilder()
    >>> builder.add("It wins (cf. Fig. 2). On SST-2, p < .05. Done.", 0, 0)
    >>> [str(sentence) for sentence in sentences_of(builder.mapped())]
    ['It wins (cf. Fig. 2).', 'On SST-2, p < .05.', 'Done.']
    """
    start = 0
    for match in _END.finditer(text.text):
        if _ABBREVIATION.search(text.text[max(0, match.start() - 10) : match.end()]):
            continue
        piece = text.slice(start, match.end()).stripped()
        if piece:
            yield piece
        start = match.end()
    piece = text.slice(start, len(text.text)).stripped()
    if piece:
        yield piece
