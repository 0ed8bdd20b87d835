"""Find the files that paths mean: files, folders, patterns, archives, URLs; decompressed, in the order of paths."""

from __future__ import annotations

import fnmatch
import glob
import gzip
import os
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from reportkit.errors import ReadingError, nearest
from reportkit.finding import Finding
from reportkit.harnesses.file import File
from reportkit.language import counted, listed
from reportkit.scores.refusals import notice, refusal

ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".jsonl", ".ndjson", ".json", ".xlsx", ".xlsm", ".zip")
"""Endings of files of results."""
_IGNORED = frozenset({"__pycache__", "node_modules", "site-packages", "__MACOSX"})
_LARGEST = int(float(os.environ.get("REPORTKIT_MAX_INPUT_GB") or 2) * 1e9)

LARGE = 5e8
"""Bytes of a table in memory above which its datasets are read one by one, without being asked to."""


def may_be_large(paths: Sequence[str | Path]) -> bool:
    """Return whether the files are so large that they may have to be read by dataset; True for URLs."""
    return any(map(is_url, paths)) or bytes_of_files(paths) > LARGE / 15


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
                members = _members(place)
            except ReadingError:
                if base is None:
                    raise
                damaged.append(str(place))
                continue
            for member in members:
                inner = (*folders, place.stem, *PurePosixPath(member).parts[:-1]) if member else folders
                whole = place / member
                plain = whole.with_suffix("") if whole.suffix.lower() == ".gz" else whole
                found.setdefault(str(plain), File(plain, partial(_content, place, member), inner))
    if not found:
        raise refusal("no-file", paths=listed(list(map(str, paths)), 3))
    number = counted(len(damaged), "archive")
    return list(found.values()), [notice("files-left-out", listed(damaged, 5), number=number)] if damaged else []


def excluded(path: Path, pattern: str) -> bool:
    """Tell whether a pattern fits a path, its end, or one of its parts."""
    texts = (path.as_posix(), *path.parts)
    return any(fnmatch.fnmatchcase(text, one) for text in texts for one in (pattern, f"*/{pattern}"))


def _places(path: Path) -> Iterator[tuple[Path | None, Path]]:
    """Yield the files that a path means, each with the folder that it was found in; None where the path names it."""
    if path.is_dir():
        for here, folders, names in os.walk(path):
            if "report.json" in names and b'"reportkit_version"' in (Path(here) / "report.json").read_bytes():
                folders.clear()  # a report of reportkit
                continue
            folders[:] = sorted(name for name in folders if not _hidden(name))
            yield from ((path, Path(here) / name) for name in sorted(names) if not _hidden(name))
    elif path.is_file():
        yield None, path
    elif glob.has_magic(str(path)):
        matches = sorted(map(Path, glob.iglob(str(path), recursive=True)))  # noqa: PTH207 - of an absolute pattern, too
        if not matches:
            raise refusal("no-match", pattern=str(path))
        root = next(parent for parent in path.parents if not glob.has_magic(str(parent)))
        yield from ((root, place) for match in matches for _, place in _places(match))
    else:
        raise _absent(path)


def _hidden(name: str) -> bool:
    return name.startswith(".") or name in _IGNORED


def _members(path: Path) -> list[str]:
    """Return the names of the files in an archive; one empty name for any other file."""
    if path.suffix.lower() != ".zip":
        return [""]
    with _damage_said(path), zipfile.ZipFile(path) as archive:
        names = sorted({item.filename for item in archive.infolist() if not item.is_dir()})
    shown = [name for name in names if not any(map(_hidden, PurePosixPath(name).parts))]
    if not shown:
        raise refusal("empty-archive", file=str(path))
    return shown


def _content(path: Path, member: str) -> bytes:
    """Return the bytes of a file, or of a file in an archive, decompressed.

    Raises
    ------
    ReadingError
        If it cannot be read, or holds more than is read of a file.
    """
    with _damage_said(path), ExitStack() as opened:
        stream: Any = opened.enter_context(path.open("rb"))
        if member:
            stream = opened.enter_context(opened.enter_context(zipfile.ZipFile(stream)).open(member))
        if (member or path.name).lower().endswith(".gz"):
            stream = opened.enter_context(gzip.open(stream))
        data: bytes = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise refusal("too-large", file=str(path / member), gigabytes=_LARGEST / 1e9)
    return data


