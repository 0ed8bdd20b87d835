"""What the user asks for, and what was understood of files: rows, and what they are rows of."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import InputError, SettingsError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted
from reportkit.scores.table.columns import recognise_columns

if TYPE_CHECKING:
    import pandas as pd

_MOST_CELLS = 100_000_000

MOST_NAMES = 8
"""Names of one kind that are listed in a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the user says of the files.

    Parameters
    ----------
    metrics : tuple of str
        The metrics to take; what the format takes by itself, if none is named.
    filter : str, optional
        Which of several readings of one answer: a filter of lm-evaluation-harness, a split of HELM.
    format : str, optional
        Name of the format, where content does not tell.
    columns : mapping of str to str
        Role to column name, of tables.
    systems : tuple of str, optional
        Columns that hold systems, of tables in wide form.
    progress : callable
        Called with (files read, files in all).
    """

    metrics: tuple[str, ...] = ()
    filter: str | None = None
    format: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] | None = None
    progress: Callable[[int, int], None] = lambda done, total: None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """Scores as they were read, and what was understood of the files.

    Parameters
    ----------
    frame : DataFrame
        One row per score. Of a harness: `system, dataset, instance, score`; `seed` where there are runs, `metric` where
        all datasets have the same metrics or several were asked for, `cluster` where instances belong together. A score
        is never NaN: what is not scored has no row, and a note.
    format : str
        Name of the format.
    source : str
        The path as the user wrote it.
    metrics : mapping of str to tuple of str
        Dataset to the metrics taken; empty of a table.
    other_metrics : tuple of str
        Metrics that `--metric` could take instead.
    filter : str
        Filter or split that was taken, "" if there is none; of datasets with different ones, the most frequent.
    other_filters : tuple of str
        Those that `--filter` could take instead.
    filter_noun : str
        What it is called: "filter".
    computed : str
        Corpus metric that is computed from the columns of counts, "" if scores were read.
    aggregates : bool
        Whether there is one score per system and dataset, so that the datasets are the sample.
    paired_on : str
        What says that two systems answered the same question: "doc_hash".
    higher_is_better : mapping of str to bool
        Direction by metric, where the files say it; "score" if the frame has no column of metrics.
    notes : tuple of Finding
        What was left out, what is unequal, what was chosen; never empty where something was.
    nouns : tuple of str
        What a system and a dataset are called: ("model", "task").
    columns : mapping of str to str
        Role to column name, as the user gave them, of a table.
    systems : tuple of str, optional
        Columns that hold systems, as the user gave them.
    n_files : int
        Files that were read.
    """

    frame: pd.DataFrame
    format: str
    source: str = ""
    metrics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    other_metrics: tuple[str, ...] = ()
    filter: str = ""
    other_filters: tuple[str, ...] = ()
    filter_noun: str = "filter"
    computed: str = ""
    aggregates: bool = False
    paired_on: str = ""
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)
    notes: tuple[Finding, ...] = ()
    nouns: tuple[str, str] = ("system", "dataset")
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] | None = None
    n_files: int = 1

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def noted(self, *notes: Finding, **changes: object) -> Reading:
        """The same with more notes."""
        return dataclasses.replace(self, notes=(*self.notes, *notes), **changes)  # type: ignore[arg-type]

    @property
    def all_metrics(self) -> tuple[str, ...]:
        """Metrics taken, each once, the one of most datasets first."""
        counts: dict[str, int] = {}
        for name in (name for names in self.metrics.values() for name in names):
            counts[name] = counts.get(name, 0) + 1
        return tuple(sorted(counts, key=lambda name: -counts[name]))

    def sentence(self) -> str:
        """One sentence: format, how many of what, metric, what pairs them."""
        counts = self._counts()
        parts = [] if counts is None else [counted(n, noun) for n, noun in zip(counts, self.nouns, strict=True)]
        names = self.all_metrics
        if names:
            metric = f"metric {names[0]}" if len(names) == 1 else "metrics " + _entries(names)
            parts.append(metric + (f" of {self.filter_noun} {self.filter}" if self.filter else ""))
        if self.paired_on:
            parts.append(f"paired on {self.paired_on}")
        return f"{self.format}: " + (", ".join(parts) or "a table")

    def lines(self) -> list[str]:
        """The sentence, and a summary of what was understood."""
        return [self.sentence(), *(f"  {name}: {text}" for name, text in self._summary())]

    def names(self, role: str) -> list[str]:
        """Names in the column of a role, in their order there; of systems in columns of their own, those columns."""
        roles, systems = self._roles()
        if role == "system" and systems:
            return list(systems)
        return _names(self.frame[roles[role]]) if role in roles else []

    def _counts(self) -> tuple[int, int] | None:
        frame = self.frame
        if {"system", "dataset"} <= {*frame.columns}:
            return frame["system"].nunique(), frame["dataset"].nunique()
        roles, systems = self._roles()
        if "dataset" not in roles or not ("system" in roles or systems):
            return None
        return len(systems) or frame[roles["system"]].nunique(), frame[roles["dataset"]].nunique()

    def _roles(self) -> tuple[Mapping[str, str], tuple[str, ...]]:
        names = [str(name) for name in self.frame.columns]
        for table in (self.frame, [*names, "score"]):  # a metric may be the name of the column of scores
            try:
                found = recognise_columns(table, self.columns, systems=self.systems, without_instances=True)
            except (InputError, SettingsError):  # said again, with all that is known, when the frame is ingested
                continue
            return {role: name for role, name in found.roles.items() if name in names}, found.systems
        return {}, ()

    def _summary(self) -> Iterator[tuple[str, str]]:
        roles, columns = self._roles()
        frame = self.frame
        if roles.get("seed", "seed") != "seed" and "instance" in roles:  # runs only where an instance has several
            cells = [name for role, name in roles.items() if role in ("system", "dataset", "instance", "metric")]
            if not frame.duplicated(cells).any():
                roles = {role: name for role, name in roles.items() if role != "seed"}
        if columns:
            yield self.nouns[0] + "s", _entries(columns)
        elif "system" in roles:
            yield self.nouns[0] + "s", _entries(_names(frame[roles["system"]]))
        if "dataset" in roles:
            yield from self._datasets(roles)
        of_table = {role: name for role, name in roles.items() if role != name}
        if of_table and not self.metrics:
            yield "columns", ", ".join(f"{role} {name!r}" for role, name in roles.items())
        if self.other_metrics:
            yield "other metrics", _entries(self.other_metrics) + f" (--metric {shell(self.other_metrics[0])})"
        if self.other_filters:
            chosen = shell(self.other_filters[0])
            yield f"other {self.filter_noun}s", _entries(self.other_filters) + f" (--filter {chosen})"
        lower = [name for name, higher in self.higher_is_better.items() if not higher]
        if lower:
            yield "lower is better", _entries(lower)
        yield "files read", f"{self.n_files:,}"

    def _datasets(self, roles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        frame = self.frame
        codes, names = _coded(frame[roles["dataset"]])
        n_instances = np.bincount(codes[codes >= 0], minlength=len(names))
        counts = {"k", "n"} <= roles.keys() and _of_counts(frame[roles["n"]], codes, len(names))
        if counts:
            n_instances = np.array(counts)
        elif "instance" in roles:
            instances, ids = _coded(frame[roles["instance"]])
            both = codes * len(ids) + instances
            both = both[(codes >= 0) & (instances >= 0)]
            n_cells = len(names) * len(ids)
            if n_cells <= _MOST_CELLS:
                there = np.zeros(n_cells, dtype=bool)
                there[both] = True
                n_instances = there.reshape(len(names), len(ids)).sum(axis=1)
            else:
                n_instances = np.bincount(np.unique(both) // len(ids), minlength=len(names))
        what = "instances" if "instance" in roles or counts else "rows"
        metrics = self.metrics or (_metrics_by_dataset(frame, roles) if "metric" in roles else {})
        varied = len(set(metrics.values())) > 1
        described = [
            f"{name} ({n:,}" + (f", {_entries(metrics[name])}" if varied and name in metrics else "") + ")"
            for name, n in zip(names, n_instances, strict=True)
            if n
        ]
        yield f"{self.nouns[1]}s", _entries(described) + f"; {n_instances.sum():,} {what} in all"


def _coded(column: pd.Series) -> tuple[NDArray[np.int64], list[str]]:
    """A number for each row, -1 where there is nothing, and what the numbers mean."""
    of = column.astype("category").cat
    return np.asarray(of.codes, dtype=np.int64), [str(name) for name in of.categories]


def _of_counts(sizes: pd.Series, datasets: NDArray[np.int64], n_datasets: int) -> list[int]:
    """The largest number of answers of each dataset; none where these are no numbers, which is said later."""
    try:
        numbers = np.asarray(sizes, dtype=np.float64)
    except (TypeError, ValueError):
        return []
    known = (datasets >= 0) & (numbers >= 0) & (numbers < 2.0**53)
    largest = np.zeros(n_datasets)
    np.maximum.at(largest, datasets[known], numbers[known])
    return [int(size) for size in largest]


def _metrics_by_dataset(frame: pd.DataFrame, roles: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Dataset to its metrics, of a table that names them row by row."""
    pairs = frame[[roles["dataset"], roles["metric"]]].drop_duplicates().dropna()
    found: dict[str, tuple[str, ...]] = {}
    for dataset, metric in pairs.itertuples(index=False):
        found[str(dataset)] = (*found.get(str(dataset), ()), str(metric))
    return found


def _names(column: pd.Series) -> list[str]:
    return [str(name) for name in column.drop_duplicates().dropna()]


def _entries(names: Sequence[str]) -> str:
    """Some names as an entry of a list, not as a sentence, and how many more there are."""
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def shell(name: str) -> str:
    """A name as it is typed in a shell."""
    import shlex

    return shlex.quote(name)
