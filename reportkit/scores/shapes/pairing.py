"""Two systems on one dataset, instance by instance: what a paired test sees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError, MissingScoresError
from reportkit.scores.choices import Missing, Pairing, Runs
from reportkit.scores.computed_once import remembered
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.dataset_scores import DatasetScores, worst_score
from reportkit.scores.shapes.dataset_statistics import DatasetStatistics
from reportkit.scores.shapes.predictions import DatasetPredictions, paired_predictions
from reportkit.scores.shapes.proportions import DatasetCounts, proportions
from reportkit.scores.shapes.sample import Sample, Shape
from reportkit.scores.shapes.unpaired import unpaired_scores

MISSING_REMEDY = (
    "complete the results, or say what a missing score means: missing='drop' (--missing drop) compares each pair on "
    "the "
    "instances both have, missing='worst' (--missing worst) counts no output as the worst output,\nmissing='bounds' "
    "(--missing bounds) says what holds whatever the missing scores were"
)

UNPAIRED_REMEDY = (
    ";\nif the systems were meant to be scored on different ones, compare two independent samples:\n"
    "pairing='unpaired' (--pairing unpaired)"
)

MOST_PLACES = 8

SIGNIFICANT_DIGITS = 12
"""Differences are rounded to so many significant digits of the largest score: 0.3 - 0.1 is then equal to 0.2."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedScores(Sample):
    """Scores of system A and system B on the same instances of one dataset, oriented so that higher is better.

    Parameters
    ----------
    a, b : ndarray of shape (n,)
        Scores of A and of B, finite, instance by instance.
    weights : ndarray of shape (n,), optional
        Positive; the estimand is then the weighted mean difference.
    clusters : ndarray of int of shape (n,), optional
        Which cluster (document, dialogue, ...) an instance belongs to; None if every instance stands alone.
    known : dict
        What was derived from these scores before and is asked for again, by name: sorted units, exact tails. Not an
        argument; a copy with other scores starts empty.
    **others
        As for every `Sample`.
    """

    shape: ClassVar[Shape] = "paired"

    a: NDArray[np.float64]
    b: NDArray[np.float64]
    weights: NDArray[np.float64] | None = None
    clusters: NDArray[np.int64] | None = None
    known: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(self.a.size)

    @property
    def differences(self) -> NDArray[np.float64]:
        """A minus B, shape (n,), free of the noise of floating-point subtraction."""
        return remembered(self.known, "differences", lambda: paired_differences(self.a, self.b))

    @property
    def wins_and_losses(self) -> tuple[int, int]:
        """Number of instances on which A scores better, and on which B does."""
        return remembered(self.known, "wins and losses", self._wins_and_losses)

    def _wins_and_losses(self) -> tuple[int, int]:
        if self.kind == "binary":  # right or wrong leaves nothing to round
            return int(np.count_nonzero(self.a > self.b)), int(np.count_nonzero(self.a < self.b))
        return int(np.count_nonzero(self.differences > 0)), int(np.count_nonzero(self.differences < 0))

    @property
    def identical(self) -> bool:
        """Whether both systems have the same score on every instance."""
        return self.wins_and_losses == (0, 0)

    @property
    def value_a(self) -> float:
        """(Weighted) mean score of A, oriented."""
        return float(np.average(self.a, weights=self.weights))

    @property
    def value_b(self) -> float:
        """(Weighted) mean score of B, oriented."""
        return float(np.average(self.b, weights=self.weights))

    @property
    def value_difference(self) -> float:
        """(Weighted) mean of A minus B; positive if A is better, and exactly 0 where only rounding noise is left."""
        mean = float(np.average(self.a - self.b, weights=self.weights))
        largest = max(float(np.abs(self.a).max()), float(np.abs(self.b).max()))
        return mean if abs(mean) > 10.0**-SIGNIFICANT_DIGITS * largest / self.n else 0.0

    @property
    def weighted(self) -> bool:
        """Whether instances carry weights."""
        return self.weights is not None

    @property
    def n_clusters(self) -> int | None:
        """Number of clusters; None if every instance stands alone."""
        return None if self.clusters is None else int(np.unique(self.clusters).size)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedMeans(PairedScores):
    """Scores of system A and system B on the same datasets, one each; see `reportkit.scores.across_datasets`."""

    unit: ClassVar[str] = "dataset"


