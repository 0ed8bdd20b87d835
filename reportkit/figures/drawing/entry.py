"""Kinds of figures, drawn by themselves for a venue or into a figure of the user."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from reportkit.figures.drawing.key import Sign, draw_key, key_columns
from reportkit.figures.drawing.style import Span, style, width_in_points
from reportkit.figures.drawing.typography import typography, typography_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reportkit.venues import Venue

Draw: TypeAlias = "Callable[[Any, Sequence[Axes]], None]"
"""Takes a content and the axes of its panels, and draws within `style`."""


@dataclass(frozen=True, slots=True)
class Plot:
    """The room that a content needs.

    Parameters
    ----------
    height : float
        In points, without the key above.
    rows, columns : int
        Panels below each other, and side by side.
    """

    height: float
    rows: int = 1
    columns: int = 1


@dataclass(frozen=True, slots=True)
class Drawing:
    """One kind of figure.

    Parameters
    ----------
    kind : str
        Name of the kind: "forest".
    content : type
        Frozen dataclass of plain values: numbers that are finite, strings, None, tuples and dataclasses of those.
    plot : callable
        Takes the content and a width in points; returns how much room is needed.
    function : callable
        Takes the content and the axes of its panels, and draws.
    alt_text : callable
        Takes the content and says in words what the figure shows.
    signs : callable
        Takes the content; returns the signs of the key.
    wide : bool or callable
        Whether it is drawn as wide as the text and not as a column, always or as the content says.
    """

    kind: str
    content: type[Any]
    plot: Callable[[Any, float], Plot]
    function: Draw
    alt_text: Callable[[Any], str]
    signs: Callable[[Any], list[Sign]] = lambda _: []
    wide: bool | Callable[[Any], bool] = False

    def span(self, content: Any) -> Span:
        """Return the width that suits a content."""
        wide = self.wide(content) if callable(self.wide) else self.wide
        return "text" if wide else "column"

    def draw(
        self, content: Any, *, width: float | Span | None = None, venue: str | Venue = "report", ax: Axes | None = None
    ) -> Figure:
        """Draw a content of this kind as wide as a venue's column or text, in the type that goes with it.

        Parameters
        ----------
        content : object
            What is drawn, an object of the class `content`.
        width : float or {"column", "text"}, optional
            TeX points, or what the venue has; by default what suits the content.
        venue : str or Venue
            One of `reportkit.venues.VENUES`, or one with other widths.
        ax : matplotlib.axes.Axes, optional
            Where to draw, in a figure of your own and in its colours: black becomes `text.color`, white the face of
            your figure. Panels, if there are several, share the place of these axes.

        Returns
        -------
        matplotlib.figure.Figure
            Outside pyplot, and the same for the same content; or the figure of the axes.

        Raises
        ------
        UnknownNameError
            If there is no such width or venue.
        SettingsError
            If a width is less than 100 or more than 2000 TeX points.
        """
        type_ = typography_of(venue)
        if ax is not None:
            return self._draw_within(content, ax, venue)
        total = width_in_points(self.span(content) if width is None else width, venue)
        with style(type_):
            from matplotlib.layout_engine import ConstrainedLayoutEngine

            from reportkit.figures.drawing.shown import ShownFigure

            signs, plot = self.signs(content), self.plot(content, total)
            lines = -(-len(signs) // key_columns(signs, total)) if signs else 0
            above = lines * typography().line + 3.0 if lines else 0.0
            size = (total / 72, int(min(plot.height + above, type_.page_height) / 0.72) / 100)
            layout = ConstrainedLayoutEngine()  # a colour bar needs it from the start
            figure = ShownFigure(figsize=size, layout=layout)
            axes = list(figure.subplots(plot.rows, plot.columns, squeeze=False).flat)
            self.function(content, axes)
            draw_key(signs, total, figure=figure)
            layout.execute(figure)  # once, in this type: a figure's own engine runs at each saving
            figure.set_layout_engine(None)
            for panel in axes:
                _keep_on_page(panel, figure)
            for legend in figure.legends:  # keeps its place if more or less than the page is saved
                box = legend.get_window_extent().transformed(figure.transFigure.inverted())
                legend.set_bbox_to_anchor((0.0, 0.0, 1.0, 1.0), transform=figure.transFigure)
                legend.set_loc((box.x0, box.y0))
        return figure

    def _draw_within(self, content: Any, ax: Axes, venue: str | Venue) -> Figure:
        """Draw in place of the user's axes."""
        import matplotlib

        host = cast("Figure", ax.get_figure(root=True))
        total = 72 * float(ax.get_window_extent().width) / host.dpi
        ink = matplotlib.rcParams["text.color"]
        with style(typography_of(venue), ink, host.get_facecolor()):
            plot, axes = self.plot(content, total), [ax]
            if plot.rows * plot.columns > 1:
                ax.set_axis_off()
                across, along = 1 / plot.columns, 1 / plot.rows
                axes = [
                    ax.inset_axes((column * across, 1 - (row + 1) * along, 0.8 * across, 0.75 * along))
                    for row in range(plot.rows)
                    for column in range(plot.columns)
                ]
            self.function(content, axes)
            draw_key(self.signs(content), total, axes=ax)
        return host


def _keep_on_page(axes: Axes, figure: Figure) -> None:
    """Shift the label of an axis back onto the page if it is wider than the axis: the layout ignores its width."""
    box, page = axes.xaxis.label.get_window_extent(), figure.bbox
    over = max(0.0, box.x1 - page.x1 + 2.0) - max(0.0, page.x0 + 2.0 - box.x0)
    if over and axes.xaxis.label.get_text():
        axes.xaxis.label.set_x(0.5 - over / axes.bbox.width)
