"""Forest plots of several claims on one axis: small multiples with one key and one caption."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportkit.figures.drawing.entry import Drawing
from reportkit.figures.drawing.key import draw_key, key_lines
from reportkit.figures.drawing.lettering import shortened
from reportkit.figures.drawing.marks import CAP_HEIGHT
from reportkit.figures.drawing.new_figure import new_figure
from reportkit.figures.drawing.style import write
from reportkit.figures.drawing.typography import typography
from reportkit.figures.forest import (
    axis_label,
    draw_axis,
    draw_points,
    forest_alt_text,
    layout_of,
    limits_of,
    signs_of,
    write_below,
)
from reportkit.figures.forest_content import ForestsContent

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_forests(content: ForestsContent, total: float) -> Figure:
    """Draw the forest plots of several claims below each other, on one axis; each claim is named above its rows."""
    first, rows = content.panels[0], content.rows
    key, label = (
        key_lines(list(dict.fromkeys(sign for one in content.panels for sign in signs_of(one))), total - 2),
        axis_label(first, total),
    )
    ends = [limits_of(panel) for panel in content.panels]
    limits = min(low for low, _ in ends), max(high for _, high in ends)
    below = typography().ticks + typography().line * (1 + len(label)) + 3
    layout = layout_of(rows, total, key, below, first.alpha)
    figure = new_figure(total, layout.height)
    axes = layout.axes(figure, 0, 0)
    draw_points(axes, rows, layout, limits)
    draw_axis(axes, layout, limits)
    layout.write_rows(figure, 0, 0)
    claims = iter(content.panels)
    for place, row in enumerate(rows):
        if row is None:
            panel = next(claims)
            middle = layout.bottom + layout.row * (len(rows) - place - 0.5)
            head = shortened(f"{panel.system_a} vs. {panel.system_b}", layout.left + layout.width, layout.size)
            write(figure, 1.0, middle - CAP_HEIGHT * layout.size, head, size=layout.size)
    write_below(figure, content, layout, limits, label, 0, 0)
    draw_key(figure, key, 1.0, layout.height)
    return figure


def forests_alt_text(content: ForestsContent) -> str:
    """Say in words what each of the forest plots shows."""
    return " ".join(map(forest_alt_text, content.panels))


FORESTS = Drawing("forests", ForestsContent, draw_forests, forests_alt_text)
