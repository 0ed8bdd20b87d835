"""Hold scores as they were read, and say what was understood of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted
from reportkit.scores.layouts import names_of
from reportkit.scores.questions import MOST_NAMES, entries


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Reading:
    """Scores as they were read, and what was understood.

    Parameters
    ----------
    frame : DataFrame
        One row per score: `system, dataset, instance, score`, and `metric, seed, fold, rater, cluster, weight, gold, k,
        n` where they are known; `stat_...` instead of the score where a metric is computed from counts. Of a printed
        table its columns under the names of their roles.
    source : str
        The path as the user wrote it, or "DataFrame".
    form : str
        See `Roles`; "harness" where a tool wrote the files.
    sentence : str
        What was understood, in words.
    table : str
        The table of columns.
    directions : mapping of str to bool
        Metric to whether higher is better.
    computed : tuple of str
        Metrics that are computed from counts or gold scores.
    aggregates : bool
        Whether there is one score per system and dataset, so that the datasets are the sample.
    other_metrics, other_filters : tuple of str
        What `--metric` and `--filter` could take instead.
    columns : mapping of str to str
        Role to column in the input.
    unused_columns : tuple of str
        Columns of the input that play no role.
    named_datasets : tuple of str
        All datasets that the input names, also those without scores by the metrics that are taken.
    n_rows : int
        Rows of the input.
    lines_of : str
        Name of the file whose lines the rows are, for messages; "DataFrame" for a frame, "" where they are neither.
    nouns : (str, str)
        What systems and datasets are called.
    findings : tuple of Finding
        What was left out, what was chosen.
    """

    frame: pd.DataFrame
    source: str = "DataFrame"
    form: str = "long"
    sentence: str = ""
    table: str = ""
    directions: Mapping[str, bool] = field(default_factory=dict)
    computed: tuple[str, ...] = ()
    aggregates: bool = False
    other_metrics: tuple[str, ...] = ()
    other_filters: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    named_datasets: tuple[str, ...] = ()
    n_rows: int = 0
    lines_of: str = "DataFrame"
    nouns: tuple[str, str] = ("system", "dataset")
    findings: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def names(self, role: str) -> list[str]:
        """Names of systems, datasets or metrics, in their order."""
        return names_of(self.frame, role)

    def lines(self) -> list[str]:
        """The sentence, and what the results support."""
        lines = [self.sentence, *(f"  {name}: {text}" for name, text in self._summary())]
        return lines if not self.table else [*lines, *(f"  {line}" for line in self.table.splitlines())]

    def _summary(self) -> list[tuple[str, str]]:
        frame = self.frame
        found = [(f"{self.nouns[0]}s", entries(self.names("system")))]
        if "dataset" in frame:
            described = self.names("dataset")
            if "instance" in frame:
                sizes = frame.groupby("dataset", observed=True)["instance"].nunique()
                described = [f"{name} ({sizes[name]:,})" for name in described[:MOST_NAMES]] + described[MOST_NAMES:]
            found.append((f"{self.nouns[1]}s", entries(described)))
        if self.other_metrics:
            found.append(("other metrics", entries(self.other_metrics) + f" (--metric {self.other_metrics[0]})"))
        if self.other_filters:
            found.append(("other filters", entries(self.other_filters) + f" (--filter {self.other_filters[0]})"))
        return [*found, ("supports", self.supports)]

    @property
    def supports(self) -> str:
        """What can be done with the results, and what cannot."""
        frame = self.frame
        if self.form == "printed":
            return "the counts and corrections of a printed table"
        design = "paired differences" if "instance" in frame else "one score per system and dataset: differences across"
        design = "differences of runs" if "instance" not in frame and "seed" in frame else design
        design = "differences of shares (k of n)" if {"k", "n"} <= {*frame.columns} else design
        parts = [
            counted(len(self.names("system")), self.nouns[0]),
            counted(len(self.names("dataset")), self.nouns[1]) + f": {design}",
            "several runs" if "seed" in frame else "no runs",
            "clusters" if "cluster" in frame else "no clusters seen",
        ]
        return "; ".join([", ".join(parts[:2]), *parts[2:]])
