"""Cells of a table in even columns, so that its source can be read."""

from __future__ import annotations

from collections.abc import Sequence

from reportkit.rendering.text.escaping import columns_in_terminal

_WIDEST = 44


def padded(rows: Sequence[Sequence[str]], *, last: bool = False) -> list[list[str]]:
    """Fill cells with spaces to the width of their column; very long cells do not count.

    Parameters
    ----------
    rows : sequence of sequence of str
        All of the same length.
    last : bool
        Fill the last column, too.

    Examples
    --------
    >>> padded([["System", "n"], ["R&D", "872"]])
    [['System', 'n'], ['R&D   ', '872']]
    """
    lengths = [[columns_in_terminal(cell) for cell in column] for column in zip(*rows, strict=True)]
    widths = [max((length for length in column if length <= _WIDEST), default=0) for column in lengths]
    if widths and not last:
        widths[-1] = 0
    return [[_filled(cell, width) for cell, width in zip(row, widths, strict=True)] for row in rows]


def _filled(cell: str, width: int) -> str:
    return cell + " " * (width - columns_in_terminal(cell))
