"""Markdown to a document: prose, pipe tables, headings, as tokens that are read like those of LaTeX.

The blocks are those of CommonMark and GitHub's tables, as markdown-it finds them, so that code is no prose here, and
headings, lists and quoted tables are read as such. markdown-it says of each block in which lines it stands, which with
the text of the block gives the place of every character.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token as Block

from reportkit.checker.paper.document import Document, Problem
from reportkit.checker.paper.files import Reader
from reportkit.checker.paper.macros import PIPES
from reportkit.checker.paper.markdown_inline import InlineTokens
from reportkit.checker.paper.source import SourceFile, Span
from reportkit.checker.paper.suppressions import suppressions_in
from reportkit.checker.paper.tokens import Token
from reportkit.checker.paper.walk import read_tokens

MOST_NESTED = 40
"""Quotations and lists within one another."""
_FOOTNOTE = re.compile(r"\[\^[^\]\n]{1,100}\]:[ \t]*")
_CAPTION = re.compile(r"\s*(?:[*_]{0,2}(?:Table|Tab\.)\s*\d*(?:[.:][*_]{0,2}|[*_]{0,2}[.:])|:(?=\s))\s+", re.IGNORECASE)
_ABSTRACT = re.compile(r"abstract[ \t]*:[ \t]*[|>][-+\d]*[ \t\r]*$", re.IGNORECASE)
_BIBLIOGRAPHY = re.compile(r"^(?:bibliography|references):|\[[^\[\]\n@]*@\w", re.MULTILINE)
_LABEL = re.compile(r"\{#([\w:-]+)\}")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CONTAINERS = re.compile(r"[ \t]*(?:(?:>[ \t]?|(?:[-*+]|\d{1,9}[.)])[ \t]+)[ \t]*)*")
_TICKS = re.compile("`+")
_PIPE = re.compile(r"\\.|(`+)|\|", re.DOTALL)


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
    parsed = _parsed(text)
    comments = list(_comments(file, text, parsed))
    blanked = _only(
        text, [(end, start) for (_, end), (start, _) in pairwise([(0, 0), *comments, (len(text), len(text))])]
    )
    if any(block.level >= MOST_NESTED - 1 for block in parsed):
        message = f"lists or quotations are nested more than {MOST_NESTED} deep; what is deeper was left out"
        reader.problems.append(Problem(message, "nest fewer", Span(index, 0, 0)))
    tokens = list(_Writer(file, index, blanked, parsed).tokens())
    blank = [not line.strip() for line in blanked.split("\n")]
    suppressions = suppressions_in(file, blank, [Span(index, *comment) for comment in comments])
    return read_tokens(tokens, "markdown", reader, suppressions=suppressions)


def _parsed(text: str) -> list[Block]:
    parser = MarkdownIt("commonmark", {"maxNesting": MOST_NESTED}).enable("table")
    blocks: list[Block] = []
    parser.block.parse(text, parser, {}, blocks)
    return blocks


def _blank(text: str) -> str:
    """Return white space of the same length and lines."""
    return re.sub(r"[^\n]", " ", text)


def _only(text: str, kept: Iterable[tuple[int, int]]) -> str:
    """Return a text with everything blanked but some stretches in their order, so that places stay."""
    pieces: list[str] = []
    at = 0
    for start, end in kept:
        if start >= at:
            pieces += [_blank(text[at:start]), text[start:end]]
            at = end
    return "".join([*pieces, _blank(text[at:])])


def _without_front_matter(text: str) -> str:
    """Blank the settings between `---` and `---` at the beginning, all but the abstract, indented below its key."""
    lines = text.split("\n")
    if lines[0].strip() != "---":
        return text
    end = next((number for number, line in enumerate(lines) if number and line.strip() in ("---", "...")), 0)
    inside = False
    for number, line in enumerate(lines[: end + 1] if end else ()):
        key = _ABSTRACT.match(line) is not None
        inside = key or (inside and line[:1] in ("", " ", "\t", "\r"))
        lines[number] = line if inside and not key else _blank(line)
    return "\n".join(lines)


def _comments(file: SourceFile, text: str, parsed: list[Block]) -> Iterator[tuple[int, int]]:
    """Find the comments outside of code."""
    at = 0
    for block in parsed:
        if block.map and block.type in ("html_block", "inline", "table_open"):
            start, end = (file.line_starts[n] if n < len(file.line_starts) else len(text) for n in block.map)
            for match in _COMMENT.finditer(text, max(at, start), end):
                at = match.end()
                yield match.span()


@dataclass(slots=True)
class _Writer:
    """Writes the blocks of a file as tokens of LaTeX."""

    file: SourceFile
    index: int
    text: str
    parsed: list[Block]

    def tokens(self) -> Iterator[Token]:
        """Yield the tokens of headings, paragraphs and tables, with the caption of a table beside it."""
        parts = [part for pair in zip([None, *self.parsed], self.parsed, strict=False) for part in self._parts(*pair)]
        prose = _only(self.text, [line for kind, lines in parts if kind != "table" for line in lines])
        cites = _BIBLIOGRAPHY.search(self.file.text) is not None
        inline, cells = (InlineTokens(text, self.index, cell=cell, cites=cites) for text, cell in
                         ((prose, False), (self.text, True)))  # fmt: skip
        kinds = [
            "caption" if kind == "paragraph" and _CAPTION.match(self.text, *lines[0]) else kind for kind, lines in parts
        ]
        taken: set[int] = set()
        for number, (kind, (_, lines)) in enumerate(zip(kinds, parts, strict=True)):
            before, after = (kinds[n] if 0 <= n < len(kinds) else "" for n in (number - 1, number + 1))
            if kind == "table":
                above = number - 1 if before == "caption" and number - 1 not in taken else None
                below = (
                    number + 1
                    if after == "caption" and above is None and self._next(lines, parts[number + 1][1])
                    else None
                )
                caption = above if above is not None else below
                yield self._at("par", "\n\n", lines[0][0])
                if caption is not None:
                    taken.add(caption)
                    yield from self._macro("begin", "table", lines[0][0])
                    yield from self._caption(inline, parts[caption][1])
                yield from self._table(cells, lines)
                if caption is not None:
                    yield from self._macro("end", "table", lines[-1][1])
            elif kind != "caption":
                yield from self._paragraph(inline, kind, lines)
            elif number not in taken and after != "table":
                yield from self._caption(inline, lines)
            yield self._at("par", "\n\n", lines[-1][1])

    def _at(self, kind: str, text: str, at: int) -> Token:
        return Token(kind, text, self.index, at, at)  # type: ignore[arg-type]

    def _macro(self, name: str, argument: str, at: int) -> Iterator[Token]:
        yield self._at("macro", f"\\{name}", at)
        yield self._at("open", "{", at)
        if argument:
            yield self._at("text", argument, at)
        yield self._at("close", "}", at)

    def _paragraph(self, inline: InlineTokens, kind: str, lines: list[tuple[int, int]]) -> Iterator[Token]:
        start, end = lines[0]
        footnote = _FOOTNOTE.match(self.text, start, end) if kind == "paragraph" else None
        macro = r"\section" if kind == "heading" else r"\footnote" if footnote else ""
        if macro:
            yield self._at("macro", macro, start)
            yield self._at("open", "{", start)
        yield from inline.read(footnote.end() if footnote else start, lines[-1][1])
        if macro:
            yield self._at("close", "}", lines[-1][1])

    def _caption(self, inline: InlineTokens, lines: list[tuple[int, int]]) -> Iterator[Token]:
        (start, end), last = lines[0], lines[-1][1]
        mark = _CAPTION.match(self.text, start, end)
        label = _LABEL.search(self.text, start, last)
        yield self._at("macro", r"\caption", start)
        yield self._at("open", "{", start)
        yield from inline.read(mark.end() if mark and self.text.startswith(":", start) else start, last)
        yield self._at("close", "}", last)
        if label:
            yield from self._macro("label", label[1], last)

    def _table(self, inline: InlineTokens, lines: list[tuple[int, int]]) -> Iterator[Token]:
        yield from self._macro("begin", PIPES, lines[0][0])
        for number, (start, end) in enumerate(lines):
            marks = list(_pipes(self.text, start, end))
            bounds = [start - 1, *marks, end]
            bounds = bounds[1:] if marks and marks[0] == start else bounds
            bounds = bounds[:-1] if marks and marks[-1] == end - 1 and len(bounds) > 2 else bounds
            for left, right in pairwise(bounds):
                if left != bounds[0]:
                    yield self._at("align", "&", left)
                yield from inline.read(left + 1, right)
            yield self._at("macro", r"\\", end)
            if not number:
                yield self._at("macro", r"\hline", end)
        yield from self._macro("end", PIPES, lines[-1][1])

    # lines

    def _parts(self, before: Block | None, block: Block) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        """Return headings, paragraphs and tables with their lines, without the signs of lists and quotations."""
        if block.map is None:
            return
        first, last = block.map
        if block.type == "inline" and before is not None and before.type in ("paragraph_open", "heading_open"):
            content = enumerate(block.content.split("\n"), first)
            yield before.type.removesuffix("_open"), [self._placed(number, line) for number, line in content]
        elif block.type == "table_open":
            lines = [self._line(number, nested=block.level > 0) for number in (first, *range(first + 2, last))]
            n_rows = next((n for n, line in enumerate(lines) if "|" not in self.text[slice(*line)]), len(lines))
            yield "table", lines[:n_rows]
            if n_rows < len(lines):  # GitHub takes words directly below for a row
                yield "paragraph", lines[n_rows:]

    def _line(self, number: int, *, nested: bool = False) -> tuple[int, int]:
        """Return where a line begins and ends, without white space, and without the signs of lists and quotations."""
        start, end = self.file.bounds(number + 1)
        if nested and (match := _CONTAINERS.match(self.text, start, end)):
            start = match.end()
        content = self.text[start:end]
        return end - len(content.lstrip()), start + max(len(content.rstrip()), len(content) - len(content.lstrip()))

    def _placed(self, number: int, content: str) -> tuple[int, int]:
        """Return where the content of a block stands in a line: at its end, or in the midst of a heading's signs."""
        start, end = self._line(number)
        content = content.strip()
        if self.text.endswith(content, start, end):
            return end - len(content), end
        found = self.text.find(content, start, end)
        return (found, found + len(content)) if found >= 0 else (start, end)

    def _next(self, table: list[tuple[int, int]], caption: list[tuple[int, int]]) -> bool:
        """Whether a caption stands directly below a table."""
        return not self.text[table[-1][1] : caption[0][0]].strip("> \t\n")


def _pipes(text: str, start: int, end: int) -> Iterator[int]:
    """Find the pipes that end cells; escaped ones and those in code do not."""
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
