"""Checked predictions of one system in a blocked m x 2 cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import DesignError, DuplicateScoresError, InputError, MissingScoresError
from reportkit.language import counted, listed
from reportkit.reproducibility_analysis.codes import coded, coded_together, label_array

Ints = NDArray[np.intp]

_APART = 0.02
"""Share of the instances by which overlaps of folds may differ from a quarter."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlockedPredictions:
    """Predictions for every label of a corpus by the m models that were not trained on it.

    Parameters
    ----------
    folds : ndarray of shape (m, n)
        Fold, 0 or 1, of each of n instances in each repetition. The instances of a fold are predicted by the model
        that was trained on the other fold.
    gold : ndarray of shape (T,)
        Gold labels: one per instance (T = n), or one per token.
    predictions : ndarray of shape (m, T)
        Predicted labels, one row per repetition.
    owner : ndarray of shape (T,), optional
        Instance (row of `folds`, from 0) that each label belongs to: the sentence of a token. Non-decreasing, and every
        instance has labels. One label per instance if not given.
    instances : ndarray of shape (n,), optional
        Ids of the instances, to compare those of two systems.

    Raises
    ------
    InputError
        If shapes do not match, or a label is missing.
    DesignError
        If the folds are not those of a blocked cross-validation: overlaps are too far from n / 4.
    """

    folds: Ints
    gold: NDArray[Any]
    predictions: NDArray[Any]
    owner: Ints | None = None
    instances: NDArray[Any] | None = None
    names: NDArray[Any] = field(init=False)
    gold_codes: Ints = field(init=False)
    codes: Ints = field(init=False)
    owners: Ints = field(init=False)

    def __post_init__(self) -> None:
        folds = np.asarray(self.folds)
        check_folds(folds)
        m, n = folds.shape
        gold, predictions = label_array(self.gold), label_array(self.predictions)
        if gold.ndim != 1 or predictions.shape != (m, gold.size):
            raise InputError(
                f"predictions have the shape {predictions.shape}, and there are {counted(m, 'repetition')} and"
                f" {counted(gold.size, 'gold label')}",
                remedy="give one row of predictions for each repetition, one column for each gold label",
            )
        every = coded_together(gold, predictions)
        checked = {
            "folds": folds.astype(np.intp),
            "gold": gold,
            "predictions": predictions,
            "names": every.names,
            "gold_codes": every.codes[: gold.size],
            "codes": every.codes[gold.size :].reshape(m, gold.size),
            "owners": _checked_owner(self.owner, gold.size, n),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def m(self) -> int:
        """Number of repetitions."""
        return int(self.folds.shape[0])

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.folds.shape[1])


def _checked_owner(owner: Ints | None, n_labels: int, n: int) -> Ints:
    array = np.arange(n_labels) if owner is None else np.asarray(owner)
    whole = array.shape == (n_labels,) and array.dtype.kind in "iu" and n_labels > 0
    if not whole or array[0] != 0 or array[-1] != n - 1 or not np.isin(np.diff(array), (0, 1)).all():
        raise InputError(
            f"the owners of {counted(n_labels, 'gold label')} do not go through the instances 0 to {n - 1:,} in order",
            remedy="pass owner, the number of the instance of each label, and sort labels by instance",
        )
    return array.astype(np.intp)


def check_folds(folds: NDArray[Any]) -> None:
    """Check that two-fold splits overlap as those of a blocked cross-validation do.

    An overlap may differ from n / 4, and the size of a fold from n / 2, by a quarter of the smallest number of blocks
    for m, by 2 instances, or by 2% of the instances, which leaves room for documents that are kept whole.

    Parameters
    ----------
    folds : ndarray of shape (m, n)
        Fold, 0 or 1, of each instance in each repetition.

    Raises
    ------
    InputError
        If the array is not of this form.
    DesignError
        If folds are too uneven, or an overlap is too far from a quarter of the corpus.

    Examples
    --------
    >>> check_folds(np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]]))
    """
    if folds.ndim != 2 or not folds.size or not np.isin(folds, (0, 1)).all():
        raise InputError(
            f"folds of the shape {folds.shape} are not 0 and 1 for each repetition and instance",
            remedy="number the two folds of each repetition 0 and 1, one row for each repetition",
        )
    m, n = folds.shape
    allowed = max(2.0, (1 << m.bit_length()) / 4, _APART * n)
    sides = np.concatenate((folds == 0, folds == 1)).astype(np.int64)
    shared, repetition = sides @ sides.T, np.tile(np.arange(m), 2)
    sizes = shared.diagonal().reshape(2, m)
    uneven = int(np.abs(sizes[1] - sizes[0]).argmax())
    apart = np.where(repetition[:, None] > repetition, np.abs(4 * shared - n), 0)
    later, earlier = np.unravel_index(int(apart.argmax()), apart.shape)
    if abs(int(sizes[1, uneven] - sizes[0, uneven])) > 2 * allowed or not sizes.all():
        halves = " and ".join(f"{size:,}" for size in sizes[:, uneven].tolist())
        what = f"repetition {uneven + 1} divides {counted(n, 'instance')} into {halves}, not into halves"
    elif apart.max() > 4 * allowed:
        what = (
            f"a fold of repetition {repetition[later] + 1} and one of an earlier repetition share"
            f" {counted(int(shared[later, earlier]), 'instance')}, not a quarter of {n:,}: this is not a blocked"
            " cross-validation"
        )
    else:
        return
    raise DesignError(what, remedy="split with BlockedCV")


