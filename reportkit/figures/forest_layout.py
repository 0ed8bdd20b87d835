"""Where everything in a forest plot goes, from the widths of names and figures."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reportkit.figures.drawing.key import Sign, key_lines, line_width
from reportkit.figures.drawing.lettering import filled, shortened, text_width
from reportkit.figures.drawing.rows import HEAD_GAP, LEAST_AXIS_SHARE, around_point, parts_of, row_names
from reportkit.figures.drawing.style import GREY
from reportkit.figures.drawing.typography import typography
from reportkit.figures.forest_content import ForestContent
from reportkit.language.numerals import level_text, p_value_text, percent_text

DIFFERENCE_HEAD, P_HEAD = "diff.", "adj. $p$"

_GAP = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestLayout:
    """Where everything goes, in points from the lower left corner; lists are in the order of the rows."""

    total: float
    height: float
    row: float
    size: float
    axis_left: float
    axis_bottom: float
    axis_width: float
    names: list[list[str]]
    differences: list[str]
    p_values: list[str]
    difference_right: float
    p_value_point: float
    key: list[list[Sign]]
    label: list[str]
    limits: tuple[float, float]

    @property
    def rows_top(self) -> float:
        """Upper end of the first row."""
        return self.axis_bottom + self.row * len(self.names)


def panels(content: ForestContent, total: float) -> list[ForestContent]:
    """Rows side by side in as many panels as it takes for legible type, if the width allows."""
    return [replace(content, rows=content.rows[part]) for part in parts_of(len(content.rows), total)]


def forest_layout(content: ForestContent, total: float, whole: ForestContent | None = None) -> ForestLayout:
    """Share the width between names, axis and figures, and the height of a page between the rows.

    Parameters
    ----------
    content : ForestContent
        What is drawn: all rows, or those of one panel.
    total : float
        Width in points.
    whole : ForestContent, optional
        The rows of all panels, which share an axis and a key.

    Returns
    -------
    ForestLayout
        Names get at most 38% of the width and two lines, figures what they need as long as the axis keeps 34%; the
        differences, which the axis shows too, give way first.
    """
    rows = content.rows
    key = key_lines(_signs(whole or content), total - 2)
    label = _axis_label(content, total)
    below = typography().ticks + typography().line * (1 + len(label)) + 3
    above = typography().line * len(key) + typography().small + HEAD_GAP
    row, size, names = row_names([item.dataset for item in rows], total, typography().page_height - below - above)
    small = min(typography().small, size)
    differences = [item.text for item in rows]
    p_values = [p_value_text(item.adjusted_p_value) for item in rows]
    before, after = around_point(p_values, small)
    columns = [
        max(text_width(text, small) for text in [*differences, DIFFERENCE_HEAD]),
        max(before + after, text_width(P_HEAD, typography().small, math=True)),
    ]
    left = 1 + max(text_width(line, size) for lines in names for line in lines) + _GAP
    while columns and total - 1 - left - _with_gaps(columns) < LEAST_AXIS_SHARE * total:
        columns.pop(0)
    right = total - 1 - (_with_gaps(columns) if columns else 4.0)
    if columns and line_width(key[-1]) + _GAP <= right:
        above -= typography().small + HEAD_GAP - 3  # the heads share the last line of the key
    return ForestLayout(
        total=total,
        height=below + above + row * len(rows),
        row=row,
        size=size,
        axis_left=left,
        axis_bottom=below,
        axis_width=right - left,
        names=names,
        differences=differences if len(columns) == 2 else [],
        p_values=p_values if columns else [],
        difference_right=right + _GAP + columns[0] if columns else total,
        p_value_point=total - 1 - after,
        key=key,
        label=label,
        limits=_limits(whole or content),
    )


def _with_gaps(columns: list[float]) -> float:
    return sum(columns) + _GAP * len(columns)


def _signs(content: ForestContent) -> list[Sign]:
    signs = [
        Sign(meaning=f"identified ({content.correction}, {level_text(content.alpha)})", marker="o"),
        Sign(meaning="not identified", marker="o", filled=False),
    ]
    if any(row.mark == "other sign" for row in content.rows):
        signs.append(Sign(meaning=rf"adj. $p \leq$ {level_text(content.alpha)}, other sign", marker="x"))
    if content.level is not None:
        unadjusted = ", unadjusted" if len(content.rows) > 1 else ""
        signs.append(Sign(meaning=f"{percent_text(content.level)} interval{unadjusted}", line="-", colour=GREY))
    return signs


def _axis_label(content: ForestContent, total: float) -> list[str]:
    def measure(text: str) -> float:
        return text_width(text, typography().text)

    unit = {"": "", "standard errors": "(in standard errors)", "units of each dataset": "(units of each dataset)"}
    half = 0.5 * total - 10
    a, b = (shortened(name, half, typography().text) for name in (content.system_a, content.system_b))
    order = {"A − B": f"{a} − {b}", "B − A": f"{b} − {a}", "": ""}[content.subtraction]
    parts = [
        shortened(content.quantity, total - 8, typography().text),
        unit.get(content.unit, f"({content.unit})"),
        order,
    ]
    lines = filled(parts[:2], total - 4, measure)
    if order:
        lines = filled([*lines[:-1], lines[-1] + ",", order], total - 4, measure)
    return lines


def _limits(content: ForestContent) -> tuple[float, float]:
    ends = [end for row in content.rows for end in (row.difference, row.low, row.high) if end is not None]
    low, high = min(0.0, *ends), max(0.0, *ends)
    if low == high:
        return -1.0, 1.0
    pad = 0.06 * (high - low)
    return low - pad, high + pad
