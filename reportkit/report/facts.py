"""The findings of an analysis as plain values: `report.json`, and the source of all tables, text and figures.

Values are not rounded, and names are those of the data. Differences are positive where the first system is better,
whatever the direction of the metric.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from reportkit.finding import Finding
from reportkit.language import short_repr
from reportkit.report.records import Claim, Metric, Outcome, Plan, Possible, Scale, Score, Test

VERSION = 3
Plain = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Facts:
    """All that a report on comparisons says.

    Parameters
    ----------
    reportkit, source, digest : str
        Version; name and SHA-256 of the results.
    signature : mapping of str to str
        How it was computed, as short keys and values.
    settings : mapping
        Settings of the analysis under their names.
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        Which claims there are.
    correction : {"Holm", "graph", "closed testing", "max-T"}
        What adjusts p-values.
    gatekeeping, dependence : str
        How metrics share the level; what was declared of the datasets.
    independence : mapping
        `evidence` against independence, `blind`, `same_runs`, `independent`.
    alpha : tuple of float
        Levels, largest first.
    n_tests, sides : int
        Number of p-values corrected together; directions tested for each pair.
    adjusted, joint, across, printed, preregistered : bool
        Whether p-values are adjusted; whether counts and names hold together; whether the datasets are the sample;
        whether only a paper's figures are known; whether directions were declared in advance.
    systems, datasets : tuple of str
        In the order of the data.
    named_datasets, left_out : tuple
        Datasets that the results name; those that are not compared, with `dataset`, `reason`, `systems`, `metric`.
    columns : mapping of str to str
        Role to column of the input.
    unused_columns : tuple of str
        Columns without a role.
    metrics, scores, claims, outcomes, tests, findings : tuple
        Records.
    metric_of : mapping of str to str
        Dataset to its metric, where datasets have different ones.
    unbeaten : mapping of str to tuple of str
        By metric, systems that none is shown to be better than, where all pairs are compared.
    possible, plans : tuple
        Differences that stay possible, and instances that would show one, if a metric shows nothing.
    reproductions : tuple of mapping
        Printed figures recomputed.
    friedman, evidence : mapping or None
        Friedman's test; four answers to each claim.
    """

    __repr__ = short_repr

    version: int = VERSION
    reportkit: str
    source: str
    digest: str = ""
    n_rows: int = 0
    signature: Mapping[str, str] = field(default_factory=dict)
    settings: Plain = field(default_factory=dict)
    design: str
    correction: str = "Holm"
    gatekeeping: str = "none"
    dependence: str = "any"
    independence: Plain = field(default_factory=dict)
    alpha: tuple[float, ...]
    n_tests: int = 1
    sides: int = 1
    adjusted: bool = False
    joint: bool = True
    across: bool = False
    printed: bool = False
    preregistered: bool = False
    systems: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    named_datasets: tuple[str, ...] = ()
    left_out: tuple[Plain, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    metrics: tuple[Metric, ...]
    scores: tuple[Score, ...] = ()
    claims: tuple[Claim, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    tests: tuple[Test, ...] = ()
    findings: tuple[Finding, ...] = ()
    metric_of: Mapping[str, str] = field(default_factory=dict)
    unbeaten: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    possible: tuple[Possible, ...] = ()
    plans: tuple[Plan, ...] = ()
    reproductions: tuple[Plain, ...] = ()
    friedman: Plain | None = None
    evidence: Plain | None = None

    @cached_property
    def baselines(self) -> tuple[str, ...]:
        """Systems that others are claimed to be better than, in the order of the claims."""
        return tuple(dict.fromkeys(claim.b for claim in self.claims))

    @cached_property
    def claimed(self) -> tuple[str, ...]:
        """Systems that are claimed to be better."""
        return tuple(dict.fromkeys(claim.a for claim in self.claims))

    @property
    def one_pair(self) -> bool:
        """Whether two systems are compared, in one direction or in both."""
        return self.design in ("declared", "both")

    @cached_property
    def by_metric(self) -> Mapping[str, Metric]:
        """Metrics by name."""
        return {metric.name: metric for metric in self.metrics}

    def of(self, claim: Claim) -> tuple[Outcome, ...]:
        """Return the outcomes of a claim."""
        return self._by_claim.get((claim.metric, claim.a, claim.b), ())

    @cached_property
    def _by_claim(self) -> Mapping[tuple[str, str, str], tuple[Outcome, ...]]:
        found: dict[tuple[str, str, str], list[Outcome]] = {}
        for item in self.outcomes:
            found.setdefault((item.metric, item.a, item.b), []).append(item)
        return {key: tuple(items) for key, items in found.items()}

    @cached_property
    def score_of(self) -> Mapping[tuple[str, str, str], Score]:
        """Scores by metric, system and dataset."""
        return {(item.metric, item.system, item.dataset): item for item in self.scores}

    def sign(self, metric: str, dataset: str | None) -> int:
        """Return −1 where lower is better, else 1."""
        found = self.by_metric[metric]
        higher = found.higher_is_better if dataset is None else dataset not in found.lower_on
        return 1 if higher else -1

    def scale(self, metric: str, dataset: str | None = None) -> Scale:
        """Return the scale of a metric, on one dataset or on all."""
        found = self.by_metric[metric]
        return found.scale if dataset is None else found.by_dataset.get(dataset, found.scale)
