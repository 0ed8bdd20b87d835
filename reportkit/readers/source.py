"""A file, compressed by gzip or not."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

import pyarrow as pa

from reportkit.errors import ReadingError

MEMORY = pa.system_memory_pool()
"""For reading; Arrow's own pool takes and gives back memory so often that the system's share of the time doubles."""

_CORRUPT = (OSError, EOFError, zlib.error)


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

    def arrow(self) -> pa.NativeFile:
        """The content for Arrow: mapped into memory, or decompressed while it is read."""
        if self.compressed:
            return pa.input_stream(str(self.path), compression="gzip")
        if self.path.stat().st_size == 0:  # cannot be mapped
            return pa.BufferReader(b"")
        return pa.memory_map(str(self.path))

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

    def read_all(self) -> bytes:
        """The whole content."""
        try:
            with self.open() as file:
                return file.read()
        except _CORRUPT as error:
            raise self.unreadable(error) from None

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
