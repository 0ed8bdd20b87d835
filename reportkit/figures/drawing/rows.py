"""One row for each dataset: how high, in which type, in how many panels, and how its name is broken."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportkit.figures.drawing.lettering import all_shortened, text_width, wrapped
from reportkit.figures.drawing.typography import LEAST_SIZE, typography

BETWEEN_PANELS = 12.0
LEAST_AXIS_SHARE = 0.34
"""Share of the width that the axis keeps."""
HEAD_GAP = 6.0
"""Between the heads of the columns of figures and the first row."""
MOST_ROWS_IN_A_COLUMN = 70
"""With more, a figure takes the width of the text."""

_ROW, _TWO_LINE_ROW = 11.5, 18.5
_SIZE_PER_ROW = 0.92  # largest type size for the height of a row
_NAMES_SHARE = 0.38
_LEAST_PANEL = 150.0


def many_rows(content: Any) -> bool:
    """Whether the rows of a content do not fit a column."""
    return len(content.rows) > MOST_ROWS_IN_A_COLUMN


def parts_of(n_rows: int, total: float) -> list[slice]:
    """Which rows stand in which panel: one panel if the type stays legible, else as many as the width allows.

    Examples
    --------
    >>> parts_of(20, 218.0)
    [slice(0, 20, None)]
    >>> len(parts_of(100, 453.0)), len(parts_of(100, 218.0))
    (2, 1)
    """
    above_and_below = 6 * typography().line + typography().ticks + typography().small
    most = int((typography().page_height - above_and_below) * _SIZE_PER_ROW / LEAST_SIZE)
    number = min(-(-n_rows // most), max(1, int(total / _LEAST_PANEL)))
    each = -(-n_rows // number)
    return [slice(start, min(start + each, n_rows)) for start in range(0, n_rows, each)]


def row_names(given: Sequence[str], total: float, room: float) -> tuple[float, float, list[list[str]]]:
    """Height of a row, type size, and the lines of each name: at most 38% of the width, and two lines.

    Parameters
    ----------
    given : sequence of str
        Names from top to bottom.
    total : float
        Width of the panel in points.
    room : float
        Height that all rows may have together.
    """
    row = min(_ROW * typography().scale, room / len(given))
    two_lines = _TWO_LINE_ROW * typography().scale
    size = min(typography().text, _SIZE_PER_ROW * row)
    widest = _NAMES_SHARE * total
    if max(text_width(name, size) for name in given) > widest and len(given) * two_lines <= 0.5 * room:
        return two_lines, size, [wrapped(name, widest, size, lines=2) for name in given]
    return row, size, [[name] for name in all_shortened(given, widest, size)]


def around_point(texts: Sequence[str], size: float) -> tuple[float, float]:
    """Room before and behind the decimal points of a column."""
    heads = [text.partition(".")[0] for text in texts]
    tails = [text.removeprefix(head) for text, head in zip(texts, heads, strict=True)]
    return max(text_width(head, size) for head in heads), max(text_width(tail, size) for tail in tails)
