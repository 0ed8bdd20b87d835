"""Two systems on re-partitions of one corpus or several: all estimators side by side, by dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError, DuplicateScoresError, InputError, MissingScoresError
from reportkit.language import counted, listed, short_repr
from reportkit.parallel import Workers, parallel_map
from reportkit.reproducibility_analysis.estimator_names import MIXTURES, estimator_name, method_rank
from reportkit.reproducibility_analysis.estimators import (
    PairEstimates,
    compare_estimates,
    estimate_system,
    estimates_from_scores,
    with_mixtures,
)
from reportkit.reproducibility_analysis.predictions import predictions_from_long_form
from reportkit.reproducibility_analysis.reproducibility import BlockedT, Reproducibility, blocked_t, reproducibility
from reportkit.scores.codes import natural_key
from reportkit.scores.resplits import Resplits

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

_FEWEST_TO_COMPARE = 24
"""With fewer instances, two independent divisions may well be the same by chance."""

_NOTHING = 1e-12
"""Estimates below this part of the largest one are the noise of floating-point arithmetic."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resplit:
    """Estimates of A minus B from the re-partitions of one dataset.

    Parameters
    ----------
    dataset : str
        Its name.
    estimates : mapping of str to ndarray of shape (R,)
        By estimator, in the order ST, RS, Avg, Vote, both mixtures; of A minus B, but for the mixture of B over A.
    results : mapping of str to Reproducibility
        The same summarised; empty with one re-partition.
    by_system : mapping of str to ndarray of shape (R, 2)
        By estimator that each system has by itself: A and B in each re-partition.
    one : PairEstimates or None
        The only re-partition, if there is one only and its hold-outs are known.
    t_test : BlockedT or None
        Its t-test.
    m : int or None
        Repetitions of each blocked cross-validation, where known.
    n_instances : int or None
        Size of the corpus, where known.
    """

    dataset: str
    estimates: Mapping[str, Floats]
    results: Mapping[str, Reproducibility]
    by_system: Mapping[str, Floats]
    one: PairEstimates | None = None
    t_test: BlockedT | None = None
    m: int | None = None
    n_instances: int | None = None

    __repr__ = short_repr

    @property
    def n_repartitions(self) -> int:
        """R."""
        return int(next(iter(self.estimates.values())).size)

    @property
    def scores(self) -> dict[str, tuple[float, float]]:
        """Means of A and of B over the re-partitions, by estimator that each system has by itself."""
        return {name: (float(both[:, 0].mean()), float(both[:, 1].mean())) for name, both in self.by_system.items()}

    @property
    def both_above(self) -> float | None:
        """Share of re-partitions in which both mixtures are above 0: each system comes out better than the other."""
        if MIXTURES[0] not in self.estimates:
            return None
        for_a, for_b = (self.estimates[name] for name in MIXTURES)
        nothing = _NOTHING * float(np.maximum(np.abs(for_a), np.abs(for_b)).max())
        return float(np.mean((for_a > nothing) & (for_b > nothing)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResplitStudy:
    """A against B on re-partitions of one dataset or several.

    Parameters
    ----------
    system_a, system_b : str
        The conclusion whose reproducibility is counted is that A is better.
    metric : str
        Its name.
    resplits : tuple of Resplit
        One per dataset.
    level : float
        Confidence level of the intervals.
    read : Resplits
        What they were estimated from.
    """

    system_a: str
    system_b: str
    metric: str
    resplits: tuple[Resplit, ...]
    level: float
    read: Resplits

    __repr__ = short_repr

    @property
    def single(self) -> bool:
        """Whether there is one re-partition only, from which no reproducibility follows."""
        return not self.resplits[0].results

    @property
    def methods(self) -> tuple[str, ...]:
        """All estimators, in their order."""
        return tuple(sorted({name for item in self.resplits for name in item.estimates}, key=method_rank))


def resplit_study(
    resplits: Resplits,
    system_a: str,
    system_b: str,
    *,
    metric: str | None = None,
    higher_is_better: bool = True,
    confidence_level: float = 0.95,
    workers: Workers | None = None,
) -> ResplitStudy:
    """Estimate the difference of two systems from every re-partition, and summarise it.

    Parameters
    ----------
    resplits : Resplits
        Predictions, scores of folds, or estimates.
    system_a, system_b : str
        Two of the systems; the conclusion is that A is better.
    metric : str, optional
        For predictions "accuracy" (by default) or "chunk-f1"; otherwise the name of what was measured.
    higher_is_better : bool
        Whether higher scores and estimates are better; predictions are always scored so.
    confidence_level : float
        Confidence level of the intervals.
    workers : Workers, optional
        Processes that share the re-partitions; this one alone, if not given. The results are the same.

    Returns
    -------
    ResplitStudy
        With 20 re-partitions or more of each dataset: SNR and reproducibility. With one: the t-test of the blocked
        cross-validation.

    Raises
    ------
    DesignError
        If there are 2 to 19 re-partitions, if two are the same split, or as in `compare_estimates`.
    MissingScoresError, DuplicateScoresError
        If the systems have different re-partitions, or a row occurs twice.
    UnknownNameError
        If there is no such metric or estimator.

    Notes
    -----
    From predictions or scores, ST is the first hold-out of each blocked cross-validation: the split of its first
    repetition is a random one. RS needs splits of its own, and is given as an estimate.
    """
    found = []
    for dataset, rows in _by_name(resplits.arrays["dataset"], np.arange(resplits.n_rows)).items():
        try:
            pairs = _paired_rows(resplits, rows, system_a, system_b)
            how = metric, higher_is_better
            pieces = ((name, _only(resplits, np.concatenate(both)), both[0].size, *how) for name, both in pairs.items())
            divisions = dict(zip(pairs, parallel_map(_division, pieces, workers), strict=True))
            found.append(_summarised(dataset, divisions, higher_is_better, confidence_level))
        except (DesignError, InputError) as error:
            raise error.within(f"dataset {dataset!r}") from None
    if len({not item.results for item in found}) > 1:
        raise DesignError(
            "some datasets have one re-partition, and others several",
            where=listed(f"{item.dataset!r} ({item.n_repartitions})" for item in found),
            remedy="report them one at a time",
        )
    return ResplitStudy(
        system_a=system_a,
        system_b=system_b,
        metric=metric or ("accuracy" if resplits.form == "predictions" else resplits.columns.get("score", "score")),
        resplits=tuple(found),
        level=confidence_level,
        read=resplits,
    )


def _by_name(names: NDArray[np.object_], rows: Ints) -> dict[str, Ints]:
    """Return the rows of each name, names in natural order."""
    known, codes = np.unique(names[rows].astype(str), return_inverse=True)
    parts = np.split(rows[np.argsort(codes, kind="stable")], np.cumsum(np.bincount(codes))[:-1])
    return dict(sorted(zip(known.tolist(), parts, strict=True), key=lambda item: natural_key(item[0])))


def _paired_rows(resplits: Resplits, rows: Ints, a: str, b: str) -> dict[str, tuple[Ints, Ints]]:
    """Return the rows of A and of B, by re-partition."""
    systems = _by_name(resplits.arrays["system"], rows)
    if absent := [name for name in (a, b) if name not in systems]:
        raise MissingScoresError(f"there is no row of {listed(map(repr, absent))}", remedy="leave the dataset out")
    of_a, of_b = (_by_name(resplits.arrays["repeat"], systems[name]) for name in (a, b))
    if unlike := sorted(of_a.keys() ^ of_b.keys(), key=natural_key):
        raise MissingScoresError(
            f"{counted(len(unlike), 're-partition has', 're-partitions have')} one of the two systems only",
            where=f"re-partition {listed(unlike[:3])}{' and others' if len(unlike) > 3 else ''}",
            remedy="train and test both systems on every split",
        )
    return {name: (rows_of_a, of_b[name]) for name, rows_of_a in of_a.items()}


def _only(resplits: Resplits, rows: Ints) -> Resplits:
    return replace(resplits, arrays={role: values[rows] for role, values in resplits.arrays.items()})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Division:
    """Estimates of A and of B from one re-partition; `split` is the same for the same division."""

    values: dict[str, tuple[float, float]]
    pair: PairEstimates | None = None
    n_instances: int | None = None
    split: bytes = b""


def _division(name: str, resplits: Resplits, n_a: int, metric: str | None, higher_is_better: bool) -> _Division:
    """Estimate both systems, whose rows are one after the other."""
    both = [_only(resplits, rows) for rows in np.split(np.arange(resplits.n_rows), [n_a])]
    try:
        if resplits.form == "estimates":
            sign = 1.0 if higher_is_better else -1.0
            of_a, of_b = (_finished(part) for part in both)
            if of_a.keys() != of_b.keys():
                raise _unlike(f"{listed(sorted(of_a))} of the first system, {listed(sorted(of_b))} of the second")
            return _Division(values={method: (sign * value, sign * of_b[method]) for method, value in of_a.items()})
        n, split = None, b""
        if resplits.form == "scores":
            a, b = (estimates_from_scores(_fold_scores(part), higher_is_better=higher_is_better) for part in both)
        else:
            roles = resplits.arrays.keys() - {"system", "dataset", "repeat"}
            known = [predictions_from_long_form(**{role: part.arrays[role] for role in roles}) for part in both]
            a, b = (estimate_system(item, metric=metric or "accuracy") for item in known)
            n = known[0].n
            if n >= _FEWEST_TO_COMPARE:
                folds = known[0].folds ^ known[0].folds[:, :1]  # whatever folds and repetitions are called
                split = b"".join(sorted(np.packbits(fold.astype(np.bool_)).tobytes() for fold in folds))
        pair = compare_estimates(a, b)
    except (DesignError, InputError) as error:
        raise error.within(f"re-partition {name}") from None
    values = {"ST": (float(a.hold_outs[0, 0]), float(b.hold_outs[0, 0])), "Avg": (a.average, b.average)}
    if a.vote is not None and b.vote is not None:
        values["Vote"] = (a.vote, b.vote)
    return _Division(values=values, pair=pair, n_instances=n, split=split)


def _finished(part: Resplits) -> dict[str, float]:
    """Return the finished estimates of one system, by estimator."""
    values: dict[str, float] = {}
    for given, value in zip(part.arrays["estimator"].tolist(), part.arrays["value"].tolist(), strict=True):
        name = estimator_name(str(given))
        if name in values:
            raise DuplicateScoresError(f"{name} is given twice")
        values[name] = value
    return values


def _fold_scores(part: Resplits) -> Floats:
    values = []
    for replicate, rows in _by_name(part.arrays["replicate"], np.arange(part.n_rows)).items():
        folds = _by_name(part.arrays["fold"], rows)
        if len(folds) != 2 or rows.size != 2:
            raise InputError(
                f"repetition {replicate!r} has {counted(rows.size, 'score')} of {counted(len(folds), 'fold')},"
                " not one of each of two",
                remedy="give one score for each of the two folds of each repetition",
            )
        values.append([part.arrays["score"][row[0]] for row in folds.values()])
    return np.array(values, dtype=np.float64)


def _unlike(what: str) -> MissingScoresError:
    return MissingScoresError(
        "not every estimate is given of both systems in every re-partition",
        where=what,
        remedy="give the same estimators everywhere",
    )


def _summarised(dataset: str, divisions: Mapping[str, _Division], higher_is_better: bool, level: float) -> Resplit:
    """Put the estimates of all re-partitions of a dataset side by side."""
    first, *_ = divisions.values()
    seen: dict[bytes, str] = {}
    for name, item in divisions.items():
        if item.values.keys() != first.values.keys():
            raise _unlike(f"re-partition {name}: {listed(sorted(item.values))}")
        if item.split and item.split in seen:
            raise DesignError(
                f"re-partitions {seen[item.split]} and {name} are the same split, and reproducibility is counted over"
                " independent ones",
                where=f"re-partition {name}",
                remedy="split again for each: BlockedCV(repartition=...), or split_tables(..., repartitions=200)",
            )
        seen[item.split] = name
    table = {method: np.array([item.values[method] for item in divisions.values()]) for method in first.values}
    series = with_mixtures({method: both[:, 0] - both[:, 1] + 0.0 for method, both in table.items()}, MIXTURES)
    series = {method: series[method] for method in sorted(series, key=method_rank)}
    one = first.pair if len(divisions) == 1 else None
    sign = 1.0 if higher_is_better or first.pair is not None else -1.0
    return Resplit(
        dataset=dataset,
        estimates=series,
        results={}
        if one
        else {method: reproducibility(values, confidence_level=level) for method, values in series.items()},
        by_system={method: sign * both for method, both in table.items()},
        one=one,
        t_test=blocked_t(one.hold_outs) if one else None,
        m=int(first.pair.hold_outs.shape[0]) if first.pair else None,
        n_instances=first.n_instances,
    )
