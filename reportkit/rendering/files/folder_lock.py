"""One writer at a time in a folder: a second one waits, and a process that dies gives its lock back."""

from __future__ import annotations

import contextlib
import os
import sys
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
    system (Windows) or a file system has no such locks, nobody waits.

    Raises
    ------
    RenderingError
        If another process holds it for longer than `PATIENCE`.
    OSError
        If the folder cannot be made or opened.
    """
    if sys.platform == "win32":
        folder.mkdir(parents=True, exist_ok=True)
        yield
        return
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
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
