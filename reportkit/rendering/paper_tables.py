r"""Tables of a report in a user's LaTeX: a `tabular` and its caption are replaced, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from reportkit.checker.paper.document import Document, Label
from reportkit.checker.paper.source import SourceFile
from reportkit.errors import RenderingError, SettingsError, UnknownNameError

if TYPE_CHECKING:
    from reportkit.rendering.paper_update import Pieces

_FLOATS = {"table", "table*", "sidewaystable", "sidewaystable*", "wraptable", "SCtable", "figure", "figure*"}
_FLOATS |= {"margintable", "subtable"}
_TABULARS = {"tabular", "tabular*", "tabularx", "tabulary", "tblr", "array"}
_VERBATIM = re.compile(
    r"\\begin\{(verbatim|Verbatim|lstlisting|minted|comment|filecontents)\*?\}.*?\\end\{\1\*?\}"
    r"|\\verb\*?([^A-Za-z\s*]).*?\2|\\iffalse(?![A-Za-z]).*?\\fi(?![A-Za-z])",
    re.DOTALL,
)
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%[^\r\n]*")
_MARKER = re.compile(r"%[ \t]*reportkit:[ \t]*(begin|end)[ \t]+([A-Za-z0-9-]+)[ \t]*(\r\n|\r|\n|\Z)")
_ENVIRONMENT = re.compile(r"\\(begin|end)[ \t]*\{([A-Za-z]+\*?)\}")
_LABEL = re.compile(r"\\label\{([^{}]*)\}")
_HEAD = re.compile(r"(?:(?:%|\\ifcsname|\\ifdefined\\rkunicode)[^\n]*\n)*")
_GENERATED = re.compile(r"%[ \t]*reportkit [^|\r\n]*\|[^\r\n]*do not edit")
LINE_END = re.compile(r"\r\n|\r|\n")
_AROUND = "put the comments '% reportkit: begin NAME' and '% reportkit: end NAME' around what is to be replaced"


class Edit(NamedTuple):
    """A text in the place of what stands from `start` up to `end`; its lines end with a line feed."""

    start: int
    end: int
    text: str


class Region(NamedTuple):
    """What stands between two comments of reportkit, and where these name the table."""

    name: str
    start: int
    end: int
    names: tuple[tuple[int, int], ...]


def regions(file: SourceFile, hidden: str, marker: re.Pattern[str], form: str) -> list[Region]:
    """Find the regions of a file.

    Raises
    ------
    SettingsError
        If a comment that begins one has none that ends it, or the other way round.
    """
    found: list[Region] = []
    opened: re.Match[str] | None = None
    for match in (*marker.finditer(hidden), None):
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


def masked(text: str, *patterns: re.Pattern[str]) -> str:
    """Put spaces in the place of what is no source, and keep every position."""
    for pattern in patterns:
        text = pattern.sub(lambda found: re.sub(r"[^\r\n]", " ", found[0]), text)
    return text


class _Environment(NamedTuple):
    name: str
    start: int
    end: int


def _environments(masked: str) -> list[_Environment]:
    """Find the environments of a source, outer ones first."""
    found, opened = [], []
    for match in _ENVIRONMENT.finditer(masked):
        if match[1] == "begin":
            opened.append(match)
        while match[1] == "end" and opened and any(begin[2] == match[2] for begin in opened):
            begin = opened.pop()
            if begin[2] == match[2]:
                found.append(_Environment(match[2], begin.start(), match.end()))
                break
    return sorted(found, key=lambda item: item.start)


def _tabulars(environments: list[_Environment], start: int, stop: int) -> list[_Environment]:
    """Return the outermost tables of cells in a stretch of a source."""
    found: list[_Environment] = []
    for item in environments:
        inside = start <= item.start and item.end <= stop and item.name in _TABULARS
        if inside and (not found or item.start >= found[-1].end):
            found.append(item)
    return found


def _caption(masked: str, start: int, stop: int) -> tuple[int, int] | None:
    """Find a caption with its argument."""
    begin = re.compile(r"\\caption\*?(?:\[[^\]]*\])?[ \t]*\{").search(masked, start, stop)
    depth, position = 1, begin.end() if begin else stop
    while begin and position < stop and depth:
        step = 2 if masked[position] == "\\" else 1
        depth += {"{": 1, "}": -1}.get(masked[position], 0)
        position += step
    return (begin.start(), position) if begin and not depth else None


class _Source:
    """One LaTeX file, and what stands where in it."""

    def __init__(self, file: SourceFile) -> None:
        self.file, self.text = file, file.text
        shown = masked(file.text, _VERBATIM)
        self.masked = masked(shown, _COMMENT)
        self.generated = bool(_GENERATED.match(file.text))
        self.regions = regions(file, shown, _MARKER, "% reportkit: {}")
        self.environments = _environments(self.masked)

    def around(self, position: int) -> list[_Environment]:
        return [item for item in self.environments if item.start <= position < item.end and item.name != "document"]

    def float_around(self, position: int) -> _Environment | None:
        return next((item for item in reversed(self.around(position)) if item.name in _FLOATS), None)

    def region_of(self, position: int, table: str) -> Region | None:
        """Return the region that a label stands in, or the one in its float."""
        held = self.float_around(position)
        start, end = (held.start, held.end) if held else (position, position)
        found = [item for item in self.regions if item.start <= position < item.end]
        found = found or [item for item in self.regions if start <= item.start < end]
        return next((item for item in found if len(found) == 1 or item.name == table), None)


class LatexPaper:
    """Tables of a report in the files of one paper."""

    def __init__(self, document: Document, pieces: Pieces, *, keep_caption: bool) -> None:
        self.document, self.pieces, self.keep_caption = document, pieces, keep_caption
        self.sources = [_Source(file) for file in document.files]
        self.labels = [label for label in document.labels if not label.use]

    def edits(self, labels: Mapping[str, str] | None) -> dict[int, list[Edit]]:
        """Return the edits by the index of their file, for the labels that are named, or all of the report."""
        found: dict[int, list[Edit]] = {}
        for index, edits in self._by_label(labels) if labels else self._everything():
            found.setdefault(index, []).extend(edits)
        for index, every in found.items():
            for first, second in pairwise(sorted(every)):
                if second.start < first.end:
                    raise SettingsError(
                        "two of the labels are in the same table",
                        where=where_in(self.document.files[index], second.start),
                        remedy="name one of them",
                    )
        return found

    def _by_label(self, labels: Mapping[str, str]) -> Iterator[tuple[int, list[Edit]]]:
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
            yield found[0].span.file, self._at_label(found[0], table)

    def _everything(self) -> Iterator[tuple[int, list[Edit]]]:
        """Replace all that stands between comments, and what has a label that the report gives."""
        none = True
        for index, source in enumerate(self.sources):
            for region in () if source.generated else source.regions:
                if region.name not in self.pieces.latex:
                    where = where_in(source.file, region.names[0][0])
                    raise UnknownNameError("table", region.name, self.pieces.latex, where=where)
                none = False
                yield index, self._in_region(index, region, region.name)
        for label in self.labels:
            source, table = self.sources[label.span.file], label.name.removeprefix("tab:")
            ours = label.name == f"tab:{table}" and table in self.pieces.latex and not source.generated
            if ours and source.region_of(label.span.start, table) is None:
                none = False
                yield label.span.file, self._at_label(label, table)
        if none:
            known = list(dict.fromkeys(label.name for label in self.labels))
            raise SettingsError(
                f"{str(self.document.files[0].path)!r} names no table of the report",
                where="; ".join([f"labels: {', '.join(known[:10]) or 'none'}", *self._unread()]),
                remedy="say which table goes where: label='tab:main' (--label tab:main=results), or put the comments "
                "'% reportkit: begin results' and '% reportkit: end results' where it is to stand",
            )

    def _unread(self) -> list[str]:
        return [problem.message for problem in self.document.problems if "is not read" in problem.message]

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
        known = dict.fromkeys(item.name for item in self.labels)
        where = "; ".join([str(self.document.files[0].path), *self._unread()])
        raise UnknownNameError("label", label, known, where=where)

    def _at_label(self, label: Label, table: str) -> list[Edit]:
        """Replace the table in the float that holds a label, and mark it with comments."""
        index, position = label.span.file, label.span.start
        source = self.sources[index]
        if (region := source.region_of(position, table)) is not None:
            return self._in_region(index, region, table)
        held = source.float_around(position)
        if held is None:
            around = source.around(position)
            raise SettingsError(
                f"the label {label.name!r} is in no table" + (f", but in {around[-1].name!r}" if around else ""),
                where=self._line(label),
                remedy=f"name the label of a table, or {_AROUND}",
            )
        tabulars = _tabulars(source.environments, held.start, held.end)
        if len(tabulars) != 1:
            read = re.search(r"\\(?:input|include)\s*\{([^{}]*)\}", source.masked[held.start : held.end])
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
        marked = f"% reportkit: begin {table}\n{_tabular_alone(new, table)}{hold}\n% reportkit: end {table}"
        return [Edit(old.start, old.end, marked + ("" if rest else "\n")), *self._new_caption(source, held, new)]

    def _in_region(self, index: int, region: Region, table: str) -> list[Edit]:
        """Replace what stands between two comments: within a float the `tabular`, else the whole table."""
        source = self.sources[index]
        old = source.text[region.start : region.end]
        new = self._written(index, region.start, region.end, table)
        names = [Edit(start, end, table) for start, end in region.names]
        hold = "%" if re.search(r"\}%[ \t]*[\r\n]*\Z", old) else ""
        held = source.float_around(region.names[0][0])
        if held is not None:
            edit = Edit(region.start, region.end, f"{_tabular_alone(new, table)}{hold}\n")
            return [*names, edit, *self._new_caption(source, held, new)]
        own, given = _LABEL.search(source.masked, region.start, region.end), _LABEL.search(new)
        if own and given:
            new = re.sub(rf"\\(label|ref)\{{{re.escape(given[1])}\}}", lambda one: f"\\{one[1]}{{{own[1]}}}", new)
        kept = _caption(source.masked, region.start, region.end) if self.keep_caption else None
        if kept and (fresh := _caption(masked(new, _COMMENT), 0, len(new))):
            new = new[: fresh[0]] + LINE_END.sub("\n", source.text[kept[0] : kept[1]]) + new[fresh[1] :]
        return [*names, Edit(region.start, region.end, f"{new}{hold}\n")]

    def _new_caption(self, source: _Source, held: _Environment, new: str) -> list[Edit]:
        """Replace the caption of a float, unless it is to stay; a label in it stays."""
        old, fresh = _caption(source.masked, held.start, held.end), _caption(masked(new, _COMMENT), 0, len(new))
        if self.keep_caption or not old or not fresh:
            return []
        label = _LABEL.search(source.masked, *old)
        text = new[fresh[0] : fresh[1]]
        return [Edit(*old, f"{text[:-1]}{label[0]}}}" if label else text)]

    def _written(self, index: int, start: int, end: int, table: str) -> str:
        """Write a table with systems or datasets in its rows, as the one that stands there has them."""
        pieces, written = self.pieces, self.pieces.latex[table]
        if table == "results" and pieces.turned is not None:
            systems, datasets = (set(pieces.names[kind]) for kind in ("systems", "datasets"))
            for old in self.document.tables:
                if old.span.file == index and start <= old.span.start < end:
                    rows = {row.name for row in old.rows()}
                    columns = {column.name for column in old.columns()}
                    upright = len(rows & systems) + len(columns & datasets)
                    lying = len(rows & datasets) + len(columns & systems)
                    if upright != lying:
                        written = pieces.turned(table, "systems" if upright > lying else "datasets")
                        break
        return written.strip("\n").replace("\r\n", "\n")


def _tabular_alone(bare: str, table: str) -> str:
    """Return the comments above a table, and its cells without the float around them."""
    tabulars = _tabulars(_environments(masked(bare, _COMMENT)), 0, len(bare))
    if len(tabulars) != 1:
        raise RenderingError(
            f"the table {table!r} is set as {len(tabulars)} parts, and a 'tabular' within a float of yours is one",
            remedy=f"put '% reportkit: begin {table}' and '% reportkit: end {table}' around the whole table",
        )
    head = _HEAD.match(bare)
    return (head[0] if head else "") + bare[tabulars[0].start : tabulars[0].end]
