r"""Layouts of venues, as `venues.toml` lists them: widths of columns, the side of captions, sizes of type."""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

from reportkit.errors import SettingsError, UnknownNameError

CaptionSide = Literal["above", "below"]
Face = Literal["times", "computer modern", "any"]
Citation = Literal["cite", "citep"]
Notes = Literal["caption", "below"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    r"""Layout of one venue's template.

    Parameters
    ----------
    name, title : str
        "acl", and what it stands for.
    widths : tuple of float
        Of a column and of the text in TeX points, as `\the\columnwidth` and `\the\textwidth` print them; equal where
        there is one column.
    height : float
        Height of the text on a page, in TeX points.
    caption : {"above", "below"}
        Side of the caption of a table.
    face : {"times", "computer modern", "any"}
        Type of the text; `any` where it is not known.
    sizes : tuple of float
        Size of running text, and size and leading of `\small`, in points.
    gaps : tuple of float
        Points to be added between a table and a caption above or below it, where the class leaves too little.
    citation : {"cite", "citep"}
        Command that puts a citation in brackets.
    notes : {"caption", "below"}
        Place of the legend of a table: in the caption, or below the table.

    Examples
    --------
    >>> VENUES["acl"].two_columns, VENUES["neurips"].two_columns
    (True, False)
    """

    name: str
    title: str
    widths: tuple[float, float]
    height: float
    caption: CaptionSide
    face: Face = "any"
    sizes: tuple[float, float, float] = (10.0, 9.0, 11.0)
    gaps: tuple[float, float] = (0.0, 0.0)
    citation: Citation = "cite"
    notes: Notes = "caption"

    @property
    def column_width(self) -> float:
        """Width of a column, in TeX points."""
        return self.widths[0]

    @property
    def text_width(self) -> float:
        """Width of the text, in TeX points."""
        return self.widths[1]

    @property
    def two_columns(self) -> bool:
        """Whether there is a `table*` across two columns."""
        return self.widths[0] < self.widths[1]


def _venue(name: str, lines: Mapping[str, Any]) -> Venue:
    """Make a venue of its lines.

    Raises
    ------
    TypeError, ValueError
        If a line is missing, or is not as it must be.
    """
    given: dict[str, Any] = {
        key: tuple(map(float, value)) if isinstance(value, list) else value for key, value in lines.items()
    }
    venue = Venue(**{"title": name, **given, "name": name})
    numbers = (*venue.widths, venue.height, *venue.sizes, *venue.gaps)
    if (len(venue.widths), len(venue.sizes), len(venue.gaps)) != (2, 3, 2) or not all(
        0 <= one < 5000 for one in numbers
    ):
        raise ValueError("widths are two numbers, sizes three, gaps two, in points")
    if not 100 <= venue.column_width <= venue.text_width:
        raise ValueError("widths are those of a column and of the text, at least 100 points")
    for key, allowed in (("caption", CaptionSide), ("face", Face), ("citation", Citation), ("notes", Notes)):
        if (value := getattr(venue, key)) not in get_args(allowed):
            raise ValueError(f"{key} is {value!r}, not one of {', '.join(get_args(allowed))}")
    return venue


def _listed() -> dict[str, Venue]:
    found: dict[str, Venue] = {}
    for name, lines in tomllib.loads(Path(__file__).with_name("venues.toml").read_text("utf-8")).items():
        like = lines.pop("like", None)
        found[name] = dataclasses.replace(found[like], name=name, **lines) if like else _venue(name, lines)
    return found


VENUES: Mapping[str, Venue] = _listed()
"""Names to venues, in the order in which they are listed to users."""


def venue_of(name: str) -> Venue:
    """Return a venue by its name, or from a file of the user that ends in .toml.

    Raises
    ------
    UnknownNameError
        If there is no such venue.
    SettingsError
        If the file is not there, or does not hold the lines of one venue.
    """
    if not str(name).endswith(".toml"):
        if name not in VENUES:
            raise UnknownNameError("venue", name, VENUES)
        return VENUES[name]
    try:
        return _venue(Path(name).stem, tomllib.loads(Path(name).read_text("utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise SettingsError(
            f"the venue {name!r} cannot be read: {error}",
            remedy='write lines such as: widths = [219.1, 455.2], height = 690, caption = "below", sizes = [10, 9, 11]',
        ) from None
