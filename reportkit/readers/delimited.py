"""CSV and TSV: names as categoricals, scores as float64, what a paper prints as it is printed."""

from __future__ import annotations

import codecs
import csv
import io
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from reportkit.errors import InputError, ReadingError, SettingsError
from reportkit.readers.categorical import categorical
from reportkit.readers.delimited_faults import diagnose, is_utf_8, looks_like_utf_16, refuse_encoding
from reportkit.readers.format import Format
from reportkit.readers.in_parts import Part, frame_in_parts
from reportkit.readers.source import BLOCK_BYTES, LARGE_TABLE, LONGEST_LINE, MEMORY, Source, give_back
from reportkit.scores.table.columns import recognise_columns, refuse_repeated_names
from reportkit.scores.table.score_values import MISSING_SPELLINGS

_NAMES = pa.dictionary(pa.int32(), pa.string())
_TEXT = pa.string()
_NUMBER = pa.float64()
_ARROW_TEXT = {_TEXT: pd.ArrowDtype(_TEXT)}
"""Texts that nobody looks at stay in Arrow's memory."""

_NULLS = sorted({spell for text in MISSING_SPELLINGS for spell in (text, text.upper(), text.capitalize())} | {"NaN"})
_DELIMITERS = (",", ";", "\t", "|")
"""Signs that stand between columns, whatever a file is called."""

_IN_PARTS = 16 << 20
"""Bytes of a file from which it is read in parts."""

_PART_BYTES = 4 << 20
"""Bytes of a part."""

_FIRST_PARTS = 8
"""Parts from which is learnt which texts are met again."""

_BLANK_LINES = re.compile(rb"\A(?:[\xef\xbb\xbf \t]*[\r\n])+")

_FAILED_COLUMN = re.compile(r"In CSV column #(\d+): .*conversion error", re.DOTALL)


def read_delimited(
    source: Source, delimiter: str, columns: Mapping[str, str] | None, systems: Sequence[str] | None
) -> pd.DataFrame:
    """Read a delimited file with a header.

    If the header is a single cell by this delimiter, and has several by another one, the other one is the delimiter:
    spreadsheets of half the world write semicolons.

    Names and ids become categoricals of texts, as they are in the file: "007" and "NA" stay. An empty score is
    missing. If a score is not a number, the whole column is left as text, and ingestion names the rows. A printed table
    is left as text altogether: 0.050 is not 0.05.

    Raises
    ------
    ReadingError
        If it is empty, has another delimiter or encoding, or rows of different length; the message says the line.
    ColumnError
        If two columns have the same name.
    """
    delimiter, header = _header(source, delimiter)
    refuse_repeated_names(header)
    types, unused = _types(header, columns, systems)
    if source.on_disk.stat().st_size >= _IN_PARTS:
        frame = _in_parts(source, delimiter, header, types, unused)
        if frame is not None and len(frame):
            return frame
    table = _read(source, delimiter, header, types)
    if table.num_rows == 0:
        raise ReadingError(
            f"{source.name!r} has a header and no rows",
            where="columns: " + ", ".join(map(repr, header[:20])),
            remedy="write the scores below the header",
        )
    if _ends_in_open_quote(table) or (_goes_beyond_ascii(table) and not is_utf_8(source)):
        diagnose(source, delimiter, header)
    names, left = table.column_names, table.columns[::-1]
    large = table.nbytes > LARGE_TABLE
    del table  # so that each column goes when its series is there
    series = {}
    for name in names:
        series[name] = _series(left.pop(), name in unused)
        if large:
            give_back()
    return pd.DataFrame(series, copy=False)


