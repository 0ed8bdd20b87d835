"""A figure that a notebook shows by itself: no pyplot, no backend, no settings of the user."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from reportkit.figures.drawing.save import as_drawn, figure_bytes

_ENLARGED = 1.5  # figures for a column of a paper are small on a screen
_PER_INCH = 96  # of a browser
_SHARP = 2  # for screens with more than one dot per pixel


class ShownFigure(Figure):
    """A matplotlib figure with a picture of its own for notebooks.

    Attributes
    ----------
    alt_text : str
        What a reader who cannot see it needs to know; stands beside the picture in what is exported.
    """

    alt_text: str = ""

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure as matplotlib does, but as it was drawn, whatever the settings of the user are.

        Parameters
        ----------
        fname : str, path or binary file
            Where to.
        **options
            As of matplotlib's `Figure.savefig`; 300 dots per inch unless `dpi` is given.
        """
        with as_drawn(self):
            super().savefig(fname, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, Any]]:
        width, height = (round(side * _PER_INCH * _ENLARGED) for side in self.get_size_inches())
        image = figure_bytes(self, "png", dpi=round(_PER_INCH * _ENLARGED * _SHARP))
        return image, {"width": width, "height": height, **({"alt": self.alt_text} if self.alt_text else {})}
