r"""Match braces, and each `\end` with its `\begin`: once, with a stack, even if some are missing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from reportkit.checker.paper.tokens import Token

MOST_OPTION = 300
"""Tokens after which a bracket is a bracket, not an argument."""


class Argument(NamedTuple):
    """Token indices of an argument: its content is `[start, stop)`, and reading continues at `after`."""

    start: int
    stop: int
    after: int


class Structure:
    r"""A flat list of tokens with its groups and environments.

    Parameters
    ----------
    tokens : sequence of Token
        Without comments.

    Attributes
    ----------
    closing : dict of int to int
        Index of an opening brace to that of its closing one; braces that are never closed are absent.
    environment_end : dict of int to int
        Index of a `\begin` to that of its `\end`, or of whatever ends it.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.closing: dict[int, int] = {}
        self.environment_end: dict[int, int] = {}
        self._places: dict[str, list[int]] = {"$$": [], r"\]": [], "par": []}
        self._match()

    def _match(self) -> None:
        braces: list[int] = []
        environments: list[tuple[str, int]] = []
        open_names: dict[str, int] = {}
        for index, token in enumerate(self.tokens):
            if token.kind == "par":
                self._places["par"].append(index)
            elif token.kind in ("math", "macro") and token.text in self._places:
                self._places[token.text].append(index)
            if token.kind == "open":
                braces.append(index)
            elif token.kind == "close":
                if braces:
                    self.closing[braces.pop()] = index
            elif token.kind == "macro" and token.text == r"\begin":
                name = self.name_at(index)
                environments.append((name, index))
                open_names[name] = open_names.get(name, 0) + 1
            elif token.kind == "macro" and token.text == r"\end":
                name = self.name_at(index)
                while open_names.get(name):
                    other, begin = environments.pop()
                    open_names[other] -= 1
                    self.environment_end[begin] = index
                    if other == name:
                        break
        for _, begin in environments:
            self.environment_end[begin] = len(self.tokens)

    def next_of(self, index: int, what: str) -> int:
        r"""Return the index of the next `$$`, `\]` or end of a paragraph (`par`); the end if there is none."""
        places = self._places[what]
        found = bisect_left(places, index)
        return places[found] if found < len(places) else len(self.tokens)

    def name_at(self, index: int) -> str:
        r"""Return the name after a `\begin` or `\end`."""
        name, at = "", index + 1
        if at < len(self.tokens) and self.tokens[at].kind == "space":
            at += 1
        if at >= len(self.tokens) or self.tokens[at].kind != "open":
            return ""
        for token in self.tokens[at + 1 : at + 6]:
            if token.kind == "close":
                break
            name += token.text
        return name

    def argument(self, index: int, stop: int) -> Argument | None:
        """Return the argument at an index: a group, or one token; None at the end of a group, cell or paragraph."""
        at = self.skip_space(index, stop)
        if at >= stop:
            return None
        kind = self.tokens[at].kind
        if kind in ("close", "par", "align"):
            return None
        if kind != "open":
            return Argument(at, at + 1, at + 1)
        end = self.closing.get(at)
        if end is None or end >= stop:
            end = min(self.next_of(at, "par"), stop)
            return Argument(at + 1, end, end)
        return Argument(at + 1, end, end + 1)

    def optional(self, index: int, stop: int) -> Argument | None:
        """Return the argument in brackets at an index; None if there is none."""
        at = self.skip_space(index, stop)
        if at >= stop or self.tokens[at].text != "[":
            return None
        cursor, stop = at + 1, min(stop, at + MOST_OPTION)
        while cursor < stop:
            token = self.tokens[cursor]
            if token.kind == "par" or token.kind == "close":
                return None
            if token.text == "]" and token.kind == "text":
                return Argument(at + 1, cursor, cursor + 1)
            cursor = self.closing.get(cursor, cursor) + 1 if token.kind == "open" else cursor + 1
        return None

    def behind_option(self, index: int, stop: int) -> int:
        """Return where reading goes on after an argument in brackets, if there is one."""
        option = self.optional(index, stop)
        return index if option is None else option.after

    def last(self, index: int, stop: int) -> Argument | None:
        """Return the argument at an index or after one in brackets."""
        return self.argument(self.behind_option(index, stop), stop)

    def skip_space(self, index: int, stop: int) -> int:
        """Return the first index that holds no white space."""
        while index < stop and self.tokens[index].kind == "space":
            index += 1
        return index

    def text(self, start: int, stop: int) -> str:
        """Return the tokens as they are written."""
        return "".join(token.text for token in self.tokens[start:stop])
