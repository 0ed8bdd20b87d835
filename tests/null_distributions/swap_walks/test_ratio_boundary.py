"""The parabola that tells the tail from the rest, in whole numbers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.null_distributions.swap_walks.ratio_boundary import RatioBoundary, saddle_tilt
from reportkit.null_distributions.swap_walks.swap_walk import SwapWalk

sums = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted).map(tuple)


@given(sums, sums, st.integers(-30, 30), st.integers(-30, 30), st.sampled_from([Fraction(0), Fraction(1, 2)]))
def test_the_threshold_tells_the_larger_differences(a, b, x, y, undefined):
    """X is at or above the threshold of Y exactly if the difference of the ratios is at least the observed one."""
    u, v = a[0] + b[0], a[1] + b[1]
    if v == 0 or abs(y) > v:
        return
    boundary = RatioBoundary.observed(a, b, undefined)
    ratios = [Fraction(top, bottom) if bottom else undefined for top, bottom in ((u + x, v + y), (u - x, v - y))]
    assert (x >= boundary.threshold(y)) == (ratios[0] - ratios[1] >= boundary.delta)


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=1, max_size=6), sums, sums)
def test_the_last_place_of_each_row(differences, a, b):
    """The largest J in the set: its X reaches the threshold, the next one's does not; a tie reaches it exactly."""
    walk = SwapWalk.of(*np.array(differences).T)
    if not walk.n_moving or a[1] + b[1] < walk.highest[1] or a[1] + b[1] == 0:
        return
    boundary = RatioBoundary.observed(max(a, b), min(a, b), Fraction(0))
    (_, _), (lowest, highest) = walk.extents()
    rows = np.arange(lowest, highest + 1)
    for row, most, tie in zip(rows.tolist(), *boundary.most_turned(walk, rows), strict=True):
        y = walk.highest[1] - 2 * walk.step_y * row
        if abs(y) > a[1] + b[1]:
            continue
        x = walk.highest[0] - 2 * walk.step_x * int(most)
        assert x >= boundary.threshold(y) > x - 2 * walk.step_x
        assert bool(tie) == (x == boundary.threshold(y))


def test_the_tilt_moves_the_mean_to_the_boundary():
    """The mean of the tilted walk lies on the parabola, and the tilt is at right angles to it."""
    rng = np.random.default_rng(4)
    walk = SwapWalk.of(rng.integers(-2, 4, 200), rng.integers(-3, 3, 200))
    boundary = RatioBoundary.observed((560, 900), (470, 910), Fraction(0))
    theta, y = saddle_tilt(walk, boundary)
    mean = walk.tilted(theta).point()
    threshold, slope = boundary.tangent(y)
    assert mean == pytest.approx((threshold, y), rel=1e-5, abs=1e-5)
    assert theta[1] == pytest.approx(-slope * theta[0])
    assert theta[0] > 0
