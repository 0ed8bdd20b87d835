"""Validated scores: one oriented block per metric and dataset, in an order that no row order changes."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from reportkit.errors import UnknownNameError
from reportkit.finding import Finding
from reportkit.language import short_repr
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.choices import Missing
from reportkit.scores.codes import names_text
from reportkit.scores.names import folded
from reportkit.scores.refusals import refusal
from reportkit.scores.scores import Scores, name_of_all

if TYPE_CHECKING:
    import pandas as pd

FEWEST_DATASETS = 6
"""With fewer, no pattern of signs gives a two-sided p-value of .05: 2 / 2^5 = .0625."""

ONE_METRIC_EACH = "score"
"""Name of the metric of a family whose datasets have different ones."""


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
        >>> from reportkit.scores.ingest import laid_out
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
        """Name of a metric as it is spelt here: "F1" for "f1", "Exact match" for "exact-match"; if there is one."""
        if metric in self.metrics:
            return metric
        alike = [name for name in self.metrics if folded(name) == folded(metric)]
        return alike[0] if len(alike) == 1 else metric

    def digest(self) -> str:
        """Return the SHA-256 of names and scores in hexadecimal digits; the same for any row order and file format."""
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


# --- datasets taken together -----------------------------------------------------------------------------------------

# One score per system and dataset as the data. What is asked is whether A is better than B on a typical dataset of the
# kind that these datasets are a sample of; not on how many of these, and not on which (Demsar 2006, section 3.1; the
# questions of Dror et al. 2017 need a p-value per dataset).


def taken_together(
    results: Results, *, missing: Missing = "error", score_range: tuple[float, float] | None = None
) -> Results:
    """Make the datasets the sample: one block per metric, with the mean score of each system on each dataset.

    Where scores of instances are there, the (weighted) mean of a system on a dataset is taken over the instances that
    it was scored on; instances of another shape give what a table prints of them (BLEU, a correlation, k / n, ...).

    Parameters
    ----------
    results : Results
        As read; unchanged if its datasets are taken together already.
    missing : {"error", "drop", "worst"}
        What a missing score of an instance counts as.
    score_range : tuple of float, optional
        (lowest, highest) score of the metric.

    Returns
    -------
    Results
        One block per metric.

    Raises
    ------
    DesignError
        If the scores are ordinal, whose means say nothing.
    InputError
        If there is one dataset only.

    Examples
    --------
    >>> def block(name, *rows):
    ...     return Scores(dataset=name, metric="f1", systems=("a", "b"), instances=np.array(["0"], dtype=object),
    ...                   scores=np.array(rows), kind="continuous")
    >>> both = taken_together(Results(datasets=(block("cb", [0.5], [0.25]), block("rte", [0.75], [0.5]))))
    >>> both.datasets[0].dataset, both.datasets[0].scores
    ('2 datasets taken together', array([[0.5 , 0.75],
           [0.25, 0.5 ]]))
    """
    if all(block.unit == "dataset" for block in results.datasets):
        return results
    by_metric = ([block for block in results if block.metric == metric] for metric in results.metrics)
    return replace(results, datasets=tuple(_together(blocks, missing, score_range) for blocks in by_metric))


def _together(blocks: Sequence[Scores], missing: Missing, score_range: tuple[float, float] | None) -> Scores:
    metric, higher = blocks[0].metric, blocks[0].higher_is_better
    if ordinal := [block.dataset for block in blocks if block.kind == "ordinal"]:
        raise refusal("ordinal-means", metric=metric, datasets=names_text(ordinal))
    if len(blocks) < 2:
        raise refusal("one-dataset", metric=metric, dataset=blocks[0].dataset)
    lower = [block.dataset for block in blocks if not block.higher_is_better]
    if 0 < len(lower) < len(blocks):
        raise refusal("two-directions", datasets=names_text(lower))
    systems = tuple(dict.fromkeys(system for block in blocks for system in block.systems))
    scores = np.full((len(systems), len(blocks)), np.nan)
    for column, block in enumerate(blocks):
        for system in block.systems:
            value, _ = block.value(system, missing=missing, score_range=score_range)
            scores[systems.index(system), column] = value if higher else 0.0 - value
    names = np.array([block.dataset for block in blocks], dtype=object)
    compared = np.count_nonzero(~np.isnan(scores), axis=0) > 1  # elsewhere there is nothing to compare
    if missing != "error" and len(systems) > 1 and compared.any():
        scores, names = scores[:, compared], names[compared]
    scores.flags.writeable = False
    return Scores(
        unit="dataset",
        dataset=name_of_all(len(names)),
        metric=metric,
        systems=systems,
        instances=names,
        kind="continuous",
        higher_is_better=higher,
        scores=scores,
    )


# --- families --------------------------------------------------------------------------------------------------------


def family_column(
    frame: pd.DataFrame, columns: Mapping[str, str], named: str | None, *, unused: Collection[str] = ()
) -> dict[str, str] | None:
    """Read the family of each system.

    Parameters
    ----------
    frame : DataFrame
        Results in long form.
    columns : mapping of str to str
        Role to column name, as recognised.
    named : str or None
        Column that holds the family; `family`, if there is one that plays no role, by default.
    unused : collection of str
        Columns that play no role.

    Returns
    -------
    dict of str to str, or None
        System to family; None if no column is named and there is none of that name.

    Raises
    ------
    ColumnError
        If there is no such column, the results are not in long form, or a system has no family or several.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"model": ["a", "b", "a"], "family": ["x", "y", "x"]})
    >>> family_column(frame, {"system": "model"}, "family")
    {'a': 'x', 'b': 'y'}
    """
    name = named or next((one for one in unused if one.casefold() == "family"), None)
    if name is None:
        return None
    system = columns.get("system")
    if system is None or name == system or not {system, name} <= {*frame.columns}:
        raise refusal("no-families", column=name, columns=", ".join(repr(str(one)) for one in frame.columns))
    both = frame[[system, name]].drop_duplicates()
    wrong = both[both[name].isna() | both[system].duplicated()]
    if len(wrong):
        raise refusal("several-families", system=str(wrong[system].iloc[0]), column=name)
    return {str(one): str(family) for one, family in both.itertuples(index=False)}
