"""Two systems on re-partitions of one corpus or several: all estimators side by side, by dataset."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError, InputError, UnknownNameError
from reportkit.in_pieces import Run
from reportkit.language.counts_and_lists import listed
from reportkit.language.short_repr import short_repr
from reportkit.reproducibility_analysis.blocked_t import BlockedT, blocked_t
from reportkit.reproducibility_analysis.estimator_names import MIXTURES, method_rank
from reportkit.reproducibility_analysis.estimators import PairEstimates, mixture
from reportkit.reproducibility_analysis.reproducibility import Reproducibility, reproducibility
from reportkit.reproducibility_analysis.resplit_estimates import Estimated, by_name, from_estimates, from_folds
from reportkit.scores.resplits import Resplits
from reportkit.settings.arguments import TieRule

Floats = NDArray[np.float64]

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
    scores : mapping of str to tuple of float
        By estimator that each system has by itself: means of A and of B over the re-partitions.
    one : PairEstimates or None
        The only re-partition, if there is one only and its hold-outs are known.
    t_test : BlockedT or None
        Of this.
    m : int or None
        Repetitions of each blocked cross-validation, where known.
    n_instances : int or None
        Size of the corpus, where known.
    n_ties : tuple of int, or None
        Tied votes of A and of B in all re-partitions, where there are predictions.
    tie_rule : str
        What was done with them.
    """

    dataset: str
    estimates: Mapping[str, Floats]
    results: Mapping[str, Reproducibility]
    scores: Mapping[str, tuple[float, float]]
    one: PairEstimates | None = None
    t_test: BlockedT | None = None
    m: int | None = None
    n_instances: int | None = None
    n_ties: tuple[int, int] | None = None
    tie_rule: str = ""

    __repr__ = short_repr

    @property
    def n_repartitions(self) -> int:
        """R."""
        return int(next(iter(self.estimates.values())).size)

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
    source, digest : str
        Of the data.
    n_rows : int
        How many rows were read.
    columns : mapping of str to str
        Role to column name.
    form : str
        "predictions", "scores" or "estimates".
    """

    system_a: str
    system_b: str
    metric: str
    resplits: tuple[Resplit, ...]
    level: float
    source: str
    digest: str
    n_rows: int
    columns: Mapping[str, str] = field(default_factory=dict)
    form: str = "predictions"

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
    system_a: str | None = None,
    system_b: str | None = None,
    *,
    metric: str | None = None,
    higher_is_better: bool = True,
    ties: TieRule | None = None,
    tolerance: float | None = None,
    confidence_level: float = 0.95,
    run: Run | None = None,
) -> ResplitStudy:
    """Estimate the difference of two systems from every re-partition, and summarise it.

    Parameters
    ----------
    resplits : Resplits
        Predictions, scores of folds, or estimates.
    system_a, system_b : str, optional
        The conclusion is that A is better; in alphabetical order, if there are two and none is named.
    metric : str, optional
        For predictions "accuracy" (by default) or "chunk-f1"; otherwise the name of what was measured.
    higher_is_better : bool
        Of scores and estimates; predictions are always scored so.
    ties : {"fractional", "first"}, optional
        As in `estimate_system`.
    tolerance : float, optional
        By how many instances the overlap of two folds may differ from a quarter of the corpus; see
        `BlockedPredictions`.
    confidence_level : float
        Of the intervals.
    run : Run, optional
        Who does the re-partitions; this process, if not given. What is found is the same.

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
        If the systems have different re-partitions, or a row stands twice.
    UnknownNameError
        If there is no such system, metric or estimator.

    Notes
    -----
    From predictions or scores, ST is the first hold-out of each blocked cross-validation: the split of its first
    repetition is a random one. RS needs splits of its own, and is given as an estimate.
    """
    a, b = _systems(resplits.arrays["system"], system_a, system_b)
    found = []
    for dataset, places in by_name(resplits.arrays["dataset"]):
        try:
            if resplits.form == "estimates":
                item = from_estimates(resplits, places, a, b, higher_is_better)
            else:
                item = from_folds(resplits, places, a, b, metric, higher_is_better, ties, tolerance, run)
            found.append(_summarised(dataset, item, confidence_level))
        except (DesignError, InputError) as error:
            raise error.within(f"dataset {dataset!r}") from None
    if len({not item.results for item in found}) > 1:
        raise DesignError(
            "some datasets have one re-partition, and others several",
            where=listed(f"{item.dataset!r} ({item.n_repartitions})" for item in found),
            remedy="report them one at a time",
        )
    return ResplitStudy(
        system_a=a,
        system_b=b,
        metric=metric or ("accuracy" if resplits.form == "predictions" else resplits.columns.get("score", "score")),
        resplits=tuple(found),
        level=confidence_level,
        source=resplits.source,
        digest=resplits.digest,
        n_rows=resplits.n_rows,
        columns=resplits.columns,
        form=resplits.form,
    )


def _systems(systems: NDArray[np.object_], a: str | None, b: str | None) -> tuple[str, str]:
    known = sorted(set(systems.tolist()))
    for name in (a, b):
        if name is not None and name not in known:
            raise UnknownNameError("system", name, known)
    if a is not None and b is not None and a != b:
        return a, b
    rest = [name for name in known if name not in (a, b)]
    if a == b and a is not None:
        raise DesignError(f"{a!r} is compared with itself", remedy="name two different systems")
    if len(known) != 2:
        raise DesignError(
            f"there {'is 1 system' if len(known) == 1 else f'are {len(known)} systems'}, and two are compared",
            where=listed(map(repr, known)),
            remedy='name two: reproducibility(frame, "new", "old"), or --system new --baseline old',
        )
    if a is None and b is None:
        return known[0], known[1]
    return (a, rest[0]) if a is not None else (rest[0], str(b))


def _summarised(dataset: str, item: Estimated, level: float) -> Resplit:
    series = dict(item.estimates)
    if {"Vote", "Avg"} <= series.keys():
        both = list(zip(series["Vote"].tolist(), series["Avg"].tolist(), strict=True))
        series[MIXTURES[0]] = np.array([mixture(vote, average) for vote, average in both])
        series[MIXTURES[1]] = np.array([mixture(-vote, -average) for vote, average in both])
    ordered = {name: series[name] for name in sorted(series, key=method_rank)}
    number = next(iter(ordered.values())).size
    several = number > 1 or item.one is None
    return Resplit(
        dataset=dataset,
        estimates=ordered,
        results={name: reproducibility(values, confidence_level=level) for name, values in ordered.items()}
        if several
        else {},
        scores=item.scores,
        one=item.one,
        t_test=blocked_t(item.one.hold_outs) if item.one is not None else None,
        m=item.m,
        n_instances=item.n_instances,
        n_ties=item.n_ties,
        tie_rule=item.tie_rule,
    )