@contextmanager
def _damage_said(path: Path) -> Iterator[None]:
    """Turn the errors of damaged files into one that names the file."""
    try:
        yield
    except PermissionError:
        raise refusal("no-permission", file=str(path)) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError) as error:
        where = " ".join(str(error).split())[:200] or type(error).__name__
        raise refusal("damaged-file", where, file=str(path)) from None


def _absent(path: Path) -> Exception:
    folder = path.parent
    if not folder.is_dir():
        return refusal("absent", f"there is no folder {str(folder)!r}", file=str(path), remedy="check the path")
    names = sorted(child.name for child in folder.iterdir() if not _hidden(child.name))
    near = " or ".join(map(repr, nearest(path.name, names)))
    shown = f"folder {str(folder)!r} holds {listed(list(map(repr, names)), 5) or 'nothing'}"
    return refusal("absent", shown, file=str(path), remedy=f"did you mean {near}?" if near else "check the path")


# --- URLs ------------------------------------------------------------------------------------------------------------


_EXTRA = "'reportkit-replic[dask]'"  # brings fsspec, and s3fs for S3
_WEB = "fsspec aiohttp requests"
_PACKAGES = {"gs": "gcsfs", "gcs": "gcsfs", "abfs": "adlfs", "az": "adlfs", "http": _WEB, "https": _WEB}


def is_url(path: object) -> bool:
    """Tell whether a path is a URL.

    Examples
    --------
    >>> is_url("s3://bucket/scores"), is_url("scores.csv"), is_url("C:/scores.csv")
    (True, False, False)
    """
    return isinstance(path, (str, Path)) and "://" in str(path)


def files_at(url: str) -> tuple[Any, str, list[str]]:
    """Return the file system of a URL by fsspec, the path there, and the files: one, all in a folder, or of a pattern.

    Raises
    ------
    SettingsError
        If fsspec, or the package of the object store, is not installed.
    ReadingError
        If there are none, or the store cannot be reached.
    """
    try:
        from fsspec.core import url_to_fs

        filesystem, root = url_to_fs(url)
        found = sorted(map(str, filesystem.glob(root) if glob.has_magic(root) else filesystem.find(root)))
    except ImportError as error:  # fsspec says which package a store needs
        scheme, where = urlsplit(url).scheme, " ".join(str(error).split())[:200]
        raise refusal("no-store", where, scheme=scheme, package=_PACKAGES.get(scheme, _EXTRA)) from None
    except Exception as error:  # errors of the store's package have no common base
        where = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise refusal("unreachable", where, url=url) from None
    # engines write _SUCCESS and .crc into the folder of the data
    names = [path for path in found if not PurePosixPath(path).name.startswith(("_", "."))]
    if not names:
        raise refusal("nothing-at-url", url=url)
    return filesystem, root, names


def copied(urls: Sequence[str], folder: Path) -> list[Path]:
    """Copy what URLs mean to a folder of this machine, under their own names.

    Raises
    ------
    ReadingError
        If a name leads out of the folder.
    """
    there = []
    for number, url in enumerate(urls):
        filesystem, root, paths = files_at(url)
        target = folder / str(number) / (PurePosixPath(urlsplit(url).path or urlsplit(url).netloc).name or "results")
        whole = filesystem.isdir(root)
        for path in paths:
            name = path.removeprefix(root).lstrip("/") if whole else PurePosixPath(path).name
            if ".." in PurePosixPath(path).parts or "\\" in name or "\0" in name:
                raise refusal("outside", path=path)
            place = (target if whole else target.parent) / name
            place.parent.mkdir(parents=True, exist_ok=True)
            filesystem.get(path, str(place))
            there += [] if whole else [place]
        there += [target] if whole else []
    return there
