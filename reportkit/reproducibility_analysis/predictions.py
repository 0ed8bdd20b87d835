"""What one system predicted in a blocked m x 2 cross-validation, checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import DesignError, DuplicateScoresError, InputError, MissingScoresError
from reportkit.language.counts_and_lists import counted, listed
from reportkit.reproducibility_analysis.codes import coded, coded_together, label_array

Ints = NDArray[np.intp]


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
    tolerance : float, optional
        By how many instances the overlap of two folds may differ from n / 4. If not given, what blocks whose sizes
        differ by one allow; more has to be allowed where groups were kept whole.
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
    tolerance: float | None = None
    instances: NDArray[Any] | None = None
    names: NDArray[Any] = field(init=False)
    gold_codes: Ints = field(init=False)
    codes: Ints = field(init=False)
    owners: Ints = field(init=False)

    def __post_init__(self) -> None:
        folds = np.asarray(self.folds)
        check_folds(folds, self.tolerance)
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
    if owner is None and n_labels != n:
        raise InputError(
            f"there are {counted(n_labels, 'gold label')} and {counted(n, 'instance')}",
            remedy="pass owner, the instance of each label, if labels are those of tokens",
        )
    array = np.arange(n) if owner is None else np.asarray(owner)
    if array.shape != (n_labels,) or array.dtype.kind not in "iu":
        raise InputError(f"owner has the shape {array.shape}, not one whole number for each of {n_labels:,} labels")
    if n_labels == 0 or array[0] != 0 or array[-1] != n - 1 or not np.isin(np.diff(array), (0, 1)).all():
        raise InputError(
            f"owner does not go through the instances 0 to {n - 1:,} in order, each with one label or more",
            remedy="sort the labels by instance",
        )
    return array.astype(np.intp)


def check_folds(folds: NDArray[Any], tolerance: float | None = None) -> None:
    """Check that two-fold splits overlap as those of a blocked cross-validation do.

    Parameters
    ----------
    folds : ndarray of shape (m, n)
        Fold, 0 or 1, of each instance in each repetition.
    tolerance : float, optional
        By how many instances an overlap may differ from n / 4, and the size of a fold from n / 2. If not given, a
        quarter of the smallest number of blocks for m, but at least 2.

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
    allowed = max(2.0, (1 << m.bit_length()) / 4) if tolerance is None else tolerance
    sides = np.stack((folds == 0, folds == 1)).astype(np.int64)
    for i in range(m):
        first, second = (int(size) for size in sides[:, i].sum(axis=1))
        far = max((int((side * other).sum()) for j in range(i) for side in sides[:, j] for other in sides[:, i]),
                  key=lambda share: abs(4 * share - n), default=n / 4)  # fmt: skip
        what = ""
        if abs(2 * second - n) > 2 * allowed or not 0 < second < n:
            what = f"repetition {i + 1} divides {counted(n, 'instance')} into {first:,} and {second:,}, not into halves"
        elif abs(4 * far - n) > 4 * allowed:
            what = (
                f"a fold of repetition {i + 1} and one of an earlier repetition share {counted(int(far), 'instance')},"
                f" not a quarter of {n:,}: this is no blocked cross-validation"
            )
        if what:
            raise DesignError(
                what, remedy="split with BlockedCV; if groups were kept whole, pass a tolerance in instances"
            )


def predictions_from_long_form(
    *,
    replicate: ArrayLike,
    fold: ArrayLike,
    instance: ArrayLike,
    prediction: ArrayLike,
    gold: ArrayLike,
    token: ArrayLike | None = None,
    tolerance: float | None = None,
) -> BlockedPredictions:
    """Arrange one system's predictions, given with one row per repetition and instance (or token), in any order.

    Parameters
    ----------
    replicate, fold, instance, prediction, gold : array_like of shape (rows,)
        Repetition, the fold that the instance was tested in, its id, its predicted and its gold label.
    token : array_like of shape (rows,), optional
        Position of the token in its instance, such as 0, 1, 2; numbers, for they are put in order.
    tolerance : float, optional
        As in `BlockedPredictions`.

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

    if (twice := cells[counts > 1]).size:
        raise DuplicateScoresError(
            f"{counted(twice.size, 'prediction is', 'predictions are')} given twice",
            where=where(int(twice[0])),
            remedy="give the predictions of one system, and for tokens their positions",
        )
    wanted = np.arange(repeats.size)[:, None] * instances.size * positions.size + every
    if (absent := np.setdiff1d(wanted, cells)).size:
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
        tolerance=tolerance,
        instances=instances,
    )
