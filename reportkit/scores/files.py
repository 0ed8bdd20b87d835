"""Find the files that paths mean: files, folders, patterns, archives; decompressed, in the order of their paths."""

from __future__ import annotations

import bz2
import fnmatch
import glob
import gzip
import io
import lzma
import os
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Any

from reportkit.errors import ReadingError, nearest
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.remote import is_url

_CODECS: dict[str, Callable[[IO[bytes]], Any]] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
CODECS = (*_CODECS, ".zst")
ENDINGS = (
    *(".csv", ".tsv", ".txt", ".parquet", ".feather", ".arrow", ".ipc", ".jsonl", ".ndjson", ".json", ".xlsx", ".xlsm"),
    ".zip",
)
"""Endings of files of results."""
_ARCHIVES = (".zip", ".tar.gz", ".tar.bz2", ".tar.xz", ".tgz", ".tar")
_IGNORED = frozenset({"__pycache__", "node_modules", "site-packages", "__MACOSX"})
_MOST_FILES = 200_000
_LARGEST = int(float(os.environ.get("REPORTKIT_MAX_INPUT_GB") or 2) * 1e9)
_DAMAGED = (zipfile.BadZipFile, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError, RuntimeError)


LARGE = 1e9
"""Bytes that a table takes in memory, above which its datasets are read one by one, though nobody asks for it."""


def may_be_large(paths: Sequence[str | Path]) -> bool:
    """Tell by the sizes of files whether they may have to be read dataset by dataset; what is at URLs always is."""
    return any(map(is_url, paths)) or bytes_of_files(paths) > LARGE / 30


def bytes_of_files(paths: Sequence[str | Path]) -> int:
    """Return the sizes of files, and of all files in folders, in bytes."""
    files = [one for path in map(Path, paths) for one in (path.rglob("*") if path.is_dir() else [path])]
    return sum(one.stat().st_size for one in files if one.is_file())


def files_of(paths: Sequence[str | Path]) -> tuple[list[File], list[Finding]]:
    """Find all files that paths mean.

    Parameters
    ----------
    paths : sequence of str or Path
        Files, folders with all that is in them, patterns such as "runs/*/samples_*.jsonl".

    Raises
    ------
    ReadingError
        If there is nothing at a path, or an archive that was named is damaged.
    """
    found: dict[str, File] = {}
    damaged: list[str] = []
    for path in map(Path, paths):
        for base, place in _places(path):
            folders = () if base is None else (base.resolve().name, *place.relative_to(base).parts[:-1])
            try:
                for file in _opened(place, folders):
                    found.setdefault(file.name, file)
            except _DAMAGED as error:
                if base is None:
                    raise _unreadable(place, error) from None
                damaged.append(str(place))
            if len(found) > _MOST_FILES:
                raise ReadingError(
                    f"there are more than {_MOST_FILES:,} files in {str(path)!r}",
                    remedy="give the folder of the results alone",
                )
    notes = []
    if damaged:
        message = f"{counted(len(damaged), 'damaged archive')} left out."
        notes.append(Finding("files-left-out", "warning", message, listed(damaged, 5), "copy it again"))
    kept = list(found.values())
    if not kept:
        raise ReadingError(
            f"{listed(list(map(str, paths)), 3)!r} holds no file", remedy="give the files of the results"
        )
    return kept, notes


def excluded(path: Path, pattern: str) -> bool:
    """Tell whether a pattern fits a path, its end, or one of its parts."""
    return any(
        fnmatch.fnmatchcase(text, one) for text in (path.as_posix(), *path.parts) for one in (pattern, f"*/{pattern}")
    )


def _places(path: Path) -> Iterator[tuple[Path | None, Path]]:
    """Files that a path means, each with the folder that it was found in; None where the path names it."""
    if path.is_dir():
        for here, folders, names in os.walk(path):
            if "report.json" in names and _is_report(Path(here) / "report.json"):
                folders.clear()
                continue
            folders[:] = sorted(name for name in folders if not _hidden(name))
            yield from ((path, Path(here) / name) for name in sorted(names) if not _hidden(name))
    elif path.is_file():
        yield None, path
    elif glob.has_magic(str(path)):
        matches = sorted(map(Path, glob.iglob(str(path), recursive=True)))  # noqa: PTH207 - of an absolute pattern, too
        if not matches:
            raise ReadingError(f"no file fits the pattern {str(path)!r}", remedy="check the pattern, or give a folder")
        root = next(parent for parent in path.parents if not glob.has_magic(str(parent)))
        for match in matches:
            yield from ((root, place) for _, place in _places(match))
    elif path.exists():
        raise ReadingError(
            f"{str(path)!r} is a pipe or a device, not a file", remedy="write the results to a file first"
        )
    else:
        raise _absent(path)


def _hidden(name: str) -> bool:
    return name.startswith(".") or name in _IGNORED


def _is_report(path: Path) -> bool:
    """Tell whether a file is the `report.json` of a report of reportkit."""
    with path.open("rb") as file:
        return b'"reportkit_version"' in file.read(1 << 16)


