"""Find coarse lattices on which values almost are: 0/1 scores with noise, one outlier among small differences."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from reportkit.null_distributions.lattices.lattice import find_lattice
from reportkit.null_distributions.step_sums import Floats

_BINS = 1 << 14
_FAR = 8.0  # times the 90th percentile of the distances from the median
_FINEST = 256  # steps of the lattice up to the largest value
_COHERENCE = 0.5  # what the characteristic function of one step has to come back to


@dataclass(frozen=True, slots=True)
class NearLattice:
    """values = offset + step * multiples + residuals.

    Parameters
    ----------
    step, offset : float
        The lattice.
    multiples : (n,) float array
        Whole numbers.
    residuals : (n,) array
        What is left.
    """

    step: float
    offset: float
    multiples: Floats
    residuals: Floats

    def of(self, values: Floats, shift: float) -> NearLattice:
        """The same lattice, moved by `shift`, for other values."""
        offset = self.offset + shift
        multiples = np.rint((values - offset) / self.step)
        return NearLattice(self.step, offset, multiples, values - offset - self.step * multiples)

    def is_like(self, other: NearLattice) -> bool:
        """Whether the two lattices are the same up to rounding."""
        same = abs(self.step - other.step) <= 1e-12 * self.step and abs(self.offset - other.offset) <= 1e-12 * self.step
        return same and np.array_equal(self.multiples, other.multiples)


def near_lattices(values: Floats, *, through_zero: bool) -> list[NearLattice]:
    """Coarse lattices on which many of the values almost are, the most coherent first.

    Parameters
    ----------
    values : (n,) array
        Numbers; non-negative if `through_zero`.
    through_zero : bool
        Whether 0 has to be a point of the lattice.

    Returns
    -------
    list of NearLattice
        At most four: the one at which the characteristic function of a single value rises again, two with the full
        range as their step, the second of which contains the extreme values exactly, and the one of all values but
        outliers.
    """
    lowest = 0.0 if through_zero else float(values.min())
    span = float(values.max()) - lowest
    if not span > 0.0:
        return []
    width = span / (_BINS // 8)
    binned = np.bincount(np.rint((values - lowest) / width).astype(np.intp), minlength=_BINS)[:_BINS]
    transform = np.fft.rfft(binned) / values.size
    coherence = transform.real if through_zero else np.abs(transform)
    unit = 2.0 * math.pi / (_BINS * width)  # distance of two points of the transform
    first, last = round(0.85 * 2.0 * math.pi / (span * unit)), round(1.05 * _FINEST * 2.0 * math.pi / (span * unit))
    window = coherence[first : last + 1]
    steps = [span]
    high = np.flatnonzero(window >= max(_COHERENCE, 0.9 * float(window.max(initial=0.0))))
    if high.size:
        end = int(high[0])
        while end + 1 < window.size and window[end + 1] > window[end]:
            end += 1
        steps.insert(0, 2.0 * math.pi / (unit * (first + end)))
    found = [_fitted(values, lowest, step, through_zero=through_zero) for step in steps]
    found += [
        NearLattice(span, lowest, np.empty(0), np.empty(0)).of(values, 0.0),
        *_without_outliers(values, through_zero=through_zero),
    ]
    return [near for place, near in enumerate(found) if not any(near.is_like(other) for other in found[:place])]


def _without_outliers(values: Floats, *, through_zero: bool) -> list[NearLattice]:
    """The exact lattice of the values that are not far from the others, if there is one."""
    distances = np.abs(values - np.median(values))
    usual = values[distances <= _FAR * float(np.quantile(distances, 0.9))]
    if usual.size == values.size:
        return []
    offset = 0.0 if through_zero else float(usual.min())
    lattice = find_lattice(usual - offset)
    return [] if lattice is None else [NearLattice(lattice.step, offset, np.empty(0), np.empty(0)).of(values, 0.0)]


def _fitted(values: Floats, lowest: float, step: float, *, through_zero: bool) -> NearLattice:
    """Least squares for step and offset, values far from the lattice left out."""
    offset = lowest
    if not through_zero:
        turned = np.exp((2j * math.pi / step) * (values - lowest)).sum()
        offset += step * math.atan2(turned.imag, turned.real) / (2.0 * math.pi)
    multiples = np.rint((values - offset) / step)
    for _ in range(4):
        residuals = values - offset - step * multiples
        near = np.abs(residuals) <= max(2.0 * float(np.median(np.abs(residuals))), 1e-9 * step)
        k, v = multiples[near], values[near]
        if through_zero:
            if not k.any():
                break
            step = float((k * v).sum() / np.square(k).sum())
        else:
            centred = k - k.mean()
            if not centred.any():
                break
            step = float((centred * v).sum() / np.square(centred).sum())
            offset = float(v.mean() - step * k.mean())
        multiples = np.rint((values - offset) / step)
    return NearLattice(step, offset, multiples, values - offset - step * multiples)
