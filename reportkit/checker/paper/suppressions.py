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


def suppression_in(
    file: SourceFile, index: int, start: int, end: int, *, comment_line: re.Pattern[str]
) -> Suppression | None:
    """Read a comment; None if it asks for nothing.

    Parameters
    ----------
    file : SourceFile
        Where it stands.
    index : int
        Index of the file.
    start, end : int
        The comment.
    comment_line : Pattern
        What a line looks like that holds nothing but comments.
    """
    match = _REQUEST.search(file.text, start, end)
    if match is None:
        return None
    codes = tuple(code.upper() for code in _CODE.findall(match["codes"]))
    line, _ = file.position(start)
    scope: Literal["line", "file"] = "file" if match["file"] else "line"
    about = line
    if scope == "line" and comment_line.fullmatch(file.line(line)):
        about = line + 1
        while about < len(file.line_starts) and comment_line.fullmatch(file.line(about)):
            about += 1
    reason = (match["reason"] or "").strip().removesuffix("-->").strip()
    stop = min(end, match.end())
    while stop > start and file.text[stop - 1].isspace():
        stop -= 1
    return Suppression(codes, reason, scope, about, Span(index, start, stop))


_LATEX_LINE = re.compile(r"\s*%.*|\s*")


def suppressions_in_latex(files: Sequence[SourceFile], comments: Iterable[Token]) -> tuple[Suppression, ...]:
    """Read the comments of LaTeX files."""
    found = []
    for token in comments:
        if "reportkit" in token.text.lower():
            read = suppression_in(files[token.file], token.file, token.start, token.end, comment_line=_LATEX_LINE)
            if read is not None:
                found.append(read)
    return tuple(found)
