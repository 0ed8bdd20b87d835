"""How a row shows whether its dataset is identified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from reportkit.figures.drawing.marks import draw_markers
from reportkit.replicability.comparison import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Mark = Literal["identified", "not identified", "other sign"]
"""`other sign`: the adjusted p-value is small enough, but the system is not ahead."""

_LOOKS: tuple[tuple[Mark, str, bool], ...] = (
    ("identified", "o", True),
    ("not identified", "o", False),
    ("other sign", "x", True),
)


def marks_of(comparison: Comparison, alpha: float) -> list[Mark]:
    """Mark of each dataset of a comparison at a level."""
    marked, identified = comparison.marked(alpha), comparison.identified(alpha)
    return [
        "identified" if shown else "other sign" if small else "not identified"
        for shown, small in zip(marked, identified, strict=True)
    ]


def draw_marked(axes: Axes, values: Sequence[float], marks: Sequence[Mark], size: float) -> None:
    """Draw the value of each row, the first at height 0, with its mark."""
    for mark, marker, filled in _LOOKS:
        rows = [row for row, found in enumerate(marks) if found == mark]
        label = f"_{mark.replace(' ', '_')}"
        draw_markers(axes, [values[row] for row in rows], rows, marker, size, filled=filled, label=label)
