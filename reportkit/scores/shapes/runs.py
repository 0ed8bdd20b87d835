"""Several runs (seeds) of each system, every run scored on every instance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.scores.choices import Missing
from reportkit.scores.scales import detect_kind
from reportkit.scores.shapes.block import STRICT, Block, Handling
from reportkit.scores.shapes.paired_scores import DatasetScores, PairedScores, worst_score
from reportkit.scores.shapes.sample import Details, Sample, Shape, SideDetails


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetRuns(Block):
    """The scores of all runs of all systems on one dataset, for one metric.

    Runs of two systems are not paired: that seed 1 of A and seed 1 of B have the same name means nothing here. Where a
    seed stands for something that both share, such as a split of the data, it belongs into the name of the dataset or
    of the instance.

    Parameters
    ----------
    scores : tuple of ndarray, each of shape (n_runs, n_instances)
        By system, oriented so that higher is better; systems may have different numbers of runs. NaN where a run has
        no score.
    runs : tuple of tuple of str
        By system, the names of its runs, in the order of the rows.
    weights : ndarray of shape (n_instances,), optional
        Weight of each instance, the same for all runs.
    **others
        As for every `Block`.
    """

    shape: ClassVar[Shape] = "runs"
    axes: ClassVar[Mapping[str, str]] = {"scores": "si", "runs": "s", "weights": "i"}

    scores: tuple[NDArray[np.float64], ...]
    runs: tuple[tuple[str, ...], ...]
    weights: NDArray[np.float64] | None = None

    def presence_of(self, system: str) -> NDArray[np.bool_]:
        """Return for which instances a system has a score of all its runs, shape (n_instances,)."""
        return np.asarray(~np.isnan(self.scores[self.position(system)]).any(axis=0))

    def instances_kept(self, systems: Sequence[str]) -> tuple[list[int], NDArray[np.bool_]] | None:
        """Rows of some systems, and which instances a run of one of them has; None if none of the systems is here."""
        rows = [self.systems.index(system) for system in systems if system in self.systems]
        return (rows, np.any([~np.isnan(self.scores[row]).all(axis=0) for row in rows], axis=0)) if rows else None

    def content(self) -> Iterator[bytes]:
        """Names of the runs, their scores, and the weights."""
        for names, rows in zip(self.runs, self.scores, strict=True):
            yield "\x1f".join(names).encode("utf-8", "surrogatepass")
            yield np.ascontiguousarray(rows).tobytes()
        if self.weights is not None:
            yield self.weights.tobytes()

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """(Weighted) mean score over the runs of a system, as given, and the number of instances it is over."""
        block = self.completed(score_range) if missing == "worst" else self
        return block.averaged().value(system)

    def matrix(self) -> DatasetScores:
        """The same with one row per run, called by the names of system and run."""
        return DatasetScores(
            scores=np.concatenate(self.scores),
            **_beside(self, tuple(_runs_by_name(self))),
        )

    def averaged(self) -> DatasetScores:
        """The mean over the runs of each system, instance by instance; NaN where one of its runs has no score."""
        scores = np.array([rows.mean(axis=0) if len(rows) > 1 else rows[0] for rows in self.scores])
        averaged = DatasetScores(scores=scores, **_beside(self, self.systems))
        return averaged if self.kind != "binary" else replace(averaged, kind=detect_kind(scores))

    def completed(self, score_range: tuple[float, float] | None = None) -> DatasetRuns:
        """The same with the worst possible score where a run has none."""
        if self.without_missing():
            return self
        worst = worst_score(self.matrix(), score_range)
        return replace(self, scores=tuple(np.where(np.isnan(rows), worst, rows) for rows in self.scores))

    def n_missing(self, system: str) -> int:
        """Number of instances that some run of a system has no score for."""
        return int(np.isnan(self.scores[self.position(system)]).any(axis=0).sum())

    def runs_as_systems(self) -> DatasetScores:
        """The same with each run as a system of its own."""
        return self.matrix()

    @property
    def owners(self) -> tuple[str, ...]:
        """The system of each run."""
        return tuple(system for system, rows in zip(self.systems, self.scores, strict=True) for _ in rows)

    def runs_by_system(self) -> list[tuple[str, tuple[str, ...]]]:
        """Names of the runs of each system."""
        return list(zip(self.systems, self.runs, strict=True))

    def paired(self, system_a: str, system_b: str, handling: Handling = STRICT) -> PairedRuns | AveragedRuns:
        """Put the runs of two systems side by side, instance by instance; see `pair`.

        With `runs="fixed"`, and where neither system has several runs here, the scores are averaged over the runs of
        each system, and the comparison is one of paired scores.
        """
        self.position(system_a), self.position(system_b)
        two = self.narrowed((system_a, system_b))
        assert two is not None  # noqa: S101 - both are here
        n_imputed = (0, 0)
        if handling.missing == "worst":
            n_imputed = two.n_missing(system_a), two.n_missing(system_b)
            two = two.completed(handling.score_range)
        if handling.runs == "fixed" or all(len(rows) == 1 for rows in two.scores):
            return _averaged(two, system_a, system_b, handling, n_imputed)
        common = two.common_instances(system_a, system_b, missing=handling.missing)
        return PairedRuns(
            **two.of_pair(system_a, system_b),
            a=two.scores[0][:, common.kept],
            b=two.scores[1][:, common.kept],
            weights=None if two.weights is None else two.weights[common.kept],
            clusters=two.clusters_kept(common.kept),
            n_dropped=two.n_instances - int(common.kept.sum()),
            n_imputed_a=n_imputed[0],
            n_imputed_b=n_imputed[1],
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedRuns(Sample):
    """Runs of system A and runs of system B on the same instances, oriented so that higher is better.

    Parameters
    ----------
    a : ndarray of shape (n_runs_a, n)
        Scores of the runs of A, finite.
    b : ndarray of shape (n_runs_b, n)
        Scores of the runs of B, finite; the runs are not paired with those of A.
    known : dict
        What was computed from them already.
    **others
        As for every `Sample`.
    """

    shape: ClassVar[Shape] = "runs"

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    known: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.a.shape[1])

    @property
    def value_a(self) -> float:
        """(Weighted) mean score of A over runs and instances, oriented."""
        return float(np.average(self.a.mean(axis=0), weights=self.weights))

    @property
    def value_b(self) -> float:
        """(Weighted) mean score of B over runs and instances, oriented."""
        return float(np.average(self.b.mean(axis=0), weights=self.weights))

    @property
    def identical(self) -> bool:
        """Whether both systems have the same runs, in whatever order, or all runs of both have the same scores."""
        return same_runs(self.a, self.b)

    @property
    def details(self) -> Details:
        """Numbers of runs, and standard deviations of the mean score over the runs."""
        first, second = (np.average(rows, axis=1, weights=self.weights) for rows in (self.a, self.b))
        return about_runs(first, second)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AveragedRuns(PairedScores):
    """Paired scores that are means over the runs of each system: what a claim about these very runs is tested on.

    Parameters
    ----------
    run_means_a, run_means_b : ndarray of shape (n_runs,)
        (Weighted) mean score of each run of A, and of B.
    right_or_wrong : bool
        Whether the scores of the single runs are right or wrong.
    **others
        As for `PairedScores`.
    """

    run_means_a: NDArray[np.float64]
    run_means_b: NDArray[np.float64]
    right_or_wrong: bool = False

    @property
    def in_percent(self) -> bool:
        """Whether scores are printed in percent: shares of runs that are right."""
        return self.right_or_wrong

    @property
    def averages_runs(self) -> bool:
        """Whether one of the systems has several runs here."""
        return max(self.run_means_a.size, self.run_means_b.size) > 1

    @property
    def details(self) -> Details:
        """Numbers of runs, and standard deviations of the mean score over the runs."""
        return about_runs(self.run_means_a, self.run_means_b) if self.averages_runs else Details()


def about_runs(a: NDArray[np.float64], b: NDArray[np.float64]) -> Details:
    """Number of runs of each system and, of several, the standard deviation of their mean scores.

    Parameters
    ----------
    a, b : ndarray of shape (n_runs,)
        Mean score of each run of A, and of B.

    Examples
    --------
    >>> about_runs(np.array([0.5, 0.7]), np.array([0.6])).as_dict()  # doctest: +ELLIPSIS
    {'a': {'n_runs': 2, 'sd_over_runs': 0.1414...}, 'b': {'n_runs': 1}}
    """
    return Details(a=_about_runs(a), b=_about_runs(b))


def _about_runs(means: NDArray[np.float64]) -> SideDetails:
    spread = float(np.std(means, ddof=1)) if means.size > 1 else None
    return SideDetails(n_runs=int(means.size), sd_over_runs=spread)


def same_runs(a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Whether two sets of runs are the same, in whatever order, or all runs of both are alike.

    Parameters
    ----------
    a, b : ndarray of shape (n_runs, n) or (n_runs,)
        Runs of A and of B.
    """
    one, other = (np.ascontiguousarray(rows.reshape(len(rows), -1)) + 0.0 for rows in (a, b))
    if len(one) != len(other):
        return bool((one == one[0]).all() and (other == one[0]).all())
    if (np.sort(one.sum(axis=1)) != np.sort(other.sum(axis=1))).any():
        return False
    return sorted(row.tobytes() for row in one) == sorted(row.tobytes() for row in other)


