"""What one system predicted in a blocked m x 2 cross-validation, checked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import DesignError, DuplicateScoresError, InputError, MissingScoresError
from reportkit.language.counts_and_lists import counted, listed
from reportkit.reproducibility_analysis.codes import Coded, coded, coded_together, label_array

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
    probabilities : ndarray of shape (m, T, K), optional
        Probabilities of the K labels of `classes`, by which tied votes are decided.
    classes : ndarray of shape (K,), optional
        Labels that the probabilities belong to.
    tolerance : float, optional
        By how many instances the overlap of two folds may differ from n / 4. If not given, what blocks whose sizes
        differ by one allow; more has to be allowed where groups were kept whole, or with more blocks than m needs.
    instances : ndarray of shape (n,), optional
        Ids of the instances, to compare those of two systems.

    Raises
    ------
    InputError
        If shapes do not match, a label is missing, or probabilities are none.
    DesignError
        If the folds are not those of a blocked cross-validation: overlaps are too far from n / 4.
    """

    folds: Ints
    gold: NDArray[Any]
    predictions: NDArray[Any]
    owner: Ints | None = None
    probabilities: NDArray[np.float64] | None = None
    classes: NDArray[Any] | None = None
    tolerance: float | None = None
    instances: NDArray[Any] | None = None
    names: NDArray[Any] = field(init=False)
    gold_codes: Ints = field(init=False)
    codes: Ints = field(init=False)
    owners: Ints = field(init=False)
    class_probabilities: NDArray[np.float64] | None = field(init=False)

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
        everything = coded_together(gold, predictions)
        object.__setattr__(self, "folds", folds.astype(np.intp))
        object.__setattr__(self, "gold", gold)
        object.__setattr__(self, "predictions", predictions)
        object.__setattr__(self, "names", everything.names)
        object.__setattr__(self, "gold_codes", everything.codes[: gold.size])
        object.__setattr__(self, "codes", everything.codes[gold.size :].reshape(m, gold.size))
        object.__setattr__(self, "owners", _checked_owner(self.owner, gold.size, n))
        object.__setattr__(self, "class_probabilities", self._probabilities_by_code())

    def _probabilities_by_code(self) -> NDArray[np.float64] | None:
        """Probabilities with one column for each known label, 0 where a class is not among the given ones."""
        if self.probabilities is None:
            return None
        given = np.asarray(self.probabilities, dtype=np.float64)
        classes = np.asarray([] if self.classes is None else self.classes)
        if given.shape != (*self.codes.shape, classes.size):
            raise InputError(
                f"probabilities have the shape {given.shape}, not {(*self.codes.shape, classes.size)}"
                " (repetitions, labels, classes)",
                remedy="pass classes in the order of the probabilities' last axis",
            )
        if not (np.isfinite(given).all() and (given >= 0).all() and np.allclose(given.sum(axis=2), 1, atol=1e-3)):
            raise InputError("probabilities have to be 0 or more and have the sum 1 for every prediction")
        column = {name: place for place, name in enumerate(classes.tolist())}
        unknown = [name for name in self.names[np.unique(self.codes)].tolist() if name not in column]
        if unknown:
            raise InputError(
                f"{counted(len(unknown), 'predicted label has', 'predicted labels have')} no probabilities:"
                f" {listed([repr(name) for name in unknown[:5]])}",
                remedy="pass all predicted labels in classes",
            )
        result = np.zeros((*self.codes.shape, self.names.size))
        for code, name in enumerate(self.names.tolist()):
            if name in column:
                result[:, :, code] = given[:, :, column[name]]
        return result

    @property
    def m(self) -> int:
        """Number of repetitions."""
        return int(self.folds.shape[0])

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.folds.shape[1])


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
    second = folds.astype(np.int64)
    both = second @ second.T
    size = second.sum(axis=1)
    for i in range(m):
        if abs(2 * size[i] - n) > 2 * allowed or not 0 < size[i] < n:
            raise DesignError(
                f"repetition {i + 1} divides {counted(n, 'instance')} into {n - size[i]:,} and {size[i]:,}, not into"
                " halves",
                remedy="split with BlockedCV; if groups were kept whole, pass a tolerance in instances",
            )
        for j in range(i):
            shares = (both[i, j], size[i] - both[i, j], size[j] - both[i, j], n - size[i] - size[j] + both[i, j])
            far = max(shares, key=lambda share: abs(4 * share - n))
            if abs(4 * far - n) > 4 * allowed:
                raise DesignError(
                    f"folds of repetitions {j + 1} and {i + 1} share {counted(int(far), 'instance')}, not a quarter of"
                    f" {n:,}: this is no blocked cross-validation",
                    remedy="split with BlockedCV; if groups were kept whole, pass a tolerance in instances",
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
        Repetition, the fold that the instance was tested in, its id, what was predicted, what is right.
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
    predictions, golds = label_array(prediction), label_array(gold)
    for what, array in (("prediction", predictions), ("gold label", golds)):
        if array.shape != (n_rows,):
            raise InputError(f"{what}s have the shape {array.shape}, and there are {counted(n_rows, 'row')}")
    repeats, instances = coded(replicate, n_rows, "replicate"), coded(instance, n_rows, "instance")
    fold_codes = _fold_codes(repeats.codes, coded(fold, n_rows, "fold").codes, repeats.names)
    positions = coded(np.zeros(n_rows) if token is None else token, n_rows, "token")
    order = _order(repeats, instances, positions.codes)
    m = repeats.names.size
    predicted, golden = predictions[order].reshape(m, -1), golds[order].reshape(m, -1)
    owner = instances.codes[order].reshape(m, -1)[0]
    in_folds = fold_codes[order].reshape(m, -1)
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    folds = in_folds[:, first]
    _check_alike(in_folds == folds[:, owner], owner, instances.names, "in both folds of one repetition", DesignError)
    known = coded(golden.ravel(), golden.size, "gold label").codes.reshape(m, -1)
    _check_alike(known == known[0], owner, instances.names, "given different gold labels", InputError)
    return BlockedPredictions(
        folds=folds,
        gold=golden[0],
        predictions=predicted,
        owner=owner,
        tolerance=tolerance,
        instances=instances.names,
    )


def _fold_codes(repeat: Ints, fold: Ints, names: NDArray[Any]) -> Ints:
    """Fold as 0 and 1 within each repetition, in the order of the folds' names."""
    result = np.empty(fold.size, dtype=np.intp)
    for code, name in enumerate(names.tolist()):
        mine = repeat == code
        found, numbers = np.unique(fold[mine], return_inverse=True)
        if found.size != 2:
            raise InputError(f"repetition {name!r} has {counted(found.size, 'fold')}, not two")
        result[mine] = numbers
    return result


def _order(repeats: Coded, instances: Coded, position: Ints) -> Ints:
    """Sort rows by repetition, instance and token, and check that every repetition has the same, each once."""
    repeat, names = repeats.codes, repeats.names
    width = int(position.max(initial=0)) + 1
    place = instances.codes * width + position
    order = np.lexsort((place, repeat))
    same = (np.diff(repeat[order]) == 0) & (np.diff(place[order]) == 0)
    if same.any():
        row = int(order[np.flatnonzero(same)[0]])
        raise DuplicateScoresError(
            f"{counted(int(same.sum()), 'prediction is', 'predictions are')} given twice",
            where=f"first instance {instances.names[instances.codes[row]]!s} in repetition {names[repeat[row]]!s}",
            remedy="give the predictions of one system, and for tokens their positions",
        )
    every = np.unique(place)
    missing = every.size * names.size - place.size
    if missing:
        absent = [np.setdiff1d(every, place[repeat == code]) for code in range(names.size)]
        code = next(code for code, places in enumerate(absent) if places.size)
        raise MissingScoresError(
            f"{counted(missing, 'prediction is', 'predictions are')} missing: every instance has to be predicted once"
            " in every repetition",
            where=f"first instance {instances.names[absent[code][0] // width]!s} in repetition {names[code]!s}",
            remedy="predict both folds of every repetition",
        )
    return order


def _check_alike(
    same: NDArray[np.bool_], owner: Ints, names: NDArray[Any], what: str, error: type[InputError | DesignError]
) -> None:
    wrong = np.unique(owner[~same.all(axis=0)])
    if wrong.size:
        examples = listed([str(names[code]) for code in wrong[:3]])
        raise error(
            f"{counted(wrong.size, 'instance is', 'instances are')} {what}",
            where=f"instance {examples}{' and others' if wrong.size > 3 else ''}",
        )


def _checked_owner(owner: Ints | None, n_labels: int, n: int) -> Ints:
    if owner is None:
        if n_labels != n:
            raise InputError(
                f"there are {counted(n_labels, 'gold label')} and {counted(n, 'instance')}",
                remedy="pass owner, the instance of each label, if labels are those of tokens",
            )
        return np.arange(n, dtype=np.intp)
    array = np.asarray(owner)
    if array.shape != (n_labels,) or array.dtype.kind not in "iu":
        raise InputError(f"owner has the shape {array.shape}, not one whole number for each of {n_labels:,} labels")
    steps = np.diff(array, prepend=-1)
    if n_labels == 0 or array[0] != 0 or array[-1] != n - 1 or not np.isin(steps, (0, 1)).all():
        raise InputError(
            f"owner does not go through the instances 0 to {n - 1:,} in order, each with one label or more",
            remedy="sort the labels by instance",
        )
    return array.astype(np.intp)
