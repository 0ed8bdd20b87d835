"""Alignment error rate of word alignments, from three counts."""

from __future__ import annotations

import numpy as np

from reportkit.metrics.corpus.metric import CorpusMetric, Floats, quotient


def alignment_error_rate(sums: Floats) -> Floats:
    """1 - (|A and S| + |A and P|) / (|A| + |S|), of links A, sure links S and possible links P, which hold S.

    The counts are |A and S| + |A and P|, |A| and |S|; 0 if there are neither links nor sure links.

    Examples
    --------
    Of four links, three are sure and one only possible; one sure link is missing.

    >>> alignment_error_rate(np.array([3.0 + 4.0, 4.0, 4.0]))
    array(0.125)
    """
    matched, proposed, sure = sums[..., 0], sums[..., 1], sums[..., 2]
    return np.asarray(1.0 - quotient(matched, proposed + sure, undefined=1.0))


def no_links(counts: Floats) -> Floats:
    """Counts of no output: all sure links are missed."""
    none = np.zeros(len(counts))
    return np.stack((none, none, counts[:, 2]), axis=1)


AER = CorpusMetric(
    name="aer",
    title="AER",
    columns=("matched", "proposed", "sure"),
    function=alignment_error_rate,
    higher_is_better=False,
    value_range=(0.0, 1.0),
    in_percent=True,
    undefined="0 if there are neither links nor sure links",
    citation="och2003systematic",
    given_by_the_data=("sure",),
    no_output=no_links,
    offered=False,
)
