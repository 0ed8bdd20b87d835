"""Validated scores: `Scores` of all systems on one dataset by one metric, and `Results`, all that were measured."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import UnknownNameError
from reportkit.finding import Finding
from reportkit.language import short_repr
from reportkit.metrics.correlation import Coefficient, named_coefficient
from reportkit.metrics.formulas import folded
from reportkit.scores.checks import RIGHT_IN_PERCENT, detect_kind
from reportkit.scores.choices import Kind, Missing
from reportkit.scores.codes import dense
from reportkit.scores.designs import alone, sample_of
from reportkit.scores.refusals import refusal
from reportkit.scores.sample import BY_INSTANCE, Floats, Shape

Given = TypeVar("Given", float, Floats)

TAKEN_TOGETHER = "{:,} datasets taken together"
ONE_METRIC_EACH = "score"
"""Name of the metric of a family whose datasets have different ones."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scores:
    """The scores of all systems on one dataset, oriented so that higher is better.

    Parameters
    ----------
    dataset : str
        Name of the dataset.
    metric : str
        Name of the metric; "score" if the input names none.
    systems : tuple of str
        Systems with at least one score here.
    instances : ndarray of str
        Ids of the instances, sorted; names of ratings ("q1 (rater 2)"), of runs, or of folds where scores are of these.
    kind : {"binary", "continuous", "ordinal", "count"}
        Detected, or declared by the user.
    scores : ndarray
        NaN where a system has no score. Its axes are, by design:

        - paired and correlation: (system, instance); of a correlation with `higher_is_better=False` negated
        - corpus: (system, instance, count), as given
        - runs: (system, run, instance); a system has the runs that `runs` names, what follows is NaN
        - run-scores: (system, run); that two systems have a run of the same name means nothing
        - folds: (system, repetition, fold)
        - counts: (system, 2), right answers and all answers
    shape : str
        Design; see `reportkit.scores.sample.Shape`.
    unit : str
        Noun for one of the `instances`, in the singular.
    higher_is_better : bool
        False if the values were negated; `as_given` undoes it.
    clusters : ndarray of int of shape (n_instances,), optional
        Codes into `cluster_names`.
    cluster_names : tuple of str
        Names of the clusters (documents, dialogues, ...).
    rated : ndarray of str of shape (n_ratings,), optional
        Id of the instance of each rating, where several raters scored each instance.
    own_metric : str
        Metric of this dataset, where every dataset has its own; else empty.
    weights : ndarray of shape (n_instances,), optional
        Weight of each instance, the same for all systems.
    runs : tuple of tuple of str
        By system, the names of its runs; empty where none are told apart.
    gold : ndarray of shape (n_instances,), optional
        What predictions are correlated with; finite, not all alike.
    coefficient : {"pearson", "spearman", "kendall"}
        Which correlation.
    measure : CorpusMetric, optional
        The metric that sums counts.
    """

    dataset: str
    metric: str
    systems: tuple[str, ...]
    instances: NDArray[np.object_]
    kind: Kind
    scores: Floats
    shape: Shape = "paired"
    unit: str = "instance"
    higher_is_better: bool = True
    clusters: NDArray[np.int64] | None = None
    cluster_names: tuple[str, ...] = ()
    rated: NDArray[np.object_] | None = None
    own_metric: str = ""
    weights: Floats | None = None
    runs: tuple[tuple[str, ...], ...] = ()
    gold: Any = None
    coefficient: Coefficient = "pearson"
    measure: Any = None

    pair = sample_of

    @property
    def n_instances(self) -> int:
        """Number of instances that at least one system was scored on; 0 where none are known."""
        return int(self.instance_names.size)

    @property
    def instance_names(self) -> NDArray[np.object_]:
        """Ids of the instances, each once; empty where none are known."""
        if self.rated is not None:
            return np.unique(self.rated)
        return self.instances if self.shape in BY_INSTANCE else self.instances[:0]

    def units(self, kept: NDArray[np.bool_] | slice = slice(None)) -> tuple[NDArray[np.int64] | None, str]:
        """Return codes of the independent units of some columns, None if each stands alone, and the noun for one."""
        for names, noun in ((self.clusters, "cluster"), (self.rated, "instance")):
            if names is not None:
                codes, different = dense(names[kept])
                if different.size < codes.size:
                    return codes, noun
        return None, "cluster"

    def position(self, system: str) -> int:
        """Return the row of a system.

        Raises
        ------
        UnknownNameError
            If it has no score here.
        """
        try:
            return self.systems.index(system)
        except ValueError:
            raise UnknownNameError("system", system, self.systems, where=f"dataset {self.dataset!r}") from None

    def row(self, system: str) -> Floats:
        """Return what was measured of a system, without runs that it does not have."""
        row: Floats = self.scores[self.position(system)]
        if self.shape == "runs":
            return row[: len(self.runs[self.position(system)])]
        return row[~np.isnan(row)] if self.shape == "run-scores" else row

    def present(self, system: str) -> NDArray[np.bool_]:
        """Return for which instances a system has a score (of all its runs), shape (n_instances,)."""
        if self.shape not in BY_INSTANCE:
            return np.ones(0, dtype=bool)
        absent = np.isnan(self.row(system))
        return np.asarray(~(absent if absent.ndim == 1 else absent.any(axis=1 if self.shape == "corpus" else 0)))

    def presence(self) -> NDArray[np.bool_]:
        """Return which system has a score for which instance, shape (n_systems, n_instances)."""
        return np.array([self.present(system) for system in self.systems]).reshape(len(self.systems), -1)

    @property
    def plain(self) -> bool:
        """Whether every instance has one score of every system and stands alone, without a weight."""
        alone = self.weights is None and self.units()[0] is None
        return self.shape == "paired" and self.unit == "instance" and alone and bool(self.presence().all())

    def where(self, kept: NDArray[np.bool_]) -> Self:
        """Keep some columns: instances, ratings, runs."""
        if kept.all():
            return self
        names = ("instances", "clusters", "weights", "rated", "gold")
        found = {name: value[kept] for name in names if (value := getattr(self, name)) is not None}
        if self.unit == "dataset":
            found["dataset"] = TAKEN_TOGETHER.format(int(kept.sum()))
        return replace(self, scores=self.scores[:, kept] if self.shape == "corpus" else self.scores[..., kept], **found)

    def select(self, systems: Sequence[str]) -> Self | None:
        """Keep some systems, in their order, and the instances (runs) that one of them has; None if none is here."""
        rows = [self.systems.index(system) for system in systems if system in self.systems]
        if not rows:
            return None
        found = self
        if rows != [*range(len(self.systems))]:
            names, runs = tuple(self.systems[row] for row in rows), tuple(self.runs[row] for row in rows if self.runs)
            found = replace(self, systems=names, scores=self.scores[rows], runs=runs)
        if self.shape in ("counts", "folds"):
            return found
        others = (0, 2) if self.shape == "corpus" else tuple(range(self.scores.ndim - 1))
        return found.where(np.asarray(~np.isnan(found.scores).all(axis=others)))

    def value(
        self, system: str, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
    ) -> tuple[float, int]:
        """Return the value that a table prints for a system, over all its instances, and their number.

        A correlation is NaN where all predictions are alike.

        Raises
        ------
        ScoreValueError
            If a metric of sums is undefined.
        """
        sample = alone(self.filled(score_range) if missing == "worst" and self.has_worst else self, system)
        if self.measure is not None:
            self.refuse_undefined(system, sample.a)
        return self.as_given(sample.value_a) + 0.0, sample.n

    def refuse_undefined(self, system: str, counts: Floats) -> None:
        """Raise ScoreValueError if the metric is undefined for the summed counts, shape (n, k), of a system."""
        sums = counts.sum(axis=0)
        if not np.isfinite(self.measure(sums)):
            shown = ", ".join(f"{name} {total:g}" for name, total in zip(self.measure.columns, sums, strict=True))
            metric, n = self.measure.title, len(counts)
            raise refusal("undefined-metric", metric=metric, system=system, dataset=self.dataset, n=n, sums=shown)

    @property
    def has_worst(self) -> bool:
        """Whether a missing score can count as the worst; not for ratings, predictions and counts."""
        return self.shape in ("paired", "runs") and self.unit != "rating"

    def filled(self, score_range: tuple[float, float] | None = None) -> Self:
        """Put the worst possible score in the place of missing ones; it may be worse than a wrong answer.

        It is that of the declared range, or 0 (or -1) for scores between 0 and 1. Right-or-wrong scores are held as 0
        and 1: a range up to 100 is that of a file which has them as 0 and 100.

        Raises
        ------
        MissingScoresError
            If the worst score is not known, or there is none.
        """
        if self.presence().all():
            return self
        if not self.has_worst:
            what = self.unit if self.unit == "rating" else "prediction" if self.gold is not None else "row of counts"
            raise refusal("no-worst", what=what, dataset=self.dataset)
        given = self.scores if self.higher_is_better else -self.scores
        low, high = float(np.nanmin(given)), float(np.nanmax(given))
        if score_range is not None:
            in_percent = self.kind == "binary" and score_range[1] == RIGHT_IN_PERCENT
            low, high = (end / RIGHT_IN_PERCENT if in_percent else end for end in score_range)
        elif low >= 0 and high <= 1:
            low, high = 0.0, 1.0
        else:
            raise refusal("worst-unknown", dataset=self.dataset, metric=self.metric, low=low, high=high)
        scores = np.where(np.isnan(self.scores), low if self.higher_is_better else -high, self.scores)
        return replace(self, scores=scores, kind=detect_kind(scores) if self.kind == "binary" else self.kind)

    def digest(self) -> str:
        """Return the SHA-256 of names, ids and what was measured: 64 hexadecimal digits."""
        measure = () if self.measure is None else (self.measure.name, *self.measure.columns)
        header = _bytes((self.metric, self.dataset, self.kind, str(self.higher_is_better), *self.systems))
        content = hashlib.sha256(_bytes(self.instances) + _bytes(measure))
        for row, held in enumerate(self.scores):  # never a copy of all rows
            runs = self.runs[row] if self.shape == "runs" else ()
            content.update(_bytes(runs))
            content.update(np.ascontiguousarray(held[: len(runs) or None]).tobytes())
        for array in (self.weights, self.gold, self.clusters):
            content.update(b"" if array is None else array.tobytes())
        return hashlib.sha256(header + content.hexdigest().encode()).hexdigest()

    def matrix(self) -> Self | None:
        """Return scores with a row per system (or run of a system) and a column per instance (run, fold).

        For checks of scales, ranges and kinds; None where there are no scores: counts, sums, predictions.
        """
        if self.shape == "runs":
            rows = np.concatenate([self.row(system) for system in self.systems])
            pairs = zip(self.systems, self.runs, strict=True)
            names = tuple(f"{system}, run {run}" for system, runs in pairs for run in runs)
            return replace(self, shape="paired", systems=names, runs=(), scores=rows)
        if self.shape in ("run-scores", "folds"):
            return replace(self, shape="paired", runs=(), scores=self.scores.reshape(len(self.systems), -1))
        return self if self.shape == "paired" else None

    def measured(self) -> Floats | None:
        """Return what was measured of single instances, (n_systems, n_instances) or (..., k); None of several runs."""
        return self.scores if self.shape in BY_INSTANCE and self.shape != "runs" else None

    def averaged(self) -> Self:
        """Take the mean over the runs of each system, instance by instance; NaN where one has no score."""
        if self.shape != "runs":
            return self
        scores = np.array([self.row(system).mean(axis=0) for system in self.systems])
        kind = self.kind if self.kind != "binary" else detect_kind(scores)
        return replace(self, shape="paired", scores=scores, runs=(), kind=kind)

    def as_given(self, values: Given) -> Given:
        """Turn oriented values back into what the input holds."""
        return values if self.higher_is_better else 0.0 - values


