"""What a kind of figure says about itself: one entry of the registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from reportkit.figures.drawing.host_colours import recolour
from reportkit.figures.drawing.new_figure import drawn_in, size_of
from reportkit.figures.drawing.style import Span, settle, style, width_in_points
from reportkit.figures.drawing.typography import typography_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reportkit.venues import Venue

Draw: TypeAlias = "Callable[[Any, float], Figure]"
"""Takes a content and a width in points, and draws within `style`."""

AltText: TypeAlias = Callable[[Any], str]
"""Takes a content and says in words what the figure shows."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """One kind of figure.

    Parameters
    ----------
    kind : str
        Name of the kind: "forest".
    content : type
        Frozen dataclass of plain values: numbers that are finite, strings, None, tuples and dataclasses of those.
    function : callable
        Takes the content and a width in points; returns a matplotlib figure.
    alt_text : callable
        Takes the content and says in words what the figure shows.
    wide : bool or callable
        Whether it is drawn as wide as the text and not as a column, always or as the content says.
    """

    kind: str
    content: type[Any]
    function: Draw
    alt_text: AltText
    wide: bool | Callable[[Any], bool] = False

    def span(self, content: Any) -> Span:
        """Width that suits a content."""
        wide = self.wide(content) if callable(self.wide) else self.wide
        return "text" if wide else "column"

    def draw(
        self, content: Any, *, width: float | Span | None = None, venue: str | Venue = "report", ax: Axes | None = None
    ) -> Figure:
        """Draw a content of this kind as wide as a venue's column or text, in the type that goes with it.

        Parameters
        ----------
        content : object
            Of the class `content`.
        width : float or {"column", "text"}, optional
            TeX points, or what the venue has; by default what suits the content.
        venue : str or Venue
            One of `reportkit.venues.VENUES`, or one with other widths.

        ax : matplotlib.axes.Axes, optional
            Where to draw, in a figure of your own: as wide as these axes, from their upper left corner, and in the
            colours of your style: black becomes `text.color`, white the face of your figure.

        Returns
        -------
        matplotlib.figure.Figure
            Outside pyplot, and the same for the same content; or the figure of the axes.

        Raises
        ------
        UnknownNameError
            If there is no such width or venue.
        SettingsError
            If a width is less than 100 or more than 2000 TeX points, or the axes are too low.
        """
        ink = "black"
        if ax is not None:
            import matplotlib

            width = size_of(ax)[0] * 72.27 / 72
            ink = matplotlib.rcParams["text.color"]
        total = width_in_points(self.span(content) if width is None else width, venue)
        with style(typography_of(venue)), drawn_in(ax):
            figure = self.function(content, total)
            settle(figure)
        if ax is None:
            return figure
        host = cast("Figure", ax.get_figure(root=True))
        recolour([*figure.axes, *figure.lettering], ink, host.get_facecolor())  # type: ignore[attr-defined] # a place
        return host