def paired_differences(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences a - b, rounded to 12 significant digits of the largest score.

    Without it, 0.3 - 0.1 and 0.2 are different, and ties and zeros are miscounted.

    Examples
    --------
    >>> paired_differences(np.array([0.3, 1.0]), np.array([0.1, 0.8]))
    array([0.2, 0.2])
    """
    return _rounded(a - b, max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0))))


def pair(
    block: Block,
    system_a: str,
    system_b: str,
    *,
    missing: Missing = "error",
    score_range: tuple[float, float] | None = None,
    pairing: Pairing = "paired",
    runs: Runs = "random",
) -> Sample:
    """Put two systems on one dataset side by side.

    Parameters
    ----------
    block : Block
        One dataset.
    system_a, system_b : str
        Two systems of it.
    missing : {"error", "drop", "worst", "bounds"}
        What to do with an instance that only one of the two has a score for: refuse, leave it out for both, or count
        the missing output as the worst possible score, which is right for crashes and timeouts. "bounds" gives what
        "drop" gives, to which `bounded_pair` adds both extremes. An instance that neither has is always left out,
        with "worst" too: it says nothing about which of the two is better.
    score_range : tuple of float, optional
        (lowest, highest) score of the metric, as given; needed for `missing="worst"` unless scores are 0/1 or lie
        between 0 and 1.
    pairing : {"paired", "unpaired"}
        Whether instances are compared one by one, or the scores of the two systems are two independent samples.
    runs : {"random", "fixed"}
        Where systems have several runs: whether they are kept apart, or averaged instance by instance.

    Returns
    -------
    Sample
        `PairedScores` for a block of scores; see `reportkit.scores.shapes.sample` for the other shapes.

    Raises
    ------
    MissingScoresError
        If the instance sets differ and `missing="error"`, if nothing is common, or if the worst score is unknown.
    UnknownNameError
        If a system has no scores on this dataset.
    """
    if missing == "bounds" and not isinstance(block, DatasetScores) and not block.without_missing():
        raise DesignError(
            "missing='bounds' is for one score per system and instance",
            where=f"dataset {block.dataset!r}: {type(block).__name__}",
            remedy="complete the results, or choose missing='drop' (--missing drop)",
        )
    if pairing == "unpaired" and block.unit == "instance":
        return _unpaired(block, system_a, system_b)
    if isinstance(block, DatasetCounts):
        return proportions(block, system_a, system_b)
    if isinstance(block, DatasetPredictions):
        common = common_instances(block, system_a, system_b, missing=missing)
        return paired_predictions(
            block,
            system_a,
            system_b,
            kept=common.kept,
            n_dropped=common.n_dropped,
            clusters=clusters_kept(block, common.kept),
        )
    if isinstance(block, DatasetStatistics):
        common = common_instances(block, system_a, system_b, missing=missing)
        return block.paired(
            system_a,
            system_b,
            kept=common.kept,
            n_dropped=common.n_dropped,
            clusters=clusters_kept(block, common.kept),
            missing=missing,
        )
    if block.unit == "rating":
        return _rated(block, system_a, system_b, missing=missing)
    if isinstance(block, DatasetScores):
        return pair_scores(block, system_a, system_b, missing=missing, score_range=score_range)
    if block.shape in ("runs", "run-scores", "folds"):
        return _repeated(block, system_a, system_b, missing=missing, score_range=score_range, runs=runs)
    raise DesignError(f"no way is known to pair {type(block).__name__}", where=f"dataset {block.dataset!r}")


def _repeated(
    block: Block,
    system_a: str,
    system_b: str,
    *,
    missing: Missing,
    score_range: tuple[float, float] | None,
    runs: Runs,
) -> Sample:
    """Several runs, or folds, of each system."""
    from reportkit.scores.shapes import folds, run_scores
    from reportkit.scores.shapes.runs import DatasetRuns, pair_runs

    if isinstance(block, DatasetRuns):
        return pair_runs(block, system_a, system_b, missing=missing, score_range=score_range, runs=runs)
    if isinstance(block, run_scores.DatasetRunScores):
        return run_scores.pair_run_scores(block, system_a, system_b, runs=runs)
    if isinstance(block, folds.DatasetFolds):
        return folds.pair_folds(block, system_a, system_b)
    raise DesignError(f"no way is known to pair {type(block).__name__}", where=f"dataset {block.dataset!r}")


def _rated(block: Block, system_a: str, system_b: str, *, missing: Missing) -> Sample:
    """Ratings of both systems by the same raters."""
    from reportkit.scores.shapes.raters import DatasetRatings, pair_ratings  # it stands on this module

    if not isinstance(block, DatasetRatings):
        raise DesignError(f"no way is known to pair {type(block).__name__}", where=f"dataset {block.dataset!r}")
    return pair_ratings(block, system_a, system_b, missing=missing)


def _unpaired(block: Block, system_a: str, system_b: str) -> Sample:
    """Two independent samples: scores of instances, or numbers of right answers, which are never paired."""
    if isinstance(block, DatasetCounts):
        return proportions(block, system_a, system_b)
    if isinstance(block, DatasetScores):
        return unpaired_scores(block, system_a, system_b)
    raise DesignError(
        "pairing='unpaired' is for one score per system and instance",
        where=f"dataset {block.dataset!r}",
        remedy="leave it away: these results are compared as they are",
    )


def pair_scores(
    block: DatasetScores,
    system_a: str,
    system_b: str,
    *,
    missing: Missing = "error",
    score_range: tuple[float, float] | None = None,
) -> PairedScores:
    """Put the scores of two systems side by side, instance by instance; see `pair`."""
    common = common_instances(block, system_a, system_b, missing=missing)
    a, b = block.row(system_a), block.row(system_b)
    n_imputed_a = n_imputed_b = 0
    kind = block.kind
    if missing == "worst":
        absent_a, absent_b = np.isnan(a) & common.kept, np.isnan(b) & common.kept
        n_imputed_a, n_imputed_b = int(absent_a.sum()), int(absent_b.sum())
        if n_imputed_a or n_imputed_b:
            worst = worst_score(block, score_range)
            a, b = np.where(absent_a, worst, a), np.where(absent_b, worst, b)
            if kind == "binary" and worst not in (0.0, 1.0 if block.higher_is_better else -1.0):
                kind = "continuous"  # no output is worse than a wrong one: three values
    sample = PairedMeans if block.unit == "dataset" else PairedScores
    return sample(
        system_a=system_a,
        system_b=system_b,
        dataset=block.dataset,
        metric=block.metric,
        a=a[common.kept],
        b=b[common.kept],
        kind=kind,
        weights=None if block.weights is None else block.weights[common.kept],
        clusters=clusters_kept(block, common.kept),
        higher_is_better=block.higher_is_better,
        n_dropped=common.n_dropped,
        n_imputed_a=n_imputed_a,
        n_imputed_b=n_imputed_b,
    )


@dataclass(frozen=True, slots=True, eq=False)
class CommonInstances:
    """Instances on which two systems are compared.

    Parameters
    ----------
    kept : ndarray of bool of shape (n_instances,)
        Those that both have, or one of them where the other is imputed.
    n_dropped : int
        Those that only one of the two has, and that were left out.
    """

    kept: NDArray[np.bool_]
    n_dropped: int


def common_instances(block: Block, system_a: str, system_b: str, *, missing: Missing = "error") -> CommonInstances:
    """Find the instances on which two systems are compared, for any block whose instances are paired.

    Raises
    ------
    MissingScoresError
        If the instance sets differ and `missing="error"`, or if nothing is common.
    UnknownNameError
        If a system has no scores on this dataset.
    """
    row_a, row_b = block.position(system_a), block.position(system_b)
    presence = block.presence()
    has_a, has_b = presence[row_a], presence[row_b]
    kept, n_dropped = has_a | has_b, 0
    if bool((has_a ^ has_b).any()):
        if missing == "error":
            raise _unequal(block, system_a, system_b, has_b & ~has_a, has_a & ~has_b)
        if missing in ("drop", "bounds"):
            n_dropped = int((has_a ^ has_b).sum())
            kept = has_a & has_b
    if not bool(kept.any()):
        raise MissingScoresError(
            f"{system_a!r} and {system_b!r} have no {block.unit} in common",
            where=f"dataset {block.dataset!r}: {int(has_a.sum())} and {int(has_b.sum())} {block.unit}s",
            remedy=f"check the {block.unit} ids of the two systems; a paired test needs the same {block.unit}s"
            + (UNPAIRED_REMEDY if block.unit == "instance" else ""),
        )
    return CommonInstances(kept, n_dropped)


def clusters_kept(block: Block, kept: NDArray[np.bool_]) -> NDArray[np.int64] | None:
    """Clusters of some instances; None if each instance is a cluster of its own."""
    clusters = None if block.clusters is None else block.clusters[kept]
    return None if clusters is None or np.unique(clusters).size == clusters.size else clusters


def refuse_unequal_instances(blocks: Sequence[Block]) -> None:
    """Raise one error that lists every dataset on which systems were scored on different instances.

    Raises
    ------
    MissingScoresError
        If there is such a dataset; the message says how many instances all systems share, and who has fewest.
    """
    places = []
    nothing_common = False
    for block in blocks:
        absent = ~block.presence()
        if not absent.any():
            continue
        complete = int((~absent.any(axis=0)).sum())
        nothing_common = nothing_common or (complete == 0 and block.unit == "instance")
        fewest = int(absent.sum(axis=1).argmax())
        example = _shortened(str(block.instances[int(absent[fewest].argmax())]))
        places.append(
            f"dataset {block.dataset!r}: {complete:,} of {absent.shape[1]:,} {block.unit}s have a score of all "
            f"{len(block.systems)} systems; {block.systems[fewest]!r} lacks {int(absent[fewest].sum()):,}, such as "
            f"{example!r}"
        )
    if places:
        shown = places[:MOST_PLACES] + ([f"and {len(places) - MOST_PLACES} more"] if len(places) > MOST_PLACES else [])
        raise MissingScoresError(
            f"systems were not scored on the same instances on {len(places)} of {len(blocks)} "
            f"{'dataset' if len(blocks) == 1 else 'datasets'}"
            if blocks[0].unit == "instance"
            else f"systems were not {_as_one(blocks[0])}",
            where="\n".join(shown),
            remedy=_missing_remedy(blocks[0]) + (UNPAIRED_REMEDY if nothing_common else ""),
        )


def _as_one(block: Block) -> str:
    return "rated by the same raters" if block.unit == "rating" else f"scored on the same {block.unit}s"


def _missing_remedy(block: Block) -> str:
    if block.unit == "rating":
        return (
            "let the same raters rate both systems; or missing='drop' (--missing drop) compares each pair on the\n"
            "ratings by raters of both; or average over the raters first, which lets raters differ:\n"
            'df = df.groupby(["system", "dataset", "instance"], as_index=False, observed=True)["score"].mean()'
        )
    if isinstance(block, DatasetPredictions):
        return (
            "complete the predictions, or compare each pair on the instances that both have: missing='drop' "
            "(--missing drop)"
        )
    return MISSING_REMEDY.replace("instances", f"{block.unit}s")


def _unequal(
    block: Block, system_a: str, system_b: str, only_b: NDArray[np.bool_], only_a: NDArray[np.bool_]
) -> MissingScoresError:
    parts = []
    for system, absent in ((system_a, only_b), (system_b, only_a)):
        if absent.any():
            examples = ", ".join(repr(_shortened(str(name))) for name in block.instances[absent][:3])
            more = ", ..." if int(absent.sum()) > 3 else ""
            parts.append(
                f"{system!r} has no score for {int(absent.sum())} of {absent.size} {block.unit}s ({examples}{more})"
            )
    return MissingScoresError(
        f"{system_a!r} and {system_b!r} were not {_as_one(block)}",
        where=f"dataset {block.dataset!r}: " + "; ".join(parts),
        remedy=_missing_remedy(block),
    )


def _shortened(name: str, most: int = 48) -> str:
    return name if len(name) <= most else name[: most - 3] + "..."


def _rounded(values: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    if scale == 0 or not math.isfinite(scale) or values.size == 0:
        return values
    exponent = math.floor(math.log10(scale))
    decimals = SIGNIFICANT_DIGITS - 1 - exponent
    if abs(decimals) > 290:  # 10**decimals would overflow: bring the values near 1 first
        shift = -exponent
        half = shift // 2
        scaled = values * 10.0**half * 10.0 ** (shift - half)
        return np.asarray(
            np.round(scaled, SIGNIFICANT_DIGITS - 1) / 10.0**half / 10.0 ** (shift - half), dtype=np.float64
        )
    return np.asarray(np.round(values, decimals), dtype=np.float64)