def _bytes(names: Iterable[str]) -> bytes:
    return "\x1f".join(map(str, names)).encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Results:
    """Everything that was measured, ready to be compared.

    Parameters
    ----------
    datasets : tuple of Scores
        One per (metric, dataset), sorted.
    columns : dict of str to str
        Role to column name in the input: {"system": "model", ...}.
    unused_columns : tuple of str
        Columns of the input that play no role.
    n_rows : int
        Rows of the input.
    findings : tuple of Finding
        What ingestion noticed.
    source : str
        Name of the file or "DataFrame".
    named_datasets : tuple of str
        All datasets that the input names, whether or not they have scores by these metrics; empty if not known.
    deselected : tuple of str
        Those of them that a selection has left out.
    measures : mapping of str to str
        Dataset to its metric, where datasets with different ones are taken together; empty elsewhere.
    """

    datasets: tuple[Scores, ...]
    columns: dict[str, str] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    n_rows: int = 0
    findings: tuple[Finding, ...] = ()
    source: str = "DataFrame"
    named_datasets: tuple[str, ...] = ()
    deselected: tuple[str, ...] = ()
    measures: Mapping[str, str] = field(default_factory=dict)

    __repr__ = short_repr

    def __iter__(self) -> Iterator[Scores]:
        return iter(self.datasets)

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, each once, in order."""
        return tuple(dict.fromkeys(system for block in self.datasets for system in block.systems))

    @property
    def metrics(self) -> tuple[str, ...]:
        """All metrics, each once, in order."""
        return tuple(dict.fromkeys(block.metric for block in self.datasets))

    @property
    def dataset_names(self) -> tuple[str, ...]:
        """All datasets, each once, in order."""
        return tuple(dict.fromkeys(block.dataset for block in self.datasets))

    def select(
        self,
        *,
        metric: str | Iterable[str] | None = None,
        datasets: Iterable[str] | None = None,
        systems: Iterable[str] | None = None,
    ) -> Results:
        """Keep one metric or some, some datasets, or some systems.

        Parameters
        ----------
        metric, datasets, systems : str or iterable of str, optional
            Names to keep; all, if None.

        Raises
        ------
        UnknownNameError
            If a name does not occur.
        SettingsError
            If nothing is left.
        """
        blocks = list(self.datasets)
        deselected = self.deselected
        if metric is not None:
            chosen = [self.spelt(name) for name in ([metric] if isinstance(metric, str) else metric)]
            self.refuse_uncomputed(chosen)
            _known("metric", chosen, self.metrics)
            blocks = [block for block in blocks if block.metric in chosen]
        if datasets is not None:
            wanted = list(dict.fromkeys(datasets))
            _known("dataset", wanted, self.dataset_names, self.named_datasets)
            deselected += tuple(name for name in self.named_datasets if name not in {*wanted, *deselected})
            blocks = [block for block in blocks if block.dataset in wanted]
        if systems is not None:
            kept = list(dict.fromkeys(systems))
            _known("system", kept, self.systems)
            blocks = [found for block in blocks if (found := block.select(kept)) is not None]
        if not blocks:
            raise refusal("nothing-selected")
        return replace(self, datasets=tuple(blocks), deselected=deselected)

    def one_metric_each(self) -> Results:
        """Take accuracy on some datasets and F1 on others as one family, as most tables do; `measures` names them.

        Returns
        -------
        Results
            The same object where there is one metric, or a dataset has two.

        Examples
        --------
        >>> import pandas as pd
        >>> from reportkit.scores.building import laid_out
        >>> from reportkit.scores.table import Asked
        >>> frame = pd.DataFrame({"system": ["a", "b"] * 4, "dataset": ["cb"] * 4 + ["wic"] * 4, "score": [0, 1] * 4,
        ...                       "instance": [1, 1, 2, 2] * 2, "metric": ["f1"] * 4 + ["accuracy"] * 4})
        >>> results = laid_out(frame, Asked()).one_metric_each()
        >>> results.metrics, results.measures
        (('score',), {'cb': 'f1', 'wic': 'accuracy'})
        """
        if len(self.metrics) < 2 or len(self.datasets) > len(self.dataset_names):
            return self
        order = {name: place for place, name in enumerate(self.named_datasets)}
        blocks = sorted(self.datasets, key=lambda block: order.get(block.dataset, len(order)))
        return replace(
            self,
            datasets=tuple(
                replace(block, metric=ONE_METRIC_EACH, own_metric=block.own_metric or block.metric) for block in blocks
            ),
            measures={block.dataset: block.metric for block in blocks},
        )

    def refuse_uncomputed(self, metrics: Iterable[str]) -> None:
        """Refuse the name of a correlation that was not asked for when these results were read.

        Raises
        ------
        SettingsError
            With what to do.
        """
        for name in metrics:
            if name not in self.metrics and named_coefficient(name) is not None:
                raise refusal("uncomputed", metric=name)

    def spelt(self, metric: str) -> str:
        """Return the name of a metric as these results spell it: "F1" for "f1"; unchanged where none is alike."""
        if metric in self.metrics:
            return metric
        alike = [name for name in self.metrics if folded(name) == folded(metric)]
        return alike[0] if len(alike) == 1 else metric

    def digest(self) -> str:
        """Return the SHA-256 of names and scores in hexadecimal digits; the same for any row order and file format."""
        return hashlib.sha256("".join(block.digest() for block in self.datasets).encode()).hexdigest()


def _known(kind: str, names: Iterable[str], known: tuple[str, ...], named: tuple[str, ...] = ()) -> None:
    for name in names:
        if name not in known:
            raise UnknownNameError(kind, name, named or known)
