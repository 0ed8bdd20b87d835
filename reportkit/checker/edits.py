"""Edits: shown as a diff, and made byte for byte, in all files or in none."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reportkit.checker.diagnostic import Edit
from reportkit.checker.paper.source import SourceFile
from reportkit.rendering.replace_files import Change, replace_files


def edited(text: str, edits: Iterable[Edit]) -> str:
    r"""Make the edits of one file, with its line ends; of two that overlap, the first is made.

    Examples
    --------
    >>> edited("p = .000 and b", [Edit(Path("a"), 0, 8, "p < .001")])
    'p < .001 and b'
    """
    end = "\r\n" if "\r\n" in text else "\n"
    parts: list[str] = []
    at = 0
    for edit in sorted(dict.fromkeys(edits), key=lambda item: (item.start, item.end)):
        if edit.start < at or edit.end > len(text):
            continue
        parts += [text[at : edit.start], edit.replacement.replace("\n", end)]
        at = edit.end
    return "".join([*parts, text[at:]])


@dataclass(frozen=True, slots=True)
class Mending:
    """What edits make of files.

    Parameters
    ----------
    texts : mapping of Path to str
        New texts of the files that may be changed.
    kept : mapping of Path to str
        Files that are left alone, each with the reason.
    """

    texts: Mapping[Path, str] = field(default_factory=dict)
    kept: Mapping[Path, str] = field(default_factory=dict)


def mending(edits: Iterable[Edit], files: Mapping[Path, SourceFile]) -> Mending:
    """Find what edits make of files, and which files are not to be changed."""
    texts: dict[Path, str] = {}
    kept: dict[Path, str] = {}
    grouped: dict[Path, list[Edit]] = {}
    for edit in edits:
        grouped.setdefault(edit.path, []).append(edit)
    for path, own in grouped.items():
        file = files[path]
        text = edited(file.text, own)
        if file.kept:
            kept[path] = file.kept
            continue
        try:
            text.encode(file.encoding)
            texts[path] = text
        except UnicodeEncodeError as error:
            kept[path] = f"{file.encoding.upper()} has no {text[error.start]!r}; save it as UTF-8"
    return Mending(texts, kept)


def edits_diff(edits: Iterable[Edit], files: Mapping[Path, SourceFile]) -> str:
    """Unified diff of all edits that may be made; empty if there are none."""
    parts: list[str] = []
    for path, text in mending(edits, files).texts.items():
        old, new = (_lines(item) for item in (files[path].text, text))
        lines = difflib.unified_diff(old, new, fromfile=path.as_posix(), tofile=path.as_posix(), n=1)
        parts.extend(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
    return "".join(parts)


def apply_edits(edits: Iterable[Edit], files: Mapping[Path, SourceFile]) -> tuple[Path, ...]:
    """Make the edits that may be made, in all files or in none.

    Returns
    -------
    tuple of Path
        The files that were changed.

    Raises
    ------
    RenderingError
        If a file was changed since it was read, or cannot be written; then none is changed.
    """
    texts = mending(edits, files).texts
    replace_files(
        Change(path, files[path].text.encode(files[path].encoding), text.encode(files[path].encoding))
        for path, text in texts.items()
    )
    return tuple(texts)


def _lines(text: str) -> list[str]:
    """Lines as editors count them, with their ends: a form feed ends none."""
    *ended, last = text.split("\n")
    return [*(f"{line}\n" for line in ended), *([last] if last else [])]
