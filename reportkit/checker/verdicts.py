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
    test, title : str
        Name of the test in the registry, and in prose.
    shape, unit : str
        What was compared: "paired", "unpaired", ...; noun for one of the `n`.
    n : int or None
        Units compared.
    p_value, p_min : float
        One-sided for A better, and the smallest that was possible.
    n_resamples : int or None
        Random resamples, if any.
    identified, marked : bool
        By the correction, at the largest level; `marked` has the claimed sign too.
    difference : float
        What the test is about, positive in favour of A.
    score_difference : float
        Of the scores that are printed, positive in favour of A.
    n_clusters : int or None
        Clusters taken as the units.
    algorithm : str
        How the p-value was computed, if there are several ways.
    """

    system_a: str
    system_b: str
    metric: str
    dataset: str
    test: str
    title: str
    shape: str
    unit: str
    n: int | None
    p_value: float
    p_min: float
    n_resamples: int | None
    identified: bool
    marked: bool
    difference: float
    score_difference: float
    n_clusters: int | None = None
    algorithm: str = ""

    @property
    def where(self) -> str:
        """Who, on what."""
        return f"{self.system_a} v {self.system_b} on {self.dataset}"


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
    independent : bool
        Whether k-hat by Fisher is given.
    """

    items: tuple[Verdict, ...]
    alpha: float
    n_hypotheses: int
    sides: int
    independent: bool

    @property
    def first_threshold(self) -> float:
        """The smallest level that a p-value is compared with."""
        return self.alpha / (max(self.n_hypotheses, 1) * self.sides)

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
    items = []
    for comparison in analysis.comparisons:
        identified, marked = comparison.identified(alpha), comparison.marked(alpha)
        for index, item in enumerate(comparison.assessments):
            items.append(
                Verdict(
                    system_a=comparison.system_a,
                    system_b=comparison.system_b,
                    metric=item.metric,
                    dataset=item.dataset,
                    test=item.test,
                    title=item.title,
                    shape=item.shape,
                    unit=item.unit,
                    n=item.n,
                    p_value=item.p_value,
                    p_min=item.p_min,
                    n_resamples=item.n_resamples,
                    identified=bool(identified[index]),
                    marked=bool(marked[index]),
                    difference=item.difference,
                    score_difference=item.score_difference,
                    n_clusters=item.n_clusters,
                    algorithm=item.algorithm,
                )
            )
    return Verdicts(
        items=tuple(items),
        alpha=alpha,
        n_hypotheses=analysis.n_hypotheses,
        sides=2 if analysis.design == "both" else 1,
        independent=analysis.audit.independent,
    )


def _of_report(report: Mapping[str, Any]) -> Verdicts | None:
    """The same of a `report.json`; None where it is not as reportkit writes it."""
    try:
        alpha = max(float(level) for level in report["settings"]["alpha"])
        family = report["family"]
        return Verdicts(
            items=tuple(_items(report, f"{alpha:.12g}")),
            alpha=alpha,
            n_hypotheses=int(family["n_hypotheses"]),
            sides=2 if family["design"] == "both" else 1,
            independent=bool(family["fisher_allowed"]),
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
                test=str(item["test"]),
                title=str(item["test_title"]),
                shape=str(item["shape"]),
                unit=str(item["unit"]),
                n=item["n"],
                p_value=float(item["p_value"]),
                p_min=float(item["p_min"]),
                n_resamples=item["n_resamples"],
                identified=bool(item["identified"][level]),
                marked=bool(item["marked"][level]),
                difference=float(item["difference"]),
                score_difference=_score_difference(item),
                n_clusters=item["n_clusters"],
                algorithm=str(item.get("algorithm") or ""),
            )


def _score_difference(item: Mapping[str, Any]) -> float:
    """Of the printed scores; that of the test where an older report does not hold them."""
    if item.get("score_a") is None or item.get("score_b") is None:
        return float(item["difference"])
    difference = float(item["score_a"]) - float(item["score_b"])
    return difference if item.get("higher_is_better", True) else -difference