def _averaged(
    two: DatasetRuns, system_a: str, system_b: str, handling: Handling, n_imputed: tuple[int, int]
) -> AveragedRuns:
    paired = two.averaged().paired(system_a, system_b, Handling(handling.missing))
    complete = two.presence().all(axis=0)
    weights = None if two.weights is None else two.weights[complete]
    means = [np.average(rows[:, complete], axis=1, weights=weights) for rows in two.scores]
    content = {item.name: getattr(paired, item.name) for item in fields(paired) if item.init}
    content |= {"n_imputed_a": n_imputed[0], "n_imputed_b": n_imputed[1]}
    return AveragedRuns(**content, run_means_a=means[0], run_means_b=means[1], right_or_wrong=two.kind == "binary")


def _runs_by_name(block: DatasetRuns) -> Iterator[str]:
    for system, runs in zip(block.systems, block.runs, strict=True):
        for run in runs:
            yield f"{system}, run {run}"


def _beside(block: DatasetRuns, systems: tuple[str, ...]) -> dict[str, Any]:
    """Everything but scores and runs, for another block about the same instances."""
    kept = ("dataset", "metric", "instances", "kind", "higher_is_better", "clusters", "cluster_names", "weights")
    return {"systems": systems, **{name: getattr(block, name) for name in kept}}
