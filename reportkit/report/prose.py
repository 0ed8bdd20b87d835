"""Running text without a format: words, symbols, references; each format writes them in its own way."""

from __future__ import annotations

import string
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Plain words; escaped when written. Unicode signs such as ≤, −, α, → are meant as such."""

    text: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A mathematical symbol that plain text cannot hold.

    `k_hat` is the estimated number of datasets, `k_hat_bonferroni`, `k_hat_fisher` and `k_hat_count` its variants,
    `p_u` the partial-conjunction p-value, `alpha` the level, `n` the number of instances, `N` the number of datasets,
    `p` a p-value, `u` the number of datasets of a partial conjunction, `delta` a difference.
    """

    name: Literal[
        "k_hat", "k_hat_bonferroni", "k_hat_fisher", "k_hat_count", "p_u", "alpha", "n", "N", "p", "u", "delta"
    ]


@dataclass(frozen=True, slots=True)
class Strong:
    """Text that is set in bold."""

    text: str


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Text that is set in italics."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """A name of a file, an option, an expression, set in a typewriter font."""

    text: str


@dataclass(frozen=True, slots=True)
class Cite:
    """References to the literature by their BibTeX keys."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """Reference to a table or figure of the same report by its name."""

    kind: Literal["table", "figure"]
    name: str


@dataclass(frozen=True, slots=True)
class Typeset:
    """A name that a user wrote in TeX: written as it is in LaTeX, in its plain form elsewhere."""

    latex: str
    plain: str


@dataclass(frozen=True, slots=True)
class Raised:
    """Signs in the middle of a cell, set as those behind a number are: `*`, `†‡`, `abc`."""

    signs: str


Inline: TypeAlias = Text | Symbol | Strong | Emphasis | Code | Cite | Reference | Typeset | Raised
Prose: TypeAlias = tuple[Inline, ...]

SYMBOLS: dict[str, Inline] = {
    name: Symbol(name)
    for name in (
        "k_hat",
        "k_hat_bonferroni",
        "k_hat_fisher",
        "k_hat_count",
        "p_u",
        "alpha",
        "n",
        "N",
        "p",
        "u",
        "delta",
    )
}


def prose(template: str, **fields: Inline | Prose | str | int) -> Prose:
    """Fill a sentence: `{name}` is replaced by a field, or by the symbol of that name; everything else is plain words.

    Parameters
    ----------
    template : str
        A sentence with fields in braces.
    **fields : Inline, Prose, str or int
        What stands in the braces; strings and integers become plain words.

    Raises
    ------
    KeyError
        If a field is neither given nor a symbol: a mistake of the programmer.

    Examples
    --------
    >>> prose("{a} is better on at least {k_hat} = {count} datasets.", a="R&D", count=3)
    (Text(text='R&D is better on at least '), Symbol(name='k_hat'), Text(text=' = 3 datasets.'))
    """
    parts: list[Inline] = []
    for literal, name, _, _ in string.Formatter().parse(template):
        parts.append(Text(literal))
        if name is None:
            continue
        value = fields[name] if name in fields else SYMBOLS[name]
        if isinstance(value, (str, int)):
            parts.append(Text(str(value)))
        elif isinstance(value, tuple):
            parts.extend(value)
        else:
            parts.append(value)
    return joined(parts)


def joined(parts: Iterable[Inline]) -> Prose:
    """Merge neighbouring words, drop empty ones.

    Examples
    --------
    >>> joined([Text("a"), Text(""), Text("b"), Symbol("alpha")])
    (Text(text='ab'), Symbol(name='alpha'))
    """
    merged: list[Inline] = []
    for part in parts:
        if isinstance(part, Text):
            if not part.text:
                continue
            if merged and isinstance(merged[-1], Text):
                merged[-1] = Text(merged[-1].text + part.text)
                continue
        merged.append(part)
    return tuple(merged)


def sentences(*items: Prose) -> Prose:
    """Put sentences one after the other, with a space between; empty ones are left out."""
    parts: list[Inline] = []
    for item in items:
        if item:
            if parts:
                parts.append(Text(" "))
            parts.extend(item)
    return joined(parts)


def strong(content: Prose) -> Prose:
    """The same words in bold."""
    return tuple(Strong(part.text) if isinstance(part, Text) else part for part in content)


def text(words: str) -> Prose:
    """Plain words as prose."""
    return (Text(words),) if words else ()


SYMBOL_NAMES = {
    "k_hat": "k-hat",
    "k_hat_bonferroni": "k-hat Bonferroni",
    "k_hat_fisher": "k-hat Fisher",
    "k_hat_count": "k-hat count",
    "p_u": "p",
}


def plain(content: Prose) -> str:
    """Plain text of words only, for terminals; symbols by their names.

    Examples
    --------
    >>> plain(prose("{k_hat} = 3"))
    'k-hat = 3'
    """
    words = []
    for part in content:
        if isinstance(part, (Text, Strong, Emphasis, Code)):
            words.append(part.text)
        elif isinstance(part, Typeset):
            words.append(part.plain)
        elif isinstance(part, Raised):
            words.append(part.signs)
        elif isinstance(part, Symbol):
            words.append(SYMBOL_NAMES.get(part.name, part.name))
        elif isinstance(part, Reference):
            words.append(f"{part.kind.capitalize()} “{part.name}”")
        elif words:
            words[-1] = words[-1].removesuffix(" ")
    return "".join(words)
