"""The pattern of a cell of a table of scores: "{score}{mark}", "{score} [{ci_low}, {ci_high}]", "{score} ± {sd}"."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

from reportkit.errors import SettingsError, UnknownNameError

SYSTEM_FIELDS = ("score", "ci_low", "ci_high", "sd", "se", "n")
"""Fields of one system on one dataset."""

COMPARISON_FIELDS = ("mark", "diff", "p", "adjusted_p")
"""Fields of the comparison of that system with another one."""

FIELDS = (*SYSTEM_FIELDS, *COMPARISON_FIELDS)
WITHOUT_DECIMALS = ("mark", "n", "p", "adjusted_p")
_DECIMALS = re.compile(r"\.?(\d)f?")
_BRACKETS = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class Piece:
    """Words, or a field with the number of its decimals if that is given."""

    words: str = ""
    field: str = ""
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """Pieces that belong together: a part in brackets with the space before it, or the text between such parts.

    Parameters
    ----------
    pieces : tuple of Piece
        In order.
    bracket : {"", "(", "["}
        Which bracket holds them; a part in brackets is left out of cells that have none of its fields.
    """

    pieces: tuple[Piece, ...]
    bracket: str = ""

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of its fields."""
        return tuple(piece.field for piece in self.pieces if piece.field)


@dataclass(frozen=True, slots=True)
class CellPattern:
    """A pattern, taken apart.

    Parameters
    ----------
    text : str
        As it was given.
    parts : tuple of Part
        In order.
    """

    text: str
    parts: tuple[Part, ...]

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of all fields, in order."""
        return tuple(name for part in self.parts for name in part.fields)

    @property
    def marked(self) -> bool:
        """Whether signs have a place in it."""
        return "mark" in self.fields


def parse_cell_pattern(text: str) -> CellPattern:
    """Take a pattern apart.

    Parameters
    ----------
    text : str
        Words with fields in braces; a field may say its decimals, `{sd:.2f}`. Nothing else of Python's format language
        is allowed: no attributes, no indices, no conversions.

    Raises
    ------
    UnknownNameError
        If there is no such field.
    SettingsError
        If it is not a pattern, or has no score in it.

    Examples
    --------
    >>> pattern = parse_cell_pattern("{score} [{ci_low}, {ci_high}]{mark}")
    >>> pattern.fields
    ('score', 'ci_low', 'ci_high', 'mark')
    >>> [part.bracket for part in pattern.parts]
    ['', '[', '']
    """
    if not isinstance(text, str):
        raise SettingsError(f"cell is {text!r}", remedy='give a pattern, such as "{score}{mark}"')
    try:
        parsed = list(string.Formatter().parse(text))
    except ValueError as error:
        raise SettingsError(
            f"cell is {text!r}: {error}", remedy='close every brace: "{score} ± {sd}"; a brace itself is written twice'
        ) from None
    pieces: list[Piece] = []
    for words, name, spec, conversion in parsed:
        pieces.extend(_by_brackets(words))
        if name is not None:
            pieces.append(_field(text, name, spec or "", conversion))
    pattern = CellPattern(text, _parts(pieces))
    if "score" not in pattern.fields:
        raise SettingsError(
            f"cell is {text!r}, and a table of scores shows the score", remedy='write it: "{score}{mark}"'
        )
    if len(set(pattern.fields)) < len(pattern.fields):
        raise SettingsError(f"cell is {text!r}: a field occurs twice", remedy="name each field once")
    return pattern


def _field(text: str, name: str, spec: str, conversion: str | None) -> Piece:
    if name not in FIELDS:
        raise UnknownNameError("field of a cell", name, FIELDS, where=f"cell is {text!r}")
    match = _DECIMALS.fullmatch(spec)
    if conversion is not None or (spec and (match is None or name in WITHOUT_DECIMALS)):
        allowed = "nothing" if name in WITHOUT_DECIMALS else "a number of decimals"
        raise SettingsError(
            f"cell is {text!r}: {name!r} takes {allowed} after its name", remedy=f"write {{{name}}}, or {{sd:.2f}}"
        )
    return Piece(field=name, decimals=None if match is None else int(match[1]))


def _by_brackets(words: str) -> list[Piece]:
    """Return the words cut before each opening bracket, with the space before it, and after each closing one."""
    return [Piece(words=piece) for piece in re.split(r"(?=\s*(?<!\s)[(\[])|(?<=[)\]])", words) if piece]


def _parts(pieces: list[Piece]) -> tuple[Part, ...]:
    parts: list[Part] = []
    held: list[Piece] = []
    bracket = ""
    for piece in pieces:
        opening = piece.words.lstrip()[:1]
        if not bracket and opening in _BRACKETS:
            if held:
                parts.append(Part(tuple(held)))
            held, bracket = [piece], opening
        else:
            held.append(piece)
        if bracket and _BRACKETS[bracket] in piece.words:
            parts.append(Part(tuple(held), bracket))
            held, bracket = [], ""
    if held:
        parts.append(Part(tuple(held)))
    return tuple(parts)
