"""The nodes of the contour around the saddlepoint, summed over weighted points, row by row."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.compressed.points import Points
from reportkit.null_distributions.step_sums import Complexes, Floats, flip_characteristics

_BLOCK = 1 << 15  # points times nodes worked on at once, so that they stay in the cache


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


def pole(z: NDArray[np.complexfloating], step: Floats | float) -> Complexes:
    """By what phi is multiplied at z = theta + i y; on a lattice the sum of a geometric series."""
    safe = np.where(step > 0.0, step, 1.0)
    return np.where(step > 0.0, -safe / np.expm1(-safe * z), 1.0 / z)


def main_lobe(points: Points, contour: Contour, last: Floats) -> LobeSums:
    """Sum the nodes 0, ..., `last` of each row and their mirror images."""
    sums = LobeSums(*(np.zeros(contour.theta.size) for _ in range(4)))
    counts = last.astype(np.intp) + 1
    order = np.argsort(counts, kind="stable")  # rows with as many nodes next to each other
    at_once = max(_BLOCK // (points.values.shape[1] * int(counts.max(initial=1))), 1)
    for first in range(0, counts.size, at_once):
        part = order[first : first + at_once]
        some = Contour(*(each[part] for each in contour))
        for whole, own in zip(sums, _summed(points.some(part), some, counts[part]), strict=True):
            whole[part] = own
    return sums


def _summed(points: Points, contour: Contour, counts: NDArray[np.intp]) -> LobeSums:
    """The same of a few rows, with so many nodes each."""
    row = np.repeat(np.arange(counts.size), counts)
    node = np.arange(row.size) - np.repeat(np.cumsum(counts) - counts, counts)
    y = node * contour.spacing[row]
    if points.is_all:
        slack = points.values.sum(axis=1) - points.excess
        steps, count = 2.0 * points.values, int(counts.max())
        phi = flip_characteristics(steps, slack, contour.theta, contour.spacing, count)[row, node]
        modulus = np.abs(phi)
    else:
        phi, modulus = _characteristic(points, contour, row, y)
    z = contour.theta[row] + 1j * y
    poles = pole(z, contour.step[row])
    times = np.where(node == 0, 1.0, 2.0)
    terms = ((phi * poles).real, modulus * np.abs(poles), modulus, phi.real)
    return LobeSums(*(np.bincount(row, times * each, counts.size).astype(np.float64, copy=False) for each in terms))


def _characteristic(points: Points, contour: Contour, row: NDArray[np.intp], y: Floats) -> tuple[Complexes, Floats]:
    """Phi and its modulus at some places, each of one of the rows."""
    tilted = contour.theta[:, None] * points.values
    tanh = np.tanh(tilted)
    sech = 1.0 - np.square(tanh)
    angles = y[:, None] * points.values[row]
    slope = np.tan(angles)
    sine = np.square(slope)
    sine /= 1.0 + sine  # of sine itself, squared
    # |cosh(u + iv)|^2 = cosh(u)^2 - sin(v)^2, and its angle is that of cos(v) (1 + i tanh(u) tan(v))
    sine *= -sech[row]
    log_modulus = np.log1p(sine, out=sine)
    log_modulus *= 0.5
    slope *= tanh[row]
    phase = np.arctan(slope, out=slope)
    angles /= math.pi
    phase += math.pi * np.rint(angles, out=angles)
    weights = points.weights[row]
    log_modulus *= weights
    phase *= weights
    modulus = np.exp(log_modulus.sum(axis=1))
    return modulus * np.exp(1j * (phase.sum(axis=1) - y * points.excess[row])), modulus
