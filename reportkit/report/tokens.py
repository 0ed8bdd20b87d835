"""Citations, references, names, bold words and code in a text without a format, spelt as private characters.

The rest of a text is plain Unicode: −, ≤, †, k̂, 𝑝. Each format writes both in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

Kind = Literal["text", "cite", "ref", "name", "strong", "code"]

_BEGIN, _STOP, _END = "\ue000", "\ue001", "\ue002"
_SIGN = re.compile(f"[{_BEGIN}{_END}]")


def _token(kind: Kind, content: str) -> str:
    return f"{_BEGIN}{kind}{_STOP}{content}{_END}"


def cite(*keys: str) -> str:
    """Cite works by their BibTeX keys."""
    return _token("cite", ",".join(keys))


def ref(kind: Literal["tab", "fig"], name: str) -> str:
    """Refer to a table or a figure of the report."""
    return _token("ref", f"{kind}:{name}")


def name(text: str) -> str:
    """Print the name of a system, a dataset or a metric: its label, where the user gives one."""
    return _token("name", text)


def strong(text: str) -> str:
    """Set a text in bold."""
    return _token("strong", text)


def code(text: str) -> str:
    """Set the name of a file or of an option in a typewriter font."""
    return _token("code", text)


def cleaned(text: str) -> str:
    """Return a text of the user without the characters that begin and end a token.

    Examples
    --------
    >>> cleaned("a\ue000name\ue001b\ue002")
    'anameb'
    """
    return re.sub(f"[{_BEGIN}-{_END}]", "", text)


def parts(text: str) -> Iterator[tuple[Kind, str]]:
    """Take a text apart; a bold part may hold further tokens.

    Examples
    --------
    >>> list(parts("see " + cite("holm1979simple", "dror2017replicability") + "."))
    [('text', 'see '), ('cite', 'holm1979simple,dror2017replicability'), ('text', '.')]
    """
    depth = start = 0
    for sign in _SIGN.finditer(text):
        if sign[0] == _BEGIN:
            if depth == 0 and sign.start() > start:
                yield "text", text[start : sign.start()]
            start = start if depth else sign.end()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                kind, _, content = text[start : sign.start()].partition(_STOP)
                yield kind, content  # type: ignore[misc]  # one of `Kind`: only this module writes tokens
                start = sign.end()
    if start < len(text):
        yield "text", text[start:]


_UPRIGHT = str.maketrans({"𝑝": "p", "𝑛": "n", "𝑁": "N", "𝑢": "u"})


def plain(text: str, labels: Mapping[str, str] | None = None) -> str:
    """Return a text as a terminal shows it: without citations, names by their labels, letters upright.

    Examples
    --------
    >>> plain(strong(name("a") + " wins") + " " + cite("holm1979simple") + ".", {"a": "Ours"})
    'Ours wins.'
    """
    known, words = labels or {}, ""
    for kind, content in parts(text):
        if kind == "cite":
            words = words.removesuffix(" ")
        elif kind == "ref":
            table, _, named = content.partition(":")
            words += f"{'Table' if table == 'tab' else 'Figure'} “{named}”"
        else:
            words += (
                plain(content, known)
                if kind == "strong"
                else known.get(content, content)
                if kind == "name"
                else content
            )
    return words.translate(_UPRIGHT)
