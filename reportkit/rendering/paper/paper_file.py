"""A file of the user's paper as bytes and as text: read, and changed in a few places."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from reportkit.errors import ReadingError, RenderingError
from reportkit.rendering.paper_place import regular_bytes

_ENDS = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Edit:
    """A text in the place of what stands from `start` up to `end`; its lines end with a line feed."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class PaperFile:
    """One file of a paper.

    Parameters
    ----------
    path : Path
        Where it is.
    text : str
        Its content, decoded without any change: a byte order mark and all line ends are still there.
    encoding : {"utf-8", "latin-1"}
        How it is encoded.
    """

    path: Path
    text: str
    encoding: str

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        return self.text.encode(self.encoding)

    def edited(self, edits: list[Edit]) -> PaperFile:
        """Copy with some places replaced and everything else as it is, character by character.

        Raises
        ------
        RenderingError
            If the file is in Latin-1, and the text has other characters.
        ValueError
            If two places overlap.
        """
        parts: list[str] = []
        position = 0
        for edit in sorted(edits, key=lambda item: item.start):
            if edit.start < position:
                raise ValueError("two places of a paper overlap")
            parts += [self.text[position : edit.start], edit.text.replace("\n", self._line_end(edit))]
            position = edit.end
        changed = "".join([*parts, self.text[position:]])
        try:
            changed.encode(self.encoding)
        except UnicodeEncodeError as error:
            sign = changed[error.start]
            raise RenderingError(
                f"{str(self.path)!r} is not in UTF-8, and Latin-1 has no {sign!r} (U+{ord(sign):04X})",
                remedy="convert the file to UTF-8",
            ) from None
        return PaperFile(self.path, changed, self.encoding)

    def _line_end(self, edit: Edit) -> str:
        """How lines end in the place that is replaced, or else in the whole file."""
        for text in (self.text[edit.start : edit.end], self.text):
            found = Counter(match[0] for match in _ENDS.finditer(text))
            if found:
                return found.most_common(1)[0][0]
        return "\n"


def line_number(text: str, position: int) -> int:
    """Number of the line of a position, from 1."""
    return 1 + len(_ENDS.findall(text[:position]))


def read_paper(path: Path) -> PaperFile:
    """Read a file of a paper: UTF-8, with or without a byte order mark, or else Latin-1.

    Raises
    ------
    ReadingError
        If it is not there, is no regular file, or holds bytes of zero, as UTF-16 does.
    """
    try:
        content = regular_bytes(path)
    except FileNotFoundError:
        raise ReadingError(f"there is no file {str(path)!r}", remedy="check the path") from None
    except OSError as error:
        raise ReadingError(f"{str(path)!r} cannot be read: {error.strerror}", remedy="give a file") from None
    if b"\0" in content:
        raise ReadingError(
            f"{str(path)!r} is neither UTF-8 nor Latin-1: it holds bytes of zero", remedy="convert it to UTF-8"
        )
    try:
        return PaperFile(path, content.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return PaperFile(path, content.decode("latin-1"), "latin-1")
