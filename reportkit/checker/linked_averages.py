"""Averages of a table, over the cells beside them or, where it names none, all datasets; and ranks of its systems."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reportkit.checker.linked import LinkedCell
from reportkit.checker.paper.document import Cell, Table
from reportkit.checker.paper.printed_number import PrintedNumber

if TYPE_CHECKING:
    from collections.abc import Callable

    from reportkit.checker.user_data import Evidence

FEWEST_AGREEING = 3
"""Numbers that have to be the average that they are taken for before others are compared with it."""
BESIDE = "it is an average, and not all cells behind it are linked"
OVERALL = "no dataset is named, and it is neither the mean over the datasets nor that over all instances"
RANK = "most ranks of its column are neither by the mean over the datasets nor the mean of ranks on them"


@dataclass(frozen=True, slots=True)
class Average:
    """A number that may be an average.

    Parameters
    ----------
    cell, number : Cell, PrintedNumber
        As printed.
    metric, system, baseline : str
        What its headings name; a baseline, if it is an average of differences.
    overall : bool
        Whether it stands for all datasets of the data, not for the cells beside it.
    """

    cell: Cell
    number: PrintedNumber
    metric: str
    system: str
    baseline: str = ""
    overall: bool = False


def beside(table: Table, one: Average, cells: Sequence[LinkedCell]) -> LinkedCell | None:
    """The average of the linked cells in the same row or column; None if others stand there that are not linked."""
    kind = "difference" if one.baseline else "score"
    key = (kind, one.system, one.baseline, one.metric)
    mine = [item for item in cells if (item.kind, item.system, item.baseline, item.metric) == key]
    numbers = (cell for cell in table.body() if cell.number is not None and cell is not one.cell)
    if len(mine) < 2 or sum(_in_line(cell, one.cell, mine) for cell in numbers) != len(mine):
        return None
    value = sum(item.value for item in mine) / len(mine)
    printed = sum(item.number.value for item in mine) / len(mine) if all(item.agrees for item in mine) else None
    return replace(
        mine[0], cell=one.cell, number=one.number, kind="average", dataset="", value=value, n=None, as_printed=printed
    )


def _in_line(cell: Cell, average: Cell, mine: Sequence[LinkedCell]) -> bool:
    in_rows = all(item.cell.row == average.row for item in mine)
    return cell.row == average.row if in_rows else cell.column == average.column


def overall(
    table: Table,
    ones: Iterable[Average],
    evidence: Evidence,
    scale_of: Callable[[list[LinkedCell]], float | None],
) -> list[LinkedCell]:
    """Averages over all datasets, by the mean that most of the numbers of one metric are, if most are one.

    There are two, the mean over datasets and that over instances, and a table seldom says which it prints; so its
    numbers say it.
    """
    by_metric: dict[str, list[Average]] = {}
    for one in ones:
        by_metric.setdefault(one.metric, []).append(one)
    found: list[LinkedCell] = []
    for of_metric in by_metric.values():
        ways = []
        for pooled in (False, True):
            cells = [item for one in of_metric if (item := _over_datasets(table, one, evidence, pooled=pooled))]
            scale = scale_of(cells)
            if scale is not None:
                cells = [replace(item, kind="average", scale=scale) for item in cells]
                ways.append((sum(item.agrees for item in cells), cells))
        agreeing, best = max(ways, key=lambda way: way[0], default=(0, []))
        if agreeing >= max(FEWEST_AGREEING, len(best) / 2):
            found += best
    return found


@dataclass(frozen=True, slots=True)
class Rank:
    """The place of a system among those that have one in the same table, on one dataset or on all of them."""

    cell: Cell
    number: PrintedNumber
    metric: str
    system: str
    dataset: str


def ranked(table: Table, ones: Iterable[Rank], evidence: Evidence) -> list[LinkedCell]:
    """Ranks by the mean over the datasets, or means of the ranks on each, if most of them are; ties are left alone."""
    groups: dict[tuple[str, str], list[Rank]] = {}
    for one in ones:
        groups.setdefault((one.metric, one.dataset), []).append(one)
    found: list[LinkedCell] = []
    for (metric, dataset), group in groups.items():
        names = (dataset,) if dataset else evidence.dataset_names
        known = [[evidence.scores.get((metric, one.system, name)) for name in names] for one in group]
        rows = [[(1 if score[2] else -1) * score[0] for score in row if score] for row in known]
        if len({one.system for one in group}) < len(group) or any(len(row) < len(names) for row in rows):
            continue
        columns = [_places(column) for column in zip(*rows, strict=True)]
        ways = [_places([sum(row) for row in rows]), [sum(row) / len(names) for row in zip(*columns, strict=True)]]
        best = max(
            ways, key=lambda way: sum(one.number.stands_for(place) for one, place in zip(group, way, strict=True))
        )
        cells = [
            LinkedCell(table, one.cell, one.number, "rank", metric, one.system, dataset, place)
            for one, place in zip(group, best, strict=True)
            if best is ways[1] or place.is_integer()
        ]
        if sum(item.agrees for item in cells) >= max(FEWEST_AGREEING, len(cells) / 2):
            found += cells
    return found


def _places(values: Sequence[float]) -> list[float]:
    """1 for the largest; those that are equal share the mean of their places."""
    return [
        1 + sum(other > value for other in values) + (sum(other == value for other in values) - 1) / 2
        for value in values
    ]


def over_datasets(evidence: Evidence, metric: str, system: str, *, pooled: bool) -> float | None:
    """Mean score of a system over all datasets, or over all their instances; None if a score or a size is missing."""
    scores = [evidence.scores.get((metric, system, name)) for name in evidence.dataset_names]
    known = [score for score in scores if score is not None]
    sizes = [score[1] or 0 for score in known]
    if not known or len(known) < len(scores) or (pooled and not all(sizes)):
        return None
    weights = sizes if pooled else [1] * len(known)
    return sum(weight * score[0] for weight, score in zip(weights, known, strict=True)) / sum(weights)


def _over_datasets(table: Table, one: Average, evidence: Evidence, *, pooled: bool) -> LinkedCell | None:
    value = over_datasets(evidence, one.metric, one.system, pooled=pooled)
    if value is None:
        return None
    higher = evidence.scores[one.metric, one.system, evidence.dataset_names[0]][2]
    return LinkedCell(
        table, one.cell, one.number, "score", one.metric, one.system, "", value, higher_is_better=higher
    )  # fmt: skip
