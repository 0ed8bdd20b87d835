"""Which interval stands beside the difference of a corpus metric: by the number of instances."""

from __future__ import annotations

from reportkit.intervals.bca import bca_interval
from reportkit.intervals.corpus_bootstrap_t import corpus_bootstrap_t_interval
from reportkit.intervals.interval import Interval
from reportkit.intervals.jackknife import jackknife_t_interval
from reportkit.results.paired_statistics import PairedStatistics

FEWEST_FOR_BOOTSTRAP = 20
"""With fewer independent units, resamples say little: the jackknife is used for test and interval."""

FEWEST_FOR_BCA = 50
"""With fewer independent units, the bootstrap-t is used, which also corrects for the spread of the standard error."""


def corpus_interval(paired: PairedStatistics, level: float = 0.95, seed: int = 0) -> Interval | None:
    """Confidence interval of the difference of a metric of sums: BCa, bootstrap-t below 50 units, jackknife below 20.

    Parameters
    ----------
    paired : PairedStatistics
        A and B on one dataset.
    level : float
        Confidence level, in (0, 1).
    seed : int
        Of the resamples.

    Returns
    -------
    Interval or None
        None if the data hold no information on the variance.

    Examples
    --------
    >>> import numpy as np
    >>> from reportkit.corpus_metrics.proportions import ACCURACY
    >>> a, b = np.array([[9.0, 10.0], [7.0, 10.0], [8.0, 10.0]]), np.array([[8.0, 10.0], [7.0, 10.0], [5.0, 10.0]])
    >>> paired = PairedStatistics(system_a="a", system_b="b", dataset="cb", metric="Accuracy", kind="continuous",
    ...                           a=a, b=b, measure=ACCURACY)
    >>> corpus_interval(paired).title
    'jackknife t interval'
    """
    n_units = paired.n if paired.n_clusters is None else paired.n_clusters
    if n_units < FEWEST_FOR_BOOTSTRAP:
        return jackknife_t_interval(paired, level)
    if n_units < FEWEST_FOR_BCA:
        return corpus_bootstrap_t_interval(paired, level, seed)
    return bca_interval(paired, level, seed)
