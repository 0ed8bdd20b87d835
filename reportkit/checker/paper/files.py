"""Bytes to text: which files may be read, encodings, sizes and what is not text at all."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from pathlib import Path

from reportkit.checker.paper.document import Problem
from reportkit.checker.paper.source import SourceFile, Span
from reportkit.rendering.paper_place import PaperPlace, regular_bytes

MOST_BYTES = 4_000_000
"""Largest size of a paper with all its files; a long thesis has 2 MB."""

MOST_FILES = 2_000

INPUT_REMEDY = "copy it into the folder of the paper; what others see of a check must not hold your other files"

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BINARY = (b"%PDF-", b"PK\x03\x04", b"\x1f\x8b", b"\x89PNG", b"\xff\xd8\xff", b"GIF8")


def decoded(content: bytes) -> tuple[str, str]:
    r"""Decode as UTF-8, or as Latin-1, which accepts everything.

    Returns
    -------
    text, encoding : str

    Examples
    --------
    >>> decoded("é".encode("latin-1"))
    ('é', 'latin-1')
    """
    encoding = "utf-8-sig" if content.startswith(codecs.BOM_UTF8) else "utf-8"
    try:
        return content.decode(encoding), encoding
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
    given: str | None = None
    """Text of the first file, where it is given instead of read."""
    _n_bytes: int = 0
    _place: PaperPlace | None = None

    def place(self, path: Path) -> PaperPlace:
        """Return where the paper is; its first file decides."""
        self._place = self._place or PaperPlace.of(path)
        return self._place

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
            Its index; None if it is not text, too large, unreadable or none of the paper's. Then `problems` says so.
        """
        if self.given is not None:
            text, self.given = self.given, None
            return self.add(path, text)
        content = self._bytes(path, by)
        if content is None:
            return None
        self._n_bytes += len(content)
        text, encoding = decoded(content)
        index = self.add(path, text, encoding)
        if encoding == "latin-1" and not re.sub(r"(?<!\\)%.*", "", text).isascii():
            self.problems.append(
                Problem(f"{path.name!r} is not UTF-8; it was read as Latin-1", "save it as UTF-8", Span(index, 0, 0))
            )
        return index

    def _bytes(self, path: Path, by: Span | None) -> bytes | None:
        """Return the content of a file; None, and note a problem, if it cannot be read."""
        try:
            refusal = self.place(path).refusal(path, named=by is None)
            left = MOST_BYTES - self._n_bytes
            if refusal:
                leads = " is a link to a file that" if path.is_symlink() else ""
                message = f"{str(path)!r}{leads} {refusal}, and is not read"
                remedy = "check that file itself" if by is None else INPUT_REMEDY
            elif len(self.files) >= MOST_FILES:
                message, remedy = f"more than {MOST_FILES:,} files are input", "input fewer files"
            elif len(content := regular_bytes(path, left)) > left:
                size = max(path.stat().st_size, len(content))
                message = f"{path.name!r} has {size / 1e6:,.1f} MB; papers of up to {MOST_BYTES / 1e6:.0f} MB are read"
                remedy = "check the paper alone, without data or figures in its source"
            elif content.startswith(_WIDE) or content[:200].count(0) > len(content[:200]) / 3:
                message = f"{path.name!r} is UTF-16 or UTF-32"
                remedy = "save it as UTF-8 in your editor"
            elif path.suffix.lower() == ".ipynb":
                message = f"{path.name!r} is a notebook"
                remedy = f"check its text: jupyter nbconvert --to markdown {path.name}, then check {path.stem}.md"
            elif content.startswith(_BINARY):
                message = f"{path.name!r} is no text"
                remedy = "give the LaTeX or Markdown source; unpack archives"
            else:
                return content
        except FileNotFoundError:
            message, remedy = f"there is no file {str(path)!r}", "check the path"
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            message = f"{str(path)!r} cannot be read: {reason}"
            remedy = "name the main file in it" if path.is_dir() else "check the path"
        self._refuse(path, by, message, remedy)
        return None

    def add(self, path: Path, text: str, encoding: str = "utf-8") -> int:
        """Keep a text that is there already."""
        self.place(path)
        self.files.append(SourceFile.of(path, text, encoding))
        return len(self.files) - 1

    def _refuse(self, path: Path, by: Span | None, message: str, remedy: str) -> None:
        if by is None:
            self.files.append(SourceFile.of(path, ""))
            by = Span(len(self.files) - 1, 0, 0)
            self.problems.append(Problem(message, remedy, by, fatal=True))
        else:
            self.problems.append(Problem(message, remedy, by))
