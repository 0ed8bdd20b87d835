"""One `tabular` (or one of its kin) to a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reportkit.checker.paper import grid as grids
from reportkit.checker.paper.cleaner import Cleaner
from reportkit.checker.paper.document import Table
from reportkit.checker.paper.grid import WrittenCell
from reportkit.checker.paper.headings import finished_table, notes_below, panel_starts
from reportkit.checker.paper.macros import CAPTIONS, FULL_RULES, PIPES, ROW_MACROS, SILENT, TABULARS
from reportkit.checker.paper.sentences import MOST_CELL
from reportkit.checker.paper.source import Span
from reportkit.checker.paper.structure import Argument, Structure

_FEET = (r"\endfoot", r"\endlastfoot")
_PARTS = frozenset({r"\endfirsthead", r"\endhead", *_FEET})
_SWITCHES = SILENT | {r"\cellcolor"}
ROW_ENDS = frozenset({r"\\", r"\tabularnewline", r"\cr"})
MOST_CELLS = 200_000


@dataclass(slots=True)
class _Rows:
    """Rows as token ranges, with the rules above them."""

    rows: list[list[tuple[int, int]]] = field(default_factory=list)
    rules: list[int] = field(default_factory=list)
    captions: list[Argument] = field(default_factory=list)
    label: str = ""
    part: int = 0
    """Row at which a part of a long table begins: its first head, its head, its feet, its body."""
    ruled: int = 0
    """Number of rules before a part begins."""

    def end_part(self, name: str) -> None:
        """Leave out what a long table prints again on each page: a second head, and feet."""
        if name in _FEET or (name == r"\endhead" and self.part):
            del self.rows[self.part :], self.rules[self.ruled :]
        self.ruled = len(self.rules)
        self.part = len(self.rows)


@dataclass(frozen=True, slots=True)
class ReadTabular:
    """The panels of a table, and the captions (as arguments) and the label inside a longtable."""

    panels: tuple[Table, ...]
    captions: tuple[Argument, ...]
    label: str


def read_tabular(cleaner: Cleaner, begin: int, end: int) -> ReadTabular:
    r"""Read a tabular.

    Parameters
    ----------
    cleaner : Cleaner
        Cleaner of the paper.
    begin, end : int
        Indices of its `\begin` and `\end`.
    """
    structure = cleaner.structure
    name = structure.name_at(begin)
    start = _content_start(structure, begin, end, TABULARS.get(name, 1))
    split = _split_rows(structure, start, end)
    written = [[_written(cleaner, *cell) for cell in row] for row in split.rows]
    while written and not any(cell.content.text.text.strip() for cell in written[-1]):
        written.pop()
    rules = grids.without_blank_rows(written, sorted(min(rule, len(written)) for rule in split.rules))
    table = _table(written, rules, _between(structure, begin, end), 1 if name == PIPES else None)
    panels = [table]
    starts = panel_starts(table)
    if starts:
        ends = [*(begins for begins, _ in starts), len(written)]
        panels = [_part(written, rules, table, 0, ends[0], table.n_header_rows)]
        panels += [
            _part(written, rules, table, begins, stop, row + 1 - begins)
            for (begins, row), stop in zip(starts, ends[1:], strict=True)
        ]
    return ReadTabular(tuple(panels), tuple(split.captions), split.label)


def _table(written: Sequence[list[WrittenCell]], rules: Sequence[int], span: Span, n_header_rows: int | None) -> Table:
    width = max([sum(max(1, cell.n_columns) for cell in row) for row in written], default=0)
    cells = grids.grid_of(grids.placed(written, min(width, 500)))
    notes = notes_below(cells)
    n = len(cells) - len(notes)
    return replace(
        finished_table(cells[:n], [min(rule, n) for rule in rules], span=span, n_header_rows=n_header_rows), notes=notes
    )


def _part(
    written: Sequence[list[WrittenCell]], rules: Sequence[int], whole: Table, start: int, stop: int, n_header_rows: int
) -> Table:
    """Return some rows as a table of their own, with the notes of the whole."""
    own = [rule - start for rule in rules if start <= rule <= stop]
    return replace(_table(written[start:stop], own, whole.span, n_header_rows), notes=whole.notes)


def _content_start(structure: Structure, begin: int, end: int, count: int) -> int:
    """Return where the content begins, after the name of the environment and its arguments."""
    argument = structure.argument(begin + 1, end)
    at = begin + 1 if argument is None else argument.after
    for _ in range(count):
        argument = structure.last(at, end)
        if argument is None:
            return structure.behind_option(at, end)
        at = argument.after
    return at


def _split_rows(structure: Structure, start: int, end: int) -> _Rows:
    """Find rows and cells; groups and nested environments are stepped over."""
    found = _Rows()
    row: list[tuple[int, int]] = []
    at = _row_macros(structure, start, end, found)
    begin = at
    while at < end and len(found.rows) < MOST_CELLS:
        token = structure.tokens[at]
        if token.kind == "open":
            at = min(structure.closing.get(at, at), end) + 1
        elif token.kind == "align":
            row.append((begin, at))
            at += 1
            begin = at
        elif token.kind == "macro" and token.text == r"\begin":
            inner = structure.environment_end.get(at, at)
            at = inner + 1 if at < inner < end else at + 1
        elif token.kind == "macro" and (token.text in ROW_ENDS or token.text in _PARTS):
            row.append((begin, at))
            found.rows.append(row)
            row = []
            after = structure.behind_option(at + 1, end) if token.text in ROW_ENDS else at
            at = begin = _row_macros(structure, after, end, found)
        elif not row and token.kind == "macro" and token.text in FULL_RULES and _blank(structure, begin, at):
            at = begin = _row_macros(structure, at, end, found)
        else:
            at += 1
    if row or not _blank(structure, begin, end):
        found.rows.append([*row, (begin, end)])
    return found


def _blank(structure: Structure, start: int, stop: int) -> bool:
    return all(structure.tokens[at].kind in ("space", "par") for at in range(start, stop))


def _row_macros(structure: Structure, at: int, end: int, found: _Rows) -> int:
    """Step over rules and the like at the beginning of a row."""
    while at < end:
        token = structure.tokens[at]
        name = token.text
        if token.kind in ("space", "par"):
            at += 1
            continue
        if name in CAPTIONS and token.kind == "macro":
            argument = structure.last(at + 1, end)
            if argument is None:
                return at + 1
            found.captions.append(argument)
            at = argument.after
            continue
        if name in ROW_ENDS and found.captions and not found.rows:
            at += 1  # after the caption of a long table
            continue
        if token.kind != "macro" or name not in ROW_MACROS:
            break
        if name in FULL_RULES:
            found.rules.append(len(found.rows))
        if name in _PARTS:
            found.end_part(name)
        at = _after_row_macro(structure, at, end, found)
    return at


def _behind_colour(structure: Structure, at: int, end: int) -> int:
    r"""Return where reading goes on after a `\cellcolor`."""
    argument = structure.last(at + 1, end)
    return at + 1 if argument is None else argument.after


def _after_row_macro(structure: Structure, at: int, end: int, found: _Rows) -> int:
    name = structure.tokens[at].text
    at = structure.behind_option(at + 1, end)
    if name == r"\cmidrule" and at < end and structure.tokens[at].text.startswith("("):
        while at < end and ")" not in structure.tokens[at].text:
            at += 1
        at += 1
    for _ in range(ROW_MACROS[name]):
        argument = structure.argument(at, end)
        if argument is None:
            break
        if name == r"\label":
            found.label = structure.text(argument.start, argument.stop)
        at = argument.after
    for _ in range(2 * (name == r"\rowcolor")):  # how far it reaches to the sides
        at = structure.behind_option(at, end)
    return at


def _written(cleaner: Cleaner, start: int, stop: int) -> WrittenCell:
    """Read one cell: its span, then its text."""
    structure = cleaner.structure
    n_columns = n_rows = 1
    whole = text = (start, stop)
    for _ in range(3):
        first = _behind_switches(structure, start, stop)
        if first >= stop:
            break
        name = structure.tokens[first].text
        if name not in (r"\multicolumn", r"\multirow"):
            break
        inner = _spanned(structure, first, stop)
        if inner is None:
            break
        count, content = inner
        if name == r"\multicolumn":
            n_columns = max(1, min(count, 500))
        else:
            n_rows = max(-500, min(count, 500)) or 1
        if (
            text == (start, stop)
            and structure.skip_space(start, stop) == first
            and _blank(structure, content.after, stop)
        ):
            text = content.start, content.stop
        start, stop = content.start, content.stop
    content_text = cleaner.clean(*text, code=True)
    stripped = content_text.text.stripped().slice(0, MOST_CELL)
    shift = len(content_text.text.text) - len(content_text.text.text.lstrip())
    runs = tuple((a - shift, b - shift, styles) for a, b, styles in content_text.runs)
    content_text = content_text._replace(text=stripped, runs=runs)
    return WrittenCell(content_text, _trimmed(structure, *whole), n_rows, n_columns)


def _behind_switches(structure: Structure, start: int, stop: int) -> int:
    """Return the index of the first token of a cell that prints something or says what the cell spans."""
    at = structure.skip_space(start, stop)
    while at < stop and (name := structure.tokens[at].text) in _SWITCHES:
        at = structure.skip_space(_behind_colour(structure, at, stop) if name == r"\cellcolor" else at + 1, stop)
    return at


def _spanned(structure: Structure, at: int, stop: int) -> tuple[int, Argument] | None:
    r"""Count and content of a `\multicolumn` or `\multirow`."""
    cursor = at + 1
    arguments: list[Argument] = []
    while len(arguments) < 3:
        argument = structure.last(cursor, stop)
        if argument is None:
            return None
        arguments.append(argument)
        cursor = argument.after
    try:
        count = int(float(structure.text(arguments[0].start, arguments[0].stop).strip() or "1"))
    except ValueError:
        count = 1
    return count, arguments[2]


def _trimmed(structure: Structure, start: int, stop: int) -> Span:
    """Return the source of tokens, without white space at the ends; within one file."""
    while start < stop and structure.tokens[start].kind in ("space", "par"):
        start += 1
    while stop > start and structure.tokens[stop - 1].kind in ("space", "par"):
        stop -= 1
    if start >= stop:
        place = structure.tokens[min(start, len(structure.tokens) - 1)]
        return Span(place.file, place.start, place.start)
    return _between(structure, start, stop - 1)


def _between(structure: Structure, first: int, last: int) -> Span:
    """Return the source from a token to another (inclusive), as far as they are in one file."""
    one = structure.tokens[first]
    other = structure.tokens[min(last, len(structure.tokens) - 1)]
    end = other.end if other.file == one.file and other.end > one.start else one.end
    return Span(one.file, one.start, end)
