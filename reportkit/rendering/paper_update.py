r"""Tables and numbers of a report in a user's paper: those are replaced, and nothing else.

A paper is read by the reader of the checker. What is put there is between two comments, so that it is found again:

```
% reportkit: begin results          <!-- reportkit: begin results -->
...                                 ...
% reportkit: end results            <!-- reportkit: end results -->
```
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from reportkit.checker.paper.reading import MARKDOWN, read_paper
from reportkit.checker.paper.source import SourceFile
from reportkit.errors import ReadingError, RenderingError, SettingsError, UnknownNameError
from reportkit.rendering.documents import Writer, report_writer
from reportkit.rendering.macros import markdown_value
from reportkit.rendering.paper_tables import LINE_END, Edit, LatexPaper, regions, unread, where_in
from reportkit.rendering.replace_files import Change, replace_files
from reportkit.rendering.stored import files_of, read_report, restyled
from reportkit.report.assemble import REQUESTED_TABLES, requested_table
from reportkit.report.model import Report

_MARKDOWN_MARKER = re.compile(r"<!--[ \t]*reportkit:[ \t]*(begin|end)[ \t]+([A-Za-z0-9-]+)[ \t]*-->(\r\n|\r|\n|)")
_NUMBER = re.compile(r"<!--[ \t]*rk:[ \t]*([^\s>]+)[ \t]*-->((?:(?!<!--).)*?)<!--[ \t]*/rk[ \t]*-->")
_OPEN_NUMBER = re.compile(r"<!--[ \t]*rk:[^>]*-->")
_CODE = re.compile(
    r"^ {0,3}(`{3,}|~{3,}).*?(?:^ {0,3}\1[`~]*[ \t]*\r?$|\Z)"
    r"|(?<!`)(`+)(?!`)(?:(?!\r?\n[ \t]*\r?\n).)*?(?<!`)\2(?!`)",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pieces:
    """Parts of a report that a paper may hold.

    Parameters
    ----------
    latex, markdown : mapping of str to str
        Name of a table to its text.
    values : mapping of str to str
        Key of a number to its text in Markdown.
    names : mapping of str to tuple of str
        Printed names of "systems" and "datasets".
    turned : callable, optional
        Writes a table in LaTeX with systems or datasets in its rows.
    """

    latex: Mapping[str, str]
    markdown: Mapping[str, str]
    values: Mapping[str, str]
    names: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    turned: Callable[[str, str], str] | None = None


def pieces_of(report: Report, latex: Mapping[str, str] | None = None) -> Pieces:
    """Write the parts of a report, and tables that it does not show; some may be in LaTeX in its folder."""
    facts, look = report.facts, report.appearance
    writer, markdown = Writer("latex", look, report.signature), report_writer("markdown", report)
    further = [] if facts is None else [requested_table(facts, look, name) for name in REQUESTED_TABLES]
    tables = {table.name: table for table in (*filter(None, further), *report.tables)}

    def turned(name: str, rows: str) -> str:
        other = restyled(report, rows=rows)
        return next(writer.table(table) for table in other.tables if table.name == name)

    names = {} if facts is None else {"systems": facts.systems, "datasets": facts.datasets}
    return Pieces(
        latex={name: writer.table(table) for name, table in tables.items()} | dict(latex or {}),
        markdown={name: markdown.table(table) for name, table in tables.items()},
        values={key: markdown_value(key, text) for key, text in report.numbers.items()},
        names={kind: tuple(look.plain_labels.get(one, one) for one in every) for kind, every in names.items()},
        turned=None if facts is None else turned,
    )


def read_pieces(folder: Path) -> Pieces:
    """Read the parts of a report from its folder.

    Raises
    ------
    ReadingError
        If there is no report in the folder.
    """
    written = [folder / name for name in files_of(folder) if re.fullmatch(r"tables/[^/]+\.tex", name)]
    try:
        return pieces_of(read_report(folder), {path.stem: path.read_text(encoding="utf-8") for path in written})
    except (OSError, UnicodeDecodeError) as error:
        raise ReadingError(
            f"a table of the report in {str(folder)!r} cannot be read: {error}", remedy="build the report again"
        ) from None


@dataclass(frozen=True, slots=True)
class PaperUpdate:
    """The changes of an update of a paper.

    Parameters
    ----------
    files : tuple of Change
        Those that hold something of the report, changed or not.
    written : bool
        Whether the changes are on the disk.
    notes : tuple of str
        Files that were not read, as they are not of the paper.
    """

    files: tuple[Change, ...]
    written: bool = False
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[Path, ...]:
        """Files that change."""
        return tuple(item.path for item in self.files if item.before != item.after)

    @property
    def diff(self) -> str:
        """The changes as a unified diff; empty if the paper is up to date."""
        return "".join(item.diff for item in self.files)

    def __repr__(self) -> str:
        if not self.changed:
            return f"{', '.join(str(item.path) for item in self.files)}: nothing to change"
        return f"{'updated' if self.written else 'would update'} {', '.join(map(str, self.changed))}\n{self.diff}"


def update_paper(
    paper: str | Path,
    report: Any,
    labels: str | Mapping[str, str] | None = None,
    *,
    keep_caption: bool = False,
    dry_run: bool = False,
) -> PaperUpdate:
    r"""Put tables and numbers of a report into a paper, and change nothing else.

    In LaTeX the environment that holds a label is replaced; placement, star and label stay. In a float that holds more
    than one table, only the `tabular` is. What reportkit has put there is between two comments, `% reportkit: begin
    results` and `% reportkit: end results`, which may also be written by hand; in Markdown `<!-- reportkit: begin
    results -->`, and `<!-- rk: main/sst2/ours -->93.1<!-- /rk -->` around a number.

    Parameters
    ----------
    paper : str or Path
        LaTeX, with the files that it reads by `\input`; or Markdown.
    report : Analysis or another result, BuiltReport, str or Path
        What to take them from; a path is the folder of a report.
    labels : str or mapping of str to str, optional
        Label in the paper, where the table `results` goes; or labels with the names of the tables that go there.
        Without any, everything between comments is brought up to date, and the tables with the labels that the report
        gives, such as `tab:results`.
    keep_caption : bool
        Keep the caption of the paper.
    dry_run : bool
        Write nothing; the result shows what would change.

    Returns
    -------
    PaperUpdate
        Files and differences.

    Raises
    ------
    ReadingError, RenderingError
        If a file cannot be read or written; the paper is then as it was.
    UnknownNameError
        If there is no such label or table; the message suggests the nearest.
    SettingsError
        If a label occurs twice, or in no table.
    """
    pieces = report
    if isinstance(report, (str, Path)):
        pieces = read_pieces(Path(report))
    elif not isinstance(report, Pieces):
        pieces = pieces_of(report.report().model)
    named = {labels: "results"} if isinstance(labels, str) else labels
    document = read_paper(paper)
    for problem in document.problems:
        if problem.fatal:
            raise ReadingError(problem.message, remedy=problem.remedy)
    for file in document.files:
        if "\0" in file.text:
            raise ReadingError(
                f"{str(file.path)!r} is neither UTF-8 nor Latin-1: it holds bytes of zero", remedy="convert it to UTF-8"
            )
    if Path(paper).suffix.lower() in MARKDOWN:
        edits = sorted(_markdown_edits(document.files[0], pieces, named))
    else:
        edits = LatexPaper(document, pieces, keep_caption=keep_caption).edits(named)
    files = groupby(edits, key=lambda edit: edit.file)
    changes = tuple(_updated(document.files[index], found) for index, found in files)
    if not dry_run:
        replace_files(item for item in changes if item.before != item.after)
    return PaperUpdate(changes, written=not dry_run, notes=tuple(unread(document)))


def _updated(file: SourceFile, edits: Iterable[Edit]) -> Change:
    parts: list[str] = []
    position = 0
    for edit in edits:
        ends = Counter(LINE_END.findall(file.text[edit.start : edit.end])) or Counter(LINE_END.findall(file.text))
        line_end = ends.most_common(1)[0][0] if ends else "\n"
        parts += [file.text[position : edit.start], edit.text.replace("\n", line_end)]
        position = edit.end
    text, name = "".join([*parts, file.text[position:]]), str(file.path)
    try:
        content = text.encode(file.encoding)
    except UnicodeEncodeError as error:
        sign = text[error.start]
        raise RenderingError(
            f"{name!r} is not in UTF-8, and Latin-1 has no {sign!r} (U+{ord(sign):04X})",
            remedy="convert the file to UTF-8",
        ) from None
    old, new = (LINE_END.split(item) for item in (file.text, text))
    diff = difflib.unified_diff(old, new, name, name, "old", "new", lineterm="")
    return Change(file.path, file.text.encode(file.encoding), content, "".join(f"{line}\n" for line in diff))


def _markdown_edits(file: SourceFile, pieces: Pieces, labels: Mapping[str, str] | None) -> list[Edit]:
    if labels:
        raise SettingsError(
            "Markdown has no labels",
            where=str(file.path),
            remedy="leave the label out, and put <!-- reportkit: begin results --> and <!-- reportkit: end results --> "
            "where the table should be",
        )
    shown = _CODE.sub(lambda found: re.sub(r"[^\r\n]", " ", found[0]), file.text)  # every position stays
    edits = []
    for region in regions(file, _MARKDOWN_MARKER.finditer(shown), "<!-- reportkit: {} -->"):
        if region.name not in pieces.markdown:
            raise UnknownNameError("table", region.name, pieces.markdown, where=where_in(file, region.names[0][0]))
        before = "" if file.text[: region.start].endswith(("\n", "\r")) else "\n"
        edits.append(Edit(0, region.start, region.end, before + pieces.markdown[region.name].strip("\n") + "\n"))
    for match in _NUMBER.finditer(shown):
        if match[1] not in pieces.values:
            raise UnknownNameError("number", match[1], pieces.values, where=where_in(file, match.start()))
        edits.append(Edit(0, *match.span(2), pieces.values[match[1]]))
    for match in _OPEN_NUMBER.finditer(_NUMBER.sub(lambda found: " " * len(found[0]), shown)):
        raise SettingsError(
            f"{match[0]} has no end",
            where=where_in(file, match.start()),
            remedy="write <!-- /rk --> after it, on the same line",
        )
    if not edits:
        raise SettingsError(
            f"{str(file.path)!r} names nothing of the report",
            remedy="put <!-- reportkit: begin results --> and <!-- reportkit: end results --> where the table is to "
            "stand, or <!-- rk: KEY --><!-- /rk --> where a number is",
        )
    return edits
