"""Sentences with numbers filled in: `"{k_hat} of {n_datasets}"`, for text that is written in Python."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from typing import Literal

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.rendering.macros import latex_value, markdown_value
from reportkit.rendering.notation import Format, Latex
from reportkit.report.keys import FACTS, OF_COMPARISONS, slug
from reportkit.report.model import Number

TextFormat = Literal["plain", "latex", "markdown"]
_FORMATS = ("plain", "latex", "markdown")


def filled(template: str, numbers: Mapping[str, Number], text_format: TextFormat = "plain") -> str:
    r"""Fill numbers into a sentence.

    Parameters
    ----------
    template : str
        Words with fields in braces: a key, `{main/sst2/ours}`, or its last part with hyphens written as underscores,
        `{k_hat}`, and behind a colon what it is about: `{p:sst2}`, `{score:sst2/ours}`, `{k_hat:ours-vs-base/.01}`.
        What there is only one of need not be named. `{{` and `}}` are braces. The words stay as they are.
    numbers : mapping of str to Number
        By key.
    text_format : {"plain", "latex", "markdown"}
        How values are written and escaped.

    Raises
    ------
    UnknownNameError
        If there is no such field; the nearest are said.
    SettingsError
        If a field means several numbers, or the braces do not match.

    Examples
    --------
    >>> numbers = {
    ...     key: Number(content=value)
    ...     for key, value in {"main/n-datasets": "4", "main/a-vs-b/k-hat": "3", "main/r-and-d/a": "−1.5"}.items()
    ... }
    >>> filled("better on at least {k_hat} of {n_datasets}", numbers)
    'better on at least 3 of 4'
    >>> filled("{score:R&D/A}", numbers, "latex")
    '\\ensuremath{-}1.5'
    """
    if text_format not in _FORMATS:
        raise UnknownNameError("format of a text", str(text_format), _FORMATS)
    try:
        parts = list(string.Formatter().parse(template))
    except ValueError as error:
        raise SettingsError(
            f"the text cannot be read: {error}", where=repr(template), remedy="write {{ and }} for braces"
        ) from None
    written = []
    for literal, name, about, conversion in parts:
        written.append(literal)
        if name is None:
            continue
        if conversion:
            raise SettingsError(f"{{{name}!{conversion}}} is no field", remedy=f"write {{{name}}}")
        key = key_of(name, about or "", numbers)
        written.append(_value(key, numbers[key], text_format))
    return "".join(written)


def comparisons_in(template: str) -> frozenset[str]:
    """Slugs that may be those of comparisons in the fields of a text.

    Examples
    --------
    >>> sorted(comparisons_in("{k_hat:Ours-vs-Base} {p:sst2/a-vs-b}"))
    ['a-vs-b', 'ours-vs-base']
    """
    return frozenset(slug(part) for part in re.split(r"[{}/:]", template) if "-vs-" in slug(part))


def key_of(name: str, about: str, numbers: Mapping[str, Number]) -> str:
    """Find the key that a field names.

    Raises
    ------
    UnknownNameError
        If there is none.
    SettingsError
        If there are several.
    """
    field = f"{{{name}:{about}}}" if about else f"{{{name}}}"
    if not about and name in numbers:
        return name
    last = name.replace("_", "-")
    parts = [_part(part) for part in re.split("/", about)] if about else []
    level = [parts.pop()] if parts and parts[-1].startswith(".") else []
    wanted = [*parts, *([] if name == "score" else last.split("/")), *level]
    found = [key for key in numbers if _names(key.split("/")[1:], wanted)]
    shortest = [key for key in found if len(key.split("/")) == min(len(item.split("/")) for item in found)]
    if len(shortest) == 1:
        return shortest[0]
    if shortest:
        raise SettingsError(
            f"{field} may be any of {len(shortest)} numbers",
            where=", ".join(shortest[:5]) + (", ..." if len(shortest) > 5 else ""),
            remedy=f"name what it is about: {{{name}:{_about(shortest[0], last)}}}, or the whole key",
        )
    raise UnknownNameError("field", field, [f"{{{item}}}" for item in _known(numbers)])


def _part(text: str) -> str:
    return text if text.startswith(".") else slug(text)


def _names(parts: list[str], wanted: list[str]) -> bool:
    """Whether a key ends as a field wants it, apart from what the field leaves out in between."""
    if not wanted or not parts or parts[-1] != wanted[-1]:
        return False
    rest = iter(parts)
    return all(any(part == item for part in rest) for item in wanted)


def _about(key: str, last: str) -> str:
    middle = key.split("/")[1:]
    return "/".join(part for part in middle if part != last) or key


def _known(numbers: Mapping[str, Number]) -> list[str]:
    """Fields to propose: facts by their last part, then all keys."""
    facts = dict.fromkeys(key.rsplit("/", 1)[-1] for key in numbers)
    return [*(fact.replace("-", "_") for fact in facts if fact in FACTS or fact in OF_COMPARISONS), *numbers]


def _value(key: str, number: Number, text_format: TextFormat) -> str:
    if text_format == "latex":
        mark = key.endswith("/mark")
        return Latex().mark(Format().write(number.content)) if mark else latex_value(number.content, standalone=True)
    return markdown_value(key, number) if text_format == "markdown" else str(Format().write(number.content))
