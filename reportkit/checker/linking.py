"""Which cell of a table is which number of the data. What is not certain stays unlinked, with the reason."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING, Literal, NamedTuple

from reportkit.checker.labels import SPLITS, Labels, Meaning, normalised
from reportkit.checker.paper.document import Cell, Document, Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.vocabulary import metrics_in

if TYPE_CHECKING:
    from reportkit.checker.data import Numbers, Score

OF_TEST = frozenset({"p-value", "adjusted-p-value", "interval-low", "interval-high"})
"""What depends on the test and the interval that are chosen."""
MOST_FACTOR, MOST_SHARE = 2.0, 0.2
"""By how much p-values, and bounds (in widths of the interval), of other valid methods may differ."""
FEWEST = 3
"""Scores of a table, of which half have to fit for it to be about the data."""


@dataclass(frozen=True, slots=True)
class LinkedCell:
    """A printed number, and the number of the data that it is.

    Parameters
    ----------
    cell, number : Cell, PrintedNumber
        As printed.
    kind : str
        "score", "spread" (over runs), "difference", "average" (of the scores beside it), "n", "p-value" (one-sided for
        `system` better), "adjusted-p-value", "interval-low" or "interval-high" (of the difference).
    metric, system, dataset, baseline : str
        Names in the data; the dataset of an average is empty, `baseline` is the other system of differences and tests.
    values : tuple of float
        What follows from the data, in the unit of the table; several where a paper may mean one of them.
    higher_is_better : bool
        Direction of the metric.
    """

    cell: Cell
    number: PrintedNumber
    kind: str
    metric: str
    system: str
    dataset: str
    values: tuple[float, ...]
    baseline: str = ""
    higher_is_better: bool = True

    @property
    def agrees(self) -> bool:
        """Whether one of the values may have been printed so; with room for another test where it is of a test."""
        number = self.number
        if any(number.stands_for(value) for value in self.values):
            return True
        if self.kind in ("p-value", "adjusted-p-value"):
            two_sided = [min(1.0, 2 * min(value, 1 - value)) for value in self.values]
            return (number.relation != "=" and any(map(number.stands_for, two_sided))) or any(
                number.low <= MOST_FACTOR * value and value <= MOST_FACTOR * number.high
                for value in (*self.values, *two_sided)
            )
        if self.kind in ("interval-low", "interval-high"):
            value, width = self.values
            return abs(number.value - value) <= MOST_SHARE * width + number.unit
        return False

    @property
    def expected(self) -> str:
        """The value as the paper would print it."""
        return f"{self.values[0] + 0.0:.{self.number.decimals}f}"

    @property
    def where(self) -> str:
        """Who, on what."""
        who = f"{self.system!r} against {self.baseline!r}" if self.baseline else f"{self.system!r}" * bool(self.system)
        return f"{who} {f'on {self.dataset!r}' if self.dataset else 'on average'}".strip()


@dataclass(frozen=True, slots=True)
class LinkedTable:
    """A table with what its cells are.

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
        """Cells that print the score of a system on a dataset."""
        return tuple(item for item in self.cells if item.kind == "score")

    @property
    def systems_in_rows(self) -> bool | None:
        """Whether systems are named left of the rows, or above the columns; None if nothing is linked."""
        by_row: dict[int, set[str]] = {}
        for item in self.cells:
            if item.system:
                by_row.setdefault(item.cell.row, set()).add(item.system)
        return all(len(systems) == 1 for systems in by_row.values()) if by_row else None


