"""Translation edit rate of a whole dataset; the arithmetic of sacreBLEU."""

from __future__ import annotations

import numpy as np

from reportkit.metrics.corpus.metric import CorpusMetric, Floats, quotient
from reportkit.metrics.corpus.proportions import everything_wrong


def ter(sums: Floats) -> Floats:
    """Edits per 100 words of the reference; with several references, per 100 words of their mean length.

    Without any word in the references, 100 if there are edits, and 0 if there are none. Snover et al. (2006).

    Examples
    --------
    >>> float(ter(np.array([30.0, 120.0])))
    25.0
    """
    edits, ref_len = sums[..., 0], sums[..., 1]
    return 100.0 * quotient(edits, ref_len, undefined=np.where(edits > 0, 1.0, 0.0))


TER = CorpusMetric(
    name="ter",
    title="TER",
    columns=("edits", "ref_len"),
    function=ter,
    higher_is_better=False,
    value_range=(0.0, float("inf")),
    undefined="100 if there are edits and no words in the references",
    citation="snover2006ter",
    ratio=("edits", "ref_len"),
    given_by_the_data=("ref_len",),
    no_output=everything_wrong,
)
