"""Tokens to a document: one walk through the body that collects sentences and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
"""Texts of one float beside its caption that rules about tables look at."""


@dataclass(slots=True)
class _Float:
    """A float that is being read."""

    label: str = ""
    caption: MappedText = field(default_factory=MappedText)
    paragraph: int = -1
    tables_before: int = 0
    """Tables before its caption."""
    former: _Float | None = None
    """Of a second caption: the float up to it."""
    outer: _Float | None = None
    """Of a subtable with a caption of its own: the float around it."""
    notes: list[MappedText] = field(default_factory=list)

    def whole_caption(self) -> MappedText:
        """Its caption, and that of the float around it, in order of the source."""
        if self.outer is None or not self.outer.caption:
            return self.caption
        first, second = sorted((self.caption, self.outer.caption), key=lambda caption: caption.span())
        return first.followed_by(" " if first.text.endswith((".", "!", "?", ":")) else ". ", second)

    def add_note(self, text: MappedText) -> None:
        """Keep a text that is no caption, as far as rules about tables can look at it."""
        if len(self.notes) < MOST_NOTES and any(map(str.isalnum, text.text)):
            self.notes.append(text.stripped().slice(0, MOST_CAPTION))


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
        Of LaTeX, or of Markdown that is written so.
    language : {"latex", "markdown"}
        Of the source.
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
        sentences=tuple(sorted(walk.sentences, key=lambda sentence: walk.order[id(sentence)])),
        tables=tuple(walk.finished_tables()),
        labels=tuple(walk.collected.labels),
        rk_keys=tuple(walk.collected.rk_keys),
        rk_values=rk_values,
        suppressions=tuple(suppressions),
        problems=(*reader.problems, *walk.collected.problems),
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
        self.sentences: list[Sentence] = []
        self.order: dict[int, int] = {}
        self.tables: list[tuple[Table, _Float | None]] = []
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

    def finished_tables(self) -> list[Table]:
        """Tables with what their floats say."""
        found = []
        for table, float_ in self.tables:
            if float_ is None:
                found.append(table)
                continue
            told = replace(
                table,
                caption=float_.whole_caption(),
                label=float_.label or (float_.outer.label if float_.outer else ""),
                paragraph=float_.paragraph,
                notes=(*table.notes, *float_.notes, *(float_.outer.notes if float_.outer else ())),
            )
            found.append(told)
        return found

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
                self.floats[-1].label = self.structure.text(argument.start, argument.stop)
            return self.text.step(at, stop)
        if name == r"\begin":
            return self._begin(at, stop)
        if name == r"\end":
            return self._end(at, stop)
        if name in (r"\item", r"\par", r"\maketitle", r"\noindent", r"\bigskip", r"\medskip", r"\smallskip"):
            self._flush(at)
            return self._item_label(at, stop) if name == r"\item" else at + 1
        if name == r"\abstract" and (argument := self.structure.argument(at + 1, stop)) is not None:
            self._paragraph_of(self.cleaner.clean(argument.start, argument.stop), "abstract", argument.start)
            return argument.after
        return self.text.step(at, stop)

    def _item_label(self, at: int, stop: int) -> int:
        """Take the label of an item as text."""
        option = self.structure.optional(at + 1, stop)
        if option is None:
            return at + 1
        index = option.start
        while index < option.stop:
            index = self.text.step(index, option.stop)
        self.text.space(self.tokens[option.stop])
        return option.after

    def _begin(self, at: int, stop: int) -> int:
        name = self.structure.name_at(at)
        end = min(self.structure.environment_end.get(at, stop), stop)
        if name in macros.TABULARS:
            return self._tabular(at, end, name)
        if name in macros.DISPLAYED or name in macros.LEFT_OUT_ENVIRONMENTS:
            if name in macros.DISPLAYED:
                self._collect_labels(at, end)
                self.text.add("⟦math⟧", self.tokens[at])
            return min(end + 4, stop)
        self._flush(at)
        if name in macros.FLOATS:
            if name != "threeparttable" or not self.floats:
                self.floats.append(_Float())
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
            if self.floats and name != "threeparttable":
                self._close_float()
        elif name == "abstract" and self.place[-1] == "abstract":
            self.place.pop()
        return self.text.step(at, stop)

    def _close_float(self) -> None:
        done = self.floats.pop()
        former = done.former
        if former is not None and not any(owner is done for _, owner in self.tables):  # its caption was a note
            former.add_note(done.caption)
            former.label = former.label or done.label
        if self.floats and not done.caption:  # a subtable without a caption of its own
            outer = self.floats[-1]
            self.tables = [(table, outer if owner is done else owner) for table, owner in self.tables]
        elif self.floats:
            done.outer = self.floats[-1]

    def _tabular(self, at: int, end: int, name: str) -> int:
        owner = self.floats[-1] if self.floats else (_Float() if name in macros.LONG else None)
        read = read_tabular(self.cleaner, at, end)
        self.tables += [(panel, owner) for panel in read.panels if panel.grid]
        if owner is not None:
            if read.label:
                owner.label = read.label
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
        owner = self.floats[-1] if self.floats else _Float("")
        self._caption_text(self.cleaner.clean(argument.start, argument.stop), owner, argument.start)
        if owner.label == "":
            labels = [label for label in self.collected.labels[-3:] if not label.use]
            inside = self.structure.tokens[argument.start : argument.stop]
            if labels and any(token.text == r"\label" for token in inside):
                owner.label = labels[-1].name
        return argument.after

    def _caption_text(self, styled: Styled, owner: _Float, at: int) -> None:
        if owner.caption and (further := self._further(owner)) is not None:
            owner = further
        if owner.caption:
            owner.add_note(styled.text)
        else:
            owner.tables_before = sum(other is owner for _, other in self.tables)
            owner.caption = self.collected.bounded(styled.text.stripped(), MOST_CAPTION, "caption")
            owner.paragraph = self.paragraph
        self._paragraph_of(styled, "caption", at, owner)

    def _further(self, owner: _Float) -> _Float | None:
        """A second caption begins a float of its own: for the table since the first one, or for those that follow."""
        own = [index for index, (_, other) in enumerate(self.tables) if other is owner]
        since = own[owner.tables_before :]
        if not since or not self.floats or self.floats[-1] is not owner:
            return None
        further = _Float(former=owner)
        if owner.tables_before:
            for index in since:
                self.tables[index] = (self.tables[index][0], further)
        self.floats[-1] = further
        return further

    def _displayed(self, at: int, stop: int, closing: str) -> int:
        ends = self.structure.next_of(at + 1, closing), self.structure.next_of(at + 1, "par"), stop
        if ends[0] != min(ends):
            return at + 1
        self._collect_labels(at, ends[0])
        self.text.add("⟦math⟧", self.tokens[at])
        return ends[0] + 1

    def _collect_labels(self, start: int, stop: int) -> None:
        for index in range(start, stop):
            if self.tokens[index].text == r"\label" and self.tokens[index].kind == "macro":
                self.cleaner.clean(index, min(index + 6, stop))

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

    def _paragraph_of(self, styled: Styled, place: Place, at: int, owner: _Float | None = None) -> None:
        owner = owner or (self.floats[-1] if self.floats else None)
        if place == "body" and self.section.casefold() in REFERENCES:
            place = "reference"
        elif place == "body" and self.section.casefold() == "abstract":
            place = "abstract"
        for group in paragraphs_of(styled.text):
            for text in group:
                sentence = Sentence(text, place, self.section, self.paragraph, printed_numbers(text))
                self.order[id(sentence)] = at
                self.sentences.append(sentence)
            self.paragraph += 1

    def _footnotes(self) -> None:
        while self.collected.footnotes:
            start, stop, _ = self.collected.footnotes.pop(0)
            text = self.cleaner.clean(start, stop)
            self._paragraph_of(text, "footnote", start)
            owner = self.floats[-1] if self.floats else None
            if owner is not None:
                owner.add_note(self.cleaner.clean(start, stop, code=True, again=True).text)
