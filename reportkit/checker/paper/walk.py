"""Tokens to a document: one walk through the body that collects sentences and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from types import MappingProxyType

from reportkit.checker.paper import macros
from reportkit.checker.paper.cleaner import Cleaner, Collected, Run, Styled
from reportkit.checker.paper.document import Document, Language, Place, Sentence, Suppression, Table
from reportkit.checker.paper.files import Reader
from reportkit.checker.paper.printed_number import printed_numbers
from reportkit.checker.paper.sentences import MOST_CAPTION, REFERENCES, paragraphs_of
from reportkit.checker.paper.source import MappedText
from reportkit.checker.paper.structure import Structure
from reportkit.checker.paper.tabular import read_tabular
from reportkit.checker.paper.tokens import Token

MOST_NOTES = 40
"""Texts of one float next to its caption that rules about tables look at."""


@dataclass(slots=True, eq=False)
class _Float:
    """A float that is being read: its captions with their paragraphs, their labels by number, and its other texts."""

    outer: _Float | None = None
    """The float around a subtable."""
    captions: list[tuple[MappedText, int]] = field(default_factory=list)
    labels: dict[int, str] = field(default_factory=dict)
    notes: list[MappedText] = field(default_factory=list)
    n_tables: int = 0
    above: bool | None = None
    """Whether the first caption is before the first table."""

    def add_note(self, text: MappedText) -> None:
        """Keep a text that is not a caption, as far as rules about tables can look at it."""
        if len(self.notes) < MOST_NOTES and any(map(str.isalnum, text.text)):
            self.notes.append(text.stripped().slice(0, MOST_CAPTION))

    def told(self, table: Table, before: int) -> Table:
        """Give a table its nearest caption, above or below as in its float; `before` captions are before it."""
        number = max(0, min(before - bool(self.above), len(self.captions) - 1))
        caption, paragraph = self.captions[number] if self.captions else (MappedText(), -1)
        around = self.outer.captions[:1] if self.outer else []
        for outer, _ in around if caption else ():
            first, second = sorted((caption, outer), key=MappedText.span)
            caption = first.followed_by(" " if first.text.endswith((".", "!", "?", ":")) else ". ", second)
        labels = {**(self.outer.labels if self.outer else {}), **self.labels}
        spare = (text for text, _ in self.captions[max(1, self.n_tables) :])
        notes = (*table.notes, *self.notes, *spare, *(self.outer.notes if self.outer else ()))
        label = labels.get(number, labels.get(0, ""))
        return replace(table, caption=caption, label=label, paragraph=paragraph, notes=notes)


def read_tokens(
    tokens: Sequence[Token],
    language: Language,
    reader: Reader,
    *,
    rk_values: Mapping[str, MappedText] = MappingProxyType({}),
    suppressions: Iterable[Suppression] = (),
) -> Document:
    """Make a document of tokens in which inputs are followed and macros expanded.

    Parameters
    ----------
    tokens : sequence of Token
        Tokens of LaTeX, or of Markdown that is written so.
    language : {"latex", "markdown"}
        Language of the source.
    reader : Reader
        Holds the files and their problems.
    rk_values : mapping of str to MappedText
        Numbers of a report by key.
    suppressions : iterable of Suppression
        In comments.
    """
    structure = Structure(tokens)
    walk = _Walk(structure, rk_values)
    walk.run(_body_start(structure))
    return Document(
        language=language,
        files=tuple(reader.files),
        sentences=tuple(sentence for _, sentence in sorted(walk.sentences, key=itemgetter(0))),
        tables=tuple(owner.told(table, before) if owner else table for table, owner, before in walk.tables),
        labels=tuple(walk.collected.labels),
        rk_keys=tuple(walk.collected.rk_keys),
        rk_values=rk_values,
        suppressions=tuple(suppressions),
        problems=tuple(reader.problems),
    )


def _body_start(structure: Structure) -> int:
    for begin in sorted(structure.environment_end):
        if structure.name_at(begin) == "document":
            return begin + 4
    return 0


class _Walk:
    """Goes through the body once and collects sentences and tables."""

    def __init__(self, structure: Structure, rk_values: Mapping[str, MappedText]) -> None:
        self.structure = structure
        self.tokens = structure.tokens
        self.collected = Collected()
        self.cleaner = Cleaner(structure, self.collected, rk_values)
        self.sentences: list[tuple[int, Sentence]] = []
        self.tables: list[tuple[Table, _Float | None, int]] = []
        self.floats: list[_Float] = []
        self.section = ""
        self.paragraph = 0
        self.place: list[Place] = ["body"]
        self.text = Run(self.cleaner, self.collected)
        self.began = 0

    def run(self, start: int) -> None:
        """Walk from a token to the end."""
        at, stop = start, len(self.tokens)
        while at < stop:
            at = self._step(at, stop)
        self._flush(stop)

    # one token

    def _step(self, at: int, stop: int) -> int:
        token = self.tokens[at]
        if not self.text.builder.length:
            self.began = at
        if token.kind == "par":
            self._flush(at)
            return at + 1
        if token.kind == "math" and token.text == "$$":
            return self._displayed(at, stop, "$$")
        if token.kind != "macro":
            return self.text.step(at, stop)
        name = token.text
        if name == r"\[":
            return self._displayed(at, stop, r"\]")
        if name in macros.HEADINGS:
            return self._heading(at, stop)
        if name in macros.CAPTIONS:
            return self._caption(at, stop)
        if name == r"\label" and self.floats:
            argument = self.structure.argument(at + 1, stop)
            if argument is not None:
                self._label(self.floats[-1], self.structure.text(argument.start, argument.stop))
            return self.text.step(at, stop)
        if name == r"\begin":
            return self._begin(at, stop)
        if name == r"\end":
            return self._end(at, stop)
        if name in (r"\item", r"\par", r"\maketitle", r"\noindent", r"\bigskip", r"\medskip", r"\smallskip"):
            self._flush(at)
            return at + 1
        if name == r"\abstract" and (argument := self.structure.argument(at + 1, stop)) is not None:
            self._paragraph_of(self.cleaner.clean(argument.start, argument.stop), "abstract", argument.start)
            return argument.after
        return self.text.step(at, stop)

    def _begin(self, at: int, stop: int) -> int:
        name = self.structure.name_at(at)
        end = min(self.structure.environment_end.get(at, stop), stop)
        if name in macros.TABULARS:
            return self._tabular(at, end, name)
        if name in macros.DISPLAYED or name in macros.LEFT_OUT_ENVIRONMENTS:
            if name in macros.DISPLAYED:
                self.cleaner.clean(at, end)  # for its labels
                self.text.add("⟦math⟧", self.tokens[at])
            return min(end + 4, stop)
        self._flush(at)
        if name in macros.FLOATS:
            self.floats.append(_Float(self.floats[-1] if self.floats else None))
            self.place.append("note")
        elif name == "abstract":
            self.place.append("abstract")
        return self.text.step(at, stop)

    def _end(self, at: int, stop: int) -> int:
        name = self.structure.name_at(at)
        self._flush(at)
        if name in macros.FLOATS:
            if len(self.place) > 1:
                self.place.pop()
            if self.floats:
                self._close_float()
        elif name == "abstract" and self.place[-1] == "abstract":
            self.place.pop()
        return self.text.step(at, stop)

    def _close_float(self) -> None:
        done = self.floats.pop()
        if done.outer is not None and not done.captions:
            own = [table for table, owner, _ in self.tables if owner is done]
            self.tables = [item for item in self.tables if item[1] is not done]
            self._own(own, done.outer)
            done.outer.notes += done.notes
            for name in done.labels.values():
                self._label(done.outer, name)

    def _own(self, tables: Iterable[Table], owner: _Float | None) -> None:
        """Keep tables with the float that they are in."""
        for table in tables:
            before = len(owner.captions) if owner else 0
            if owner is not None:
                owner.above = bool(before) if owner.above is None else owner.above
                owner.n_tables += 1
            self.tables.append((table, owner, before))

    @staticmethod
    def _label(owner: _Float, name: str) -> None:
        owner.labels.setdefault(max(0, len(owner.captions) - 1), name)

    def _tabular(self, at: int, end: int, name: str) -> int:
        owner = self.floats[-1] if self.floats else (_Float() if name in macros.LONG else None)
        read = read_tabular(self.cleaner, at, end)
        self._own([panel for panel in read.panels if panel.grid], owner)
        if owner is not None:
            if read.label:
                self._label(owner, read.label)
            for argument in read.captions[:1]:
                self._caption_text(self.cleaner.clean(argument.start, argument.stop), owner, argument.start)
        self.text.space(self.tokens[at])
        closes = end < len(self.tokens) and self.tokens[end].text == r"\end" and self.structure.name_at(end) == name
        return end + 4 if closes else max(end, at + 1)

    def _heading(self, at: int, stop: int) -> int:
        self._flush(at)
        argument = self.structure.last(at + 1, stop)
        if argument is None:
            return at + 1
        title = self.cleaner.clean(argument.start, argument.stop)
        if self.tokens[at].text != r"\title":
            self.section = title.text.text.strip()
        self._paragraph_of(title, "heading", argument.start)
        return argument.after

    def _caption(self, at: int, stop: int) -> int:
        cursor = at + 1
        if self.tokens[at].text == r"\captionof" and (kind := self.structure.argument(cursor, stop)) is not None:
            cursor = kind.after
        argument = self.structure.last(cursor, stop)
        if argument is None:
            return at + 1
        self._flush(at)
        owner = self.floats[-1] if self.floats else _Float()
        known = len(self.collected.labels)
        self._caption_text(self.cleaner.clean(argument.start, argument.stop), owner, argument.start)
        for label in self.collected.labels[known:]:
            if not label.use:
                self._label(owner, label.name)
        return argument.after

    def _caption_text(self, styled: Styled, owner: _Float, at: int) -> None:
        owner.captions.append((styled.text.stripped().slice(0, MOST_CAPTION), self.paragraph))
        self._paragraph_of(styled, "caption", at)

    def _displayed(self, at: int, stop: int, closing: str) -> int:
        ends = self.structure.next_of(at + 1, closing), self.structure.next_of(at + 1, "par"), stop
        if ends[0] != min(ends):
            return at + 1
        self.text.add("⟦math⟧", self.tokens[at])
        return ends[0] + 1

    # sentences

    def _flush(self, at: int) -> None:
        """End a paragraph."""
        styled = self.text.result()
        styles = self.text.styles
        if styled.text.text.strip():
            self._paragraph_of(styled, self.place[-1], self.began)
            if self.floats and self.place[-1] == "note":
                self.floats[-1].add_note(styled.text)
        stack = self.text.stack
        self.text = Run(self.cleaner, self.collected)
        self.text.stack, self.text.styles = stack, styles
        self.began = at
        self._footnotes()

    def _paragraph_of(self, styled: Styled, place: Place, at: int) -> None:
        if place == "body" and self.section.casefold() in REFERENCES:
            place = "reference"
        elif place == "body" and self.section.casefold() == "abstract":
            place = "abstract"
        for group in paragraphs_of(styled.text):
            for text in group:
                sentence = Sentence(text, place, self.section, self.paragraph, printed_numbers(text))
                self.sentences.append((at, sentence))
            self.paragraph += 1

    def _footnotes(self) -> None:
        while self.collected.footnotes:
            start, stop, _ = self.collected.footnotes.pop(0)
            text = self.cleaner.clean(start, stop)
            self._paragraph_of(text, "footnote", start)
            owner = self.floats[-1] if self.floats else None
            if owner is not None:
                owner.add_note(self.cleaner.clean(start, stop, code=True, again=True).text)
