r"""Tables of a report in a user's LaTeX: a `tabular` and its caption are replaced, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reportkit.checker.paper.document import Document, Label
from reportkit.checker.paper.source import SourceFile
from reportkit.checker.paper.structure import Structure
from reportkit.checker.paper.tokens import tokens_of
from reportkit.errors import RenderingError, SettingsError, UnknownNameError

if TYPE_CHECKING:
    from reportkit.rendering.paper_update import Pieces

_FLOATS = {"table", "table*", "sidewaystable", "sidewaystable*", "wraptable", "SCtable", "figure", "figure*"}
_FLOATS |= {"margintable", "subtable"}
_TABULARS = {"tabular", "tabular*", "tabularx", "tabulary", "tblr", "array"}
_MARKER = re.compile(r"%[ \t]*reportkit:[ \t]*(begin|end)[ \t]+([A-Za-z0-9-]+)[ \t]*(\r\n|\r|\n|\Z)")
_LABEL = re.compile(r"\\label\{([^{}]*)\}")
_HEAD = re.compile(r"(?:(?:%|\\ifcsname|\\ifdefined\\rkunicode)[^\n]*\n)*")
_GENERATED = re.compile(r"%[ \t]*reportkit [^|\r\n]*\|[^\r\n]*do not edit")
LINE_END = re.compile(r"\r\n|\r|\n")
_AROUND = "put the comments '% reportkit: begin NAME' and '% reportkit: end NAME' around what is to be replaced"


class Edit(NamedTuple):
    """A text that replaces the part of a file from `start` up to `end`; its lines end with a line feed."""

    file: int
    start: int
    end: int
    text: str


class Region(NamedTuple):
    """The text between two comments of reportkit, and the places where these name the table."""

    name: str
    start: int
    end: int
    names: tuple[tuple[int, int], ...]


def regions(file: SourceFile, comments: Iterable[re.Match[str]], form: str) -> list[Region]:
    """Pair the comments of a file that begin and end a region.

    Raises
    ------
    SettingsError
        If a comment that begins one has none that ends it, or the other way round.
    """
    found: list[Region] = []
    opened: re.Match[str] | None = None
    for match in (*comments, None):
        begins = match is not None and match[1] == "begin"
        if match is None or begins == (opened is not None) or (opened is not None and opened[2] != match[2]):
            if (culprit := opened or match) is None:
                break
            raise SettingsError(
                f"the comment of reportkit for {culprit[2]!r} stands alone",
                where=where_in(file, culprit.start()),
                remedy=f"write {form.format(f'begin {culprit[2]}')} and {form.format(f'end {culprit[2]}')}",
            )
        if opened is None:
            opened = match
            continue
        found.append(Region(match[2], opened.end(), match.start(), (opened.span(2), match.span(2))))
        opened = None
    return found


def where_in(file: SourceFile, position: int) -> str:
    """Name the file and the line of a position."""
    return f"{file.path}, line {1 + len(LINE_END.findall(file.text[:position]))}"


def unread(document: Document) -> list[str]:
    """Return the messages about files that are not read, as they are not of the paper."""
    return [problem.message for problem in document.problems if "is not read" in problem.message]


class _Stretch(NamedTuple):
    """An environment or a caption."""

    name: str
    start: int
    end: int


class _Source:
    """One LaTeX file, and what stands where in it."""

    def __init__(self, file: SourceFile) -> None:
        self.file, self.text = file, file.text
        self.generated = bool(_GENERATED.match(file.text))
        every = list(tokens_of(file.text, 0))
        tokens = [token for token in every if token.kind != "comment"]
        structure = Structure(tokens)
        self.stretches: list[_Stretch] = []
        for index, token in enumerate(tokens):
            name = token.text if token.kind == "macro" else ""
            last, begins = index, ""
            if name == r"\begin" and (last := structure.environment_end[index]) < len(tokens):
                begins = structure.name_at(index) if structure.name_at(index) == structure.name_at(last) else ""
            elif name == r"\caption":
                begins = "caption"
            argument = structure.last(last + 1, len(tokens)) if begins else None
            if argument is not None and tokens[argument.after - 1].kind == "close":
                self.stretches.append(_Stretch(begins, token.start, tokens[argument.after - 1].end))
        comments = (_MARKER.match(file.text, token.start) for token in every if token.kind == "comment")
        self.regions = regions(file, filter(None, comments), "% reportkit: {}")

    def around(self, position: int, names: Iterable[str] = ()) -> list[_Stretch]:
        """Return the environments around a position, outermost first; of some names if these are given."""
        found = (item for item in self.stretches if item.start <= position < item.end)
        return [item for item in found if (item.name in names if names else item.name not in ("document", "caption"))]

    def inside(self, stretch: Sequence[int], names: Iterable[str]) -> list[_Stretch]:
        """Return the outermost environments of some names in a stretch."""
        found: list[_Stretch] = []
        for item in self.stretches:
            there = stretch[0] <= item.start and item.end <= stretch[1] and item.name in names
            if there and (not found or item.start >= found[-1].end):
                found.append(item)
        return found

    def region_of(self, position: int, table: str) -> Region | None:
        """Return the region that a label is in, or the one in its float."""
        start, end = next(
            ((item.start, item.end) for item in self.around(position, _FLOATS)[-1:]), (position, position)
        )
        found = [item for item in self.regions if item.start <= position < item.end]
        found = found or [item for item in self.regions if start <= item.start < end]
        return next((item for item in found if len(found) == 1 or item.name == table), None)


class LatexPaper:
    """Tables of a report in the files of one paper."""

    def __init__(self, document: Document, pieces: Pieces, *, keep_caption: bool) -> None:
        self.document, self.pieces, self.keep_caption = document, pieces, keep_caption
        self.sources = [_Source(file) for file in document.files]
        self.labels = [label for label in document.labels if not label.use]

    def edits(self, labels: Mapping[str, str] | None) -> list[Edit]:
        """Return the edits for the labels that are named, or for all that the paper has of the report."""
        found = sorted(self._by_label(labels) if labels else self._everything())
        for first, second in pairwise(found):
            if first.file == second.file and second.start < first.end:
                raise SettingsError(
                    "two of the labels are in the same table",
                    where=where_in(self.document.files[first.file], second.start),
                    remedy="name one of them",
                )
        return found

    def _by_label(self, labels: Mapping[str, str]) -> Iterator[Edit]:
        for label, table in labels.items():
            if table not in self.pieces.latex:
                raise UnknownNameError("table", table, self.pieces.latex)
            found = [item for item in self.labels if item.name == label]
            if len(found) > 1:
                raise SettingsError(
                    f"the label {label!r} stands {len(found)} times in the paper",
                    where="; ".join(map(self._line, found)),
                    remedy="give each table its own label",
                )
            if not found:
                self._refuse_missing(label)
            if self.sources[found[0].span.file].generated:
                raise SettingsError(
                    f"the table with the label {label!r} is in a file that reportkit build writes",
                    where=self._line(found[0]),
                    remedy=r"nothing to do here: build the report again, and the paper reads it through \input",
                )
            yield from self._at_label(found[0], table)

    def _everything(self) -> Iterator[Edit]:
        """Replace all that is between comments, and what has a label that the report gives."""
        none = True
        for index, source in enumerate(self.sources):
            for region in () if source.generated else source.regions:
                if region.name not in self.pieces.latex:
                    where = where_in(source.file, region.names[0][0])
                    raise UnknownNameError("table", region.name, self.pieces.latex, where=where)
                none = False
                yield from self._in_region(index, region, region.name)
        for label in self.labels:
            source, table = self.sources[label.span.file], label.name.removeprefix("tab:")
            ours = label.name == f"tab:{table}" and table in self.pieces.latex and not source.generated
            if ours and source.region_of(label.span.start, table) is None:
                none = False
                yield from self._at_label(label, table)
        if none:
            known = list(dict.fromkeys(label.name for label in self.labels))
            raise SettingsError(
                f"{str(self.document.files[0].path)!r} names no table of the report",
                where="; ".join([f"labels: {', '.join(known[:10]) or 'none'}", *unread(self.document)]),
                remedy="say which table goes where: label='tab:main' (--label tab:main=results), or put the comments "
                "'% reportkit: begin results' and '% reportkit: end results' where it should be",
            )

    def _line(self, label: Label) -> str:
        return where_in(self.document.files[label.span.file], label.span.start)

    def _refuse_missing(self, label: str) -> None:
        written = rf"\label{{{label}}}"
        for source in self.sources:
            if written in source.text:
                raise SettingsError(
                    f"the label {label!r} stands only in a comment or in verbatim text",
                    where=where_in(source.file, source.text.index(written)),
                )
        where = "; ".join([str(self.document.files[0].path), *unread(self.document)])
        raise UnknownNameError("label", label, dict.fromkeys(item.name for item in self.labels), where=where)

    def _at_label(self, label: Label, table: str) -> list[Edit]:
        """Replace the table in the float that holds a label, and mark it with comments."""
        index, position = label.span.file, label.span.start
        source = self.sources[index]
        if (region := source.region_of(position, table)) is not None:
            return self._in_region(index, region, table)
        around, floats = source.around(position), source.around(position, _FLOATS)
        if not floats:
            raise SettingsError(
                f"the label {label.name!r} is in no table" + (f", but in {around[-1].name!r}" if around else ""),
                where=self._line(label),
                remedy=f"name the label of a table, or {_AROUND}",
            )
        held = floats[-1]
        tabulars = source.inside(held[1:], _TABULARS)
        if len(tabulars) != 1:
            read = re.search(r"\\(?:input|include)\s*\{([^{}]*)\}", source.text[held.start : held.end])
            number = f"{len(tabulars)} times a 'tabular'" if tabulars else "no 'tabular'"
            raise SettingsError(
                f"the {held.name!r} with the label {label.name!r} holds {number}"
                + (f"; it reads {read[1]!r}" if read else ""),
                where=self._line(label),
                remedy=_AROUND,
            )
        (old,) = tabulars
        new = self._written(index, old.start, old.end, table)
        rest = re.match(r"[ \t]*(?=[\r\n]|\Z)", source.text[old.end :])
        hold = "" if rest or source.text[old.end :].lstrip(" \t").startswith("%") else "%"
        marked = f"% reportkit: begin {table}\n{new.cells(table)}{hold}\n% reportkit: end {table}"
        return [Edit(index, old.start, old.end, marked + ("" if rest else "\n")), *self._new_caption(index, held, new)]

    def _in_region(self, index: int, region: Region, table: str) -> list[Edit]:
        """Replace what is between two comments: within a float the `tabular`, else the whole table."""
        source = self.sources[index]
        new = self._written(index, region.start, region.end, table)
        edits = [Edit(index, start, end, table) for start, end in region.names]
        hold = "%" if re.search(r"\}%[ \t]*[\r\n]*\Z", source.text[region.start : region.end]) else ""
        if floats := source.around(region.names[0][0], _FLOATS):
            edits.append(Edit(index, region.start, region.end, f"{new.cells(table)}{hold}\n"))
            return edits + self._new_caption(index, floats[-1], new)
        text = new.text
        kept = source.inside((region.start, region.end), {"caption"}) if self.keep_caption else []
        if kept and (fresh := new.inside((0, len(text)), {"caption"})):
            old = LINE_END.sub("\n", source.text[kept[0].start : kept[0].end])
            text = text[: fresh[0].start] + old + text[fresh[0].end :]
        own = [
            one.name for one in self.labels if one.span.file == index and region.start <= one.span.start < region.end
        ]
        if own and (given := _LABEL.search(new.text)):
            text = re.sub(rf"\\(label|ref)\{{{re.escape(given[1])}\}}", lambda one: f"\\{one[1]}{{{own[0]}}}", text)
        return [*edits, Edit(index, region.start, region.end, f"{text}{hold}\n")]

    def _new_caption(self, index: int, held: _Stretch, new: _Written) -> list[Edit]:
        """Replace the caption of a float, unless it is to stay; a label in it stays."""
        source = self.sources[index]
        old, fresh = source.inside(held[1:], {"caption"}), new.inside((0, len(new.text)), {"caption"})
        if self.keep_caption or not old or not fresh:
            return []
        label = _LABEL.search(source.text, *old[0][1:])
        text = new.text[fresh[0].start : fresh[0].end]
        return [Edit(index, *old[0][1:], f"{text[:-1]}{label[0]}}}" if label else text)]

    def _written(self, index: int, start: int, end: int, table: str) -> _Written:
        """Write a table with systems or datasets in its rows, as the table of the paper has them."""
        pieces, written = self.pieces, self.pieces.latex[table]
        if table == "results" and pieces.turned is not None:
            systems, datasets = (set(pieces.names[kind]) for kind in ("systems", "datasets"))
            for old in self.document.tables:
                if old.span.file == index and start <= old.span.start < end:
                    rows = {row.name for row in old.rows}
                    columns = {column.name for column in old.columns}
                    upright = len(rows & systems) + len(columns & datasets)
                    lying = len(rows & datasets) + len(columns & systems)
                    if upright != lying:
                        written = pieces.turned(table, "systems" if upright > lying else "datasets")
                        break
        return _Written(SourceFile.of(Path(f"{table}.tex"), written.strip("\n").replace("\r\n", "\n")))


class _Written(_Source):
    """A new table."""

    def cells(self, table: str) -> str:
        """Return the comments above it, and its cells without the float around them."""
        tabulars = self.inside((0, len(self.text)), _TABULARS)
        if len(tabulars) != 1:
            raise RenderingError(
                f"the table {table!r} is set as {len(tabulars)} parts, and a 'tabular' within a float of yours is one",
                remedy=f"put '% reportkit: begin {table}' and '% reportkit: end {table}' around the whole table",
            )
        head = _HEAD.match(self.text)
        return (head[0] if head else "") + self.text[tabulars[0].start : tabulars[0].end]
