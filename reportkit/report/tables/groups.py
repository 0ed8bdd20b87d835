"""Groups of datasets and of systems: in which order they stand, and what stands above them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reportkit.appearance import Appearance
from reportkit.errors import UnknownNameError
from reportkit.replicability.replicability_analysis import ReplicabilityAnalysis
from reportkit.report.model import Cell, Row, Spanner
from reportkit.report.prose import Emphasis, text
from reportkit.report.ranking import mean_ranks


@dataclass(frozen=True, slots=True)
class Group:
    """Names that stand together; those that are in no group stand at the end, under no title."""

    title: str
    members: tuple[str, ...]


def grouped(names: Sequence[str], groups: Mapping[str, Sequence[str]]) -> tuple[Group, ...]:
    """Put names into their groups.

    Parameters
    ----------
    names : sequence of str
        What a table shows, in its own order.
    groups : mapping of str to sequence of str
        Members by title, in the order in which they are to be shown; some may not be in this table.

    Returns
    -------
    tuple of Group
        Each name in one of them.

    Examples
    --------
    >>> grouped(["hans", "sst2", "mnli"], {"In-domain": ["mnli", "sst2"]})
    (Group(title='In-domain', members=('mnli', 'sst2')), Group(title='', members=('hans',)))
    """
    known = set(names)
    found = [
        Group(title, here)
        for title, members in groups.items()
        if (here := tuple(name for name in members if name in known))
    ]
    inside = {name for group in found for name in group.members}
    apart = tuple(name for name in names if name not in inside)
    return (*found, Group("", apart)) if apart else tuple(found)


def in_order(groups: Iterable[Group]) -> tuple[str, ...]:
    """All names, group by group."""
    return tuple(name for group in groups for name in group.members)


def spanners_over(groups: Sequence[Group], first: int) -> tuple[Spanner, ...]:
    """Headers over the columns of each group with a title; the first name stands in column `first`."""
    found = []
    for group in groups:
        last = first + len(group.members) - 1
        if group.title:
            found.append(Spanner(header=text(group.title), first=first, last=last))
        first = last + 1
    return tuple(found)


def rows_in_groups(groups: Sequence[Group], rows: Mapping[str, Row], n_columns: int) -> Iterator[Row]:
    """Rows of all names, with a heading above each group that has a title, and a rule between groups."""
    for number, group in enumerate(groups):
        if group.title:
            cells = (Cell.of((Emphasis(group.title),)), *[Cell()] * (n_columns - 1))
            yield Row(cells=cells, rule_above=number > 0, heading=True)
        for index, name in enumerate(group.members):
            row = rows[name]
            begins = index == 0 and number > 0 and not group.title
            yield Row(cells=row.cells, rule_above=begins)


def names_of_data(analysis: ReplicabilityAnalysis) -> dict[str, tuple[str, ...]]:
    """Systems, datasets and metrics of the data, each once, whether they are compared or not."""
    systems = [*systems_of(analysis), *(system for system, _ in analysis.system_scores)]
    datasets = [*analysis.datasets, *(dataset for _, dataset in analysis.system_scores)]
    return {
        "system": tuple(dict.fromkeys(systems)),
        "dataset": tuple(dict.fromkeys(datasets)),
        "metric": analysis.metrics,
    }


def refuse_unknown_members(analysis: ReplicabilityAnalysis, look: Appearance) -> None:
    """Refuse groups of names that do not occur.

    Raises
    ------
    UnknownNameError
        With the nearest name that does.
    """
    known_names = names_of_data(analysis)
    for kind, groups in (("dataset", look.dataset_groups), ("system", look.system_groups)):
        known = known_names[kind]
        for title, members in groups.items():
            for name in members:
                if name not in known:
                    raise UnknownNameError(kind, name, known, where=f"group {title!r} of {kind}_groups")


def systems_in_order(analysis: ReplicabilityAnalysis, look: Appearance) -> tuple[str, ...]:
    """Systems in the order of all tables and figures of a report; of a pair, the one claimed to be better first.

    Baselines come first, then the others, each by rising mean rank, by name, or as given; groups stand together.
    """
    first = analysis.comparisons[0]
    if analysis.one_claim:
        return in_order(grouped((first.system_a, first.system_b), look.system_groups))
    names, baselines = systems_of(analysis), () if analysis.design == "all-pairs" else analysis.systems_b
    if look.order == "rank":
        ranks = mean_ranks(analysis)
        names = tuple(sorted(names, key=lambda name: (name not in baselines, ranks.get(name, math.inf))))
    elif look.order == "name":
        names = tuple(sorted(names, key=lambda name: (name not in baselines, natural(name))))
    return in_order(grouped(names, look.system_groups))


def natural(name: str) -> list[tuple[int, int, str]]:
    """Key by which names are sorted as people do: gpt-2 before gpt-10, and capitals like small letters.

    Examples
    --------
    >>> sorted(["gpt-10", "gpt-2", "Bert"], key=natural)
    ['Bert', 'gpt-2', 'gpt-10']
    """
    parts = re.findall(r"\d+|\D+", name)
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part.casefold()) for part in parts]


def systems_of(family: ReplicabilityAnalysis) -> tuple[str, ...]:
    """Systems as they were given: baselines first."""
    first, second = family.systems_a, family.systems_b
    return tuple(dict.fromkeys((*first, *second) if family.design == "all-pairs" else (*second, *first)))
