"""Split paragraphs into sentences, and cut those that are longer than people write.

Rules search every sentence, and the paragraph around it, for many patterns. As their lengths are bounded, a check takes
time in proportion to the length of the paper, whatever it contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reportkit.checker.paper.source import MappedText

_END = re.compile(r"[.!?…][\"'”’)\]]*(?:\s*⟦cite⟧)?[\"'”’)\]]*\s+(?=[\"'“‘(\[]*(?:[A-ZÀ-Þ0-9⟦α-ωΔ]|[a-z]+[A-Z0-9]))")
MOST_SENTENCE = 1_000
"""Characters of a sentence; what is longer goes on as another one, from a space on where there is one."""

MOST_PARAGRAPH = 10_000
"""Characters of a paragraph."""

MOST_SENTENCES = 100
"""Sentences of a paragraph."""

MOST_CAPTION = 5_000
"""Characters of a caption or note that rules about tables see at once."""

MOST_CELL = 5_000
"""Most characters of a cell: prompts and examples are shorter; a longer cell is one that was never closed."""

REFERENCES = frozenset({"references", "bibliography", "literature", "literature cited"})
"""Headings, in lower case, above other people's words."""

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
    for end in (*_ends(text.text), len(text.text)):
        while start < end:
            stop = end if end - start <= MOST_SENTENCE else _cut(text.text, start)
            piece = text.slice(start, stop).stripped()
            if piece:
                yield piece
            start = stop


def paragraphs_of(text: MappedText) -> Iterator[list[MappedText]]:
    """Split a paragraph into sentences, and a paragraph of inhuman length into several."""
    group: list[MappedText] = []
    length = 0
    for sentence in sentences_of(text):
        if group and (len(group) == MOST_SENTENCES or length + len(sentence.text) > MOST_PARAGRAPH):
            yield group
            group, length = [], 0
        group.append(sentence)
        length += len(sentence.text)
    if group:
        yield group


def _ends(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        if not _ABBREVIATION.search(text[max(0, match.start() - 10) : match.end()]):
            yield match.end()


def _cut(text: str, start: int) -> int:
    """Return where to cut a sentence that is too long: after its last space, or anywhere."""
    stop = start + MOST_SENTENCE
    space = text.rfind(" ", start + MOST_SENTENCE // 2, stop)
    return stop if space < 0 else space + 1
