"""The recorded numbers, one file per room and one line per row, and how far a number may move."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path

from tests.contract.calls import Call
from tests.contract.doors import Row, Seen

FOLDER = Path(__file__).parent / "numbers"

GROWTH_OF_P = 0.01
"""A p-value is an upper bound, and may be 1% larger than recorded."""
SHRINKAGE_OF_P = 1e-9
"""It must not be smaller than the true one, for then it would reject more often than its level. What is recorded may
itself be a bound: `above` is how far it may be above the true p-value, and a sharper bound may be that much smaller."""
SMALLEST_P = 1e-300
"""Up to here a p-value may grow as it likes."""
END_OF_INTERVAL = 1e-3
"""In standard errors, which are taken from the width of the recorded interval: width / 3.92."""
PROBABILITY = 1e-4
"""Posterior probabilities and power are integrals: digits beyond this have no use. A Bayes factor is compared as the
probability that it makes of even odds."""
MOMENTS = 1e-3
"""In standard deviations of the posterior: its mean, and the standard deviation itself."""
OTHERS = 1e-6
"""Relative: means, differences, standard errors."""
MONTE_CARLO = 4.0
"""Standard errors of the difference of two Monte Carlo numbers.

The same seed gives the same bytes today, but another engine may draw in another order. So a number that changes with
the seed is recorded with its Monte Carlo error, the standard deviation over seeds, in `errors` of its row.
"""
SEEDS = range(2, 16)
FEWEST_SAMPLES = 9999
"""Random samples that a test draws at least; no error is recorded that is smaller than theirs, but for small p-values,
for which tests draw more: there it is one sample in so many."""
P_DECIDES = 0.1
QUANTILE = 0.027
"""In standard errors: the Monte Carlo error of a 97.5% quantile of so many samples."""
NEGLIGIBLE = 1e-9

NOT_COMPARED = {"above", "drawn", "errors"}
P_VALUES = {"p", "adjusted"}
ENDS = {"low", "high"}
PROBABILITIES = {"p_better", "p_better_by_rope", "p_equivalent", "p_worse", "p_worse_by_rope", "probability"} | {
    *("power", "power_in_family", "p_average", "p_new_dataset", "prior_mass", "posterior_mass", "reproducibility")
}
BAYES_FACTORS = {"bayes_factor", "bayes_factor_low", "bayes_factor_high"}


def observe(call: Call) -> Seen:
    """Make a call with many seeds, and record what it says with the Monte Carlo errors of what depends on the seed.

    Raises
    ------
    AssertionError
        If a name, a count or the number of rows depends on the seed: such a call has no place in the contract.
    """
    seen = call(0)
    again = [call(1)]
    if again[0] != seen:
        again += [call(seed) for seed in SEEDS]
    for part, rows in seen.items():
        for number, row in enumerate(rows):
            others = [other[part][number] for other in again]
            varied = [
                name for name in row if name not in NOT_COMPARED and any(other[name] != row[name] for other in others)
            ]
            assert all(isinstance(row[name], float) for name in varied), f"depends on the seed: {varied} of {row}"
            errors = {name: _spread([row[name], *(other[name] for other in others)]) for name in varied}
            if row.pop("drawn", False):
                least = _least_errors(row)
                errors = {name: max(least[name], errors.get(name, 0.0)) for name in least}
            if row.get("above", 1.0) < NEGLIGIBLE:
                del row["above"]
            if errors:
                row["errors"] = errors
    return seen


def _least_errors(row: Row) -> Row:
    """Errors of the fewest samples: where a p-value is the larger of two, its spread over seeds does not show them."""
    p = row["p"]
    of_p = math.sqrt(p * (1 - p) / FEWEST_SAMPLES) if P_DECIDES < p < 1 - P_DECIDES else min(p, 1 / FEWEST_SAMPLES)
    found = {"p": of_p, "adjusted": of_p * row["adjusted"] / p}
    if row["low"] is not None:
        found |= dict.fromkeys(("low", "high"), QUANTILE * (row["high"] - row["low"]) / 3.92)
    return {name: float(f"{error:.2g}") for name, error in found.items()}


def _spread(values: list[float]) -> float:
    return float(f"{statistics.stdev(values):.2g}")


def differences(recorded: Seen, seen: Seen) -> list[str]:
    """Say what is not as recorded."""
    found = [f"parts are {list(seen)}"] if list(seen) != list(recorded) else []
    for part in recorded.keys() & seen.keys():
        most_above = max((row.get("above", 0.0) for row in recorded[part]), default=0.0)  # one p may adjust another
        if len(recorded[part]) != len(seen[part]):
            found.append(f"{part}: {len(seen[part])} rows, recorded are {len(recorded[part])}")
        for old, new in zip(recorded[part], seen[part], strict=False):
            names = [name for name in old if name not in NOT_COMPARED]
            if set(names) != new.keys() - NOT_COMPARED:
                found.append(f"{part}: {list(new)}, recorded are {names}")
                continue
            above = {"p": old.get("above", 0.0), "adjusted": most_above}
            found += [
                f"{part}: {name} is {new[name]!r}, recorded is {old[name]!r}, of {old}"
                for name in names
                if not _agree(old, name, new[name], above.get(name, 0.0))
            ]
    return found


def _agree(old: Row, name: str, new: object, above: float) -> bool:
    value = old[name]
    if not isinstance(value, float) or not isinstance(new, (int, float)):
        return type(new) is type(value) and new == value
    if math.isinf(value):
        return new == value
    if error := old.get("errors", {}).get(name):
        return abs(new - value) <= MONTE_CARLO * math.sqrt(2) * error
    if name in P_VALUES:
        return value * (1 - SHRINKAGE_OF_P) / (1 + above) <= new <= max(value * (1 + GROWTH_OF_P), SMALLEST_P)
    if name in ENDS and isinstance(old["low"], float) and isinstance(old["high"], float):
        return abs(new - value) <= END_OF_INTERVAL * max(old["high"] - old["low"], 1e-9) / 3.92
    if name in PROBABILITIES:
        return abs(new - value) <= PROBABILITY
    if name in BAYES_FACTORS:
        return new > 0 and abs(new / (1 + new) - value / (1 + value)) <= PROBABILITY
    if name in {"mean", "sd"} and "sd" in old:
        return abs(new - value) <= MOMENTS * old["sd"]
    return math.isclose(new, value, rel_tol=OTHERS, abs_tol=1e-12)


def write(room: str, recorded: dict[str, Seen]) -> None:
    """Write a room, one line per row, to be read before it is committed."""
    lines = []
    for name in sorted(recorded):
        parts = [
            f"  {json.dumps(part)}: [\n" + ",\n".join(f"   {_line(row)}" for row in rows) + "\n  ]"
            for part, rows in recorded[name].items()
        ]
        lines.append(f" {_line(name)}: {{\n" + ",\n".join(parts) + "\n }")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{room}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read(room: str) -> dict[str, Seen]:
    """Read a room; nothing, if nothing is recorded yet."""
    path = FOLDER / f"{room}.json"
    recorded: dict[str, Seen] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return recorded
