"""Quadrature over panels: tanh-sinh nodes at the two ends, Gauss-Legendre nodes between."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_GAUSS_NODES = 20
_GROWTH = 4.0
_NEAREST = 1e-9
"""No break is nearer to an end than this part of the range."""

_STEP = 0.09
_REACH = 4.2
"""exp(-pi sinh(4.2)) = 1e-45: the weights beyond do not count, singularities such as x^(-1/2) included."""


class Nodes(NamedTuple):
    """Points of [low, high] within [0, 1], shape (n,), with their distances from four places, without cancellation.

    Parameters
    ----------
    x, rest : ndarray
        Distances from 0 and from 1.
    from_low, to_high : ndarray
        Distances from `low` and from `high`.
    """

    x: Values
    rest: Values
    from_low: Values
    to_high: Values


def integrate_over_panels(
    integrand: Callable[[Nodes], Values], low: float, high: float, breaks: Iterable[float]
) -> float:
    """Integrate a function over [low, high] within [0, 1], given the places where it changes quickly.

    Parameters
    ----------
    integrand : callable
        Takes nodes, gives values of shape (n,). Smooth inside; powers with an exponent above -1 are allowed at `low`
        and `high`.
    low, high : float
        Ends, 0 <= low, high <= 1.
    breaks : iterable of float
        Ends of panels; those that are not inside are left out.

    Notes
    -----
    Tanh-sinh: Takahasi and Mori (1974), "Double exponential formulas for numerical integration". A panel between two
    breaks should be no wider than a few standard deviations of what is integrated.

    Examples
    --------
    >>> round(integrate_over_panels(lambda at: 1 / np.sqrt(at.x * at.rest), 0.0, 1.0, [0.5]), 12)  # pi
    3.14159265359
    """
    if not low < high:
        return 0.0
    least = _NEAREST * (high - low)
    inner = {float(point) for point in breaks if low + least < point < high - least} or {0.5 * (low + high)}
    from_low = {low + distance for distance in _graded(sorted(point - low for point in inner))}
    from_high = {high - distance for distance in _graded(sorted(high - point for point in inner))}
    nodes, weights = _nodes(np.array([low, *sorted(inner | from_low | from_high), high]))
    return float(weights @ integrand(nodes))


def _graded(distances: list[float]) -> list[float]:
    """Further breaks, by their distances from an end, so that no panel is more than three times its distance wide.

    Gauss-Legendre nodes would miss a singularity at the end otherwise.
    """
    added = []
    for here, there in pairwise(distances):
        while there > _GROWTH * here:
            here *= _GROWTH
            added.append(here)
    return added


def spread(centre: float, scale: float) -> list[float]:
    """Ends of panels for a peak with a centre and a standard deviation.

    Examples
    --------
    >>> spread(0.0, 1.0)[:3]
    [-40.0, -12.0, -7.0]
    """
    return [centre + k * scale for k in (-40.0, -12.0, -7.0, -4.0, -2.0, 0.0, 2.0, 4.0, 7.0, 12.0, 40.0)]


def _nodes(edges: Values) -> tuple[Nodes, Values]:
    unit, weight = _gauss()
    starts, widths = edges[1:-2, None], np.diff(edges)[1:-1, None]
    middle = (starts + widths * unit).ravel()
    share, rest, end_weight = _tanh_sinh()
    low, high = edges[0], edges[-1]
    first, last = edges[1] - low, high - edges[-2]
    from_low = np.concatenate([first * share, middle - low, (edges[-2] - low) + last * share])
    to_high = np.concatenate([(high - edges[1]) + first * rest, high - middle, last * rest])
    nodes = Nodes(x=low + from_low, rest=(1.0 - high) + to_high, from_low=from_low, to_high=to_high)
    return nodes, np.concatenate([first * end_weight, (widths * weight).ravel(), last * end_weight])


@cache
def _gauss() -> tuple[Values, Values]:
    nodes, weights = np.polynomial.legendre.leggauss(_GAUSS_NODES)
    return 0.5 * (nodes + 1.0), 0.5 * weights


@cache
def _tanh_sinh() -> tuple[Values, Values, Values]:
    """Nodes on (0, 1), their distances from 1, and weights."""
    steps = np.arange(-round(_REACH / _STEP), round(_REACH / _STEP) + 1) * _STEP
    u = math.pi * np.sinh(steps)
    share = 1.0 / (1.0 + np.exp(-u))
    rest = 1.0 / (1.0 + np.exp(u))
    return share, rest, _STEP * math.pi * np.cosh(steps) * share * rest
