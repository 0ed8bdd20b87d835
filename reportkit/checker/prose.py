"""The sentences of a paper as rules about wording see them: quotations blanked, other people's work told apart."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from reportkit.checker.labels import p_heading
from reportkit.checker.paper.document import Document, Sentence, Table
from reportkit.checker.paper.source import Span
from reportkit.checker.patterns import patterns
from reportkit.checker.vocabulary import P_SAID, TEST

RE = patterns("prose")


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One sentence as a claim.

    Parameters
    ----------
    sentence : Sentence
        As read.
    text : str
        Its text, character by character, with quotations blanked out.
    lower : str
        The same in lower case.
    attributed : bool
        Whether it is about what others wrote.
    talk : bool
        Whether it is about wording that should be avoided.
    """

    sentence: Sentence
    text: str
    lower: str
    attributed: bool
    talk: bool

    def span(self, match: re.Match[str], group: int | str = 0) -> Span:
        """Return the source of a match in `text`."""
        return self.sentence.text.span(*match.span(group))

    def negated(self, at: int) -> bool:
        """Return whether a negation stands before a place, in the same clause."""
        clause = RE["clause"].split(self.text[:at])[-1]
        return clause.lower().endswith("no ") or RE["negation"].search(clause) is not None

    @property
    def hypothetical(self) -> bool:
        """Whether it is a question, a condition or a hypothesis."""
        return RE["hypothetical"].search(self.text) is not None

    def hypothetical_before(self, match: re.Match[str]) -> bool:
        """Return whether a question or a condition opens the clause of a match."""
        clause = RE["clause"].split(self.text[: match.start()])[-1]
        return re.search(r"\b(?:if|whether|suppose|unless)\b", clause, re.IGNORECASE) is not None or "?" in self.text


class Prose:
    r"""Statements of a paper, by paragraph, and what the paper says anywhere.

    Parameters
    ----------
    document : Document
        The paper.

    Examples
    --------
    >>> from reportkit.checker.paper.reading import document_of
    >>> prose = Prose(document_of(r'They call it “on par”. \citet{a} claim that A wins. We use $p < .05$.'))
    >>> [(item.text.strip(), item.attributed) for item in prose.statements][0]
    ('They call it         .', False)
    >>> [item.attributed for item in prose.statements], prose.says(re.compile("p < ")) is None
    ([False, True, False], False)
    """

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """All sentences of the paper's own text: no headings and no bibliography."""
        return tuple(
            _statement(sentence)
            for sentence in self.document.sentences
            if sentence.place not in ("heading", "reference")
        )

    @cached_property
    def own(self) -> tuple[Statement, ...]:
        """Statements that are about neither other people's work nor wording to be avoided."""
        return tuple(item for item in self.statements if not (item.attributed or item.talk))

    @cached_property
    def results(self) -> tuple[Statement, ...]:
        """Statements that are not about other people's work."""
        return tuple(item for item in self.statements if not item.attributed)

    @cached_property
    def _by_paragraph(self) -> dict[int, list[Statement]]:
        found: dict[int, list[Statement]] = {}
        for item in self.statements:
            found.setdefault(item.sentence.paragraph, []).append(item)
        return found

    def with_words(self, *words: str) -> Iterator[Statement]:
        """Return the paper's own statements with one of some words in lower case: a quick filter."""
        return (item for item in self.own if any(word in item.lower for word in words))

    def around(self, item: Statement) -> str:
        """Return the text of the whole paragraph."""
        return " ".join(other.text for other in self._by_paragraph[item.sentence.paragraph])

    def says(self, pattern: re.Pattern[str], *, own: bool = False) -> Statement | None:
        """Return the first statement in which a pattern is found."""
        among = self.own if own else self.statements
        return next((item for item in among if pattern.search(item.text)), None)

    @cached_property
    def tests(self) -> bool:
        """Whether the authors test something: they name a test, or print p-values, in the text or in a table."""
        said = any(self.says(pattern, own=True) is not None for pattern in (TEST, P_SAID))
        return said or any(
            p_heading(table, cell.text.text) for table in self.document.tables for cell in table.cells() if cell.header
        )

    @cached_property
    def claims_better(self) -> bool:
        """Whether the authors say that something of theirs is better, or the best."""
        return any(RE["better"].search(item.text) and RE["ours"].search(item.text) for item in self.own)

    @cached_property
    def _placed(self) -> list[tuple[Span, int]]:
        """Places and paragraphs of the statements, in order of the source."""
        return sorted((item.sentence.span, item.sentence.paragraph) for item in self.statements)

    @cached_property
    def _uses(self) -> dict[str, list[int]]:
        """Paragraphs that refer to each label."""
        found: dict[str, list[int]] = {}
        for label in (label for label in self.document.labels if label.use):
            at = bisect_right(self._placed, (label.span._replace(start=label.span.start + 1), 0))
            found.setdefault(label.name, []).extend(paragraph for _, paragraph in self._placed[max(0, at - 1) : at])
        return found

    def refers_to(self, table: Table) -> str:
        """Return the text of the paragraphs that refer to a table."""
        numbers = dict.fromkeys(self._uses.get(table.label, ())) if table.label else {}
        return " ".join(item.text for number in numbers for item in self._by_paragraph.get(number, ()))

    @staticmethod
    def beside(table: Table) -> str:
        """Return the caption and notes of a table."""
        return " ".join([table.caption.text, *(note.text for note in table.notes)])


def _statement(sentence: Sentence) -> Statement:
    whole = sentence.text.text
    quotes = _QUOTATION_MARKS.intersection(whole)
    text = RE["quotation"].sub(lambda match: " " * len(match[0]), whole) if quotes else whole
    others = "⟦cite⟧" in text and RE["others_section"].search(sentence.section) is not None
    attributed = others or RE["attributed"].search(text) is not None
    return Statement(sentence, text, text.lower(), attributed, RE["talk"].search(text) is not None)


_QUOTATION_MARKS = frozenset('“‘"«')
