"""Where the parts of a panel go whose rows have a name, a point on an axis, and p-values in figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reportkit.figures.drawing.key import Sign, line_width
from reportkit.figures.drawing.lettering import text_width
from reportkit.figures.drawing.marks import CAP_HEIGHT
from reportkit.figures.drawing.rows import GAP, HEAD_GAP, LEAST_AXIS_SHARE, around_point, row_names, write_row_name
from reportkit.figures.drawing.style import axes_at, write
from reportkit.figures.drawing.typography import typography

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DIFFERENCE_HEAD = "diff."


@dataclass(frozen=True, slots=True, kw_only=True)
class RowLayout:
    """Where everything goes, in points from the lower left corner of a panel.

    Parameters
    ----------
    total, height : float
        Size of the panel.
    row, size : float
        Height of a row and size of its name.
    left, bottom, width : float
        Of the axis.
    names : list of list of str
        Lines of the name of each row.
    differences, p_values : list of str
        Texts on the right of each row; empty where there is no room.
    head : str
        Above the p-values.
    difference_right, p_value_point : float
        Where the differences end, and where the decimal points of the p-values stand.
    """

    total: float
    height: float
    row: float
    size: float
    left: float
    bottom: float
    width: float
    names: list[list[str]]
    differences: list[str]
    p_values: list[str]
    head: str
    difference_right: float
    p_value_point: float

    def axes(self, figure: Figure, left: float, up: float) -> Axes:
        """The axis of the rows, with the panel at a place."""
        return axes_at(figure, left + self.left, self.bottom + up, self.width, self.row * len(self.names))

    def write_rows(self, figure: Figure, left: float, up: float) -> None:
        """Write names and figures of the rows, with the panel at a place."""
        small = min(typography().small, self.size)
        top = self.bottom + self.row * len(self.names) + up
        head, end = top + 5.5, left + self.difference_right
        if self.differences:
            write(figure, end, head, _DIFFERENCE_HEAD, size=typography().small, ha="right")
        if self.p_values:
            write(figure, left + self.total - 1, head, self.head, size=typography().small, ha="right", math=True)
        for number, lines in enumerate(self.names):
            middle = top - (number + 0.5) * self.row
            write_row_name(figure, left, middle, lines, self.size)
            baseline = middle - CAP_HEIGHT * small
            if self.differences:
                write(figure, end, baseline, self.differences[number], size=small, ha="right")
            if self.p_values:
                text = self.p_values[number]
                point = left + self.p_value_point - text_width(text.partition(".")[0], small)
                write(figure, point, baseline, text, size=small)


def row_layout(
    names: Sequence[str],
    p_values: Sequence[str],
    head: str,
    total: float,
    key: Sequence[Sequence[Sign]],
    below: float,
    differences: Sequence[str] = (),
) -> RowLayout:
    """Divide the width of a panel among names, axis and figures.

    Parameters
    ----------
    names, p_values : sequence of str
        Of each row.
    head : str
        Above the p-values, set as a formula.
    total : float
        Width in points.
    key : sequence of sequence of Sign
        Lines of the key above all panels; the heads stand in its last line where there is room.
    below : float
        Room under the axis.
    differences : sequence of str
        Of each row, left of the p-values; empty for none.

    Returns
    -------
    RowLayout
        Names get at most 38% of the width and two lines, figures what they need as long as the axis keeps 34%; the
        differences, which the axis shows too, give way first.
    """
    type_ = typography()
    above = type_.line * len(key) + type_.small + HEAD_GAP
    row, size, lines = row_names(names, total, type_.page_height - below - above)
    small = min(type_.small, size)
    before, after = around_point(p_values, small)
    columns = [max(before + after, text_width(head, type_.small, math=True))]
    if differences:
        columns.insert(0, max(text_width(text, small) for text in [*differences, _DIFFERENCE_HEAD]))
    left = 1 + max(text_width(text, size) for name in lines for text in name) + GAP
    while columns and total - 1 - left - _with_gaps(columns) < LEAST_AXIS_SHARE * total:
        columns.pop(0)
    right = total - 1 - (_with_gaps(columns) if columns else 4.0)
    if columns and line_width(key[-1]) + GAP <= right:
        above -= type_.small + HEAD_GAP - 3  # the heads share the last line of the key
    return RowLayout(
        total=total,
        height=below + above + row * len(names),
        row=row,
        size=size,
        left=left,
        bottom=below,
        width=right - left,
        names=lines,
        differences=list(differences) if len(columns) == 2 else [],
        p_values=list(p_values) if columns else [],
        head=head,
        difference_right=right + GAP + columns[0] if columns else total,
        p_value_point=total - 1 - after,
    )


def _with_gaps(columns: list[float]) -> float:
    return sum(columns) + GAP * len(columns)