def _header(source: Source, delimiter: str) -> tuple[str, list[str]]:
    """Delimiter and column names of the first line that is not blank.

    Raises
    ------
    ReadingError
        If there is none, if it is not UTF-8, or if it is too long.
    """
    head = source.head(BLOCK_BYTES)
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\x00" in head[:1000]:
        raise looks_like_utf_16(source, head)
    content = _BLANK_LINES.sub(b"", head, count=1)
    if not content.strip(b"\xef\xbb\xbf \r\n\t"):
        raise ReadingError(
            f"{source.name!r} is empty",
            remedy="write a header (system, dataset, instance, score) and one row per score",
        )
    try:
        text = content.decode("utf-8-sig", errors="surrogateescape")
        stream = io.StringIO(text, newline="")
        names = next(csv.reader(stream, delimiter=delimiter))
        if len(head) == BLOCK_BYTES and stream.tell() == len(text) and not text.endswith(("\n", "\r")):
            raise ReadingError(
                f"the header of {source.name!r} is longer than {BLOCK_BYTES >> 20} MiB",
                where="line 1",
                remedy="check how the file was written; leave out columns that are not compared",
            )
    except csv.Error as error:
        raise ReadingError(f"the header of {source.name!r} cannot be read: {error}", where="line 1") from None
    if any("\udc80" <= sign <= "\udcff" for name in names for sign in name):
        refuse_encoding(source)
    return _as_delimited(text, delimiter) if len(names) == 1 else (delimiter, names)


def _as_delimited(header: str, delimiter: str) -> tuple[str, list[str]]:
    """Delimiter and names of a header that is a single cell by one delimiter, and may have several by another one."""
    names = next(csv.reader(io.StringIO(header, newline=""), delimiter=delimiter))
    other = max((sign for sign in _DELIMITERS if sign != delimiter), key=names[0].count)
    several = next(csv.reader(io.StringIO(header, newline=""), delimiter=other))
    return (other, several) if len(several) > 1 and all(several) else (delimiter, names)


class _ReadWholeError(Exception):
    """Where one row ends and the next begins, only a look at all of them says."""


def _in_parts(
    source: Source, delimiter: str, header: Sequence[str], types: dict[str, pa.DataType], unused: Collection[str]
) -> pd.DataFrame | None:
    """The frame of a large file without quotes, in which every line is a row; None if it has to be read whole."""

    def read(lines: pa.Buffer, quoted: bool, first: bool) -> pa.Table:
        names = None if first else header
        table = pyarrow.csv.read_csv(
            pa.BufferReader(lines),
            read_options=pyarrow.csv.ReadOptions(block_size=lines.size, use_threads=False, column_names=names),
            parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, quote_char='"' if quoted else False),
            convert_options=pyarrow.csv.ConvertOptions(column_types=types, null_values=_NULLS, check_utf8=False),
            memory_pool=MEMORY,
        )
        if table.column_names != header:
            raise _ReadWholeError
        return table

    def parts(content: pa.NativeFile) -> Iterator[Part]:
        rest = b""
        first = True
        while more := content.read(_PART_BYTES):
            lines = rest + more if rest else more
            end = lines.rfind(b"\n") + 1
            header_end = lines.find(b"\n") if first else 0
            if lines.find(b'"', header_end) >= 0 or (lines.startswith(codecs.BOM_UTF8) and not first):
                raise _ReadWholeError
            if end == 0 and len(lines) >= _PART_BYTES:
                raise _ReadWholeError
            if end > 0:
                yield partial(read, pa.py_buffer(lines).slice(0, end), b'"' in lines[:header_end], first)
                first = False
            rest = lines[end:]
            if rest and len(more) == _PART_BYTES and not source.compressed:
                content.seek(-len(rest), os.SEEK_CUR)  # reading it again is less than to copy what follows
                rest = b""
        if first:
            raise _ReadWholeError
        if rest:
            yield partial(read, pa.py_buffer(rest), False, False)

    try:
        with source.arrow() as content:
            n_parts = 1 + source.on_disk.stat().st_size // _PART_BYTES
            texts = [name for name, kind in types.items() if kind != _NUMBER and name not in unused]
            return frame_in_parts(parts(content), _FIRST_PARTS, n_parts, texts, lambda _, column: _series(column, True))
    except (pa.ArrowInvalid, _ReadWholeError):
        return None
    except OSError as error:
        raise source.unreadable(error) from None
    finally:
        give_back()


