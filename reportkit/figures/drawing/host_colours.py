"""The colours of a user's figure, for what is drawn within its axes: ink and paper, and all greys between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from numpy.typing import NDArray


_COLOURS = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")


def recolour(artists: Iterable[Artist], ink: str, paper: Any) -> None:
    """Give black the colour of the user's text, white that of the user's figure, and each grey the mixture of these.

    Parameters
    ----------
    artists : iterable of Artist
        What was drawn, with everything that it holds.
    ink, paper : colour
        `text.color` of the user's style, and the face of the figure.
    """
    from matplotlib.colors import to_rgb

    ends = np.array([to_rgb(ink), to_rgb(paper)])
    if ends[0].max() == 0.0 and ends[1].min() == 1.0:
        return  # black on white, as it was drawn
    for artist in artists:
        for one in artist.findobj():
            if getattr(one, "get_array", lambda: None)() is None:  # else its colours come from numbers
                _recolour_one(one, ends)


def _recolour_one(one: Artist, ends: NDArray[np.float64]) -> None:
    from matplotlib.colors import to_rgba_array

    for name in _COLOURS:
        if not hasattr(one, f"get_{name}") or not hasattr(one, f"set_{name}"):
            continue
        given = getattr(one, f"get_{name}")()
        if isinstance(given, str) and given in ("none", "auto", "inherit"):
            continue
        colours = to_rgba_array(given)
        grey = np.ptp(colours[:, :3], axis=1) == 0.0
        share = colours[grey, :1]
        colours[grey, :3] = (1 - share) * ends[0] + share * ends[1]
        if grey.any():
            getattr(one, f"set_{name}")(colours if len(colours) > 1 else tuple(colours[0]))
