"""TeX source to tokens, in one pass without recursion: malformed input costs no more than well-formed input.

A token keeps its place in the source. Verbatim material is one token; comments are kept, because suppressions live in
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from reportkit.checker.paper.macros import VERBATIM

Kind = Literal["text", "space", "par", "macro", "open", "close", "math", "align", "tie", "comment", "verbatim"]


class Token(NamedTuple):
    """One token of TeX.

    Parameters
    ----------
    kind : str
        What it is.
    text : str
        As it is in the source; of a macro with its backslash, without a star.
    file, start, end : int
        Where.
    """

    kind: Kind
    text: str
    file: int
    start: int
    end: int


_TOKEN = re.compile(
    r"(?P<comment>%[^\n]*\n?[ \t]*)"
    r"|(?P<verb>\\(?:verb|lstinline|mintinline\{\w*\})\*?(?P<bar>[^A-Za-z\s*{\[\\])[^\n]*?(?P=bar))"
    r"|(?P<link>\\(?:url|href|nolinkurl|burl|path)\s*\{[^{}\n]*\})"
    r"|(?P<block>\\begin[ \t]*\{(?P<name>" + "|".join(VERBATIM) + r")(?P<star>\*?)\})"
    r"|(?P<macro>\\(?:[A-Za-z@]+(?:\*(?=\s*[\[{]))?|[\s\S]|\Z))"
    r"|(?P<par>[ \t\r]*\n[ \t\r]*\n\s*)"
    r"|(?P<space>\s+)"
    r"|(?P<math>\$\$?)"
    r"|(?P<open>\{)|(?P<close>\})|(?P<align>&)|(?P<tie>~)"
    r"|(?P<text>[^\\%{}$&~\s\[\]^_]+(?: [^\\%{}$&~\s\[\]^_]+)*|[\[\]^_])"
)


def tokens_of(text: str, file: int, start: int = 0, end: int | None = None) -> Iterator[Token]:
    r"""Split a text, or a stretch of it, into tokens.

    Parameters
    ----------
    text : str
        The whole file.
    file : int
        Its index.
    start, end : int
        The stretch.

    Examples
    --------
    >>> [token.kind for token in tokens_of(r"a \emph{b} $x$ % c", 0)]
    ['text', 'space', 'macro', 'open', 'text', 'close', 'space', 'math', 'text', 'math', 'space', 'comment']
    """
    stop = len(text) if end is None else end
    at = start
    after_comment = False
    while at < stop:
        match = _TOKEN.match(text, at, stop)
        if match is None:  # the pattern covers every character; this only guards against a hang
            at += 1
            continue
        group = match.lastgroup or "text"
        if match["block"] is not None:
            closing = f"\\end{{{match['name']}{match['star']}}}"
            found = text.find(closing, match.end(), stop)
            finish = stop if found < 0 else found + len(closing)
            yield Token("verbatim", "", file, at, finish)
            at, after_comment = finish, False
            continue
        if match["verb"] is not None or match["link"] is not None:
            group = "verb"
        kind: Kind = "verbatim" if group == "verb" else group  # type: ignore[assignment]
        content = match[0]
        if kind == "space" and after_comment and "\n" in content:
            kind = "par"
        elif kind == "macro" and content[-1] == "*" and len(content) > 2:
            content = content[:-1]
        after_comment = kind == "comment" and "\n" in content
        yield Token(kind, content, file, at, match.end())
        at = match.end()
