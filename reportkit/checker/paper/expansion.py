"""One flat list of tokens for a whole paper: inputs followed, the author's macros expanded.

An explicit stack and fixed budgets make files that input themselves, macros that call themselves and thousands of
nested groups end in a message, never in a hang.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reportkit.checker.paper.document import Document, Problem, Suppression
from reportkit.checker.paper.files import INPUT_REMEDY, Reader
from reportkit.checker.paper.macros import KNOWN, LETTER_ACCENTS
from reportkit.checker.paper.source import MappedText, Span, TextBuilder
from reportkit.checker.paper.structure import Structure
from reportkit.checker.paper.suppressions import suppressions_in
from reportkit.checker.paper.tokens import Token, tokens_of
from reportkit.checker.paper.walk import read_tokens

OF_TEX = frozenset({"glyphtounicode", "epsf", "xy", "psfig", "pdfcolor", "supp-pdf", "random", "pstricks", "binhex"})
"""Files that come with TeX and are named without a folder."""
MOST_DEPTH = 100
"""Deepest nesting of inputs or macros."""

MOST_EXPANDED = 300_000
"""Most tokens that macros may add."""

DEFINING = frozenset({r"\newcommand", r"\renewcommand", r"\providecommand", r"\DeclareRobustCommand", r"\newrobustcmd"})
INPUTS = frozenset(
    {r"\input", r"\include", r"\subfile", r"\InputIfFileExists", r"\subimport", r"\import", r"\loadglsentries"}
)
_SKIPPED_IN_BODIES = ("csname", "expandafter", "ifx", "@ifnextchar", "let", "def", "xspace")


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro of the author: number of arguments, default of the first if it is optional, body."""

    n_arguments: int
    default: Sequence[Token] | None
    body: Sequence[Token]


class _Source:
    """Tokens that are being read: of a file (with its path), of a macro, or of an argument."""

    def __init__(self, tokens: Sequence[Token], path: Path | None = None) -> None:
        self.tokens, self.path = tokens, path
        self.structure = Structure(tokens)
        self.at = 0


