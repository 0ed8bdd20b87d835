"""A file, compressed or not, alone or in an archive, read as far as memory allows.

A small compressed file may hold more than fits into memory, and a file of any format may hold a line without end. Both
are refused with a message before they are read whole.
"""

from __future__ import annotations

import ctypes
import fnmatch
import io
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

from reportkit.errors import ReadingError, SettingsError
from reportkit.readers.compression import CORRUPT, is_of, magic, members, open_member, opened

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

LARGE_TABLE = 50_000_000
"""Bytes of a table from which memory is given back as soon as it is freed."""

HEAD_BYTES = 64 << 10
"""What is looked at to tell formats apart."""

CODECS = {".gz": "gzip", ".bz2": "bz2", ".xz": "xz", ".zst": "zstd"}
"""Endings of compressed files, and what they are compressed by."""

ARCHIVE = ".zip"


def give_back() -> None:
    """Give memory that was freed back to the system: allocators keep it, though nothing so large may be read again."""
    pa.default_memory_pool().release_unused()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None  # of glibc
    if trim is not None:
        trim(0)


def codec_of(path: Path) -> str | None:
    """What the name of a file says that it is compressed by.

    Examples
    --------
    >>> codec_of(Path("results.csv.zst"))
    'zstd'
    """
    return CODECS.get(path.suffix.lower())


def without_codec(path: Path) -> Path:
    """The path without the ending of its compression.

    Examples
    --------
    >>> without_codec(Path("results.csv.zst")).name
    'results.csv'
    """
    return path.with_suffix("") if codec_of(path) is not None else path


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

    def __init__(self, stream: Any, limit: int) -> None:
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
        except CORRUPT as error:
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


@dataclass(frozen=True)
class Source:
    """A file that is there.

    Parameters
    ----------
    path : Path
        The file; of a file in an archive the path of the archive, followed by that inside of it.
    archive : Path, optional
        The archive, if it is in one.
    content : bytes, optional
        The content itself, of a file in an archive that is in an archive.
    """

    path: Path
    archive: Path | None = None
    content: bytes | None = None

    @property
    def name(self) -> str:
        """The path as the user wrote it, for messages."""
        return str(self.path)

    @property
    def codec(self) -> str | None:
        """What it is compressed by, as its name says."""
        return codec_of(self.path)

    @property
    def compressed(self) -> bool:
        """Whether its bytes are not its content."""
        return self.codec is not None or self.archive is not None

    @property
    def plain_path(self) -> Path:
        """The path without the ending of its compression."""
        return without_codec(self.path)

    @property
    def on_disk(self) -> Path:
        """The file, or the archive that it is in."""
        return self.archive or self.path

    @contextmanager
    def arrow(self) -> Iterator[pa.NativeFile]:
        """The content for Arrow, which is read, and decompressed, some of it at a time.

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
            yield pa.OSFile(str(self.path))  # pages of a file that is mapped would count as memory
            return
        by_arrow = self.archive is None and self.codec == "gzip"
        try:
            stream = pa.input_stream(str(self.path), compression="gzip") if by_arrow else self.open()
        except CORRUPT as error:
            raise self.unreadable(error) from None
        limited = _Limited(stream, limit)
        try:
            yield pa.PythonFile(limited, mode="r")
        finally:
            if limited.exceeded:
                raise self.too_large(limit) from None
            if limited.error is not None:
                raise self.unreadable(limited.error) from None

    def open(self) -> IO[bytes]:
        """The content for Python."""
        if self.content is not None:
            return io.BytesIO(self.content)
        if self.archive is not None:
            return opened(open_member(self.archive, self.path.relative_to(self.archive).as_posix()), self.codec)
        return self.path.open("rb") if self.codec is None else opened(self.path, self.codec)

    def head(self, n_bytes: int = HEAD_BYTES) -> bytes:
        """The first bytes of the content.

        Raises
        ------
        ReadingError
            If it is not compressed as its name says.
        """
        try:
            with self.open() as file:
                return file.read(n_bytes)
        except CORRUPT as error:
            raise self.unreadable(error) from None

    def beside(self, *patterns: str) -> list[Source]:
        """Files of the same folder, or of the same folder of the archive, whose names fit a pattern; in order.

        Parameters
        ----------
        *patterns : str
            Names, or patterns such as "results_*.json"; compressed files fit without their ending.
        """
        if self.archive is not None:
            inside = [self.archive / item.filename for item in members(self.archive)]
            found = [path for path in inside if path.parent == self.path.parent]
        else:
            found = sorted(path for path in self.path.parent.iterdir() if path.is_file())
        return [
            Source(path, self.archive)
            for path in found
            if any(fnmatch.fnmatchcase(without_codec(path).name, pattern) for pattern in patterns)
        ]

    def blocks(self, n_bytes: int = BLOCK_BYTES) -> Iterator[bytes]:
        """The content, so many bytes at a time.

        Raises
        ------
        ReadingError
            If there is more than may be read, or the compressed data are damaged.
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
        except CORRUPT as error:
            raise self.unreadable(error) from None

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Each line with its number, counted from 1, and its end.

        Raises
        ------
        ReadingError
            If a line is too long, if there is more than may be read, or the compressed data are damaged.
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
        except CORRUPT as error:
            raise self.unreadable(error) from None

    def read_all(self) -> bytes:
        """The whole content.

        Raises
        ------
        ReadingError
            If there is more than may be read, or the compressed data are damaged.
        """
        if self.compressed:
            return b"".join(self.blocks())
        limit = largest_content()
        try:
            size = self.path.stat().st_size
            if size > limit:
                raise self.too_large(limit, size)
            return self.path.read_bytes()
        except CORRUPT as error:
            raise self.unreadable(error) from None

    def too_large(self, limit: int, size: int | None = None) -> ReadingError:
        """What to say of more content than may be read."""
        held = "more than" if size is None else f"{size / 1e9:,.1f} GB, more than"
        return ReadingError(
            f"{self.name!r} holds {held} the {limit / 1e9:,.3g} GB that are read of a file",
            where=f"{self.on_disk.stat().st_size:,} bytes on disk" + (", uncompressed more" if self.compressed else ""),
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
        size = f"{self.on_disk.stat().st_size:,} bytes on disk"
        again = "copy or download the file again"
        if self.codec is None or self.archive is not None:
            return ReadingError(
                f"{self.name!r} is damaged, or compressed in a way that is not known",
                where=f"{size}; {' '.join(str(error).split())[:200]}",
                remedy=again,
            )
        with self.path.open("rb") as file:
            first = file.read(6)
        if not is_of(self.codec, first):
            begin, ending = magic(self.codec), self.path.suffix.lower()
            return ReadingError(
                f"{self.name!r} is not compressed by {self.codec}, though its name ends with {ending}",
                where=f"it begins with the bytes {first[: len(begin)]!r}, {self.codec} with {begin!r}",
                remedy=f"remove {ending} from the name, or compress the file",
            )
        return ReadingError(
            f"{self.name!r} is damaged: its {self.codec} data break off or fail their check sum",
            where=size,
            remedy=again,
        )
