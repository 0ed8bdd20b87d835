"""Every verdict on one dataset, of a report or of the analysis of the data, in one form for the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reportkit.report.machine.claims import claims_in

if TYPE_CHECKING:
    from reportkit.analysis.analysis import Analysis
    from reportkit.checker.context import CheckContext


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A against B on one dataset.

    Parameters
    ----------
    system_a, system_b, metric, dataset : str
        The claim is that A is better.
    p_value : float
        One-sided for A better.
    identified : bool
        By the correction, at the largest level.
    """

    system_a: str
    system_b: str
    metric: str
    dataset: str
    p_value: float
    identified: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """All verdicts of one analysis.

    Parameters
    ----------
    items : tuple of Verdict
        Claim by claim.
    alpha : float
        The largest level.
    n_hypotheses : int
        Size of the family.
    sides : int
        Directions in which each pair is tested, each at its share of the level.
    """

    items: tuple[Verdict, ...]
    alpha: float
    n_hypotheses: int
    sides: int

    def of_claims(self) -> dict[tuple[str, str, str], list[Verdict]]:
        """Verdicts by (A, B, metric)."""
        found: dict[tuple[str, str, str], list[Verdict]] = {}
        for item in self.items:
            found.setdefault((item.system_a, item.system_b, item.metric), []).append(item)
        return found


def verdicts(context: CheckContext) -> Verdicts | None:
    """Read verdicts from the report, if there is one, else from the analysis of the data; None without either."""
    if context.report_data is not None:
        return _of_report(context.report_data)
    if context.evidence is None or context.evidence.analysis is None:
        return None
    return _of_analysis(context.evidence.analysis)


def _of_analysis(analysis: Analysis) -> Verdicts:
    alpha = analysis.alpha[0]
    items = [
        Verdict(
            system_a=comparison.system_a,
            system_b=comparison.system_b,
            metric=item.metric,
            dataset=item.dataset,
            p_value=item.p_value,
            identified=bool(identified),
        )
        for comparison in analysis.comparisons
        for item, identified in zip(comparison.assessments, comparison.identified(alpha), strict=True)
    ]
    return Verdicts(
        items=tuple(items),
        alpha=alpha,
        n_hypotheses=analysis.n_hypotheses,
        sides=2 if analysis.design == "both" else 1,
    )


def _of_report(report: Mapping[str, Any]) -> Verdicts | None:
    """Return the same of a `report.json`; None where it is not as reportkit writes it."""
    try:
        alpha = max(float(level) for level in report["settings"]["alpha"])
        family = report["family"]
        return Verdicts(
            items=tuple(_items(report, f"{alpha:.12g}")),
            alpha=alpha,
            n_hypotheses=int(family["n_hypotheses"]),
            sides=2 if family["design"] == "both" else 1,
        )
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _items(report: Mapping[str, Any], level: str) -> Iterator[Verdict]:
    for comparison in claims_in(report):
        for item in comparison["datasets"]:
            yield Verdict(
                system_a=str(comparison["system_a"]),
                system_b=str(comparison["system_b"]),
                metric=str(item["metric"]),
                dataset=str(item["dataset"]),
                p_value=float(item["p_value"]),
                identified=bool(item["identified"][level]),
            )
