"""From cells as they are written to a table: spans resolved, split columns joined, headers and marks recognised."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from reportkit.checker.paper.cleaner import Styled
from reportkit.checker.paper.document import Cell
from reportkit.checker.paper.printed_number import PrintedNumber, located_numbers
from reportkit.checker.paper.source import MappedText, Span

SYMBOLS = "*†‡§¶‖•⋄△✓✗°↑↓#♮♭♯♠♡♢♣★▲"
_POWER = "".join(rf"(?<!(?<![\d.,]){base}\^)(?<!(?<![\d.,]){base}\^\()" for base in (10, 2))
_RAISED = re.compile(
    rf"(?<![|\\])(?<!(?<![^\W\d_])(?<!\d(?=[kKMBGT]))[^\W\d_])\^\(?([{re.escape(SYMBOLS)}×]+|"
    rf"[a-zA-Z](?:,?[a-zA-Z]){{0,3}}(?![\w])|{_POWER}\d(?:,\d){{0,3}}(?!\d))"
    rf"|\^\(?([{re.escape(SYMBOLS.replace('*', ''))}]+)"
)
"""Behind a letter, as in R^2, |V|^2 and τ^*, what is raised is of a variable, but for daggers; 3.1k is a number."""
_BESIDE = re.compile(
    r"(?<=[\d%)\]\u2009 ])(?:\((?=[*†‡§¶‖△•⋄]+[,)]))?(?!\*+[^\W_])([*†‡§¶‖△•⋄]+)|"
    r"^([*†‡§¶‖△•⋄]+)(?=[\d\-−+.])|\.\d+(\+)$|(?<=[^\W\d_]{2})([*†‡]+)$"
)
_WITHIN = re.compile(r"\)?\u200b?[^\W\d_]")
"""Letters behind what is raised: of a name, as in EV^2R."""
_GOES_ON = re.compile(r"[a-z(+⟦]")
_UNFINISHED = re.compile(
    r"(?:,|(?<!\S)(?:[&+]|and|or|with|without|using|of|for|from|by|on|in|to|via|the|w/o?))\Z", re.IGNORECASE
)
"""Ends of a label that goes on in the next row."""
_BEHIND = re.compile(rf"(?<![\s^{re.escape(SYMBOLS)}])(?:\s|\^?[{re.escape(SYMBOLS)}]|\^\++|\^\w(?!\w)|⟦\w+⟧)+\Z")
"""Marks and citations behind a name: they have its style or none."""
_LEVEL = re.compile(r"\d\d(?:\.\d)?\s?%\s?(?:CI|[Cc]onfidence)\b")
_ENCLOSED = re.compile(r"\([^()]*\)|\[[^][]*\]|⟦\w+⟧")
_SEVERAL = re.compile(r"[^\W\d_]{2,}")
_MOST_BROKEN = 3
_WORDS = re.compile(r"[^\W\d_][^<>=*†‡§:]*")
_REMARK = re.compile(r"\((?!\w{1,3}\))|⟦cite⟧")
"""Beginnings of the second line of a label: a remark, and no item such as (a)."""


@dataclass(frozen=True, slots=True)
class WrittenCell:
    r"""A cell as it stands in the source.

    Parameters
    ----------
    content : Styled
        Cleaned text and its styles.
    span : Span
        Its source.
    n_rows, n_columns : int
        What it spans; negative rows go upwards.
    set_apart : bool
        Whether it has none of the styles of its column, as behind `\multicolumn`.
    """

    content: Styled
    span: Span
    n_rows: int = 1
    n_columns: int = 1
    set_apart: bool = False


def joined(left: WrittenCell, glue: str, right: WrittenCell) -> WrittenCell:
    """Two cells of columns that are set without space between them, as one."""
    if not right.content.text.text:
        return left
    if not left.content.text.text:
        return replace(right, n_rows=left.n_rows)
    shift = len(left.content.text.text) + len(glue)
    text = left.content.text.followed_by(glue, right.content.text)
    runs = (*left.content.runs, *((a + shift, b + shift, styles) for a, b, styles in right.content.runs))
    span = left.span
    if right.span.file == span.file and right.span.end > span.start:
        span = Span(span.file, span.start, right.span.end)
    return replace(left, content=Styled(text, runs), span=span)


def without_blank_rows(rows: list[list[WrittenCell]], rules: Sequence[int]) -> list[int]:
    """Leave rows out in which nothing stands, but those that cells of other rows span; return where rules are then."""
    spanned = {
        other
        for index, row in enumerate(rows)
        for cell in row
        for other in range(index + min(0, cell.n_rows + 1), index + max(1, cell.n_rows))
        if abs(cell.n_rows) > 1
    }
    blank = [
        index
        for index, row in enumerate(rows)
        if index not in spanned and not any(cell.content.text.text.strip() for cell in row)
    ]
    for index in reversed(blank):
        del rows[index]
    return [rule - sum(index < rule for index in blank) for rule in rules]


def join_wrapped(rows: list[list[WrittenCell]], rules: Sequence[int]) -> list[int]:
    """Join a text that goes on in the next row, where nothing else stands, to its row; return where rules are then.

    The next row begins with a citation, a parenthesis or a small letter, or the label above ends with a comma or a word
    that needs another, and no rule is between the two; a label goes on if there are results beside it, other texts if
    they stand in the last column. A label without results, and the only row below it that begins with a parenthesis,
    are one, too.
    """
    kept = list(rules)
    labels = Counter(row[0].content.text.text for row in rows)  # one in several blocks is of rows without results
    for index in range(len(rows) - 2, -1, -1):
        if _is_headless(rows, index, kept):
            label = rows[index][0]
            rows[index + 1][0] = replace(joined(label, " ", rows[index + 1][0]), n_rows=1)
            del rows[index]
            kept = [rule - (rule > index) for rule in kept]
    for index in range(len(rows) - 1, 0, -1):
        above, row = rows[index - 1], rows[index]
        filled = [at for at, cell in enumerate(row) if cell.content.text.text.strip()]
        at = filled[0] if filled else 0
        if len(filled) != 1 or not len(above) > max(1, at) or index in kept:
            continue
        text = row[at].content.text.text
        wraps = (
            row[at].n_columns == row[at].n_rows == above[at].n_columns == 1
            and (
                _GOES_ON.match(text) is not None
                or (not at and _is_second_line(rows, index, kept, once=labels[text] == 1))
            )
            and any(character.isalpha() for character in above[at].content.text.text)
            and (
                text[0].isalpha()
                and not above[at].content.text.text.rstrip().endswith((".", ":", ";", "?", "!"))
                and at == len(row) - 1 == len(above) - 1
                and above[0].content.text.text
                if at
                else any(located_numbers(cell.content.text) for cell in above[1:])
            )
        )
        if wraps and (at == 0 or above[0].n_rows == 1):
            above[at] = replace(joined(above[at], " ", row[at]), n_rows=1)
            above[1:] = [
                replace(cell, n_rows=max(1, cell.n_rows - 1)) if cell.n_rows > 1 else cell for cell in above[1:]
            ]
            del rows[index]
            kept = [rule - (rule > index) for rule in kept]
    return kept


def _is_second_line(rows: list[list[WrittenCell]], index: int, rules: Sequence[int], *, once: bool) -> bool:
    """Whether a label ends above without its last word, or one alone in its row has nothing below to be the head of."""
    last = once and (index + 1 == len(rows) or index + 1 in rules)
    above, text = (rows[row][0].content.text.text for row in (index - 1, index))
    return _UNFINISHED.search(above) is not None or (last and _WORDS.fullmatch(text) is not None)


def _is_headless(rows: list[list[WrittenCell]], index: int, rules: Sequence[int]) -> bool:
    """Whether a row holds the first line of a label only, whose second line has the results."""
    label, below = rows[index][0], rows[index + 1]
    after = rows[index + 2] if index + 2 < len(rows) and index + 2 not in rules else None
    alone = not any(cell.content.text.text.strip() or cell.n_rows > 1 for cell in rows[index][1:])
    opens = [_REMARK.match(row[0].content.text.text) is not None for row in (below, after) if row]
    return (
        index > 0
        and index + 1 not in rules
        and alone
        and label.n_columns == label.n_rows == below[0].n_columns == 1
        and any(map(str.isalpha, label.content.text.text))
        and not label.content.runs
        and opens[:1] == [True]
        and not any(opens[1:])
        and any(located_numbers(cell.content.text) for cell in below[1:])
    )


def join_broken(
    rows: list[list[WrittenCell]], rules: Sequence[int], hyphen: Callable[[str, str], str | None]
) -> list[int]:
    """Join headings that are broken within a word at the end of a row; return where rules are then.

    `hyphen` is told the two parts and says what is between them, None if these are no word.
    """
    kept = list(rules)
    for index in range(min(len(rows) - 1, _MOST_BROKEN) - 1, -1, -1):
        above, row = _by_column(rows[index]), _by_column(rows[index + 1])
        if index + 1 in kept:
            continue
        halves = {
            column: between
            for column, at in row.items()
            if column in above and (between := _between_halves(rows, index, above[column], at, hyphen)) is not None
        }
        if not any(rows[index][above[column]].content.text.text.endswith("-") for column in halves):
            continue
        whole = not any(rows[index + 1][at].content.text.text for column, at in row.items() if column not in halves)
        for column, between in halves.items():
            first, second = rows[index][above[column]], rows[index + 1][row[column]]
            rows[index][above[column]] = replace(_without_hyphen(first, between, second), n_rows=2)
            rows[index + 1][row[column]] = replace(second, content=Styled(MappedText(), ()))
        if whole:
            del rows[index + 1]
            for other in range(index + 1):
                rows[other] = [
                    replace(cell, n_rows=cell.n_rows - 1) if cell.n_rows > index + 1 - other else cell
                    for cell in rows[other]
                ]
            kept = [rule - (rule > index) for rule in kept]
    return kept


def _by_column(row: Sequence[WrittenCell]) -> dict[int, int]:
    """Places in a row of the cells that begin in each column."""
    ends = accumulate((max(1, cell.n_columns) for cell in row), initial=0)
    return {column: at for at, column in zip(range(len(row)), ends, strict=False)}


def _between_halves(
    rows: Sequence[Sequence[WrittenCell]], index: int, at: int, below: int, hyphen: Callable[[str, str], str | None]
) -> str | None:
    """What is between a heading and the one below it, if both are parts of a word."""
    first, second = rows[index][at], rows[index + 1][below]
    if (first.n_columns, first.n_rows, second.n_rows) != (second.n_columns, 1, 1):
        return None
    before, after = first.content.text.text, second.content.text.text
    if after.startswith("-") and after[1:2].islower() and before[-1:].isalpha():
        return "-"
    return hyphen(before, after) if before and after else None


def _without_hyphen(first: WrittenCell, between: str, second: WrittenCell) -> WrittenCell:
    """Two parts of a word as one; a hyphen is there already."""
    text = first.content.text.text
    if between or not text.endswith("-"):
        return joined(first, "", second)
    end = len(text) - 1
    runs = tuple((begin, min(stop, end), styles) for begin, stop, styles in first.content.runs)
    return joined(replace(first, content=Styled(first.content.text.slice(0, end), runs)), "", second)


def join_stacked(rows: list[list[WrittenCell]], rules: Sequence[int]) -> list[int]:
    """Join labels that stand alone above a row to its label, where rules set every row apart; return where rules are.

    Between two rules there is one row with more than a label each time, and sometimes nothing else: labels alone head
    no rows then.
    """
    kept = sorted(set(rules))
    blocks = [range(begin, end) for begin, end in pairwise([rule for rule in kept if rule > 0])]
    alone = [
        [len([cell for cell in rows[row] if cell.content.text.text.strip()]) == 1 for row in block] for block in blocks
    ]
    single = any(len(block) == 1 for block in blocks)
    stacked = [block for block, lone in zip(blocks, alone, strict=True) if lone[:-1] and all(lone[:-1])]
    if not single or not stacked or any(lone[-1] or not all(lone[:-1]) for lone in alone):
        return list(rules)
    for block in reversed(stacked):
        last = rows[block[-1]]
        labels = [rows[row][0] for row in block]
        if any(not label.content.text.text.strip() or label.n_columns > 1 or label.n_rows > 1 for label in labels):
            continue
        for label in labels[1:]:
            labels[0] = joined(labels[0], " ", label)
        rows[block[0] : block[-1] + 1] = [[labels[0], *last[1:]]]
        rules = [rule - (len(block) - 1) * (rule > block[0]) for rule in rules]
    return list(rules)


def centre_labels(places: list[list[tuple[WrittenCell, int, int]]], rules: Sequence[int]) -> None:
    """Let a label that stands by hand in the middle of the rows between two rules span them all.

    So does one from the first row on that is broken before or within parentheses, or spans fewer rows than there are.
    """
    bounds = sorted({rule for rule in rules if rule > 0} | {len(places)})
    for begin, end in pairwise(bounds):
        labels = [places[row][0][0] for row in range(begin, end)]
        spans = labels[0].n_rows
        if 1 < spans < end - begin and places[begin][0][1] == begin and _goes_to_the_end(places, begin + spans, end):
            places[begin:end] = [
                [(replace(labels[0], n_rows=end - begin), begin, 0), *line[1:]] for line in places[begin:end]
            ]
            continue
        named = [row for row in range(begin, end) if labels[row - begin].content.text.text.strip()]
        broken = named and named[0] == begin and _is_broken([label.content.text.text for label in labels])
        if not named or len(places[0]) < 3 or (not broken and (named[0] == begin or named[-1] == end - 1)):
            continue
        different = list({id(labels[row - begin]): labels[row - begin] for row in named}.values())
        centred = abs((named[0] - begin) - (end - 1 - named[-1])) <= 1 and named == [*range(named[0], named[-1] + 1)]
        beside = [places[row][1][0] for row in range(begin, end)]
        if not (centred or broken) or len(different) > 3 or any(cell.n_columns > 1 for cell in different):
            continue
        if not all(any(map(str.isalpha, cell.content.text.text)) for cell in (*beside, *different)):
            continue
        label = different[0]
        for further in different[1:]:
            label = joined(label, " ", further)
        label = replace(label, n_rows=end - begin)
        for row in range(begin, end):
            places[row][0] = (label, begin, 0)


def _goes_to_the_end(places: Sequence[Sequence[tuple[WrittenCell, int, int]]], row: int, end: int) -> bool:
    """Whether rows have no label, and a name beside that."""
    return len(places[0]) > 2 and all(
        not line[0][0].content.text.text.strip() and any(map(str.isalpha, line[1][0].content.text.text))
        for line in places[row:end]
    )


def _is_broken(labels: Sequence[str]) -> bool:
    """Whether the first labels of a block are one, with a remark in parentheses, and the others are blank."""
    named = [label for label in labels if label.strip()]
    text = " ".join(named)
    opens = [text.count("(", 0, at) > text.count(")", 0, at) for at in accumulate(len(label) + 1 for label in named)]
    goes_on = (inside or after.startswith("(") for inside, after in zip(opens, named[1:], strict=False))
    together = named == list(labels[: len(named)])
    return len(named) > 1 and together and not opens[-1] and all(goes_on)


_RANGE = re.compile(r"\s*[\d.,]+%?\s?[–-]\s?[\d.,]+%?\s*")
"""A cell that holds nothing but a range."""


def finished(written: WrittenCell, row: int, column: int, styles: frozenset[str] = frozenset()) -> Cell:
    """Read the numbers, marks and styles of a cell."""
    text = written.content.text
    located = [(a, b, _aside(text.text, a, number)) for a, b, number in located_numbers(text)]
    behind = _BEHIND.search(text.text)
    named = (0, (behind and behind.start()) or len(text.text))
    first = next(((a, b) for a, b, number in located if number.role == "value"), None)
    if first is not None and not _is_about_number(text.text, first[0]):
        first = None
    styles = frozenset() if written.set_apart else styles
    if _RANGE.fullmatch(text.text) and len(located) == 2 and located[0][2].value < located[1][2].value:
        low, high = located
        located = [(*low[:2], replace(low[2], role="low")), (*high[:2], replace(high[2], role="high", sign=""))]
    own = written.content.styles(*(first or named), words=first is None) if text else frozenset()
    own |= styles
    return Cell(
        text=text,
        row=row,
        column=column,
        n_rows=abs(written.n_rows),
        n_columns=written.n_columns,
        numbers=tuple(number for _, _, number in located),
        marks=_marks(text.text),
        bold="bold" in own,
        underlined="underlined" in own,
        italic="italic" in own,
        span=written.span,
        styles=written.content.runs,
    )


def _is_about_number(text: str, at: int) -> bool:
    """Whether a text with a number is not one of several words: 84.2 (ours), 12 GPU hours, Layer: 84.2."""
    words = _SEVERAL.findall(_ENCLOSED.sub(" ", text))
    leads = not any(map(str.isalnum, text[:at]))
    return len(words) <= 1 + leads and not _LEVEL.match(text, at)


def _aside(text: str, at: int, number: PrintedNumber) -> PrintedNumber:
    """Say of a number of a cell that it is a remark, if it stands within parentheses behind something else."""
    opened = text.rfind("(", 0, at)
    if number.role != "value" or opened <= 0 or text.count("(", 0, at) <= text.count(")", 0, at):
        return number
    return replace(number, role="remark") if text[opened - 1].isspace() or text[opened - 1].isdigit() else number


def _marks(text: str) -> tuple[str, ...]:
    """Significance marks: superscripts, and symbols beside a number; `**` is one mark, `†‡` are two."""
    if "^" not in text and not any(symbol in text for symbol in SYMBOLS) and not text.endswith("+"):
        return ()
    found: list[str] = []
    for match in _RAISED.finditer(text):
        raised = match[1] or match[2]
        word = raised.isalpha() and len(raised) > 1 and not (list(raised) == sorted(set(raised)) and raised[-1] < "i")
        within = text[: match.start()][-1:].isalpha() and _WITHIN.match(text, match.end())
        if not word and not within:
            found.extend(_single(raised))
    for match in _BESIDE.finditer(re.sub(r"\^\S+", " ", text)):
        found.extend(_single(next(filter(None, match.groups()))))
    return tuple(dict.fromkeys(found))


def _single(text: str) -> list[str]:
    return [match[0] for match in re.finditer(r"([^\w,\s])\1*|\w", text)]


def placed(rows: Sequence[Sequence[WrittenCell]], n_columns: int) -> list[list[tuple[WrittenCell, int, int]]]:
    """Put cells into a rectangle; each place names its cell and the upper left corner of that."""
    empty = WrittenCell(Styled(MappedText(), ()), Span(0, 0, 0))
    grid: list[list[tuple[WrittenCell, int, int]]] = []
    for index, row in enumerate(rows):
        line: list[tuple[WrittenCell, int, int]] = []
        for cell in row:
            corner = len(line)
            count = max(1, min(cell.n_columns, n_columns - corner))
            line.extend([(cell, index, corner)] * count)
        line.extend((empty, index, column) for column in range(len(line), n_columns))
        grid.append(line[:n_columns])
    for index, line in enumerate(grid):
        for column, (cell, began, corner) in enumerate(line):
            if abs(cell.n_rows) <= 1 or began != index:
                continue
            step = 1 if cell.n_rows > 0 else -1
            for other in range(index + step, index + cell.n_rows, step):
                if 0 <= other < len(grid) and not grid[other][column][0].content.text.text.strip():
                    grid[other][column] = (cell, min(index, index + cell.n_rows + 1), corner)
    return _upwards(grid)


def _upwards(grid: list[list[tuple[WrittenCell, int, int]]]) -> list[list[tuple[WrittenCell, int, int]]]:
    """Give a cell that spans upwards its upper corner at each of its places."""
    for index, line in enumerate(grid):
        for column, (cell, row, corner) in enumerate(line):
            if cell.n_rows < -1 and row == index:
                top = index
                while top > 0 and grid[top - 1][column][0] is cell:
                    top -= 1
                line[column] = (cell, top, corner)
    return grid


def grid_of(
    places: Sequence[Sequence[tuple[WrittenCell, int, int]]], column_styles: Sequence[frozenset[str]]
) -> list[list[Cell]]:
    """Finish every cell once and put it at each of its places."""
    made: dict[tuple[int, int], Cell] = {}
    grid: list[list[Cell]] = []
    for line in places:
        cells = []
        for written, row, column in line:
            key = (row, column)
            if key not in made:
                styles = column_styles[column] if column < len(column_styles) else frozenset()
                made[key] = finished(written, row, column, styles)
            cells.append(made[key])
        grid.append(cells)
    return grid
