r"""Tables of a report in a user's LaTeX: the environment that holds a label is replaced, and nothing else."""

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

_OWN = ("table", "table*", "longtable")
"""Environments that are replaced as a whole; in others, such as `figure` or `wraptable`, the `tabular` is."""

_FLOATS = {*_OWN, "sidewaystable", "sidewaystable*", "wraptable", "SCtable", "figure", "figure*", "margintable"}
_FLOATS |= {"subtable"}
_TABULARS = {"tabular", "tabular*", "tabularx", "tabulary", "tblr", "longtable", "array"}
_VERBATIM = re.compile(
    r"\\begin\{(verbatim|Verbatim|lstlisting|minted|comment|filecontents)\*?\}.*?\\end\{\1\*?\}"
    r"|\\verb\*?([^A-Za-z\s*]).*?\2|\\iffalse(?![A-Za-z]).*?\\fi(?![A-Za-z])",
    re.DOTALL,
)
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*%[^\r\n]*")
_MARKER = re.compile(r"%[ \t]*reportkit:[ \t]*(begin|end)[ \t]+([A-Za-z0-9-]+)[ \t]*(\r\n|\r|\n|\Z)")
_ENVIRONMENT = re.compile(r"\\(begin|end)[ \t]*\{([A-Za-z]+\*?)\}")
_PLACEMENT = re.compile(r"[ \t]*(\[[^\][{}\\]*\])")
_HEAD = re.compile(r"(?:(?:%|\\ifcsname|\\ifdefined\\rkunicode)[^\n]*\n)*")
_GENERATED = re.compile(r"%[ \t]*reportkit [^|\r\n]*\|[^\r\n]*do not edit")
LINE_END = re.compile(r"\r\n|\r|\n")
_GROUP = r"[ \t]*\{[^{}]*\}"
_DECORATION = re.compile(
    rf"\\(?:set|addto)length[ \t]*\{{?\\[A-Za-z]+\}}?{_GROUP}|\\renewcommand\*?[ \t]*\{{?\\[A-Za-z]+\}}?{_GROUP}"
    rf"|\\[vh]space\*?{_GROUP}|\\resizebox\*?{_GROUP}{_GROUP}|\\(?:scalebox|captionsetup|label){_GROUP}"
    rf"|\\fontsize{_GROUP}{_GROUP}|\\begin[ \t]*\{{adjustbox\}}{_GROUP}|\\tabcolsep[ \t]*=?[ \t]*[\d.]+[ \t]*[a-z]{{2}}"
    r"|\\(?:begin|end)[ \t]*\{(?:center|adjustbox|small|footnotesize|scriptsize)\}"
    r"|\\(?:small|footnotesize|scriptsize|tiny|normalsize|centering|raggedright|selectfont|noindent|leavevmode"
    r"|smallskip|medskip|bigskip|par|relax|hfill|phantomsection)(?![A-Za-z@])|\A[ \t]*\[[^\][]*\]|[\s{}~]|\\[,;!]"
)
"""How a table is set, which is no content of its own."""


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
    body: int
    stop: int
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
                found.append(_Environment(match[2], begin.start(), begin.end(), match.start(), match.end()))
                break
    return sorted(found, key=lambda item: item.start)


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

    def tabulars(self, start: int, stop: int) -> list[_Environment]:
        found: list[_Environment] = []
        for item in self.environments:
            inside = start <= item.start and item.end <= stop and item.name in _TABULARS
            if inside and (not found or item.start >= found[-1].end):
                found.append(item)
        return found

    def is_a_table_alone(self, found: _Environment) -> bool:
        """Say whether a float holds a caption, a label, one table of cells, how it is set, and nothing else."""
        if found.name == "longtable":
            return True
        tabulars, rest = self.tabulars(found.body, found.stop), self.masked
        if len(tabulars) > 1:
            return False
        gaps = [(item.start, item.end) for item in tabulars]
        if caption := _caption(self.masked, found.body, found.stop):
            gaps.append(caption)
        for start, end in sorted(gaps, reverse=True):
            rest = rest[:start] + " " * (end - start) + rest[end:]
        return not _DECORATION.sub("", _DECORATION.sub("", rest[found.body : found.stop]))


class _Place(NamedTuple):
    """Where a table goes: what is replaced, the label that it keeps, whether a float or the `tabular` within one."""

    start: int
    end: int
    label: str
    whole: bool
    region: Region | None = None


