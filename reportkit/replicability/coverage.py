"""What a comparison leaves out: pairs, datasets, instances and intervals."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from reportkit.errors import SettingsError
from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.replicability.family import Pair
from reportkit.scores.checks import name_findings
from reportkit.scores.codes import LISTED, names_text, quoted
from reportkit.scores.scores import Results, Scores
from reportkit.settings import Settings

NOT_COMPARED = "pairs-without-a-dataset"
"""Code of the finding that names pairs of systems which share no dataset."""

ON_REQUEST = "intervals-on-request"
"""Code of the finding about intervals that were left out."""


def with_common_datasets(pairs: tuple[Pair, ...], blocks: Sequence[Scores]) -> tuple[tuple[Pair, ...], list[Finding]]:
    """Return the pairs of systems that share a dataset, and a finding that names the others.

    Raises
    ------
    SettingsError
        If no two systems share one.
    """
    held = [frozenset(block.systems) for block in blocks]
    shared = tuple(pair for pair in pairs if any(who.issuperset(pair) for who in held))
    if len(shared) == len(pairs):
        return pairs, []
    apart = [pair for pair in pairs if pair not in set(shared)]
    if not shared:
        raise _nothing_in_common(apart, blocks)
    finding = Finding(
        NOT_COMPARED,
        "warning",
        f"{len(apart):,} of the {counted(len(pairs), 'pair')} of systems {'has' if len(apart) == 1 else 'have'} "
        "no dataset in common and cannot be compared.",
        where=listed([f"{quoted(a)} and {quoted(b)}" for a, b in apart[:LISTED]], total=len(apart)),
        remedy="score both systems on the same datasets to compare them",
    )
    return shared, [finding]


def _nothing_in_common(apart: Sequence[Pair], blocks: Sequence[Scores]) -> SettingsError:
    """Say that no two systems have a dataset in common, and whether names of datasets look alike."""
    named = list(dict.fromkeys(chain(*apart)))
    held = {name: list(dict.fromkeys(block.dataset for block in blocks if name in block.systems)) for name in named}
    problem = f"{named[0]!r} and {named[1]!r} have no dataset in common"
    if len(named) > 2:
        problem = "no two systems that are to be compared have a dataset in common"
    if twins := next(name_findings(list(dict.fromkeys(chain(*held.values()))), "dataset"), None):
        where = f"datasets whose names differ only in case, spaces or characters that cannot be seen: {twins.where}"
        return SettingsError(problem, where=where, remedy=twins.remedy)
    scored = "; ".join(
        f"{name!r}{' is scored' * (name == named[0])} on {names_text(held[name])}" for name in named[:LISTED]
    )
    return SettingsError(problem, where=scored, remedy="compare other systems")


def too_many(pairs: Sequence[Pair], blocks: Sequence[Scores], most: int) -> SettingsError:
    """Return the refusal of a family of more than `most` tests: too large to wait for or to read."""
    name, datasets = pairs[0][0], list(dict.fromkeys(block.dataset for block in blocks))
    on = f"{counted(len(pairs), 'pair')} of systems on {counted(len(datasets), 'dataset')}"
    return SettingsError(
        f"{on} are {len(pairs) * len(blocks):,} tests",
        where=f"at most {most:,} tests are run",
        remedy=f"name a baseline, such as baseline={name!r} (command: --baseline {shlex.quote(name)}); name fewer "
        f"datasets, such as datasets={datasets[0]!r} (command: --dataset {shlex.quote(datasets[0])}); or keep the rows "
        "of fewer systems",
    )


def on_request(n_tests: int, most: int) -> Finding:
    """Return the finding about intervals that are left out, where there are more than `most` tests."""
    return Finding(
        ON_REQUEST,
        "info",
        f"{n_tests:,} comparisons on datasets are more than {most:,}: their confidence intervals are not computed.",
        remedy="ask for those that matter: analysis.interval(A, B) or analysis.interval(A, B, dataset); or "
        "compare fewer systems",
    )


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
    """Find the datasets that a comparison leaves out, for all of its systems or for some.

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
"""A warning, if more than this share of a dataset is left out: the remaining instances may be of another kind."""

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
        for dataset, (low, high) in ((name, ranges[name]) for name in sizes if name in ranges)
        if high
    ]
    if not places:
        return []
    shown = places[:_MOST_PLACES] + ([f"and {len(places) - _MOST_PLACES} more"] if len(places) > _MOST_PLACES else [])
    notable = settings.missing == "drop" and any(
        high > NOTABLE_SHARE * sizes[name] for name, (_, high) in ranges.items()
    )
    return [
        Finding(
            f"missing-{settings.missing}",
            "warning" if notable else "info",
            f"{_DONE[settings.missing]}; numbers are those of one pair of systems.",
            where="; ".join(shown),
            remedy="report this with the result, and why these instances have no score" if notable else "",
        )
    ]
