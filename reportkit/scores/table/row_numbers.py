"""Where a row is: as the file or the frame counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from reportkit.language.counts_and_lists import counted, listed

LISTED = 5
"""How many rows, names or values a message lists."""

_HEADER_LINE = (".csv", ".tsv", ".txt", ".tab")
_NO_HEADER = (".jsonl", ".ndjson")


def rows_text(rows: Sequence[int] | NDArray[np.int64], source: str) -> str:
    """Name a few rows.

    Parameters
    ----------
    rows : sequence of int
        Positions, the first row of data being 0.
    source : str
        Name of the file, or "DataFrame"; "" where cells were laid out as rows, which then have no place of their own.
        The header of a file is line 1 (blank lines are not counted); in a frame, rows are positions for `iloc`.

    Examples
    --------
    >>> rows_text([0, 5], "results.csv.gz")
    'lines 2 and 7'
    >>> rows_text(range(9), "DataFrame")
    'rows 0, 1, 2, 3, 4 and 4 more (as iloc counts)'
    """
    if not source:
        return counted(len(rows), "cell")
    suffixes = [suffix.lower() for suffix in PurePath(source).suffixes]
    ending = next((suffix for suffix in reversed(suffixes) if suffix != ".gz"), "")
    if ending in _HEADER_LINE:
        word, first, note = "line", 2, ""
    elif ending in _NO_HEADER:
        word, first, note = "line", 1, ""
    elif ending:
        word, first, note = "row", 1, " (counted from 1)"
    else:
        word, first, note = "row", 0, " (as iloc counts)"
    numbers = [f"{int(row) + first}" for row in rows[:LISTED]]
    return word + ("s " if len(rows) > 1 else " ") + listed(numbers, total=len(rows)) + note


def names_text(names: Sequence[str]) -> str:
    """Quote a few names: `'a', 'b' and 3 more`."""
    return listed([quoted(name) for name in names[:LISTED]], total=len(names))


def quoted(name: object) -> str:
    """Quote a name, or a cell, as far as it is short enough for a message."""
    text = repr(name)
    return text if len(text) <= 70 else f"{text[:45]}...{text[-20:]}"


def counts_text(counts: Sequence[tuple[str, int]]) -> str:
    """Name a few counts: `'a' (12), 'b' (3) and 2 more`."""
    return listed([f"{quoted(name)} ({count:,})" for name, count in counts[:LISTED]], total=len(counts))


def share(number: int, total: int, one: str, many: str) -> str:
    """Say how many of how many: `1 of 4 scores is empty`, `2 of 4 scores are empty`.

    Examples
    --------
    >>> share(1, 4, "scores is", "scores are"), share(2, 4000, "scores is", "scores are")
    ('1 of 4 scores is', '2 of 4,000 scores are')
    """
    return f"{number:,} of {total:,} {one if number == 1 else many}"
