"""Precision, recall and F-beta over a whole dataset, from true positives, false positives and false negatives."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reportkit.metrics.corpus.metric import CorpusMetric, Floats, quotient

COLUMNS = ("tp", "fp", "fn")


def precision(sums: Floats) -> Floats:
    """Share of what was found that is right; 0 if nothing was found.

    Examples
    --------
    >>> precision(np.array([3.0, 1.0, 2.0]))
    array(0.75)
    """
    tp, fp = sums[..., 0], sums[..., 1]
    return quotient(tp, tp + fp, undefined=0.0)


def recall(sums: Floats) -> Floats:
    """Share of what is to be found that was found; 0 if there is nothing to be found.

    Examples
    --------
    >>> recall(np.array([3.0, 1.0, 2.0]))
    array(0.6)
    """
    tp, fn = sums[..., 0], sums[..., 2]
    return quotient(tp, tp + fn, undefined=0.0)


def f_beta(sums: Floats, beta: float) -> Floats:
    """Weighted harmonic mean of precision and recall, (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp).

    0 if nothing was found that is right, and also if there is nothing to be found and nothing was found.

    Examples
    --------
    >>> np.round(f_beta(np.array([3.0, 1.0, 2.0]), 1.0), 6)
    np.float64(0.666667)
    """
    tp, fp, fn = sums[..., 0], sums[..., 1], sums[..., 2]
    square = beta * beta
    weighted = (1.0 + square) * tp
    return quotient(weighted, weighted + square * fn + fp, undefined=0.0)


def f1(sums: Floats) -> Floats:
    """F-beta with beta = 1."""
    return f_beta(sums, 1.0)


def f_half(sums: Floats) -> Floats:
    """F-beta with beta = 1/2, which weighs precision more."""
    return f_beta(sums, 0.5)


def f2(sums: Floats) -> Floats:
    """F-beta with beta = 2, which weighs recall more."""
    return f_beta(sums, 2.0)


def nothing_found(counts: Floats) -> Floats:
    """Counts of no output: nothing is found, all that was to be found is missed."""
    none = np.zeros(len(counts))
    return np.stack((none, none, counts[:, 0] + counts[:, 2]), axis=1)


def _of_counts(
    name: str,
    title: str,
    function: Callable[[Floats], Floats],
    undefined: str = "there is nothing to be found and nothing was found",
) -> CorpusMetric:
    return CorpusMetric(
        name=name,
        title=title,
        columns=COLUMNS,
        function=function,
        value_range=(0.0, 1.0),
        in_percent=True,
        undefined=f"0 if {undefined}",
        citation="vanrijsbergen1979information",
        no_output=nothing_found,
    )


PRECISION = _of_counts("precision", "Precision", precision, "nothing was found")
RECALL = _of_counts("recall", "Recall", recall, "there is nothing to be found")
F1 = _of_counts("f1", "F1", f1)
F_HALF = _of_counts("f0.5", "F0.5", f_half)
F2 = _of_counts("f2", "F2", f2)
