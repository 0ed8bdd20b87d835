"""Several raters of one output: ratings are paired rater by rater, and the instance stays the independent unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from reportkit.errors import DesignError
from reportkit.finding import Finding
from reportkit.scores.choices import Missing
from reportkit.scores.details import Details
from reportkit.scores.shapes.dataset_scores import DatasetScores
from reportkit.scores.shapes.ingestion import Ingestion
from reportkit.scores.shapes.pairing import PairedScores, clusters_kept, common_instances
from reportkit.scores.table.coding import Coded, code_column
from reportkit.scores.table.columns import Columns
from reportkit.scores.table.layout import Group
from reportkit.scores.table.score_table import column


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

    def narrowed(self, systems: Sequence[str]) -> DatasetRatings | None:
        """Keep some systems, in their order, and the ratings that one of them has; None if none is here."""
        found = self.instances_kept(systems)
        narrowed = DatasetScores.narrowed(self, systems)
        if found is None or narrowed is None:
            return None
        kept = found[1]
        return replace(narrowed, rated=self.rated[kept], raters=self.raters[kept])  # type: ignore[call-arg,return-value]  # of this class

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """(Weighted) mean rating of a system, as given, and the number of instances it is over."""
        value, _ = DatasetScores.value(self, system, missing="drop")
        return value, int(np.unique(self.rated[~np.isnan(self.row(system))]).size)


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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ratings:
    """What the instances of a table of ratings stand for.

    Parameters
    ----------
    instance_of, rater_of : ndarray of int of shape (n_ratings,)
        By code of a rating (an instance and a rater): codes of the two.
    instance_names : ndarray of str
        Names of the instances.
    """

    instance_of: NDArray[np.int64]
    rater_of: NDArray[np.int64]
    instance_names: NDArray[np.object_]

    def block(self, block: DatasetScores, group: Group) -> DatasetRatings:
        """Say of a block whose instances are ratings what was rated, and by whom."""
        codes, rated = np.unique(self.instance_of[group.instances], return_inverse=True)
        given = {item.name: getattr(block, item.name) for item in fields(block)}
        return DatasetRatings(
            **given, rated=rated, rated_names=self.instance_names[codes], raters=self.rater_of[group.instances]
        )


def with_ratings(ingestion: Ingestion) -> tuple[Ingestion, Ratings | None, list[Finding]]:
    """Take each pair of an instance and a rater as one rating, if outputs have ratings of several raters.

    If every output has one rater, the rater is a covariate: a column that plays no role, and a finding where systems
    were rated by different ones.

    Raises
    ------
    InputError
        If outputs have several raters, and a row names none.
    """
    name = ingestion.columns.roles.get("rater")
    if name is None:
        return ingestion, None, []
    table = ingestion.table
    metric = np.zeros(len(table), dtype=np.int64) if table.metric is None else table.metric.codes
    outputs = np.column_stack((metric, table.dataset.codes, table.instance.codes, table.system.codes))
    if np.unique(outputs, axis=0).shape[0] == len(table):
        return ingestion, None, list(_covariate(ingestion, name))
    rater = code_column(column(ingestion.frame, name), "rater", source=ingestion.source)
    rater = rater[table.rows_of(np.arange(len(table)))]
    keys = table.instance.codes.astype(np.int64) * len(rater.names) + rater.codes
    present, codes = np.unique(keys, return_inverse=True)
    instance_of, rater_of = np.divmod(present, len(rater.names))
    names = table.instance.names[instance_of] + " (rater " + rater.names[rater_of] + ")"
    if np.unique(rater.codes).size < 2:  # one rater several times: repeated rows, or an error that says so
        return ingestion, None, []
    ratings = Ratings(instance_of=instance_of, rater_of=rater_of, instance_names=table.instance.names)
    return ingestion.with_table(replace(table, instance=Coded(codes, names))), ratings, []


def without_rater(columns: Columns, frame: pd.DataFrame) -> Columns:
    """Put the column of raters back among those that play no role: every output has one."""
    unused = {*columns.unused, columns.roles["rater"]}
    return replace(
        columns,
        roles={role: name for role, name in columns.roles.items() if role != "rater"},
        unused=tuple(name for name in map(str, frame.columns) if name in unused),
    )


def _covariate(ingestion: Ingestion, name: str) -> Iterator[Finding]:
    """Say so where the systems of an instance were rated by different raters."""
    table = ingestion.table
    rater = column(ingestion.frame, name).astype(str).to_numpy()[table.rows_of(np.arange(len(table)))]
    codes = np.unique(rater, return_inverse=True)[1]
    metric = np.zeros(len(table), dtype=np.int64) if table.metric is None else table.metric.codes
    items, of_item = np.unique(
        np.column_stack((metric, table.dataset.codes, table.instance.codes)), axis=0, return_inverse=True
    )
    low, high = np.full(len(items), codes.size), np.full(len(items), -1)
    np.minimum.at(low, of_item.ravel(), codes)
    np.maximum.at(high, of_item.ravel(), codes)
    several = int(np.count_nonzero(low != high))
    if several:
        yield Finding(
            "different-raters",
            "info",
            f"Every output has one rater; on {several:,} of {len(items):,} instances the systems have different ones, "
            "so that differences between raters are part of the differences between systems.",
            where=f"column {name!r}",
            remedy="let the same raters rate all systems on an instance",
        )


def pair_ratings(block: DatasetRatings, system_a: str, system_b: str, *, missing: Missing = "error") -> PairedRatings:
    """Put the ratings of two systems side by side, rater by rater.

    Raises
    ------
    MissingScoresError
        If the two were rated by different raters and `missing="error"`, or no rater rated both on any instance.
    DesignError
        If missing ratings are to count as the worst score: that a rater did not rate is no fault of a system.
    """
    presence = block.presence()[[block.position(system_a), block.position(system_b)]]
    if missing not in ("error", "drop") and bool((presence[0] ^ presence[1]).any()):
        raise DesignError(
            f"missing={missing!r} is for outputs that a system failed to give, and these are ratings",
            where=f"dataset {block.dataset!r}",
            remedy="take missing='drop' (--missing drop), or average over the raters first and compare the means",
        )
    common = common_instances(block, system_a, system_b, missing=missing)
    clusters = clusters_kept(block, common.kept)
    rated = block.rated[common.kept]
    several = np.unique(rated).size < rated.size
    a, b = block.row(system_a)[common.kept], block.row(system_b)[common.kept]
    return PairedRatings(
        system_a=system_a,
        system_b=system_b,
        dataset=block.dataset,
        metric=block.metric,
        a=a,
        b=b,
        kind=block.kind,
        weights=None if block.weights is None else block.weights[common.kept],
        clusters=clusters if clusters is not None else rated if several else None,
        noun="instance" if clusters is None else "cluster",
        rated=rated,
        raters=block.raters[common.kept],
        higher_is_better=block.higher_is_better,
        n_dropped=common.n_dropped,
    )
