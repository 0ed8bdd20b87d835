"""From columns to estimates of two systems: every re-partition of one dataset, paired and checked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError, DuplicateScoresError, InputError, MissingScoresError
from reportkit.in_pieces import Run, in_order
from reportkit.language.counts_and_lists import counted, listed
from reportkit.reproducibility_analysis.blocked_predictions import BlockedPredictions, predictions_from_long_form
from reportkit.reproducibility_analysis.estimator_names import estimator_name
from reportkit.reproducibility_analysis.estimators import (
    PairEstimates,
    SystemEstimates,
    compare_estimates,
    estimate_system,
    estimates_by_method,
    estimates_from_scores,
)
from reportkit.scores.resplits import Resplits
from reportkit.scores.table.names import natural_key
from reportkit.settings.arguments import TieRule

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_FEWEST_TO_COMPARE = 24
"""With fewer instances, two independent divisions may well be the same by chance."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimated:
    """Estimates of one dataset before they are summarised; `estimates` without the mixtures."""

    estimates: dict[str, Floats]
    scores: dict[str, tuple[float, float]]
    one: PairEstimates | None = None
    m: int | None = None
    n_instances: int | None = None
    n_ties: tuple[int, int] | None = None
    tie_rule: str = ""


def by_name(names: NDArray[np.object_], places: Ints | None = None) -> Iterator[tuple[str, Ints]]:
    """Names in natural order, and the rows of each."""
    chosen = np.arange(names.size) if places is None else places
    known, codes = np.unique(names[chosen].astype(str), return_inverse=True)
    order = np.argsort(codes, kind="stable")
    parts = np.split(chosen[order], np.cumsum(np.bincount(codes))[:-1])
    for index in sorted(range(known.size), key=lambda place: natural_key(str(known[place]))):
        yield str(known[index]), parts[index]


def _by_repeat(resplits: Resplits, places: Ints, a: str, b: str) -> Iterator[tuple[str, tuple[Ints, Ints]]]:
    """Rows of A and of B, by re-partition."""
    systems = dict(by_name(resplits.arrays["system"], places))
    absent = [name for name in (a, b) if name not in systems]
    if absent:
        raise MissingScoresError(f"there is nothing of {listed(map(repr, absent))}", remedy="leave the dataset out")
    of_a, of_b = (dict(by_name(resplits.arrays["repeat"], systems[name])) for name in (a, b))
    if unlike := sorted(of_a.keys() ^ of_b.keys(), key=natural_key):
        raise MissingScoresError(
            f"{counted(len(unlike), 're-partition has', 're-partitions have')} one of the two systems only",
            where=f"re-partition {listed(unlike[:3])}{' and others' if len(unlike) > 3 else ''}",
            remedy="train and test both systems on every split",
        )
    for name, rows in of_a.items():
        yield name, (rows, of_b[name])


def from_folds(
    resplits: Resplits,
    places: Ints,
    a: str,
    b: str,
    metric: str | None,
    higher_is_better: bool,
    ties: TieRule | None,
    tolerance: float | None,
    run: Run | None = None,
) -> Estimated:
    """From predictions or scores of folds; each re-partition by itself, wherever that is done."""
    how = metric, higher_is_better, ties, tolerance
    pieces = (
        (_alone(resplits, np.concatenate(both)), both[0].size, name, *how)
        for name, both in _by_repeat(resplits, places, a, b)
    )
    estimated: list[_Repartition] = []
    seen: dict[bytes, str] = {}
    for item in in_order(run, _repartition, pieces):
        if item.split in seen:
            raise DesignError(
                f"re-partitions {seen[item.split]} and {item.name} are the same split, and reproducibility is counted "
                "over independent ones",
                where=f"re-partition {item.name}",
                remedy="split anew for each: BlockedCV(repartition=...), or split_tables(..., repartitions=200)",
            )
        if item.split:
            seen[item.split] = item.name
        estimated.append(item)
    pairs = [item.pair for item in estimated]
    series = estimates_by_method(pairs, system_a="A", system_b="B")
    first, second = [item.a for item in estimated], [item.b for item in estimated]
    scores = {
        "ST": _means([item.hold_outs[0, 0] for item in first], [item.hold_outs[0, 0] for item in second]),
        "Avg": _means([item.average for item in first], [item.average for item in second]),
    }
    if "Vote" in series:
        scores["Vote"] = _means([item.vote or 0.0 for item in first], [item.vote or 0.0 for item in second])
    n_instances = estimated[0].n_instances
    return Estimated(
        estimates={"ST": np.array([pair.hold_outs[0, 0] for pair in pairs]), **series},
        scores=scores,
        one=pairs[0] if len(pairs) == 1 else None,
        m=int(pairs[0].hold_outs.shape[0]),
        n_instances=n_instances,
        n_ties=None if n_instances is None else (sum(i.n_ties for i in first), sum(i.n_ties for i in second)),
        tie_rule=first[0].tie_rule or "",
    )


