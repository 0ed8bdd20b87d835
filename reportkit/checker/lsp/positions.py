"""Characters of a text as editors count them: by lines, and within a line by units of UTF-16, or as agreed."""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, PositionEncodingKind, Range

_LINE_END = re.compile(r"\r\n|\r|\n")


class Positions:
    r"""Offsets of a text, and the positions that a protocol has for them.

    Parameters
    ----------
    text : str
        Of one file.
    encoding : str
        "utf-16" (what every client knows), "utf-8" or "utf-32".

    Examples
    --------
    >>> positions = Positions("a\r\n𝒳 = 1")
    >>> positions.at(4), positions.offset(Position(1, 2))
    (1:2, 4)
    """

    def __init__(self, text: str, encoding: str = PositionEncodingKind.Utf16) -> None:
        self._text = text
        self._encoding = str(getattr(encoding, "value", encoding))
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def at(self, offset: int) -> Position:
        """Position of a character."""
        line = bisect_right(self._starts, offset) - 1
        return Position(line, self._units(self._text[self._starts[line] : offset]))

    def range(self, start: int, end: int) -> Range:
        """Range of a stretch."""
        return Range(self.at(start), self.at(end))

    def offset(self, position: Position) -> int:
        """Where a position is; at the end of its line, or of the text, if there is no such."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        left = position.character
        while start < len(self._text) and left > 0 and self._text[start] not in "\r\n":
            left -= self._units(self._text[start])
            start += 1
        return start

    def _units(self, text: str) -> int:
        if text.isascii() or self._encoding == "utf-32":
            return len(text)
        if self._encoding == "utf-8":
            return len(text.encode("utf-8", "replace"))
        return len(text) + sum(sign > "\uffff" for sign in text)