@dataclass(slots=True)
class Expansion:
    """Reads a paper and everything that it inputs.

    Parameters
    ----------
    reader : Reader
        Decodes files and keeps them.
    """

    reader: Reader
    tokens: list[Token] = field(default_factory=list)
    comments: list[Token] = field(default_factory=list)
    rk_values: dict[str, MappedText] = field(default_factory=dict)
    _macros: dict[str, Macro] = field(default_factory=dict)
    _stack: list[_Source] = field(default_factory=list)
    _added: int = 0
    _root: Path = field(default_factory=Path)

    def run(self, path: Path) -> list[Token]:
        """Return the tokens of the paper; comments are in `comments`, not among them."""
        self._root = path.parent
        self._enter(path, None)
        while self._stack:
            token = self._next()
            if token is not None:
                self._take(token)
        return self.tokens

    # reading

    def _enter(self, path: Path, by: Span | None) -> None:
        """Put the tokens of a file on the stack."""
        index = self.reader.read(path, by)
        if index is None:
            return
        text = self.reader.files[index].text
        tokens = list(tokens_of(text, index))
        if tokens and tokens[-1].kind not in ("space", "par", "comment"):
            tokens.append(Token("space", "\n", index, len(text), len(text)))  # TeX ends the last line of a file
        self.comments.extend(token for token in tokens if token.kind == "comment")
        tokens = [token for token in tokens if token.kind != "comment"]
        self.rk_values.update(report_numbers(text, index))
        if by is not None:  # a file with a preamble of its own
            structure = Structure(tokens)
            begins = (at for at in sorted(structure.environment_end) if structure.name_at(at) == "document")
            begin = next(begins, None)
            tokens = tokens if begin is None else tokens[begin + 4 : structure.environment_end[begin]]
        self._stack.append(_Source(tokens, Path(os.path.realpath(path))))

    def _next(self) -> Token | None:
        while self._stack:
            top = self._stack[-1]
            if top.at < len(top.tokens):
                top.at += 1
                return top.tokens[top.at - 1]
            self._stack.pop()
        return None

    def _peek(self) -> Token | None:
        top = self._stack[-1] if self._stack else None
        return top.tokens[top.at] if top is not None and top.at < len(top.tokens) else None

    def _argument(self) -> Sequence[Token] | None:
        """Read one argument from the source on top: a group without its braces, or one token."""
        top = self._stack[-1]
        top.at = top.structure.skip_space(top.at, len(top.tokens))
        first = self._peek()
        if first is None or first.text in (r"\begin", r"\end"):
            return None
        if first.kind == "open" and top.at not in top.structure.closing:
            return None  # never closed: the brace stands for nothing
        found = top.structure.argument(top.at, len(top.tokens))
        if found is None:
            return None
        top.at = found.after
        return top.tokens[found.start : found.stop]

    def _optional(self) -> Sequence[Token] | None:
        """Read an argument in brackets, if there is one."""
        top = self._stack[-1]
        found = top.structure.optional(top.at, len(top.tokens))
        if found is None:
            return None
        top.at = found.after
        return top.tokens[found.start : found.stop]

    # what tokens do

    def _take(self, token: Token) -> None:
        name = token.text
        if token.kind != "macro":
            self.tokens.append(token)
        elif name in DEFINING:
            self._define()
        elif name in (r"\def", r"\gdef", r"\edef", r"\xdef"):
            self._define_plainly()
        elif name in INPUTS:
            self._input(token)
        elif name == r"\iffalse":
            self._leave_out()
        elif name in (r"\newenvironment", r"\renewenvironment"):
            self._argument()
            self._optional()
            self._argument()
            self._argument()
        elif name in self._macros and (name not in KNOWN or name in LETTER_ACCENTS):
            self._expand(token)
        else:
            self.tokens.append(token)
            top = self._stack[-1]
            if name == r"\end" and top.structure.name_at(top.at - 1) == "document":
                self._stack.clear()

    def _define(self) -> None:
        name = self._argument()
        count, default = self._optional(), None
        number = "".join(token.text for token in count) if count else "0"
        default = self._optional() if count else None
        body = self._argument()
        if name and len(name) == 1 and body is not None and number.isdigit():
            self._remember(name[0].text, int(number), default, body)

    def _define_plainly(self) -> None:
        name = self._peek()
        if name is None or name.kind != "macro":
            return
        self._stack[-1].at += 1
        number = 0
        while (token := self._peek()) is not None and token.kind != "open":
            if token.kind not in ("text", "space") or number > 9:
                return
            number += token.text.count("#")
            self._stack[-1].at += 1
        body = self._argument()
        if body is not None:
            self._remember(name.text, number, None, body)

    def _remember(self, name: str, number: int, default: Sequence[Token] | None, body: Sequence[Token]) -> None:
        words = [token.text[1:] for token in body if token.kind == "macro"]
        if any(word.startswith(_SKIPPED_IN_BODIES) and word != "xspace" for word in words):
            body = []
        self._macros[name] = Macro(number, default, body)

    def _leave_out(self) -> None:
        r"""Skip to the `\fi` of an `\iffalse`."""
        depth = 1
        while depth and (token := self._next()) is not None:
            if token.kind == "macro":
                depth += token.text.startswith(r"\if") and token.text not in (r"\iff", r"\ifthenelse")
                depth -= token.text == r"\fi"

    def _expand(self, token: Token) -> None:
        macro = self._macros[token.text]
        given: list[Sequence[Token]] = []
        if macro.n_arguments and macro.default is not None:
            optional = self._optional()
            given.append(macro.default if optional is None else optional)
        while len(given) < macro.n_arguments:
            given.append(self._argument() or [])
        body = list(_filled(macro.body, given, token))
        self._added += len(body)
        if len(self._stack) > MOST_DEPTH or self._added > MOST_EXPANDED:
            if not any("expands" in problem.message for problem in self.reader.problems):
                where = Span(token.file, token.start, token.end)
                message = f"{token.text} expands without end; it was left out from here on"
                self.reader.problems.append(Problem(message, "define it without calling itself", where))
            return
        self._stack.append(_Source(body))

    def _input(self, token: Token) -> None:
        argument = self._input_name()
        where = Span(token.file, token.start, token.end)
        if token.text in (r"\subimport", r"\import"):
            argument = argument + self._input_name()
        if not argument or any(character in argument for character in "\\#|"):
            return
        path = self._found(argument, token)
        if isinstance(path, str):
            message = f"{token.text} names {argument!r}, which {path}, and is not read"
            self.reader.problems.append(Problem(message, INPUT_REMEDY, where))
            return
        if path is None:
            if token.text != r"\InputIfFileExists" and argument.removesuffix(".tex") not in OF_TEX:
                message = f"{token.text} names {argument!r}, and there is no such file"
                remedy = "check the path; it is relative to the main file"
                self.reader.problems.append(Problem(message, remedy, where))
            return
        if any(source.path == Path(os.path.realpath(path)) for source in self._stack):
            message = f"{path.name!r} inputs itself; it was read once"
            self.reader.problems.append(Problem(message, f"remove this {token.text}", where))
            return
        self._enter(path, where)

    def _input_name(self) -> str:
        top = self._stack[-1]
        top.at = top.structure.skip_space(top.at, len(top.tokens))
        first = self._peek()
        if first is not None and first.kind == "open":
            return "".join(token.text for token in self._argument() or []).strip().strip('"')
        name = ""
        while top.at < len(top.tokens) and top.tokens[top.at].kind == "text" and " " not in name:
            name += top.tokens[top.at].text
            top.at += 1
        return name.partition(" ")[0]

    def _found(self, name: str, token: Token) -> Path | str | None:
        """Return the path of a file, or why it is not read; None if there is no file."""
        here = self.reader.files[token.file].path.parent
        place = self.reader.place(self.reader.files[0].path)
        refusal = ""
        root = Path(os.path.realpath(self._root))
        above = [] if place.repository is None else [up for up in root.parents if up.is_relative_to(place.repository)]
        for folder in dict.fromkeys((self._root, here, *above)):  # TeX may be run in a folder above
            for candidate in (folder / f"{name}.tex", folder / name):
                try:
                    refused = place.refusal(candidate)
                    refusal = refusal or refused
                    if not refused and candidate.exists() and not candidate.is_dir():
                        return candidate
                except (OSError, ValueError):
                    return None
        return refusal or None


