"""One whole analysis: what was measured, what was claimed, what was found, under which settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reportkit.replicability.family import Family
from reportkit.replicability.reproduction import Reproduction
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
        By (system, dataset): mean over all instances that the system was scored on.
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
    """

    family: Family
    settings: Settings
    system_scores: Mapping[tuple[str, str], SystemScore] = field(default_factory=dict)
    source: str = "DataFrame"
    digest: str = ""
    n_rows: int = 0
    columns: Mapping[str, str] = field(default_factory=dict)
    unused_columns: tuple[str, ...] = ()
    other_profile: Profile | None = None
    other_family: Family | None = None
    reproductions: tuple[Reproduction, ...] = ()

    @property
    def printed(self) -> bool:
        """Whether only printed figures are known."""
        return bool(self.reproductions)

    @property
    def disagreements(self) -> tuple[tuple[str, str, str, float], ...]:
        """Where the two profiles disagree about a mark: (system_a, system_b, dataset, alpha)."""
        if self.other_family is None:
            return ()
        found: list[tuple[str, str, str, float]] = []
        for comparison in self.family.comparisons:
            other = self.other_family[comparison.system_a, comparison.system_b]
            for alpha in self.family.alpha:
                mine, theirs = comparison.marked(alpha), other.marked(alpha)
                found.extend(
                    (comparison.system_a, comparison.system_b, dataset, alpha)
                    for dataset, differs in zip(comparison.datasets, mine != theirs, strict=True)
                    if differs
                )
        return tuple(found)
