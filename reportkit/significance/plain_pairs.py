"""Pairs of which nothing but numbers is needed at first: complete, unweighted scores that stand alone.

Of most pairs of a large family a reader asks for a p-value and no more. Where every instance has one score of every
system, without weights and clusters, a test can find the p-values of all pairs by array operations. Pairs of which
something has to be said, such as that their differences are skewed, are assessed one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reportkit.intervals.means.skewness import FEWEST_NONZERO, SIZE_ERROR, TOLERATED_SIZE_ERROR
from reportkit.intervals.means.units import sorted_differences
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.paired_scores import SIGNIFICANT_DIGITS, DatasetScores

_BLOCK = 1 << 20  # differences worked on at once
_DOUBT = 1e-9  # relative: nearer to a threshold, a pair is left to the code of one pair


@dataclass(frozen=True, slots=True, eq=False)
class PlainPairs:
    """Pairs of systems on one dataset.

    Parameters
    ----------
    scores : (n_systems, n) array
        Finite, oriented so that higher is better.
    a, b : (n_pairs,) array of int
        Rows of the two systems.
    swapped : (n_pairs,) bool array
        Whether B comes first by name: sorted differences are those of the system that does.
    """

    scores: NDArray[np.float64]
    a: NDArray[np.intp]
    b: NDArray[np.intp]
    swapped: NDArray[np.bool_]

    @classmethod
    def of(cls, block: Block, pairs: Sequence[tuple[str, str]]) -> PlainPairs | None:
        """Those of a dataset; None if scores are missing, weighted, nested or repeated."""
        if type(block) is not DatasetScores or block.unit != "instance" or block.weights is not None:
            return None
        if not block.without_missing() or block.clusters_kept(np.ones(block.n_instances, np.bool_)) is not None:
            return None
        row = {system: index for index, system in enumerate(block.systems)}
        a, b = (np.array([row[pair[side]] for pair in pairs], dtype=np.intp) for side in (0, 1))
        return cls(block.scores, a, b, np.array([second < first for first, second in pairs], dtype=np.bool_))

    @property
    def score_differences(self) -> NDArray[np.float64]:
        """Of the mean scores of A and B."""
        means = self.scores.mean(axis=1)
        return np.asarray(means[self.a] - means[self.b])

    def parts(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]]:
        """Some pairs at a time: which, their mean differences, and their differences, sorted."""
        largest = np.abs(self.scores).max(axis=1)
        at_once = max(_BLOCK // self.scores.shape[1], 1)
        for first in range(0, self.a.size, at_once):
            here = np.arange(first, min(first + at_once, self.a.size))
            a, b = self.scores[self.a[here]], self.scores[self.b[here]]
            means = (a - b).mean(axis=1)
            scale = np.maximum(largest[self.a[here]], largest[self.b[here]])
            means[np.abs(means) <= 10.0**-SIGNIFICANT_DIGITS * scale / a.shape[1]] = 0.0
            yield here, means, sorted_differences(a, b, scale, self.swapped[here])


class Column(NamedTuple):
    """What a test found of one pair, in favour of A.

    Parameters
    ----------
    p_greater, p_less, p_min, difference : float
        As in an assessment.
    known : dict
        What the test of the one pair finds in its sample, so that it need not be computed again.
    """

    p_greater: float
    p_less: float
    p_min: float
    difference: float
    known: dict[str, Any]


Columns = Callable[[PlainPairs], dict[int, Column]]
"""What a test found of those pairs of which nothing else has to be said, by their numbers."""


def shape_is_unremarkable(differences: NDArray[np.float64], fewest_nonzero: int) -> NDArray[np.bool_]:
    """Of which pairs nothing is said about the shape of their differences, beside a test of their mean.

    Parameters
    ----------
    differences : (n_pairs, n) array
        Sorted.
    fewest_nonzero : int
        With fewer that are not 0, something is.
    """
    n = differences.shape[1]
    with np.errstate(under="ignore"):
        both_sides = differences[:, 0] * differences[:, -1] < 0
    residuals = differences - differences.mean(axis=1, keepdims=True)
    residuals /= np.maximum(np.abs(residuals[:, [0, -1]]).max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    squares = np.square(residuals)
    third = np.abs((squares * residuals).mean(axis=1))
    tolerated = (1 - _DOUBT) * TOLERATED_SIZE_ERROR / SIZE_ERROR * np.sqrt(n)
    small = third < tolerated * squares.mean(axis=1) ** 1.5
    enough = np.count_nonzero(differences, axis=1) >= max(fewest_nonzero, FEWEST_NONZERO)
    return np.asarray(both_sides & small & enough)
