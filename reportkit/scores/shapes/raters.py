"""Several raters of one output: ratings are paired rater by rater, and the instance stays the independent unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError
from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import STRICT, Handling
from reportkit.scores.shapes.paired_scores import DatasetScores, PairedScores
from reportkit.scores.shapes.sample import Details


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetRatings(DatasetScores):
    """Scores that several raters gave to the outputs of all systems on one dataset.

    Parameters
    ----------
    instances : ndarray of shape (n_ratings,)
        Names of the ratings: instance and rater.
    scores : ndarray of shape (n_systems, n_ratings)
        As for `DatasetScores`; NaN where a rater did not rate the output of a system.
    rated : ndarray of int of shape (n_ratings,)
        Codes of the instances into `rated_names`.
    rated_names : ndarray of str of shape (n_instances,)
        Names of the instances.
    raters : ndarray of int of shape (n_ratings,)
        Codes of the raters.
    **others
        As for `DatasetScores`, by rating.
    """

    unit: ClassVar[str] = "rating"

    rated: NDArray[np.int64]
    rated_names: NDArray[np.object_]
    raters: NDArray[np.int64]

    @property
    def n_instances(self) -> int:
        """Number of instances that at least one system was rated on."""
        return int(np.unique(self.rated).size)

    @property
    def instance_names(self) -> NDArray[np.object_]:
        """Ids of the instances, each once."""
        return self.rated_names[np.unique(self.rated)]

    @property
    def column_instances(self) -> NDArray[np.object_]:
        """Id of the rated instance that each column of scores belongs to."""
        return self.rated_names[self.rated]

    @property
    def independent_units(self) -> NDArray[np.int64]:
        """Code of the independent unit of each rating: the cluster, or else the rated instance."""
        return self.rated if self.clusters is None else self.clusters

    @property
    def scored_alike(self) -> str:
        """What systems without missing ratings are."""
        return "rated by the same raters"

    @property
    def missing_remedy(self) -> str:
        """What to do where ratings are missing."""
        return (
            "let the same raters rate both systems; or missing='drop' (--missing drop) compares each pair on the\n"
            "ratings by raters of both; or average over the raters first, which lets raters differ:\n"
            'df = df.groupby(["system", "dataset", "instance"], as_index=False, observed=True)["score"].mean()'
        )

    def part(self, rows: Sequence[int], kept: NDArray[np.bool_]) -> Self:
        """Keep the systems of some rows, in this order, and some ratings."""
        return replace(DatasetScores.part(self, rows, kept), rated=self.rated[kept], raters=self.raters[kept])

    def units_kept(self, kept: NDArray[np.bool_]) -> tuple[NDArray[np.int64] | None, str]:
        """Codes of the independent units of some ratings: the clusters, or else the rated instances."""
        clusters = self.clusters_kept(kept)
        return (self.rated[kept], "instance") if clusters is None else (clusters, "cluster")

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """(Weighted) mean rating of a system, as given, and the number of instances it is over."""
        value, _ = DatasetScores.value(self, system, missing="drop")
        return value, int(np.unique(self.rated[~np.isnan(self.row(system))]).size)

    def paired(self, system_a: str, system_b: str, handling: Handling = STRICT) -> PairedRatings:
        """Put the ratings of two systems side by side, rater by rater.

        Raises
        ------
        MissingScoresError
            If the two were rated by different raters and `missing="error"`, or no rater rated both on any instance.
        DesignError
            If missing ratings are to count as the worst score: that a rater did not rate is no fault of a system.
        """
        presence = self.presence()[[self.position(system_a), self.position(system_b)]]
        if handling.missing not in ("error", "drop") and bool((presence[0] ^ presence[1]).any()):
            raise DesignError(
                f"missing={handling.missing!r} is for outputs that a system failed to give, and these are ratings",
                where=f"dataset {self.dataset!r}",
                remedy="take missing='drop' (--missing drop), or average over the raters first and compare the means",
            )
        common = self.common_instances(system_a, system_b, missing=handling.missing)
        units, noun = self.units_kept(common.kept)
        rated = self.rated[common.kept]
        several = np.unique(rated).size < rated.size
        a, b = self.row(system_a)[common.kept], self.row(system_b)[common.kept]
        return PairedRatings(
            **self.of_pair(system_a, system_b),
            a=a,
            b=b,
            weights=None if self.weights is None else self.weights[common.kept],
            clusters=units if several or noun == "cluster" else None,
            noun=noun,
            rated=rated,
            raters=self.raters[common.kept],
            n_dropped=common.n_dropped,
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairedRatings(PairedScores):
    """Ratings of system A and system B by the same raters, on the same instances.

    The estimand is the mean over all ratings: the mean over instances of the mean over raters where all instances have
    equally many, otherwise one that weighs an instance by the number of its ratings. Raters are fixed: nothing is said
    about others. The instances are independent, the ratings of one instance are not.

    Parameters
    ----------
    a, b : ndarray of shape (n_ratings,)
        As for `PairedScores`, by rating.
    rated : ndarray of int of shape (n_ratings,)
        Which instance was rated.
    raters : ndarray of int of shape (n_ratings,)
        By whom.
    clusters : ndarray of int of shape (n_ratings,), optional
        Clusters of the instances, if there are any; else the instances.
    cluster_noun : {"instance", "cluster"}
        Which of the two.
    """

    rated: NDArray[np.int64]
    raters: NDArray[np.int64]
    noun: str = "instance"

    @property
    def n(self) -> int:
        """Number of instances."""
        return int(np.unique(self.rated).size)

    @property
    def cluster_noun(self) -> str:
        """What the clusters are."""
        return self.noun

    @property
    def details(self) -> Details:
        """Numbers of ratings: in all, of the instances with fewest and with most, and the number of raters."""
        per_instance = np.unique(self.rated, return_counts=True)[1]
        return Details(
            n_ratings=int(self.a.size),
            n_raters=int(np.unique(self.raters).size),
            fewest_ratings_per_instance=int(per_instance.min()),
            most_ratings_per_instance=int(per_instance.max()),
        )
