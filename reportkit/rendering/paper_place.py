r"""Which files a paper may name: regular ones in its folder or its repository, read without ever waiting for them.

A paper may come from a stranger, and what is read of it is shown to others. So `\input{/proc/self/environ}`, a link to
a key, a hidden file such as `.git/config`, which holds a token on a build machine, and a pipe that never ends are
refused, as TeX itself does with `openin_any = p`.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

SYSTEM = ("/proc", "/sys", "/dev")
"""Trees that hold no files of a user: those of the kernel, and devices."""

SHARED_MEMORY = "/dev/shm"  # noqa: S108  # the folder of a user's temporary files on some systems


@dataclass(frozen=True, slots=True)
class PaperPlace:
    """The place of a paper, with all links followed.

    Parameters
    ----------
    folder : Path
        The folder of its main file.
    repository : Path or None
        The folder with `.git` that holds it.
    """

    folder: Path
    repository: Path | None

    @classmethod
    def of(cls, paper: Path) -> PaperPlace:
        """Find the place of a paper by its main file."""
        folder = Path(os.path.realpath(paper.parent))
        above = (place for place in (folder, *folder.parents) if os.path.lexists(place / ".git"))
        return cls(folder, next(above, None))

    def refusal(self, path: Path, *, named: bool = False) -> str:
        """Return why a file is not read; empty if it may be.

        Parameters
        ----------
        path : Path
            The file, which need not exist.
        named : bool
            Whether the user named it, and not the paper: then it may be hidden.
        """
        real = Path(os.path.realpath(path))
        if in_the_system(real) and not (real.is_relative_to(SHARED_MEMORY) and self.holds(real)):
            return "is no file of a paper"
        for folder in (self.folder, self.repository):
            if folder is not None and real.is_relative_to(folder):
                parts = real.relative_to(folder).parts
                if any(part.startswith(".") for part in parts) and not (named and not path.is_symlink()):
                    return "is hidden"
                return ""
        return "lies outside of the folder of the paper" + (" and of its repository" if self.repository else "")

    def holds(self, path: Path) -> bool:
        """Return whether a file lies in the folder of the paper, with all links followed."""
        return Path(os.path.realpath(path)).is_relative_to(self.folder)


def in_the_system(path: Path) -> bool:
    """Return whether a path leads to a file of the kernel or a device rather than to a user's file."""
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(tree) for tree in SYSTEM)


def regular_bytes(path: Path, most: int | None = None) -> bytes:
    """Read a regular file, at most `most` bytes and one more; a pipe, a device or a folder is an `OSError`.

    Raises
    ------
    OSError
        Also for what is there and is not a regular file.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise _irregular(path)
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):  # replaced since it was checked
            raise _irregular(path)
        parts, left = [], -1 if most is None else most + 1
        while left and (part := os.read(handle, 1 << 20 if left < 0 else min(left, 1 << 20))):
            parts.append(part)
            left -= len(part) if left > 0 else 0
        return b"".join(parts)
    finally:
        os.close(handle)


def _irregular(path: Path) -> OSError:
    kind = "it is a folder" if path.is_dir() else "it is no regular file"
    return OSError(0, kind, str(path))