def predictions_from_long_form(
    *,
    replicate: ArrayLike,
    fold: ArrayLike,
    instance: ArrayLike,
    prediction: ArrayLike,
    gold: ArrayLike,
    token: ArrayLike | None = None,
) -> BlockedPredictions:
    """Arrange one system's predictions, given with one row per repetition and instance (or token), in any order.

    Parameters
    ----------
    replicate, fold, instance, prediction, gold : array_like of shape (rows,)
        Repetition, the fold that the instance was tested in, its id, its predicted and its gold label.
    token : array_like of shape (rows,), optional
        Position of the token in its instance, such as 0, 1, 2; numbers, for they are put in order.

    Returns
    -------
    BlockedPredictions
        Instances in the order of their ids, tokens in the order of their positions.

    Raises
    ------
    DuplicateScoresError
        If an instance (token) was predicted twice in a repetition.
    MissingScoresError
        If it was not predicted in every repetition.
    DesignError
        If an instance is in both folds of a repetition, or the repetitions are not those of a blocked
        cross-validation.
    InputError
        If values are missing, gold labels contradict each other, or a repetition has other than two folds.

    Examples
    --------
    >>> result = predictions_from_long_form(replicate=[1] * 4 + [2] * 4, fold=[1, 1, 2, 2, 1, 2, 1, 2],
    ...     instance=list("abcd") * 2, prediction=list("xyxyxxyy"), gold=list("xyxx") * 2)
    >>> result.folds.tolist(), result.gold.tolist()
    ([[0, 0, 1, 1], [0, 1, 0, 1]], ['x', 'y', 'x', 'x'])
    """
    n_rows = label_array(replicate).size
    columns = {"replicate": replicate, "fold": fold, "instance": instance, "gold label": gold}
    columns |= {"prediction": prediction, "token": np.zeros(n_rows) if token is None else token}
    known = {what: coded(values, n_rows, what) for what, values in columns.items()}
    repeats, instances, positions = (known[what].names for what in ("replicate", "instance", "token"))
    place = known["instance"].codes * positions.size + known["token"].codes
    order = np.lexsort((place, known["replicate"].codes))
    cells, counts = np.unique(known["replicate"].codes * instances.size * positions.size + place, return_counts=True)
    every = np.unique(place)

    def where(cell: int) -> str:
        repeat, at = divmod(cell, instances.size * positions.size)
        return f"first instance {instances[at // positions.size]!s} in repetition {repeats[repeat]!s}"

    wanted = np.arange(repeats.size)[:, None] * instances.size * positions.size + every
    twice, absent = cells[counts > 1], np.setdiff1d(wanted, cells)
    if twice.size:
        raise DuplicateScoresError(
            f"{counted(twice.size, 'prediction is', 'predictions are')} given twice",
            where=where(int(twice[0])),
            remedy="give the predictions of one system, and for tokens their positions",
        )
    if absent.size:
        raise MissingScoresError(
            f"{counted(absent.size, 'prediction is', 'predictions are')} missing: every instance has to be predicted"
            " once in every repetition",
            where=where(int(absent[0])),
            remedy="predict both folds of every repetition",
        )
    in_folds, golden = (known[what].codes[order].reshape(repeats.size, -1) for what in ("fold", "gold label"))
    for name, row in zip(repeats.tolist(), in_folds, strict=True):
        if (found := np.unique(row)).size != 2:
            raise InputError(f"repetition {name!r} has {counted(found.size, 'fold')}, not two")
    in_folds = (in_folds == in_folds.max(axis=1, keepdims=True)).astype(np.intp)
    owner = every // positions.size
    folds = in_folds[:, np.flatnonzero(np.diff(owner, prepend=-1))]
    for same, what, error in (
        (in_folds == folds[:, owner], "in both folds of one repetition", DesignError),
        (golden == golden[0], "given different gold labels", InputError),
    ):
        if (wrong := np.unique(owner[~same.all(axis=0)])).size:
            raise error(
                f"{counted(wrong.size, 'instance is', 'instances are')} {what}",
                where=f"instance {listed([str(instances[code]) for code in wrong[:3]])}"
                + (" and others" if wrong.size > 3 else ""),
            )
    predicted = label_array(prediction)[order].reshape(repeats.size, -1)
    return BlockedPredictions(
        folds=folds,
        gold=label_array(gold)[order][: every.size],
        predictions=predicted,
        owner=owner,
        instances=instances,
    )
