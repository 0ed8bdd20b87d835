"""What a comparison could have shown at the n that it has: its minimum detectable effect."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from reportkit.intervals.choose_interval import standard_error
from reportkit.intervals.means.corrected_resampled import estimate_over_folds
from reportkit.intervals.means.run_means import estimate_run_means
from reportkit.intervals.means.student_t import estimate_mean
from reportkit.intervals.means.two_way import estimate_two_way
from reportkit.intervals.means.units import as_wins
from reportkit.intervals.means.welch import estimate_unpaired
from reportkit.power_analysis.minimum_detectable import (
    FEW_UNITS,
    MinimumDetectable,
    mcnemar_minimum_detectable,
    minimum_detectable,
    sign_flip_minimum_detectable,
)
from reportkit.power_analysis.planned_error import PlannedError
from reportkit.power_analysis.two_proportions import two_proportions_minimum_detectable
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.scores.shapes.predictions import PairedPredictions
from reportkit.scores.shapes.sample import Sample, Shape
from reportkit.scores.shapes.unpaired import UnpairedScores
from reportkit.settings import Alternative


def realised_minimum_detectable(
    sample: Sample,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    n_datasets: int = 1,
) -> MinimumDetectable | None:
    """Smallest true difference that this comparison would show with a given power.

    What to report instead of "observed power". Of the results it takes how well the difference is known (its standard
    error; for right-or-wrong scores without clusters and weights, how many instances differ; for two independent
    proportions, how many answers are right in all), never the difference. The power is that of the exact tests for
    right-or-wrong scores, of sign flips where up to twelve units differ, and of the t test for others, at a level
    that permutations can reach.

    Parameters
    ----------
    sample : Sample
        A and B on one dataset.
    power, alpha, alternative, n_datasets
        As for `minimum_detectable`.

    Returns
    -------
    MinimumDetectable or None
        In units of the score; for ordinal scores of the share of wins minus the share of losses. None if the data hold
        no information on the variance, or no instance differs. Its values are None where no difference at all would be
        shown with this power.

    Raises
    ------
    SettingsError
        If a setting makes no sense.

    Notes
    -----
    Hoenig and Heisey (2001), "The abuse of power"; Card et al. (2020) for accuracies.

    Examples
    --------
    >>> import numpy as np
    >>> right = PairedScores(system_a="a", system_b="b", dataset="cb", metric="accuracy", kind="binary",
    ...                      a=np.repeat([1.0, 0.0, 1.0], [60, 40, 900]), b=np.repeat([0.0, 1.0, 1.0], [60, 40, 900]))
    >>> round(realised_minimum_detectable(right).at_alpha, 4)  # 100 of 1,000 differ
    0.0287
    """
    found = _search(sample)
    if found is None:
        return None
    return found(power=power, alpha=alpha, alternative=alternative, n_datasets=n_datasets)


def _search(sample: Sample) -> Callable[..., MinimumDetectable] | None:
    """What finds the smallest difference of this design; None if nothing is known of the variance."""
    plain = plain_right_or_wrong(sample)
    if plain is not None:
        differing = sum(plain.wins_and_losses)
        return partial(mcnemar_minimum_detectable, plain.n, differing / plain.n) if differing else None
    right = sample.independent_rights
    if right is not None and sample.kind != "ordinal":
        overall = (right.a + right.b) / (right.n_a + right.n_b)
        return partial(two_proportions_minimum_detectable, right.n_a, right.n_b, overall)
    error = standard_error(sample)
    if error is None:
        return None
    n_units = _SIGN_FLIPPED[sample.shape](sample) if sample.shape in _SIGN_FLIPPED else 0
    if 0 < n_units <= FEW_UNITS:
        return partial(sign_flip_minimum_detectable, error, n_units)
    p_min = _SMALLEST_P_VALUES[sample.shape](sample) if sample.shape in _SMALLEST_P_VALUES else 0.0
    return partial(minimum_detectable, PlannedError(error, realised_degrees_of_freedom(sample)), p_min=p_min)


def plain_right_or_wrong(sample: Sample) -> PairedScores | None:
    """Paired right-or-wrong scores that need no more than their wins and losses: no clusters, no weights; else None."""
    if not isinstance(sample, PairedScores):
        return None
    paired = as_wins(sample) if sample.kind == "ordinal" else sample
    return paired if paired.kind == "binary" and paired.clusters is None and paired.weights is None else None


def realised_degrees_of_freedom(sample: Sample) -> float:
    """Those of the t distribution of the difference; inf where it is taken as normal."""
    return _DEGREES_OF_FREEDOM[sample.shape](sample)


def _smallest_p_value(sample: UnpairedScores) -> float:
    """Smallest one-sided p-value of the permutations of so few instances, of which all others are multiples."""
    return 1 / math.comb(sample.n_a + sample.n_b, sample.n_a)


def _of_units(sample: PairedStatistics | PairedPredictions) -> float:
    return (sample.n if sample.n_clusters is None else sample.n_clusters) - 1


def _of_unpaired(sample: UnpairedScores) -> float:
    return estimate_unpaired(sample).degrees_of_freedom if sample.kind != "ordinal" and not sample.binary else math.inf


_DEGREES_OF_FREEDOM: Mapping[Shape, Callable[[Any], float]] = {
    "corpus": _of_units,
    "correlation": _of_units,
    "paired": lambda sample: estimate_mean(sample).degrees_of_freedom,
    "runs": lambda sample: estimate_two_way(sample).degrees_of_freedom,
    "run-scores": lambda sample: estimate_run_means(sample).degrees_of_freedom,
    "folds": lambda sample: estimate_over_folds(sample).degrees_of_freedom,
    "unpaired": _of_unpaired,
    "counts": lambda sample: math.inf,
}
"""Those of the t distribution of the difference, by shape; inf where it is taken as normal."""

_SIGN_FLIPPED: Mapping[Shape, Callable[[Any], int]] = {"paired": lambda sample: estimate_mean(sample).n_nonzero}
"""Independent units that differ, where signs may be flipped."""

_SMALLEST_P_VALUES: Mapping[Shape, Callable[[Any], float]] = {"unpaired": _smallest_p_value}
