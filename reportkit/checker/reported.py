"""The scores and tests of a report, which tables are compared with where the data are not at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reportkit.checker.user_data import Evidence, Tested
from reportkit.errors import SettingsError
from reportkit.report.machine.claims import claims_in

if TYPE_CHECKING:
    from reportkit.analysis.analysis import Analysis
    from reportkit.errors import ReportkitError
    from reportkit.scores.printed import PrintedResults
    from reportkit.scores.results import Results


@dataclass(eq=False)
class Reported(Evidence):
    """What a `report.json` says of its data.

    Parameters
    ----------
    report : mapping
        Its content.
    """

    report: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        pairs = list(dict.fromkeys((a, b) for _, a, b, _ in self._rows))
        if not self.baselines and len(pairs) == 1:
            self.systems, self.baselines = pairs[0][:1], pairs[0][1:]

    @cached_property
    def _read(self) -> tuple[Results | PrintedResults | None, dict[Any, ReportkitError]]:
        return None, {}

    @cached_property
    def _compared(self) -> tuple[Analysis | None, ReportkitError | None]:
        return None, SettingsError("a report holds no scores of single instances")

    @cached_property
    def _rows(self) -> dict[tuple[str, str, str, str], dict[str, Any]]:
        """Rows of outcomes by metric, the two systems and dataset; none of a report that is not as it should be."""
        try:
            return {
                (row["metric"], claim["system_a"], claim["system_b"], row["dataset"]): row
                for claim in claims_in(self.report)
                for row in claim["datasets"]
            }
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            return {}

    @cached_property
    def scores(self) -> dict[tuple[str, str, str], tuple[float, int | None, bool]]:
        """By (metric, system, dataset): the score as a table prints it, n, and whether higher is better."""
        found: dict[tuple[str, str, str], tuple[float, int | None, bool]] = {}
        for (metric, a, b, dataset), row in self._rows.items():
            for system, score in ((a, row.get("score_a")), (b, row.get("score_b"))):
                if score is not None:
                    found[metric, system, dataset] = (float(score), row["n"], bool(row["higher_is_better"]))
        return found

    def tested(self, kind: Tested, metric: str, systems: tuple[str, str], dataset: str) -> float | None:
        """What the report says of one system against another on a dataset."""
        row = self._rows.get((metric, *systems, dataset))
        if row is None:
            return None
        if kind in ("p-value", "adjusted-p-value"):
            return float(row["p_value" if kind == "p-value" else "adjusted_p_value"])
        interval = row.get("interval")
        return None if interval is None else float(interval[kind.removeprefix("interval-")])
