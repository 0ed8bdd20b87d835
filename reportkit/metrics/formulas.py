"""Formulas of corpus metrics: from sums of counts, along the last axis, to values."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def quotient(numerator: Floats, denominator: Floats, undefined: float | Floats = np.nan) -> Floats:
    """Divide, with a stated value where the denominator is 0.

    Examples
    --------
    >>> quotient(np.array([1.0, 0.0]), np.array([2.0, 0.0]), undefined=0.0)
    array([0.5, 0. ])
    """
    safe = np.where(denominator == 0, 1.0, denominator)
    return np.asarray(np.where(denominator == 0, undefined, numerator / safe), dtype=np.float64)


def share(sums: Floats) -> Floats:
    """Return the first sum divided by the second; NaN if the second is 0.

    Examples
    --------
    >>> share(np.array([90.0, 120.0]))
    array(0.75)
    """
    return quotient(sums[..., 0], sums[..., 1])


def precision(sums: Floats) -> Floats:
    """Return tp / (tp + fp), the share of the found items that are right; 0 if nothing was found.

    Examples
    --------
    >>> precision(np.array([3.0, 1.0, 2.0]))
    array(0.75)
    """
    return quotient(sums[..., 0], sums[..., 0] + sums[..., 1], undefined=0.0)


def recall(sums: Floats) -> Floats:
    """Return tp / (tp + fn), the share of the true items that were found; 0 if there are none.

    Examples
    --------
    >>> recall(np.array([3.0, 1.0, 2.0]))
    array(0.6)
    """
    return quotient(sums[..., 0], sums[..., 0] + sums[..., 2], undefined=0.0)


def f_beta(sums: Floats, beta: float) -> Floats:
    """Return the weighted harmonic mean of precision and recall, (1 + b^2) tp / ((1 + b^2) tp + b^2 fn + fp).

    0 if nothing right was found, also if there was nothing to find.

    Examples
    --------
    >>> np.round(f_beta(np.array([3.0, 1.0, 2.0]), 1.0), 6)
    np.float64(0.666667)
    """
    tp, fp, fn = sums[..., 0], sums[..., 1], sums[..., 2]
    weighted = (1.0 + beta * beta) * tp
    return quotient(weighted, weighted + beta * beta * fn + fp, undefined=0.0)


def f1(sums: Floats) -> Floats:
    """Return F-beta with beta = 1."""
    return f_beta(sums, 1.0)


def matthews_correlation(sums: Floats) -> Floats:
    """Return the correlation of predicted and true labels, from tp, fp, fn, tn; 0 if one of the margins is empty.

    Examples
    --------
    >>> np.round(matthews_correlation(np.array([6.0, 1.0, 2.0, 3.0])), 6)
    np.float64(0.478091)
    """
    tp, fp, fn, tn = (np.asarray(sums[..., column], dtype=np.float64) for column in range(4))
    scale = np.sqrt(tp + fp) * np.sqrt(tp + fn) * np.sqrt(tn + fp) * np.sqrt(tn + fn)
    return quotient(tp * tn - fp * fn, scale, undefined=0.0)


ORDER = 4
COLUMNS = (
    "hyp_len",
    "ref_len",
    *(f"correct{n}" for n in range(1, ORDER + 1)),
    *(f"total{n}" for n in range(1, ORDER + 1)),
)
"""Counts of BLEU."""


def bleu(sums: Floats) -> Floats:
    """Return BLEU from 0 to 100: brevity penalty times the geometric mean of the n-gram precisions, n = 1 to 4.

    Parameters
    ----------
    sums : ndarray of shape (..., 10)
        Sums of `hyp_len, ref_len, correct1..4, total1..4`.

    Notes
    -----
    Papineni et al. (2002), section 2.3; Post (2018), whose sacreBLEU is followed step by step: 0 if nothing matches,
    and 0 if the systems put out no n-gram of some order.

    Examples
    --------
    >>> np.round(bleu(np.array([100.0, 110.0, 60.0, 35.0, 22.0, 14.0, 100.0, 95.0, 90.0, 85.0])), 4)
    np.float64(27.7918)
    """
    columns = np.ascontiguousarray(np.moveaxis(sums, -1, 0))
    hyp_len, ref_len = columns[0], columns[1]
    correct, total = columns[2 : 2 + ORDER], columns[2 + ORDER :]
    none = correct == 0
    counted = correct
    if none.any():  # orders without matches count half, a quarter, ... of one match, as in mteval-v13a
        counted = np.where(none, np.exp2(-np.cumsum(none, axis=0)), correct)
    precisions = 100.0 * counted / np.where(total == 0, 1.0, total)
    logarithms = np.log(np.where(precisions > 0, precisions, 1.0))
    mean = (logarithms[0] + logarithms[1] + logarithms[2] + logarithms[3]) / ORDER
    short = hyp_len < ref_len
    penalty = np.where(short, np.exp(1.0 - ref_len / np.where(hyp_len > 0, hyp_len, 1.0)), 1.0)
    nothing = none.all(axis=0) | (precisions == 0).any(axis=0) | (total == 0).any(axis=0) | (short & (hyp_len == 0))
    return np.asarray(np.where(nothing, 0.0, penalty * np.exp(mean)), dtype=np.float64)


def chrf(sums: Floats) -> Floats:
    """Return the character n-gram F-score, 0 to 100: F-beta, beta = 2, of precision and recall averaged over orders.

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
    return 100.0 * quotient(5.0 * precision * recall, 4.0 * precision + recall, 0.0)  # beta = 2


