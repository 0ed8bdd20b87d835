"""Markers that show whether the dataset of a row is identified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from reportkit.figures.drawing.axes import draw_markers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Mark = Literal["identified", "not identified", "other sign", "opposite"]
"""`other sign`: the adjusted p-value is small enough, but A is not ahead; `opposite`: B is identified as better."""

_LOOKS: tuple[tuple[Mark, str, bool], ...] = (
    ("identified", "o", True),
    ("not identified", "o", False),
    ("other sign", "x", True),
    ("opposite", "s", True),
)


def draw_marked(
    axes: Axes, values: Sequence[float], marks: Sequence[Mark], size: float, places: Sequence[int] | None = None
) -> None:
    """Draw the value of each row with its mark, at its place; by default the first at height 0."""
    heights = range(len(values)) if places is None else places
    for mark, marker, filled in _LOOKS:
        rows = [row for row, found in enumerate(marks) if found == mark]
        label = f"_{mark.replace(' ', '_')}"
        draw_markers(
            axes,
            [values[row] for row in rows],
            [heights[row] for row in rows],
            marker,
            size,
            filled=filled,
            label=label,
        )
