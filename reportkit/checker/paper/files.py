"""Bytes to text: encodings, sizes and what is no text at all."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from pathlib import Path

from reportkit.checker.paper.document import Problem
from reportkit.checker.paper.source import SourceFile, Span

MOST_BYTES = 4_000_000
"""Of one file, and of a paper with all that it inputs; a long thesis has 2 MB."""

MOST_FILES = 2_000

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BINARY = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"\xff\xd8\xff", b"GIF8")


def decoded(content: bytes) -> tuple[str, str]:
    """Decode as UTF-8, by a byte order mark, or as Latin-1, which accepts everything.

    Returns
    -------
    text, encoding : str

    Examples
    --------
    >>> decoded("é".encode("latin-1")), decoded("é".encode("utf-16"))
    (('é', 'latin-1'), ('é', 'utf-16'))
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace"), encoding
    if content[1:200:2].count(0) > 0.9 * len(content[1:200:2]) > 1:
        return content.decode("utf-16-le", errors="replace"), "utf-16-le"
    if content[0:200:2].count(0) > 0.9 * len(content[0:200:2]) > 1:
        return content.decode("utf-16-be", errors="replace"), "utf-16-be"
    try:
        return content.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return content.decode("latin-1"), "latin-1"


@dataclass(slots=True)
class Reader:
    """Reads the files of a paper and keeps them.

    Parameters
    ----------
    files : list of SourceFile
        Read so far.
    problems : list of Problem
        What could not be read.
    """

    files: list[SourceFile] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    _n_bytes: int = 0

    def read(self, path: Path, by: Span | None = None) -> int | None:
        """Read one file.

        Parameters
        ----------
        path : Path
            Where it is.
        by : Span, optional
            What asked for it; the paper itself if nothing.

        Returns
        -------
        int or None
            Its index; None if it is no text, too large or unreadable. Then `problems` says so.
        """
        content = self._bytes(path, by)
        if content is None:
            return None
        self._n_bytes += len(content)
        text, encoding = decoded(content)
        index = self.add(path, text, encoding)
        if encoding == "latin-1":
            self.problems.append(
                Problem(
                    f"{path.name!r} is not UTF-8; it was read as Latin-1",
                    "save it as UTF-8",
                    Span(index, 0, 0),
                )
            )
        if "\0" in text:
            found = text.index("\0")
            self.problems.append(
                Problem(
                    f"{path.name!r} has {text.count(chr(0)):,} NUL characters, the first here; they were left out",
                    "find out what wrote them, and remove them",
                    Span(index, found, found + 1),
                )
            )
        return index

    def _bytes(self, path: Path, by: Span | None) -> bytes | None:
        """Content of a file; None, and a problem, if there is nothing to be read."""
        try:
            size = path.stat().st_size
            if size + self._n_bytes <= MOST_BYTES and len(self.files) < MOST_FILES:
                content = path.read_bytes()
                if not content.startswith(_BINARY):
                    return content
                message = f"{path.name!r} is no text"
                remedy = "give the LaTeX or Markdown source, not what was made of it"
            else:
                message = f"{path.name!r} has {size / 1e6:,.1f} MB; papers of up to {MOST_BYTES / 1e6:.0f} MB are read"
                remedy = "check the paper alone, without data or figures in its source"
        except FileNotFoundError:
            message, remedy = f"there is no file {str(path)!r}", "check the path"
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            message, remedy = f"{str(path)!r} cannot be read: {reason}", "check the path"
        self._refuse(path, by, message, remedy)
        return None

    def add(self, path: Path, text: str, encoding: str = "utf-8") -> int:
        """Keep a text that is there already."""
        self.files.append(SourceFile.of(path, text, encoding))
        return len(self.files) - 1

    def _refuse(self, path: Path, by: Span | None, message: str, remedy: str) -> None:
        if by is None:
            self.files.append(SourceFile.of(path, ""))
            by = Span(len(self.files) - 1, 0, 0)
            self.problems.append(Problem(message, remedy, by, fatal=True))
        else:
            self.problems.append(Problem(message, remedy, by))
