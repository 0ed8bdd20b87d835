"""Markdown to a document: prose, pipe tables, headings; code and definitions of links are skipped.

The blocks are those of CommonMark and GitHub's tables, as markdown-it finds them, so that what prints as code is no
prose here, and what prints as a heading, a list or a quoted table is one. markdown-it says of each block in which lines
it stands, which with the text of the block gives the place of every character.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from reportkit.checker.paper import grid as grids
from reportkit.checker.paper.cleaner import Styled
from reportkit.checker.paper.document import Document, Place, Problem, Sentence, Suppression, Table
from reportkit.checker.paper.files import Reader
from reportkit.checker.paper.grid import WrittenCell
from reportkit.checker.paper.headings import finished_table
from reportkit.checker.paper.markdown_inline import read_inline
from reportkit.checker.paper.printed_number import printed_numbers
from reportkit.checker.paper.sentences import MOST_CAPTION, MOST_CELL, REFERENCES, paragraphs_of
from reportkit.checker.paper.source import MappedText, SourceFile, Span
from reportkit.checker.paper.spreads import with_errors
from reportkit.checker.paper.suppressions import lines_about, suppression_in

MOST_NESTED = 40
"""Quotations and lists within one another."""

_FOOTNOTE = re.compile(r"\[\^[^\]\n]{1,100}\]:[ \t]*")
_CAPTION = re.compile(r"\s*(?:[*_]{0,2}(?:Table|Tab\.)\s*\d*(?:[.:][*_]{0,2}|[*_]{0,2}[.:])|:(?=\s))\s+", re.IGNORECASE)
_ABSTRACT = re.compile(r"abstract[ \t]*:[ \t]*[|>][-+\d]*[ \t\r]*$", re.IGNORECASE)
_BIBLIOGRAPHY = re.compile(r"^(?:bibliography|references):|\[[^\[\]\n@]*@\w", re.MULTILINE)
_LABEL = re.compile(r"\{#([\w:-]+)\}")
_CONTAINERS = re.compile(r"[ \t]*(?:(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+)[ \t]*)*")
_TICKS = re.compile("`+")
_PIPE = re.compile(r"\\.|(`+)|\|", re.DOTALL)

_Line = tuple[int, int]
"""Where the content of a line begins and ends."""


@dataclass(slots=True)
class _State:
    """What was read so far."""

    file: SourceFile
    index: int
    text: str
    """The file without comments, character by character."""
    prose: str
    """Only what stands in paragraphs and headings, character by character."""
    sentences: list[Sentence] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    section: str = ""
    paragraph: int = 0
    cites: bool = True
    """Whether `@name` is a citation."""
    waiting: tuple[MappedText, int] | None = None
    """A caption above the table that it belongs to, with its paragraph."""


def read_markdown(path: Path, reader: Reader | None = None) -> Document:
    """Read a Markdown paper: pipe tables, prose, headings, footnotes.

    A caption is a paragraph directly before or after a table that begins with "Table 1:", "Table:" or ":".

    Parameters
    ----------
    path : Path
        The file.
    reader : Reader, optional
        Holds the file.
    """
    reader = reader or Reader()
    index = reader.read(path)
    if index is None:
        return Document("markdown", tuple(reader.files), problems=tuple(reader.problems))
    file = reader.files[index]
    text = _without_front_matter(file.text.replace("\0", " ").replace("\r", " "))
    text, suppressions = _without_comments(file, index, text)
    tokens = _blocks(text)
    befores = [None, *tokens]
    blocks = [block for pair in zip(tokens, befores, strict=False) for block in _of_token(file, text, *pair)]
    state = _State(file, index, text, _only(text, blocks), cites=_BIBLIOGRAPHY.search(file.text) is not None)
    for block in blocks:
        _take(block, state)
    if any(token.level >= MOST_NESTED - 1 for token in tokens):
        message = f"lists or quotations are nested more than {MOST_NESTED} deep; what is deeper was left out"
        state.problems.append(Problem(message, "nest fewer", Span(index, 0, 0)))
    return Document(
        language="markdown",
        files=tuple(reader.files),
        sentences=tuple(state.sentences),
        tables=tuple(map(with_errors, state.tables)),
        labels=(),
        suppressions=suppressions,
        problems=(*reader.problems, *state.problems),
    )


# blocks


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, a paragraph or a table: its lines, without what a list or a quotation puts before them."""

    kind: str
    lines: tuple[_Line, ...]


