"""The graphical procedure of Bretz et al. (2009): levels stand at hypotheses and are passed on along arrows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError
from reportkit.replicability.multiple_testing.p_values import FloatArray, check_p_values

_ROUNDING = 1e-9


def graphical(
    p_values: ArrayLike, weights: ArrayLike, transitions: ArrayLike, *, afterwards: ArrayLike | None = None
) -> FloatArray:
    """Adjusted p-values of the sequentially rejective procedure that a graph describes.

    Hypothesis i is tested at level alpha times its weight. Once it is rejected, its weight moves along its arrows: the
    share `transitions[i, j]` goes to hypothesis j, and the arrows are joined up as if i had never been there. Holm's
    procedure, fixed sequences, fallback and gatekeeping are special cases.

    Parameters
    ----------
    p_values : array_like of shape (n_hypotheses,)
        In (0, 1].
    weights : array_like of shape (n_hypotheses,)
        First share of the level of each hypothesis; not negative, in sum at most 1. A hypothesis of weight 0 is tested
        once weight reaches it.
    transitions : array_like of shape (n_hypotheses, n_hypotheses)
        Where the weight of a rejected hypothesis goes: not negative, 0 on the diagonal, rows in sum at most 1. What is
        missing to 1 is lost.
    afterwards : array_like of shape (n_hypotheses, n_hypotheses), optional
        Arrows that are taken only where no ordinary one is left: the arrows of weight epsilon of Bretz et al., in the
        limit of epsilon to 0, which is computed exactly. Rows in sum at most 1; rows of 0 where there are none.

    Returns
    -------
    ndarray of shape (n_hypotheses,)
        Hypothesis i is rejected at level alpha if entry i is at most alpha. In (0, 1], for every alpha at once.

    Raises
    ------
    InputError
        If a p-value is not in (0, 1], or weights or transitions are not as described.

    See Also
    --------
    holm : the same with equal weights and arrows.
    gate : what metrics need, for any number of hypotheses.

    Notes
    -----
    The probability that one or more true null hypotheses are rejected is at most alpha under any dependence: the
    procedure is the shortcut of a closed test with weighted Bonferroni tests. The weight of hypothesis k in a set I is
    the probability that a random walk, which starts at i with probability `weights[i]` and steps along the arrows, is
    in k when it enters I for the first time. Removing a hypothesis is censoring this Markov chain; with a further state
    that takes what is lost no number is ever subtracted (Grassmann, Taksar and Heyman 1985), so that arrows of order
    epsilon are carried along by their leading term alone. The cost grows with the third power of n_hypotheses.

    References
    ----------
    Bretz, Maurer, Brannath and Posch (2009), "A graphical approach to sequentially rejective multiple test procedures",
    Algorithms 1 and 2.

    Examples
    --------
    Two primary and two secondary hypotheses; each primary one gives half of its weight to the other, half to its own
    secondary one, and this gives all it has to the other primary one. The third hypothesis stands:

    >>> transitions = [[0, 0.5, 0.5, 0], [0.5, 0, 0, 0.5], [0, 1, 0, 0], [1, 0, 0, 0]]
    >>> graphical([0.018, 0.01, 0.105, 0.006], [0.5, 0.5, 0, 0], transitions).round(3).tolist()
    [0.024, 0.02, 0.105, 0.024]
    """
    values = check_p_values(p_values)
    if values.ndim != 1:
        raise InputError(f"p_values has the shape {values.shape}", remedy="give one row, a p-value for each hypothesis")
    chain = _Chain(*_checked(values.size, weights, transitions, afterwards))
    adjusted = np.empty_like(values)
    largest = 0.0
    left = list(range(values.size))
    while left:
        share = np.array([chain.weight(i) for i in left])
        with np.errstate(divide="ignore", over="ignore"):
            ratios = values[left] / share
        first = left[int(np.argmin(ratios))]
        largest = max(largest, min(1.0, float(ratios.min())))
        adjusted[first] = largest
        chain.remove(first)
        left.remove(first)
    return adjusted


class _Chain:
    """Weights and arrows while hypotheses are removed, each number by its leading power of epsilon.

    Row and column n belong to the state that takes what is lost, so that every row of arrows is a distribution.
    """

    def __init__(self, weights: FloatArray, arrows: FloatArray, orders: NDArray[np.int64]) -> None:
        self.weights, self.arrows, self.orders = weights, arrows, orders
        self.weight_orders = np.zeros(weights.size, dtype=np.int64)

    def weight(self, index: int) -> float:
        """Weight of one hypothesis in the limit of epsilon to 0."""
        return float(self.weights[index]) if self.weight_orders[index] == 0 else 0.0

    def remove(self, index: int) -> None:
        """Reject one hypothesis: pass its weight on, and join its arrows up."""
        out, out_orders = self.arrows[index].copy(), self.orders[index].copy()
        self.weights, self.weight_orders = _plus(
            self.weights, self.weight_orders, self.weights[index] * out, self.weight_orders[index] + out_orders
        )
        into, into_orders = self.arrows[:, index].copy(), self.orders[:, index].copy()
        arrows, orders = _plus(
            self.arrows, self.orders, into[:, None] * out[None, :], into_orders[:, None] + out_orders[None, :]
        )
        self.weights[index] = 0.0
        arrows[:, index] = arrows[index, :] = 0.0
        np.fill_diagonal(arrows, 0.0)
        self.arrows, self.orders = _rows_to_one(arrows, orders)


def _plus(
    left: FloatArray, left_orders: NDArray[np.int64], right: FloatArray, right_orders: NDArray[np.int64]
) -> tuple[FloatArray, NDArray[np.int64]]:
    """Sum of two arrays of leading terms: that of the lower order, or both."""
    takes_left = (left > 0) & ((right == 0) | (left_orders <= right_orders))
    takes_right = (right > 0) & ((left == 0) | (right_orders <= left_orders))
    return np.where(takes_left, left, 0.0) + np.where(takes_right, right, 0.0), np.where(
        takes_left, left_orders, np.where(takes_right, right_orders, 0)
    )


def _rows_to_one(arrows: FloatArray, orders: NDArray[np.int64]) -> tuple[FloatArray, NDArray[np.int64]]:
    """Divide each row by its sum, in leading terms: what would return to the row itself leaves it in the end."""
    present = arrows > 0
    lowest = np.where(present, orders, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
    total = np.where(present & (orders == lowest), arrows, 0.0).sum(axis=1, keepdims=True)
    occupied = total > 0
    return np.divide(arrows, total, out=np.zeros_like(arrows), where=occupied), np.where(present, orders - lowest, 0)


def _checked(
    n: int, weights: ArrayLike, transitions: ArrayLike, afterwards: ArrayLike | None
) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
    """Weights and arrows with the state that takes what is lost, or an error."""
    shares = np.asarray(weights, dtype=np.float64)
    ordinary = np.asarray(transitions, dtype=np.float64)
    later = np.zeros((n, n)) if afterwards is None else np.asarray(afterwards, dtype=np.float64)
    for name, array, shape in (
        ("weights", shares, (n,)),
        ("transitions", ordinary, (n, n)),
        ("afterwards", later, (n, n)),
    ):
        if array.shape != shape:
            raise InputError(f"{name} has the shape {array.shape}", remedy=f"give {shape}, as there are p_values")
        if not (array >= 0).all() or (array.sum(axis=-1) > 1 + _ROUNDING).any():
            raise InputError(
                f"{name} are not shares: a number is negative or NaN, or a sum is above 1",
                remedy="give numbers of at least 0, in sum at most 1" + (" in each row" if array.ndim == 2 else ""),
            )
        if array.ndim == 2 and np.diagonal(array).any():
            raise InputError(f"{name} lead from a hypothesis to itself", remedy="give 0 on the diagonal")
    arrows = np.zeros((n + 1, n + 1))
    orders = np.zeros((n + 1, n + 1), dtype=np.int64)
    arrows[:n, :n] = np.where(ordinary > 0, ordinary, later)
    orders[:n, :n] = np.where((ordinary == 0) & (later > 0), 1, 0)
    lost, lost_later = 1.0 - ordinary.sum(axis=1), np.maximum(1.0 - later.sum(axis=1), 0.0)
    # a row that is all epsilon is an ordinary one: it is divided by its sum, and what is missing in it is lost
    only_later = (ordinary.sum(axis=1) == 0) & (later.sum(axis=1) > 0)
    loses = (lost > _ROUNDING) & ~only_later
    arrows[:n, n] = np.where(loses, lost, lost_later)
    orders[:n, n] = np.where(loses, 0, 1)
    return np.append(shares, 0.0), *_rows_to_one(arrows, orders)
