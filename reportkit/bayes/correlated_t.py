"""Bayesian correlated t: the mean difference over the folds of a cross-validation."""

from __future__ import annotations

from reportkit.bayes.student_t import LocationScaleT, located
from reportkit.intervals.means.corrected_resampled import estimate_over_folds
from reportkit.scores.shapes.folds import PairedFolds


def correlated_t(folds: PairedFolds) -> LocationScaleT:
    """Posterior of the mean difference over folds whose training sets overlap.

    The differences of the k r folds are taken as normal with equal correlation rho = 1 / k, the share of the data that
    is tested on. The posterior of their mean is t with k r - 1 degrees of freedom about the observed mean, with scale

        sqrt((1 / (k r) + rho / (1 - rho)) S^2),

    the standard error of the corrected resampled t-test: P(A is better) is one minus its one-sided p-value.

    Parameters
    ----------
    folds : PairedFolds
        A and B on the same folds.

    Raises
    ------
    DesignError
        If all folds show the same difference.

    Notes
    -----
    The correlation cannot be estimated from the folds and is assumed (Nadeau and Bengio, 2003). Corani and Benavoli
    (2015), "A Bayesian approach for comparing cross-validated algorithms on multiple data sets", section 3; the same as
    `baycomp.CorrelatedTTest` with `runs` = r.

    Examples
    --------
    >>> import numpy as np
    >>> folds = PairedFolds(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                     a=np.array([[0.5, 0.9], [0.7, 0.8]]), b=np.array([[0.4, 0.9], [0.5, 0.3]]))
    >>> round(correlated_t(folds).above(0.0), 4)
    0.7658
    """
    return located(estimate_over_folds(folds), folds.label, "folds")