def ter(sums: Floats) -> Floats:
    """Return edits per 100 words of the reference; with several references, per 100 words of their mean length.

    Without any word in the references, 100 if there are edits, and 0 if there are none. Snover et al. (2006).

    Examples
    --------
    >>> float(ter(np.array([30.0, 120.0])))
    25.0
    """
    edits, ref_len = sums[..., 0], sums[..., 1]
    return 100.0 * quotient(edits, ref_len, undefined=np.where(edits > 0, 1.0, 0.0))


def alignment_error_rate(sums: Floats) -> Floats:
    """Return 1 - (|A and S| + |A and P|) / (|A| + |S|) of alignments A, sure links S and possible links P (with S).

    The first sum is that of both numbers of matches. NaN if nothing is aligned. Och and Ney (2003), "A systematic
    comparison of various statistical alignment models".

    Examples
    --------
    >>> alignment_error_rate(np.array([5.0 + 8.0, 10.0, 6.0]))  # 10 links found: 5 of 6 sure ones, 8 possible ones
    array(0.1875)
    """
    return np.asarray(1.0 - quotient(sums[..., 0], sums[..., 1] + sums[..., 2]))


PREFIX = "stat_"
"""Optional prefix of the name of a count: `stat_tp`."""

SACREBLEU = {"hyp_len": ("sys_len",), **{f"correct{n}": (f"counts_{n}",) for n in range(1, 5)}} | {
    f"total{n}": (f"totals_{n}",) for n in range(1, 5)
}
"""Other names of counts: those under which sacreBLEU keeps them."""


def folded(name: str) -> str:
    """Fold a name for comparison: no case, no `-`, `_`, `.`, `,` or space.

    Examples
    --------
    >>> folded(" Query-ID ") == folded("query_id") == "queryid"
    True
    """
    return re.sub(r"[-_.,\s]+", "", name.strip().casefold())


def folded_names(column: str) -> list[str]:
    """Return the names that a count may have in a table, folded; earlier ones win.

    Examples
    --------
    >>> folded_names("hyp_len")
    ['stathyplen', 'hyplen', 'syslen']
    """
    return [folded(name) for name in (PREFIX + column, column, *SACREBLEU.get(column, ()))]
