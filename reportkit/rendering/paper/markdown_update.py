"""Tables and numbers of a report in a user's Markdown: what stands between comments, and nothing else.

```
<!-- reportkit: begin results -->      a table, on lines of its own
<!-- reportkit: end results -->
<!-- rk: main/sst2/ours -->93.1<!-- /rk -->     a number, within a sentence
```

Comments in blocks of code and in code spans are left alone.
"""

from __future__ import annotations

import re

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.rendering.paper.paper_file import Edit, PaperFile, line_number
from reportkit.rendering.paper.paper_pieces import Pieces

_TABLE = re.compile(r"<!--[ \t]*reportkit:[ \t]*(begin|end)[ \t]+([A-Za-z0-9-]+)[ \t]*-->")
_NUMBER = re.compile(r"<!--[ \t]*rk:[ \t]*([^\s>]+)[ \t]*-->((?:(?!<!--).)*?)<!--[ \t]*/rk[ \t]*-->")
_OPEN_NUMBER = re.compile(r"<!--[ \t]*rk:[^>]*-->")
_FENCE = re.compile(r"^[ ]{0,3}(`{3,}|~{3,})[^\r\n]*$", re.MULTILINE)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)((?:(?!\r?\n[ \t]*\r?\n).)*?)(?<!`)\1(?!`)", re.DOTALL)
_LINE_END = re.compile(r"[ \t]*(?:\r\n|\r|\n)")


def markdown_edits(paper: PaperFile, pieces: Pieces) -> list[Edit]:
    """Find what has to be replaced in a Markdown file.

    Raises
    ------
    UnknownNameError
        If a comment names a table or a number that the report does not have.
    SettingsError
        If a comment that begins a table has none that ends it, or the other way round.
    """
    hidden = _code(paper.text)
    return [*_tables(paper, pieces, hidden), *_numbers(paper, pieces, hidden)]


def _code(text: str) -> list[tuple[int, int]]:
    """From where to where there is code."""
    blocks: list[tuple[int, int]] = []
    position = 0
    while opening := _FENCE.search(text, position):
        sign = opening[1]
        closing = re.compile(rf"^[ ]{{0,3}}{re.escape(sign[0])}{{{len(sign)},}}[ \t]*\r?$", re.MULTILINE).search(
            text, opening.end()
        )
        position = len(text) if closing is None else closing.end()
        blocks.append((opening.start(), position))
    spans = [match.span() for match in _SPAN.finditer(text) if not _inside(match.start(), blocks)]
    return [*blocks, *spans]


def _inside(position: int, places: list[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in places)


def _tables(paper: PaperFile, pieces: Pieces, hidden: list[tuple[int, int]]) -> list[Edit]:
    edits: list[Edit] = []
    opened: re.Match[str] | None = None
    for match in _TABLE.finditer(paper.text):
        if _inside(match.start(), hidden):
            continue
        if (match[1] == "begin") == (opened is not None) or (opened is not None and opened[2] != match[2]):
            culprit = opened if opened is not None else match
            raise SettingsError(
                f"{culprit[0]} stands alone",
                where=f"{paper.path}, line {line_number(paper.text, culprit.start())}",
                remedy=f"write <!-- reportkit: begin {culprit[2]} --> and <!-- reportkit: end {culprit[2]} -->",
            )
        if opened is None:
            opened = match
            continue
        edits.append(_table(paper, pieces, opened, match))
        opened = None
    if opened is not None:
        raise SettingsError(
            f"{opened[0]} has no end",
            where=f"{paper.path}, line {line_number(paper.text, opened.start())}",
            remedy=f"write <!-- reportkit: end {opened[2]} --> behind it",
        )
    return edits


def _table(paper: PaperFile, pieces: Pieces, begin: re.Match[str], end: re.Match[str]) -> Edit:
    name = begin[2]
    if name not in pieces.markdown:
        where = f"{paper.path}, line {line_number(paper.text, begin.start())}"
        raise UnknownNameError("table", name, pieces.markdown, where=where)
    line_end = _LINE_END.match(paper.text, begin.end())
    start = line_end.end() if line_end and line_end.end() <= end.start() else begin.end()
    content = pieces.markdown[name].strip("\n") + "\n"
    return Edit(start, end.start(), content if line_end else f"\n{content}")


def _numbers(paper: PaperFile, pieces: Pieces, hidden: list[tuple[int, int]]) -> list[Edit]:
    edits: list[Edit] = []
    paired = set()
    for match in _NUMBER.finditer(paper.text):
        if _inside(match.start(), hidden):
            continue
        paired.add(match.start())
        if match[1] not in pieces.values:
            where = f"{paper.path}, line {line_number(paper.text, match.start())}"
            raise UnknownNameError("number", match[1], pieces.values, where=where)
        edits.append(Edit(match.start(2), match.end(2), pieces.values[match[1]]))
    for match in _OPEN_NUMBER.finditer(paper.text):
        if match.start() not in paired and not _inside(match.start(), hidden):
            raise SettingsError(
                f"{match[0]} has no end",
                where=f"{paper.path}, line {line_number(paper.text, match.start())}",
                remedy="write <!-- /rk --> behind it, on the same line",
            )
    return edits
