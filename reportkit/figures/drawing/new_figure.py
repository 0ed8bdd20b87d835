"""An empty figure to draw on: of its own, or a place within axes of the user."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, cast

from reportkit.errors import SettingsError

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    from matplotlib.transforms import Transform

_AXES: ContextVar[Axes | None] = ContextVar("axes", default=None)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of a size in points, outside pyplot; within the axes of `drawn_in`, if there are some.

    Raises
    ------
    SettingsError
        If those axes are too low.
    """
    axes = _AXES.get()
    if axes is not None:
        return cast("Figure", _Place(axes, width, height))  # which has what drawings use
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from reportkit.figures.drawing.shown import ShownFigure

    figure = ShownFigure(figsize=(width / 72, height / 72))
    FigureCanvasAgg(figure)
    return figure


@contextmanager
def drawn_in(axes: Axes | None) -> Iterator[None]:
    """Draw what is drawn meanwhile at the place of these axes, which themselves show nothing then."""
    token = _AXES.set(axes)
    try:
        yield
    finally:
        _AXES.reset(token)


def size_of(axes: Axes) -> tuple[float, float]:
    """Width and height of axes in points."""
    extent = axes.get_window_extent()
    dots = float(axes.get_figure(root=True).dpi)  # type: ignore[union-attr] # axes that are drawn on have one
    return 72 * float(extent.width) / dots, 72 * float(extent.height) / dots


class _Place:
    """The place of axes in the figure of a user, as the figure that a drawing is given: from the upper left corner."""

    def __init__(self, axes: Axes, width: float, height: float) -> None:
        from matplotlib.transforms import Bbox, BboxTransformTo, TransformedBbox

        room_across, room = size_of(axes)
        if height > room + 0.5:
            raise SettingsError(
                f"the axes are {room:.0f} points high, and the figure needs {height:.0f}",
                where="ax",
                remedy=f"make them higher by {height - room:.0f} points: plt.subplots(figsize=...)",
            )
        self.host: Any = axes.figure
        position = axes.get_position()
        self._across, self._up = position.width / room_across, position.height / room  # of the host, for one point
        self._left, self._bottom = position.x0, position.y1 - height * self._up
        self._size = width / 72, height / 72
        place = Bbox.from_bounds(self._left, self._bottom, width * self._across, height * self._up)
        self.transFigure: Transform = BboxTransformTo(TransformedBbox(place, self.host.transSubfigure))
        self.axes: list[Axes] = []
        self.lettering: list[Artist] = []
        axes.set_axis_off()

    def get_size_inches(self) -> tuple[float, float]:
        return self._size

    def add_axes(self, bounds: tuple[float, float, float, float], **options: Any) -> Axes:
        left, bottom, width, height = bounds
        across, up = 72 * self._size[0] * self._across, 72 * self._size[1] * self._up
        place = (self._left + left * across, self._bottom + bottom * up, width * across, height * up)
        added: Axes = self.host.add_axes(place, **options)
        self.axes.append(added)
        return added

    def text(self, *arguments: Any, **options: Any) -> Text:
        written = cast("Text", self.host.text(*arguments, **options))
        self.lettering.append(written)
        return written

    def add_artist(self, artist: Artist, **options: Any) -> Artist:
        added = cast("Artist", self.host.add_artist(artist, **options))
        self.lettering.append(added)
        return added
