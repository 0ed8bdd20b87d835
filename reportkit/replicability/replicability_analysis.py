"""One whole analysis: what was measured, what was claimed, what was found, under which settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from reportkit.language.short_repr import short_repr
from reportkit.replicability.family import Family
from reportkit.replicability.friedman import FriedmanOutcome
from reportkit.replicability.missing_data import LeftOut
from reportkit.replicability.printed.reproduction import Reproduction
from reportkit.replicability.system_scores import SystemScore
from reportkit.settings import Profile, Settings


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReplicabilityAnalysis:
    """Data of an analysis, for tables, text and machines.

    Parameters
    ----------
    family : Family
        The comparisons under the profile of the settings.
    system_scores : mapping of (str, str) to SystemScore
        By (system, dataset): mean over all instances that the system was scored on; by the primary metric.
    secondary_scores : mapping of str to mapping
        The same by each of the other metrics.
    settings : Settings
        Everything that was decided.
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
    other_profile : Profile or None
        The profile that was computed beside, to see where the verdicts differ; None if it was not.
    other_family : Family or None
        The comparisons under that profile.
    reproductions : tuple of Reproduction
        Printed claims, recomputed; only where the input is what a paper prints.
    friedman : FriedmanOutcome or None
        Friedman's test by the primary metric; only where it was asked for.
    named_datasets : tuple of str
        All datasets that the results name; empty if not known.
    left_out : tuple of LeftOut
        Those that are not in the report, or not for all systems, and why.
    """

    family: Family
    settings: Settings
    system_scores: Mapping[tuple[str, str], SystemScore] = field(default_factory=dict)
    secondary_scores: Mapping[str, Mapping[tuple[str, str], SystemScore]] = field(default_factory=dict)
    source: str = "DataFrame"
    digest: str = ""
    n_rows: int = 0
    columns: Mapping[str, str] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    other_profile: Profile | None = None
    other_family: Family | None = None
    reproductions: tuple[Reproduction, ...] = ()
    friedman: FriedmanOutcome | None = None
    named_datasets: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    __repr__ = short_repr

    @property
    def printed(self) -> bool:
        """Whether only printed figures are known."""
        return bool(self.reproductions)

    def of_metric(self, metric: str) -> ReplicabilityAnalysis:
        """Return the part of one metric; what was corrected together stays so.

        Raises
        ------
        UnknownNameError
            If there is no such metric.
        """
        return replace(
            self,
            family=self.family.of_metric(metric),
            system_scores=self.secondary_scores.get(metric, self.system_scores),
            other_family=None if self.other_family is None else self.other_family.of_metric(metric),
        )

    @property
    def parts(self) -> tuple[ReplicabilityAnalysis, ...]:
        """The parts of all metrics, the primary one first."""
        return tuple(map(self.of_metric, self.family.metrics)) if self.family.several_metrics else (self,)

    @property
    def disagreements(self) -> tuple[tuple[str, str, str, str, float], ...]:
        """Where the two profiles disagree about a mark: (system_a, system_b, metric, dataset, alpha)."""
        if self.other_family is None:
            return ()
        found: list[tuple[str, str, str, str, float]] = []
        others = {(item.system_a, item.system_b, item.metric): item for item in self.other_family.comparisons}
        for comparison in self.family.comparisons:
            other = others[comparison.system_a, comparison.system_b, comparison.metric]
            for alpha in self.family.alpha:
                mine, theirs = comparison.marked(alpha), other.marked(alpha)
                found.extend(
                    (comparison.system_a, comparison.system_b, comparison.metric, dataset, alpha)
                    for dataset, differs in zip(comparison.datasets, mine != theirs, strict=True)
                    if differs
                )
        return tuple(found)
