"""BLEU of a whole dataset, from lengths and matching n-grams; the arithmetic of sacreBLEU."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np

from reportkit.metrics.corpus.metric import CorpusMetric, Floats

ORDER = 4
COLUMNS = (
    "hyp_len",
    "ref_len",
    *(f"correct{n}" for n in range(1, ORDER + 1)),
    *(f"total{n}" for n in range(1, ORDER + 1)),
)
Smoothing = Literal["exp", "floor", "none"]

FLOOR = 0.1
"""What `floor` counts where no n-gram of an order matches (Chen and Cherry 2014, method 1)."""


def bleu(sums: Floats, smoothing: Smoothing = "exp") -> Floats:
    """BLEU from 0 to 100: brevity penalty times the geometric mean of the n-gram precisions, n = 1 to 4.

    Parameters
    ----------
    sums : ndarray of shape (..., 10)
        Sums of `hyp_len, ref_len, correct1..4, total1..4`.
    smoothing : {"exp", "floor", "none"}
        What an order without matches counts: half, a quarter, ... of one match, as in mteval-v13a; a tenth of one; or
        none at all, which makes BLEU 0.

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
    if none.any():
        floor = FLOOR if smoothing == "floor" else 0.0
        counted = np.where(none, np.exp2(-np.cumsum(none, axis=0)) if smoothing == "exp" else floor, correct)
    precisions = 100.0 * counted / np.where(total == 0, 1.0, total)
    logarithms = np.log(np.where(precisions > 0, precisions, 1.0))
    mean = (logarithms[0] + logarithms[1] + logarithms[2] + logarithms[3]) / ORDER
    short = hyp_len < ref_len
    penalty = np.where(short, np.exp(1.0 - ref_len / np.where(hyp_len > 0, hyp_len, 1.0)), 1.0)
    nothing = none.all(axis=0) | (precisions == 0).any(axis=0) | (total == 0).any(axis=0) | (short & (hyp_len == 0))
    return np.asarray(np.where(nothing, 0.0, penalty * np.exp(mean)), dtype=np.float64)


def no_translation(counts: Floats) -> Floats:
    """Counts of no output: no words, no matches, and the length of the reference."""
    empty = np.zeros_like(counts)
    empty[:, 1] = counts[:, 1]
    return empty


def _variant(name: str, title: str, smoothing: Smoothing, *, offered: bool) -> CorpusMetric:
    return CorpusMetric(
        name=name,
        title=title,
        columns=COLUMNS,
        function=partial(bleu, smoothing=smoothing),
        value_range=(0.0, 100.0),
        undefined="0 if nothing matches",
        citation="papineni2002bleu",
        at_most=tuple((f"correct{n}", f"total{n}") for n in range(1, ORDER + 1)),
        given_by_the_data=("ref_len",),
        no_output=no_translation,
        offered=offered,
    )


BLEU = _variant("bleu", "BLEU", "exp", offered=True)
BLEU_FLOOR = _variant("bleu-floor", "BLEU (floor)", "floor", offered=False)
BLEU_UNSMOOTHED = _variant("bleu-unsmoothed", "BLEU (unsmoothed)", "none", offered=False)
