"""Edits: shown as a diff, made in the encoding and with the line ends of the file."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path

from reportkit.checker.diagnostic import Edit
from reportkit.checker.paper.source import SourceFile
from reportkit.errors import RenderingError


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Make the edits of one file; of two that overlap, the first is made.

    Examples
    --------
    >>> edited("p = .000 and b", [Edit(Path("a"), 0, 8, "p < .001")])
    'p < .001 and b'
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda item: (item.start, item.end)):
        if edit.start < at or edit.end > len(text):
            continue
        parts += [text[at : edit.start], edit.replacement]
        at = edit.end
    return "".join([*parts, text[at:]])


def edits_diff(edits: Iterable[Edit], files: Mapping[Path, SourceFile]) -> str:
    """Unified diff of all edits; empty if there are none."""
    parts: list[str] = []
    for path, own in _by_file(edits).items():
        old = files[path].text
        lines = difflib.unified_diff(
            old.splitlines(keepends=True),
            edited(old, own).splitlines(keepends=True),
            fromfile=path.as_posix(),
            tofile=path.as_posix(),
            n=1,
        )
        parts.extend(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
    return "".join(parts)


def apply_edits(edits: Iterable[Edit], files: Mapping[Path, SourceFile]) -> tuple[Path, ...]:
    """Make edits in the files.

    Returns
    -------
    tuple of Path
        The files that were changed.

    Raises
    ------
    RenderingError
        If a file was changed since it was read, or cannot be written.
    """
    from reportkit.checker.paper.files import decoded

    changed = []
    for path, own in _by_file(edits).items():
        file = files[path]
        try:
            if decoded(path.read_bytes())[0] != file.text:
                raise RenderingError(f"{str(path)!r} was changed while it was checked", remedy="run the command again")
            path.write_bytes(_encoded(edited(file.text, own), file.encoding))
        except OSError as error:
            raise RenderingError(f"{str(path)!r} cannot be written: {error.strerror}", remedy="check it") from error
        changed.append(path)
    return tuple(changed)


def _encoded(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode("utf-8")


def _by_file(edits: Iterable[Edit]) -> dict[Path, list[Edit]]:
    grouped: dict[Path, list[Edit]] = {}
    for edit in edits:
        grouped.setdefault(edit.path, []).append(edit)
    return grouped
