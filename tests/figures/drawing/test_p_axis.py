"""The axis of p-values: everything that can be told apart is at its place, the rest in a band, no labels touch."""

from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from reportkit.figures.drawing.p_axis import HIGHEST, p_axis

P = st.floats(-300, 0).map(lambda exponent: 10.0**exponent)


@given(st.lists(P, min_size=1, max_size=30), st.lists(st.floats(1e-5, 0.2), min_size=1, max_size=3), st.floats(60, 400))
def test_places(p_values: list[float], levels: list[float], width: float) -> None:
    """All p-values and levels are on the axis; the order is kept; only those below the floor are moved."""
    axis = p_axis(p_values, levels)
    for p in p_values:
        assert axis.lowest < axis.placed(p) < HIGHEST
        assert axis.placed(p) == p or p < axis.floor
    assert min(levels) > max(axis.floor, axis.lowest)
    placed = [axis.placed(p) for p in sorted(p_values)]
    assert placed == sorted(placed)
    assert math.log10(HIGHEST / axis.lowest) < 14


@given(st.lists(P, min_size=1, max_size=30), st.floats(60, 400))
def test_ticks_stand_apart_and_on_the_axis(p_values: list[float], width: float) -> None:
    """At least two labels, 1 among them, each at least 22 points from the next."""
    axis = p_axis(p_values, [0.05])
    ticks = axis.ticks_within(width)
    places = sorted(width * math.log10(place / axis.lowest) / math.log10(HIGHEST / axis.lowest) for place, _ in ticks)
    assert "1" in [text for _, text in ticks]
    assert all(0 <= place <= width for place in places)
    assert all(after - before >= 22 - 1e-9 for before, after in pairwise(places))
    assert ("<" in ticks[-1][1]) == (min(p_values) < axis.floor)


def test_labels_are_those_of_their_places() -> None:
    """Tick labels are p-values as they are printed, powers of ten where they are small."""
    labels = dict(p_axis([1e-5, 0.5], [0.05]).ticks_within(400))
    assert labels == {
        1.0: "1",
        0.1: ".1",
        0.01: ".01",
        0.001: ".001",
        1e-4: "$10^{-4}$",
        1e-5: "$10^{-5}$",
        1e-6: "$10^{-6}$",
    }
