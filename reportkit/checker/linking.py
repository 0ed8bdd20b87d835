"""Link the cells of a table to numbers of the data. Uncertain cells stay unlinked, with the reason."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Literal, NamedTuple

from reportkit.checker.labels import SPLITS, Labels, Meaning, normalised
from reportkit.checker.paper.document import Cell, Document, Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.vocabulary import metrics_in

if TYPE_CHECKING:
    from reportkit.checker.data import Numbers

FEWEST = 3
"""Fewest scores of a table to judge by; half of them have to fit for it to be about the data."""


@dataclass(frozen=True, slots=True)
class LinkedCell:
    """A printed number, and the number in the data that it stands for.

    Parameters
    ----------
    cell, number : Cell, PrintedNumber
        As printed.
    kind : str
        "score", "spread" (over runs), "average" (of the scores next to it) or "n".
    metric, system, dataset : str
        Names in the data; the dataset of an average is empty.
    values : tuple of float
        The values computed from the data, in the unit of the table; several where the paper could mean any of them.
    """

    cell: Cell
    number: PrintedNumber
    kind: Literal["score", "spread", "average", "n"]
    metric: str
    system: str
    dataset: str
    values: tuple[float, ...]

    @property
    def agrees(self) -> bool:
        """Whether the printed number can stand for one of the values."""
        return any(map(self.number.stands_for, self.values))

    @property
    def expected(self) -> str:
        """The value as the paper would print it."""
        return f"{self.values[0] + 0.0:.{self.number.decimals}f}"

    @property
    def where(self) -> str:
        """System and dataset, in words."""
        who = f"{self.system!r} " if self.system else ""
        return f"{who}{f'on {self.dataset!r}' if self.dataset else 'on average'}"


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A table whose cells are linked to the data.

    Parameters
    ----------
    table : Table
        As read.
    cells : tuple of LinkedCell
        Those that are certain.
    unlinked : tuple of (PrintedNumber, str)
        The others, with the reason.
    elsewhere : bool
        Whether most scores do not fit: the table is about something else.
    """

    table: Table
    cells: tuple[LinkedCell, ...]
    unlinked: tuple[tuple[PrintedNumber, str], ...]
    elsewhere: bool = False

    def scores(self) -> tuple[LinkedCell, ...]:
        """Return the cells that print the score of a system on a dataset."""
        return tuple(item for item in self.cells if item.kind == "score")


class _Named(NamedTuple):
    """The meaning of the headings of a cell; empty where they have none."""

    system: str
    dataset: str
    metric: str
    quantity: str
    average: bool


def linked_tables(document: Document, numbers: Numbers, given: Mapping[str, str]) -> tuple[LinkedTable, ...]:
    """Link every table of a paper.

    Parameters
    ----------
    document : Document
        The paper.
    numbers : Numbers
        What it is compared with.
    given : mapping of str to str
        The user's own names, as in `[check.labels]`.
    """
    labels = Labels(numbers.system_names, numbers.dataset_names, numbers.metrics, given)
    return tuple(_Linker(table, numbers, labels).linked() for table in document.tables)


