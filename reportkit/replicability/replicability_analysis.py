"""One whole analysis: scores, claims, findings and settings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language import short_repr
from reportkit.replicability.comparison import Comparison, comparisons_in
from reportkit.replicability.independence.independence import IndependenceAudit
from reportkit.replicability.multiple_testing.correction import Correction, FamilyDesign, JointClaim
from reportkit.settings import Gatekeeping, Settings
from reportkit.significance.decision_intervals import decision_interval, level_of_decision
from reportkit.significance.outcome import Interval, Outcome

if TYPE_CHECKING:
    from reportkit.replicability.compare import SystemScore
    from reportkit.replicability.coverage import LeftOut
    from reportkit.replicability.friedman import FriedmanOutcome
    from reportkit.replicability.printed import Reproduction


OUTCOME_COLUMNS = [
    *("metric", "system_a", "system_b", "dataset", "n", "score_a", "score_b", "difference", "ci_low", "ci_high"),
    *("p_value", "test", "adjusted_p_value", "identified", "exploratory"),
]


@dataclass(frozen=True, eq=False, kw_only=True)
class ReplicabilityAnalysis:
    """All directional comparisons of one analysis, corrected together, with what they were made from.

    The numbers of `reportkit.analysis.Analysis`, which a user holds and which is made at once: tables, text and
    machines read nothing else of it.

    Parameters
    ----------
    design : {"declared", "both", "baselines", "all-pairs", "separate"}
        See the table of `reportkit.replicability.family`.
    frame : DataFrame
        One row for each metric, claim and dataset; see `outcomes` of `reportkit.analysis.Analysis`. Further columns:
        claim, a number; outcome, the position in `outcomes_as_tested`; turned, whether that is of B against A.
    counts : DataFrame
        One row for each metric, claim and level: k-hat by each method.
    pairs : tuple of (str, str)
        A and B of each claim, once for all metrics.
    across_datasets : bool
        Whether the datasets are the sample, one score of each system on each.
    outcomes_as_tested : tuple of Outcome
        One for each metric, pair of systems and dataset.
    closed : mapping of int to JointClaim
        By number of the claim, the closed test that counts and names; empty where another procedure does.
    share : int or None
        See `reportkit.replicability.comparison.Comparison`.
    correction : {"Holm", "graph", "closed testing", "max-T"}
        What adjusted the p-values.
    n_hypotheses : int
        Number of p-values that were corrected together for the marks.
    metrics : tuple of str
        All metrics of the analysis, the primary one first.
    sizes : mapping of str to int
        By metric, the number of p-values that were corrected together at its stage.
    audit : IndependenceAudit
        Whether Fisher's method may be used.
    settings : Settings
        Everything that was decided.
    findings : tuple of Finding
        Findings of all assessments and of the analysis itself, worst first, each once.
    system_scores : mapping of (str, str) to SystemScore
        By (system, dataset): mean over all instances that the system was scored on; by the primary metric.
    secondary_scores : mapping of str to mapping
        The same by each of the other metrics.
    source : str
        Name of the results file, without folders.
    digest : str
        SHA-256 of the content of the results.
    n_rows : int
        Rows read.
    columns : mapping of str to str
        Role to column name.
    unused_columns : tuple of str
        Columns that play no role.
    reproductions : tuple of Reproduction
        Printed claims, recomputed; only where the input is what a paper prints.
    friedman_outcome : FriedmanOutcome or None
        Friedman's test by the primary metric; only where it was asked for.
    named_datasets : tuple of str
        All datasets that the results name; empty if not known.
    left_out : tuple of LeftOut
        Those that are not in the report, or not for all systems, and why.
    measures : mapping of str to str
        Dataset to its metric, where datasets are compared by different ones in one family; empty elsewhere.
    """

    design: FamilyDesign
    frame: pd.DataFrame
    counts: pd.DataFrame
    pairs: tuple[tuple[str, str], ...]
    across_datasets: bool
    outcomes_as_tested: tuple[Outcome, ...] = field(repr=False)
    closed: Mapping[int, JointClaim]
    share: int | None
    correction: Correction
    n_hypotheses: int
    metrics: tuple[str, ...]
    sizes: Mapping[str, int]
    audit: IndependenceAudit
    settings: Settings
    findings: tuple[Finding, ...] = ()
    system_scores: Mapping[tuple[str, str], SystemScore] = field(default_factory=dict)
    secondary_scores: Mapping[str, Mapping[tuple[str, str], SystemScore]] = field(default_factory=dict)
    source: str = "DataFrame"
    digest: str = ""
    n_rows: int = 0
    columns: Mapping[str, str] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    reproductions: tuple[Reproduction, ...] = ()
    friedman_outcome: FriedmanOutcome | None = None
    named_datasets: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    measures: Mapping[str, str] = field(default_factory=dict)

    __repr__ = short_repr

    def comparison(self, *key: str) -> Comparison:
        """Return one comparison: of (better, worse), or (better, worse, metric).

        Raises
        ------
        UnknownNameError
            If there is no such comparison.
        SettingsError
            If no metric is named, and there are several.
        """
        about = ["system_a", "system_b", "metric"]
        frame, counts = (
            rows[(rows[about[: len(key)]] == list(key)).all(axis="columns")] if 0 < len(key) <= len(about) else rows[:0]
            for rows in (self.frame, self.counts)
        )
        if frame.empty:
            known = [
                f"{a} > {b} ({metric})" for a, b, metric in dict.fromkeys(self.counts[about].itertuples(index=False))
            ]
            asked = " > ".join(map(str, key[:2])) + "".join(f" ({name})" for name in key[2:])
            raise UnknownNameError("comparison", asked, known)
        found = self._comparisons(frame, counts)
        if len(found) > 1:
            raise SettingsError(
                f"{' > '.join(key)} is compared in {len(found)} ways",
                where=", ".join(map(repr, self.metrics)),
                remedy=f"name two systems and a metric: analysis[{found[0].system_a!r}, {found[0].system_b!r}, "
                f"{found[0].metric!r}]",
            )
        return found[0]

    def _comparisons(self, frame: pd.DataFrame, counts: pd.DataFrame) -> tuple[Comparison, ...]:
        """Return the comparisons in some rows."""
        independent = self.audit.independent
        return comparisons_in(frame, counts, self.outcomes_as_tested, self.closed, self.share, independent=independent)

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Return one comparison per claim and metric, the primary metric first."""
        return self._comparisons(self.frame, self.counts)

    def decision_intervals(self, comparison: Comparison) -> tuple[Interval | None, ...]:
        """Return the intervals that belong to the decisions: above 0 exactly where A is identified as better.

        The lower end is at the level at which the correction tests the dataset; the upper end at that of the opposite
        claim, if that is tested, too, and then below 0 exactly where B is identified as better.

        Parameters
        ----------
        comparison : Comparison
            One of this analysis.

        Returns
        -------
        tuple of Interval or None
            By dataset; None where no interval belongs to the test.
        """
        alpha = self.alpha[0]
        key = comparison.system_b, comparison.system_a, comparison.metric
        opposite = next(
            (item for item in self.comparisons if (item.system_a, item.system_b, item.metric) == key), comparison
        )
        found = []
        for index, item in enumerate(comparison.assessments):
            place = index if opposite is comparison else opposite.datasets.index(item.dataset)
            levels = (
                level_of_decision(item.p_value, float(comparison.adjusted_p_values[index]), alpha),
                level_of_decision(float(opposite.p_values[place]), float(opposite.adjusted_p_values[place]), alpha),
            )
            found.append(
                decision_interval(
                    partial(self._interval_at, comparison, index),
                    item.interval,
                    item.difference,
                    (item.p_greater, item.p_less),
                    levels,
                    limit=1.0 if item.percent else math.inf,
                )
            )
        return tuple(found)

    def _interval_at(self, comparison: Comparison, index: int, confidence_level: float) -> Interval | None:
        """Return the interval of one dataset at another level; None where the scores are not known."""
        return None

    def of_metric(self, metric: str) -> Self:
        """Return the part of one metric; what was corrected together stays so.

        Raises
        ------
        UnknownNameError
            If there is no such metric.
        """
        if metric not in self.metrics:
            raise UnknownNameError("metric", metric, self.metrics)
        return replace(
            self,
            frame=self.frame[self.frame["metric"] == metric],
            counts=self.counts[self.counts["metric"] == metric],
            n_hypotheses=self.sizes[metric],
            system_scores=self.secondary_scores.get(metric, self.system_scores),
            secondary_scores={self.metrics[0]: self.system_scores, **self.secondary_scores},
        )

    @cached_property
    def parts(self) -> tuple[Self, ...]:
        """Return the parts of all metrics, the primary one first."""
        return tuple(map(self.of_metric, self.metrics)) if self.several_metrics else (self,)

    @property
    def alpha(self) -> tuple[float, ...]:
        """Return the levels, largest first."""
        return self.settings.alpha

    @property
    def gatekeeping(self) -> Gatekeeping:
        """Return how the metrics share the level; "none" with one metric."""
        return self.settings.gatekeeping if self.several_metrics else "none"

    @property
    def preregistered(self) -> bool:
        """Return whether the user says that directions were declared before the results were seen."""
        return self.settings.preregistered

    @property
    def printed(self) -> bool:
        """Return whether only printed figures are known."""
        return bool(self.reproductions)

    @property
    def several_metrics(self) -> bool:
        """Return whether the analysis has several metrics, even if this part has one."""
        return len(self.metrics) > 1

    @cached_property
    def datasets(self) -> tuple[str, ...]:
        """Return the datasets of all comparisons, each once, in order."""
        return tuple(dict.fromkeys(self.frame["dataset"]))

    @cached_property
    def assessments(self) -> tuple[Outcome, ...]:
        """Return the assessments of all comparisons, in order."""
        return tuple(item for comparison in self.comparisons for item in comparison.assessments)

    @cached_property
    def kinds(self) -> tuple[Outcome, ...]:
        """Return one assessment of each kind, the first: those of a kind differ in numbers and systems, not in words.

        Names of systems are part of a kind where something else is known of each, such as its number of runs.
        """
        found: dict[tuple[Any, ...], Outcome] = {}
        for place in self.frame.loc[~self.frame["turned"], "outcome"]:
            found.setdefault(self.outcomes_as_tested[place].kind_of_test, self.outcomes_as_tested[place])
        return tuple(found.values())

    @cached_property
    def systems_a(self) -> tuple[str, ...]:
        """Return the systems that are claimed to be better, each once, in order."""
        return tuple(dict.fromkeys(self.counts["system_a"]))

    @cached_property
    def systems_b(self) -> tuple[str, ...]:
        """Return the systems on the losing side of the claims, each once, in order."""
        return tuple(dict.fromkeys(self.counts["system_b"]))

    @property
    def one_claim(self) -> bool:
        """Return whether there is one pair of systems, in one direction or in both."""
        return self.design in ("declared", "both")

    @cached_property
    def counted_apart(self) -> bool:
        """Return whether counts and names are separate statements: each keeps the level, the two together need not."""
        return bool((self.counts["joint"].isna() & self.counts["fisher"].notna()).any())

    @property
    def sides(self) -> int:
        """Return the number of directions in which each pair is tested: 2 where none was declared."""
        return 2 if self.design in ("both", "all-pairs") else 1
