"""The content of compressed files and archives, as a stream of bytes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

CORRUPT = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, pa.ArrowException, NotImplementedError)
"""What reading damaged content raises."""

_ZSTANDARD = 93
_MAGIC = {"gzip": b"\x1f\x8b", "bz2": b"BZh", "xz": b"\xfd7zXZ\x00", "zstd": b"\x28\xb5\x2f\xfd"}


def is_of(codec: str, head: bytes) -> bool:
    """Whether content begins as it does with this compression."""
    return head.startswith(_MAGIC[codec])


def magic(codec: str) -> bytes:
    """The bytes with which content of a compression begins."""
    return _MAGIC[codec]


def opened(stream: Path | IO[bytes], codec: str | None) -> IO[bytes]:
    """The decompressed content of a file, or of a stream."""
    if codec == "gzip":
        return cast(IO[bytes], gzip.open(stream))
    if codec == "bz2":
        return bz2.open(stream)
    if codec == "xz":
        return lzma.open(stream)
    if codec == "zstd":
        inner = pa.OSFile(str(stream)) if isinstance(stream, Path) else pa.PythonFile(stream, mode="r")
        return cast(IO[bytes], _Buffered(pa.CompressedInputStream(inner, "zstd")))
    return stream.open("rb") if isinstance(stream, Path) else stream


def members(archive: Path | IO[bytes]) -> list[zipfile.ZipInfo]:
    """Files in an archive, in the order of their names."""
    with zipfile.ZipFile(archive) as file:
        return sorted((item for item in file.infolist() if not item.is_dir()), key=lambda item: item.filename)


def open_member(archive: Path | IO[bytes], member: str) -> IO[bytes]:
    """The content of a file in an archive, also where it is compressed by Zstandard, as of late Inspect logs are.

    Raises
    ------
    KeyError
        If there is no such file in it.
    """
    file = zipfile.ZipFile(archive)
    info = file.getinfo(member)
    if info.flag_bits & 1:
        file.close()
        raise zipfile.BadZipFile(f"{member!r} is encrypted")
    if info.compress_type != _ZSTANDARD:
        stream = file.open(info)
        file.close()  # the stream keeps the file open as long as it is read
        return stream
    file.close()
    return opened(cast("IO[bytes]", _Slice(archive, info)), "zstd")


class _Slice:
    """The compressed bytes of one file of an archive, for Arrow."""

    closed = False

    def __init__(self, archive: Path | IO[bytes], info: zipfile.ZipInfo) -> None:
        self.file = archive.open("rb") if isinstance(archive, Path) else archive
        self.owned = isinstance(archive, Path)
        self.file.seek(info.header_offset)
        header = self.file.read(30)
        if header[:4] != b"PK\x03\x04":
            self.file.close()
            raise zipfile.BadZipFile(f"there is no file at the place of {info.filename!r}")
        self.file.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
        self.left = info.compress_size

    def read(self, n_bytes: int = -1) -> bytes:
        content = self.file.read(self.left if n_bytes < 0 else min(n_bytes, self.left))
        self.left -= len(content)
        return content

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        self.closed = True
        if self.owned:
            self.file.close()


class _Buffered:
    """A stream of Arrow with the lines and the context of a file of Python."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.rest = b""

    def read(self, n_bytes: int = -1) -> bytes:
        if n_bytes < 0:
            content, self.rest = self.rest + self.stream.read(), b""
            return cast(bytes, content)
        if not self.rest:
            return cast(bytes, self.stream.read(n_bytes))
        content, self.rest = self.rest[:n_bytes], self.rest[n_bytes:]
        return content

    def readline(self, n_bytes: int = -1) -> bytes:
        while (end := self.rest.find(b"\n") + 1) == 0 and not 0 <= n_bytes <= len(self.rest):
            block = self.stream.read(1 << 16)
            if not block:
                break
            self.rest += block
        end = end or len(self.rest)
        return self.read(end if n_bytes < 0 else min(end, n_bytes)) if self.rest else b""

    def __enter__(self) -> _Buffered:
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()

    def close(self) -> None:
        self.stream.close()
