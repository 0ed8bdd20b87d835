"""Accuracy and chunk F1 of predicted labels, as sums of counts over instances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError, InputError, UnknownNameError
from reportkit.language import counted, listed
from reportkit.metrics.formulas import f1

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMetric:
    """A metric of predicted labels whose value follows from counts summed over instances.

    Parameters
    ----------
    name : str
        "accuracy" or "chunk-f1".
    counts : callable
        (gold, predicted, owner, n, names) to counts of shape (n, k): codes of gold and predicted labels, the instance
        that each belongs to, the number of instances, and the names that the codes stand for.
    value : callable
        Sums of shape (..., k) to values of shape (...).
    by_label : bool
        Whether each label counts by itself. A tied vote can then earn a part of a point, and sentences do not matter.
    """

    name: str
    counts: Callable[[Ints, Ints, Ints, int, NDArray[Any]], Floats]
    value: Callable[[Floats], Floats]
    by_label: bool


def chunk_counts(gold: Ints, predicted: Ints, owner: Ints, n: int, names: NDArray[Any]) -> Floats:
    """Count chunks found, chunks found wrongly and chunks missed in each instance: tp, fp, fn.

    A chunk is right if its first token, its last token and its type are. It begins at `B-X`, and at an `I-X` that
    follows no chunk of type X (at the start of a sentence, after `O` or after another type), as in the evaluation of
    CoNLL 2000: every series of labels can be read, IOB1 and the outcome of a vote over tokens as well.

    Parameters
    ----------
    gold, predicted : ndarray of shape (T,)
        Codes of labels; tokens of one instance are together and in order.
    owner : ndarray of shape (T,)
        Instance of each token.
    n : int
        Number of instances.
    names : ndarray
        Labels that the codes stand for: `O`, `B`, `I`, `B-X`, `I-X`.

    Raises
    ------
    InputError
        If a label is none of these.

    Notes
    -----
    Tjong Kim Sang and Buchholz (2000), "Introduction to the CoNLL-2000 shared task: chunking".

    Examples
    --------
    >>> names = np.array(["B-NP", "B-VP", "I-NP", "O"])
    >>> gold, predicted = np.array([0, 2, 1, 3, 0]), np.array([0, 2, 1, 0, 2])
    >>> chunk_counts(gold, predicted, np.zeros(5, dtype=int), 1, names).tolist()
    [[2.0, 1.0, 1.0]]
    """
    inside, begins, kind = _parsed(names)
    first = np.ones(owner.size, dtype=np.bool_)
    first[1:] = owner[1:] != owner[:-1]
    ends_gold = _last_token(inside[gold], begins[gold], kind[gold], first)
    ends_predicted = _last_token(inside[predicted], begins[predicted], kind[predicted], first)
    right = (ends_gold >= 0) & (ends_gold == ends_predicted) & (kind[gold] == kind[predicted])
    hits, found, wanted = (
        np.bincount(owner[chunk], minlength=n) for chunk in (right, ends_predicted >= 0, ends_gold >= 0)
    )
    return np.stack((hits, found - hits, wanted - hits), axis=1).astype(np.float64)


def _parsed(names: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.bool_], Ints]:
    """Return for each label whether it is in a chunk, whether a chunk begins there, and its type as a number."""
    texts = [str(name) for name in names.tolist()]
    odd = [text for text in texts if text != "O" and text[:2] not in {"B", "I", "B-", "I-"}]
    if odd:
        raise InputError(
            f"{counted(len(odd), 'label is', 'labels are')} not in the scheme of B-X, I-X and O:"
            f" {listed([repr(text) for text in odd[:5]])}",
            remedy="write chunks as B-X, I-X and O (IOBES: S becomes B, E becomes I), or use metric='accuracy'",
        )
    types = [text[2:] if text != "O" else "" for text in texts]
    order = {kind: code for code, kind in enumerate(sorted(set(types)))}
    return (
        np.array([text != "O" for text in texts], dtype=np.bool_),
        np.array([text.startswith("B") for text in texts], dtype=np.bool_),
        np.array([order[kind] for kind in types], dtype=np.intp),
    )


def _last_token(inside: NDArray[np.bool_], begins: NDArray[np.bool_], kind: Ints, first: NDArray[np.bool_]) -> Ints:
    """Return the position of the last token of the chunk that starts at each token; -1 where none starts."""
    start, stop = inside.copy(), inside.copy()
    goes_on = inside[1:] & inside[:-1] & (kind[1:] == kind[:-1]) & ~begins[1:] & ~first[1:]
    start[1:] &= ~goes_on
    stop[:-1] &= ~goes_on
    last = np.full(inside.size, -1, dtype=np.intp)
    last[start] = np.flatnonzero(stop)
    return last


def credit_counts(credit: Floats, owner: Ints, n: int) -> Floats:
    """Sum the credit of each label, in [0, 1], and the number of labels over each instance."""
    return np.stack((np.bincount(owner, credit, n), np.bincount(owner, minlength=n)), axis=1).astype(np.float64)


LABEL_METRICS = {
    "accuracy": LabelMetric(
        name="accuracy",
        counts=lambda gold, predicted, owner, n, names: credit_counts((gold == predicted) * 1.0, owner, n),
        value=lambda sums: np.asarray(sums[..., 0] / sums[..., 1]),
        by_label=True,
    ),
    "chunk-f1": LabelMetric(name="chunk-f1", counts=chunk_counts, value=f1, by_label=False),
}


def label_metric(name: str, *, with_owner: bool) -> LabelMetric:
    """Look up a metric by its name, "accuracy" or "chunk-f1".

    Raises
    ------
    UnknownNameError
        If there is none of that name.
    DesignError
        If it needs to know which tokens are in one sentence, and this is not known.
    """
    if name not in LABEL_METRICS:
        raise UnknownNameError("metric of labels", name, LABEL_METRICS)
    metric = LABEL_METRICS[name]
    if not with_owner and not metric.by_label:
        raise DesignError(f"{name} needs to know which tokens stand in one sentence", remedy="pass owner")
    return metric
