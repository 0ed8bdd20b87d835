"""Files of a user's paper with new content: every file is the old one or the new one, whenever the process is killed.

New content is written beside the file, flushed to the disk, and renamed over it; if one of several files cannot be
replaced, the others get their old content back. No file system renames several files at once: a process that is killed
between two renames leaves some files new and others old, each of them whole, and the next run does the rest.

What a rename keeps and what it does not: rights, extended attributes and, where the user may give files away, owner
and group are those of the old file; a symbolic link stays one, and the file behind it is replaced. Other hard links
keep the old content, as for any program that replaces files whole; that is said. Writing into the file would keep them,
but would leave half a paper when the process is killed, and would change the copies of `cp -al` and
`rsync --link-dest`, which share their content so.

A file is locked while it is replaced, so that whatever an earlier process left beside it (`.paper.tex.rk-XXXXXXXX.tmp`)
is known to be of a process that is gone, and is removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import re
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from reportkit.errors import RenderingError
from reportkit.rendering.files.paper_place import regular_bytes

fcntl: Any = importlib.import_module("fcntl") if importlib.util.find_spec("fcntl") else None
"""Locks; Windows has none of this kind."""

PATIENCE = 10.0
"""Seconds to wait for another process that replaces the same file."""

OLD_AGE = 3_600.0
"""Seconds after which something left is of a process that is gone, on file systems without locks."""

_LONGEST = 200


class Change(NamedTuple):
    """New content of a file, and the content that it was made from."""

    path: Path
    before: bytes
    after: bytes


def replace_files(changes: Iterable[Change]) -> tuple[str, ...]:
    """Give files new content: all of them, or none.

    Parameters
    ----------
    changes : iterable of Change
        At most one for each file.

    Returns
    -------
    tuple of str
        What could not be kept of a file: other hard links, its owner.

    Raises
    ------
    RenderingError
        If a file was changed meanwhile, is write-protected, or cannot be written. Every file is then as it was.
    """
    by_target = {Path(os.path.realpath(change.path)): change for change in changes}
    notes: list[str] = []
    with contextlib.ExitStack() as stack:
        for target in sorted(by_target):  # in one order, so that two processes do not wait for each other
            path = by_target[target].path
            stack.enter_context(_saying(path))
            stack.enter_context(_locked(target, path))
            _refuse_changed(target, by_target[target])
        staged: dict[Path, Path] = {}
        kept: dict[Path, Path] = {}
        try:
            for target, change in by_target.items():
                with _saying(change.path):
                    staged[target] = _staged(target, change, notes)
            if len(by_target) > 1:
                for target, change in by_target.items():
                    with _saying(change.path):
                        kept[target] = _kept(target)
            _rename(by_target, staged, kept)
        finally:
            for name in (*staged.values(), *kept.values()):
                with contextlib.suppress(OSError):
                    name.unlink()
    return tuple(notes)


def remove_leftovers(paths: Iterable[Path]) -> None:
    """Remove what killed processes left beside files; a file that another process replaces right now is left alone."""
    for target in dict.fromkeys(Path(os.path.realpath(path)) for path in paths):
        if _leftovers(target):
            with contextlib.suppress(OSError, RenderingError), _locked(target, target, patience=0.0):
                pass


def _rename(changes: dict[Path, Change], staged: dict[Path, Path], kept: dict[Path, Path]) -> None:
    """Put new files in the place of the old ones; if one cannot be, put the old ones back."""
    try:
        for target, change in changes.items():
            with _saying(change.path):
                staged[target].replace(target)
    except BaseException:
        for target, name in kept.items():
            with contextlib.suppress(OSError):
                name.replace(target)
        raise
    for folder in {target.parent for target in changes}:
        with contextlib.suppress(OSError):
            _flush_folder(folder)


def _flush_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _saying(path: Path) -> Iterator[None]:
    """Say of errors of the system which file they are about."""
    try:
        yield
    except OSError as error:
        raise RenderingError(
            f"{str(path)!r} cannot be written: {error.strerror or error}", remedy="check the rights of its folder"
        ) from error


def _refuse_changed(target: Path, change: Change) -> None:
    if not os.access(target, os.W_OK):
        raise RenderingError(
            f"{str(change.path)!r} is write-protected", remedy="allow writing (chmod u+w), or leave it as it is"
        )
    if regular_bytes(target) != change.before:
        raise RenderingError(f"{str(change.path)!r} was changed since it was read", remedy="run the command again")


# what stands beside a file for a moment


def _prefix(target: Path) -> str:
    name = target.name
    if len(os.fsencode(name)) > _LONGEST:
        name = hashlib.sha256(os.fsencode(name)).hexdigest()[:32]
    return f".{name}.rk-"


def _beside(target: Path, suffix: str) -> tuple[int, Path]:
    handle, name = tempfile.mkstemp(prefix=_prefix(target), suffix=suffix, dir=target.parent)
    return handle, Path(name)


def _leftovers(target: Path) -> list[Path]:
    """Files beside a file that have a name as only this module gives it."""
    pattern = re.compile(re.escape(_prefix(target)) + r"[a-z0-9_]{8}\.(?:tmp|old)")
    try:
        return [path for path in target.parent.iterdir() if pattern.fullmatch(path.name) and _is_regular(path)]
    except OSError:
        return []


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _staged(target: Path, change: Change, notes: list[str]) -> Path:
    """Write new content beside a file, with the rights of the file; return where."""
    handle, name = _beside(target, ".tmp")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(change.after)
            stream.flush()
            notes.extend(_taken_over(target, name, change.path))
            os.fsync(stream.fileno())
    except BaseException:
        with contextlib.suppress(OSError):
            name.unlink()
        raise
    return name


def _kept(target: Path) -> Path:
    """The old file under another name, to be put back; a hard link, so that it is the same file, or else a copy."""
    handle, name = _beside(target, ".old")
    os.close(handle)
    try:
        name.unlink()
        name.hardlink_to(target)
    except OSError:
        shutil.copy2(target, name)
    return name


def _taken_over(target: Path, name: Path, path: Path) -> Iterator[str]:
    """Give a new file owner, rights and extended attributes of the old one; yield what could not be kept."""
    old, new = target.stat(), name.stat()
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        for owner in (old.st_uid, -1):
            with contextlib.suppress(OSError):
                os.chown(name, owner, old.st_gid)
                break
        if name.stat().st_uid != old.st_uid:
            yield f"{path} had another owner, who may not be given files; it is yours now"
    shutil.copymode(target, name)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for attribute in os.listxattr(target):
                with contextlib.suppress(OSError):
                    os.setxattr(name, attribute, os.getxattr(target, attribute))
    if old.st_nlink > 1:
        links = "another hard link, which keeps" if old.st_nlink == 2 else "other hard links, which keep"
        yield f"{path} had {links} the old text"


# locks


@contextlib.contextmanager
def _locked(target: Path, path: Path, *, patience: float | None = None) -> Iterator[None]:
    """Hold the lock of a file, and remove what earlier processes left beside it."""
    handle, alone = _handle(target, path, PATIENCE if patience is None else patience)
    try:
        for name in _leftovers(target):
            with contextlib.suppress(OSError):
                if alone or time.time() - name.lstat().st_mtime > OLD_AGE:
                    name.unlink()
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _handle(target: Path, path: Path, patience: float) -> tuple[int | None, bool]:
    """Open and lock a file; whether the lock could be had, which not every system and file system knows."""
    until = time.monotonic() + patience
    while fcntl is not None:
        handle = os.open(target, os.O_RDONLY | os.O_NONBLOCK)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            if time.monotonic() >= until:
                raise RenderingError(
                    f"{str(path)!r} is being written by another process",
                    remedy="wait for it, and run the command again",
                ) from None
            time.sleep(0.05)
            continue
        except OSError:
            return handle, False
        if _is_still(handle, target):
            return handle, True
        os.close(handle)  # it was replaced while we waited
    return None, False


def _is_still(handle: int, target: Path) -> bool:
    held = os.fstat(handle)
    there = target.stat()
    return (held.st_dev, held.st_ino) == (there.st_dev, there.st_ino)
