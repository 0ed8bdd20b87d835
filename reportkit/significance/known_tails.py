"""Exact tails of many pairs of systems, computed at once and found by the test of each pair.

A test asks for its tail with `known_tail`. If `tails_ahead` was called before, for many pairs, the tail is there;
otherwise it is computed for the one pair by the same function on one row. No number of a row depends on the others, so
a pair has the same p-value, to the last bit, alone and among thousands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions import RowTail
from reportkit.null_distributions.nulls import Tails
from reportkit.scores.shapes.paired_scores import PairedScores, remembered_ahead
from reportkit.scores.shapes.sample import remembered

RowTails = Callable[[NDArray[np.float64]], Tails]
"""Exact tails of rows of differences: `flip_tails` or `draw_tails`."""


def known_tail(
    paired: PairedScores, name: str, of_rows: RowTails, values: Callable[[PairedScores], NDArray[np.float64]]
) -> RowTail:
    """Exact tail of one pair, computed now if it was not before.

    Parameters
    ----------
    paired : PairedScores
        A and B on one dataset.
    name : str
        Under which the tail is kept in `paired.known`.
    of_rows : callable
        Computes tails of rows.
    values : callable
        (paired) -> the row of a pair, in an order and a direction that do not depend on those of the scores.

    """
    return remembered(paired.known, name, lambda: of_rows(values(paired)[None, :]).each()[0])


def tails_ahead(
    samples: Sequence[PairedScores],
    name: str,
    of_rows: RowTails,
    values: Callable[[PairedScores], NDArray[np.float64]],
) -> None:
    """Compute exact tails of many pairs at once, for `known_tail` to find; see there for the parameters."""
    remembered_ahead(samples, name, values, lambda rows: of_rows(rows).each())
