"""Inline requests to leave findings out: `% reportkit: ignore RK201 -- reason`.

A request on a line of its own is about the next line that holds anything else; `ignore-file` about the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from reportkit.checker.paper.document import Suppression
from reportkit.checker.paper.source import SourceFile, Span
from reportkit.checker.paper.tokens import Token

_REQUEST = re.compile(
    r"reportkit\s*:\s*ignore(?P<file>-file)?(?P<codes>(?:[ \t,]+(?:RK)\d{0,3}\b)*)"
    r"(?:[ \t]*--[ \t]*(?P<reason>[^\n]*?))?[ \t]*(?:-->|\Z|\n)",
    re.IGNORECASE,
)
_CODE = re.compile(r"RK\d{0,3}", re.IGNORECASE)


MOST_COMMENT = 2_000
"""Characters of a comment that are looked at."""


def suppression_in(file: SourceFile, index: int, start: int, end: int, about: Sequence[int]) -> Suppression | None:
    """Read a comment; None if it asks for nothing.

    Parameters
    ----------
    file : SourceFile
        Where it stands.
    index : int
        Index of the file.
    start, end : int
        The comment.
    about : sequence of int
        Of each line, from the first on, the line that a request on it is about; see `lines_about`.
    """
    match = _REQUEST.search(file.text, start, min(end, start + MOST_COMMENT))
    if match is None:
        return None
    codes = tuple(code.upper() for code in _CODE.findall(match["codes"]))
    line, _ = file.position(start)
    scope: Literal["line", "file"] = "file" if match["file"] else "line"
    reason = (match["reason"] or "").strip().removesuffix("-->").strip()
    stop = min(end, match.end())
    while stop > start and file.text[stop - 1].isspace():
        stop -= 1
    wanted = about[line - 1] if scope == "line" else line
    return Suppression(codes, reason, scope, wanted, Span(index, start, stop))


def lines_about(blank: Sequence[bool]) -> list[int]:
    """Of each line, the line that a request on it is about: itself, or the next one that is not blank.

    Parameters
    ----------
    blank : sequence of bool
        Whether each line holds nothing but white space and comments.

    Examples
    --------
    >>> lines_about([False, True, True, False, True])
    [1, 4, 4, 4, 6]
    """
    found = []
    following = len(blank) + 1
    for number in range(len(blank), 0, -1):
        if not blank[number - 1]:
            following = number
        found.append(following)
    return found[::-1]


def suppressions_in_latex(files: Sequence[SourceFile], comments: Iterable[Token]) -> tuple[Suppression, ...]:
    """Read the comments of LaTeX files."""
    found = []
    about: dict[int, list[int]] = {}
    for token in comments:
        if "reportkit" in token.text.lower():
            file = files[token.file]
            if token.file not in about:
                lines = (line.lstrip() for line in file.text.split("\n"))
                about[token.file] = lines_about([not line or line.startswith("%") for line in lines])
            read = suppression_in(file, token.file, token.start, token.end, about[token.file])
            if read is not None:
                found.append(read)
    return tuple(found)
