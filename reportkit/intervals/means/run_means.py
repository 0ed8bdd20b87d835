"""How uncertain the difference of two systems is if only their runs are a sample: one score per run."""

from __future__ import annotations

import math
from dataclasses import replace

from reportkit.intervals.interval import Interval
from reportkit.intervals.means.welch import UnpairedEstimate, estimate_unpaired
from reportkit.scores.shapes.run_scores import RunScores


def estimate_run_means(runs: RunScores) -> UnpairedEstimate:
    """Estimate the difference of the mean scores of the runs, its standard error, and the degrees of freedom.

    Standard error and degrees of freedom are Welch's. Where one system has a single run, this run is taken as given,
    and the standard error is that of the mean of the other system, with m - 1 degrees of freedom.

    Parameters
    ----------
    runs : RunScores
        A and B on one dataset.

    Notes
    -----
    Assumes that the runs of a system are independent draws of its training procedure. Welch (1947). Nothing is said
    about new test sets.

    Examples
    --------
    >>> import numpy as np
    >>> runs = RunScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                  a=np.array([0.5, 0.9, 0.7, 0.8]), b=np.array([0.4, 0.5, 0.3]))
    >>> estimate = estimate_run_means(runs)
    >>> round(estimate.t, 4), round(estimate.degrees_of_freedom, 4)
    (3.153, 4.8496)
    """
    if runs.n > 1:
        return estimate_unpaired(runs.unpaired())
    single_a = runs.a.size == 1
    several = runs.b if single_a else runs.a
    # two copies of the runs: s^2 / m of each, so that the variance of one is half of that of their difference
    twice = estimate_unpaired(replace(runs.unpaired(), a=several, b=several))
    if twice.standard_error is None:
        return UnpairedEstimate(mean=runs.value_difference, standard_error=None, degrees_of_freedom=math.nan)
    return UnpairedEstimate(
        mean=runs.value_difference,
        standard_error=twice.standard_error / math.sqrt(2),
        degrees_of_freedom=float(several.size - 1),
    )


def run_means_interval(runs: RunScores, confidence_level: float = 0.95) -> Interval | None:
    """Interval for the difference of the mean scores of all runs that the training procedures could give.

    Returns
    -------
    Interval or None
        None if the runs of neither system differ.
    """
    estimate = estimate_run_means(runs)
    return Interval.of_t(
        estimate.mean,
        estimate.standard_error,
        estimate.degrees_of_freedom,
        confidence_level,
        title="Welch interval over runs",
        citation="welch1947generalization",
    )
