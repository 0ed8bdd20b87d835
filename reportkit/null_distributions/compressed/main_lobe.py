"""The nodes of the contour around the saddlepoint, summed over weighted points, row by row."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from reportkit.null_distributions.compressed.points import Points
from reportkit.null_distributions.step_sums import Floats


class Contour(NamedTuple):
    """Of each row, what the contour is made of.

    Parameters
    ----------
    theta, spacing, period : (n_rows,) array
        Tilt, distance of nodes, and the period that belongs to it.
    step : (n_rows,) array
        Lattice step, or 0.
    ends, far : (n_rows,) array
        Last node of the main lobe, and where the gap behind it ends.
    total, second : (n_rows,) array
        Sums of the weights of the tilted steps, and of their squares with these weights.
    """

    theta: Floats
    spacing: Floats
    period: Floats
    step: Floats
    ends: Floats
    far: Floats
    total: Floats
    second: Floats


class LobeSums(NamedTuple):
    """Over the nodes of the main lobe: phi times the pole, the moduli of these terms and of phi, and phi."""

    value: Floats
    absolute: Floats
    modulus: Floats
    mass: Floats


def main_lobe(points: Points, contour: Contour, last: Floats) -> LobeSums:
    """Sum the nodes 0, ..., `last` of each row and their mirror images."""
    sums = LobeSums(*(np.zeros(contour.theta.size) for _ in range(4)))
    tilted = contour.theta[:, None] * points.values
    tanh = np.tanh(tilted)
    sech = 1.0 - np.square(tanh)
    for node in range(int(last.max()) + 1):
        here = np.flatnonzero(last >= node)
        y = node * contour.spacing[here]
        angles = y[:, None] * points.values[here]
        slope = np.tan(angles)
        sine = np.square(slope)
        sine /= 1.0 + sine  # of sine itself, squared
        # |cosh(u + iv)|^2 = cosh(u)^2 - sin(v)^2, and its angle is that of cos(v) (1 + i tanh(u) tan(v))
        log_modulus = 0.5 * np.log1p(-sine * sech[here])
        slope *= tanh[here]
        phase = np.arctan(slope) + math.pi * np.rint(angles / math.pi)
        weights = points.weights[here]
        modulus = np.exp((weights * log_modulus).sum(axis=1))
        angle = (weights * phase).sum(axis=1) - y * points.excess[here]
        phi = modulus * np.exp(1j * angle)
        z = contour.theta[here] + 1j * y
        step = contour.step[here]
        safe = np.where(step > 0.0, step, 1.0)
        pole = np.where(step > 0.0, -safe / np.expm1(-safe * z), 1.0 / z)
        times = 1.0 if node == 0 else 2.0
        sums.value[here] += times * (phi * pole).real
        sums.absolute[here] += times * modulus * np.abs(pole)
        sums.modulus[here] += times * modulus
        sums.mass[here] += times * phi.real
    return sums
