"""What the choice of a test depends on, looked up in two systems on one dataset."""

from __future__ import annotations

from dataclasses import dataclass

from reportkit.intervals.jackknife import jackknife_standard_error
from reportkit.intervals.means.skewness import is_skewed
from reportkit.scores.choices import Kind
from reportkit.scores.shapes.paired_scores import PairedScores
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.scores.shapes.sample import Sample, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What the choice of a test depends on.

    Parameters
    ----------
    shape : str
        What there is of each system; see `reportkit.scores.shapes.sample`.
    kind : {"binary", "continuous", "ordinal", "count"}
        Kind of scores of the dataset.
    identical : bool
        Whether both systems have the same score on every instance.
    clustered, weighted : bool
        Whether instances nest in clusters, and whether they carry weights.
    n : int
        Instances.
    n_units : int
        Independent units: clusters if there are any, else instances.
    skewed : bool
        Whether the differences are too skewed for a sign flip of their mean at this n, and enough of them are not 0
        for the bootstrap-t; see `is_skewed`.
    rated : bool
        Whether the clusters are the ratings of one instance by several raters.
    unit : str
        Noun for one of the `n`.
    n_tables : int
        Tables of right and wrong answers of two unpaired systems, given their numbers of instances.
    constant : bool
        Whether neither of two unpaired systems' scores vary.
    """

    shape: Shape
    kind: Kind
    identical: bool
    clustered: bool
    weighted: bool
    n: int
    n_units: int
    skewed: bool = False
    rated: bool = False
    unit: str = "instance"
    n_tables: int = 0
    constant: bool = False

    @classmethod
    def of(cls, sample: Sample) -> Design:
        """Look at two systems on one dataset."""
        n_clusters = sample.n_clusters
        return cls(
            shape=sample.shape,
            kind=sample.kind,
            identical=sample.identical,
            clustered=n_clusters is not None,
            weighted=sample.weighted,
            n=sample.n,
            n_units=sample.n if n_clusters is None else n_clusters,
            skewed=isinstance(sample, PairedScores) and is_skewed(sample),
            rated=sample.cluster_noun == "instance",
            unit=sample.unit,
            n_tables=sample.n_tables,
            constant=sample.constant
            or (isinstance(sample, PairedStatistics) and jackknife_standard_error(sample) is None),
        )
