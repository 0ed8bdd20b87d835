"""One claim on all datasets: four answers on each, adjusted for their number, and on how many the claim holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.bayes.bayes_factor import Hypothesis
from reportkit.bayes.evidence.four_answers import FourAnswers, four_answers
from reportkit.bayes.models import Prior
from reportkit.errors import DesignError
from reportkit.language import short_repr
from reportkit.replicability.multiple_testing.partial_conjunction import holm
from reportkit.scores.sample import Sample
from reportkit.significance.outcome import Outcome, rejection_level


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AssessedClaim:
    """The evidence for one claim about two systems.

    Parameters
    ----------
    system_a, system_b : str
        Names.
    hypothesis : Hypothesis
        The claim.
    alpha : float
        Level of Holm's procedure and of k-hat.
    answers : tuple of FourAnswers
        One per dataset.
    adjusted_p_values : ndarray of shape (n_datasets,) or None
        None if a dataset has no p-value.
    correction : str
        What they are adjusted by, as a clause: "by Holm's procedure over 4 datasets".
    bound : int or None
        The analysis's own k-hat, where it makes the same claim and the datasets are independent.
    apart : bool
        Whether this bound and the named datasets are separate statements, which need not hold together.
    """

    system_a: str
    system_b: str
    hypothesis: Hypothesis
    alpha: float
    answers: tuple[FourAnswers, ...]
    adjusted_p_values: NDArray[np.float64] | None
    correction: str
    bound: int | None = None
    apart: bool = False

    __repr__ = short_repr

    @property
    def identified(self) -> tuple[str, ...]:
        """Datasets on which the claim is shown, all of them with error probability at most alpha."""
        if self.adjusted_p_values is None:
            return ()
        shown = self.adjusted_p_values <= rejection_level(self.alpha)
        return tuple(item.dataset for item, flag in zip(self.answers, shown, strict=True) if flag)

    @property
    def k_hat(self) -> int | None:
        """Lower bound for the number of datasets on which the claim holds: the analysis's, or how many are identified.

        The latter holds under any dependence of the datasets.
        """
        if self.adjusted_p_values is None:
            return None
        return len(self.identified) if self.bound is None else self.bound

    @property
    def rows(self) -> list[dict[str, object]]:
        """Rows of a frame, one for each dataset: the four answers side by side."""
        rows: list[dict[str, object]] = []
        adjusted = [None] * len(self.answers) if self.adjusted_p_values is None else self.adjusted_p_values.tolist()
        for item, p_value in zip(self.answers, adjusted, strict=True):
            factors, interval = item.bayes_factors, item.interval
            low, high = (None, None) if factors is None else factors.range
            rows.append(
                {
                    "dataset": item.dataset,
                    "p_value": item.p_value,
                    "adjusted_p_value": p_value,
                    "identified": item.dataset in self.identified,
                    "ci_low": None if interval is None else interval.low,
                    "ci_high": None if interval is None else interval.high,
                    "probability": item.probability,
                    "bayes_factor": None if factors is None else factors.factors[0].value,
                    "bayes_factor_low": low,
                    "bayes_factor_high": high,
                    "silences": "; ".join(f"{name}: {' '.join(why.split())}" for name, why in item.silences.items()),
                }
            )
        return rows


def assess_claim(
    samples: Sequence[Sample],
    assessments: Sequence[Outcome],
    hypothesis: Hypothesis,
    *,
    alpha: float = 0.05,
    sides: int = 1,
    rope: float | None = None,
    prior: Prior | None = None,
    seed: int = 0,
) -> AssessedClaim:
    """Ask all four questions of one claim on every dataset.

    Parameters
    ----------
    samples : sequence of Sample
        A and B on each dataset.
    assessments : sequence of Outcome
        The same, tested without a margin.
    hypothesis, rope, prior, seed
        As for `four_answers`.
    alpha : float
        Level of Holm's procedure and of k-hat.
    sides : int
        2 if the direction was not declared before looking: each is then tested at half the level.

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
        four_answers(sample, assessment, hypothesis, rope=rope, prior=prior, seed=seed, confidence_level=1 - alpha)
        for sample, assessment in zip(samples, assessments, strict=True)
    )
    found = p_values_of(answers)
    n = len(answers)
    over = f"by Holm's procedure over {n} datasets" if n > 1 else "for no other dataset"
    return AssessedClaim(
        system_a=samples[0].system_a,
        system_b=samples[0].system_b,
        hypothesis=hypothesis,
        alpha=alpha,
        answers=answers,
        adjusted_p_values=None if found is None else np.minimum(1.0, sides * np.asarray(holm(found))),
        correction=over + (" in both directions" if sides > 1 else ""),
    )


def p_values_of(answers: Sequence[FourAnswers]) -> list[float] | None:
    """Return the unadjusted p-value of each dataset; None if a dataset has none."""
    found = [item.p_value for item in answers if item.p_value is not None]
    return found if len(found) == len(answers) else None