class _Named(NamedTuple):
    """What the headings of a cell say; empty where they say nothing."""

    system: str = ""
    baseline: str = ""
    dataset: str = ""
    metric: str = ""
    quantity: str = ""
    average: bool = False


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
        self._meanings: dict[str, Meaning] = {}

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
                    key = (item.kind, item.metric, item.system, item.baseline, item.dataset)
                    found.setdefault(key, []).append(item)
        for doubled in (items for items in found.values() if len(items) > 1):
            unlinked += [(item.number, "it stands twice in the table") for item in doubled]
        cells = self._scaled([items[0] for items in found.values() if len(items) == 1], unlinked)
        cells += self._averages(averages, cells, unlinked)
        scores = [item for item in cells if item.kind == "score"]
        elsewhere = len(scores) >= FEWEST and 2 * sum(item.agrees for item in scores) < len(scores)
        return LinkedTable(self.table, tuple(cells), tuple(unlinked), elsewhere)

    def _meaning(self, label: str) -> Meaning:
        if label not in self._meanings:
            self._meanings[label] = self._meant(label)
        return self._meanings[label]

    def _meant(self, label: str) -> Meaning:
        found = self.labels.meaning(label)
        nameless = (
            found.sort == "metric" and normalised(found.name) != normalised(label) and label not in self.labels.given
        )
        if nameless and metrics_in([label]) and self._n_metrics > 1:
            return Meaning("unknown")  # one of several metrics, for a score whose metric nobody named
        return found

    @cached_property
    def _n_metrics(self) -> int:
        """Metrics that head a row or a column of the table."""
        lines = self.table.lines()
        return max(
            len({name for line in lines if line.is_row is side for name in metrics_in(line.headings[-1:])})
            for side in (False, True)
        )

    def _named(self, cell: Cell) -> _Named | str:
        headings = (*self.table.row_header(cell.row), *self.table.column_header(cell.column))
        meanings = {label: self._meaning(label) for label in headings}
        if any(SPLITS.search(label) and meaning.sort != "dataset" for label, meaning in meanings.items()):
            return "its heading names another split than the test set"
        by_sort: dict[str, set[Meaning]] = {}
        for meaning in meanings.values():
            by_sort.setdefault(meaning.sort, set()).add(meaning)
        for sort in ("system", "dataset", "metric", "quantity", "pair"):
            if len(by_sort.get(sort, ())) > 1:
                return f"its headings name two {sort}s" if sort != "quantity" else "its headings name two quantities"
        unknown = [
            label for label, meaning in meanings.items() if meaning.sort == "unknown" and not self._divides(label)
        ]
        if unknown:
            return f"the heading {unknown[0]!r} names nothing in the data"
        of = {sort: next(iter(found)) for sort, found in by_sort.items()}
        pair, nothing = of.get("pair"), Meaning("nothing")
        return _Named(
            system=pair.name if pair else of.get("system", nothing).name,
            baseline=pair.other if pair else "",
            dataset=of.get("dataset", nothing).name,
            metric=of.get("metric", nothing).name or self._only("metric"),
            quantity=of.get("quantity", nothing).name,
            average="average" in of,
        )

    def _divides(self, label: str) -> bool:
        """Whether an unknown heading is one of several that divide the datasets, or the systems, into groups."""
        mine = self._groups.get(label, frozenset())
        others = [members for other, members in self._groups.items() if other != label]
        return bool(mine) and bool(others) and not any(mine & members for members in others)

    @cached_property
    def _groups(self) -> dict[str, frozenset[str]]:
        """Unknown headings that stand over known ones, with those."""
        found: dict[str, set[str]] = {}
        for line in self.table.lines():
            known = [label for label in line.headings if self._meaning(label).sort in ("dataset", "system")]
            for label in line.headings if len(known) == 1 else ():
                if self._meaning(label).sort == "unknown":
                    found.setdefault(label, set()).add(known[0])
        return {label: frozenset(members) for label, members in found.items()}

    def _only(self, sort: Literal["dataset", "metric"]) -> str:
        """The one dataset or metric of the data, or the one that the caption names."""
        names = self.numbers.dataset_names if sort == "dataset" else self.numbers.metrics
        mentioned = names if len(names) == 1 else self.labels.mentioned(self.table.caption.text, sort)
        return mentioned[0] if len(mentioned) == 1 else ""

    def _link(self, cell: Cell, number: PrintedNumber, named: _Named) -> LinkedCell | str:
        if number.role == "remark":
            return "it stands in parentheses"
        if not named.metric:
            return "its headings and caption do not say which metric"
        dataset = named.dataset or ("" if named.average else self._only("dataset"))
        system, baseline = named.system, named.baseline
        quantity = named.quantity
        if not quantity and baseline:
            quantity = "p-value" if re.search(r"\bp-values?\b", self.table.caption.text) else "difference"
        if number.role in ("low", "high"):
            quantity = f"interval-{number.role}"
        if quantity == "p-value" and re.search(r"\b(?:adjusted|corrected)\b", self.table.caption.text, re.IGNORECASE):
            quantity = "adjusted-p-value"
        if quantity == "n":
            sizes = {score.n for (_, _, name), score in self.numbers.scores.items() if name == dataset}
            n = next(iter(sizes)) if len(sizes) == 1 else None
            return (
                "the data have no one size there"
                if n is None
                else self._cell(cell, number, "n", named, "", dataset, (float(n),))
            )
        compared = quantity in ("difference", *OF_TEST)
        if not system and compared and len(self.numbers.systems) == len(self.numbers.baselines) == 1:
            system = self.numbers.systems[0]
        if not system:
            return "its headings name no system"
        if (
            not dataset
            and (named.average or not self._names_datasets)
            and quantity in ("", "score")
            and number.role == "value"
        ):
            return self._cell(cell, number, "average", named, system, "", ())
        if not dataset:
            return "its headings and caption do not say which dataset"
        score = self.numbers.scores.get((named.metric, system, dataset))
        if score is None:
            return f"the data have no score of {system!r} there"
        if number.role == "spread":
            return (
                self._cell(cell, number, "spread", named, system, dataset, score.spreads, score)
                if score.spreads
                else ("the data have no runs to compute the spread of")
            )
        if quantity in ("", "score"):
            return self._cell(cell, number, "score", named, system, dataset, (score.value,), score)
        if not compared:
            return "no rule computes what its heading names"
        baseline = baseline or self._other(system, dataset)
        if not baseline:
            return "its headings do not say against which system"
        return self._comparison(cell, number, quantity, named, (system, baseline), dataset)

    def _comparison(
        self, cell: Cell, number: PrintedNumber, kind: str, named: _Named, pair: tuple[str, str], dataset: str
    ) -> LinkedCell | str:
        """Link a difference of two systems, or a number that a test gives."""
        one, other = (self.numbers.scores.get((named.metric, name, dataset)) for name in pair)
        tested = self.numbers.tests.get((named.metric, *pair, dataset))
        values: tuple[float, ...]
        if kind == "difference":
            if one is None or other is None:
                return f"the data have no score of {pair[1]!r} there"
            values = (one.value - other.value,)
        elif tested is None:
            return "the analysis does not compare these systems there"
        elif kind in ("p-value", "adjusted-p-value"):
            values = (tested.p_value if kind == "p-value" else tested.adjusted_p_value,)
        elif tested.low is None or tested.high is None:
            return "the analysis has no interval there"
        else:
            values = (tested.low if kind == "interval-low" else tested.high, tested.high - tested.low)
        return replace(self._cell(cell, number, kind, named, pair[0], dataset, values, one), baseline=pair[1])

    def _cell(
        self, cell: Cell, number: PrintedNumber, kind: str, named: _Named, system: str, dataset: str,
        values: tuple[float, ...], score: Score | None = None,
    ) -> LinkedCell:  # fmt: skip
        higher = score.higher_is_better if score else True
        return LinkedCell(cell, number, kind, named.metric, system, dataset, values, higher_is_better=higher)

    def _other(self, system: str, dataset: str) -> str:
        """The system that differences are against, if there is only one, on a dataset or at all."""
        against = [name for name in self.numbers.baselines if name != system]
        if len(against) == 1:
            return against[0]
        scored = {name for _, name, where in self.numbers.scores if where == dataset} - {system}
        return scored.pop() if len(scored) == 1 else ""

    @cached_property
    def _names_datasets(self) -> bool:
        """Whether headings or the caption name a dataset of the data."""
        headings = [cell.text.text for cell in self.table.cells() if cell.header]
        return bool(self.labels.mentioned(self.table.caption.text, "dataset")) or any(
            self._meaning(text).sort == "dataset" for text in headings
        )

    @staticmethod
    def _scaled(cells: list[LinkedCell], unlinked: list[tuple[PrintedNumber, str]]) -> list[LinkedCell]:
        """Bring the values of each metric into the unit of the table: proportions, percent, losses without a sign."""
        kept = [item for item in cells if item.kind in ("n", "p-value", "adjusted-p-value")]
        for metric in {item.metric for item in cells}:
            mine = [item for item in cells if item.metric == metric and item not in kept]
            scores = [item for item in mine if item.kind == "score"] or mine
            ratios = [item.number.value / item.values[0] for item in scores if item.values[0] and item.number.value]
            ratio = median(map(abs, ratios)) if ratios else 1.0
            power = round(math.log10(ratio) / 2) * 2
            if power not in (-2, 0, 2) or abs(math.log10(ratio) - power) > 0.5:
                unlinked += [(item.number, "its scale is not that of the data") for item in mine]
                continue
            negated = (
                len(scores) > 1
                and scores is not mine
                and all(item.values[0] < 0 < item.number.value for item in scores)
            )
            scale = -(10.0**power) if negated else 10.0**power
            kept += [
                replace(
                    item,
                    values=tuple((abs(scale) if item.kind == "spread" else scale) * value for value in item.values),
                    higher_is_better=item.higher_is_better != negated,
                )
                for item in mine
            ]
        return [_as_printed(item, kept) for item in kept]

    def _averages(
        self, ones: list[LinkedCell], cells: list[LinkedCell], unlinked: list[tuple[PrintedNumber, str]]
    ) -> list[LinkedCell]:
        """Averages of the scores in the same line, if all are linked; of tables without datasets, over all of them."""
        found = []
        for one in ones:
            mine = [
                item for item in cells if (item.kind, item.system, item.metric) == ("score", one.system, one.metric)
            ]
            in_line = [
                cell
                for cell in self.table.body()
                if cell.number is not None and cell is not one.cell
                and (cell.row == one.cell.row if self._same_row(one, mine) else cell.column == one.cell.column)
            ]  # fmt: skip
            if len(mine) > 1 and len(in_line) == len(mine):
                means = [sum(values) / len(mine) for values in zip(*(item.values[:1] for item in mine), strict=True)]
                if all(item.agrees for item in mine):
                    means.append(sum(item.number.value for item in mine) / len(mine))
                found.append(replace(one, values=tuple(means), higher_is_better=mine[0].higher_is_better))
            elif not mine and (overall := self.numbers.means(one.metric, one.system)):
                scale = min((1.0, 100.0, 0.01), key=lambda scale: abs(one.number.value - scale * overall[0]))
                found.append(replace(one, values=tuple(scale * value for value in overall)))
            else:
                unlinked.append((one.number, "it is an average, and not all cells behind it are linked"))
        means_fit = [item for item in found if not any(other.system == item.system for other in cells)]
        if (means_fit and 2 * sum(item.agrees for item in means_fit) < len(means_fit)) or len(means_fit) in (1, 2):
            unlinked += [
                (item.number, "no dataset is named, and it is no mean over the datasets")
                for item in means_fit
                if not item.agrees
            ]
            found = [item for item in found if item not in means_fit or item.agrees]
        return found

    @staticmethod
    def _same_row(one: LinkedCell, mine: Iterable[LinkedCell]) -> bool:
        return all(item.cell.row == one.cell.row for item in mine)


def _as_printed(item: LinkedCell, cells: list[LinkedCell]) -> LinkedCell:
    """A difference may be that of the rounded numbers of the same table."""
    if item.kind != "difference":
        return item
    printed = {
        other.system: other.number.value
        for other in cells
        if other.kind == "score" and (other.metric, other.dataset) == (item.metric, item.dataset)
    }
    if item.system in printed and item.baseline in printed:
        return replace(item, values=(*item.values, printed[item.system] - printed[item.baseline]))
    return item
