"""What the argument of a tabular says about its columns."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_COLUMNS = 400
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
    """

    glue: str | None = None
    styles: frozenset[str] = frozenset()


def columns_of(specification: str) -> tuple[ColumnKind, ...]:
    r"""Read a column specification; what is not understood counts as a column.

    Parameters
    ----------
    specification : str
        As written.

    Examples
    --------
    >>> [kind.glue for kind in columns_of(r"@{}l *{2}{r@{}l} S[table-format=2.1] r@{.}l@{}")]
    ['', None, '', None, '', None, None, '.']
    >>> [kind.glue for kind in columns_of(r"l @{\hspace{1.5mm}} r @{\,} l")]
    [None, '', ' ']
    """
    text = _unrolled(specification)
    columns: list[ColumnKind] = []
    glue: str | None = None
    styles: frozenset[str] = frozenset()
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
        elif letter == "<":
            _, at = _group(text, at)
        elif letter.isalpha():
            columns.append(ColumnKind(glue, styles))
            glue, styles = None, frozenset()
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
