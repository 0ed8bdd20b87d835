"""Files of a paper, and where in them every extracted character stands."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from reportkit.language import short_repr


class Span(NamedTuple):
    """A stretch of one file.

    Parameters
    ----------
    file : int
        Index into `Document.files`.
    start, end : int
        Offsets into the decoded text, in characters; `end` is exclusive.
    """

    file: int
    start: int
    end: int


NOWHERE = Span(0, 0, 0)


class Location(NamedTuple):
    """A stretch of one file as people and editors count: lines and columns from 1, the end column exclusive."""

    path: Path
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    r"""One decoded file.

    Parameters
    ----------
    path : Path
        As it is to be shown.
    text : str
        Decoded, with its line ends as they are.
    encoding : str
        Name of the codec by which it was decoded, and is to be written again.
    line_starts : tuple of int
        Offset at which each line begins.

    Examples
    --------
    >>> file = SourceFile.of(Path("a.tex"), "one\ntwo")
    >>> file.position(5), file.line(2)
    ((2, 2), 'two')
    """

    path: Path
    text: str
    encoding: str
    line_starts: tuple[int, ...]

    __repr__ = short_repr

    @classmethod
    def of(cls, path: Path, text: str, encoding: str = "utf-8") -> SourceFile:
        """Count the lines of a text."""
        starts = [0]
        found = text.find("\n")
        while found >= 0:
            starts.append(found + 1)
            found = text.find("\n", found + 1)
        return cls(path, text, encoding, tuple(starts))

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of a character, both from 1."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def bounds(self, number: int) -> tuple[int, int]:
        """Return where a line begins and ends, without its line end."""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] if number < len(self.line_starts) else len(self.text)
        while end > start and self.text[end - 1] in "\r\n":
            end -= 1
        return start, end

    def line(self, number: int) -> str:
        """Return the text of a line, without its end."""
        start, end = self.bounds(number)
        return self.text[start:end]

    def location(self, span: Span) -> Location:
        """Return the lines and columns of a stretch."""
        return Location(self.path, *self.position(span.start), *self.position(max(span.start, span.end)))


class Piece(NamedTuple):
    r"""A run of extracted text and the source it came from.

    Parameters
    ----------
    at : int
        Where the run begins in the extracted text.
    file, start, end : int
        The stretch of source.
    exact : bool
        Whether text and source are the same character by character; otherwise the whole run stands for the whole
        stretch (`\pm` for ±).
    """

    at: int
    file: int
    start: int
    end: int
    exact: bool


@dataclass(frozen=True, slots=True)
class MappedText:
    """Cleaned text that knows where each of its characters comes from.

    Parameters
    ----------
    text : str
        As a reader sees it: `93.1 ± 0.4`.
    pieces : tuple of Piece
        In order; together they cover the text.

    Examples
    --------
    >>> builder = TextBuilder()
    >>> builder.add("p = ", 0, 10)
    >>> builder.add("±", 0, 14, 17)
    >>> builder.mapped().span(2, 5)
    Span(file=0, start=12, end=17)
    """

    text: str = ""
    pieces: tuple[Piece, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.text)

    def __str__(self) -> str:
        return self.text

    def span(self, start: int = 0, end: int | None = None) -> Span:
        """Return the source of `text[start:end]`, within the file of the first character."""
        last = len(self.text) if end is None else end
        if not self.pieces:
            return Span(0, 0, 0)
        first = self._piece(start)
        begin = first.start + (start - first.at if first.exact else 0)
        if last <= start:
            return Span(first.file, begin, begin)
        final = self._piece(last - 1)
        if final.file != first.file:
            same = [piece for piece in self.pieces if piece.file == first.file and piece.at >= first.at]
            return Span(first.file, begin, max(piece.end for piece in same))
        finish = final.start + (last - final.at) if final.exact else final.end
        return Span(first.file, begin, max(begin, finish))

    def slice(self, start: int, end: int) -> MappedText:
        """Return the part of the text, with its sources."""
        kept = []
        begins = max(0, bisect_right(self.pieces, start, key=lambda piece: piece.at) - 1)
        for index in range(begins, len(self.pieces)):
            piece = self.pieces[index]
            if piece.at >= end:
                break
            stop = self.pieces[index + 1].at if index + 1 < len(self.pieces) else len(self.text)
            low, high = max(start, piece.at), min(end, stop)
            if low >= high:
                continue
            if piece.exact:
                begin = piece.start + low - piece.at
                kept.append(Piece(low - start, piece.file, begin, begin + high - low, True))
            else:
                kept.append(piece._replace(at=low - start))
        return MappedText(self.text[start:end], tuple(kept))

    def stripped(self) -> MappedText:
        """Return the text without white space at both ends."""
        text = self.text
        start = len(text) - len(text.lstrip())
        end = len(text.rstrip())
        return self if (start, end) == (0, len(text)) else self.slice(start, max(start, end))

    def followed_by(self, between: str, other: MappedText) -> MappedText:
        """Put another text after this one, with something between them."""
        end = self.span(len(self.text), len(self.text))
        shift = len(self.text) + len(between)
        middle = (Piece(len(self.text), end.file, end.start, end.start, exact=False),) if between else ()
        others = (piece._replace(at=piece.at + shift) for piece in other.pieces)
        return MappedText(self.text + between + other.text, (*self.pieces, *middle, *others))

    def _piece(self, offset: int) -> Piece:
        index = bisect_right(self.pieces, offset, key=lambda piece: piece.at) - 1
        return self.pieces[max(index, 0)]


class TextBuilder:
    """Collects extracted text with its sources."""

    __slots__ = ("_parts", "_pieces", "length")

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._pieces: list[Piece] = []
        self.length = 0

    def add(self, text: str, file: int, start: int, end: int | None = None) -> None:
        """Add text; without `end` it is in the source as it is."""
        if not text:
            return
        exact = end is None or end - start == len(text)
        stop = start + len(text) if end is None else end
        last = self._pieces[-1] if self._pieces else None
        if last is not None and last.exact and exact and last.file == file and last.end == start:
            self._pieces[-1] = Piece(last.at, file, last.start, stop, True)
        else:
            self._pieces.append(Piece(self.length, file, start, stop, exact))
        self._parts.append(text)
        self.length += len(text)

    @property
    def ends_in_space(self) -> bool:
        """Whether nothing, or white space, was added last."""
        return not self._parts or self._parts[-1][-1].isspace()

    @property
    def ending(self) -> str:
        """Return the text that was added last."""
        return self._parts[-1] if self._parts else ""

    def mapped(self) -> MappedText:
        """Return everything added so far."""
        return MappedText("".join(self._parts), tuple(self._pieces))
