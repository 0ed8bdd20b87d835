"""TeX tokens to the text that a reader sees, with styles and with the source of every character."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from reportkit.checker.paper import macros
from reportkit.checker.paper.document import Label, NumberKey
from reportkit.checker.paper.source import MappedText, Span, TextBuilder
from reportkit.checker.paper.structure import Argument, Structure
from reportkit.checker.paper.tokens import Token

NO_STYLE: frozenset[str] = frozenset()


_REPLACED = re.compile(r"---|--|``|''|\+-|\+/-|\0")
_CODE = re.compile(
    r"\\(?:(?:verb|lstinline|mintinline\{\w*\})\*?(?P<bar>.)(?P<code>.*)(?P=bar)|(?:url|nolinkurl|path)\s*\{(?P<address>.*)\})"
)
_REPLACEMENTS = {"---": "—", "--": "–", "``": "“", "''": "”", "+-": "±", "+/-": "±", "\0": ""}


class Styled(NamedTuple):
    """Cleaned text and its styles by stretch."""

    text: MappedText
    runs: tuple[tuple[int, int, frozenset[str]], ...]

    def styles(self, start: int, end: int, *, words: bool = False) -> frozenset[str]:
        """Return the styles of a whole stretch, white space apart; or of its letters and digits, if it has any."""
        text = self.text.text
        printed = str.isalnum if words and any(map(str.isalnum, text[start:end])) else lambda sign: not sign.isspace()
        parts = [
            ("".join(filter(printed, text[max(first, start) : min(last, end)])), styles)
            for first, last, styles in self.runs
        ]
        over = [(part, styles) for part, styles in parts if part]
        if not over or "".join(part for part, _ in over) != "".join(filter(printed, text[start:end])):
            return NO_STYLE
        return frozenset.intersection(*(styles for _, styles in over))


@dataclass(slots=True)
class Collected:
    """The state of the walk through the text."""

    labels: list[Label] = field(default_factory=list)
    rk_keys: list[NumberKey] = field(default_factory=list)
    footnotes: list[Argument] = field(default_factory=list)


class Cleaner:
    r"""Cleans stretches of a list of tokens.

    Parameters
    ----------
    structure : Structure
        The tokens.
    collected : Collected
        Takes labels, uses of `\rk` and footnotes.
    rk_values : mapping of str to MappedText
        Numbers of a report, by key, that are printed in place of `\rk{key}`.
    """

    def __init__(self, structure: Structure, collected: Collected, rk_values: Mapping[str, MappedText]) -> None:
        self.structure = structure
        self.tokens = structure.tokens
        self.collected = collected
        self.rk_values = rk_values

    def clean(self, start: int, stop: int, *, code: bool = False, again: bool = False) -> Styled:
        """Return the text of the tokens `[start, stop)`.

        Code only if asked for, as prose is read without it. What is read `again` is not collected twice: footnotes in
        footnotes would double with each level.
        """
        run = Run(self, Collected() if again else self.collected, code=code)
        at = start
        while at < stop:
            at = run.step(at, stop)
        return run.result()


class Run:
    """One pass over a stretch: open groups, and the text so far."""

    def __init__(self, cleaner: Cleaner, collected: Collected, *, code: bool = False) -> None:
        self.cleaner = cleaner
        self.collected = collected
        self.code = code
        self.structure = cleaner.structure
        self.tokens = cleaner.tokens
        self.builder = TextBuilder()
        self.runs: list[tuple[int, int, frozenset[str]]] = []
        self.styles: frozenset[str] = NO_STYLE
        self.stack: list[frozenset[str]] = []
        self.after: dict[int, str] = {}

    def result(self) -> Styled:
        """Return text and styles."""
        return Styled(self.builder.mapped(), tuple(self.runs))

    def add(self, text: str, token: Token, *, exact: bool = False) -> None:
        """Add text that a token stands for."""
        if not text:
            return
        start = self.builder.length
        self.builder.add(text, token.file, token.start, None if exact else token.end)
        if self.styles:
            if self.runs and self.runs[-1][1] == start and self.runs[-1][2] == self.styles:
                self.runs[-1] = (self.runs[-1][0], self.builder.length, self.styles)
            else:
                self.runs.append((start, self.builder.length, self.styles))

    def step(self, at: int, stop: int) -> int:
        """Take one token and what belongs to it; return where to go on."""
        token = self.tokens[at]
        kind = token.kind
        if kind == "text":
            self._text(token)
            if token.text == "^" and (raised := self.structure.argument(at + 1, stop)) is not None:
                self._set_apart(raised, stop)
        elif kind in ("space", "par", "tie", "align"):
            if kind != "space" or not at or self.tokens[at - 1].text not in macros.SILENT:
                self.space(token)
        elif kind == "open":
            self.stack.append(self.styles)
        elif kind == "close":
            if self.stack:
                self.styles = self.stack.pop()
            if at in self.after:
                self.add(self.after.pop(at), token)
        elif kind == "macro":
            return self._macro(at, stop)
        elif kind == "verbatim" and self.code and (printed := _CODE.fullmatch(token.text)) is not None:
            self.add(printed["code"] or printed["address"] or "", token)
        return at + 1

    def _styled(self, at: int, stop: int, styles: frozenset[str]) -> int:
        """Begin an argument in braces in styles of its own."""
        at = self.structure.skip_space(at, stop)
        if at == stop or self.tokens[at].kind != "open":
            return at
        self.stack.append(self.styles)
        self.styles = styles
        return at + 1

    def _set_apart(self, raised: Argument, stop: int) -> None:
        """Put a character of no width between a superscript and digits or letters after it."""
        at = raised.after
        while at < stop and (self.tokens[at].kind in ("math", "close") or self.tokens[at].text in (r"\(", r"\)")):
            at += 1
        if raised.after > raised.stop and at < stop and self.tokens[at].text[:1].isalnum():
            self.after[raised.stop] = "\u200b"

    def space(self, token: Token) -> None:
        """Add white space, once."""
        if not self.builder.ends_in_space:
            self.add(" ", token)

    def _text(self, token: Token) -> None:
        exact = token.end - token.start == len(token.text)
        if not exact or not _REPLACED.search(token.text):
            text = token.text if exact else _REPLACED.sub(lambda match: _REPLACEMENTS[match[0]], token.text)
            self.add(text, token, exact=exact)
            return
        at = 0
        for match in _REPLACED.finditer(token.text):
            if match[0] == "+-" and (self.builder.ending + token.text[: match.start()]).endswith(("_", "^")):
                continue  # a subscript of two characters
            before = token.text[at : match.start()]
            self.add(before, token._replace(start=token.start + at), exact=True)
            place = token._replace(start=token.start + match.start(), end=token.start + match.end())
            self.add(_REPLACEMENTS[match[0]], place)
            at = match.end()
        self.add(token.text[at:], token._replace(start=token.start + at), exact=True)

    def _macro(self, at: int, stop: int) -> int:
        token = self.tokens[at]
        name = token.text
        if (symbol := macros.SYMBOLS.get(name)) is not None:
            if symbol != " ":
                self.add(symbol, token)
            else:
                self.space(token)
            return at + 1
        if name in macros.ACCENTS:
            return self._accent(at, stop)
        if (style := macros.STYLES.get(name)) is not None:
            return self._styled(at + 1, stop, self.styles | {style})
        if (style := macros.SWITCHES.get(name)) is not None:
            self.styles |= {style}
            return at + 1
        if (gone := macros.UNSTYLED.get(name)) is not None:
            self.styles = (self.styles - gone) | macros.ANEW.get(name, NO_STYLE)
            return at + 1
        if name in macros.PLAIN:
            return self._styled(at + 1, stop, self.styles - macros.PLAIN[name])
        if name in macros.COLOURS:
            return self._colour(at, stop)
        if name == r"\textsubscript":
            self.add("_", token)
            return at + 1
        if name in macros.SUPERSCRIPTS:
            self.add("^", token)
            if (raised := self.structure.argument(at + 1, stop)) is not None:
                self._set_apart(raised, stop)
            return at + 1
        if (between := macros.BETWEEN.get(name)) is not None:
            return self._two_arguments(at, stop, between)
        return self._reference(at, stop)

    def _two_arguments(self, at: int, stop: int, between: str) -> int:
        """Print something between two arguments in braces."""
        first = self.structure.argument(at + 1, stop)
        if first is not None and first.after == first.stop + 1:
            self.after[first.stop] = between
        return at + 1

    def _reference(self, at: int, stop: int) -> int:
        token, collected = self.tokens[at], self.collected
        name = token.text
        if name in macros.FOOTNOTES:
            after = self.structure.behind_option(at + 1, stop)
            if name != r"\footnotemark" and (argument := self.structure.argument(after, stop)) is not None:
                collected.footnotes.append(argument)
                return argument.after
            return after
        if name not in macros.CITING and name not in macros.REFERENCES and name not in (r"\label", r"\rk"):
            return self._other(at, stop)
        after = self.structure.behind_option(self.structure.behind_option(at + 1, stop), stop)
        argument = self.structure.argument(after, stop)
        key = "" if argument is None else self.structure.text(argument.start, argument.stop)
        after = after if argument is None else argument.after
        where = self._span(at, after)
        if name == r"\label":
            collected.labels.append(Label(key, where))
            return after
        text = "⟦cite⟧"
        if name in macros.REFERENCES:
            collected.labels.extend(Label(part.strip(), where, use=True) for part in key.split(",") if part)
            text = "⟦ref⟧"
        elif name == r"\rk":
            collected.rk_keys.append(NumberKey(key, where))
            value = self.cleaner.rk_values.get(key)
            text = "⟦rk⟧" if value is None else value.text
        self.add(text, token._replace(end=where.end))
        return after

    def _other(self, at: int, stop: int) -> int:
        token = self.tokens[at]
        name = token.text
        after = at + 1
        if name in macros.QUOTES and (argument := self.structure.argument(after, stop)) is not None:
            if argument.after > argument.stop:
                self.add("“", token)
                self.after[argument.stop] = "”"
            return after
        if name in (r"\begin", r"\end"):
            return self._environment(at, stop)
        if name in (r"\\", r"\newline", r"\linebreak", r"\tabularnewline", r"\item"):
            self.space(token)
            return after if name in (r"\item", r"\newline") else self.structure.behind_option(after, stop)
        if name == r"\ding" and (argument := self.structure.argument(after, stop)) is not None:
            number = self.structure.text(argument.start, argument.stop).strip()
            self.add(macros.DINGBATS.get(number, "•"), token)
            return argument.after
        if name in macros.LEFT_OUT:
            return self._skip(self.structure.behind_option(after, stop), stop, macros.LEFT_OUT[name])
        if name in macros.WITHOUT_OPTION:
            return after
        if after < stop and self.tokens[after].text == "[" and self.tokens[after].start == token.end:
            option = self.structure.optional(after, stop)
            if option is not None and name[1:].isalpha():
                return option.after
        return after

    def _environment(self, at: int, stop: int) -> int:
        name = self.structure.name_at(at)
        argument = self.structure.argument(at + 1, stop)
        after = at + 1 if argument is None else argument.after
        if self.tokens[at].text == r"\begin":
            after = self.structure.behind_option(after, stop)
            after = self._skip(after, stop, macros.TABULARS.get(name, macros.WITH_ARGUMENTS.get(name, 0)))
        self.space(self.tokens[at])
        return after

    def _skip(self, at: int, stop: int, count: int) -> int:
        """Skip a number of arguments, and those in brackets between them."""
        at = self.structure.behind_option(at, stop)
        for _ in range(count):
            argument = self.structure.argument(at, stop)
            if argument is None:
                break
            at = argument.after if count == 1 else self.structure.behind_option(argument.after, stop)
        return at

    def _colour(self, at: int, stop: int) -> int:
        name = self.tokens[at].text
        argument = self.structure.last(at + 1, stop)
        if argument is None or name in (r"\hl", r"\highlight"):
            return at + 1
        grey = frozenset({"gray"}) if "gray" in self.structure.text(argument.start, argument.stop) else NO_STYLE
        if name in (r"\textcolor", r"\colorbox"):
            return self._styled(argument.after, stop, self.styles | grey)
        self.styles |= grey
        return argument.after

    def _accent(self, at: int, stop: int) -> int:
        token = self.tokens[at]
        argument = self.structure.argument(at + 1, stop)
        if argument is None or argument.start >= argument.stop:
            self.add(macros.ALONE.get(token.text, ""), token)
            return at + 1
        letter = self.tokens[argument.start]
        base = macros.SYMBOLS.get(letter.text, letter.text)
        if not (base[:1].isalpha() or (token.text == r"\not" and base.strip())):
            return at + 1
        whole = token._replace(end=letter.start + 1 if argument.after == argument.stop else letter.end)
        self.add(unicodedata.normalize("NFC", base[0] + macros.ACCENTS[token.text]), whole)
        if len(base) > 1:
            self._text(letter._replace(text=base[1:], start=letter.start + 1))
        return argument.after

    def _span(self, at: int, after: int) -> Span:
        first, last = self.tokens[at], self.tokens[max(at, after - 1)]
        end = last.end if last.file == first.file and last.end > first.start else first.end
        return Span(first.file, first.start, end)
