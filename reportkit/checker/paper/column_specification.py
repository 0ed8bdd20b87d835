"""What the argument of a tabular says about its columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from reportkit.checker.paper.structure import Structure

MOST_COLUMNS = 400
MOST_NESTED = 5
"""Column types that are defined by others."""
_REPEATED = re.compile(r"\*\s*\{\s*(\d+)\s*\}\s*\{")
_LENGTH = re.compile(
    r"\\(?:hspace\*?|kern|hskip|extracolsep|hphantom|quad|qquad)\s*(?:\{[^{}]*\}|-?[\d.]+\s*[a-z]{2})?"
)
_SPACE = re.compile(r"(?:\\[,:; ]|\\(?:quad|qquad|enspace|thinspace)(?![a-zA-Z])|[~\s])+")
_PLAIN = re.compile(r"\\(?:[a-zA-Z]+|.)|[{}$]")
_ARGUMENT_LETTERS = frozenset("pmbwWDdSXQ")


class ColumnKind(NamedTuple):
    """One column.

    Parameters
    ----------
    glue : str or None
        What stands between it and the column before instead of space (`@{...}`); None if there is the usual space.
    styles : frozenset of str
        Styles that `>{...}` gives all its cells.
    hidden : bool
        Whether its cells are set into a box that is never printed.
    """

    glue: str | None = None
    styles: frozenset[str] = frozenset()
    hidden: bool = False


class ColumnType(NamedTuple):
    r"""What `\newcolumntype{letter}[n_arguments]{body}` defines."""

    n_arguments: int
    body: str


def column_types(structure: Structure) -> dict[str, ColumnType]:
    """Column types that a paper defines, by their letter."""
    found: dict[str, ColumnType] = {}
    for at, token in enumerate(structure.tokens):
        if token.text != r"\newcolumntype":
            continue
        stop = min(len(structure.tokens), at + MOST_COLUMNS)
        letter = structure.argument(at + 1, stop)
        count = None if letter is None else structure.optional(letter.after, stop)
        body = None if letter is None else structure.argument(letter.after if count is None else count.after, stop)
        if letter is not None and body is not None:
            number = structure.text(count.start, count.stop).strip() if count is not None else ""
            name = structure.text(letter.start, letter.stop).strip()
            if len(name) == 1:
                text = structure.text(body.start, body.stop)
                found[name] = ColumnType(int(number) if number.isdecimal() else 0, text)
    return found


def columns_of(specification: str, types: Mapping[str, ColumnType] | None = None) -> tuple[ColumnKind, ...]:
    r"""Read a column specification; what is not understood counts as a column.

    Parameters
    ----------
    specification : str
        As written.
    types : mapping of str to ColumnType, optional
        Column types of the paper.

    Examples
    --------
    >>> [kind.glue for kind in columns_of(r"@{}l *{2}{r@{}l} S[table-format=2.1] r@{.}l@{}")]
    ['', None, '', None, '', None, None, '.']
    >>> [kind.glue for kind in columns_of(r"l @{\hspace{1.5mm}} r @{\,} l")]
    [None, '', ' ']
    >>> types = {"H": ColumnType(0, r">{\setbox0=\hbox\bgroup}c<{\egroup}"), "B": ColumnType(1, r">{\bfseries}p{#1}")}
    >>> [(kind.hidden, set(kind.styles)) for kind in columns_of("lHB{2cm}", types)]
    [(False, set()), (True, set()), (False, {'bold'})]
    """
    text = _unrolled(_spelt_out(_unrolled(specification), types or {}))
    columns: list[ColumnKind] = []
    glue: str | None = None
    styles: frozenset[str] = frozenset()
    hidden = False
    at = 0
    while at < len(text) and len(columns) < MOST_COLUMNS:
        letter = text[at]
        at += 1
        if letter in "@!":
            content, at = _group(text, at)
            if letter == "@" or r"\pm" in content or "±" in content:
                spaced = " " * bool(_SPACE.fullmatch(content))
                glue = spaced or _PLAIN.sub("", _LENGTH.sub("", content).replace(r"\pm", "±")).strip()
        elif letter == ">":
            content, at = _group(text, at)
            styles = frozenset({"bold"} if r"\bf" in content else ())
            hidden = r"\setbox" in content
        elif letter == "<":
            _, at = _group(text, at)
        elif letter.isalpha():
            columns.append(ColumnKind(glue, styles, hidden))
            glue, styles, hidden = None, frozenset(), False
            if at < len(text) and text[at] == "[":
                closing = text.find("]", at)
                at = len(text) if closing < 0 else closing + 1
            if letter in _ARGUMENT_LETTERS:
                for _ in range(3 if letter == "D" else 2 if letter in "wW" else 1):
                    if text[at : at + 1] == "{":
                        _, at = _group(text, at)
        elif letter == "{":
            _, at = _group(text, at - 1)
    return tuple(columns)


def _spelt_out(text: str, types: Mapping[str, ColumnType], depth: int = 0) -> str:
    """Put definitions in place of the letters that a paper defined."""
    if depth > MOST_NESTED or not any(letter in text for letter in types):
        return text
    parts: list[str] = []
    at = 0
    while at < len(text) and len(parts) < MOST_COLUMNS * 4:
        if text[at] == "{":
            _, after = _group(text, at)
            parts.append(text[at:after])
        elif (found := types.get(text[at])) is None:
            after = at + 1
            parts.append(text[at])
        else:
            body, after = found.body, at + 1
            for number in range(1, found.n_arguments + 1):
                argument, after = _group(text, after)
                body = body.replace(f"#{number}", argument)
            others = {letter: other for letter, other in types.items() if letter != text[at]}
            parts.append(_spelt_out(body, others, depth + 1))
        at = after
    return "".join(parts)


def _unrolled(text: str) -> str:
    """Write `*{3}{c}` out."""
    for _ in range(50):
        match = _REPEATED.search(text)
        if match is None:
            return text
        content, after = _group(text, match.end() - 1)
        text = text[: match.start()] + content * min(int(match[1]), MOST_COLUMNS) + text[after:]
        if len(text) > 20_000:
            return text[:20_000]
    return text


def _group(text: str, at: int) -> tuple[str, int]:
    """Content of the group that begins at an index, and where reading goes on."""
    if text[at : at + 1] != "{":
        return text[at : at + 1], at + 1
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] == "{") - (text[index] == "}")
        if depth == 0:
            return text[at + 1 : index], index + 1
    return text[at + 1 :], len(text)
