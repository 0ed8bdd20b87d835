"""chrF and chrF++ of a whole dataset, from numbers of n-grams of each order; the arithmetic of sacreBLEU."""

from __future__ import annotations

import numpy as np

from reportkit.metrics.corpus.metric import CorpusMetric, Floats, quotient

CHARACTER_ORDER = 6
WORD_ORDER = 2
BETA = 2.0


def _columns(prefix: str, order: int) -> tuple[str, ...]:
    return tuple(f"{prefix}{part}{n}" for n in range(1, order + 1) for part in ("hyp", "ref", "match"))


def chrf(sums: Floats) -> Floats:
    """Character n-gram F-score from 0 to 100: F-beta, beta = 2, of precision and recall averaged over orders.

    Parameters
    ----------
    sums : ndarray of shape (..., 3 * number of orders)
        For each order, n-grams of the output, of the reference, and those that match.

    Notes
    -----
    An order counts if output and reference have n-grams of it (effective order); 0 if none does. Popović (2015),
    equation 1; Popović (2017) for chrF++, which adds words and pairs of words to the characters.

    Examples
    --------
    >>> np.round(chrf(np.array([50.0, 60.0, 30.0, 40.0, 50.0, 20.0])), 4)
    np.float64(46.6981)
    """
    hyp, ref, match = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
    counts = (hyp > 0) & (ref > 0)
    number = counts.sum(axis=-1)
    precision = quotient((quotient(match, hyp, 0.0) * counts).sum(axis=-1), number, 0.0)
    recall = quotient((quotient(match, ref, 0.0) * counts).sum(axis=-1), number, 0.0)
    square = BETA * BETA
    return 100.0 * quotient((1.0 + square) * precision * recall, square * precision + recall, 0.0)


def no_translation(counts: Floats) -> Floats:
    """Counts of no output: no n-grams, and those of the reference."""
    empty = np.zeros_like(counts)
    empty[:, 1::3] = counts[:, 1::3]
    return empty


def _metric(name: str, title: str, columns: tuple[str, ...], citation: str) -> CorpusMetric:
    return CorpusMetric(
        name=name,
        title=title,
        columns=columns,
        function=chrf,
        value_range=(0.0, 100.0),
        undefined="0 if nothing matches",
        citation=citation,
        at_most=tuple((match, other) for hyp, ref, match in _orders(columns) for other in (hyp, ref)),
        given_by_the_data=tuple(ref for _, ref, _ in _orders(columns)),
        no_output=no_translation,
    )


def _orders(columns: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [columns[first : first + 3] for first in range(0, len(columns), 3)]


CHRF = _metric("chrf", "chrF", _columns("", CHARACTER_ORDER), "popovic2015chrf")
CHRF_PLUS_PLUS = _metric(
    "chrf++", "chrF++", _columns("", CHARACTER_ORDER) + _columns("word_", WORD_ORDER), "popovic2017chrfpp"
)
