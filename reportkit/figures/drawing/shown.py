"""A figure that a notebook shows by itself: no pyplot, no backend, no settings of the user."""

from __future__ import annotations

from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from reportkit.figures.drawing.save import as_drawn, figure_bytes

_ENLARGED, _PER_INCH, _SHARP = 1.5, 96, 2
"""Enlargement on a screen, where a column is small; pixels of a browser per inch; device pixels for each of these."""


class ShownFigure(Figure):
    """A matplotlib figure with a picture of its own for notebooks, saved as it was drawn.

    Attributes
    ----------
    alt_text : str
        Text for a reader who cannot see the picture; exports place it next to the picture.
    """

    alt_text: str = ""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        FigureCanvasAgg(self)

    def savefig(self, fname: Any, **options: Any) -> None:
        """Write the figure as matplotlib does, but as it was drawn, whatever the settings of the user are.

        Parameters
        ----------
        fname : str, path or binary file
            Where to.
        dpi : float or "figure", optional
            Dots per inch of a PNG, 300 if not given.
        format : str, optional
            "pdf", "png", "svg", ...; by the ending of `fname`, if not given.
        metadata : dict, optional
            What the file says of itself, by key.
        bbox_inches : "tight" or matplotlib.transforms.Bbox, optional
            The part to write.
        pad_inches : float or "layout", optional
            Margin around it, where it is "tight".
        bbox_extra_artists : list of matplotlib.artist.Artist, optional
            What a tight box must hold.
        facecolor, edgecolor : colour, optional
            Of the figure.
        transparent : bool, optional
            Whether to leave the background out.
        backend : str, optional
            The backend of matplotlib that writes.
        orientation : {"portrait", "landscape"}, optional
            Orientation of a page of PostScript.
        pil_kwargs : dict, optional
            For Pillow, which writes PNG, JPEG and TIFF.
        """
        with as_drawn(self):
            super().savefig(fname, **options)

    def _repr_png_(self) -> tuple[bytes, dict[str, Any]]:
        width, height = (round(side * _PER_INCH * _ENLARGED) for side in self.get_size_inches())
        image = figure_bytes(self, "png", dpi=round(_PER_INCH * _ENLARGED * _SHARP))
        return image, {"width": width, "height": height, **({"alt": self.alt_text} if self.alt_text else {})}
