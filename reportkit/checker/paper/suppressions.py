"""Inline requests to leave findings out: `% reportkit: ignore RK201 -- reason`.

A request on a line of its own is about the next line that holds anything else; `ignore-file` about the whole file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from reportkit.checker.paper.document import Suppression
from reportkit.checker.paper.source import SourceFile, Span

_REQUEST = re.compile(r"reportkit\s*:\s*ignore(?P<file>-file)?(?P<codes>(?:[ \t,]+RK\d{0,3}\b)*)", re.IGNORECASE)
_CODE = re.compile(r"RK\d{0,3}", re.IGNORECASE)
MOST_COMMENT = 2_000
"""Characters of a comment that are looked at."""


def suppressions_in(file: SourceFile, blank: list[bool], comments: Iterable[Span]) -> Iterator[Suppression]:
    """Read the comments of a file.

    Parameters
    ----------
    file : SourceFile
        Where they are.
    blank : list of bool
        Whether each line holds nothing but white space and comments.
    comments : iterable of Span
        Their places.
    """
    for comment in comments:
        match = _REQUEST.search(file.text, comment.start, min(comment.end, comment.start + MOST_COMMENT))
        if match is not None:
            line, _ = file.position(comment.start)
            while not match["file"] and line <= len(blank) and blank[line - 1]:
                line += 1
            codes = tuple(code.upper() for code in _CODE.findall(match["codes"]))
            yield Suppression(codes, 0 if match["file"] else line, comment)
