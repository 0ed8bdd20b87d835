"""Quadrature over panels: tanh-sinh nodes at the two ends, Gauss-Legendre nodes between."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]

_GAUSS_NODES = 20
_STEP = 0.09
_REACH = 4.2
"""exp(-pi sinh(4.2)) = 1e-45: the weights beyond do not count, singularities such as x^(-1/2) included."""


def integrate_over_panels(
    integrand: Callable[[Values, Values], Values], low: float, high: float, breaks: Iterable[float]
) -> float:
    """Integrate a function over [low, high] within [0, 1], given the places where it changes quickly.

    Parameters
    ----------
    integrand : callable
        Takes x and 1 - x, both shape (n,) and without rounding error near 0; values shape (n,). Smooth inside; powers
        with an exponent above -1 are allowed at `low` and `high`.
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
    >>> round(integrate_over_panels(lambda x, y: 1 / np.sqrt(x * y), 0.0, 1.0, [0.5]), 12)  # pi
    3.14159265359
    """
    if not low < high:
        return 0.0
    inner = sorted({float(point) for point in breaks if low < point < high})
    if not inner:
        inner = [0.5 * (low + high)]
    x, y, weights = _nodes(np.array([low, *inner, high]))
    return float(weights @ integrand(x, y))


def spread(centre: float, scale: float) -> list[float]:
    """Ends of panels for a peak with a centre and a standard deviation.

    Examples
    --------
    >>> spread(0.5, 0.01)[:3]
    [0.1, 0.38, 0.43]
    """
    return [centre + k * scale for k in (-40.0, -12.0, -7.0, -4.0, -2.0, 0.0, 2.0, 4.0, 7.0, 12.0, 40.0)]


def _nodes(edges: Values) -> tuple[Values, Values, Values]:
    """Nodes x, 1 - x and weights."""
    unit, weight = _gauss()
    starts, widths = edges[1:-2, None], np.diff(edges)[1:-1, None]
    x = (starts + widths * unit).ravel()
    weights = (widths * weight).ravel()
    share, rest, end_weight = _tanh_sinh()
    first, last = edges[1] - edges[0], edges[-1] - edges[-2]
    all_x = np.concatenate([edges[0] + first * share, x, edges[-2] + last * share])
    all_y = np.concatenate([1.0 - edges[1] + first * rest, 1.0 - x, (1.0 - edges[-1]) + last * rest])
    return all_x, all_y, np.concatenate([first * end_weight, weights, last * end_weight])


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
