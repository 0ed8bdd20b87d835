"""What kind of score a dataset holds; it decides which tests are meaningful."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.choices import Kind

RIGHT_IN_PERCENT = 100.0
"""What is written for a right answer, where wrong ones are 0 and right ones are not 1."""

_LOOK = 1000
"""Of most continuous scores, these tell already."""


def detect_kind(scores: NDArray[np.float64]) -> Kind:
    """Tell right-or-wrong scores from all others.

    Ordinal and count scores are never inferred: integers from 1 to 5 may be ratings, counts of errors or points, and
    the mean of a rating means something only if its steps are equal. Whoever measured them declares them.

    Parameters
    ----------
    scores : ndarray of float
        All scores of one dataset, of any shape; NaN (missing) is left aside.

    Returns
    -------
    {"binary", "continuous"}
        Binary if every score is 0 or 1, or every one 0 or -1 (scores of which lower is better are held negated).

    Examples
    --------
    >>> detect_kind(np.array([[0, 1, 1], [1, np.nan, 0]]))
    'binary'
    >>> detect_kind(np.array([0.0, 0.5, 1.0]))
    'continuous'
    """
    for one in (1.0, -1.0):
        if _all_of(scores.ravel()[:_LOOK], one) and _all_of(scores, one):
            return "binary"
    return "continuous"


def _all_of(scores: NDArray[np.float64], one: float) -> bool:
    return bool(((scores == 0) | (scores == one) | np.isnan(scores)).all())
