"""The files of a report put into its folder: all of them or none, whatever stops the process.

Where a folder holds nothing but an older report, the new one is made beside it and the two change places: one rename.
Where other files are in the folder, it stays, and its files are replaced one by one; what they were lies in
`.reportkit-undo` for so long, and whoever reads or writes the folder next puts it back if nobody finished. In both ways
one rename decides, and what a process that was killed has left is removed by the next one that writes.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from reportkit.errors import RenderingError
from reportkit.rendering.files.folder_lock import also_locked, locked
from reportkit.rendering.files.places import MORE

UNDO = ".reportkit-undo"
"""In a report's folder while its files are being replaced: what they were."""

_PREPARED = ".reportkit-new"
_BESIDE = ".reportkit-"
_OURS = re.compile(
    r"(more/)?((tables|figures)/)?[A-Za-z0-9-]+\.(tex|md|html|json|bib|csv|pdf|png|typ|docx|xlsx|zip)"
    r"|more/[A-Za-z0-9-]+\.parquet"
)
_SUBFOLDERS = ("tables", "figures", f"{MORE}/tables", f"{MORE}/figures", MORE)
"""Folders of a report, those within another before it."""
_NAMES = "names.json"
_COMPILED = "report.pdf"  # which TeX made of a report, and which goes with the folder


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
            _cleared(_beside(folder))
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
    if not _exchanged(folder, files, older):
        _replaced(folder, files, [name for name in older if name not in files])


def _beside(folder: Path) -> Path:
    """Where a new folder is made: on the same file system, and nobody else's as long as the folder is locked."""
    resolved = folder.resolve()
    return resolved.parent / f"{_BESIDE}{resolved.name}"


def _exchanged(folder: Path, files: Mapping[str, bytes], older: Sequence[str]) -> bool:
    """Make the new folder beside the old one and let them change places; False where that cannot be."""
    place, staged = folder.resolve(), _beside(folder)
    if not _is_exchangeable(place, older):
        return False
    try:
        staged.mkdir()
        for subfolder in {file.parent for file in map(PurePosixPath, files)}:
            (staged / subfolder).mkdir(parents=True, exist_ok=True)
            if (place / subfolder).is_dir():
                shutil.copystat(place / subfolder, staged / subfolder)
        same_group = staged.stat().st_gid == place.stat().st_gid
    except OSError:  # no rights above, a name that is too long
        same_group = False
    if not same_group:
        _cleared(staged)
        return False
    try:
        for file, content in files.items():
            (staged / file).write_bytes(content)
        with also_locked(staged):
            if not _is_exchangeable(place, older) or not _linked(place, staged) or not _change_places(staged, place):
                return False
            for name in (*older, _COMPILED):
                with contextlib.suppress(OSError):
                    (staged / name).unlink()
            _rescued(staged, place)
            return True
    finally:
        _cleared(staged)


def _is_exchangeable(place: Path, older: Collection[str]) -> bool:
    """Whether the folder holds nothing but the older report, is the user's own, and nobody is known to stand in it."""
    try:
        if hasattr(os, "geteuid") and place.stat().st_uid != os.geteuid():
            return False
        return not Path.cwd().is_relative_to(place) and set(_files_in(place)) <= {*older, _COMPILED}
    except OSError:
        return False


def _files_in(folder: Path, within: str = "") -> Iterator[str]:
    """Names of the files in a folder and in the folders of a report below it; any other folder counts as a file."""
    for entry in os.scandir(folder / within):
        name = f"{within}{entry.name}"
        if name in _SUBFOLDERS and entry.is_dir(follow_symlinks=False):
            yield from _files_in(folder, f"{name}/")
        else:
            yield name


def _linked(place: Path, staged: Path) -> bool:
    """Have what TeX made in both folders; False where a file cannot be in two."""
    try:
        if os.path.lexists(place / _COMPILED):
            os.link(place / _COMPILED, staged / _COMPILED, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return False
    return True


def _change_places(one: Path, other: Path) -> bool:
    """Let two folders change places by one rename, where the system has such a one."""
    if not any(other.iterdir()):
        with contextlib.suppress(OSError):
            one.rename(other)  # in the place of an empty folder
            return True
    import ctypes

    try:
        library = ctypes.CDLL(None, use_errno=True)
        paths = os.fsencode(one), os.fsencode(other)
        platform = str(sys.platform)  # of the machine that runs it, not of the one that checks types
        if platform == "linux":
            at_path, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
            return bool(library.renameat2(at_path, paths[0], at_path, paths[1], exchange) == 0)
        if platform == "darwin":
            return bool(library.renamex_np(*paths, 2) == 0)  # RENAME_SWAP
    except (AttributeError, OSError, TypeError):  # an older system; Windows has no library None
        pass
    return False


def _cleared(folder: Path) -> None:
    """Remove a folder beside the report's: files that a report may have, and the folders if nothing else is left."""
    if folder.is_symlink() or not folder.is_dir():
        return
    for path in (*(folder / subfolder for subfolder in _SUBFOLDERS), folder):
        with contextlib.suppress(OSError):
            for file in path.iterdir():
                if is_name_of_file(file.relative_to(folder).as_posix()):
                    file.unlink()
            path.rmdir()


def _rescued(left: Path, place: Path) -> None:
    """Bring what somebody put into the older folder at the last moment to where it was meant for."""
    if left.is_dir():
        for name in list(_files_in(left)):
            if not os.path.lexists(place / name):
                with contextlib.suppress(OSError):
                    (place / name).parent.mkdir(parents=True, exist_ok=True)
                    (left / name).rename(place / name)


def _replaced(folder: Path, files: Mapping[str, bytes], stale: Sequence[str]) -> None:
    """Write the new files below the folder, keep what they replace, then move file by file; undo it if a move fails."""
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
