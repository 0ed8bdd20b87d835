"""The report for machines: `report.json`, documented in docs/reference/report-json.md, versioned, stable."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.multiple_testing.adjustment import Correction
from reportkit.replicability.printed.reproduction import Reproduction
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.machine.outcomes import outcomes_by_metric
from reportkit.report.model import Signature
from reportkit.report.rounding import finite
from reportkit.settings import Settings

SCHEMA_VERSION = "2.0"

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
        "comparisons": outcomes_by_metric(analysis),
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
