"""Texts with one segment per line: outputs of systems and references."""

from __future__ import annotations

from pathlib import Path

from reportkit.errors import ReadingError
from reportkit.readers.source import Source


def read_segments(path: Path) -> list[str]:
    """Read a text file line by line; an empty line is an empty segment.

    Lines end at a line feed, with or without a carriage return before it, and nowhere else: Unicode's line separators
    belong to the text. The last line need not be ended.

    Parameters
    ----------
    path : Path
        A file in UTF-8, compressed if its name ends with `.gz`.

    Raises
    ------
    ReadingError
        If there is no such file, it is empty, or it is not UTF-8; the message says the line.
    """
    if not path.is_file():
        raise ReadingError(
            f"{str(path)!r} is a folder" if path.is_dir() else f"there is no file {str(path)!r}",
            remedy="check the path",
        )
    return segments_of(Source(path))


def segments_of(source: Source) -> list[str]:
    """The lines of a file that is there.

    Raises
    ------
    ReadingError
        If it is empty, or not UTF-8; the message says the line.
    """
    content = source.read_all()
    if not content:
        raise ReadingError(f"{source.name!r} is empty", remedy="give a text file with one segment per line")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ReadingError(
            f"{source.name!r} is not UTF-8",
            where=f"line {line}, byte 0x{content[error.start]:02x}",
            remedy="save it as UTF-8 (iconv -f LATIN1 -t UTF-8)",
        ) from None
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.removesuffix("\r") for line in lines]
