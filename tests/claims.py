"""`report.json` read claim by claim, as tests look at it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_DEFAULTS = {"adjusted": 1.0, "p_value": 1.0, "score_a": 0.0, "score_b": 0.0, "difference": 0.0}
_NAMES = {"adjusted": "adjusted_p_value", "stepwise": "stepwise_p_value"}


def claims_in(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return each claim with `datasets`, a list of its outcomes, and `k_hat` by level."""
    found = []
    for claim in content["claims"]:
        key = claim["metric"], claim["a"], claim["b"]
        rows = [row for row in content["outcomes"] if (row["metric"], row["a"], row["b"]) == key]
        found.append(
            {
                "system_a": claim["a"],
                "system_b": claim["b"],
                "metric": claim["metric"],
                "exploratory": claim.get("exploratory", False),
                "n_datasets": len(rows),
                "datasets": [_outcome(row, content) for row in rows],
                "k_hat": {
                    f"{bound['alpha']:.12g}": {"recommended": 0, "method": "bonferroni", "fisher": None, **bound}
                    for bound in claim.get("bounds", [])
                },
                "partial_conjunction": claim.get("partial_conjunction", {}),
            }
        )
    return found


def _outcome(row: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, Any]:
    test = content["tests"][row["test"]]
    values = {_NAMES.get(name, name): row.get(name, value) for name, value in {**_DEFAULTS, **row}.items()}
    alpha = content["alpha"]
    known = {"shape": "paired", "kind": "continuous", "unit": "instance", "method": "exact", "tested": True}
    of_test = {name: test.get(name, default) for name, default in known.items()}
    interval = {
        "low": row.get("low"),
        "high": row.get("high"),
        "level": row.get("level"),
        "method": test.get("interval"),
    }
    return {
        "n": None,
        "n_nonzero": None,
        "n_clusters": None,
        "n_dropped": 0,
        "n_imputed": 0,
        "details": {},
        **values,
        **of_test,
        "test": test["name"],
        "test_title": test["title"],
        "n_resamples": test.get("n_resamples"),
        "estimand": test.get("estimand", ""),
        "reason": test.get("reason", ""),
        "interval": interval if "level" in row else None,
        "identified": {f"{level:.12g}": values["adjusted_p_value"] <= level * (1 + 1e-9) for level in alpha},
        "marked": {f"{level:.12g}": level in row.get("marked_at", []) for level in alpha},
    }
