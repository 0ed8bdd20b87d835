"""The independent units of a paired comparison, in an order and a direction that no row order can change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.shapes.block import close_together
from reportkit.scores.shapes.paired_scores import PairedScores, rounded_rows
from reportkit.scores.shapes.sample import remembered

_NOISE = 4 * float(np.finfo(np.float64).eps)
"""What reading and subtracting two decimal numbers adds, relative to the larger one."""

_MOST_EXACT = 2.0**53
_NO_SUM = 1e-12
"""A sum below this part of the sum of absolute values is 0."""


_AT_ONCE = 1 << 14
"""Differences worked on at once, so that they stay in the cache."""


def blocks(shape: tuple[int, ...]) -> list[slice]:
    """Return slices of rows, so many at a time that they stay in the cache."""
    rows = max(_AT_ONCE // shape[1], 1)
    return [slice(first, first + rows) for first in range(0, shape[0], rows)]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Units:
    """Instances, or clusters if there are any, sorted; the mean difference is `sums.sum() / sizes.sum()`.

    Parameters
    ----------
    sums : ndarray of shape (n_units,)
        (Weighted) differences of each unit, summed; in favour of whichever of the two systems comes first by name.
    sizes : ndarray of shape (n_units,)
        Instances of each unit, or their summed weights; positive.
    swapped : bool
        Whether the differences are those of B minus A.
    """

    sums: NDArray[np.float64]
    sizes: NDArray[np.float64]
    swapped: bool

    @property
    def n(self) -> int:
        """Number of units."""
        return int(self.sums.size)

    @property
    def mean(self) -> float:
        """(Weighted) mean difference, in the direction of the units."""
        return float(self.sums.sum() / self.sizes.sum())


def sorted_units(paired: PairedScores) -> Units:
    """Reduce two systems on one dataset to sorted independent units.

    Floating-point sums depend on the order of the terms, and a random stream gives each position its own draws. The
    units are therefore always those of the system that comes first by name, sorted; a caller turns the result round
    if `swapped`. So every p-value is the same, to the last digit, in any order of rows, and A against B is exactly B
    against A turned round.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="new", system_b="base", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.array([0.5, 0.9, 0.7]), b=np.array([0.4, 0.9, 0.5]))
    >>> units = sorted_units(paired)
    >>> units.swapped, units.sums
    (True, array([-0.2, -0.1,  0. ]))
    """
    return remembered(paired.known, "units", lambda: _sorted_units(paired))


def _sorted_units(paired: PairedScores) -> Units:
    swapped = paired.system_b < paired.system_a
    differences = _clean(paired.a, paired.b, paired.differences)
    if swapped:
        differences = 0.0 - differences  # never -0.0
    if paired.clusters is not None:
        weights = np.ones(paired.a.size) if paired.weights is None else paired.weights
        sums, sizes = _by_cluster(differences * weights, weights, paired.clusters)
    elif paired.weights is not None:
        sums, sizes = differences * paired.weights, paired.weights
    else:
        return Units(sums=np.sort(differences), sizes=np.ones(paired.a.size), swapped=swapped)
    order = np.lexsort((sizes, sums))
    return Units(sums=sums[order], sizes=sizes[order], swapped=swapped)


def units_ahead(samples: Sequence[PairedScores]) -> None:
    """Sort the units of many pairs at once, where `sorted_units` finds them; of those that stand alone, unweighted.

    Parameters
    ----------
    samples : sequence of PairedScores
        Of any sizes; all of their differences are held at once.
    """
    by_size: dict[int, list[PairedScores]] = {}
    for paired in samples:
        if paired.clusters is None and paired.weights is None and "units" not in paired.known:
            by_size.setdefault(paired.n, []).append(paired)
    for n, together in by_size.items():
        a, b = np.array([paired.a for paired in together]), np.array([paired.b for paired in together])
        swapped = [paired.system_b < paired.system_a for paired in together]
        largest = np.maximum(np.abs(a).max(axis=1, initial=0.0), np.abs(b).max(axis=1, initial=0.0))
        rows, ones = sorted_differences(a, b, largest, np.array(swapped)), np.ones(n)
        for paired, row, turned in zip(together, rows, swapped, strict=True):
            paired.known["units"] = Units(sums=row, sizes=ones, swapped=turned)


def linearised(units: Units) -> NDArray[np.float64]:
    """Values of which the bootstrap of the mean is the bootstrap of the ratio sum S / sum W.

    With the observed ratio r and mean size w, sum S* / sum W* >= 2 r holds exactly where the sum of the resampled
    S + 2 r (w - W) is at least twice its observed value; the same for <=.
    """
    mean_size = float(units.sizes.mean())
    return units.sums + 2 * units.mean * (mean_size - units.sizes)


def sorted_differences(
    a: NDArray[np.float64], b: NDArray[np.float64], largest: NDArray[np.float64], swapped: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The `sums` of `sorted_units`, of several pairs whose instances stand alone and have no weights.

    Parameters
    ----------
    a, b : (n_pairs, n) array
        Scores.
    largest : (n_pairs,) array
        The largest score of either system, by its absolute value.
    swapped : (n_pairs,) bool array
        Whether the differences are those of B minus A.
    """
    differences = np.empty(a.shape)
    for part in blocks(a.shape):
        rows = _clean(a[part], b[part], rounded_rows(a[part] - b[part], largest[part]))
        rows[swapped[part]] = 0.0 - rows[swapped[part]]
        rows.sort(axis=1)
        differences[part] = rows
    return differences


