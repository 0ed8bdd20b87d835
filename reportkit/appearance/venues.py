r"""Where a paper is submitted: widths of its columns, on which side captions stand, how large its type is.

The figures are TeX's own, as `\the\columnwidth`, `\the\textheight` and the like print them: from the classes (article,
IEEEtran, acmart, llncs, Interspeech), and from the lengths and type sizes that acl.sty, neurips_2024.sty, icml2024.sty,
iclr2025_conference.sty, colm2025_conference.sty, aaai25.sty, cvpr.sty and jmlr2e.sty set; TACL's from its instructions.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from reportkit.errors import SettingsError
from reportkit.registry import Registry

CaptionSide = Literal["above", "below"]
Face = Literal["times", "computer modern", "any"]
Citation = Literal["cite", "citep"]
Notes = Literal["caption", "threeparttable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeSize:
    r"""A size that tables are set in.

    Parameters
    ----------
    command : str
        LaTeX that switches to it, without the first backslash: `small`, `fontsize{8}{9.5}\selectfont`.
    points : float
        How large it is in this venue's class.
    leading : float
        From one line to the next, in points.
    """

    command: str
    points: float
    leading: float

    @property
    def words(self) -> str:
        r"""How it is called in a comment: `\small`, `8 pt`."""
        return f"{self.points:g} pt" if "{" in self.command else f"\\{self.command}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Venue:
    r"""Layout of one venue's template.

    Parameters
    ----------
    name : str
        Preset name: "acl".
    title : str
        What it stands for, in words.
    column_width, text_width : float
        TeX points, as `\the\columnwidth` and `\the\textwidth` print them; equal where there is one column.
    text_height : float
        TeX points, of a page without its head and foot.
    caption : {"above", "below"}
        Side of the caption of a table.
    face : {"times", "computer modern", "any"}
        Type of tables; `any` where it is not known, and widths are then estimated for the wider one.
    base_size : float
        Type size of running text, in points.
    sizes : tuple of TypeSize
        That tables are set in, the first by preference. Where `\footnotesize` is no smaller than `\small`, as in ACL's
        style, the second is given in points.
    gap_above, gap_below : float
        Points to be added between a table and a caption above or below it, where the class leaves too little.
    citation : {"cite", "citep"}
        Command that puts a citation in brackets: `citep` where the style loads natbib with authors and years and leaves
        `\cite` as natbib has it, without brackets (NeurIPS, ICLR, COLM, JMLR); ACL's, ICML's and AAAI's styles make
        `\cite` the same as `\citep`, and those with numbers need no other command.
    notes : {"caption", "threeparttable"}
        Where marks are explained: in the caption, or below the table, as where captions are short and in capitals.

    Examples
    --------
    >>> VENUES["acl"].two_columns, VENUES["neurips"].two_columns
    (True, False)
    >>> [size.words for size in VENUES["acl"].sizes]
    ['\\small', '8 pt']
    """

    name: str
    title: str
    column_width: float
    text_width: float
    text_height: float
    caption: CaptionSide
    face: Face
    base_size: float
    sizes: tuple[TypeSize, ...]
    gap_above: float = 0.0
    gap_below: float = 0.0
    citation: Citation = "cite"
    notes: Notes = "caption"

    @property
    def two_columns(self) -> bool:
        """Whether there is a `table*` across two columns."""
        return self.column_width < self.text_width

    def refuse_longtable(self) -> None:
        """Raise SettingsError where there are two columns: LaTeX's longtable stops there."""
        if self.two_columns:
            one = [name for name, venue in VENUES.items() if not venue.two_columns]
            raise SettingsError(
                f"longtable does not work in two columns, as in venue {self.name!r}",
                remedy="leave environment at 'auto', which makes consecutive tables of a long one; or name a venue "
                f"with one column: {', '.join(map(repr, one))}",
            )

    def resized(self, column_width: float, text_width: float) -> Venue:
        """The same with other widths, in points; equal where there is one column.

        Examples
        --------
        >>> VENUES["article"].resized(300, 300).two_columns
        False
        """
        return dataclasses.replace(self, column_width=column_width, text_width=text_width)


VENUES: Registry[Venue] = Registry("venue")
"""Names to venues, in the order in which they are listed to users."""


def register_venue(venue: Venue) -> Venue:
    r"""Add the layout of another venue, or of your own class.

    Afterwards `venue=name` and `--venue name` set tables and figures for it. A package names the venue in its
    `pyproject.toml` instead, and nothing has to be imported:

    ```toml
    [project.entry-points."reportkit.venues"]
    journal = "my_package.layout:JOURNAL"
    ```

    Parameters
    ----------
    venue : Venue
        Widths, caption, type; `\typeout{\the\columnwidth, \the\textwidth, \the\textheight}` prints the first three.

    Returns
    -------
    Venue
        The same.

    Raises
    ------
    SettingsError
        If it is no Venue, or its name is that of a built-in one. Another venue under a name of your own replaces the
        first one.

    Examples
    --------
    >>> thesis = dataclasses.replace(VENUES["article"], name="thesis", title="My thesis", caption="above")
    >>> register_venue(thesis).name, VENUES["thesis"].caption
    ('thesis', 'above')
    >>> VENUES.remove("thesis")
    """
    if not isinstance(venue, Venue):
        raise SettingsError(
            f"{venue!r} is no venue", remedy="give a Venue (from reportkit.appearance.venues import Venue)"
        )
    VENUES.add(venue.name, venue)
    return venue


def _sizes(
    small: float, leading: float, footnotesize: float | None = None, closer: float = 0.0
) -> tuple[TypeSize, ...]:
    first = TypeSize(command="small", points=small, leading=leading)
    if footnotesize is not None:
        return first, TypeSize(command="footnotesize", points=footnotesize, leading=closer)
    return first, TypeSize(command=r"fontsize{8}{9.5}\selectfont", points=8.0, leading=9.5)