class _Linker:
    """Links one table."""

    def __init__(self, table: Table, numbers: Numbers, labels: Labels) -> None:
        self.table = table
        self.numbers = numbers
        self.labels = labels
        texts = {text for line in table.lines for text in line.headings}
        self.meanings = {text: self._meant(text) for text in texts}

    def linked(self) -> LinkedTable:
        """Link what is certain."""
        found: dict[tuple[str, ...], list[LinkedCell]] = {}
        unlinked: list[tuple[PrintedNumber, str]] = []
        averages: list[LinkedCell] = []
        for cell in self.table.body():
            named = self._named(cell) if cell.numbers else ""
            for number in cell.numbers:
                item = named if isinstance(named, str) else self._link(cell, number, named)
                if isinstance(item, str):
                    unlinked.append((number, item))
                elif item.kind == "average":
                    averages.append(item)
                else:
                    found.setdefault((item.kind, item.metric, item.system, item.dataset), []).append(item)
        for doubled in (items for items in found.values() if len(items) > 1):
            unlinked += [(item.number, "it stands twice in the table") for item in doubled]
        cells = self._scaled([items[0] for items in found.values() if len(items) == 1], unlinked)
        cells += self._averages(averages, cells, unlinked)
        scores = [item for item in cells if item.kind == "score"]
        elsewhere = len(scores) >= FEWEST and 2 * sum(item.agrees for item in scores) < len(scores)
        return LinkedTable(self.table, tuple(cells), tuple(unlinked), elsewhere)

    def _meant(self, label: str) -> Meaning:
        found = self.labels.meaning(label)
        nameless = found.sort == "metric" and normalised(found.name) != normalised(label)
        if nameless and label not in self.labels.given and metrics_in([label]) and self._n_metrics > 1:
            return Meaning("unknown")  # it could be any of several metrics
        return found

    @cached_property
    def _n_metrics(self) -> int:
        """Metrics that head a row or a column of the table."""
        sides = (self.table.rows, self.table.columns)
        return max(len({name for line in lines for name in metrics_in(line.headings[-1:])}) for lines in sides)

    def _named(self, cell: Cell) -> _Named | str:
        headings = (*self.table.row_header(cell.row), *self.table.column_header(cell.column))
        meanings = {label: self.meanings.get(label) or self._meant(label) for label in headings}
        if any(SPLITS.search(label) and meaning.sort != "dataset" for label, meaning in meanings.items()):
            return "its heading names another split than the test set"
        names: dict[str, set[str]] = {}
        for label, meaning in meanings.items():
            if meaning.sort == "unknown" and not self._divides(label):
                return f"the heading {label!r} names nothing in the data"
            names.setdefault(meaning.sort, set()).add(meaning.name)
        of = {}
        for sort in ("system", "dataset", "metric", "quantity"):
            if len(names.get(sort, ())) > 1:
                return f"its headings name two {sort}s" if sort != "quantity" else "its headings name two quantities"
            of[sort] = next(iter(names.get(sort, ("",))))
        metric = of["metric"] or self._only("metric")
        return _Named(of["system"], of["dataset"], metric, of["quantity"], "average" in names)

    def _divides(self, label: str) -> bool:
        """Return whether an unknown heading is one of several that divide the datasets, or the systems, into groups."""
        mine = self._groups.get(label, frozenset())
        others = [members for other, members in self._groups.items() if other != label]
        return bool(mine) and bool(others) and not any(mine & members for members in others)

    @cached_property
    def _groups(self) -> dict[str, frozenset[str]]:
        """Unknown headings over known ones, each with the known ones below it."""
        found: dict[str, set[str]] = {}
        for line in self.table.lines:
            known = [label for label in line.headings if self.meanings[label].sort in ("dataset", "system")]
            for label in line.headings if len(known) == 1 else ():
                if self.meanings[label].sort == "unknown":
                    found.setdefault(label, set()).add(known[0])
        return {label: frozenset(members) for label, members in found.items()}

    def _only(self, sort: Literal["dataset", "metric"]) -> str:
        """Return the one dataset or metric of the data, or the one that the caption names."""
        names = self.numbers.dataset_names if sort == "dataset" else self.numbers.metrics
        mentioned = names if len(names) == 1 else self.labels.mentioned(self.table.caption.text, sort)
        return mentioned[0] if len(mentioned) == 1 else ""

    def _link(self, cell: Cell, number: PrintedNumber, named: _Named) -> LinkedCell | str:
        if number.role == "remark":
            return "it stands in parentheses"
        if not named.metric:
            return "its headings and caption do not say which metric"
        dataset = named.dataset or ("" if named.average else self._only("dataset"))
        system, metric = named.system, named.metric
        if named.quantity == "n":
            sizes = {score.n for (_, _, name), score in self.numbers.scores.items() if name == dataset}
            n = next(iter(sizes)) if len(sizes) == 1 else None
            if n is None:
                return "the data have no one size there"
            return LinkedCell(cell, number, "n", metric, "", dataset, (float(n),))
        if named.quantity not in ("", "score") or number.role in ("low", "high"):
            return "no rule computes what its heading names"
        if not system:
            return "its headings name no system"
        if named.average and not dataset and number.role == "value":
            return LinkedCell(cell, number, "average", metric, system, "", ())
        if not dataset:
            return "its headings and caption do not say which dataset"
        score = self.numbers.scores.get((metric, system, dataset))
        if score is None:
            return f"the data have no score of {system!r} there"
        if number.role == "spread" and not score.spreads:
            return "the data have no runs to compute the spread of"
        spread = number.role == "spread"
        values = score.spreads if spread else (score.value,)
        kind: Literal["spread", "score"] = "spread" if spread else "score"
        return LinkedCell(cell, number, kind, metric, system, dataset, values)

    @staticmethod
    def _scaled(cells: list[LinkedCell], unlinked: list[tuple[PrintedNumber, str]]) -> list[LinkedCell]:
        """Bring the values of each metric into the unit of the table: proportions, percent, losses without a sign."""
        kept = [item for item in cells if item.kind == "n"]
        for metric in {item.metric for item in cells}:
            mine = [item for item in cells if item.metric == metric and item.kind != "n"]
            scores = [item for item in mine if item.kind == "score"]
            ratios = [item.number.value / item.values[0] for item in scores if item.values[0] and item.number.value]
            ratio = median(map(abs, ratios)) if ratios else 1.0
            power = round(math.log10(ratio) / 2) * 2
            if power not in (-2, 0, 2) or abs(math.log10(ratio) - power) > 0.5:
                unlinked += [(item.number, "its scale is not that of the data") for item in mine]
                continue
            negated = len(scores) > 1 and all(item.values[0] < 0 < item.number.value for item in scores)
            for item in mine:
                scale = 10.0**power * (-1 if negated and item.kind == "score" else 1)
                values = tuple(scale * value for value in item.values)
                kept.append(replace(item, values=values))
        return kept

    def _averages(
        self, ones: list[LinkedCell], cells: list[LinkedCell], unlinked: list[tuple[PrintedNumber, str]]
    ) -> list[LinkedCell]:
        """Return the averages of the scores in the same line, if all of them are linked."""
        found = []
        for one in ones:
            mine = [
                item for item in cells if (item.kind, item.system, item.metric) == ("score", one.system, one.metric)
            ]
            in_row = all(item.cell.row == one.cell.row for item in mine)
            beside = [
                cell
                for cell in self.table.body()
                if cell.number is not None and cell is not one.cell
                and (cell.row == one.cell.row if in_row else cell.column == one.cell.column)
            ]  # fmt: skip
            if len(mine) > 1 and len(beside) == len(mine):
                means = [sum(item.values[0] for item in mine) / len(mine)]
                if all(item.agrees for item in mine):
                    means.append(sum(item.number.value for item in mine) / len(mine))
                found.append(replace(one, values=tuple(means)))
            else:
                unlinked.append((one.number, "it is an average, and not all cells behind it are linked"))
        return found
