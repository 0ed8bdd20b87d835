"""Matthews correlation coefficient of a whole dataset, from the four cells of the confusion matrix."""

from __future__ import annotations

import numpy as np

from reportkit.metrics.corpus.metric import CorpusMetric, Floats, quotient


def matthews_correlation(sums: Floats) -> Floats:
    """Correlation of predicted and true labels, from tp, fp, fn, tn; 0 if one of the margins is empty.

    Examples
    --------
    >>> np.round(matthews_correlation(np.array([6.0, 1.0, 2.0, 3.0])), 6)
    np.float64(0.478091)
    """
    tp, fp, fn, tn = (np.asarray(sums[..., column], dtype=np.float64) for column in range(4))
    scale = np.sqrt(tp + fp) * np.sqrt(tp + fn) * np.sqrt(tn + fp) * np.sqrt(tn + fn)
    return quotient(tp * tn - fp * fn, scale, undefined=0.0)


MATTHEWS = CorpusMetric(
    name="mcc",
    title="MCC",
    columns=("tp", "fp", "fn", "tn"),
    function=matthews_correlation,
    value_range=(-1.0, 1.0),
    undefined="0 if all predictions, or all true labels, are the same",
    citation="matthews1975comparison",
)
