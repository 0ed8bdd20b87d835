"""What a user holds after asking for a posterior, a Bayes factor, or all four answers: numbers as frames, and words."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from reportkit.bayes.bayes_factor import BayesFactors
from reportkit.bayes.posterior import Posterior
from reportkit.bayes.signed_rank import SignedRankPosterior
from reportkit.evidence.asked import Evidence
from reportkit.evidence.assessed import AssessedClaim
from reportkit.evidence.effect_sizes import EffectSizes
from reportkit.intervals.interval import Interval
from reportkit.language.short_repr import few_lines
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.report.evidence.evidence_section import evidence_section
from reportkit.report.evidence.friedman_section import friedman_words
from reportkit.report.model import Section
from reportkit.report.prose import sentences
from reportkit.report.score_format import ScoreScale
from reportkit.report.text.evidence_wording import (
    answers_in_words,
    count_in_words,
    difference_in_words,
    four_questions,
    what_each_says,
)
from reportkit.report.text.wording import plain
from reportkit.scores.shapes.sample import Sample


@dataclass(frozen=True, eq=False)
class PosteriorResult:
    """Posteriors of the difference between two systems, one per dataset.

    Parameters
    ----------
    posteriors : tuple of Posterior or SignedRankPosterior
        In the order of the datasets.
    """

    posteriors: tuple[Posterior | SignedRankPosterior, ...]

    def to_frame(self) -> pd.DataFrame:
        """One row per dataset.

        Columns: system_a, system_b, dataset, model, mean, sd, p_better, low, high (of the credible interval), level,
        and with a region of practical equivalence p_better_by_rope, p_equivalent, p_worse_by_rope, outcome. Over
        datasets as the sample: p_better, p_equivalent, p_worse of a new dataset, and n_datasets.
        """
        return pd.DataFrame([_row(item) for item in self.posteriors])

    def words(self) -> str:
        """Say what was found, a line for each dataset."""
        return "\n".join(item.sentence for item in self.posteriors)

    def __repr__(self) -> str:
        return few_lines(self.words().splitlines(), "words()")


def _row(item: Posterior | SignedRankPosterior) -> dict[str, object]:
    names: dict[str, object] = {"system_a": item.system_a, "system_b": item.system_b}
    if isinstance(item, SignedRankPosterior):
        return {
            **names,
            "model": "signed-rank",
            "p_better": item.p_better,
            "p_equivalent": item.p_equivalent,
            "p_worse": item.p_worse,
            "n_datasets": item.n_datasets,
        }
    row = {
        **names,
        "dataset": item.dataset,
        "model": item.model,
        "mean": item.mean,
        "sd": item.sd,
        "p_better": item.p_better,
        "low": item.interval.low,
        "high": item.interval.high,
        "level": item.interval.level,
    }
    if item.rope is None:
        return row
    return {
        **row,
        "p_better_by_rope": item.rope.better,
        "p_equivalent": item.rope.equivalent,
        "p_worse_by_rope": item.rope.worse,
        "outcome": item.rope.decision,
    }


@dataclass(frozen=True, eq=False)
class BayesFactorResult:
    """Bayes factors of one hypothesis about two systems, one per dataset, each under several priors.

    Parameters
    ----------
    factors : tuple of BayesFactors
        In the order of the datasets.
    """

    factors: tuple[BayesFactors, ...]

    def to_frame(self) -> pd.DataFrame:
        """One row per dataset and prior.

        Columns: system_a, system_b, dataset, hypothesis, prior, prior_mass, posterior_mass, bayes_factor (of the
        hypothesis against its negation), bound ("none", "upper", "lower"), depends_on_prior.
        """
        rows = [
            {
                "system_a": found.system_a,
                "system_b": found.system_b,
                "dataset": found.dataset,
                "hypothesis": factor.hypothesis.text,
                "prior": factor.prior,
                "prior_mass": factor.prior_mass,
                "posterior_mass": factor.posterior_mass,
                "bayes_factor": factor.value,
                "bound": factor.bound,
                "depends_on_prior": found.depends_on_prior,
            }
            for found in self.factors
            for factor in found.factors
        ]
        return pd.DataFrame(rows)

    def words(self) -> str:
        """Say what was found, a line for each dataset."""
        return "\n".join(item.sentence for item in self.factors)

    def __repr__(self) -> str:
        return few_lines(self.words().splitlines(), "words()")


@dataclass(frozen=True, eq=False)
class ClaimResult:
    """Four answers to one claim on each dataset, and on how many it is shown.

    Parameters
    ----------
    data : AssessedClaim
        Everything that was computed.
    scale : ScoreScale
        How differences are printed.
    """

    data: AssessedClaim
    scale: ScoreScale

    @property
    def k_hat(self) -> int | None:
        """Lower bound for the number of datasets on which the claim holds; None if one has no p-value."""
        return self.data.k_hat

    @property
    def identified(self) -> tuple[str, ...]:
        """Datasets on which the claim is shown."""
        return self.data.identified

    def to_frame(self) -> pd.DataFrame:
        """One row per dataset: the four answers side by side.

        Columns: dataset, p_value (one-sided, of the claim's negation), adjusted_p_value (Holm), identified, ci_low,
        ci_high (of the difference), probability (posterior, of the claim), bayes_factor (claim against its negation),
        bayes_factor_low, bayes_factor_high (over the priors); missing where a question has no answer, and silences
        says why.
        """
        adjusted = self.data.adjusted_p_values
        rows = []
        for index, item in enumerate(self.data.answers):
            factors = item.bayes_factors
            rows.append(
                {
                    "dataset": item.dataset,
                    "p_value": item.p_value,
                    "adjusted_p_value": None if adjusted is None else float(adjusted[index]),
                    "identified": item.dataset in self.data.identified,
                    "ci_low": None if item.interval is None else item.interval.low,
                    "ci_high": None if item.interval is None else item.interval.high,
                    "probability": item.probability,
                    "bayes_factor": None if factors is None else factors.factors[0].value,
                    "bayes_factor_low": None if factors is None else factors.range[0],
                    "bayes_factor_high": None if factors is None else factors.range[1],
                    "silences": "; ".join(f"{name}: {' '.join(why.split())}" for name, why in item.silences.items()),
                }
            )
        numbers = [name for name in rows[0] if name not in ("dataset", "identified", "silences")]
        return pd.DataFrame(rows).astype(dict.fromkeys(numbers, "float64"))

    def section(self) -> Section:
        """Lay out words and tables, as the report has them."""
        return evidence_section(Evidence(claims=(self.data,)), self.scale)

    def words(self) -> str:
        """Say on how many datasets the claim is shown, what each answer says, and what none of them says."""
        a, b = self.data.system_a, self.data.system_b
        items = [
            plain(sentences(difference_in_words(item, self.scale), answers_in_words(item, a, b, self.scale)))
            for item in self.data.answers
        ]
        about = [plain(content) for content in (four_questions(), *what_each_says())]
        return "\n".join([plain(count_in_words(self.data, self.scale)), *items, *about])

    def __repr__(self) -> str:
        rows = self.to_frame().to_string(index=False).splitlines()
        return few_lines([plain(count_in_words(self.data, self.scale)), *rows], "to_frame()")


def intervals_frame(found: Iterable[tuple[Sample, Interval | None]]) -> pd.DataFrame:
    """One row per dataset; see `Questions.intervals`."""
    columns = ["dataset", "difference", "low", "high", "level", "method"]
    rows = [
        (sample.dataset, sample.value_difference, interval.low, interval.high, interval.level, interval.title)
        if interval is not None
        else (sample.dataset, sample.value_difference, None, None, None, "")
        for sample, interval in found
    ]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[1:5], "float64"))


def effects_frame(found: Iterable[EffectSizes]) -> pd.DataFrame:
    """One row per dataset and effect size; see `Analysis.effect_sizes`."""
    rows = [
        {
            "dataset": item.dataset,
            "effect": effect.name,
            "estimate": effect.estimate,
            "low": None if effect.interval is None else effect.interval.low,
            "high": None if effect.interval is None else effect.interval.high,
            "no_effect": effect.no_effect,
            "minimum_detectable": None if item.minimum_detectable is None else item.minimum_detectable.at_alpha,
            "minimum_detectable_in_family": None
            if item.minimum_detectable is None
            else item.minimum_detectable.in_family,
        }
        for item in found
        for effect in item.effects
    ]
    columns = ["dataset", "effect", "estimate", "low", "high", "no_effect"]
    columns += ["minimum_detectable", "minimum_detectable_in_family"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(columns[2:], "float64"))


@dataclass(frozen=True, eq=False)
class FriedmanResult:
    """Friedman's test with pairwise follow-ups.

    Parameters
    ----------
    data : FriedmanOutcome
        Statistics, p-values, average ranks and pairs.
    """

    data: FriedmanOutcome

    @property
    def average_ranks(self) -> pd.Series[float]:
        """Average rank by system, best first."""
        return pd.Series(dict(self.data.average_ranks), name="average_rank").rename_axis("system")

    def to_frame(self) -> pd.DataFrame:
        """One row per pair, smallest p-value first.

        Columns: system_a, system_b (the better average rank first), mean_difference (positive if A is better),
        rank_difference, p_value (two-sided), adjusted_p_value (Holm), differs.
        """
        rows = [{**dataclasses.asdict(pair), "differs": pair in self.data.differing} for pair in self.data.pairs]
        return pd.DataFrame(rows)

    def critical_difference(self, alpha: float | None = None) -> float:
        """Nemenyi's critical difference of average ranks, a number that depends on the other systems' presence."""
        return self.data.critical_difference(alpha)

    def words(self) -> str:
        """Return the result in words, as the report has it."""
        return plain(friedman_words(self.data))

    def __repr__(self) -> str:
        ranks = [f"  {rank:5.2f}  {name}" for name, rank in self.data.average_ranks.items()]
        return few_lines([self.words(), "average ranks:", *ranks], "average_ranks")