class LatexPaper:
    """Tables of a report in the files of one paper."""

    def __init__(self, document: Document, pieces: Pieces, *, keep_caption: bool) -> None:
        self.document, self.pieces, self.keep_caption = document, pieces, keep_caption
        self.sources = [_Source(file) for file in document.files]
        self.labels = [label for label in document.labels if not label.use]

    def edits(self, labels: Mapping[str, str] | None) -> dict[int, list[Edit]]:
        """Return the edits by the index of their file, for the labels that are named, or all of the report."""
        chosen = list(self._by_label(labels) if labels else self._everything())
        found: dict[int, list[Edit]] = {}
        for index, place, table in chosen:
            found.setdefault(index, []).extend(self._replaced(self.sources[index], index, place, table))
        for index, edits in found.items():
            for first, second in pairwise(sorted(edits)):
                if second.start < first.end:
                    raise SettingsError(
                        "two of the labels are in the same table",
                        where=where_in(self.document.files[index], second.start),
                        remedy="name one of them",
                    )
        return found

    def _by_label(self, labels: Mapping[str, str]) -> Iterator[tuple[int, _Place, str]]:
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
            source = self.sources[found[0].span.file]
            if source.generated:
                raise SettingsError(
                    f"the table with the label {label!r} is in a file that reportkit build writes",
                    where=self._line(found[0]),
                    remedy=r"nothing to do here: build the report again, and the paper reads it through \input",
                )
            yield found[0].span.file, self._place(source, found[0], table), table

    def _everything(self) -> Iterator[tuple[int, _Place, str]]:
        """Choose all that stands between comments, and the labels that the report gives."""
        none = True
        for index, source in enumerate(self.sources):
            if source.generated:
                continue
            for region in source.regions:
                if region.name not in self.pieces.latex:
                    raise UnknownNameError(
                        "table", region.name, self.pieces.latex, where=where_in(source.file, region.names[0][0])
                    )
                none = False
                yield index, self._place_of_region(source, region), region.name
            for label in self.labels:
                table = label.name.removeprefix("tab:")
                if label.span.file == index and label.name == f"tab:{table}" and table in self.pieces.latex:
                    place = self._place(source, label, table)
                    if place.region is None:
                        none = False
                        yield index, place, table
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
        hidden = [
            where_in(source.file, source.text.index(written))
            for source in self.sources
            if (written := rf"\label{{{label}}}") in source.text
        ]
        if hidden:
            raise SettingsError(
                f"the label {label!r} stands only in a comment or in verbatim text", where="; ".join(hidden)
            )
        known = dict.fromkeys(item.name for item in self.labels)
        files = dict.fromkeys(str(self.document.files[item.span.file].path) for item in self.labels)
        where = ", ".join(files) or str(self.document.files[0].path)
        raise UnknownNameError("label", label, known, where="; ".join([where, *self._unread()]))

    def _place(self, source: _Source, label: Label, table: str) -> _Place:
        position, where = label.span.start, self._line(label)
        for region in source.regions:
            if region.start <= position < region.end:
                return self._place_of_region(source, region, label.name)
        around = source.around(position)
        floats = [item for item in around if item.name in _FLOATS]
        if not floats:
            raise SettingsError(
                f"the label {label.name!r} is in no table" + (f", but in {around[-1].name!r}" if around else ""),
                where=where,
                remedy="name the label of a table, or put the comments '% reportkit: begin NAME' and '% reportkit: end "
                "NAME' where the table is to stand",
            )
        found = floats[-1]
        inside = [item for item in source.regions if found.body <= item.start < found.stop]
        named = [item for item in inside if item.name == table] if len(inside) > 1 else inside
        if len(named) == 1:
            return self._place_of_region(source, named[0], label.name)
        tabulars = source.tabulars(found.body, found.stop)
        alone = found.name in _OWN and source.is_a_table_alone(found)
        if alone and re.search(r"\\begin\{(table|longtable)", self.pieces.latex[table]):
            return _Place(found.start, found.end, label.name, whole=True)
        if len(tabulars) == 1:
            return _Place(tabulars[0].start, tabulars[0].end, label.name, whole=False)
        read = re.search(r"\\(?:input|include)\s*\{([^{}]*)\}", source.masked[found.body : found.stop])
        if read and not tabulars:
            raise SettingsError(
                f"the {found.name!r} with the label {label.name!r} reads its content from {read[1]!r}",
                where=where,
                remedy="let it read the file that reportkit build writes, with environment='tabular', or put the "
                "'tabular' into this file",
            )
        number = f"{len(tabulars)} times a 'tabular'" if tabulars else "no 'tabular'"
        raise SettingsError(
            f"the {found.name!r} with the label {label.name!r} holds {number}, and other things that are yours",
            where=where,
            remedy="put the comments '% reportkit: begin NAME' and '% reportkit: end NAME' around what goes",
        )

    def _place_of_region(self, source: _Source, region: Region, label: str = "") -> _Place:
        within = any(item.name in _FLOATS for item in source.around(region.names[0][0]))
        return _Place(region.start, region.end, label, whole=not within, region=region)

    def _replaced(self, source: _Source, index: int, place: _Place, table: str) -> list[Edit]:
        old = source.text[place.start : place.end]
        bare = self._as_it_stood(index, place, table).strip("\n").replace("\r\n", "\n")
        if not place.whole:
            bare = _tabular_alone(bare, table)
        elif r"\begin{table" in bare or r"\begin{longtable" in bare:
            bare = self._as_the_float(source, place, bare)
        if place.region is not None:
            hold = "%" if re.search(r"\}%[ \t]*[\r\n]*\Z", old) else ""
            names = [Edit(start, end, table) for start, end in place.region.names]
            return [*names, Edit(place.start, place.end, f"{bare}{hold}\n")]
        behind = source.text[place.end :]
        rest = re.match(r"[ \t]*(?=[\r\n]|\Z)", behind)
        hold = "" if rest or behind.lstrip(" \t").startswith("%") else "%"
        after = "" if rest else "\n"
        marked = f"% reportkit: begin {table}\n{bare}{hold}\n% reportkit: end {table}{after}"
        return [Edit(place.start, place.end, marked)]

    def _as_it_stood(self, index: int, place: _Place, table: str) -> str:
        """Write a table with systems or datasets in its rows, as the one that it replaces has them."""
        pieces, written = self.pieces, self.pieces.latex[table]
        if table != "results" or pieces.turned is None:
            return written
        for old in self.document.tables:
            if old.span.file == index and place.start <= old.span.start < place.end:
                rows = {row.name for row in old.rows()}
                columns = {column.name for column in old.columns()}
                systems, datasets = (set(pieces.names[kind]) for kind in ("systems", "datasets"))
                upright = len(rows & systems) + len(columns & datasets)
                lying = len(rows & datasets) + len(columns & systems)
                if upright != lying:
                    return pieces.turned(table, "systems" if upright > lying else "datasets")
        return written

    def _as_the_float(self, source: _Source, place: _Place, bare: str) -> str:
        """Give the floats of a report the label, placement, star and caption of the one that stands there."""
        old = [item for item in source.environments if item.name in _OWN and place.start <= item.start < place.end]
        inside = re.search(r"\\label\{([^{}]*)\}", source.masked[place.start : place.end])
        label = place.label or (inside[1] if inside else "")
        placement = _PLACEMENT.match(source.text, old[0].body) if old and old[0].name != "longtable" else None
        new = re.search(r"\\label\{([^{}]*)\}", bare)
        if label and new:
            bare = re.sub(rf"\\(label|ref)\{{{re.escape(new[1])}\}}", lambda found: f"\\{found[1]}{{{label}}}", bare)
        mine = _caption(source.masked, old[0].body, old[0].stop) if old and self.keep_caption else None
        caption = _caption(masked(bare, _COMMENT), 0, len(bare))
        if mine and caption:
            kept = re.sub("\r\n|\r", "\n", source.text[mine[0] : mine[1]])
            rest = bare[caption[1] :]
            if rf"\label{{{label}}}" in kept:
                rest = rest.replace(f"\n\\label{{{label}}}", "", 1)
            bare = bare[: caption[0]] + kept + rest
        if placement:
            bare = re.sub(r"\\begin\{(table\*?)\}", lambda found: rf"\begin{{{found[1]}}}{placement[1]}", bare)
        if old and old[0].name == "table*":
            bare = bare.replace(r"\begin{table}", r"\begin{table*}").replace(r"\end{table}", r"\end{table*}")
        return bare


def _tabular_alone(bare: str, table: str) -> str:
    """Return the comments above a table, and its cells without the float around them."""
    tabulars = [item for item in _environments(masked(bare, _COMMENT)) if item.name in _TABULARS]
    if len(tabulars) != 1:
        raise RenderingError(
            f"the table {table!r} is set as {len(tabulars)} parts, and a 'tabular' within a float of yours is one",
            remedy="put the label into a separate table, or show fewer systems or datasets",
        )
    head = _HEAD.match(bare)
    return (head[0] if head else "") + bare[tabulars[0].start : tabulars[0].end]