def _ends_in_open_quote(table: pa.Table) -> bool:
    """Whether the last cell may have swallowed the rest of the file because a quote was never closed."""
    last = table.column(table.num_columns - 1)
    value = last[table.num_rows - 1].as_py() if table.num_rows else None
    return isinstance(value, str) and "\n" in value


def _types(
    header: Sequence[str], columns: Mapping[str, str] | None, systems: Sequence[str] | None
) -> tuple[dict[str, pa.DataType], frozenset[str]]:
    """Type of each column, and the columns that play no role: they are text, as all that are not scores."""
    types = dict.fromkeys(header, _TEXT)
    try:
        found = recognise_columns(header, columns, systems=systems)
    except (InputError, SettingsError):  # said again, with all that is known, when the frame is ingested
        return types, frozenset()
    if found.form == "printed":
        return types, frozenset()
    types |= {name: _type_of(role) for role, name in found.roles.items()}
    types |= dict.fromkeys((*found.systems, *found.statistics.values()), _NUMBER)
    return types, frozenset(found.unused)


def _type_of(role: str) -> pa.DataType:
    if role in ("score", "weight", "k", "n"):
        return _NUMBER
    return _TEXT if role in ("instance", "gold") else _NAMES


def _read(source: Source, delimiter: str, header: Sequence[str], types: dict[str, pa.DataType]) -> pa.Table:
    newlines = False
    while True:
        try:
            with source.arrow() as content:
                return pyarrow.csv.read_csv(
                    content,
                    read_options=pyarrow.csv.ReadOptions(block_size=LONGEST_LINE if newlines else BLOCK_BYTES),
                    parse_options=pyarrow.csv.ParseOptions(delimiter=delimiter, newlines_in_values=newlines),
                    convert_options=pyarrow.csv.ConvertOptions(column_types=types, null_values=_NULLS),
                    memory_pool=MEMORY,
                )
        except pa.ArrowInvalid as error:
            if "Empty CSV" in str(error):  # a header without a line end
                return pa.table({})
            failed = _FAILED_COLUMN.search(str(error))
            name = header[int(failed[1])] if failed and int(failed[1]) < len(header) else None
            if name is not None and types[name] == _NUMBER:
                types = {**types, name: _TEXT}  # the rows are named when the frame is ingested
            elif failed is None and not newlines:
                newlines = True  # a cell of several lines, or a long one, may span two blocks
            else:
                diagnose(source, delimiter, header)
                raise ReadingError(f"{source.name!r} cannot be read: {error}", remedy="check the file") from None
        except UnicodeDecodeError:
            diagnose(source, delimiter, header)
            raise
        except OSError as error:
            raise source.unreadable(error) from None


def _goes_beyond_ascii(table: pa.Table) -> bool:
    """Whether some text is not ASCII. Arrow looks at it after taking quotes out, which may have stood in a letter."""
    texts = (column for column in table.columns if column.type != _NUMBER)
    chunks = (chunk.dictionary if column.type == _NAMES else chunk for column in texts for chunk in column.chunks)
    return any(pc.all(pc.string_is_ascii(chunk)).as_py() is False for chunk in chunks)


def _series(column: pa.ChunkedArray, unused: bool) -> Any:
    if column.type == _NUMBER:
        return column.to_numpy()
    return column.to_pandas(types_mapper=_ARROW_TEXT.get) if unused else categorical(column)


CSV = Format(name="CSV", endings=(".csv",), read=partial(read_delimited, delimiter=","))
TSV = Format(name="TSV", endings=(".tsv",), read=partial(read_delimited, delimiter="\t"))
