"""Files of a user's paper with new content: each is the old one or the new one, whenever the process is stopped.

New content is written beside the file, flushed to the disk, and renamed over it. If one of several files cannot be
replaced, the others get their old content back.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from reportkit.errors import RenderingError
from reportkit.rendering.paper_place import regular_bytes


class Change(NamedTuple):
    """New content of a file, and the content that it was made from."""

    path: Path
    before: bytes
    after: bytes


def replace_files(changes: Iterable[Change]) -> None:
    """Give files new content: all of them, or none. Rights and symbolic links stay.

    Parameters
    ----------
    changes : iterable of Change
        At most one for each file.

    Raises
    ------
    RenderingError
        If a file was changed meanwhile, is write-protected, or cannot be written. Every file then has its old content.
    """
    by_target = {Path(os.path.realpath(change.path)): change for change in changes}
    for target, change in by_target.items():
        with _saying(change.path):
            _refuse_changed(target, change)
    staged: dict[Path, Path] = {}
    replaced: list[Path] = []
    try:
        for target, change in by_target.items():
            with _saying(change.path):
                staged[target] = _beside(target, change.after)
        for target, change in by_target.items():
            with _saying(change.path):
                staged[target].replace(target)
                replaced.append(target)
    except BaseException:
        for target in replaced:
            with contextlib.suppress(OSError):
                _beside(target, by_target[target].before).replace(target)
        raise
    finally:
        for name in staged.values():
            name.unlink(missing_ok=True)


def _beside(target: Path, content: bytes) -> Path:
    """Write content to a new file beside a file, with the rights of that file; return where."""
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".reportkit-", delete=False) as stream:
        name = Path(stream.name)
        try:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
            shutil.copymode(target, name)
        except BaseException:
            name.unlink()
            raise
    return name


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
