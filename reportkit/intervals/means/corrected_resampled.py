"""Nadeau and Bengio's variance of a difference over the folds of a cross-validation."""

from __future__ import annotations

import math

import numpy as np

from reportkit.intervals.interval import Interval
from reportkit.intervals.means.student_t import MeanEstimate
from reportkit.scores.shapes.folds import PairedFolds

_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest difference are the noise of floating-point arithmetic."""


def estimate_over_folds(folds: PairedFolds) -> MeanEstimate:
    """Estimate the mean difference over folds, and its standard error with the training sets' overlap allowed for.

    With k folds and r repetitions, S^2 the sample variance of the k r differences,

        se^2 = (1 / (k r) + n_test / n_train) S^2,  n_test / n_train = 1 / (k - 1),  df = k r - 1.

    Folds share most of their training data, so that their scores are correlated; the second term stands for that. No
    unbiased estimate of the variance exists (Bengio and Grandvalet, 2004).

    Parameters
    ----------
    folds : PairedFolds
        A and B on the same folds.

    Notes
    -----
    Nadeau and Bengio (2003), "Inference for the generalization error" (the corrected resampled t-test); for
    repeated cross-validation Bouckaert and Frank (2004), "Evaluating the replicability of significance tests".

    Examples
    --------
    >>> folds = PairedFolds(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                     a=np.array([[0.5, 0.9], [0.7, 0.8]]), b=np.array([[0.4, 0.9], [0.5, 0.3]]))
    >>> estimate = estimate_over_folds(folds)
    >>> round(estimate.mean, 6), round(estimate.standard_error, 6)  # sqrt(1/4 + 1) * 0.216025
    (0.2, 0.241523)
    """
    swapped = folds.system_b < folds.system_a
    differences = np.sort((-folds.differences if swapped else folds.differences).ravel())
    mean = float(differences.mean())
    scale = float(np.abs(differences).max())
    standard_error = None
    if scale and float(np.abs(differences - mean).max()) > _NO_VARIANCE * scale:
        deviation = scale * float(np.std(differences / scale, ddof=1))
        standard_error = deviation * math.sqrt(1 / folds.n + 1 / (folds.n_folds - 1))
    return MeanEstimate(
        mean=(-mean if swapped else mean) + 0.0,
        standard_error=standard_error,
        degrees_of_freedom=folds.n - 1,
        n_nonzero=int(np.count_nonzero(differences)),
    )


def corrected_resampled_interval(folds: PairedFolds, confidence_level: float = 0.95) -> Interval | None:
    """Interval for the mean difference over folds.

    Returns
    -------
    Interval or None
        None if all folds show the same difference.
    """
    estimate = estimate_over_folds(folds)
    return Interval.of_t(
        estimate.mean,
        estimate.standard_error,
        estimate.degrees_of_freedom,
        confidence_level,
        title="corrected resampled t interval",
        citation="nadeau2003inference",
    )
