"""Put the tables and numbers of a report into a user's paper, and touch nothing else."""

from __future__ import annotations

import dataclasses
import difflib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.rendering.paper.markdown_update import markdown_edits
from reportkit.rendering.paper.paper_file import Edit, PaperFile, line_number, read_paper
from reportkit.rendering.paper.paper_pieces import Pieces
from reportkit.rendering.paper.tex_source import Named, Source, scan
from reportkit.rendering.paper.tex_update import Place, edits_for, place_of, place_of_region
from reportkit.rendering.paper_place import PaperPlace
from reportkit.rendering.replace_files import Change, replace_files

MARKDOWN = (".md", ".markdown", ".qmd", ".rmd")


@dataclass(frozen=True, slots=True)
class FileUpdate:
    """One file of a paper, before and after.

    Parameters
    ----------
    before, after : PaperFile
        The same file.
    """

    before: PaperFile
    after: PaperFile

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.before.path

    @property
    def diff(self) -> str:
        """What changes, as a unified diff; empty if nothing does."""
        old, new = (re.split("\r\n|\r|\n", item.text) for item in (self.before, self.after))
        name = str(self.path)
        return "".join(f"{line}\n" for line in difflib.unified_diff(old, new, name, name, "old", "new", lineterm=""))


@dataclass(frozen=True, slots=True)
class PaperUpdate:
    """What an update of a paper changes.

    Parameters
    ----------
    files : tuple of FileUpdate
        Those that hold something of the report, changed or not.
    written : bool
        Whether the changes are on the disk.
    notes : tuple of str
        Files that were not read, as they are not of the paper.
    """

    files: tuple[FileUpdate, ...]
    written: bool = False
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[Path, ...]:
        """Files that change."""
        return tuple(item.path for item in self.files if item.before != item.after)

    @property
    def diff(self) -> str:
        """What changes, as a unified diff; empty if everything is as it should be."""
        return "".join(item.diff for item in self.files)

    def __repr__(self) -> str:
        if not self.changed:
            return f"{', '.join(str(item.path) for item in self.files)}: nothing to change"
        return f"{'updated' if self.written else 'would update'} {', '.join(map(str, self.changed))}\n{self.diff}"


def update_paper(
    paper: str | Path,
    pieces: Pieces,
    labels: Mapping[str, str] | None = None,
    *,
    keep_caption: bool = False,
    dry_run: bool = False,
) -> PaperUpdate:
    r"""Replace tables of a paper by those of a report.

    Parameters
    ----------
    paper : str or Path
        LaTeX, with the files that it reads by `\input` from its folder or its repository; or Markdown (.md, .qmd,
        .Rmd).
    pieces : Pieces
        Tables and numbers of the report.
    labels : mapping of str to str, optional
        Label in the paper to the name of the table that goes there. Without it: everything that stands between comments
        of reportkit, and the labels that the report itself gives (`tab:results`).
    keep_caption : bool
        Keep the user's caption.
    dry_run : bool
        Write nothing.

    Returns
    -------
    PaperUpdate
        What changes; everything outside of the replaced environments stays as it is, byte for byte.

    Raises
    ------
    ReadingError, RenderingError
        If a file cannot be read or written.
    UnknownNameError
        If there is no such label or table; the nearest are said.
    SettingsError
        If a label stands twice, or it is not clear what to replace.
    """
    path = Path(paper)
    if path.suffix.lower() in MARKDOWN:
        update = _markdown(path, pieces, labels)
    else:
        update = _latex(path, pieces, labels, keep_caption=keep_caption)
    if dry_run:
        return update
    changes = [Change(item.path, item.before.content, item.after.content) for item in update.files]
    replace_files(change for change in changes if change.before != change.after)
    return dataclasses.replace(update, written=True)


def _markdown(path: Path, pieces: Pieces, labels: Mapping[str, str] | None) -> PaperUpdate:
    if labels:
        raise SettingsError(
            "Markdown has no labels",
            where=str(path),
            remedy="leave the label out, and put <!-- reportkit: begin results --> and <!-- reportkit: end results --> "
            "where the table is to stand",
        )
    file = read_paper(path)
    edits = markdown_edits(file, pieces)
    if not edits:
        raise SettingsError(
            f"{str(path)!r} names nothing of the report",
            remedy="put <!-- reportkit: begin results --> and <!-- reportkit: end results --> where the table is to "
            "stand, or <!-- rk: KEY --><!-- /rk --> where a number is",
        )
    return PaperUpdate((FileUpdate(file, file.edited(edits)),))


@dataclass(frozen=True, slots=True)
class _Part:
    """One file of a LaTeX paper, and which of the files that it names are not read, and why."""

    file: PaperFile
    source: Source
    refused: tuple[str, ...] = ()


def _latex(path: Path, pieces: Pieces, labels: Mapping[str, str] | None, *, keep_caption: bool) -> PaperUpdate:
    parts = tuple(_parts(path))
    for part in parts:
        if part.source.unpaired:
            marker = part.source.unpaired[0]
            raise SettingsError(
                f"the comment of reportkit for {marker.name!r} stands alone",
                where=_where(part, marker),
                remedy=f"write % reportkit: begin {marker.name} and % reportkit: end {marker.name}, each on its line",
            )
    chosen = _by_label(parts, labels, pieces) if labels else _everything(parts, pieces)
    updates = []
    for part in parts:
        here = [(place, table) for owner, place, table in chosen if owner is part]
        if not here:
            continue
        edits = [
            edit
            for place, table in here
            for edit in edits_for(
                part.file.text, part.source, place, table, pieces.latex[table], keep_caption=keep_caption
            )
        ]
        _refuse_overlap(part, edits)
        updates.append(FileUpdate(part.file, part.file.edited(edits)))
    return PaperUpdate(tuple(updates), notes=_refused(parts))