def _means(first: Sequence[float], second: Sequence[float]) -> tuple[float, float]:
    return float(np.mean(first)), float(np.mean(second))


def _scored(resplits: Resplits, rows: Ints, metric: str, higher_is_better: bool) -> SystemEstimates:
    values = []
    for replicate, chosen in by_name(resplits.arrays["replicate"], rows):
        folds = resplits.arrays["fold"][chosen]
        if len(set(folds.tolist())) != 2 or folds.size != 2:
            raise InputError(
                f"repetition {replicate!r} has {counted(folds.size, 'score')} of"
                f" {counted(len(set(folds.tolist())), 'fold')}, not one of each of two",
                remedy="give one score for each of the two folds of each repetition",
            )
        order = sorted(range(2), key=lambda place: natural_key(str(folds[place])))
        values.append(resplits.arrays["score"][chosen][order])
    return estimates_from_scores(np.array(values), metric=metric, higher_is_better=higher_is_better)


def _predicted(resplits: Resplits, rows: Ints, tolerance: float | None) -> BlockedPredictions:
    values = resplits.arrays
    return predictions_from_long_form(
        replicate=values["replicate"][rows],
        fold=values["fold"][rows],
        instance=values["instance"][rows],
        prediction=values["prediction"][rows],
        gold=values["gold"][rows],
        token=values["token"][rows] if "token" in values else None,
        tolerance=tolerance,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Repartition:
    """Estimates from one re-partition, without the predictions; `split` is the same for the same division."""

    name: str
    a: SystemEstimates
    b: SystemEstimates
    pair: PairEstimates
    n_instances: int | None = None
    split: bytes = b""


def _alone(resplits: Resplits, rows: Ints) -> Resplits:
    return replace(resplits, arrays={role: values[rows] for role, values in resplits.arrays.items()})


def _repartition(
    resplits: Resplits,
    n_a: int,
    name: str,
    metric: str | None,
    higher_is_better: bool,
    ties: TieRule | None,
    tolerance: float | None,
) -> _Repartition:
    """Estimate both systems, whose rows stand one after the other."""
    both = np.split(np.arange(resplits.n_rows), [n_a])
    n, split = None, b""
    try:
        if resplits.form == "scores":
            of_a, of_b = (_scored(resplits, rows, metric or "score", higher_is_better) for rows in both)
        else:
            known = [_predicted(resplits, rows, tolerance) for rows in both]
            n, split = known[0].n, _split(known[0])
            of_a, of_b = (estimate_system(item, metric=metric or "accuracy", ties=ties) for item in known)
        pair = compare_estimates(of_a, of_b)
    except (DesignError, InputError) as error:
        raise error.within(f"re-partition {name}") from None
    of_a, of_b = (replace(item, predictions=None) for item in (of_a, of_b))
    return _Repartition(name=name, a=of_a, b=of_b, pair=pair, n_instances=n, split=split)


def _split(predictions: BlockedPredictions) -> bytes:
    """The division, whatever its folds and repetitions are called; nothing, if it may be the same by chance."""
    if predictions.n < _FEWEST_TO_COMPARE:
        return b""
    folds = predictions.folds ^ predictions.folds[:, :1]
    return b"".join(sorted(np.packbits(fold.astype(np.bool_)).tobytes() for fold in folds))


def from_estimates(resplits: Resplits, places: Ints, a: str, b: str, higher_is_better: bool) -> Estimated:
    """From a table of finished estimates."""
    found: dict[str, list[tuple[float, float]]] = {}
    for name, both in _by_repeat(resplits, places, a, b):
        of_a, of_b = (_named_values(resplits, rows, name) for rows in both)
        if of_a.keys() != of_b.keys() or (found and of_a.keys() != found.keys()):
            raise MissingScoresError(
                "not every estimate is given of both systems in every re-partition",
                where=f"re-partition {name}: {listed(sorted(of_a))} of {a!r}, {listed(sorted(of_b))} of {b!r}",
                remedy="give the same estimators everywhere",
            )
        for method, value in of_a.items():
            found.setdefault(method, []).append((value, of_b[method]))
    sign = 1.0 if higher_is_better else -1.0
    table = {method: np.array(values) for method, values in found.items()}
    return Estimated(
        estimates={method: sign * (values[:, 0] - values[:, 1]) + 0.0 for method, values in table.items()},
        scores={method: (float(values[:, 0].mean()), float(values[:, 1].mean())) for method, values in table.items()},
    )


def _named_values(resplits: Resplits, rows: Ints, repeat: str) -> dict[str, float]:
    values: dict[str, float] = {}
    for place in rows.tolist():
        name = estimator_name(str(resplits.arrays["estimator"][place]))
        if name in values:
            raise DuplicateScoresError(f"{name} is given twice", where=f"re-partition {repeat}")
        values[name] = float(resplits.arrays["value"][place])
    return values
