"""Pairs of which nothing but numbers is needed at first: complete, unweighted scores that stand alone.

Of most pairs of a large family a reader asks for a p-value and no more. Where every instance has one score of every
system, without weights and clusters, a test can find the p-values of all pairs by array operations. Pairs of which
something has to be said, such as that their differences are skewed, are assessed one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.shapes.paired_scores import SIGNIFICANT_DIGITS, DatasetScores, PairedScores
from reportkit.scores.shapes.sample import Sample
from reportkit.significance.skewness import (
    FAINT,
    FEWEST_NONZERO,
    SHARE_UNSEEN,
    SIZE_ERROR,
    TOLERATED_SIZE_ERROR,
)
from reportkit.significance.units import Multiples, Units, blocks, sorted_differences

_BLOCK = 1 << 20  # differences worked on at once
_DOUBT = 1e-9  # relative: nearer to a threshold, a pair is left to the code of one pair


Result = TypeVar("Result")


class Part(NamedTuple):
    """Some pairs: which, their mean differences, and their differences, shape (n_pairs, n), sorted.

    `spans` are the distances between the highest and the lowest score of either system. There are no means where none
    are asked for.
    """

    here: NDArray[np.intp]
    means: NDArray[np.float64]
    differences: NDArray[np.float64]
    spans: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PlainPairs:
    """Pairs of systems, on datasets with as many instances each.

    Parameters
    ----------
    scores : (n_systems, n) array
        Finite, oriented so that higher is better.
    a, b : (n_pairs,) array of int
        Rows of the two systems.
    swapped : (n_pairs,) bool array
        Whether B comes first by name: sorted differences are those of the system that does.
    right_or_wrong : bool
        Whether scores are 0 and 1, of which means are estimated by counting.
    multiples : Multiples, optional
        The scores, where they have few decimals.
    """

    scores: NDArray[np.float64]
    a: NDArray[np.intp]
    b: NDArray[np.intp]
    swapped: NDArray[np.bool_]
    right_or_wrong: bool = False
    multiples: Multiples | None = None

    @classmethod
    def of(cls, blocks: Sequence[DatasetScores], pairs: Sequence[Sequence[tuple[str, str]]]) -> PlainPairs:
        """Pairs on datasets with as many instances each, one dataset after the other."""
        a: list[int] = []
        b: list[int] = []
        first = 0
        for block, here in zip(blocks, pairs, strict=True):
            row = {system: first + index for index, system in enumerate(block.systems)}
            a.extend(row[pair[0]] for pair in here)
            b.extend(row[pair[1]] for pair in here)
            first += len(block.systems)
        scores = blocks[0].scores if len(blocks) == 1 else np.concatenate([block.scores for block in blocks])
        scores = np.ascontiguousarray(scores)  # sums of rows are then those of each row alone, to the last bit
        swapped = [second < first for here in pairs for first, second in here]
        rows_a, rows_b = (np.array(rows, dtype=np.intp) for rows in (a, b))
        binary = blocks[0].kind == "binary"
        return cls(scores, rows_a, rows_b, np.array(swapped, dtype=np.bool_), binary, Multiples.of(scores))

    def some(self, numbers: Sequence[int]) -> PlainPairs:
        """Some of the pairs, by their numbers."""
        here = np.array(numbers, dtype=np.intp)
        return replace(self, a=self.a[here], b=self.b[here], swapped=self.swapped[here])

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean scores of A and of B, shape (2, n_pairs)."""
        means = self.scores.mean(axis=1)
        return np.stack((means[self.a], means[self.b]))

    def wins_and_losses(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """On how many instances only A, and only B, is right, where scores are right or wrong: from one product."""
        right = (self.scores == self.scores.max()).astype(np.float64)
        only = (right @ (1.0 - right).T).astype(np.int64)
        return only[self.a, self.b], only[self.b, self.a]

    def parts(self, work: Callable[[Part], Result], *, with_means: bool = True) -> Iterator[Result]:
        """Do the same work with some pairs at a time; the results in the order of the pairs."""
        lowest, highest = self.scores.min(axis=1), self.scores.max(axis=1)
        at_once = max(_BLOCK // self.scores.shape[1], 1)

        def of_some(first: int) -> Result:
            here = np.arange(first, min(first + at_once, self.a.size))
            low = np.minimum(lowest[self.a[here]], lowest[self.b[here]])
            high = np.maximum(highest[self.a[here]], highest[self.b[here]])
            scale = np.maximum(-low, high)
            means = np.empty(here.size if with_means else 0)
            differences = np.empty((here.size, self.scores.shape[1]))
            for part in blocks(differences.shape):
                if with_means:
                    means[part] = (self.scores[self.a[here[part]]] - self.scores[self.b[here[part]]]).mean(axis=1)
                differences[part] = self._sorted(here[part], scale[part])
            if with_means:
                means[np.abs(means) <= 10.0**-SIGNIFICANT_DIGITS * scale / differences.shape[1]] = 0.0
            return work(Part(here, means, differences, high - low))

        return map(of_some, range(0, self.a.size, at_once))

    def _sorted(self, here: NDArray[np.intp], scale: NDArray[np.float64]) -> NDArray[np.float64]:
        """Differences of some pairs."""
        if self.multiples is None:
            return sorted_differences(self.scores[self.a[here]], self.scores[self.b[here]], scale, self.swapped[here])
        return self.multiples.sorted_differences(*self._by_name(here))

    def units_ahead(self, samples: Mapping[int, Sample]) -> None:
        """Sort the units of pairs by their numbers, where `sorted_units` finds them, if scores have few decimals."""
        if self.multiples is None:
            return
        here = np.array([*samples], dtype=np.intp)
        rows, ones = self.multiples.sorted_differences(*self._by_name(here)), np.ones(self.scores.shape[1])
        for sample, row, swapped in zip(samples.values(), rows, self.swapped[here].tolist(), strict=True):
            cast("PairedScores", sample).known["units"] = Units(sums=row, sizes=ones, swapped=swapped)

    def _by_name(self, here: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows of the two systems of some pairs, that which comes first by name first."""
        turned = self.swapped[here]
        return np.where(turned, self.b[here], self.a[here]), np.where(turned, self.a[here], self.b[here])


def shape_is_unremarkable(part: Part, fewest_nonzero: int) -> NDArray[np.bool_]:
    """Of which pairs nothing is said about the shape of their differences, beside a test of their mean.

    Parameters
    ----------
    part : Part
        Some pairs.
    fewest_nonzero : int
        With fewer differences that are not 0, something is.
    """
    found = np.empty(part.here.size, dtype=np.bool_)
    for some in blocks(part.differences.shape):
        found[some] = _unremarkable(part.differences[some], part.spans[some], fewest_nonzero)
    return found


def _unremarkable(
    differences: NDArray[np.float64], spans: NDArray[np.float64], fewest_nonzero: int
) -> NDArray[np.bool_]:
    n = differences.shape[1]
    enough = np.count_nonzero(differences, axis=1) >= max(fewest_nonzero, FEWEST_NONZERO)
    residuals = differences - differences.mean(axis=1, keepdims=True)
    residuals /= np.maximum(np.abs(residuals[:, [0, -1]]).max(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    squares = np.square(residuals)
    third = np.abs(np.einsum("ij,ij->i", squares, residuals)) / n
    tolerated = (1 - _DOUBT) * TOLERATED_SIZE_ERROR / SIZE_ERROR * np.sqrt(n)
    small = third < tolerated * squares.mean(axis=1) ** 1.5
    return np.asarray(enough & small & ~_may_be_one_sided(differences, spans))


def _may_be_one_sided(differences: NDArray[np.float64], spans: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether losses are so faint that larger ones may not have been seen, and could cancel the mean."""
    total, absolute = differences.sum(axis=1), np.abs(differences).sum(axis=1)
    gains, losses = 0.5 * (absolute + total), 0.5 * (absolute - total)
    faint = np.minimum(gains, losses) <= FAINT * (1 + _DOUBT) * np.maximum(gains, losses)
    lowest, highest = differences[:, 0], differences[:, -1]
    largest = np.maximum(-lowest, highest)
    varies = highest - lowest > _DOUBT * largest
    needed = np.abs(gains - losses) / SHARE_UNSEEN
    return np.asarray(faint & ~(varies & (needed > (1 + _DOUBT) * np.maximum(spans, largest))))
