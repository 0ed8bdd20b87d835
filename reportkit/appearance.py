"""How a report looks: everything that a user decides and that changes no number, in one frozen object."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.venues import VENUES, CaptionSide, Venue

Marks = Literal["auto", "levels", "daggers", "letters", "stars", "none"]
Bold = Literal["best", "statistical", "none"]
Rows = Literal["auto", "systems", "datasets"]
Environment = Literal["auto", "table", "table*", "tabular", "longtable"]
Engine = Literal["tabular", "siunitx"]
Notes = Literal["caption", "threeparttable"]
Length = Literal["short", "standard", "full"]
Flavour = Literal["github", "pandoc"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    r"""How tables, text and figures are set.

    Parameters
    ----------
    venue : str
        Preset of widths, type and the side of captions: "report", "acl", "neurips", "icml", "ieee", "acm", "article".
    marks : {"auto", "levels", "daggers", "letters", "stars", "none"}
        Signs behind a score. `levels`: `*` and `+` for two levels, as in Dror et al. (2017); `daggers`: † ‡ § for up to
        three named baselines; `letters`: one per system; `stars`: `*` .05, `**` .01, `***` .001. `auto`: levels where
        all is against one system, daggers against two or three, letters otherwise.
    bold : {"best", "statistical", "none"}
        What is set in bold in each dataset: the best score, or the best and all that are not statistically
        significantly worse.
    second : bool
        Whether the second best is underlined, where there are more than two systems.
    rows : {"auto", "systems", "datasets"}
        What stands in the rows of the table of scores.
    cell : str
        Pattern of a cell of the table of scores: "{score}{mark}", "{score} [{ci_low}, {ci_high}]", "{score} ± {sd}".
    decimals : int, mapping of str to int, or None
        Decimals of scores, or of each metric; by default as many as the standard error supports.
    average : bool
        Add the mean over the datasets; it is descriptive, and marked as such.
    dataset_groups, system_groups : mapping of str to tuple of str
        Headers over groups of datasets; rules between groups of systems.
    labels : mapping of str to str
        Name of a system, dataset or metric to what is printed instead.
    environment : {"auto", "table", "table*", "tabular", "longtable"}
        What a table is wrapped in; `tabular`: nothing, for `\input` within a float of your own.
    caption : {"above", "below"} or None
        Side of the caption; by default that of the venue.
    engine : {"tabular", "siunitx"}
        What aligns the numbers.
    notes : {"caption", "threeparttable"}
        Where marks are explained.
    length : {"short", "standard", "full"}
        Of the recommended-practice paragraph.
    markdown : {"github", "pandoc"}
        Flavour of Markdown.

    Raises
    ------
    UnknownNameError
        If a value is not among those that are allowed.
    SettingsError
        If a value makes no sense.

    Examples
    --------
    >>> Appearance(venue="neurips").caption_side
    'above'
    """

    venue: str = "report"
    marks: Marks = "auto"
    bold: Bold = "best"
    second: bool = True
    rows: Rows = "auto"
    cell: str = "{score}{mark}"
    decimals: int | Mapping[str, int] | None = None
    average: bool = False
    dataset_groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    system_groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    environment: Environment = "auto"
    caption: CaptionSide | None = None
    engine: Engine = "tabular"
    notes: Notes = "caption"
    length: Length = "standard"
    markdown: Flavour = "github"

    def __post_init__(self) -> None:
        VENUES[self.venue]  # an unknown name is an error here
        for name, allowed in _CHOICES.items():
            value = getattr(self, name)
            if value not in get_args(allowed) and not (name == "caption" and value is None):
                raise UnknownNameError(f"value for {name}:", value, get_args(allowed))
        for name in ("second", "average"):
            if not isinstance(getattr(self, name), bool):
                raise SettingsError(f"{name} is {getattr(self, name)!r}", remedy="give True or False")

    @property
    def preset(self) -> Venue:
        """The venue."""
        return VENUES[self.venue]

    @property
    def caption_side(self) -> CaptionSide:
        """Side of the caption of a table."""
        return self.caption or self.preset.caption

    def replace(self, **changes: Any) -> Appearance:
        """Copy with some values changed, validated again.

        Raises
        ------
        UnknownNameError
            If there is no such field; the nearest names are said.
        """
        for name in changes:
            if name not in APPEARANCE_NAMES:
                raise UnknownNameError("appearance", name, APPEARANCE_NAMES)
        return dataclasses.replace(self, **changes)


_CHOICES: dict[str, Any] = {
    "marks": Marks,
    "bold": Bold,
    "rows": Rows,
    "environment": Environment,
    "caption": CaptionSide,
    "engine": Engine,
    "notes": Notes,
    "length": Length,
    "markdown": Flavour,
}
APPEARANCE_NAMES: tuple[str, ...] = tuple(item.name for item in dataclasses.fields(Appearance))
