"""Reach files by URL through fsspec: list them, and copy those that are not read in place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from reportkit.errors import ReadingError, SettingsError
from reportkit.language.counts_and_lists import listed

_EXTRA = "'reportkit-replic[dask]'"
"""Brings fsspec, and s3fs for S3."""


def is_url(path: object) -> bool:
    """Tell whether a path is a URL.

    Examples
    --------
    >>> is_url("s3://bucket/scores"), is_url("scores.csv"), is_url("C:/scores.csv")
    (True, False, False)
    """
    return isinstance(path, (str, Path)) and "://" in str(path)


def name_of(url: str) -> str:
    """Return the last part of a URL."""
    return PurePosixPath(urlsplit(url).path or urlsplit(url).netloc).name or url


def filesystem_of(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path there.

    Raises
    ------
    SettingsError
        If fsspec, or the package of the object store, is not installed, or there is no such protocol.
    ReadingError
        If the store does not take the URL, as where it lacks an account.
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
        raise _not_reached(url, error) from None
    return filesystem, path


def files_at(filesystem: Any, root: str, url: str) -> list[str]:
    """List the files at a URL: one file, all in a folder, or those that fit a pattern.

    Raises
    ------
    ReadingError
        If there are none, or the store cannot be reached.
    """
    try:
        if any(sign in root for sign in "*?["):
            found = sorted(map(str, filesystem.glob(root)))
        elif filesystem.isdir(root):
            found = sorted(map(str, filesystem.find(root)))
        else:
            found = [root] if filesystem.exists(root) else []
    except Exception as error:  # of the store's own package: they have no common base
        raise _not_reached(url, error) from None
    # engines write _SUCCESS and .crc beside the data
    names = [path for path in found if not PurePosixPath(path).name.startswith(("_", "."))]
    if not names:
        raise ReadingError(f"there is no file at {url!r}", remedy="check the URL, and the region or endpoint")
    return names


def copied(urls: Sequence[str], folder: Path) -> list[Path]:
    """Copy what URLs mean to a folder of this machine, under their own names.

    Raises
    ------
    ReadingError
        If a name leads out of the folder.
    """
    there = []
    for number, url in enumerate(urls):
        filesystem, root = filesystem_of(url)
        target = folder / str(number) / name_of(url)
        whole = filesystem.isdir(root)
        for path in files_at(filesystem, root, url):
            name = path.removeprefix(root).lstrip("/") if whole else PurePosixPath(path).name
            parts = PurePosixPath(name).parts
            if ".." in PurePosixPath(path).parts or "\\" in name or "\0" in name:
                raise ReadingError(
                    f"{path!r} leads out of the folder that is read",
                    where="the listing of an archive, a store or a web server",
                    remedy="do not trust it; copy the files that you want to this machine and give their paths",
                )
            place = (target if whole else target.parent).joinpath(*parts)
            place.parent.mkdir(parents=True, exist_ok=True)
            filesystem.get(path, str(place))
            there += [] if whole else [place]
        there += [target] if whole else []
    return there


def _package_of(protocol: str) -> str:
    """Return what to install for a protocol that fsspec knows."""
    from fsspec.registry import known_implementations

    package, _, _ = known_implementations.get(protocol, {}).get("class", "fsspec").partition(".")
    web = "aiohttp requests" if protocol in ("http", "https") else ""
    return str({"s3fs": _EXTRA, "fsspec": web}.get(package, package))


def _not_installed(protocol: str, reason: str, package: str) -> SettingsError:
    return SettingsError(
        f"{protocol}:// needs a package that is not installed",
        where=reason,
        remedy=f"pip install {package}" if package else "install what is named there",
    )


def _not_reached(url: str, error: Exception) -> ReadingError:
    return ReadingError(
        f"{url!r} cannot be reached",
        where=" ".join(f"{type(error).__name__}: {error}".split())[:200],
        remedy="check the URL, the credentials and the endpoint, as for any other program that reads it",
    )


__all__ = ["copied", "files_at", "filesystem_of", "is_url", "name_of"]
