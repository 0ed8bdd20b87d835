"""Shares over all tokens (or fields, edges, ...) of a dataset: micro-averaged accuracy, and error rates."""

from __future__ import annotations

import numpy as np

from reportkit.metrics.corpus.metric import CorpusMetric, Floats, quotient


def share(sums: Floats) -> Floats:
    """First sum divided by the second; NaN if the second is 0.

    Examples
    --------
    >>> share(np.array([90.0, 120.0]))
    array(0.75)
    """
    return quotient(sums[..., 0], sums[..., 1])


def nothing_right(counts: Floats) -> Floats:
    """Counts of no output: none of the tokens is right."""
    return np.stack((np.zeros(len(counts)), counts[:, 1]), axis=1)


def everything_wrong(counts: Floats) -> Floats:
    """Counts of no output: as many errors as there are tokens in the reference."""
    return np.stack((counts[:, 1], counts[:, 1]), axis=1)


def _accuracy(name: str, title: str, *, offered: bool = False) -> CorpusMetric:
    return CorpusMetric(
        name=name,
        title=title,
        columns=("correct", "total"),
        function=share,
        value_range=(0.0, 1.0),
        in_percent=True,
        undefined="undefined if the total is 0",
        at_most=(("correct", "total"),),
        ratio=("correct", "total"),
        given_by_the_data=("total",),
        no_output=nothing_right,
        offered=offered,
    )


def _error_rate(name: str, title: str, *, offered: bool = False) -> CorpusMetric:
    return CorpusMetric(
        name=name,
        title=title,
        columns=("errors", "total"),
        function=share,
        higher_is_better=False,
        value_range=(0.0, float("inf")),
        in_percent=True,
        undefined="undefined if the total is 0",
        ratio=("errors", "total"),
        given_by_the_data=("total",),
        no_output=everything_wrong,
        offered=offered,
    )


ACCURACY = _accuracy("accuracy", "Accuracy", offered=True)
EXACT_MATCH = _accuracy("exact-match", "Exact match")
UAS = _accuracy("uas", "UAS")
LAS = _accuracy("las", "LAS")
ERROR_RATE = _error_rate("error-rate", "Error rate", offered=True)
WER = _error_rate("wer", "WER")
CER = _error_rate("cer", "CER")
