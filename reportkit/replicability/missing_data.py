"""Find missing data: datasets that are not compared, or not for all systems, and scores of instances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.scores.codes import LISTED, names_text, quoted
from reportkit.scores.results import Results
from reportkit.settings import Settings

DATASETS_LEFT_OUT = "datasets-left-out"
"""Code of the finding."""

Reason = Literal["no-score", "system-without-score", "deselected"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One dataset that is left out, wholly or for some systems.

    Parameters
    ----------
    dataset : str
        Its name.
    reason : {"no-score", "system-without-score", "deselected"}
        No system has a score there by the metrics of the report; some systems that are compared have none; a selection
        left the dataset out.
    systems : tuple of str
        The systems without a score, where it is some.
    metric : str
        By which metric, where there are several.
    """

    dataset: str
    reason: Reason
    systems: tuple[str, ...] = ()
    metric: str = ""


def datasets_left_out(results: Results, systems: Sequence[str]) -> tuple[LeftOut, ...]:
    """Find the datasets that results name and a comparison of some systems does not hold for all of them.

    Parameters
    ----------
    results : Results
        By the metrics of the report.
    systems : sequence of str
        Those that are compared.
    """
    scored: dict[str, dict[str, set[str]]] = {}
    for block in results.datasets:
        scored.setdefault(block.dataset, {})[block.metric] = set(block.systems)
    several = len(results.metrics) > 1
    found = []
    for name in results.named_datasets or tuple(scored):
        here = {metric: who for metric, who in scored.get(name, {}).items() if not who.isdisjoint(systems)}
        if name in results.deselected:
            found.append(LeftOut(dataset=name, reason="deselected"))
        elif not here:
            found.append(LeftOut(dataset=name, reason="no-score"))
        for metric, who in here.items():
            if lacking := tuple(system for system in systems if system not in who):
                by = metric if several else ""
                found.append(LeftOut(dataset=name, reason="system-without-score", systems=lacking, metric=by))
    return tuple(found)


def left_out_findings(items: Sequence[LeftOut], results: Results) -> Iterator[Finding]:
    """Report the datasets that fell away, and why, except those that a selection left out."""
    total = counted(len(results.named_datasets), "dataset")
    none = [item.dataset for item in items if item.reason == "no-score"]
    if none:
        yield Finding(
            DATASETS_LEFT_OUT,
            "warning",
            f"On {len(none):,} of the {total} no system that is compared has a score{_by(results)}: "
            f"{'it is' if len(none) == 1 else 'they are'} not in this report.",
            where=names_text(none),
            remedy="name the metric that is given there as well, metric=[..., ...] (--metric NAME, repeated), or "
            "complete the scores",
        )
    lacking: dict[tuple[str, str], list[str]] = {}
    for item in items:
        for system in item.systems:
            lacking.setdefault((system, item.metric), []).append(item.dataset)
    if lacking:
        places = [
            f"{quoted(system)} on {names_text(datasets)}{f' by {quoted(metric)}' if metric else ''}"
            for (system, metric), datasets in lacking.items()
        ]
        n_datasets = len({name for datasets in lacking.values() for name in datasets})
        yield Finding(
            DATASETS_LEFT_OUT,
            "warning",
            f"On {'all' if n_datasets == len(results.named_datasets) else f'{n_datasets:,} of the'} {total}, some "
            "systems have no score and are not compared.",
            where=listed(places[:LISTED], total=len(places)),
            remedy="complete the scores, or say in the paper why they are missing",
        )


def _by(results: Results) -> str:
    """Return the metric, or the column, in words."""
    if "metric" in results.columns or "score" not in results.columns:
        return f" by {listed(map(quoted, results.metrics))}"
    return f" in the column {quoted(results.columns['score'])}"


_MOST_PLACES = 8

NOTABLE_SHARE = 0.05
"""More than this share of the instances of a dataset left out is a warning: those that are left may be others."""

_DONE = {
    "drop": "Instances that only one system of a pair has a score for are left out of the comparison of the two",
    "worst": "Missing outputs count as the worst possible score",
}


def missing_findings(numbers: Iterable[tuple[str, int]], sizes: Mapping[str, int], settings: Settings) -> list[Finding]:
    """Report the datasets on which scores were missing, and the number that were left out or filled.

    Parameters
    ----------
    numbers : iterable of (str, int)
        Of each claim on each dataset: its name, and how many scores were left out or filled.
    sizes : mapping of str to int
        Number of instances of each dataset.
    settings : Settings
        Its `missing` says what was done.

    Returns
    -------
    list of Finding
        Empty if nothing was left out or filled.
    """
    ranges: dict[str, tuple[int, int]] = {}
    for dataset, number in numbers:
        low, high = ranges.get(dataset, (number, number))
        ranges[dataset] = min(low, number), max(high, number)
    places = [
        f"{dataset}: {f'{low:,}' if low == high else f'{low:,} to {high:,}'} of {sizes[dataset]:,}"
        for dataset, (low, high) in ranges.items()
        if high
    ]
    if not places:
        return []
    shown = places[:_MOST_PLACES] + ([f"and {len(places) - _MOST_PLACES} more"] if len(places) > _MOST_PLACES else [])
    many = any(high > NOTABLE_SHARE * sizes[dataset] for dataset, (_, high) in ranges.items())
    notable = settings.missing == "drop" and many
    return [
        Finding(
            f"missing-{settings.missing}",
            "warning" if notable else "info",
            f"{_DONE[settings.missing]}; numbers are those of one pair of systems.",
            where="; ".join(shown),
            remedy="report this with the result, and why these instances have no score" if notable else "",
        )
    ]
