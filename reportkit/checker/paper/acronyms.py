r"""What `\gls{key}` and its kin print: short forms, as tables have them, and long ones where they are asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from reportkit.checker.paper.tokens import Token

DEFINING = {
    r"\newacronym": "option key short long", r"\newabbreviation": "option key short long",
    r"\acro": "key option long", r"\acrodef": "key option long", r"\newacro": "key option long",
    r"\DeclareAcronym": "key values", r"\newglossaryentry": "key values",
}  # fmt: skip
"""Macros of glossaries, acronym and acro that define an acronym, with their arguments in order."""
SHORT = frozenset(
    rf"\{name}"
    for name in (
        "gls", "Gls", "GLS", "acrshort", "Acrshort", "ac", "Ac", "acs", "acf", "acrfull", "glsxtrshort",
        "glsentryshort", "glsentryname", "glsentrytext",
    )
)  # fmt: skip
PLURAL = frozenset(rf"\{name}" for name in ("glspl", "Glspl", "acrshortpl", "acp", "Acp", "acsp", "acfp"))
LONG = frozenset(
    rf"\{name}" for name in ("acl", "Acl", "acrlong", "Acrlong", "glsxtrlong", "glsentrylong", "acrlongpl")
)
USING = SHORT | PLURAL | LONG
_VALUE = re.compile(r"\b(?P<name>short|long|name)\s*=\s*(?:\{(?P<group>[^{}]*)\}|(?P<bare>[^,{}]*))")


class Acronym(NamedTuple):
    """Short and long form."""

    short: tuple[Token, ...]
    long: tuple[Token, ...]

    def printed(self, macro: str) -> tuple[Token, ...]:
        """What a macro prints of it."""
        if macro in LONG:
            return self.long
        last = self.short[-1:]
        return (*self.short, *(token._replace(kind="text", text="s") for token in last if macro in PLURAL))


def acronym(macro: str, arguments: Sequence[Sequence[Token] | None]) -> tuple[str, Acronym] | None:
    """Key and acronym that a macro defines by its arguments; None for an option that is not there."""
    given = dict(zip(DEFINING[macro].split(), arguments, strict=False))
    key, values = _text(given.get("key")), given.get("values")
    if values:
        found = {
            match["name"]: match["group"] or match["bare"] or ""
            for match in _VALUE.finditer(_text(values, strip=False))
        }
        short = _as_token(found.get("short") or found.get("name", ""), values[0])
        return key, Acronym(short, _as_token(found.get("long", ""), values[0]) or short)
    named = given.get("short") or (given.get("option") if "short" not in given else None)
    if not key or not given.get("long"):
        return None
    if not named:
        named = _as_token(key, given["long"][0])  # type: ignore[index]
    return key, Acronym(tuple(named), tuple(given["long"] or ()))


def _text(tokens: Sequence[Token] | None, *, strip: bool = True) -> str:
    text = "".join(token.text for token in tokens or ())
    return text.strip() if strip else text


def _as_token(text: str, like: Token) -> tuple[Token, ...]:
    return (like._replace(kind="text", text=text.strip()),) if text.strip() else ()
