"""Why a delimited file cannot be read: the line, the byte, the quote."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from reportkit.errors import ReadingError
from reportkit.language.counts_and_lists import counted, listed
from reportkit.readers.source import LONGEST_LINE, Source


def diagnose(source: Source, delimiter: str, header: Sequence[str]) -> None:
    """Go through a file that cannot be read, and raise a ReadingError that says why; return if nothing is found."""
    refuse_encoding(source)
    _refuse_ragged(source, delimiter, header)


def is_utf_8(source: Source) -> bool:
    """Whether the bytes are UTF-8 as they stand in the file."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for block in source.blocks():
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def looks_like_utf_16(source: Source, head: bytes) -> ReadingError:
    """What to say of a file that begins as UTF-16 does."""
    return ReadingError(
        f"{source.name!r} is not UTF-8: it looks like UTF-16",
        where=f"it begins with the bytes {head[:4]!r}",
        remedy="save the file as UTF-8; on the command line: iconv -f UTF-16 -t UTF-8 FILE > NEW",
    )


def refuse_encoding(source: Source) -> None:
    """Raise a ReadingError at the first byte that is not UTF-8."""
    for number, line in source.lines():
        try:
            line.decode("utf-8")
        except UnicodeDecodeError as error:
            before = line[: error.start].decode("utf-8", errors="replace")[-20:]
            raise ReadingError(
                f"{source.name!r} is not UTF-8: byte 0x{line[error.start]:02x} after {before!r}",
                where=f"line {number}, byte {error.start + 1}",
                remedy="save the file as UTF-8; if it is ISO-8859-1: iconv -f ISO-8859-1 -t UTF-8 FILE > NEW",
            ) from None


def _refuse_ragged(source: Source, delimiter: str, header: Sequence[str]) -> None:
    n_columns = len(header)
    bad: list[tuple[int, int]] = []
    n_bad = 0
    limit = csv.field_size_limit(LONGEST_LINE)
    line = 1
    try:
        for line, n_cells in _lengths(source, delimiter):
            if n_cells != n_columns:
                n_bad += 1
                if len(bad) < 3:
                    bad.append((line, n_cells))
    except csv.Error as error:
        if "field limit" in str(error):
            raise source.too_long("cell", line + 1) from None
        open_quote = "unexpected end of data" in str(error)
        raise ReadingError(
            f"{source.name!r} has a quote that is never closed" if open_quote else f"{source.name!r}: {error}",
            where=f"the last line that could be read is line {line}; the quote is opened after it",
            remedy='close the quote, or double a quote that belongs to the text ("")',
        ) from None
    finally:
        csv.field_size_limit(limit)
    if not bad:
        return
    found = listed([f"line {number} has {n_cells}" for number, n_cells in bad], total=n_bad)
    remedy = "give every row as many cells as the header has, and quote cells that contain the delimiter"
    if delimiter == "," and all(n_cells > n_columns for _, n_cells in bad):
        remedy += ';\nwrite decimals with a point ("0.5", not "0,5"), or semicolons between the columns'
    raise ReadingError(
        f"{source.name!r} has {n_columns} columns in the header, but "
        + counted(n_bad, "row has", "rows have")
        + " another number of cells",
        where=found,
        remedy=remedy,
    )


def _lengths(source: Source, delimiter: str) -> Iterator[tuple[int, int]]:
    """Number of the line and of cells of each row that is not blank."""
    texts = (line.decode("utf-8-sig" if number == 1 else "utf-8") for number, line in source.lines())
    reader = csv.reader(_with_any_end(texts), delimiter=delimiter, strict=True)
    first = 1
    for row in reader:
        if row:
            yield first, len(row)
        first = reader.line_num + 1


def _with_any_end(texts: Iterable[str]) -> Iterator[str]:
    """Lines that end with a carriage return are lines, too."""
    for text in texts:
        yield from io.StringIO(text, newline="") if "\r" in text[:-2] else (text,)
