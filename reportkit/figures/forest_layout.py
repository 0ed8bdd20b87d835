"""Where everything in a forest plot goes, from the widths of names and figures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reportkit.figures.difference_scale import DifferenceScale
from reportkit.figures.key import LINE_HEIGHT, Sign, key_lines, line_width
from reportkit.figures.lettering import all_shortened, filled, shortened, text_width, wrapped
from reportkit.figures.style import PAGE_HEIGHT, SMALL_SIZE, TEXT_SIZE
from reportkit.numerals import level_text, p_value_text, percent_text
from reportkit.replicability.comparison import Comparison

TICK_LABELS = 12.0
"""Height of ticks and their labels."""

DIFFERENCE_HEAD, P_HEAD = "diff.", "adj. $p$"

_ROW, _TWO_LINE_ROW = 11.5, 18.5
_GAP = 7.0
_NAMES_SHARE = 0.38
_LEAST_AXIS_SHARE = 0.34
_HEAD = SMALL_SIZE + 6.0  # height of the heads of the columns of figures


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


def forest_layout(
    comparison: Comparison, scale: DifferenceScale, rows: list[int], alpha: float, total: float
) -> ForestLayout:
    """Share the width between names, axis and figures, and the height of a page between the rows.

    Parameters
    ----------
    comparison : Comparison
        What is drawn.
    scale : DifferenceScale
        Its differences as drawn.
    rows : list of int
        Indices of the datasets from top to bottom.
    alpha : float
        Level of Holm's procedure.
    total : float
        Width of the figure in points.

    Returns
    -------
    ForestLayout
        Names get at most 38% of the width and two lines, figures what they need as long as the axis keeps 34%; the
        differences, which the axis shows too, give way first.
    """
    n = len(rows)
    key = key_lines(_signs(comparison, scale, alpha), total - 2)
    label = _axis_label(comparison, scale, total)
    below = TICK_LABELS + LINE_HEIGHT * (1 + len(label)) + 3
    above = LINE_HEIGHT * len(key) + _HEAD
    row, size, names = _names([comparison.datasets[index] for index in rows], total, PAGE_HEIGHT - below - above)
    small = min(SMALL_SIZE, size)
    differences = [scale.texts[index] for index in rows]
    p_values = [p_value_text(float(comparison.adjusted_p_values[index])) for index in rows]
    before, after = _around_point(p_values, small)
    columns = [
        max(text_width(text, small) for text in [*differences, DIFFERENCE_HEAD]),
        max(before + after, text_width(P_HEAD, SMALL_SIZE, math=True)),
    ]
    left = 1 + max(text_width(line, size) for lines in names for line in lines) + _GAP
    while columns and total - 1 - left - _with_gaps(columns) < _LEAST_AXIS_SHARE * total:
        columns.pop(0)
    right = total - 1 - (_with_gaps(columns) if columns else 4.0)
    if columns and line_width(key[-1]) + _GAP <= right:
        above -= _HEAD - 3  # the heads share the last line of the key
    return ForestLayout(
        total=total,
        height=below + above + row * n,
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
        limits=_limits(scale),
    )


def _names(given: list[str], total: float, room: float) -> tuple[float, float, list[list[str]]]:
    """Height of a row, font size, and the lines of each name."""
    row = min(_ROW, room / len(given))
    size = min(TEXT_SIZE, 0.92 * row)
    widest = _NAMES_SHARE * total
    if max(text_width(name, size) for name in given) > widest and len(given) * _TWO_LINE_ROW <= 0.5 * room:
        return _TWO_LINE_ROW, size, [wrapped(name, widest, size, lines=2) for name in given]
    return row, size, [[name] for name in all_shortened(given, widest, size)]


def _with_gaps(columns: list[float]) -> float:
    return sum(columns) + _GAP * len(columns)


def _signs(comparison: Comparison, scale: DifferenceScale, alpha: float) -> list[Sign]:
    marked = comparison.marked(alpha)
    crossed = comparison.identified(alpha) & ~marked
    signs = [
        Sign(meaning=f"identified ({comparison.correction}, {level_text(alpha)})", marker="o"),
        Sign(meaning="not identified", marker="o", filled=False),
    ]
    if crossed.any():
        signs.append(Sign(meaning=rf"adj. $p \leq$ {level_text(alpha)}, other sign", marker="x"))
    if scale.level is not None:
        signs.append(Sign(meaning=f"{percent_text(scale.level)} interval", line="-"))
    return signs


def _axis_label(comparison: Comparison, scale: DifferenceScale, total: float) -> list[str]:
    def measure(text: str) -> float:
        return text_width(text, TEXT_SIZE)

    unit = {"": "", "standard errors": "(in standard errors)", "units of each dataset": "(units of each dataset)"}
    half = 0.5 * total - 10
    a, b = (shortened(name, half, TEXT_SIZE) for name in (comparison.system_a, comparison.system_b))
    order = {"A − B": f"{a} − {b}", "B − A": f"{b} − {a}", "": ""}[scale.order]
    parts = [shortened(scale.quantity, total - 8, TEXT_SIZE), unit.get(scale.unit, f"({scale.unit})"), order]
    lines = filled(parts[:2], total - 4, measure)
    if order:
        lines = filled([*lines[:-1], lines[-1] + ",", order], total - 4, measure)
    return lines


def _limits(scale: DifferenceScale) -> tuple[float, float]:
    drawn = np.concatenate([scale.differences, scale.low, scale.high, [0.0]])
    drawn = drawn[np.isfinite(drawn)]
    low, high = float(drawn.min()), float(drawn.max())
    if low == high:
        return -1.0, 1.0
    pad = 0.06 * (high - low)
    return low - pad, high + pad


def _around_point(texts: list[str], size: float) -> tuple[float, float]:
    """Room before and behind the decimal points of a column."""
    heads = [text.partition(".")[0] for text in texts]
    tails = [text.removeprefix(head) for text, head in zip(texts, heads, strict=True)]
    return max(text_width(head, size) for head in heads), max(text_width(tail, size) for tail in tails)
