"""Files of a user's paper with new content: each is the old one or the new one, whenever the process is stopped.

New content is written next to the file, flushed to the disk, and renamed over it. If one of several files cannot be
replaced, the others get their old content back.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from reportkit.errors import RenderingError
from reportkit.rendering.paper_place import regular_bytes


class Change(NamedTuple):
    """New content of a file, the content that it was made from, and the difference for people."""

    path: Path
    before: bytes
    after: bytes
    diff: str = ""


def replace_files(changes: Iterable[Change]) -> None:
    """Give files new content: all of them, or none. Permissions and symbolic links stay.

    Parameters
    ----------
    changes : iterable of Change
        At most one for each file.

    Raises
    ------
    RenderingError
        If a file was changed meanwhile, is write-protected, or cannot be written. Every file then has its old content.
    """
    wanted = {Path(os.path.realpath(change.path)): change for change in changes}
    replaced: list[Path] = []
    with contextlib.ExitStack() as beside:
        try:
            staged = {target: _beside(target, change, beside) for target, change in wanted.items()}
            for target, written in staged.items():
                written.replace(target)
                replaced.append(target)
        except BaseException as error:
            for target in replaced:
                target.write_bytes(wanted[target].before)
            if not isinstance(error, OSError):
                raise
            raise RenderingError(
                f"{str(error.filename)!r} cannot be written: {error.strerror or error}",
                remedy="check the rights of its folder and the space on the disk",
            ) from error


def _beside(target: Path, change: Change, until: contextlib.ExitStack) -> Path:
    """Write new content to a file next to the old one, with its permissions; return where."""
    if not os.access(target, os.W_OK):
        raise RenderingError(
            f"{str(change.path)!r} is write-protected", remedy="allow writing (chmod u+w), or leave it as it is"
        )
    if regular_bytes(target) != change.before:
        raise RenderingError(f"{str(change.path)!r} was changed since it was read", remedy="run the command again")
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".reportkit-", delete=False) as stream:
        name = Path(stream.name)
        until.callback(name.unlink, missing_ok=True)
        stream.write(change.after)
        stream.flush()
        os.fsync(stream.fileno())
    shutil.copymode(target, name)
    return name
