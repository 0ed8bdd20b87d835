"""What was measured: one validated block per metric and dataset, oriented, in an order that no row order changes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.short_repr import short_repr
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.names import folded
from reportkit.scores.scores import Scores

ONE_METRIC_EACH = "score"
"""What the metric of a family is called whose datasets have different ones."""


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
            raise SettingsError(
                "no scores are left after the selection", remedy="select other systems, datasets or metrics"
            )
        return replace(self, datasets=tuple(blocks), deselected=deselected)

    def one_metric_each(self) -> Results:
        """Accuracy on some datasets and F1 on others, as in most tables of NLP, as one family; `measures` names them.

        Returns
        -------
        Results
            The same object where there is one metric, or a dataset has two.

        Examples
        --------
        >>> import pandas as pd
        >>> from reportkit.scores.ingest import validated
        >>> from reportkit.scores.table import Asked
        >>> frame = pd.DataFrame({"system": ["a", "b"] * 4, "dataset": ["cb"] * 4 + ["wic"] * 4, "score": [0, 1] * 4,
        ...                       "instance": [1, 1, 2, 2] * 2, "metric": ["f1"] * 4 + ["accuracy"] * 4})
        >>> results = validated(frame, Asked()).one_metric_each()
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
                raise SettingsError(
                    f"metric={name!r} is computed from scores and gold scores as they are read, and these results were "
                    "read without it",
                    remedy="compare the frame or the file itself, or name it already there: "
                    f"reportkit.read(..., settings=reportkit.Settings(metric={name!r}))",
                )

    def spelt(self, metric: str) -> str:
        """Name of a metric as it is spelt here: "F1" for "f1", "Exact match" for "exact-match"; if there is one."""
        if metric in self.metrics:
            return metric
        alike = [name for name in self.metrics if folded(name) == folded(metric)]
        return alike[0] if len(alike) == 1 else metric

    def digest(self) -> str:
        """SHA-256 of names and scores, 64 hexadecimal digits; the same for any row order and any file format."""
        return hashlib.sha256("".join(block.digest() for block in self.datasets).encode()).hexdigest()


def joined(read: Sequence[Results]) -> Results:
    """Put the results of several metrics of one table together."""
    return replace(
        read[0],
        datasets=tuple(block for item in read for block in item.datasets),
        columns={role: name for item in reversed(read) for role, name in item.columns.items()},
        findings=tuple(dict.fromkeys(finding for item in read for finding in item.findings)),
        named_datasets=tuple(dict.fromkeys(name for item in read for name in item.named_datasets)),
    )


def _known(kind: str, names: Iterable[str], known: tuple[str, ...], named: tuple[str, ...] = ()) -> None:
    for name in names:
        if name not in known:
            raise UnknownNameError(kind, name, named or known)