def _opened(path: Path, folders: tuple[str, ...], load: Callable[[], bytes] | None = None) -> Iterator[File]:
    """The file itself, or the files of an archive; of one that lies in an archive, too."""
    ending = next((one for one in _ARCHIVES if path.name.lower().endswith(one)), "")
    if not ending:
        plain = path.with_suffix("") if path.suffix.lower() in CODECS else path
        yield File(plain, partial(_content, path, load or path.read_bytes), folders)
        return
    source: Callable[[], IO[bytes]] = partial(_stream, path, load)
    with source() as stream:
        if ending == ".zip":
            with zipfile.ZipFile(stream) as archive:
                names = {item.filename for item in archive.infolist() if not item.is_dir()}
        else:
            with tarfile.open(fileobj=stream) as tar:
                names = {item.name for item in tar.getmembers() if item.isfile()}
    shown = [name for name in sorted(names) if not any(map(_hidden, PurePosixPath(name).parts))]
    if not shown:
        raise ReadingError(f"{str(path)!r} is an archive without files", remedy="give the files of the results")
    for name in shown:
        parts = (*folders, path.name[: -len(ending)], *PurePosixPath(name).parts[:-1])
        inner = partial(_member, source, name, ending == ".zip")
        if load is None:
            yield from _opened(path / name, parts, inner)
        else:  # an archive in an archive in an archive stays closed
            yield File(path / name, partial(_content, path / name, inner), parts)


def _stream(path: Path, load: Callable[[], bytes] | None) -> IO[bytes]:
    return path.open("rb") if load is None else io.BytesIO(load())


def _member(source: Callable[[], IO[bytes]], name: str, zipped: bool) -> bytes:
    with source() as stream:
        if zipped:
            with zipfile.ZipFile(stream) as archive:
                return _limited(Path(name), archive.open(name))
        with tarfile.open(fileobj=stream) as tar:
            return _limited(Path(name), tar.extractfile(name))


def _content(path: Path, load: Callable[[], bytes]) -> bytes:
    """The bytes of a file, decompressed.

    Raises
    ------
    ReadingError
        If it cannot be read, or holds more than is read of a file.
    """
    try:
        if path.is_file() and path.stat().st_size > _LARGEST:
            raise _too_large(path)
        data, codec = load(), path.suffix.lower()
        if codec == ".zst":
            import pyarrow as pa

            return _limited(path, pa.CompressedInputStream(pa.BufferReader(data), "zstd"))
        return _limited(path, _CODECS[codec](io.BytesIO(data))) if codec in _CODECS else data
    except _DAMAGED as error:
        raise _unreadable(path, error) from None


def _limited(path: Path, stream: Any) -> bytes:
    data: bytes = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise _too_large(path)
    return data


def _too_large(path: Path) -> ReadingError:
    return ReadingError(
        f"{str(path)!r} holds more than the {_LARGEST / 1e9:.3g} GB that are read of a file",
        remedy="leave out columns and rows that are not compared, or set REPORTKIT_MAX_INPUT_GB in the environment",
    )


def _unreadable(path: Path, error: Exception) -> ReadingError:
    if isinstance(error, PermissionError):
        return ReadingError(f"{str(path)!r} may not be read", remedy="check the permissions of the file")
    return ReadingError(
        f"{str(path)!r} is damaged, or is not what its name says",
        where=" ".join(str(error).split())[:200] or type(error).__name__,
        remedy="copy or download the file again, or give it the ending of its format",
    )


def _absent(path: Path) -> ReadingError:
    folder, problem = path.parent, f"there is no file {str(path)!r}"
    if not folder.is_dir():
        return ReadingError(problem, where=f"there is no folder {str(folder)!r}", remedy="check the path")
    names = sorted(child.name for child in folder.iterdir() if not _hidden(child.name))
    near = [f"{path.name}{codec}" for codec in CODECS if f"{path.name}{codec}" in names] or nearest(path.name, names)
    remedy = f"did you mean {' or '.join(map(repr, near))}?" if near else "check the path"
    shown = f"folder {str(folder)!r} holds {listed(list(map(repr, names)), 5) or 'nothing'}"
    return ReadingError(problem, where=shown, remedy=remedy)


def read_segments(path: Path) -> list[str]:
    """Return the lines of a text file in UTF-8, compressed or not.

    Raises
    ------
    ReadingError
        If there is no such file, it is empty, or it is not UTF-8; the message says the line.
    """
    if path.is_dir():
        raise ReadingError(f"{str(path)!r} is a folder", remedy="give a text file with one segment per line")
    file = files_of([path])[0][0]
    lines = file.text.split("\n")
    if lines == [""]:
        raise ReadingError(f"{file.name!r} is empty", remedy="give a text file with one segment per line")
    return [line.removesuffix("\r") for line in (lines if lines[-1] else lines[:-1])]


__all__ = ["CODECS", "ENDINGS", "LARGE", "bytes_of_files", "excluded", "files_of", "may_be_large", "read_segments"]
