"""One writer at a time in a folder: a second one waits, and a process that dies gives its lock back."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reportkit.errors import RenderingError

PATIENCE = 30.0
"""Seconds that a second writer waits: a report is in its place within a fraction of one."""

_PAUSE = 0.02


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; the folder is made if it is not there.

    The lock is the system's and belongs to the folder itself, so that no file is left and none can be stale. Where a
    file system has no locks, nobody waits.

    Raises
    ------
    RenderingError
        If another process holds it for longer than `PATIENCE`.
    OSError
        If the folder cannot be made or opened.
    """
    until = time.monotonic() + PATIENCE
    while (handle := _taken(folder)) is None:
        if time.monotonic() > until:
            raise RenderingError(
                f"another process is writing into {str(folder)!r}, for more than {PATIENCE:g} seconds",
                remedy="wait for it or end it, or name another folder",
            )
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        os.close(handle)


@contextmanager
def also_locked(folder: Path) -> Iterator[None]:
    """Lock a folder that nobody else can have locked: one that is about to stand where a locked one stands."""
    handle = _taken(folder)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _taken(folder: Path) -> int | None:
        """Lock a file that is called after the folder: Windows opens and locks files only."""
        folder.mkdir(parents=True, exist_ok=True)
        name = hashlib.sha256(os.path.normcase(folder.resolve()).encode("utf-8", "surrogatepass")).hexdigest()[:32]
        handle = os.open(Path(tempfile.gettempdir()) / f"reportkit-{name}.lock", os.O_RDWR | os.O_CREAT)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            os.close(handle)
            return None
        return handle

else:
    import fcntl

    def _taken(folder: Path) -> int | None:
        """Lock the folder itself; None if another has it, or if it is no longer what is called so."""
        folder.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:  # removed just now
            return None
        same = False
        try:
            with contextlib.suppress(FileNotFoundError):
                same = _flocked(handle) and os.path.samestat(os.fstat(handle), folder.stat())
        finally:
            if not same:
                os.close(handle)
        return handle if same else None

    def _flocked(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
        return True
