"""Which swaps make the difference of two ratios at least as large as observed, in whole numbers.

With U and V the sums of both systems together, which no swap changes, and X and Y the differences of A's sums and B's,
the ratios are (U + X) / (V + Y) and (U - X) / (V - Y), and

    difference >= delta   exactly if   2 (V X - U Y) >= delta (V^2 - Y^2)   for |Y| < V :

for each Y a threshold on X, a parabola in Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.step_sums import Floats
from reportkit.null_distributions.swap_walks.swap_walk import Integers, SwapWalk


@dataclass(frozen=True, slots=True)
class RatioBoundary:
    """The set of (X, Y) whose difference of ratios is at least delta.

    Parameters
    ----------
    numerator, denominator : int
        Sums of both systems together; the denominator is positive.
    delta : Fraction
        Observed difference, at least 0.
    undefined : Fraction
        Value of a ratio with the denominator 0.
    """

    numerator: int
    denominator: int
    delta: Fraction
    undefined: Fraction

    @classmethod
    def observed(cls, a: tuple[int, int], b: tuple[int, int], undefined: Fraction) -> RatioBoundary:
        """Take the sums (numerator, denominator) of A and of B."""
        values = [Fraction(u, v) if v else undefined for u, v in (a, b)]
        return cls(a[0] + b[0], a[1] + b[1], values[0] - values[1], undefined)

    def threshold(self, y: int) -> Fraction:
        """Smallest X in the set, as a fraction."""
        u, v = self.numerator, self.denominator
        if y == v:  # B has no denominator left
            return 2 * v * (self.delta + self.undefined) - u
        if y == -v:
            return u - 2 * v * (self.undefined - self.delta)
        numerator, denominator = self.delta.numerator, self.delta.denominator
        return Fraction(numerator * (v * v - y * y) + 2 * denominator * u * y, 2 * denominator * v)

    def most_turned(self, walk: SwapWalk, l: Integers) -> tuple[Integers, NDArray[np.bool_]]:  # noqa: E741
        """For each L, the largest J that is still in the set, and whether it lies on its boundary: a tie."""
        (highest_x, highest_y), u, v = walk.highest, self.numerator, self.denominator
        numerator, denominator = self.delta.numerator, self.delta.denominator
        divisor = 4 * denominator * v * walk.step_x
        most, ties = [], []
        for turned in l.tolist():
            y = highest_y - 2 * walk.step_y * turned
            if abs(y) == v:
                slack = (highest_x - self.threshold(y)) / (2 * walk.step_x)
                whole, tie = slack.numerator // slack.denominator, slack.denominator == 1
            else:
                room = 2 * denominator * (v * highest_x - u * y) - numerator * (v * v - y * y)
                whole, rest = divmod(room, divisor)
                tie = rest == 0
            most.append(whole)
            ties.append(tie)
        return np.array(most, dtype=np.int64), np.array(ties, dtype=np.bool_)

    def tangent(self, y: float) -> tuple[float, float]:
        """Threshold on X at Y, and its slope."""
        u, v, delta = float(self.numerator), float(self.denominator), float(self.delta)
        return (u * y + 0.5 * delta * (v * v - y * y)) / v, (u - delta * y) / v

    @property
    def bend(self) -> float:
        """How far the threshold falls below its tangent at a distance of 1 in Y; with the square of the distance."""
        return 0.5 * float(self.delta) / self.denominator


def saddle_tilt(walk: SwapWalk, boundary: RatioBoundary) -> tuple[tuple[float, float], float]:
    """Tilt that moves the mean of the walk to the most probable point of the boundary.

    Returns
    -------
    theta : tuple of float
        Normal to the boundary; its first entry is at least 0.
    y : float
        Where the boundary is touched.
    """
    theta, y = (0.0, 0.0), 0.0
    for _ in range(_ROUNDS):
        x, slope = boundary.tangent(y)
        strength = _strength(walk, slope, x - slope * y)
        theta = (strength, -strength * slope)
        following = walk.tilted(theta).point()[1]
        if abs(following - y) <= 1e-6 * (1.0 + abs(y)):
            break
        y = following
    return theta, y


_ROUNDS = 40


def _strength(walk: SwapWalk, slope: float, target: float) -> float:
    """Solve E[X - slope Y] = target under the tilt strength (1, -slope); where it is out of reach, near its largest."""
    steps: Floats = np.abs(walk.step_x * walk.j - slope * walk.step_y * walk.l)
    counts = walk.multiplicities
    moving = steps > 1e-9 * float(steps.max())
    steps, counts = steps[moving], counts[moving]
    if target <= 0.0 or not steps.size:
        return 0.0
    target = min(target, float((counts * steps).sum()) - float(steps.min()))
    strength = 0.0
    for _ in range(200):  # the mean is concave in the strength, so that Newton's steps never go too far
        tanh = np.tanh(strength * steps)
        missing = target - float((counts * steps * tanh).sum())
        rise = float((counts * steps**2 * (1.0 - tanh**2)).sum())
        if missing <= 1e-9 * target or rise <= 0.0:
            break
        strength += missing / rise
    return strength
