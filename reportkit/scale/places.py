"""From what a user writes to files: local paths and patterns, and URLs of object stores by fsspec."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from reportkit.errors import ReadingError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import listed
from reportkit.readers.format import Format
from reportkit.readers.formats import FORMATS, HARNESSES
from reportkit.readers.parquet import PARQUET
from reportkit.readers.paths import find, table_of
from reportkit.readers.reading import is_url, not_read
from reportkit.readers.source import Source
from reportkit.readers.understood import Request
from reportkit.scale.units import Place

_WRITTEN_BESIDE = ("_", ".")
"""How names of files begin that engines write beside the data: `_SUCCESS`, `.crc`."""


_OF_STORES = ("botocore", "aiobotocore", "aiohttp", "google", "gcsfs", "azure", "adlfs")
"""Packages that raise exceptions where a store cannot be reached, or refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """The files that hold the results.

    Parameters
    ----------
    places : tuple of Place
        Those of Parquet.
    others : tuple of (Source, Format)
        Those of other formats, which are turned into Parquet.
    formats : tuple of str
        Names of all formats.
    notes : tuple of Finding
        What was not read.
    source : str
        The path as the user wrote it.
    """

    places: tuple[Place, ...]
    others: tuple[tuple[Source, Format], ...]
    formats: tuple[str, ...]
    notes: tuple[Finding, ...]
    source: str

    @property
    def n_files(self) -> int:
        """Number of files."""
        return len(self.places) + len(self.others)


def listed_places(paths: Sequence[str | Path], request: Request, folder: Path) -> Listed | None:
    """Find the files; None where they are no tables, or not known as such: they are read together then.

    Parameters
    ----------
    paths : sequence of str or Path
        Files, folders, patterns or URLs.
    request : Request
        What the user says of them.
    folder : Path
        Where files that are no Parquet are copied to from URLs.

    Raises
    ------
    ReadingError
        If there is nothing at a path.
    SettingsError
        If a package for an object store is not installed.
    """
    remote = [str(path) for path in paths if is_url(path)]
    if remote and len(remote) < len(paths):
        raise SettingsError(
            "paths of this machine and URLs are mixed",
            where=listed([str(path) for path in paths], 4),
            remedy="give the files of one of them",
        )
    name = listed([_last(path) for path in paths], 3)
    if remote:
        return replace(_remote(remote, folder), source=name)
    found = find(paths, request.format)
    if found.refused or not found.by_format or any(known in HARNESSES for known in found.by_format):
        return None
    tables = [(one, FORMATS[known]) for known, files in found.by_format.items() for one in files]
    tables.sort(key=lambda pair: pair[0].name)
    plain = [known is PARQUET and one.archive is None and not one.compressed for one, known in tables]
    return Listed(
        places=tuple(Place(os.fspath(one.path)) for (one, _), is_plain in zip(tables, plain, strict=True) if is_plain),
        others=tuple(pair for pair, is_plain in zip(tables, plain, strict=True) if not is_plain),
        formats=tuple(sorted({known.name for _, known in tables})),
        notes=tuple(not_read(found, [], read_all=not found.unknown)),
        source=name,
    )


def copied(urls: Sequence[str], folder: Path) -> list[Path]:
    """Copy what URLs mean to a folder of this machine, under their own names."""
    there = []
    for number, url in enumerate(urls):
        filesystem, root = filesystem_of(url)
        target = folder / str(number) / _last(url)
        if not filesystem.isdir(root):
            there += [
                _copied(filesystem, path, target.parent, PurePosixPath(path).name)
                for path in _files(filesystem, root, url)
            ]
            continue
        for path in filesystem.find(root):
            _copied(filesystem, path, target, str(path).removeprefix(root))
        there.append(target)
    return there


