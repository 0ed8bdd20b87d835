"""Sentences of the reports that no template writes yet: words with fields, as texts without a format."""

from __future__ import annotations

import string
from typing import Literal

from reportkit.report import tokens

Prose = str
SYMBOLS = {
    "k_hat": "k\u0302",
    "k_hat_bonferroni": "k\u0302 (Bonferroni)",
    "k_hat_fisher": "k\u0302 (Fisher)",
    "k_hat_count": "count",
    "p_u": "𝑝",
    "alpha": "α",
    "n": "𝑛",
    "N": "𝑁",
    "p": "𝑝",
    "u": "𝑢",
    "delta": "δ",
}


def prose(template: str, **fields: object) -> str:
    """Fill a sentence: `{name}` is replaced by a field, or by the symbol of that name.

    Raises
    ------
    KeyError
        If a field is neither given nor a symbol: a mistake of the programmer.

    Examples
    --------
    >>> prose("{a} is better on at least {k_hat} = {count} datasets.", a="R&D", count=3)
    'R&D is better on at least k̂ = 3 datasets.'
    """
    written = []
    for literal, name, _, _ in string.Formatter().parse(template):
        written.append(literal)
        if name is not None:
            value = fields[name] if name in fields else SYMBOLS[name]
            written.append("" if value == () else str(value))
    return "".join(written)


def sentences(*items: object) -> str:
    """Put sentences one after the other, with a space between; empty ones are left out."""
    return " ".join(str(item) for item in items if item)


def cite(*keys: str) -> str:
    """Cite works by their keys in the bibliography."""
    return tokens.cite(*keys)


def reference(kind: Literal["table", "figure"], name: str) -> str:
    """Refer to a table or a figure of the report."""
    return tokens.ref("tab" if kind == "table" else "fig", name)
