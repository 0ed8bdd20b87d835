"""What was found for each pair of systems on each dataset, in columns: each number once, and none that follows.

A field is a matrix of pairs by datasets, null where a pair is not compared. What says the same of every pair is a list
by dataset, and what says the same everywhere one value: all of them mean what NumPy's broadcasting makes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.replicability.comparison import Comparison, KHat, identified_in, marked_in
from reportkit.replicability.multiple_testing.joint_closed_test import METHOD
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.machine.claims import FROM_STEPWISE, SAME_AS, SHARED, SIDES
from reportkit.report.rounding import bound, finite, level_key
from reportkit.scores.shapes.sample import Details
from reportkit.significance.outcome import Outcome

Matrix = list[list[Any]]

_SCORES = ("score_a", "score_b")

_TEST: Mapping[str, Callable[[Outcome], Any]] = {
    "metric": attrgetter("metric"),
    "kind": attrgetter("kind"),
    "shape": attrgetter("shape"),
    "unit": attrgetter("unit"),
    "higher_is_better": attrgetter("higher_is_better"),
    "test": attrgetter("test"),
    "test_title": attrgetter("title"),
    "reason": attrgetter("reason"),
    "alternative": attrgetter("alternative"),
    "statistic_name": attrgetter("statistic_name"),
    "estimand": attrgetter("estimand"),
    "method": attrgetter("method"),
    "algorithm": attrgetter("algorithm"),
    "interval_level": lambda item: None if item.interval is None else item.interval.level,
    "interval_method": lambda item: None if item.interval is None else item.interval.title,
}
"""What a test is: each combination that occurs stands once in `tests`, and outcomes have its number."""


def outcomes_by_metric(analysis: ReplicabilityAnalysis) -> list[dict[str, Any]]:
    """Lay out all comparisons in columns, for each metric those of its part, the primary one first.

    Parameters
    ----------
    analysis : ReplicabilityAnalysis
        Any.

    Returns
    -------
    list of dict
        See docs/reference/report-json.md; `claims_in` reads them claim by claim.
    """
    return [_of_part(part) for part in analysis.parts]


def _of_part(part: ReplicabilityAnalysis) -> dict[str, Any]:
    datasets = tuple(dict.fromkeys(name for item in part.comparisons for name in item.datasets))
    sides = {side: _Side(claims, datasets) for side, claims in _by_side(part).items()}
    first = sides["a"]
    numbered, tests = _tests(first)
    levels = sorted(part.alpha, reverse=True)
    intervals = first.field("interval")
    fields: dict[str, Any] = {
        "test": _shortest(numbered),
        **{name: _shortest(first.field(name)) for name in SHARED},
        "relative_error": _shortest(_each(cache(bound), first.field("relative_error"))),
        "difference": first.field("estimate"),  # positive in favour of the first system, as are those that follow
        "statistic": _each(finite, first.field("statistic")),
        "interval_low": _each(lambda interval: finite(interval.low), intervals),
        "interval_high": _each(lambda interval: finite(interval.high), intervals),
        "details": _details(first),
    }
    drawn = any(item.n_resamples for item in part.kinds)
    by_claim: dict[str, Callable[[_Side], Matrix]] = {
        "p_value": lambda side: side.spread([one.p_values.tolist() for one in side.claims]),
        **({"standard_error": lambda side: side.field("monte_carlo_error")} if drawn else {}),
        "adjusted_p_value": lambda side: side.spread([one.adjusted_p_values.tolist() for one in side.claims]),
        "stepwise_p_value": lambda side: side.spread([one.stepwise_p_values.tolist() for one in side.claims]),
        "identified": lambda side: side.spread(_levels(side.claims, identified_in, levels)),
        "marked": lambda side: side.spread(_levels(side.claims, marked_in, levels)),
    }
    fields |= {name: {key: make(side) for key, side in sides.items()} for name, make in by_claim.items()}
    for name, other in SAME_AS.items():
        if fields[name] == fields[other]:
            del fields[name]
    scores = _scores(first)
    if scores is None:
        fields |= {name: first.field(name) for name in _SCORES}
    counted = not part.across_datasets  # where the datasets are the sample, none of them is counted
    curves = [name for name in first.claims[0].partial_conjunction if counted and name != FROM_STEPWISE]
    return {
        "metric": first.claims[0].metric,
        "exploratory": first.claims[0].exploratory,
        "datasets": list(datasets),
        "pairs": [[item.system_a, item.system_b] for item in first.claims],
        "claims": list(sides),
        **({} if scores is None else {"scores": scores}),
        "tests": [dict(zip(_TEST, one, strict=True)) for one in tests],
        "outcomes": fields,
        "k_hat": {
            level_key(alpha): {key: _k_hats([one.k_hat[alpha] for one in side.claims]) for key, side in sides.items()}
            for alpha in (part.alpha if counted else ())
        },
        "partial_conjunction": {
            name: {key: [one.partial_conjunction[name].tolist() for one in side.claims] for key, side in sides.items()}
            for name in curves
        },
    }


def _by_side(part: ReplicabilityAnalysis) -> dict[str, list[Comparison]]:
    """The claims about each pair; in both directions, the second reads the outcomes of the first the other way."""
    claims = {(item.system_a, item.system_b): item for item in part.comparisons}
    first = list(claims.values())
    if part.design not in ("both", "all-pairs"):
        return {"a": first}
    places = {pair: place for place, pair in enumerate(claims)}
    first = [item for pair, item in claims.items() if places[pair] < places[pair[::-1]]]
    return {"a": first, "b": [claims[item.system_b, item.system_a] for item in first]}


class _Side:
    """One claim about each pair, by dataset."""

    def __init__(self, claims: Sequence[Comparison], datasets: tuple[str, ...]) -> None:
        self.claims = claims
        self._datasets = datasets
        self._places = [
            None
            if one.datasets == datasets
            else [one.datasets.index(n) if n in one.datasets else None for n in datasets]
            for one in claims
        ]

    @cached_property
    def items(self) -> list[list[Outcome | None]]:
        """All outcomes, in favour of the claims."""
        return self.spread([list(one.assessments) for one in self.claims])

    def spread(self, rows: Sequence[Sequence[Any]]) -> Matrix:
        """Put what each claim has by its own datasets under all of them."""
        return [
            list(row) if places is None else [None if place is None else row[place] for place in places]
            for row, places in zip(rows, self._places, strict=True)
        ]

    def field(self, name: str) -> Matrix:
        """Return one field of all outcomes."""
        return _each(attrgetter(name), self.items)


def _each(get: Callable[[Any], Any], matrix: Matrix) -> Matrix:
    """The same of every value that is there."""
    return [[None if value is None else get(value) for value in row] for row in matrix]


def _tests(side: _Side) -> tuple[Matrix, dict[tuple[Any, ...], int]]:
    """Return the number of the test of each outcome, and all tests with their numbers."""
    tests: dict[tuple[Any, ...], int] = {}

    def number(item: Outcome) -> int:
        return tests.setdefault(tuple(get(item) for get in _TEST.values()), len(tests))

    return _each(number, side.items), tests


def _levels(
    claims: Sequence[Comparison],
    reached: Callable[[Sequence[Comparison], float], NDArray[np.bool_]],
    levels: Sequence[float],
) -> list[list[int]]:
    """At how many of the levels, from the largest on; who reaches one reaches all that are larger."""
    numbers = iter(np.sum([reached(claims, level) for level in levels], axis=0).tolist())
    return [list(islice(numbers, one.n_datasets)) for one in claims]


def _shortest(matrix: Matrix) -> Any:
    """One value, a list by dataset, or the matrix itself, whichever says the same."""
    row = matrix[0]
    if any(other != row for other in matrix[1:]):
        return matrix
    return row[0] if all(value == row[0] for value in row) else row


def _scores(side: _Side) -> dict[str, list[float | None]] | None:
    """Scores by system and dataset; None if they depend on whom a system is compared with."""
    found: dict[str, list[float | None]] = {}
    for claim, *rows in zip(side.claims, *map(side.field, _SCORES), strict=True):
        for name, row in zip((claim.system_a, claim.system_b), rows, strict=True):
            known = found.setdefault(name, [None] * len(row))
            for place, value in enumerate(row):
                if value is None:
                    continue
                if known[place] not in (None, value):
                    return None
                known[place] = value
    return found


def _details(side: _Side) -> dict[str, Any]:
    """Further numbers by name; null where one does not apply."""
    known: dict[int, dict[str, Any]] = {}  # most outcomes share their details

    def of(details: Details | None) -> dict[str, Any]:
        if id(details) not in known:
            known[id(details)] = {} if details is None else details.as_dict()
        return known[id(details)]

    return _columns([[of(one) for one in row] for row in side.field("details")])


def _columns(every: list[list[dict[str, Any]]]) -> dict[str, Any]:
    names = dict.fromkeys(name for row in every for one in row for name in one)
    return {
        name: _columns([[one.get(name, {}) for one in row] for row in every])
        if name in SIDES
        else _shortest([[one.get(name) for one in row] for row in every])
        for name in names
    }


def _k_hats(found: Sequence[KHat]) -> dict[str, Any]:
    """By field, a list by pair, or one value for all of them."""
    fields: dict[str, list[Any]] = {
        "count": [k.count for k in found],
        "bonferroni": [k.bonferroni for k in found],
        "fisher": [k.fisher for k in found],
        METHOD: [k.joint for k in found],
        "recommended": [k.recommended for k in found],
        "method": [k.method for k in found],
    }
    return {name: values if len(set(values)) > 1 else values[0] for name, values in fields.items()}
