"""Markdown to a document: prose, pipe tables, headings, as tokens that are read like those of LaTeX.

markdown-it parses CommonMark and GitHub's tables, so that code is not prose here, and headings, lists and quoted tables
are read as such. It says in which lines a block stands; the pieces of its text are looked up there in their order,
which gives the place of every character.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token as Block

from reportkit.checker.paper.document import Document
from reportkit.checker.paper.files import Reader
from reportkit.checker.paper.macros import PIPES
from reportkit.checker.paper.source import Span
from reportkit.checker.paper.suppressions import suppressions_in
from reportkit.checker.paper.tokens import Token, tokens_of
from reportkit.checker.paper.walk import read_tokens

MOST_NESTED = 40
"""Deepest nesting of quotations and lists that is read."""
_FOOTNOTE = re.compile(r"\[\^[^\]\n]{1,100}\]:[ \t]*")
_CAPTION = re.compile(r"\s*(?:[*_]{0,2}(?:Table|Tab\.)\s*\d*(?:[.:][*_]{0,2}|[*_]{0,2}[.:])|:(?=\s))\s+", re.IGNORECASE)
_ABSTRACT = re.compile(r"abstract[ \t]*:[ \t]*[|>][-+\d]*[ \t\r]*$", re.IGNORECASE)
_BIBLIOGRAPHY = re.compile(r"^(?:bibliography|references):|\[[^\[\]\n@]*@\w", re.MULTILINE)
_LABEL = re.compile(r"\{#([\w:-]+)\}")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_MATHEMATICS = re.compile(r"\$\$?(?!\s)[^$\n]{1,1000}?\$\$?")
_TAG = re.compile(r"<(?P<closing>/?)(?P<name>\w{1,40})")
_IN_TEXT = re.compile(
    r"(?P<cite>\[[^\[\]@\n]{0,500}@[^\[\]\n]{0,500}\])|(?P<bare>(?<!\w)@[A-Za-z][\w:.-]{0,199}\w)"
    r"|\[\^[^\[\]\n]{1,100}\]|\{#[\w:-]{1,100}\}|\^(?P<raised>[^\s^]{1,12})\^"
)
"""Citations, footnotes, labels and superscripts of Pandoc."""
_AFTER_LINK = re.compile(r"\]\([^()\n]{0,500}\)|\]\[[^\]\n]{0,200}\]")
_CODE = frozenset({"code", "kbd", "samp", "tt", "pre"})
_STYLES = {
    "b": r"\textbf", "strong": r"\textbf", "u": r"\underline", "i": r"\textit", "em": r"\textit",
}  # fmt: skip


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
    parser = MarkdownIt("commonmark", {"maxNesting": MOST_NESTED}).enable("table").disable("text_join")
    parser.inline.ruler.before("escape", "mathematics", _mathematics)
    writer = _Writer(index, text, file.line_starts, _BIBLIOGRAPHY.search(file.text) is not None)
    blocks = parser.parse(text)
    tokens = list(writer.tokens(blocks))
    comments = [match.span() for start, end in _html(blocks, writer) for match in _COMMENT.finditer(text, start, end)]
    lines = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text).split("\n")
    blank = [not line.strip() for line in lines]
    suppressions = suppressions_in(file, blank, [Span(index, *comment) for comment in comments])
    return read_tokens(tokens, "markdown", reader, suppressions=suppressions)


def _mathematics(state: StateInline, silent: bool) -> bool:
    match = _MATHEMATICS.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        state.push("mathematics", "", 0).content = match[0]
    state.pos = match.end()
    return True


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
        lines[number] = line.strip().ljust(len(line)) if inside and not key else " " * len(line)
    return "\n".join(lines)


def _html(blocks: Sequence[Block], writer: _Writer) -> Iterator[tuple[int, int]]:
    """Return the stretches that hold HTML, and with it comments."""
    for block in blocks:
        if block.type == "html_block" or any(child.type == "html_inline" for child in block.children or ()):
            yield writer.bounds(block)


@dataclass(slots=True)
class _Writer:
    """Writes the blocks of a file as tokens of LaTeX."""

    index: int
    text: str
    line_starts: Sequence[int]
    cites: bool
    """Whether `@name` without brackets is a citation."""
    at: int = 0
    """Position from which the text is not read yet."""
    stop: int = 0
    code: str = ""
    """Tag of the code that is open."""
    styles: list[str] = field(default_factory=list)

    def bounds(self, block: Block) -> tuple[int, int]:
        """Return where the lines of a block begin and end."""
        first, last = block.map or (0, 0)
        starts = (*self.line_starts, len(self.text))
        return starts[first], starts[min(last, len(starts) - 1)]

    def tokens(self, blocks: Sequence[Block]) -> Iterator[Token]:
        """Yield the tokens of headings, paragraphs and tables, with the caption of a table next to it."""
        parts = list(_parts(blocks))
        kinds = ["caption" if kind == "paragraph" and _CAPTION.match(of[0].content) else kind for kind, of in parts]
        taken: set[int] = set()
        for number, (kind, (_, of)) in enumerate(zip(kinds, parts, strict=True)):
            near = [n for n in (number - 1, number + 1) if 0 <= n < len(kinds) and kinds[n] == "caption"]
            yield self._token("par", "\n\n", self.bounds(of[0])[0])
            if kind == "table":
                caption = next((n for n in near if n not in taken), None)
                if caption is not None:
                    taken.add(caption)
                    yield from self._macro(r"\begin", "table")
                    yield from self._caption(parts[caption][1][0])
                yield from self._table(of)
                if caption is not None:
                    yield from self._macro(r"\end", "table")
            elif kind != "caption":
                yield from self._paragraph(kind, of[0])
            elif number not in taken and "table" not in kinds[number + 1 : number + 2]:
                yield from self._caption(of[0])
            yield self._token("par", "\n\n", self.bounds(of[0])[1])

    def _token(self, kind: str, text: str, start: int | None = None, end: int | None = None) -> Token:
        start = self.at if start is None else start
        return Token(kind, text, self.index, start, start if end is None else end)  # type: ignore[arg-type]

    def _macro(self, name: str, argument: str) -> Iterator[Token]:
        yield self._token("macro", name)
        yield self._token("open", "{")
        yield self._token("text", argument)
        yield self._token("close", "}")

    def _paragraph(self, kind: str, block: Block) -> Iterator[Token]:
        footnote = kind == "paragraph" and _FOOTNOTE.match(block.content) is not None
        macro = r"\section" if kind == "heading" else r"\footnote" if footnote else ""
        self.at, self.stop = self.bounds(block)
        if macro:
            yield self._token("macro", macro)
            yield self._token("open", "{")
        yield from self._inline(block, footnote=footnote)
        if macro:
            yield self._token("close", "}")

    def _caption(self, block: Block) -> Iterator[Token]:
        self.at, self.stop = self.bounds(block)
        yield self._token("macro", r"\caption")
        yield self._token("open", "{")
        yield from self._inline(block, caption=block.content.startswith(":"))
        yield self._token("close", "}")
        if label := _LABEL.search(block.content):
            yield from self._macro(r"\label", label[1])

    def _table(self, blocks: Sequence[Block]) -> Iterator[Token]:
        self.at = self.bounds(blocks[0])[0]
        yield from self._macro(r"\begin", PIPES)
        for before, block in pairwise(blocks):
            if block.type == "inline":
                start, self.stop = self.bounds(block)
                self.at = max(self.at, start)
                yield from self._inline(block, cell=True)
            elif block.type in ("td_open", "th_open") and before.type != "tr_open":
                yield self._token("align", "&")
            elif block.type == "tr_close":
                yield self._token("macro", r"\\")
            elif block.type == "thead_close":
                yield self._token("macro", r"\hline")
        yield from self._macro(r"\end", PIPES)

    def _inline(
        self, block: Block, *, cell: bool = False, footnote: bool = False, caption: bool = False
    ) -> Iterator[Token]:
        """Yield the tokens of the text of a block."""
        mark = _FOOTNOTE.match(block.content) if footnote else _CAPTION.match(block.content) if caption else None
        skipped = mark.end() if mark else 0
        self.code, self.styles = "", []
        for child in block.children or ():
            if skipped and child.type == "text":
                self._found(child.content[:skipped])
                child.content = child.content[skipped:]
                skipped = 0
            yield from self._piece(child, cell=cell)
        for _ in self.styles:
            yield self._token("close", "}")

    def _found(self, content: str) -> tuple[int, int]:
        """Return where the next piece of the text stands, and go on after it."""
        start = self.text.find(content, self.at, self.stop)
        start = self.at if start < 0 else start
        self.at = max(min(start + len(content), self.stop), start + 1)
        return start, self.at

    def _piece(self, child: Block, *, cell: bool) -> Iterator[Token]:
        kind = child.type
        if kind == "text" and child.content:
            yield from self._text(child.content)
        elif kind == "text_special":
            start, end = self._found(child.markup)
            if not self.code:
                yield self._token("text", child.content, start, end)
        elif kind in ("softbreak", "hardbreak"):
            yield self._token("space", "\n")
        elif kind.startswith(("strong_", "em_")):
            name, _, side = kind.partition("_")
            yield from self._style(_STYLES[name], closes=side == "close", at=self._found(child.markup)[0])
        elif kind == "code_inline":
            start, end = self._found(child.markup)
            inner = self._found(child.content)
            self._found(child.markup)
            yield self._token("text", child.content, *inner) if cell else self._token("text", "⟦code⟧", start, end)
        elif kind == "image":
            yield self._token("text", "⟦code⟧")
        elif kind == "mathematics":
            start, end = self._found(child.content)
            inside = tokens_of(self.text, self.index, start, end)
            yield from (token for token in inside if token.kind != "comment" and not self.code)
        elif kind == "link_close" and (match := _AFTER_LINK.search(self.text, self.at, self.stop)):
            self.at = match.end()
        elif kind == "html_inline":
            yield from self._tag(child.content, *self._found(child.content), cell=cell)

    def _text(self, content: str) -> Iterator[Token]:
        start, _ = self._found(content)
        if self.code:
            return
        at = 0
        for match in _IN_TEXT.finditer(content):
            if match["bare"] and not self.cites:
                continue
            yield from self._plain(content[at : match.start()], start + at)
            shown = "⟦cite⟧" if match["cite"] or match["bare"] else f"^{match['raised']}" if match["raised"] else ""
            if shown:
                yield self._token("text", shown, start + match.start(), start + match.end())
            at = match.end()
        yield from self._plain(content[at:], start + at)

    def _plain(self, content: str, start: int) -> Iterator[Token]:
        """Yield words and the spaces between them."""
        for match in re.finditer(r"\s+|\S+(?: \S+)*", content):
            kind = "space" if match[0].isspace() else "text"
            yield self._token(kind, match[0], start + match.start(), start + match.end())

    def _style(self, macro: str, *, closes: bool, at: int) -> Iterator[Token]:
        if closes:
            self.styles.remove(macro)
            yield self._token("close", "}", at)
        else:
            self.styles.append(macro)
            yield self._token("macro", macro, at)
            yield self._token("open", "{", at)

    def _tag(self, tag: str, start: int, end: int, *, cell: bool) -> Iterator[Token]:
        match = _TAG.match(tag)
        name, closing = (match["name"].lower(), bool(match["closing"])) if match else ("", False)
        if name in _CODE and not cell:
            if closing and self.code == name:
                self.code = ""
            elif not closing and not self.code:
                yield self._token("text", "⟦code⟧", start, end)
                self.code = name
        elif name in _STYLES and closing == (_STYLES[name] in self.styles):
            yield from self._style(_STYLES[name], closes=closing, at=start)
        elif name == "sup":
            yield self._token("text", "\u200b" if closing else "^", start, end)
        elif name == "br":
            yield self._token("space", " ", start, end)


def _parts(blocks: Sequence[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Yield headings, paragraphs and tables with their blocks."""
    table: list[Block] = []
    for before, block in pairwise(blocks):
        if block.type == "table_open" or before.type == "table_open":
            table = table or [block]
        if table:
            table.append(block)
            if block.type == "table_close":
                yield "table", table
                table = []
        elif block.type == "inline":
            yield before.type.removesuffix("_open"), [block]
