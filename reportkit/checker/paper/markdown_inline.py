"""The inside of a Markdown paragraph or cell as tokens of LaTeX, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reportkit.checker.paper.cleaner import Cleaner, Collected
from reportkit.checker.paper.structure import Structure
from reportkit.checker.paper.tokens import Token, tokens_of

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
_STYLES = {
    "b": r"\textbf", "strong": r"\textbf", "**": r"\textbf", "__": r"\textbf", "u": r"\underline",
    "i": r"\textit", "em": r"\textit", "*": r"\textit", "_": r"\textit",
}  # fmt: skip
"""Tags and signs that give a style, and the macro that gives it."""


@dataclass(slots=True)
class InlineTokens:
    """Writes a paragraph or a cell of Markdown as tokens of LaTeX.

    Parameters
    ----------
    text : str
        The whole file.
    index : int
        Its index.
    cell : bool
        Whether it is a cell of a table, in which code is text: a name, a number.
    cites : bool
        Whether `@name` without brackets is a citation.
    """

    text: str
    index: int
    cell: bool
    cites: bool
    _stop: int = 0
    _closes: int = -1
    _code: str = ""
    """Tag of the code that is open."""
    _open: list[str] = field(default_factory=list)
    """Macros of the styles that are open."""

    def read(self, start: int, end: int) -> Iterator[Token]:
        """Yield the tokens of a stretch."""
        self._stop, self._closes, self._code, self._open = end, -1, "", []
        yield from self._pieces(start, end)
        for _ in self._open:
            yield Token("close", "}", self.index, end, end)

    def _pieces(self, start: int, end: int) -> Iterator[Token]:
        at = start
        for match in _INLINE.finditer(self.text, start, end):
            if match.start() < at:
                continue
            yield from self._text(self.text[at : match.start()], at)
            at = match.end()
            if match["link"] is not None:
                yield from self._pieces(match.start("link"), match.end("link"))
            else:
                yield from self._mark(match)
        yield from self._text(self.text[at:end], at)

    def _text(self, text: str, start: int, end: int | None = None) -> Iterator[Token]:
        if text and not self._code:
            yield Token("text", text, self.index, start, start + len(text) if end is None else end)

    def _mark(self, match: re.Match[str]) -> Iterator[Token]:
        start, end = match.span()
        if match["escape"]:
            yield from self._text(match["escape"][1], start, end)
        elif match["code"] and self.cell:
            ticks = len(match["ticks"])
            yield from self._text(self.text[start + ticks : end - ticks], start + ticks)
        elif match["code"] or match["image"]:
            yield from self._text("⟦code⟧", start, end)
        elif match["math"]:
            yield from self._math(start, end)
        elif match["cite"] and not (self.cites or match["cite"].startswith("[")):
            yield from self._text(match["cite"], start)
        elif match["cite"]:
            yield from self._text("⟦cite⟧", start, end)
        elif match["sup"]:
            yield from self._text("^" + match["raised"], start, end)
        elif match["tag"]:
            yield from self._tag(match["name"].lower(), start, end, closing=match["tag"].startswith("</"))
        elif match["emphasis"] == "*" and r"\textit" not in self._open and not self._opens(start, end):
            yield from self._text("*", start, end)  # a mark
        elif match["strong"] or match["emphasis"]:
            yield from self._style(_STYLES[match[0]], start, end, closes=_STYLES[match[0]] in self._open)
        elif match["entity"]:
            yield from self._text(_ENTITIES[match["entity"]], start, end)
        elif match["space"] and not self._code:
            yield Token("space", match[0], self.index, start, end)

    def _style(self, macro: str, start: int, end: int, *, closes: bool) -> Iterator[Token]:
        if closes:
            self._open.remove(macro)
            yield Token("close", "}", self.index, start, end)
        else:
            self._open.append(macro)
            yield Token("macro", macro, self.index, start, end)
            yield Token("open", "{", self.index, end, end)

    def _opens(self, start: int, end: int) -> bool:
        """Whether a star opens what another one closes."""
        if self.text[start - 1 : start].isdigit() or self.text[end : end + 1].strip() == "" or end >= self._stop:
            return False
        if self._closes < end:
            closing = _CLOSING.search(self.text, end, self._stop)
            self._closes = self._stop if closing is None else closing.start()
        return self._closes < self._stop

    def _tag(self, name: str, start: int, end: int, *, closing: bool) -> Iterator[Token]:
        if name in _CODE and not self.cell:
            if closing and self._code == name:
                self._code = ""
            elif not closing and not self._code:
                yield from self._text("⟦code⟧", start, end)
                self._code = name
        elif name in _STYLES and closing == (_STYLES[name] in self._open):
            yield from self._style(_STYLES[name], start, end, closes=closing)
        elif name == "sup" and not closing:
            yield from self._text("^", start, end)
        elif name == "sup" and self.text[end : end + 1].isalnum():
            yield from self._text("\u200b", start, end)
        elif name == "br":
            yield Token("space", " ", self.index, start, end)

    def _math(self, start: int, end: int) -> Iterator[Token]:
        structure = Structure([t for t in tokens_of(self.text, self.index, start, end) if t.kind != "comment"])
        cleaned = Cleaner(structure, Collected(), {}).clean(0, len(structure.tokens)).text
        stops = [*(piece.at for piece in cleaned.pieces[1:]), len(cleaned.text)]
        for piece, stop in zip(cleaned.pieces, stops, strict=True):
            yield from self._text(cleaned.text[piece.at : stop], piece.start, piece.end)