def _refused(parts: tuple[_Part, ...]) -> tuple[str, ...]:
    return tuple(note for part in parts for note in part.refused)


def _refuse_overlap(part: _Part, edits: list[Edit]) -> None:
    ordered = sorted(edits, key=lambda edit: edit.start)
    for first, second in pairwise(ordered):
        if second.start < first.end:
            raise SettingsError(
                "two of the labels are in the same table",
                where=f"{part.file.path}, line {line_number(part.file.text, second.start)}",
                remedy="name one of them",
            )


def _parts(path: Path) -> Iterator[_Part]:
    """The file and those that it reads, each once; files that are not there, or are not its own, are left out."""
    place = PaperPlace.of(path)
    seen: set[str] = set()
    waiting = [path]
    while waiting:
        current = waiting.pop(0)
        resolved = os.path.realpath(current)
        if resolved in seen:
            continue
        seen.add(resolved)
        file = read_paper(current)
        source = scan(file.text)
        found = {item.name: _file_read(item.name, path.parent, place) for item in source.reads}
        refused = tuple(f"{name!r} {why}, and was not read" for name, why in found.items() if isinstance(why, str))
        yield _Part(file, source, refused)
        waiting.extend(item for item in found.values() if isinstance(item, Path))


def _file_read(name: str, folder: Path, place: PaperPlace) -> Path | str | None:
    """Where a file is, or why it is not read; None if there is none."""
    refusal = ""
    for candidate in (f"{name}.tex", name) if name.strip() else ():
        try:
            refusal = refusal or place.refusal(folder / candidate)
            if not place.refusal(folder / candidate) and (folder / candidate).is_file():
                return folder / candidate
        except (OSError, ValueError):
            continue
    return refusal or None


def _where(part: _Part, named: Named) -> str:
    return f"{part.file.path}, line {line_number(part.file.text, named.span.start)}"


_Chosen = list[tuple[_Part, Place, str]]


def _by_label(parts: tuple[_Part, ...], labels: Mapping[str, str], pieces: Pieces) -> _Chosen:
    chosen: _Chosen = []
    for label, table in labels.items():
        if table not in pieces.latex:
            raise UnknownNameError("table", table, pieces.latex)
        found = [(part, item) for part in parts for item in part.source.labels if item.name == label]
        if not found:
            _refuse_missing(parts, label)
        if len(found) > 1:
            raise SettingsError(
                f"the label {label!r} stands {len(found)} times in the paper",
                where="; ".join(_where(part, item) for part, item in found),
                remedy="give each table its own label",
            )
        part, item = found[0]
        _refuse_generated(part, item)
        chosen.append((part, place_of(part.file.text, part.source, item, table, str(part.file.path)), table))
    return chosen


def _refuse_missing(parts: tuple[_Part, ...], label: str) -> None:
    hidden = [_where(part, item) for part in parts for item in part.source.hidden if item.name == label]
    if hidden:
        raise SettingsError(
            f"the label {label!r} stands only in a comment or in verbatim text", where="; ".join(hidden)
        )
    known = dict.fromkeys(item.name for part in parts for item in part.source.labels)
    places = {item.name: part.file.path for part in parts for item in part.source.labels}
    files = dict.fromkeys(str(path) for path in places.values())
    where = ", ".join(files) or str(parts[0].file.path)
    raise UnknownNameError("label", label, known, where="; ".join([where, *_refused(parts)]))


def _refuse_generated(part: _Part, item: Named) -> None:
    if part.source.generated:
        raise SettingsError(
            f"the table with the label {item.name!r} is in a file that reportkit build writes",
            where=_where(part, item),
            remedy=r"nothing to do here: build the report again, and the paper reads it through \input",
        )


def _everything(parts: tuple[_Part, ...], pieces: Pieces) -> _Chosen:
    """All that stands between comments, and the labels that the report gives."""
    chosen: _Chosen = []
    for part in parts:
        if part.source.generated:
            continue
        for region in part.source.regions:
            if region.name not in pieces.latex:
                where = f"{part.file.path}, line {line_number(part.file.text, region.span.start)}"
                raise UnknownNameError("table", region.name, pieces.latex, where=where)
            chosen.append((part, place_of_region(part.source, region), region.name))
        for item in part.source.labels:
            table = item.name.removeprefix("tab:")
            if item.name != f"tab:{table}" or table not in pieces.latex:
                continue
            place = place_of(part.file.text, part.source, item, table, str(part.file.path))
            if not place.marked:
                chosen.append((part, place, table))
    if not chosen:
        known = dict.fromkeys(item.name for part in parts for item in part.source.labels)
        raise SettingsError(
            f"{str(parts[0].file.path)!r} names no table of the report",
            where="; ".join(["labels: " + (", ".join(list(known)[:10]) or "none"), *_refused(parts)]),
            remedy="say which table goes where: label='tab:main' (--label tab:main=results), or put the comments "
            "'% reportkit: begin results' and '% reportkit: end results' where it is to stand",
        )
    return chosen
