"""Corrected resampled t-test: the difference of two learning methods over the folds of a cross-validation."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from reportkit.finding import Finding
from reportkit.scores.sample import Sample
from reportkit.significance.cautions import caution
from reportkit.significance.entry import LEARNING_METHODS, MEASURED, SignificanceTest, by_student_t
from reportkit.significance.interval import Estimate
from reportkit.significance.outcome import Outcome, Tails
from reportkit.significance.plan import ResamplingPlan

_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest difference are the noise of floating-point arithmetic."""


def estimate_over_folds(folds: Sample) -> Estimate:
    """Estimate the mean difference over folds, and its standard error with the training sets' overlap allowed for.

    With k folds and r repetitions, S^2 the sample variance of the k r differences,

        se^2 = (1 / (k r) + n_test / n_train) S^2,  n_test / n_train = 1 / (k - 1),  df = k r - 1.

    Folds share most of their training data, so that their scores are correlated; the second term stands for that. No
    unbiased estimate of the variance exists (Bengio and Grandvalet, 2004).

    Parameters
    ----------
    folds : Sample
        A and B on the same folds.

    Notes
    -----
    Nadeau and Bengio (2003), "Inference for the generalization error" (the corrected resampled t-test); for
    repeated cross-validation Bouckaert and Frank (2004), "Evaluating the replicability of significance tests".

    Examples
    --------
    >>> folds = Sample(shape="folds", unit="fold",
    ...                system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                a=np.array([[0.5, 0.9], [0.7, 0.8]]), b=np.array([[0.4, 0.9], [0.5, 0.3]]))
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
    return Estimate(
        mean=(-mean if swapped else mean) + 0.0,
        standard_error=standard_error,
        degrees_of_freedom=folds.n - 1,
        n_nonzero=int(np.count_nonzero(differences)),
    )


def corrected_resampled_t(folds: Sample, plan: ResamplingPlan) -> Outcome:
    """t-test over the folds of a (repeated) cross-validation, corrected for the overlap of the training sets.

    t = mean / sqrt((1 / (k r) + 1 / (k - 1)) S^2) with k r - 1 degrees of freedom, S^2 the variance of the k r
    differences. The t-test that takes folds as independent has 1 / (k r) alone, which is too small by far.

    Parameters
    ----------
    folds : Sample
        A and B on the same folds.
    plan : ResamplingPlan
        Not needed; every test takes it.

    Notes
    -----
    Null hypothesis: trained on data of this size, A is on average at most as good as B. Assumes that scores of two
    folds are correlated as n_test / (n_test + n_train) says, which is an approximation, and that differences are near
    normal. Where all folds show the same difference, p = 1 on both sides. Nadeau and Bengio (2003), "Inference for the
    generalization error".

    Examples
    --------
    >>> import numpy as np
    >>> folds = Sample(shape="folds", unit="fold",
    ...                system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                a=np.array([[0.5, 0.9], [0.7, 0.8]]), b=np.array([[0.4, 0.9], [0.5, 0.3]]))
    >>> outcome = corrected_resampled_t(folds, ResamplingPlan())
    >>> outcome.statistic_name, round(outcome.statistic, 4), round(outcome.p_greater, 4)
    ('t(3)', 0.8281, 0.2342)
    """
    estimate = estimate_over_folds(folds)
    freedom, t = estimate.degrees_of_freedom, estimate.t
    return CORRECTED_RESAMPLED_T.outcome(
        folds,
        Tails.of_t(t, freedom),
        statistic=t or 0.0,
        statistic_name=f"t({freedom})",
        n_nonzero=estimate.n_nonzero,
        estimate=estimate.mean,
    )


def _remarks(folds: Sample, outcome: Outcome) -> Iterator[Finding]:
    if outcome.algorithm == "no variance":
        yield caution("no-variance/folds", folds.label)
    if folds.n_folds == 2:
        yield caution("two-folds", folds.label)


CORRECTED_RESAMPLED_T = SignificanceTest(
    name="corrected-resampled-t",
    title="corrected resampled t-test",
    function=corrected_resampled_t,
    kinds=MEASURED,
    interval=by_student_t(
        estimate_over_folds,
        interval="corrected resampled t interval",
        test="corrected resampled t-test",
        citation="nadeau2003inference",
    ),
    estimand="mean difference over folds",
    hypotheses=LEARNING_METHODS,
    assumptions=("the differences are approximately normally distributed",),
    citation="nadeau2003inference",
    summary="Scores of the folds of a cross-validation, whose training sets overlap.",
    shape="folds",
    independent_units="the scores of two folds are as correlated as the overlap of their training sets makes them "
    "(the approximation of Nadeau and Bengio)",
    remarks=_remarks,
)
