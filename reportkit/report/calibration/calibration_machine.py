"""A study of calibration for machines, as `report.json` holds it; numbers are not rounded, none is NaN."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from itertools import chain
from typing import Any

from reportkit.calibration.shares import Proportion
from reportkit.calibration.study import CalibrationStudy
from reportkit.finding import Finding
from reportkit.report.calibration.calibration_null import sides_of
from reportkit.report.facts import VERSION
from reportkit.report.model import Signature
from reportkit.report.rounding import finite
from reportkit.settings.arguments import CalibrationChoices

Record = dict[str, Any]
"""One row: strings, whole numbers, finite numbers, booleans and None."""


def calibration_data(
    study: CalibrationStudy, signature: Signature, source: Mapping[str, Any], findings: tuple[Finding, ...]
) -> dict[str, Any]:
    """Everything the report says, as strings, numbers, lists and mappings."""
    plan = study.plan
    return {
        "version": VERSION,
        "kind": "calibration",
        "reportkit_version": signature.version,
        "signature": signature.line,
        "data": dict(source),
        "settings": {
            "metric": study.metric,
            "pairs": [list(pair) for pair in study.pairs],
            "pairs_chosen_by_data": study.chosen_by_data,
            **{item.name: getattr(plan, item.name) for item in fields(CalibrationChoices)},
            "parts": list(plan.parts),
            "test": plan.test,
            "profile": plan.profile,
            "missing": plan.missing,
            "alpha": plan.alpha,
            "rng": plan.rng,
        },
        **records(study),
        "families": None if study.families is None else dict(study.families),
        "omissions": [{"part": item.part, "where": item.where, "reason": item.reason} for item in study.omissions],
        "findings": [asdict(item) for item in findings],
    }


def records(study: CalibrationStudy) -> dict[str, list[Record]]:
    """One list of rows per part, under the names of the frames that `CalibrationReport` gives."""
    return {
        "null": null_records(study),
        "joint_null": joint_records(study),
        "pairs": pair_records(study),
        "thresholds": threshold_records(study),
        "sizes": size_records(study),
        "bins": bin_records(study),
        "domains": domain_records(study),
        "toy": toy_records(study),
    }


def null_records(study: CalibrationStudy) -> list[Record]:
    """One row per simulation and direction in which its size is stated."""
    return [
        {
            "dataset": item.dataset,
            "system_a": item.system_a,
            "system_b": item.system_b,
            "null": item.null,
            "test": item.test,
            "n": item.n,
            "n_clusters": item.n_clusters,
            "in_favour_of": favoured,
            **_share("size", item.size(side)),
            "n_replicates": item.n_replicates,
            "n_independent": item.n_independent,
            "verdict": item.verdict.status,
            "reasons": "; ".join(item.reasons),
        }
        for item in study.nulls
        for side, favoured in sides_of(item)
    ]


def joint_records(study: CalibrationStudy) -> list[Record]:
    """One row per pair and way of counting."""
    return [
        {
            "system_a": item.system_a,
            "system_b": item.system_b,
            "method": method,
            "n_datasets": len(item.datasets),
            "n_shared": item.n_shared,
            **_share("error", item.error(method)),
            "largest_k_hat": int(k_hats.max()),
            "level_kept": item.safe(method),
            "n_families": item.n_replicates,
        }
        for item in study.joint
        for method, k_hats in item.k_hats.items()
    ]


def pair_records(study: CalibrationStudy) -> list[Record]:
    """One row per pair and dataset: who wins, by how much, with which p-value."""
    rows = []
    for found in study.compared:
        both = zip(found.winner, found.loser, found.gains, found.p_values, strict=True)
        for winner, loser, gain, p_value in both:
            names = found.systems[winner], found.systems[loser]
            row: Record = {
                "dataset": found.dataset,
                "winner": names[0],
                "loser": names[1],
                "gain": float(gain),
                "p_value": float(p_value),
            }
            if study.families is not None:
                row["same_family"] = study.families[names[0]] == study.families[names[1]]
            rows.append(row)
    return rows


def threshold_records(study: CalibrationStudy) -> list[Record]:
    """One row per dataset and group of pairs."""
    return [
        {
            "dataset": found.dataset,
            "group": item.group,
            "n": found.n,
            "n_pairs": item.n_pairs,
            "n_in_window": item.n_in_window,
            "threshold": item.threshold,
            "low": item.low,
            "high": item.high,
        }
        for found, groups in zip(study.compared, study.thresholds, strict=True)
        for item in groups
    ]


def size_records(study: CalibrationStudy) -> list[Record]:
    """One row per pair, dataset and size."""
    return [
        {
            "dataset": curve.dataset,
            "system_a": curve.system_a,
            "system_b": curve.system_b,
            "unit": curve.unit,
            "size": int(size),
            "median_p": float(curve.median[place]),
            "lower_quartile": float(curve.lower_quartile[place]),
            "upper_quartile": float(curve.upper_quartile[place]),
            "detectable": finite(float(curve.detectable[place])),
        }
        for curve in study.sizes
        for place, size in enumerate(curve.sizes)
    ]


def bin_records(study: CalibrationStudy) -> list[Record]:
    """One row per dataset and bin; the share of a hidden one is missing."""
    rows: list[Record] = []
    for item in study.bins:
        shown = [
            {
                "dataset": item.dataset,
                "above": one.low,
                "up_to": one.high,
                "n": one.share.total,
                "n_pairs": one.n_pairs,
                "share": one.share.value,
                "low": one.interval[0] if one.interval else None,
                "high": one.interval[1] if one.interval else None,
            }
            for one in item.bins
        ]
        hidden = [
            {
                "dataset": item.dataset,
                "above": low,
                "up_to": high,
                "n": n,
                "n_pairs": None,
                "share": None,
                "low": None,
                "high": None,
            }
            for low, high, n in item.hidden
        ]
        rows += sorted(chain(shown, hidden), key=lambda row: row["above"])
    return rows


def domain_records(study: CalibrationStudy) -> list[Record]:
    """One row per ordered pair of datasets, at the level; and one per bin, which has no datasets."""
    if study.domains is None:
        return []
    alpha = study.plan.alpha
    rows: list[Record] = []
    for item in study.domains.transfers:
        share = item.share(alpha)
        rows.append(
            {
                "source": item.source_dataset,
                "target": item.target_dataset,
                "above": 0.0,
                "up_to": alpha,
                "n": 0 if share is None else share.total,
                **_share("share", share),
                "n_tied": item.n_tied,
            }
        )
    rows += [
        {"source": None, "target": None, "above": low, "up_to": high, "n": n, **_share("share", share), "n_tied": None}
        for low, high, share, n in study.domains.bins()
    ]
    return rows


def toy_records(study: CalibrationStudy) -> list[Record]:
    """One row per design and way of counting."""
    return [
        {
            "design": toy.name,
            "method": result.method,
            "exact_above_zero": result.exact_above_zero,
            "simulated_above_zero": result.above_zero.value,
            "exact_above_one": result.exact_above_one,
            "simulated_above_one": result.above_one.value,
            "printed": result.printed,
            "n_families": toy.n_families,
        }
        for toy in study.toy
        for result in toy.results
    ]


def _share(name: str, share: Proportion | None) -> Record:
    if share is None:
        return {name: None, "low": None, "high": None}
    return {name: share.value, "low": share.low, "high": share.high}
