"""`report.json` read claim by claim, as the columns of `reportkit.report.machine.outcomes` have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reportkit.report.rounding import level_key

SIDES = ("a", "b")
"""The two claims about a pair: its first system is better, its second is."""

SHARED = ("n", "n_dropped", "n_imputed", "n_nonzero", "n_clusters", "n_resamples", "relative_error", "p_min")
"""Fields that are the same for both claims."""

BY_CLAIM = ("p_value", "standard_error", "adjusted_p_value", "stepwise_p_value", "identified", "marked")
"""Fields that each claim has of its own."""

SAME_AS = {"statistic": "difference", "stepwise_p_value": "adjusted_p_value", "marked": "identified"}
"""Fields that are left out where they repeat another one."""

FROM_STEPWISE = "bonferroni"
"""The partial conjunction that is left out, as it is the stepwise p-values in order."""


def claims_in(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Read the outcomes of a report claim by claim.

    Parameters
    ----------
    content : mapping
        What `report.json` holds.

    Returns
    -------
    list of dict
        `system_a`, which is claimed to be better than `system_b`; `metric`, `exploratory`, `n_datasets`; `datasets`, a
        list of one dict for each outcome; `k_hat` by level; `partial_conjunction` by method.

    Raises
    ------
    KeyError, TypeError, ValueError, IndexError
        If it is not as reportkit writes it.
    """
    levels = sorted(content["settings"]["alpha"], reverse=True)
    return [claim for part in content["comparisons"] for claim in _of_part(part, levels)]


def _of_part(part: Mapping[str, Any], levels: Sequence[float]) -> Iterator[dict[str, Any]]:
    shape = len(part["pairs"]), len(part["datasets"])
    fields = {**{name: part["outcomes"][other] for name, other in SAME_AS.items()}, **part["outcomes"]}
    details = _full(fields.pop("details"), shape)
    full = _full(fields, shape)
    for index, pair in enumerate(part["pairs"]):
        for side in part["claims"]:
            rows = [
                _outcome(part, full, details, index, place, side, pair, levels)
                for place in range(shape[1])
                if full["test"][index][place] is not None
            ]
            a, b = pair if side == "a" else pair[::-1]
            stepwise = [row["stepwise_p_value"] for row in rows]
            curves = {name: by_side[side][index] for name, by_side in part["partial_conjunction"].items()}
            yield {
                "system_a": a,
                "system_b": b,
                "metric": part["metric"],
                "exploratory": part["exploratory"],
                "n_datasets": len(rows),
                "datasets": rows,
                "k_hat": {
                    level: {
                        name: values[index] if isinstance(values, list) else values
                        for name, values in by_side[side].items()
                    }
                    for level, by_side in part["k_hat"].items()
                },
                "partial_conjunction": {FROM_STEPWISE: sorted(stepwise), **curves} if part["k_hat"] else {},
            }


def _full(fields: Any, shape: tuple[int, int]) -> Any:
    """Every field as a matrix."""
    if isinstance(fields, dict):
        return {name: _full(values, shape) for name, values in fields.items()}
    if isinstance(fields, list) and fields and isinstance(fields[0], list):
        return fields
    return [fields if isinstance(fields, list) else [fields] * shape[1]] * shape[0]


def _outcome(
    part: Mapping[str, Any],
    full: Mapping[str, Any],
    details: Mapping[str, Any],
    index: int,
    place: int,
    side: str,
    pair: Sequence[str],
    levels: Sequence[float],
) -> dict[str, Any]:
    """One outcome of a claim, as a dict of its own."""

    def at(values: Any) -> Any:
        return values[index][place]

    def turned(value: Any) -> Any:
        return value if value is None or side == "a" else 0.0 - value

    other = SIDES[side == "a"]
    ends = at(full["interval_low"]), at(full["interval_high"])
    low, high = ends if side == "a" else ends[::-1]
    if "scores" in part:
        scores = [part["scores"][name][place] for name in pair]
    else:
        scores = [at(full["score_a"]), at(full["score_b"])]
    score_a, score_b = scores if side == "a" else scores[::-1]
    test = part["tests"][at(full["test"])]
    of_claim = {name: at(full[name][side]) for name in BY_CLAIM if name in full}
    n_levels = {name: of_claim.pop(name) for name in ("identified", "marked")}
    shared = {name: at(values) for name, values in details.items() if name not in SIDES and at(values) is not None}
    sides = {
        name: {key: at(values) for key, values in details.get(of, {}).items() if at(values) is not None}
        for name, of in (("a", side), ("b", other))
    }
    return {
        "dataset": part["datasets"][place],
        **{name: value for name, value in test.items() if not name.startswith("interval_")},
        **{name: at(full[name]) for name in SHARED},
        "score_a": score_a,
        "score_b": score_b,
        "difference": turned(at(full["difference"])),
        "statistic": turned(at(full["statistic"])),
        "interval": None
        if test["interval_method"] is None
        else {
            "low": turned(low),
            "high": turned(high),
            "level": test["interval_level"],
            "method": test["interval_method"],
        },
        "details": {**shared, **{name: known for name, known in sides.items() if known}},
        "standard_error": None,
        **of_claim,
        **{
            name: {level_key(level): reached < n for reached, level in enumerate(levels)}
            for name, n in n_levels.items()
        },
    }
