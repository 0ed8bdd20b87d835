r"""Where a paper is submitted: widths of its columns, on which side captions stand, how large its type is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reportkit.registry import Registry

CaptionSide = Literal["above", "below"]
Face = Literal["times", "computer modern", "any"]


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
    caption : {"above", "below"}
        Side of the caption of a table.
    face : {"times", "computer modern", "any"}
        Type of tables; `any` where it is not known, and widths are then estimated for the wider one.
    """

    name: str
    title: str
    column_width: float
    text_width: float
    caption: CaptionSide
    face: Face

    @property
    def two_columns(self) -> bool:
        """Whether there is a `table*` across two columns."""
        return self.column_width < self.text_width


VENUES: Registry[Venue] = Registry("venue")


def _add(name: str, title: str, column: float, text: float, caption: CaptionSide, face: Face) -> None:
    VENUES.register(
        name, Venue(name=name, title=title, column_width=column, text_width=text, caption=caption, face=face)
    )


_add("report", "the report itself; fits ACL's columns", 219.086, 455.244, "below", "any")
_add("acl", "ACL, EMNLP, NAACL (acl.sty)", 219.086, 455.244, "below", "times")
_add("neurips", "NeurIPS", 397.485, 397.485, "above", "times")
_add("icml", "ICML", 234.878, 487.823, "above", "times")
_add("ieee", "IEEE, two columns (IEEEtran)", 252.0, 516.0, "above", "times")
_add("acm", "ACM, two columns (acmart sigconf)", 241.147, 506.295, "above", "any")
_add("article", "LaTeX's article, one column", 345.0, 345.0, "below", "computer modern")
