"""The look of a report: every choice of a user that changes no number, in one frozen object."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

from reportkit.cell_pattern import CellPattern, parse_cell_pattern
from reportkit.errors import SettingsError, UnknownNameError
from reportkit.options import choices_of, option
from reportkit.venues import VENUES, CaptionSide, Venue, venue_of

Marks = Literal["auto", "levels", "daggers", "letters", "stars", "none"]
Bold = Literal["auto", "best", "statistical", "none"]
Rows = Literal["auto", "systems", "datasets"]
Order = Literal["rank", "given", "name"]
Environment = Literal["auto", "table", "table*", "tabular"]
Length = Literal["short", "standard", "full"]
Further = Literal["typst", "docx", "xlsx"]


_BOTH = 'give text, or reportkit.tex(r"$b_i$", plain="b_i"); in TOML {latex = "$b_i$", plain = "b_i"}'


@dataclass(frozen=True, slots=True)
class Label:
    """The printed form of a name, in LaTeX and in plain text.

    Parameters
    ----------
    latex : str
        TeX, written as it is wherever the name is in LaTeX: in tables, captions and sentences. It is not escaped,
        and not checked: a brace too many breaks the document.
    plain : str
        The same in plain text: in every other format, in figures, in the title and the verdict in bold, and where the
        width of a table is estimated.
    """

    latex: str
    plain: str

    def __post_init__(self) -> None:
        for name in ("latex", "plain"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise SettingsError(f"{name} of a label is {value!r}", remedy=_BOTH)

    def __str__(self) -> str:
        return self.plain


def tex(latex: str, *, plain: str) -> Label:
    r"""Make a label from TeX, for `labels` of `Appearance`.

    Parameters
    ----------
    latex : str
        TeX, such as `$b_i$`; it is written as it is.
    plain : str
        What stands for it where there is no TeX.

    Raises
    ------
    SettingsError
        If one of the two is empty.

    Examples
    --------
    >>> tex(r"\textsc{Vader}", plain="VADER").plain
    'VADER'
    """
    return Label(latex=latex, plain=plain)


def plain_label(label: str | Label) -> str:
    """Return the plain form of a label.

    Examples
    --------
    >>> plain_label("R&D"), plain_label(tex(r"$b_i$", plain="b_i"))
    ('R&D', 'b_i')
    """
    return label.plain if isinstance(label, Label) else label


_LOOK = "How it looks"


RENDERED = ("venue", "environment", "caption", "full", "formats")
"""Fields of `Appearance` that decide how a finished report is written; all others decide what it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    r"""The look of tables, text and figures.

    Parameters
    ----------
    venue : str
        Widths, type and the side of captions: "report", "acl", "neurips", or another one that `reportkit/venues.toml`
        lists; or a file of your own, "thesis.toml", with the lines of one venue.
    marks : {"auto", "levels", "daggers", "letters", "stars", "none"}
        Signs after a score. `levels`: `*` and `+` for two levels, as in Dror et al. (2017); `daggers`: † ‡ § for the
        other system of a pair, or up to three named baselines, at the largest level; `letters`: one for each system
        that it beats; `stars`: `*` .05, `**` .01, `***` .001, of the adjusted p-value, whatever the levels of the
        analysis. `auto`: `levels` for a pair and one baseline, `daggers` for two or three, `letters` for more and for
        all pairs of up to four systems; none where more are compared.
    bold : {"auto", "best", "statistical", "none"}
        Bold scores on each dataset: the best one, or the best and all that are not statistically
        significantly worse, which needs all pairs to be compared. `auto`: the latter for all pairs of five systems or
        more, else the best.
    second : bool
        Whether the second best is underlined, where there are more than two systems.
    rows : {"auto", "systems", "datasets"}
        Rows of the table of scores; `auto`: whichever is narrower, and the other where only that fits a column.
    order : {"rank", "given", "name"}
        Order of the systems in all tables and figures: by their mean rank over the datasets, the best first; as in the
        results; or by name. Baselines come first.
    cell : str
        Pattern of a cell of the table of scores: "{score}{mark}", "{score} [{ci_low}, {ci_high}]", "{score} ± {sd}".
        Fields of the system: score, ci_low, ci_high, sd, se, n; of its comparison with the one baseline: mark, diff, p,
        adjusted_p. Decimals of one field: "{sd:.2f}".
    decimals : int, mapping of str to int, or None
        Decimals of scores, or of each metric; by default as many as the standard error supports.
    average : bool
        Add the mean over the datasets; it is descriptive, and the table says so.
    dataset_groups, system_groups : mapping of str to tuple of str
        Name of a group to its members, in the order in which they are shown; the others are apart, at the end.
        Groups of columns get a header above them, groups of rows a heading and a rule.
    labels : mapping of str to str or Label
        Name of a system, dataset or metric to what is printed instead; with TeX by `reportkit.tex`.
    environment : {"auto", "table", "table*", "tabular"}
        Environment around a table; `tabular`: none, for `\input` within a float of your own.
    caption : {"above", "below"} or None
        Side of the caption; by default that of the venue.
    length : {"short", "standard", "full"}
        Length of the recommended-practice paragraph.
    full : bool
        Write further files below `more/`: the report and its parts in Markdown, tables as CSV, the other lengths of the
        paragraph, and numbers; and figures as PNG.
    formats : sequence of {"typst", "docx", "xlsx"}
        Further formats of the report: Typst; a Word document (with the extra `word`); an Excel workbook of its
        tables (`excel`).
    name : str
        First part of the keys of the numbers: "main" in `\rk{main/sst2/ours}`. A paper with several reports gives
        each a name of its own.

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

    venue: str = option(
        "report",
        f"Widths, type and captions of: {', '.join(name for name in VENUES if name != 'report')}.",
        heading=_LOOK,
        metavar="V",
    )
    name: str = option("main", "First part of the keys of numbers.", heading=_LOOK, metavar="NAME")
    marks: Marks = option("auto", "Signs after the scores.", heading=_LOOK)
    bold: Bold = option(
        "auto",
        "Bold scores: the best, or all that are not significantly worse.",
        heading=_LOOK,
    )
    second: bool = option(True, "", heading=_LOOK)
    rows: Rows = option("auto", "Rows of the table of scores.", heading=_LOOK)
    order: Order = option("rank", "Order of the systems: by mean rank, as given, or by name.", heading=_LOOK)
    cell: str = option(
        "{score}{mark}", 'Pattern of a cell: "{score} [{ci_low}, {ci_high}]".', heading=_LOOK, metavar="PATTERN"
    )
    decimals: int | Mapping[str, int] | None = option(None, "Decimals of the scores.", heading=_LOOK, metavar="D")
    average: bool = option(False, "Add the mean over the datasets.", heading=_LOOK)
    environment: Environment = option("auto", "Environment around a table; tabular: none.", heading=_LOOK)
    caption: CaptionSide | None = option(None, "Side of the captions of tables.  [default: the venue's]", heading=_LOOK)
    length: Length = option("standard", "Length of the recommended-practice paragraph.", heading=_LOOK)
    full: bool = option(False, "Write all other formats and lengths, and numbers, too.", heading=_LOOK)
    formats: tuple[Further, ...] = option(
        (),
        "What a report is written as besides.",
        heading=_LOOK,
        each={
            "typst": "Write Typst, too: report.typ, paragraph.typ, tables/.",
            "docx": "Write a Word document, too: report.docx.",
            "xlsx": "Write the tables as an Excel workbook, too: tables.xlsx.",
        },
    )
    dataset_groups: Mapping[str, tuple[str, ...]] = option({}, "", heading=_LOOK)
    system_groups: Mapping[str, tuple[str, ...]] = option({}, "", heading=_LOOK)
    labels: Mapping[str, str | Label] = option({}, "", heading=_LOOK)

    def __post_init__(self) -> None:
        venue_of(self.venue)  # an unknown name is an error here
        _check_name(self.name)
        object.__setattr__(self, "formats", _formats(self.formats))
        for name, allowed in CHOICES.items():
            value = getattr(self, name)
            if value not in allowed and not (name == "caption" and value is None):
                raise UnknownNameError(f"value for {name}:", value, allowed)
        for name in ("second", "average", "full"):
            if not isinstance(getattr(self, name), bool):
                raise SettingsError(f"{name} is {getattr(self, name)!r}", remedy="give True or False")
        parse_cell_pattern(self.cell)
        _check_decimals(self.decimals)
        for name in ("dataset_groups", "system_groups"):
            object.__setattr__(self, name, _groups(name, getattr(self, name)))
        object.__setattr__(self, "labels", _labels(self.labels))
        if self.marks not in ("auto", "none") and not self.pattern.marked:
            raise SettingsError(
                f"marks is {self.marks!r}, and the cells have no place for them",
                where=f"cell is {self.cell!r}",
                remedy=f"add it: {self.cell + '{mark}'!r}",
            )

    @property
    def pattern(self) -> CellPattern:
        """The pattern of a cell, taken apart."""
        return parse_cell_pattern(self.cell)

    @property
    def plain_labels(self) -> dict[str, str]:
        """Labels by name, as plain text."""
        return {name: plain_label(label) for name, label in self.labels.items()}

    def decimals_of(self, metric: str) -> int | None:
        """Return the decimals of the scores of a metric; None if the data decide."""
        return self.decimals.get(metric) if isinstance(self.decimals, Mapping) else self.decimals

    @property
    def preset(self) -> Venue:
        """Return the venue."""
        return venue_of(self.venue)

    @property
    def caption_side(self) -> CaptionSide:
        """Side of the caption of a table."""
        return self.caption or self.preset.caption

    def replace(self, **changes: Any) -> Appearance:
        """Copy with some values changed, validated again.

        Raises
        ------
        UnknownNameError
            If there is no such field; the message suggests the nearest.
        """
        for name in changes:
            if name not in APPEARANCE_NAMES:
                raise UnknownNameError("appearance", name, APPEARANCE_NAMES)
        return dataclasses.replace(self, **changes)


def _check_decimals(decimals: object) -> None:
    values = decimals.values() if isinstance(decimals, Mapping) else [] if decimals is None else [decimals]
    for value in values:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_DECIMALS:
            raise SettingsError(
                f"decimals is {decimals!r}",
                remedy=f'give a whole number from 0 to {MOST_DECIMALS}, or one for each metric: {{"BLEU": 1}}',
            )


def _groups(name: str, groups: object) -> dict[str, tuple[str, ...]]:
    """Return the groups as tuples, each member in one of them."""
    remedy = f'name the groups and what belongs to each: {name}={{"In-domain": ("sst2", "mnli")}}'
    if not isinstance(groups, Mapping):
        raise SettingsError(f"{name} is {groups!r}", remedy=remedy)
    found = {str(title): members for title, members in groups.items()}
    for title, members in found.items():
        if not isinstance(members, (list, tuple)) or not members:
            raise SettingsError(f"group {title!r} of {name} is {members!r}", remedy=remedy)
    every = Counter(member for members in found.values() for member in members)
    for member, times in every.items():
        if times > 1:
            raise SettingsError(f"{member!r} stands {times} times in the groups of {name}", remedy="name it once")
    return {title: tuple(map(str, members)) for title, members in found.items()}


def _labels(labels: object) -> dict[str, str | Label]:
    """Return the labels as text or `Label`; a table of TOML with the keys latex and plain is one."""
    if not isinstance(labels, Mapping):
        raise SettingsError(f"labels is {labels!r}", remedy='name what is printed: labels={"vader": "VADER"}')
    found: dict[str, str | Label] = {}
    for name, value in labels.items():
        if isinstance(value, Mapping):
            value = Label(**value) if set(value) == {"latex", "plain"} else None
        if not isinstance(value, (str, Label)) or not plain_label(value).strip():
            raise SettingsError(f"the label of {name!r} is {value!r}", remedy=_BOTH)
        found[str(name)] = value
    return found


MOST_DECIMALS = 8


def _formats(value: object) -> tuple[Further, ...]:
    """Return each format once, in the order of the definition."""
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise SettingsError(f"formats is {value!r}", remedy=f"give a list of some of {', '.join(get_args(Further))}")
    for name in value:
        if name not in get_args(Further):
            raise UnknownNameError("output format", name, get_args(Further))
    return tuple(name for name in get_args(Further) if name in value)


APPEARANCE_NAMES: tuple[str, ...] = tuple(item.name for item in dataclasses.fields(Appearance))
CHOICES: Mapping[str, tuple[str, ...]] = {
    name: found
    for name, hint in get_type_hints(Appearance).items()
    if get_origin(hint) is not tuple and (found := choices_of(hint))
}


_NAME = re.compile(r"[a-z0-9]+(?:[.-][a-z0-9]+)*")


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SettingsError(
            f"the name of a report is {name!r}",
            remedy='use lower case letters, digits and single hyphens, such as "main" or "ablation-2"',
        )


DEFAULT_APPEARANCE = Appearance()
"""The appearance of results that nobody has styled."""