def _blocks(text: str) -> list[Token]:
    """Blocks of a text."""
    parser = MarkdownIt("commonmark", {"maxNesting": MOST_NESTED}).enable("table")
    tokens: list[Token] = []
    parser.block.parse(text, parser, {}, tokens)
    return tokens


def _of_token(file: SourceFile, text: str, token: Token, before: Token | None) -> Iterator[_Block]:
    if token.map is None:
        return
    first, last = token.map
    if token.type == "inline" and before is not None and before.type in ("paragraph_open", "heading_open"):
        content = token.content.split("\n")
        lines = [_placed(file, text, first + number, line) for number, line in enumerate(content)]
        if before.type == "heading_open":
            yield _Block("heading", tuple(lines))
        else:
            yield _Block("paragraph", tuple(lines))
    elif token.type == "table_open":
        lines = [_line(file, text, number, nested=token.level > 0) for number in (first, *range(first + 2, last))]
        n_rows = next((n for n, (start, end) in enumerate(lines) if "|" not in text[start:end]), len(lines))
        yield _Block("table", tuple(lines[:n_rows]))
        if n_rows < len(lines):  # GitHub takes words directly below for a row
            yield _Block("paragraph", tuple(lines[n_rows:]))


def _line(file: SourceFile, text: str, number: int, *, nested: bool = False) -> _Line:
    """A line without white space around it, and without the signs of lists and quotations before it."""
    start = file.line_starts[number]
    end = file.line_starts[number + 1] if number + 1 < len(file.line_starts) else len(text)
    while end > start and text[end - 1].isspace():
        end -= 1
    if nested and (match := _CONTAINERS.match(text, start, end)):
        start = match.end()
    while start < end and text[start].isspace():
        start += 1
    return start, end


def _placed(file: SourceFile, text: str, number: int, content: str) -> _Line:
    """Where the content of a block stands in a line: at its end, or in the midst of a heading's signs."""
    start, end = _line(file, text, number)
    content = content.strip()
    if text.endswith(content, start, end):
        return end - len(content), end
    found = text.find(content, start, end)
    return (found, found + len(content)) if found >= 0 else (start, end)


def _only(text: str, blocks: list[_Block]) -> str:
    """The text with everything blanked that stands in no paragraph or heading, so that places stay."""
    parts: list[str] = []
    at = 0
    for block in blocks:
        for start, end in block.lines if block.kind != "table" else ():
            if start >= at:
                parts += [re.sub(r"[^\n]", " ", text[at:start]), text[start:end]]
                at = end
    parts.append(re.sub(r"[^\n]", " ", text[at:]))
    return "".join(parts)


# comments and front matter


def _without_front_matter(text: str) -> str:
    """Blank the settings between `---` and `---` at the beginning, all but the abstract."""
    lines = text.split("\n")
    if lines[0].strip() == "---":
        for number, line in enumerate(lines[1:], 1):
            if line.strip() in ("---", "..."):
                return "\n".join([*_abstract(lines[: number + 1]), *lines[number + 1 :]])
    return text


def _abstract(lines: list[str]) -> Iterator[str]:
    """Blank settings, but for the text of the abstract, which is indented below its key."""
    inside = False
    for line in lines:
        key = _ABSTRACT.match(line) is not None
        inside = key or (inside and line[:1] in ("", " ", "\t", "\r"))
        yield line if inside and not key else " " * len(line)


def _without_comments(file: SourceFile, index: int, text: str) -> tuple[str, tuple[Suppression, ...]]:
    """The text with comments outside of code blanked, so that places stay, and what the comments ask for."""
    if "<!--" not in text:
        return text, ()
    code = [token.map for token in _blocks(text) if token.type in ("fence", "code_block") and token.map]
    fenced = [(file.line_starts[first], _end(file, last)) for first, last in code]
    begins = [start for start, _ in fenced]
    comments: list[tuple[int, int]] = []
    parts: list[str] = []
    at = 0
    while (start := text.find("<!--", at)) >= 0:
        block = bisect_right(begins, start) - 1
        inside = fenced[block][1] if block >= 0 and start < fenced[block][1] else 0
        end = text.find("-->", start + 4) + 3
        if end < 3 and not inside:
            break
        if inside:
            parts.append(text[at:inside])
            at = inside
            continue
        parts += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
        comments.append((start, end))
        at = end
    blanked = "".join([*parts, text[at:]])
    about = lines_about([not line.strip() for line in blanked.split("\n")])
    found = (suppression_in(file, index, start, end, about) for start, end in comments)
    return blanked, tuple(item for item in found if item is not None)


