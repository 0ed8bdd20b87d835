"""A figure in a notebook."""

from __future__ import annotations

import struct

from reportkit.figures.drawing.new_figure import new_figure
from tests.conftest import needed


def test_a_notebook_is_given_a_picture() -> None:
    """Sharp, and one and a half times as large as in the paper."""
    image, sizes = new_figure(219.0, 100.0)._repr_png_()
    assert sizes == {"width": 438, "height": 200}
    assert struct.unpack(">II", image[16:24]) == (876, 400)


def test_a_display_of_ipython_shows_it() -> None:
    """By the protocol that notebooks use, with the size beside."""
    formatters = needed("IPython.core.formatters", "notebook")
    content, sizes = formatters.DisplayFormatter().format(new_figure(219.0, 100.0), include=["image/png"])
    assert content["image/png"]
    assert sizes["image/png"] == {"width": 438, "height": 200}
