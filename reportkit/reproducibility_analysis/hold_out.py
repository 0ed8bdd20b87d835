"""Estimates from random splits: the hold-out and the mean of repeated hold-outs."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import DesignError, InputError
from reportkit.language.counts_and_lists import counted
from reportkit.reproducibility_analysis.codes import coded, coded_together, label_array
from reportkit.reproducibility_analysis.label_metrics import label_metric

Floats = NDArray[np.float64]


def hold_out(
    gold: ArrayLike, predicted: ArrayLike, *, owner: ArrayLike | None = None, metric: str = "accuracy"
) -> float:
    """Value of a metric on one test set: the hold-out estimate (ST) of one system.

    Parameters
    ----------
    gold, predicted : array_like of shape (T,)
        Labels of instances or tokens.
    owner : array_like of shape (T,), optional
        Sentence that each token belongs to; tokens of a sentence stand together and in order. Needed for chunks.
    metric : {"accuracy", "chunk-f1"}
        As in `estimate_system`.

    Raises
    ------
    InputError
        If there are no labels, numbers differ, labels are missing, or the tokens of a sentence do not stand together.
    DesignError
        If chunks are asked for without `owner`.

    Examples
    --------
    >>> hold_out(list("xyxy"), list("xyxx"))
    0.75
    >>> hold_out(["B-NP", "I-NP", "O"], ["B-NP", "I-NP", "B-NP"], owner=[0, 0, 0], metric="chunk-f1").__round__(4)
    0.6667
    """
    chosen = label_metric(metric)
    right, given = label_array(gold), label_array(predicted)
    if right.ndim != 1 or not right.size or given.shape != right.shape:
        raise InputError(
            f"gold labels have the shape {right.shape}, predictions {given.shape}",
            remedy="give one prediction for each gold label, and one label at least",
        )
    if owner is None and not chosen.by_label:
        raise DesignError(f"{chosen.title} needs to know which tokens stand in one sentence", remedy="pass owner")
    sentences = coded(np.arange(right.size) if owner is None else owner, right.size, "owner").codes
    if np.count_nonzero(np.diff(sentences)) + 1 != int(sentences.max()) + 1:
        raise InputError("the tokens of a sentence do not stand together", remedy="sort by sentence, tokens in order")
    both = coded_together(right, given)
    n = int(sentences.max()) + 1
    counts = chosen.counts(both.codes[: right.size], both.codes[right.size :], sentences, n, both.names)
    return float(chosen.value(counts.sum(axis=0)))


def repeated_hold_out(values: ArrayLike) -> Floats:
    """Mean of repeated random hold-outs (RS), along the last axis.

    Parameters
    ----------
    values : array_like of shape (..., r)
        Hold-out values of a system, or differences of two, in each of r repetitions.

    Returns
    -------
    ndarray of shape (...)

    Raises
    ------
    InputError
        If there is no value, or one is not finite.

    Notes
    -----
    Random splits of one corpus are independent given the corpus, so that the mean of r has the SNR of one times
    sqrt(r) over re-partitions; the ratios in Table 4 of Xue et al. (2023) are 2.29, 2.47 and 2.48 for sqrt(6) = 2.45.

    Examples
    --------
    >>> repeated_hold_out([[0.5, 0.75], [0.25, 0.25]])
    array([0.625, 0.25 ])
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 0 or not array.size:
        raise InputError(f"hold-out values have the shape {array.shape}", remedy="give one value or more")
    check_finite(array)
    return np.asarray(array.mean(axis=-1))


def check_finite(array: Floats) -> None:
    """Refuse scores that are missing or infinite.

    Raises
    ------
    InputError
        If there are any.
    """
    wrong = ~np.isfinite(array)
    if wrong.any():
        raise InputError(f"{counted(int(wrong.sum()), 'score is', 'scores are')} not a finite number")