def _end(file: SourceFile, line: int) -> int:
    return file.line_starts[line] if line < len(file.line_starts) else len(file.text)


# what blocks say


def _take(block: _Block, state: _State) -> None:
    if block.kind == "table":
        _table(block, state)
    elif block.kind == "heading":
        title = _styled(block, state, block.lines[0][0])
        state.section = title.text.text.strip()
        _add(title.text, "heading", state)
    else:
        _paragraph(block, state)


def _styled(block: _Block, state: _State, start: int) -> Styled:
    return read_inline(state.prose, state.index, start, block.lines[-1][1], cites=state.cites)


def _paragraph(block: _Block, state: _State) -> None:
    start, end = block.lines[0]
    place: Place = "body"
    if footnote := _FOOTNOTE.match(state.text, start, end):
        place, start = "footnote", footnote.end()
    elif state.section.casefold() == "abstract":
        place = "abstract"
    elif state.section.casefold() in REFERENCES:
        place = "reference"
    caption = _CAPTION.match(state.text, start, end)
    if caption is None or place == "footnote":
        _add(_styled(block, state, start).text, place, state)
        return
    colon = state.text.startswith(":", start)
    styled = _styled(block, state, caption.end() if colon else start)
    number = state.paragraph
    label = _LABEL.search(state.text, start, block.lines[-1][1])
    text = styled.text.stripped()
    _add(styled.text, "caption", state)
    if len(text.text) > MOST_CAPTION:
        message = f"a caption has {len(text.text):,} characters; rules about tables see the first {MOST_CAPTION:,}"
        state.problems.append(Problem(message, "end it with an empty line", text.span(0, 1)))
        text = text.slice(0, MOST_CAPTION)
    last = state.tables[-1] if state.tables else None
    if last is not None and last.paragraph < 0 and not state.text[last.span.end : start].strip("> \t\n"):
        state.tables[-1] = replace(last, caption=text, paragraph=number, label=label[1] if label else "")
    else:
        state.waiting = (text, number)


def _add(text: MappedText, place: Place, state: _State) -> None:
    state.waiting = None
    for group in paragraphs_of(text):
        state.sentences += [
            Sentence(sentence, place, state.section, state.paragraph, printed_numbers(sentence)) for sentence in group
        ]
        state.paragraph += 1


def _table(block: _Block, state: _State) -> None:
    rows = [_row(line, state) for line in block.lines]
    cells = grids.grid_of(grids.placed(rows, max(map(len, rows))))
    span = Span(state.index, block.lines[0][0], block.lines[-1][1])
    table = finished_table(cells, [1], span=span, n_header_rows=1)
    caption, number = state.waiting or (MappedText(), -1)
    state.tables.append(replace(table, caption=caption, paragraph=number))
    state.waiting = None


def _row(line: _Line, state: _State) -> list[WrittenCell]:
    """Split a line at its pipes; escaped pipes and pipes in code do not count."""
    start, end = line
    marks = list(_pipes(state.text, start, end))
    bounds = [start - 1, *marks, end]
    if marks and marks[0] == start:
        bounds = bounds[1:]
    if marks and marks[-1] == end - 1 and len(bounds) > 2:
        bounds = bounds[:-1]
    cells = []
    for left, right in pairwise(bounds):
        begin, stop = left + 1, right
        while begin < stop and state.text[begin].isspace():
            begin += 1
        while stop > begin and state.text[stop - 1].isspace():
            stop -= 1
        content = read_inline(state.text, state.index, begin, stop, cell=True, cites=state.cites)
        if len(content.text.text) > MOST_CELL:
            message = f"a cell has {len(content.text.text):,} characters; the first {MOST_CELL:,} are read"
            state.problems.append(Problem(message, "end it with |", content.text.span(0, 1)))
            content = content._replace(text=content.text.slice(0, MOST_CELL))
        cells.append(WrittenCell(content, Span(state.index, begin, stop)))
    return cells


def _pipes(text: str, start: int, end: int) -> Iterator[int]:
    """Pipes that end cells."""
    ticks: dict[int, list[int]] = {}
    for found in _TICKS.finditer(text, start, end):
        ticks.setdefault(len(found[0]), []).append(found.start())
    at = start
    while match := _PIPE.search(text, at, end):
        at = match.end()
        if match[1]:
            places = ticks.get(len(match[1]), [])
            closing = bisect_left(places, at)
            at = places[closing] + len(match[1]) if closing < len(places) else at
        elif match[0] == "|":
            yield match.start()