def _clean(a: NDArray[np.float64], b: NDArray[np.float64], rounded: NDArray[np.float64]) -> NDArray[np.float64]:
    """A minus B: 12 significant digits where that only takes away the noise of subtraction, all digits elsewhere.

    0.3 - 0.1 becomes 0.2. But 1/3 stays 1/3: rounded to 0.333333333333, twice it would no longer be 2/3, and resamples
    that tie with the observed data would be missed.
    """
    exact = a - b
    noise = _NOISE * np.maximum(np.abs(a), np.abs(b))
    kept = (rounded == 0) | (np.abs(rounded - exact) <= noise)
    return np.asarray(np.where(kept, rounded, exact) + 0.0, dtype=np.float64)  # + 0.0 turns -0.0 into 0.0


def _by_cluster(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], clusters: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of each cluster, added up in an order set by the values alone; 0 where only noise is left."""
    codes = close_together(clusters)
    if not (_adds_exactly(sums) and _adds_exactly(sizes)):
        order = np.lexsort((sizes, sums, codes))
        codes, sums, sizes = codes[order], sums[order], sizes[order]
    totals: NDArray[np.float64] = np.asarray(np.bincount(codes, weights=sums), dtype=np.float64)
    totals[np.abs(totals) <= _NO_SUM * np.bincount(codes, weights=np.abs(sums))] = 0.0
    occurs = np.bincount(codes) > 0
    return totals[occurs], np.asarray(np.bincount(codes, weights=sizes)[occurs], dtype=np.float64)


def _adds_exactly(values: NDArray[np.float64]) -> bool:
    """Whether the sum is the same in any order: that of whole numbers, not too large."""
    return bool(np.abs(values).max(initial=0.0) * values.size < _MOST_EXACT and np.array_equal(np.rint(values), values))


def as_wins(paired: PairedScores) -> PairedScores:
    """Keep only which of the two systems scored better on each instance: 1 for the winner, 0 for both on a tie.

    What may be done with ordinal scores, whose steps have no size. The difference of the result is the sign of the
    difference, its mean the share of wins minus the share of losses.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="rating", kind="ordinal",
    ...                       a=np.array([5.0, 3.0, 2.0]), b=np.array([1.0, 3.0, 1.0]))
    >>> as_wins(paired).differences
    array([1., 0., 1.])
    """
    differences = paired.differences
    return replace(
        paired,
        a=(differences > 0).astype(np.float64),
        b=(differences < 0).astype(np.float64),
        kind="binary",
        higher_is_better=True,
    )
