"""The four answers to each claim for machines, as `report.json` holds them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reportkit.bayes.evidence.assessed import AssessedClaim
from reportkit.bayes.evidence.four_answers import FourAnswers
from reportkit.bayes.posterior import Posterior
from reportkit.bayes.signed_rank import SignedRankPosterior


def evidence_data(evidence: Sequence[AssessedClaim]) -> list[dict[str, Any]]:
    """Write each claim as mappings, lists, strings and numbers; None where a question has no answer."""
    return [
        {
            "system_a": claim.system_a,
            "system_b": claim.system_b,
            "claim": claim.hypothesis.kind,
            "margin": claim.hypothesis.margin,
            "alpha": claim.alpha,
            "k_hat": claim.k_hat,
            "identified": list(claim.identified),
            "datasets": [_answers(claim, index, item) for index, item in enumerate(claim.answers)],
        }
        for claim in evidence
    ]


def _answers(claim: AssessedClaim, index: int, item: FourAnswers) -> dict[str, Any]:
    adjusted = claim.adjusted_p_values
    factors = item.bayes_factors
    return {
        "dataset": item.dataset,
        "p_value": item.p_value,
        "test": item.test,
        "adjusted_p_value": None if adjusted is None else float(adjusted[index]),
        "probability": item.probability,
        "posterior": _posterior(item.posterior),
        "bayes_factors": None
        if factors is None
        else [
            {
                "prior": factor.prior,
                "prior_mass": factor.prior_mass,
                "posterior_mass": factor.posterior_mass,
                "log_bayes_factor": factor.log_value,
                "bound": factor.bound,
            }
            for factor in factors.factors
        ],
        "silences": {question: " ".join(reason.split()) for question, reason in item.silences.items()},
    }


def _posterior(found: Posterior | SignedRankPosterior | None) -> dict[str, Any] | None:
    if found is None:
        return None
    if isinstance(found, SignedRankPosterior):
        return {
            "model": "signed-rank",
            "p_better": found.p_better,
            "p_equivalent": found.p_equivalent,
            "p_worse": found.p_worse,
        }
    row: dict[str, Any] = {
        "model": found.model,
        "prior": found.prior,
        "mean": found.mean,
        "p_better": found.p_better,
        "low": found.interval.low,
        "high": found.interval.high,
        "level": found.interval.level,
        "interval": found.interval.kind,
    }
    if found.rope is not None:
        row["rope"] = {
            "half_width": found.rope.half_width,
            "better": found.rope.better,
            "equivalent": found.rope.equivalent,
            "worse": found.rope.worse,
            "outcome": found.rope.decision,
        }
    return row
