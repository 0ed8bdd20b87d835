"""The report for machines: `report.json`, documented in docs/reference/report-json.md, versioned, stable."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

from reportkit.replicability.comparison import Comparison, Correction, KHat
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.printed.reproduction import Reproduction
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Signature
from reportkit.report.rounding import bound
from reportkit.settings import Settings
from reportkit.significance.outcome import Outcome

SCHEMA_VERSION = "1.4"

CORRECTIONS: dict[Correction, str] = {"Holm": "holm", "graph": "graphical", "closed testing": "closed-testing"}
"""Names of procedures in the file."""


def machine_readable(analysis: ReplicabilityAnalysis, signature: Signature) -> dict[str, Any]:
    """Everything the report says, as strings, numbers, lists and mappings.

    Numbers are not rounded; NaN and infinity do not occur (an unbounded interval end is null).
    """
    content: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "reportkit_version": signature.version,
        "signature": signature.line,
        "data": {
            "source": analysis.source,
            "sha256": analysis.digest,
            "n_rows": analysis.n_rows,
            "columns": dict(analysis.columns),
            "unused_columns": list(analysis.unused_columns),
            "printed_only": analysis.printed,
            "named_datasets": list(analysis.named_datasets),
            "left_out": [
                {"dataset": item.dataset, "reason": item.reason, "systems": list(item.systems)}
                for item in analysis.left_out
            ],
        },
        "settings": settings_dict(analysis.settings),
        "family": {
            "design": analysis.design,
            "n_hypotheses": analysis.n_hypotheses,
            "correction": CORRECTIONS[analysis.correction],
            "dependence": analysis.audit.declared,
            "evidence_against_independence": list(analysis.audit.evidence),
            "fisher_allowed": analysis.audit.independent,
            "metrics": list(analysis.metrics),
            **({"metric_by_dataset": dict(analysis.measures)} if analysis.measures else {}),
            "primary_metric": analysis.metrics[0],
            "gatekeeping": analysis.gatekeeping if analysis.several_metrics else None,
        },
        "comparisons": [_comparison(item, analysis) for item in analysis.comparisons],
        "profile_differences": [
            {"system_a": a, "system_b": b, "metric": metric, "dataset": dataset, "alpha": alpha}
            for a, b, metric, dataset, alpha in analysis.disagreements
        ],
        "other_profile": None if analysis.other is None else analysis.other.settings.profile,
        "reproductions": [_reproduction(item) for item in analysis.reproductions],
        "friedman": None if analysis.friedman_outcome is None else _friedman(analysis.friedman_outcome),
        "findings": [dataclasses.asdict(item) for item in analysis.findings],
    }
    return content


def settings_dict(settings: Settings) -> dict[str, Any]:
    """All settings under their names, as JSON can hold them: those of the dataclass, whichever they are."""
    return {item.name: _plain(getattr(settings, item.name)) for item in dataclasses.fields(settings)}


def level_key(alpha: float) -> str:
    """Key of a level: "0.05".

    Examples
    --------
    >>> level_key(0.05), level_key(0.001)
    ('0.05', '0.001')
    """
    return f"{alpha:.12g}"


def _comparison(comparison: Comparison, family: ReplicabilityAnalysis) -> dict[str, Any]:
    identified = {level_key(alpha): comparison.identified(alpha) for alpha in family.alpha}
    marked = {level_key(alpha): comparison.marked(alpha) for alpha in family.alpha}
    counted = not family.across_datasets  # where the datasets are the sample, none of them is counted
    return {
        "system_a": comparison.system_a,
        "system_b": comparison.system_b,
        "metric": comparison.metric,
        "exploratory": comparison.exploratory,
        "n_datasets": comparison.n_datasets,
        "datasets": [
            _dataset(
                item,
                float(adjusted),
                float(comparison.stepwise_p_values[index]),
                {key: bool(one[index]) for key, one in identified.items()},
                {key: bool(one[index]) for key, one in marked.items()},
            )
            for index, (item, adjusted) in enumerate(
                zip(comparison.assessments, comparison.adjusted_p_values, strict=True)
            )
        ],
        "k_hat": {level_key(alpha): _k_hat(k) for alpha, k in comparison.k_hat.items() if counted},
        "partial_conjunction": {
            name: list(map(float, curve)) for name, curve in comparison.partial_conjunction.items() if counted
        },
    }


def _dataset(
    item: Outcome,
    adjusted_p_value: float,
    stepwise_p_value: float,
    identified: Mapping[str, bool],
    marked: Mapping[str, bool],
) -> dict[str, Any]:
    return {
        "dataset": item.dataset,
        "metric": item.metric,
        "kind": item.kind,
        "shape": item.shape,
        "unit": item.unit,
        "n": item.n,
        "n_dropped": item.n_dropped,
        "n_imputed": item.n_imputed,
        "score_a": item.score_a,
        "score_b": item.score_b,
        "higher_is_better": item.higher_is_better,
        "difference": item.difference,
        "interval": None
        if item.interval is None
        else {
            "low": finite(item.interval.low),
            "high": finite(item.interval.high),
            "level": item.interval.level,
            "method": item.interval.title,
        },
        "test": item.test,
        "test_title": item.title,
        "reason": item.reason,
        "alternative": item.alternative,
        "statistic": finite(item.statistic),
        "statistic_name": item.statistic_name,
        "estimand": item.estimand,
        "n_nonzero": item.n_nonzero,
        "n_clusters": item.n_clusters,
        "method": item.method,
        "algorithm": item.algorithm,
        "n_resamples": item.n_resamples,
        "standard_error": item.monte_carlo_error,
        "relative_error": bound(item.relative_error),
        "details": item.details.as_dict(),
        "p_min": item.p_min,
        "p_value": item.p_value,
        "adjusted_p_value": adjusted_p_value,
        "stepwise_p_value": stepwise_p_value,
        "identified": dict(identified),
        "marked": dict(marked),
    }


def _k_hat(k: KHat) -> dict[str, Any]:
    return {
        "count": k.count,
        "bonferroni": k.bonferroni,
        "fisher": k.fisher,
        "fisher-bonferroni": k.joint,
        "recommended": k.recommended,
        "method": k.method,
    }


def _reproduction(item: Reproduction) -> dict[str, Any]:
    printed = item.printed
    return {
        "system_a": item.system_a,
        "system_b": item.system_b,
        "alpha": item.alpha,
        "printed": None
        if printed is None
        else {
            "k_hat": dict(printed.k_hat),
            "identified": None if printed.identified is None else list(printed.identified),
        },
        "recomputed": {
            "k_hat": dict(item.recomputed),
            "k_hat_at_rounding_ends": [dict(item.recomputed_low), dict(item.recomputed_high)],
            "identified": list(item.identified),
        },
        "direction_respecting": {
            "alpha_each": item.alpha / 2,
            "a_better": {reading: dict(values) for reading, values in item.a_better.items()},
            "b_better": {reading: dict(values) for reading, values in item.b_better.items()},
            "identified_a": list(item.identified_a),
            "identified_b": list(item.identified_b),
        },
        "wrong_direction": list(item.wrong_direction),
        "impossible": list(item.impossible),
    }


def _friedman(outcome: FriedmanOutcome) -> dict[str, Any]:
    return {
        "datasets": list(outcome.datasets),
        "average_ranks": dict(outcome.average_ranks),
        "chi_squared": outcome.chi_squared,
        "chi_squared_p": outcome.chi_squared_p,
        "f": finite(outcome.f),
        "f_p": outcome.f_p,
        "degrees_of_freedom": list(outcome.degrees_of_freedom),
        "follow_up": outcome.follow_up,
        "alpha": outcome.alpha,
        "pairs": [dataclasses.asdict(pair) for pair in outcome.pairs],
    }


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def finite(value: float) -> float | None:
    """A number as JSON can hold it: None for infinity and for what is none."""
    return value if math.isfinite(value) else None
