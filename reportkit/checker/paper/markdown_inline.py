"""The inside of a Markdown paragraph or cell: text with styles, and where each of its characters stands."""

from __future__ import annotations

import re

from reportkit.checker.paper.cleaner import Cleaner, Collected, Styled
from reportkit.checker.paper.source import TextBuilder
from reportkit.checker.paper.structure import Structure
from reportkit.checker.paper.tokens import tokens_of

_INLINE = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>(?<!`)(?P<ticks>`{1,9})(?!`)[^\0]{1,1000}?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<math>\$\$?(?!\s)[^$\n]{1,1000}?\$\$?)"
    r"|(?P<image>!\[[^\[\]\n]{0,500}\]\([^()\n]{0,500}\))"
    r"|(?P<cite>\[[^\[\]@\n]{0,500}@[^\[\]\n]{0,500}\]|(?<!\w)@[A-Za-z][\w:.-]{0,199}\w)"
    r"|(?P<note>\[\^[^\[\]\n]{1,100}\])"
    r"|\[(?P<link>[^\[\]\n]{1,500})\](?:\([^()\n]{0,500}\)|\{[^{}\n]{0,200}\})"
    r"|(?P<sup>\^(?P<raised>[^\s^]{1,12})\^)"
    r"|(?P<tag></?(?P<name>\w{1,40})[^>\n]{0,200}>)"
    r"|(?P<strong>\*\*|__)"
    r"|(?P<emphasis>(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])|(?<!\w)_(?=\S)|(?<=\S)_(?!\w))"
    r"|(?P<entity>&(?:nbsp|amp|lt|gt|plusmn|minus|dagger|thinsp);)"
    r"|(?P<space>\s+)"
)
_CLOSING = re.compile(r"(?<=[^\s*])\*(?![\w*])")
_ENTITIES = {
    "&nbsp;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&plusmn;": "±", "&minus;": "−", "&dagger;": "†",
    "&thinsp;": "\u2009",
}  # fmt: skip
_CODE = frozenset({"code", "kbd", "samp", "tt", "pre"})
_TAGS = {"b": "bold", "strong": "bold", "u": "underlined", "i": "italic", "em": "italic"}


def read_inline(text: str, index: int, start: int, end: int, *, cell: bool = False, cites: bool = True) -> Styled:
    """Text of a stretch, with styles.

    Parameters
    ----------
    text : str
        The whole file.
    index : int
        Its index.
    start, end : int
        The stretch.
    citations : list of Citation
        Takes those that are found.
    cell : bool
        Whether it is a cell of a table, in which code is text: a name, a number.
    cites : bool
        Whether `@name` without brackets is a citation.
    """
    reader = _Inline(text, index, end, cell=cell, cites=cites)
    reader.read(start, end)
    return Styled(reader.builder.mapped(), tuple(reader.runs))


class _Inline:
    """One pass over inline Markdown."""

    def __init__(self, text: str, index: int, stop: int, *, cell: bool, cites: bool) -> None:
        self.stop, self.cell, self.cites = stop, cell, cites
        self.closes = -1
        self.text = text
        self.index = index
        self.code = ""
        self.builder = TextBuilder()
        self.runs: list[tuple[int, int, frozenset[str]]] = []
        self.styles: frozenset[str] = frozenset()

    def read(self, start: int, end: int) -> None:
        """Read a stretch."""
        at = start
        for match in _INLINE.finditer(self.text, start, end):
            if match.start() < at:
                continue
            self._add(self.text[at : match.start()], at)
            at = match.end()
            if match["link"] is not None:
                self.read(match.start("link"), match.end("link"))
            else:
                self._mark(match)
        self._add(self.text[at:end], at)

    def _mark(self, match: re.Match[str]) -> None:
        start, end = match.span()
        if match["escape"]:
            self._add(match["escape"][1], start, end)
        elif match["code"] and self.cell:
            ticks = len(match["ticks"])
            self._add(self.text[start + ticks : end - ticks], start + ticks)
        elif match["code"] or match["image"]:
            self._add("⟦code⟧", start, end)
        elif match["math"]:
            self._math(start, end)
        elif match["cite"] and not (self.cites or match["cite"].startswith("[")):
            self._add(match["cite"], start)
        elif match["cite"]:
            self._add("⟦cite⟧", start, end)
        elif match["sup"]:
            self._add("^" + match["raised"], start, end)
        elif match["tag"]:
            self._tag(match["name"].lower(), start, end, closing=match["tag"].startswith("</"))
        elif match["strong"]:
            self.styles ^= {"bold"}
        elif match["emphasis"]:
            if match["emphasis"] == "*" and "italic" not in self.styles and not self._opens(start, end):
                self._add("*", start, end)  # a mark
            else:
                self.styles ^= {"italic"}
        elif match["entity"]:
            self._add(_ENTITIES[match["entity"]], start, end)
        elif match["space"] and not self.builder.ends_in_space:
            self._add(" ", start, end)

    def _opens(self, start: int, end: int) -> bool:
        """Whether a star opens what another one closes."""
        if self.text[start - 1 : start].isdigit() or self.text[end : end + 1].strip() == "" or end >= self.stop:
            return False
        if self.closes < end:
            closing = _CLOSING.search(self.text, end, self.stop)
            self.closes = self.stop if closing is None else closing.start()
        return self.closes < self.stop

    def _tag(self, name: str, start: int, end: int, *, closing: bool) -> None:
        if name in _CODE:
            if self.cell:
                return
            if closing and self.code == name:
                self.code = ""
            elif not closing and not self.code:
                self._add("⟦code⟧", start, end)
                self.code = name
        elif name in _TAGS:
            self.styles = self.styles - {_TAGS[name]} if closing else self.styles | {_TAGS[name]}
        elif name == "sup" and not closing:
            self._add("^", start, end)
        elif name == "sup" and self.text[end : end + 1].isalnum():
            self._add("\u200b", start, end)
        elif name == "br" and not self.builder.ends_in_space:
            self._add(" ", start, end)

    def _math(self, start: int, end: int) -> None:
        structure = Structure(
            [token for token in tokens_of(self.text, self.index, start, end) if token.kind != "comment"]
        )
        cleaned = Cleaner(structure, Collected(), {}).clean(0, len(structure.tokens))
        for number, piece in enumerate(cleaned.text.pieces):
            stop = cleaned.text.pieces[number + 1].at if number + 1 < len(cleaned.text.pieces) else None
            self._add(cleaned.text.text[piece.at : stop], piece.start, piece.end)

    def _add(self, text: str, start: int, end: int | None = None) -> None:
        if not text or self.code:
            return
        began = self.builder.length
        self.builder.add(text, self.index, start, end)
        if self.styles:
            self.runs.append((began, self.builder.length, self.styles))
