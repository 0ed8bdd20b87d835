"""The public doors, and what is seen through them as plain values; if a public name changes, only this file does."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

import reportkit

Row = dict[str, Any]
Seen = dict[str, list[Row]]
"""What one call says: rows of plain values under the name of a part, such as "outcomes"."""

_NAMES = {
    "difference": "estimate",
    "ci_low": "low",
    "ci_high": "high",
    "p_value": "p",
    "adjusted_p_value": "adjusted",
}
_WORDS = {"hypothesis", "silences"}


def compare(source: pd.DataFrame | Path | list[Path], *systems: str, **options: Any) -> Any:
    """Compare systems in a frame, or in files."""
    if isinstance(source, pd.DataFrame) and "columns" not in options:
        return source.replic.compare(*systems, **options)
    return reportkit.compare(source, *systems, **options)


def observe(analysis: Any, *, counted: bool = True) -> Seen:
    """Return k-hat per claim and level, and one outcome per claim and dataset; `counted=False` leaves k-hat out."""
    outcomes = analysis.outcomes.join(_how_well_known(analysis))
    if not counted:
        return {"outcomes": rows(outcomes.drop(columns="dataset"))}
    return {"k_hat": rows(analysis.k_hat.reset_index()), "outcomes": rows(outcomes)}


def _how_well_known(analysis: Any) -> pd.DataFrame:
    """How well each p-value is known, as the report says; needed only to record numbers, never compared.

    `above` is how far the p-value may be above the true one, relatively; `drawn` is whether it is of random samples.
    """
    found = [outcome for item in analysis.comparisons for outcome in item.assessments]
    drawn = [outcome.method == "Monte Carlo" for outcome in found]
    above = [0.0 if outcome.method == "Monte Carlo" else float(outcome.relative_error) for outcome in found]
    return pd.DataFrame({"above": above, "drawn": drawn})


def rows(frame: pd.DataFrame) -> list[Row]:
    """Return the rows of a frame as sorted plain values; the two systems become one claim."""
    found = []
    for record in frame.to_dict("records"):
        row = {_NAMES.get(str(name), str(name)): _plain(value) for name, value in record.items() if name not in _WORDS}
        if "system_a" in row:
            row = {"claim": f"{row.pop('system_a')} > {row.pop('system_b')}"} | row
        found.append(row)
    return sorted(found, key=lambda row: [str(value) for value in row.values() if isinstance(value, str)])


def _plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value))
    if pd.isna(value):
        return None
    return value.item() if hasattr(value, "item") else value


def posterior(analysis: Any, **options: Any) -> Seen:
    """Ask how probable each difference is."""
    return {"posterior": rows(analysis.posterior(**options).to_frame())}


def bayes_factor(analysis: Any, **options: Any) -> Seen:
    """Ask how the data change the odds of a hypothesis."""
    return {"bayes_factor": rows(analysis.bayes_factor(**options).to_frame())}


def four_answers(analysis: Any, **options: Any) -> Seen:
    """Ask for p-value, interval, probability and Bayes factor of one claim."""
    claim = analysis.assess(**options)
    return {"k_hat": [{"recommended": claim.k_hat}], "answers": rows(claim.to_frame())}


def hierarchical(analysis: Any, **options: Any) -> Seen:
    """Ask how probable a better mean over datasets is, and a better result on a new one."""
    found = analysis.hierarchical(**options)
    return {"hierarchical": [{name: getattr(found, name) for name in ("p_average", "p_new_dataset")}]}


def discoveries(analysis: Any, subsets: Iterable[list[str]]) -> Seen:
    """Ask for the bound on the number of true claims among some datasets."""
    return {"discoveries": [{"datasets": _plain(names), "bound": analysis.discoveries(names)} for names in subsets]}


def friedman(source: pd.DataFrame, **options: Any) -> Seen:
    """Ask whether the systems differ on a typical dataset."""
    found = compare(source, friedman=True, **options).friedman_outcome
    pairs = [{**dataclasses.asdict(pair), "differs": pair in found.differing} for pair in found.pairs]
    return {"friedman": rows(pd.DataFrame(pairs))}


def calibrate(frame: pd.DataFrame, *systems: str, part: str, **options: Any) -> Seen:
    """Run one part of a calibration; verdicts, which may be close, are left out, and all numbers are estimates."""
    found = frame.replic.calibrate(*systems, **options)[part]
    found = found.drop(columns=["verdict", "reasons", "largest_k_hat", "level_kept"], errors="ignore")
    return {part: rows(found.astype(dict.fromkeys(found.select_dtypes("integer"), "float64")))}


def reproducibility(source: pd.DataFrame | Path, *systems: str, **options: Any) -> Seen:
    """Say how reproducible a conclusion is under another split."""
    return {"reproducibility": rows(reportkit.reproducibility(source, *systems, **options).to_frame())}


def power(*arguments: Any, **options: Any) -> Seen:
    """Plan a comparison."""
    found = reportkit.power(*arguments, **options)
    k_hat = {} if found.k_hat is None else {"k_hat": [{"mean": float(found.k_hat.mean)}]}
    return {**k_hat, "plan": rows(found.to_frame())}


def correct(p_values: list[float], alpha: float = 0.05) -> Seen:
    """Correct p-values that are known already."""
    methods = ("bonferroni", "fisher", "simes")
    adjusted = zip(p_values, reportkit.holm(p_values), reportkit.holm(p_values, alpha), strict=True)
    return {
        "k_hat": [{"method": name, "k_hat": int(reportkit.k_hat(p_values, alpha, name))} for name in methods],
        "holm": [{"p": p, "adjusted": float(q), "identified": bool(named)} for p, q, named in adjusted],
        "conjunction": [
            {"method": name, "at_least": u, "p": float(p)}
            for name in methods
            for u, p in enumerate(reportkit.partial_conjunction(p_values, name), 1)
        ],
    }