_REPORT_NUMBER = re.compile(r"\\rk@(?:value|set\{text\})\{(?P<key>[^{}]+)\}\{(?P<value>(?:[^{}]|\{[^{}]*\})*)\}")
_IN_VALUES = ((r"\rkcomma ", ","), (r"\ensuremath{-}", "−"), (r"\ensuremath{<}", "<"), (r"\ensuremath{>}", ">"))


def read_latex(path: Path, reader: Reader | None = None) -> Document:
    """Read a LaTeX paper and everything that it inputs.

    Parameters
    ----------
    path : Path
        The main file.
    reader : Reader, optional
        Holds the files.

    Returns
    -------
    Document
        Whatever is malformed is in `problems`; nothing is raised.
    """
    reader = reader or Reader()
    expansion = Expansion(reader)
    tokens = expansion.run(path)
    found: list[Suppression] = []
    for index, file in enumerate(reader.files):
        comments = [token for token in expansion.comments if token.file == index and "reportkit" in token.text.lower()]
        if comments:
            lines = (line.lstrip() for line in file.text.split("\n"))
            blank = [not line or line.startswith("%") for line in lines]
            found += suppressions_in(file, blank, (Span(index, token.start, token.end) for token in comments))
    return read_tokens(tokens, "latex", reader, rk_values=expansion.rk_values, suppressions=found)


def report_numbers(text: str, file: int) -> Iterator[tuple[str, MappedText]]:
    r"""Read the numbers that `rknumbers.tex` defines by `\rk@value{key}{93.1}`.

    Examples
    --------
    >>> [(key, str(value)) for key, value in report_numbers(r"\rk@value{main/sst2/ours}{93.1}", 0)]
    [('main/sst2/ours', '93.1')]
    """
    if r"\rk@value{" not in text and r"\rk@set{text}{" not in text:
        return
    for match in _REPORT_NUMBER.finditer(text):
        value = match["value"]
        for written, read in _IN_VALUES:
            value = value.replace(written, read)
        builder = TextBuilder()
        builder.add(value, file, match.start("value"), match.end("value"))
        yield match["key"], builder.mapped()


def _filled(body: Sequence[Token], given: Sequence[Sequence[Token]], use: Token) -> Iterator[Token]:
    """Yield the tokens of a body at the place of its use, with arguments put in; arguments keep their own places."""
    at = 0
    while at < len(body):
        token = body[at]
        at += 1
        if token.kind == "text" and "#" in token.text:
            yield from _with_arguments(token, given, use)
        else:
            yield token._replace(file=use.file, start=use.start, end=use.end)


def _with_arguments(token: Token, given: Sequence[Sequence[Token]], use: Token) -> Iterator[Token]:
    first, *others = token.text.split("#")
    if first:
        yield Token("text", first, use.file, use.start, use.end)
    for part in others:
        number = int(part[0]) if part[:1].isdigit() and part[0].isascii() else 0
        if 1 <= number <= len(given):
            yield from given[number - 1]
        if part[1:]:
            yield Token("text", part[1:], use.file, use.start, use.end)