def _copied(filesystem: Any, path: str, folder: Path, name: str) -> Path:
    """Copy a file into a folder, under a name that is said by others.

    Raises
    ------
    ReadingError
        If the name leads out of the folder.
    """
    parts = PurePosixPath(name.lstrip("/")).parts
    if ".." in parts or "\\" in name or "\0" in name:
        raise ReadingError(
            f"{path!r} leads out of the folder that is read",
            where="the listing of an archive, a store or a web server",
            remedy="do not trust it; copy the files that you want to this machine and give their paths",
        )
    target = folder.joinpath(*parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    filesystem.get(path, str(target))
    return target


def filesystem_of(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path there.

    Raises
    ------
    SettingsError
        If fsspec, or the package of the object store, is not installed, or there is no such protocol.
    ReadingError
        If the store is known and does not take the URL, as where it lacks an account.
    """
    protocol = urlsplit(url).scheme
    try:
        from fsspec.core import url_to_fs
        from fsspec.registry import available_protocols
    except ImportError:
        raise _not_installed(protocol, "fsspec is not installed", _EXTRA) from None
    if protocol not in available_protocols():
        raise SettingsError(
            f"fsspec knows no protocol {protocol!r}",
            where=f"{url!r}; known are {listed(sorted(available_protocols()), 60)}",
            remedy="check the URL, or copy the files to this machine",
        )
    try:
        filesystem, path = url_to_fs(url)
    except ImportError as error:
        raise _not_installed(protocol, " ".join(str(error).split())[:200], _package_of(protocol)) from None
    except Exception as error:
        if not _of_a_store(error):
            raise
        raise _not_reached(url, error) from None
    return filesystem, path


_EXTRA = "'reportkit-replic[dask]'"
"""What brings fsspec, and s3fs for S3."""


def _package_of(protocol: str) -> str:
    """What to install for a protocol that fsspec knows."""
    from fsspec.registry import known_implementations

    package, _, _ = known_implementations.get(protocol, {}).get("class", "fsspec").partition(".")
    if package == "s3fs":
        return _EXTRA
    if package != "fsspec":
        return str(package)
    return "aiohttp requests" if protocol in ("http", "https") else ""


def _not_installed(protocol: str, reason: str, package: str) -> SettingsError:
    return SettingsError(
        f"{protocol}:// needs a package that is not installed",
        where=reason,
        remedy=f"pip install {package}" if package else "install what is named there",
    )


def _remote(urls: Sequence[str], folder: Path) -> Listed:
    places: list[Place] = []
    others: list[tuple[Source, Format]] = []
    unknown: list[str] = []
    for number, url in enumerate(urls):
        filesystem, root = filesystem_of(url)
        for path in _files(filesystem, root, url):
            if path.lower().endswith(PARQUET.endings):
                places.append(Place(path, filesystem))
                continue
            known = table_of(Source(Path(path))) if _may_be_table(path) else None
            if known is None:
                unknown.append(path)
                continue
            others.append((Source(_copied(filesystem, path, folder / str(number), path)), known))
    if not places and not others:
        raise ReadingError(
            f"{listed(list(urls), 3)!r} holds no file that can be read",
            where=f"files there: {listed([repr(name) for name in unknown], 5) or 'none'}",
            remedy="known are " + listed([*FORMATS], 40),
        )
    note = Finding(
        "files-not-read",
        "info",
        f"{len(unknown):,} {'file was' if len(unknown) == 1 else 'files were'} not read.",
        where=listed([repr(name) for name in unknown], 5),
        remedy="nothing, if they hold no results; else give them one by one, or say --format",
    )
    formats = {*(known.name for _, known in others), *([PARQUET.name] if places else [])}
    return Listed(
        places=tuple(places),
        others=tuple(others),
        formats=tuple(sorted(formats)),
        notes=(note,) if unknown else (),
        source="",
    )


def _may_be_table(path: str) -> bool:
    endings = tuple(ending for known in FORMATS.values() if known.can_read is None for ending in known.endings)
    return path.lower().endswith(endings)


def _files(filesystem: Any, root: str, url: str) -> list[str]:
    try:
        if any(sign in root for sign in "*?["):
            found = sorted(map(str, filesystem.glob(root)))
        elif filesystem.isdir(root):
            found = sorted(map(str, filesystem.find(root)))
        else:
            found = [root] if filesystem.exists(root) else []
    except Exception as error:
        if not _of_a_store(error):
            raise
        raise _not_reached(url, error) from None
    names = [path for path in found if not PurePosixPath(path).name.startswith(_WRITTEN_BESIDE)]
    if not names:
        raise ReadingError(f"there is no file at {url!r}", remedy="check the URL, and the region or endpoint")
    return names


def _of_a_store(error: Exception) -> bool:
    """Whether an object store has raised it: each has exceptions of its own, and there is no common base."""
    package, _, _ = type(error).__module__.partition(".")
    return isinstance(error, (OSError, ValueError, RuntimeError)) or package in _OF_STORES


def _not_reached(url: str, error: Exception) -> ReadingError:
    return ReadingError(
        f"{url!r} cannot be reached",
        where=" ".join(f"{type(error).__name__}: {error}".split())[:200],
        remedy="check the URL, the credentials and the endpoint, as for any other program that reads it",
    )


def _last(path: str | Path) -> str:
    if is_url(path):
        return PurePosixPath(urlsplit(str(path)).path or urlsplit(str(path)).netloc).name or str(path)
    return Path(path).resolve().name or str(path)
