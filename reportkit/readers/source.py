"""A file, compressed by gzip or not, read as far as memory allows.

A small compressed file may hold more than fits into memory, and a file of any format may hold a line without end. Both
are refused with a message before they are read whole.
"""

from __future__ import annotations

import gzip
import math
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, cast

import pyarrow as pa

from reportkit.errors import ReadingError, SettingsError

MEMORY = pa.system_memory_pool()
"""For reading; Arrow's own pool takes and gives back memory so often that the system's share of the time doubles."""

LARGEST_GB = 2.0
"""Most that is read of one file, uncompressed, in 10^9 bytes: some 50 million scores."""

LIMIT_VARIABLE = "REPORTKIT_MAX_INPUT_GB"
"""Environment variable that changes it."""

LONGEST_LINE = 8 << 20
"""Bytes of the longest line, and of the longest cell; CSV and TSV may have some of up to twice as many."""

BLOCK_BYTES = 4 << 20
"""What is read at a time."""

_CORRUPT = (OSError, EOFError, zlib.error)


def largest_content() -> int:
    """Bytes, uncompressed, above which no file is read.

    Raises
    ------
    SettingsError
        If the environment variable holds no positive number.
    """
    text = os.environ.get(LIMIT_VARIABLE, "").strip()
    try:
        size = float(text) if text else LARGEST_GB
    except ValueError:
        size = math.nan
    if not size > 0:
        raise SettingsError(
            f"{LIMIT_VARIABLE} is {text!r}",
            where="the environment",
            remedy=f"give a positive number of gigabytes, such as {LIMIT_VARIABLE}=8",
        )
    return int(min(size * 1e9, 2**62))


class _Limited:
    """A stream for Arrow that ends where the limit is reached, or where the content is damaged.

    It never raises: a thread of Arrow would go on waiting for what comes next.
    """

    closed = False

    def __init__(self, stream: pa.NativeFile, limit: int) -> None:
        self.stream, self.left = stream, limit
        self.error: Exception | None = None

    @property
    def exceeded(self) -> bool:
        return self.left < 0

    def read(self, n_bytes: int = -1) -> bytes:
        if self.left < 0 or self.error is not None:
            return b""
        try:
            content = cast(bytes, self.stream.read(n_bytes))
        except (OSError, pa.ArrowException) as error:
            self.error = error
            return b""
        self.left -= len(content)
        return b"" if self.left < 0 else content

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        self.closed = True
        self.stream.close()


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is there.

    Parameters
    ----------
    path : Path
        The file.
    compressed : bool
        Whether its name ends with `.gz`.
    """

    path: Path
    compressed: bool

    @property
    def name(self) -> str:
        """The path as the user wrote it, for messages."""
        return str(self.path)

    @contextmanager
    def arrow(self) -> Iterator[pa.NativeFile]:
        """The content for Arrow: mapped into memory, or decompressed while it is read.

        Raises
        ------
        ReadingError
            At the end of the block, whatever Arrow made of the content, if there is too much of it, or it is damaged.
        """
        limit = largest_content()
        if not self.compressed:
            size = self.path.stat().st_size
            if size > limit:
                raise self.too_large(limit, size)
            yield pa.memory_map(str(self.path)) if size else pa.BufferReader(b"")  # nothing cannot be mapped
            return
        limited = _Limited(pa.input_stream(str(self.path), compression="gzip"), limit)
        try:
            yield pa.PythonFile(limited, mode="r")
        finally:
            if limited.exceeded:
                raise self.too_large(limit) from None
            if limited.error is not None:
                raise self.unreadable(limited.error) from None

    def open(self) -> IO[bytes]:
        """The content for Python."""
        if self.compressed:
            return cast(IO[bytes], gzip.open(self.path))
        return self.path.open("rb")

    def head(self, n_bytes: int) -> bytes:
        """The first bytes of the content.

        Raises
        ------
        ReadingError
            If it is not a gzip file though its name says so.
        """
        try:
            with self.open() as file:
                return file.read(n_bytes)
        except _CORRUPT as error:
            raise self.unreadable(error) from None

    def blocks(self, n_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
        """The content, so many bytes at a time.

        Raises
        ------
        ReadingError
            If there is more than may be read, or the gzip data are damaged.
        """
        limit = largest_content()
        left = limit
        try:
            with self.open() as file:
                while content := file.read(n_bytes):
                    left -= len(content)
                    if left < 0:
                        raise self.too_large(limit)
                    yield content
        except _CORRUPT as error:
            raise self.unreadable(error) from None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each line with its number, counted from 1, and its end.

        Raises
        ------
        ReadingError
            If a line is too long, if there is more than may be read, or the gzip data are damaged.
        """
        limit = largest_content()
        left = limit
        try:
            with self.open() as file:
                for number in count(1):
                    line = file.readline(LONGEST_LINE + 1)
                    if not line:
                        return
                    if len(line) > LONGEST_LINE:
                        raise self.too_long("line", number)
                    left -= len(line)
                    if left < 0:
                        raise self.too_large(limit)
                    yield number, line
        except _CORRUPT as error:
            raise self.unreadable(error) from None

    def read_all(self) -> bytes:
        """The whole content."""
        return b"".join(self.blocks())

    def too_large(self, limit: int, size: int | None = None) -> ReadingError:
        """What to say of more content than may be read."""
        held = "more than" if size is None else f"{size / 1e9:,.1f} GB, more than"
        return ReadingError(
            f"{self.name!r} holds {held} the {limit / 1e9:,.3g} GB that are read of a file",
            where=f"{self.path.stat().st_size:,} bytes on disk" + (", uncompressed more" if self.compressed else ""),
            remedy=f"leave out columns and rows that are not compared, or set {LIMIT_VARIABLE}=N in the environment to "
            "read\nup to N GB; reading takes up to four times as much memory",
        )

    def too_long(self, what: str, number: int) -> ReadingError:
        """What to say of a line, or a cell, that is longer than any that can be meant."""
        return ReadingError(
            f"{self.name!r} has a {what} of more than {LONGEST_LINE >> 20} MiB",
            where=f"line {number:,}",
            remedy="check how the file was written; leave out columns of long texts, which are not needed",
        )

    def unreadable(self, error: Exception) -> ReadingError:
        """What to say if the content does not come through."""
        if isinstance(error, PermissionError):
            return ReadingError(f"{self.name!r} may not be read", remedy="check the permissions of the file")
        if not self.compressed:
            return ReadingError(f"{self.name!r} cannot be read: {error}", remedy="check the file system")
        with self.path.open("rb") as file:
            magic = file.read(2)
        if magic != b"\x1f\x8b":
            return ReadingError(
                f"{self.name!r} is not compressed by gzip, though its name ends with .gz",
                where=f"it begins with the bytes {magic!r}, gzip with b'\\x1f\\x8b'",
                remedy="remove .gz from the name, or compress the file",
            )
        return ReadingError(
            f"{self.name!r} is damaged: its gzip data break off or fail their check sum",
            where=f"{self.path.stat().st_size:,} bytes on disk",
            remedy="copy or download the file again",
        )
