"""Which places of a tilted walk matter, and how little lies outside of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reportkit.null_distributions.step_sums import Floats
from reportkit.null_distributions.swap_walks.swap_walk import TiltedWalk

_OUTSIDE = 1e-17
_WIDEST = 1 << 18
_HUGE = 600.0


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Places of one of the two sums that are kept, and what lies outside.

    Parameters
    ----------
    first, last : int
        Bounds, inclusive.
    size : int
        A power of two that holds them: the length of the transform.
    outside : float
        Bound on the tilted probability of all other places.
    weighted : float
        The same, each place weighted with the largest weight it can have.
    """

    first: int
    last: int
    size: int
    outside: float
    weighted: float


def window_of(tilted: TiltedWalk, axis: int, growth: Callable[[Floats], Floats] | None = None) -> Window | None:
    """Fewest places around the mean outside of which hardly anything is left, by Chernoff's bound.

    Parameters
    ----------
    tilted : TiltedWalk
        The walk.
    axis : {0, 1}
        J or L.
    growth : callable, optional
        From places to the logarithm of the largest weight that each can have.

    Returns
    -------
    Window or None
        None if the walk reaches too far.
    """
    walk = tilted.walk
    steps = (walk.j, walk.l)[axis]
    lowest, highest = walk.extents()[axis]
    if highest - lowest > _WIDEST:
        return None
    mean = tilted.mean()[axis]
    places = np.arange(lowest, highest + 1)
    distances = np.abs(places - mean)
    above = places > mean
    log_bound = np.zeros(places.size)
    log_bound[above] = tilted.tail_bound(steps, distances[above])
    log_bound[~above] = tilted.tail_bound(-steps, distances[~above])
    bound = np.exp(log_bound)
    weighted = bound if growth is None else np.exp(np.minimum(log_bound + growth(places.astype(np.float64)), _HUGE))
    below, beyond = np.cumsum(weighted), np.cumsum(weighted[::-1])
    first = int(np.searchsorted(below, _OUTSIDE, side="right"))
    last = places.size - 1 - int(np.searchsorted(beyond, _OUTSIDE, side="right"))
    if first > last:
        first = last = round(mean) - lowest
    outside = np.ones(places.size, dtype=np.bool_)
    outside[first : last + 1] = False
    return Window(
        first=lowest + first,
        last=lowest + last,
        size=1 << (last - first).bit_length(),
        outside=float(bound[outside].sum()),
        weighted=float(weighted[outside].sum()),
    )
