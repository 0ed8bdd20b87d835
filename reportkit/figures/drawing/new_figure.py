"""An empty figure to draw on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of a size in points, outside pyplot."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from reportkit.figures.drawing.shown import ShownFigure

    figure = ShownFigure(figsize=(width / 72, height / 72))
    FigureCanvasAgg(figure)
    return figure