_ARTICLE = _sizes(9, 11, 8, 9.5)
_ALIKE = _sizes(9, 10)  # \small and \footnotesize are both 9 pt
_ACM = (TypeSize(command="small", points=8.0, leading=10.0),)  # the next size is 7 pt, too small to read

for _venue in (
    Venue(
        name="report",
        title="the report itself; fits ACL's columns",
        column_width=219.086,
        text_width=455.244,
        text_height=690.0,
        caption="below",
        face="any",
        base_size=10.0,
        sizes=_sizes(9, 11),
        gap_above=7.0,
    ),
    Venue(
        name="acl",
        title="ACL (acl.sty)",
        column_width=219.086,
        text_width=455.244,
        text_height=704.6,
        caption="below",
        face="times",
        base_size=10.95,
        sizes=_ALIKE,
        gap_above=7.0,
    ),
    Venue(
        name="neurips",
        citation="citep",
        title="NeurIPS, one column of 5.5 inches",
        column_width=397.485,
        text_width=397.485,
        text_height=650.43,
        caption="above",
        face="times",
        base_size=10.0,
        sizes=_ALIKE,
        gap_below=7.0,
    ),
    Venue(
        name="icml",
        title="ICML, two columns",
        column_width=234.8775,
        text_width=487.8225,
        text_height=650.43,
        caption="above",
        face="times",
        base_size=10.0,
        sizes=_ALIKE,
        gap_above=7.0,
    ),
    Venue(
        name="iclr",
        citation="citep",
        title="ICLR, one column of 5.5 inches",
        column_width=397.485,
        text_width=397.485,
        text_height=650.43,
        caption="above",
        face="times",
        base_size=10.0,
        sizes=_ALIKE,
        gap_above=7.0,
    ),
    Venue(
        name="colm",
        citation="citep",
        title="COLM, one column of 5.5 inches",
        column_width=397.485,
        text_width=397.485,
        text_height=650.43,
        caption="below",
        face="any",  # Palatino
        base_size=10.0,
        sizes=_ALIKE[:1],  # its instructions allow no smaller size in tables
        gap_above=7.0,
    ),
    Venue(
        name="aaai",
        title="AAAI, two columns",
        column_width=239.394,
        text_width=505.89,
        text_height=650.43,
        caption="below",
        face="times",
        base_size=10.0,
        sizes=_ALIKE,
        gap_above=7.0,
    ),
    Venue(
        name="cvpr",
        title="CVPR, two columns",
        column_width=237.136,
        text_width=496.856,
        text_height=641.396,
        caption="above",
        face="times",
        base_size=10.0,
        sizes=_sizes(9, 11, 8, 9.5),
    ),
    Venue(
        name="interspeech",
        title="Interspeech, two columns",
        column_width=227.622,
        text_width=483.697,
        text_height=668.64,
        caption="above",
        face="times",
        base_size=9.0,
        sizes=_sizes(9, 11, 8, 9.5),
    ),
    Venue(
        name="jmlr",
        citation="citep",
        title="JMLR, one column (jmlr2e)",
        column_width=433.62,
        text_width=433.62,
        text_height=614.295,
        caption="below",
        face="computer modern",
        base_size=10.95,
        sizes=_sizes(10, 12, 9, 11),
        gap_above=7.0,
    ),
    Venue(
        name="ieee",
        title="IEEE, two columns (IEEEtran)",
        column_width=252.0,
        text_width=516.0,
        text_height=672.0,
        caption="above",
        face="times",
        base_size=10.0,
        sizes=_sizes(9, 10, 8, 9),
        gap_below=5.0,
        notes="threeparttable",
    ),
    Venue(
        name="acm",
        title="ACM, two columns (acmart sigconf)",
        column_width=241.147,
        text_width=506.295,
        text_height=626.0,
        caption="above",
        face="any",
        base_size=9.0,
        sizes=_ACM,
    ),
    Venue(
        name="acmsmall",
        title="ACM journals, one column (acmart acmsmall)",
        column_width=395.8225,
        text_width=395.8225,
        text_height=574.0,
        caption="above",
        face="any",
        base_size=10.0,
        sizes=_sizes(9, 11, 8, 10),
    ),
    Venue(
        name="lncs",
        title="Springer LNCS, one column (llncs)",
        column_width=347.1235,
        text_width=347.1235,
        text_height=549.138,
        caption="above",
        face="computer modern",
        base_size=10.0,
        sizes=_sizes(9, 11),
        gap_below=7.0,
    ),
    Venue(
        name="article",
        title="LaTeX's article, one column",
        column_width=345.0,
        text_width=345.0,
        text_height=550.0,
        caption="below",
        face="computer modern",
        base_size=10.0,
        sizes=_ARTICLE,
        gap_above=7.0,
    ),
    Venue(
        name="article-twocolumn",
        title="LaTeX's article, two columns",
        column_width=229.5,
        text_width=469.0,
        text_height=550.0,
        caption="below",
        face="computer modern",
        base_size=10.0,
        sizes=_ARTICLE,
        gap_above=7.0,
    ),
):
    VENUES.register(_venue.name, _venue)

for _name, _title in {
    "emnlp": "EMNLP (acl.sty)",
    "naacl": "NAACL (acl.sty)",
    "eacl": "EACL (acl.sty)",
    "coling": "COLING (its style has ACL's layout)",
    "tacl": "TACL (its style has ACL's layout)",
}.items():
    VENUES.register(_name, dataclasses.replace(VENUES["acl"], name=_name, title=_title))

VENUES.open_to("reportkit.venues", register_venue)
