"""Markdown to a document: prose, pipe tables, headings; code is skipped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from reportkit.checker.paper import grid as grids
from reportkit.checker.paper.cleaner import Cleaner, Collected, Styled
from reportkit.checker.paper.document import Citation, Document, Label, Place, Sentence, Suppression, Table
from reportkit.checker.paper.files import Reader
from reportkit.checker.paper.grid import WrittenCell
from reportkit.checker.paper.printed_number import printed_numbers
from reportkit.checker.paper.sentences import REFERENCES, sentences_of
from reportkit.checker.paper.source import MappedText, SourceFile, Span, TextBuilder
from reportkit.checker.paper.structure import Structure
from reportkit.checker.paper.suppressions import suppression_in
from reportkit.checker.paper.tabular import finished_table
from reportkit.checker.paper.tokens import tokens_of

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_RULE = re.compile(r" {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+")
_FOOTNOTE = re.compile(r"\[\^[^\]]+\]:\s*")
_CAPTION = re.compile(r"\s*(?:[*_]{0,2}(?:Table|Tab\.)\s*\d*(?:[.:][*_]{0,2}|[*_]{0,2}[.:])|:(?=\s))\s+", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_COMMENT_LINE = re.compile(r"\s*(?:<!--.*?-->\s*)*")
_LABEL = re.compile(r"\{#([\w:-]+)\}")
_INLINE = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<math>\$\$?(?!\s)[^$\n]+?\$\$?)"
    r"|(?P<image>!\[[^\]\n]*\]\([^)\n]*\))"
    r"|(?P<cite>\[[^\]\n]*@[^\]\n]*\]|(?<!\w)@[A-Za-z][\w:.-]*\w)"
    r"|(?P<note>\[\^[^\]\n]+\])"
    r"|\[(?P<link>[^\]\n]+)\](?:\([^)\n]*\)|\{[^}\n]*\})"
    r"|(?P<sup>\^(?P<raised>[^\s^]{1,12})\^)"
    r"|(?P<tag></?(?P<name>\w+)[^>\n]{0,200}>)"
    r"|(?P<strong>\*\*|__)"
    r"|(?P<emphasis>(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])|(?<!\w)_(?=\S)|(?<=\S)_(?!\w))"
    r"|(?P<entity>&(?:nbsp|amp|lt|gt|plusmn|minus|dagger|thinsp);)"
    r"|(?P<space>\s+)"
)
_ENTITIES = {
    "&nbsp;": " ", "&amp;": "&", "&lt;": "<", "&gt;": ">", "&plusmn;": "±", "&minus;": "−", "&dagger;": "†",
    "&thinsp;": "\u2009",
}  # fmt: skip
_TAGS = {"b": "bold", "strong": "bold", "u": "underlined", "i": "italic", "em": "italic"}


@dataclass(slots=True)
class _State:
    """What was read so far."""

    sentences: list[Sentence] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    section: str = ""
    paragraph: int = 0
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
    state = _State()
    hidden, suppressions = _comments(file, index)
    _blocks(file, index, hidden, state)
    return Document(
        language="markdown",
        files=tuple(reader.files),
        sentences=tuple(state.sentences),
        tables=tuple(state.tables),
        citations=tuple(state.citations),
        labels=tuple(state.labels),
        suppressions=suppressions,
        problems=tuple(reader.problems),
    )


def _comments(file: SourceFile, index: int) -> tuple[str, tuple[Suppression, ...]]:
    """The text with comments blanked out, so that places stay, and what the comments ask for."""
    found = []
    parts: list[str] = []
    at = 0
    fenced = _fenced(file)
    for match in _COMMENT.finditer(file.text):
        if any(start <= match.start() < end for start, end in fenced):
            continue
        parts.append(file.text[at : match.start()])
        parts.append(re.sub(r"[^\n]", " ", match[0]))
        at = match.end()
        read = suppression_in(file, index, match.start(), match.end(), comment_line=_COMMENT_LINE)
        if read is not None:
            found.append(read)
    parts.append(file.text[at:])
    return "".join(parts).replace("\0", " "), tuple(found)


def _blocks(file: SourceFile, index: int, text: str, state: _State) -> None:
    """Go through the lines, block by block."""
    lines = _lines(file, text)
    at = _front_matter(lines)
    block: list[tuple[int, str]] = []
    while at < len(lines):
        start, line = lines[at]
        fence = _FENCE.match(line)
        if fence is not None:
            _paragraph(block, index, text, state)
            at = _fence_end(lines, at, fence[1])
        elif not line.strip():
            _paragraph(block, index, text, state)
            at += 1
        elif heading := _HEADING.match(line):
            _paragraph(block, index, text, state)
            title = _inline(text, index, start + heading.start(2), start + heading.end(2), state)
            state.section = title.text.text.strip()
            _add(title.text, "heading", state)
            at += 1
        elif at + 1 < len(lines) and "|" in line and _RULE.match(lines[at + 1][1]) and "-" in lines[at + 1][1]:
            _paragraph(block, index, text, state)
            at = _table(lines, at, index, text, state)
        else:
            if _ITEM.match(line) or _FOOTNOTE.match(line):
                _paragraph(block, index, text, state)
            block.append((start, line))
            at += 1
    _paragraph(block, index, text, state)


def _fenced(file: SourceFile) -> list[tuple[int, int]]:
    """Stretches of code."""
    lines = _lines(file, file.text)
    found, at = [], 0
    while at < len(lines):
        fence = _FENCE.match(lines[at][1])
        if fence is None:
            at += 1
            continue
        first, at = at, _fence_end(lines, at, fence[1])
        found.append((lines[first][0], lines[at - 1][0] + len(lines[at - 1][1])))
    return found


def _lines(file: SourceFile, text: str) -> list[tuple[int, str]]:
    """Lines with their places."""
    starts = (*file.line_starts, len(text))
    return [(starts[number], text[starts[number] : starts[number + 1]]) for number in range(len(starts) - 1)]


def _front_matter(lines: Sequence[tuple[int, str]]) -> int:
    if lines and lines[0][1].strip() == "---":
        for number in range(1, len(lines)):
            if lines[number][1].strip() in ("---", "..."):
                return number + 1
    return 0


def _fence_end(lines: Sequence[tuple[int, str]], at: int, fence: str) -> int:
    for number in range(at + 1, len(lines)):
        closing = _FENCE.match(lines[number][1])
        if closing and closing[1][0] == fence[0] and len(closing[1]) >= len(fence):
            return number + 1
    return len(lines)


def _paragraph(block: list[tuple[int, str]], index: int, text: str, state: _State) -> None:
    """Finish a paragraph and empty the block."""
    if not block:
        return
    start, end = block[0][0], block[-1][0] + len(block[-1][1])
    first = block[0][1]
    block.clear()
    place: Place = "body"
    if footnote := _FOOTNOTE.match(first):
        place, start = "footnote", start + footnote.end()
    elif item := _ITEM.match(first):
        start += item.end()
    if place == "body" and state.section.casefold() == "abstract":
        place = "abstract"
    elif place == "body" and state.section.casefold() in REFERENCES:
        place = "reference"
    caption = _CAPTION.match(first)
    if caption is None:
        _add(_inline(text, index, start, end, state).text, place, state)
        return
    styled = _inline(text, index, start + (caption.end() if first.lstrip().startswith(":") else 0), end, state)
    number = state.paragraph
    label = _LABEL.search(text, start, end)
    _add(styled.text, "caption", state)
    if state.tables and state.tables[-1].paragraph < 0 and not text[state.tables[-1].span.end : start].strip():
        state.tables[-1] = replace(
            state.tables[-1], caption=styled.text.stripped(), paragraph=number, label=label[1] if label else ""
        )
    else:
        state.waiting = (styled.text.stripped(), number)


def _add(text: MappedText, place: Place, state: _State) -> None:
    state.waiting = None
    for sentence in sentences_of(text):
        state.sentences.append(Sentence(sentence, place, state.section, state.paragraph, printed_numbers(sentence)))
    state.paragraph += 1


def _table(lines: Sequence[tuple[int, str]], at: int, index: int, text: str, state: _State) -> int:
    """Read a pipe table; return the line behind it."""
    first = at
    rows = [_row(lines[at], index, text, state)]
    at += 2
    while at < len(lines) and "|" in lines[at][1] and not _FENCE.match(lines[at][1]):
        rows.append(_row(lines[at], index, text, state))
        at += 1
    start, end = lines[first][0], lines[at - 1][0] + len(lines[at - 1][1].rstrip())
    width = max(len(row) for row in rows)
    cells = grids.grid_of(grids.placed(rows, width), [])
    table = finished_table(cells, [1], environment="markdown", span=Span(index, start, end), n_header_rows=1)
    caption, number = state.waiting or (MappedText(), -1)
    state.tables.append(replace(table, caption=caption, paragraph=number, section=state.section))
    state.waiting = None
    return at


def _row(line: tuple[int, str], index: int, text: str, state: _State) -> list[WrittenCell]:
    """Split a line at its pipes; escaped pipes and pipes in code do not count."""
    start, content = line
    stripped = content.rstrip()
    marks = [m.start() for m in re.finditer(r"(?<!\\)\|", re.sub(r"`[^`]*`", lambda m: " " * len(m[0]), stripped))]
    bounds = [-1, *marks, len(stripped)]
    if stripped.lstrip().startswith("|"):
        bounds = bounds[1:]
    if stripped.endswith("|") and len(bounds) > 2:
        bounds = bounds[:-1]
    cells = []
    for left, right in pairwise(bounds):
        begin, end = start + left + 1, start + right
        while begin < end and text[begin].isspace():
            begin += 1
        while end > begin and text[end - 1].isspace():
            end -= 1
        cells.append(WrittenCell(_inline(text, index, begin, end, state), Span(index, begin, end)))
    return cells


def _inline(text: str, index: int, start: int, end: int, state: _State) -> Styled:
    """Text of a stretch, with styles."""
    reader = _Inline(text, index, state)
    reader.read(start, end)
    return Styled(reader.builder.mapped(), tuple(reader.runs))


class _Inline:
    """One pass over inline Markdown."""

    def __init__(self, text: str, index: int, state: _State) -> None:
        self.text = text
        self.index = index
        self.state = state
        self.builder = TextBuilder()
        self.runs: list[tuple[int, int, frozenset[str]]] = []
        self.styles: frozenset[str] = frozenset()

    def read(self, start: int, end: int) -> None:
        """Read a stretch."""
        at = start
        for match in _INLINE.finditer(self.text, start, end):
            if match.start() < at:
                continue
            self._add(self.text[at : match.start()], at)
            at = match.end()
            if match["link"] is not None:
                self.read(match.start("link"), match.end("link")) if match["link"] != self.text[start:end] else None
            else:
                self._mark(match)
        self._add(self.text[at:end], at)

    def _mark(self, match: re.Match[str]) -> None:
        start, end = match.span()
        if match["escape"]:
            self._add(match["escape"][1], start, end)
        elif match["code"] or match["image"]:
            self._add("⟦code⟧", start, end)
        elif match["math"]:
            self._math(start, end)
        elif match["cite"]:
            keys = tuple(re.findall(r"@([A-Za-z][\w:.-]*\w)", match["cite"]))
            self.state.citations.append(Citation(keys, Span(self.index, start, end)))
            self._add("⟦cite⟧", start, end)
        elif match["sup"]:
            self._add("^" + match["raised"], start, end)
        elif match["tag"]:
            self._tag(match["name"].lower(), start, end, closing=match["tag"].startswith("</"))
        elif match["strong"]:
            self.styles ^= {"bold"}
        elif match["emphasis"]:
            if match["emphasis"] == "*" and self.text[start - 1 : start].isdigit() and "italic" not in self.styles:
                self._add("*", start, end)  # a mark
            else:
                self.styles ^= {"italic"}
        elif match["entity"]:
            self._add(_ENTITIES[match["entity"]], start, end)
        elif match["space"] and not self.builder.ends_in_space:
            self._add(" ", start, end)

    def _tag(self, name: str, start: int, end: int, *, closing: bool) -> None:
        if name in _TAGS:
            self.styles = self.styles - {_TAGS[name]} if closing else self.styles | {_TAGS[name]}
        elif name == "sup" and not closing:
            self._add("^", start, end)
        elif name == "sup" and self.text[end : end + 1].isalnum():
            self._add("\u200b", start, end)
        elif name == "br" and not self.builder.ends_in_space:
            self._add(" ", start, end)

    def _math(self, start: int, end: int) -> None:
        structure = Structure(
            [token for token in tokens_of(self.text, self.index, start, end) if token.kind != "comment"]
        )
        cleaned = Cleaner(structure, Collected(), {}).clean(0, len(structure.tokens))
        for number, piece in enumerate(cleaned.text.pieces):
            stop = cleaned.text.pieces[number + 1].at if number + 1 < len(cleaned.text.pieces) else None
            self._add(cleaned.text.text[piece.at : stop], piece.start, piece.end)

    def _add(self, text: str, start: int, end: int | None = None) -> None:
        if not text:
            return
        began = self.builder.length
        self.builder.add(text, self.index, start, end)
        if self.styles:
            self.runs.append((began, self.builder.length, self.styles))
