"""One claim on all datasets: four answers on each, adjusted for their number, and on how many the claim holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.bayes_factor import Hypothesis
from reportkit.bayes.model import Prior
from reportkit.errors import DesignError
from reportkit.evidence.four_answers import FourAnswers, four_answers
from reportkit.replicability.holm import holm
from reportkit.replicability.k_hat import k_hat
from reportkit.results.sample import Sample
from reportkit.significance.assessment import Assessment


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AssessedClaim:
    """What the data say of one claim about two systems.

    Parameters
    ----------
    system_a, system_b : str
        Names.
    hypothesis : Hypothesis
        The claim.
    alpha : float
        Level of everything that has one.
    answers : tuple of FourAnswers
        One per dataset.
    adjusted_p_values : ndarray of shape (n_datasets,) or None
        By Holm's procedure over these datasets and this claim; None if a dataset has no p-value.
    k_hat : int or None
        Lower bound, with confidence 1 - alpha under any dependence, for the number of datasets on which the claim
        holds; None if a dataset has no p-value.
    """

    system_a: str
    system_b: str
    hypothesis: Hypothesis
    alpha: float
    answers: tuple[FourAnswers, ...]
    adjusted_p_values: NDArray[np.float64] | None
    k_hat: int | None

    @property
    def identified(self) -> tuple[str, ...]:
        """Datasets on which the claim is shown, all of them with error probability at most alpha."""
        if self.adjusted_p_values is None:
            return ()
        shown = holm([_known(item) for item in self.answers], self.alpha)
        return tuple(item.dataset for item, flag in zip(self.answers, shown, strict=True) if flag)


def assess_claim(
    samples: Sequence[Sample],
    assessments: Sequence[Assessment],
    hypothesis: Hypothesis,
    *,
    alpha: float = 0.05,
    rope: float | None = None,
    prior: Prior | None = None,
    seed: int = 0,
) -> AssessedClaim:
    """Ask all four questions of one claim on every dataset.

    Parameters
    ----------
    samples : sequence of Sample
        A and B on each dataset.
    assessments : sequence of Assessment
        The same, tested without a margin.
    hypothesis, rope, prior, seed
        As for `four_answers`.
    alpha : float
        Level of Holm's procedure and of k-hat.

    Returns
    -------
    AssessedClaim
        The family is this claim on these datasets. A claim that was chosen after looking at the results belongs to the
        larger family of all claims that could have been chosen.

    Raises
    ------
    DesignError
        If there is no dataset.
    SettingsError
        If the margin, the region or the prior make no sense.

    Notes
    -----
    p-values are those of tests shifted to the margin, so that k-hat counts datasets on which A is better by more than
    the margin: Dror et al. (2017), section 4.1, with shifted null hypotheses.
    """
    if not samples:
        raise DesignError("the two systems have no dataset in common", remedy="compare other systems")
    answers = tuple(
        four_answers(sample, assessment, hypothesis, rope=rope, prior=prior, seed=seed)
        for sample, assessment in zip(samples, assessments, strict=True)
    )
    p_values = [item.p_value for item in answers if item.p_value is not None]
    complete = len(p_values) == len(answers)
    return AssessedClaim(
        system_a=samples[0].system_a,
        system_b=samples[0].system_b,
        hypothesis=hypothesis,
        alpha=alpha,
        answers=answers,
        adjusted_p_values=np.asarray(holm(p_values)) if complete else None,
        k_hat=int(k_hat(p_values, alpha)) if complete else None,
    )


def _known(item: FourAnswers) -> float:
    if item.p_value is None:
        raise AssertionError("checked before")
    return item.p_value
