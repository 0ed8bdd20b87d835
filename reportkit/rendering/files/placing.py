"""The files of a report put into its folder: all of them or none, whatever stops the process.

What is replaced lies in `.reportkit-undo` until all new files are in their places, and whoever reads or writes the
folder next puts it back if nobody finished. One rename decides, and other files in the folder stay.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from reportkit.errors import RenderingError
from reportkit.rendering.files.folder_lock import locked
from reportkit.rendering.files.places import MORE

UNDO = ".reportkit-undo"
"""In a report's folder while its files are being replaced: what they were."""

_PREPARED = ".reportkit-new"
_OURS = re.compile(
    r"(more/)?((tables|figures)/)?[A-Za-z0-9-]+\.(tex|md|html|json|bib|csv|pdf|png|typ|docx|xlsx|zip)"
    r"|more/[A-Za-z0-9-]+\.parquet"
)
_SUBFOLDERS = ("tables", "figures", f"{MORE}/tables", f"{MORE}/figures", MORE)
"""Folders of a report, those within another before it."""
_NAMES = "names.json"


def is_name_of_file(name: object) -> bool:
    """Whether a report may have a file of this name; never one outside its folder."""
    return isinstance(name, str) and _OURS.fullmatch(name) is not None


@contextmanager
def sole_writer(folder: Path) -> Iterator[None]:
    """Nobody else writes into the folder meanwhile; what an interrupted process left is put right before.

    Parameters
    ----------
    folder : Path
        Made if it is not there, with those above it; what was made goes again if nothing is written.

    Raises
    ------
    RenderingError
        If another process does not end writing.
    OSError
        If the folder cannot be written.
    """
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    with locked(folder):
        try:
            _undone(folder)
            yield
        finally:
            for path in made:
                with contextlib.suppress(OSError):
                    path.rmdir()  # only if it is empty


def settle(folder: Path) -> None:
    """Put the older report back if a process was killed while it replaced one; without one, do nothing.

    Raises
    ------
    RenderingError
        If that cannot be done.
    """
    if not os.path.lexists(folder / UNDO):
        return
    try:
        with locked(folder):
            _undone(folder)
    except OSError as error:
        raise RenderingError(
            f"the writing of the report in {str(folder)!r} was interrupted, and the older report cannot be put back: "
            f"{error.strerror or error}",
            remedy="check the rights of the folder, or build the report again in another one",
        ) from error


def put_in_place(folder: Path, files: Mapping[str, bytes], older: Sequence[str]) -> None:
    """Replace the older report by the new one, as a whole; other files stay.

    Parameters
    ----------
    folder : Path
        With this process as its sole writer.
    files : mapping of str to bytes
        The new report, the manifest among it.
    older : sequence of str
        Files of the older report.

    Raises
    ------
    OSError
        If it fails; the folder is then as it was.
    """
    stale = [name for name in older if name not in files]
    prepared = folder / _PREPARED
    try:
        for name, content in files.items():
            _parent_made(prepared / "new" / name).write_bytes(content)
        kept = [name for name in (*files, *stale) if os.path.lexists(folder / name)]
        for name in kept:
            shutil.copy2(folder / name, _parent_made(prepared / "old" / name), follow_symlinks=False)
        names = {"files": [*files], "kept": kept}
        (prepared / _NAMES).write_text(json.dumps(names), encoding="utf-8")
        prepared.rename(folder / UNDO)
        for subfolder in dict.fromkeys(PurePosixPath(name).parent for name in files):
            (folder / subfolder).mkdir(parents=True, exist_ok=True)
        for name in files:
            (folder / UNDO / "new" / name).replace(folder / name)
        for name in stale:
            (folder / name).unlink(missing_ok=True)
        (folder / UNDO).rename(prepared)  # from here on, the new report is the one that counts
    finally:
        _undone(folder)
        _without_empty(folder)


def _parent_made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _undone(folder: Path) -> None:
    """Put back what a replacement that did not end had replaced, and remove what it, or one that ended, has left."""
    undo = folder / UNDO
    if _is_real(undo):
        try:
            names = json.loads((undo / _NAMES).read_bytes())
            files, kept = ([name for name in names[key] if is_name_of_file(name)] for key in ("files", "kept"))
        except (ValueError, KeyError, TypeError):
            files, kept = [], []
        for name in files:
            if name not in kept:
                with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                    (folder / name).unlink()
        for name in kept:
            if _is_real((undo / "old" / name).parent) and os.path.lexists(undo / "old" / name):
                (undo / "old" / name).replace(_parent_made(folder / name))
        shutil.rmtree(undo)
        _without_empty(folder)
    if _is_real(folder / _PREPARED):
        shutil.rmtree(folder / _PREPARED, ignore_errors=True)


def _without_empty(folder: Path) -> None:
    for subfolder in _SUBFOLDERS:
        with contextlib.suppress(OSError):
            (folder / subfolder).rmdir()  # only if it is empty


def _is_real(path: Path) -> bool:
    """Whether it is a folder, and no link to one."""
    return path.is_dir() and not path.is_symlink()
