"""Which cell of a table is which number of the data. What is not certain stays unlinked, with the reason."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from typing import Literal, cast

from reportkit.checker.labels import Labels, Meaning, names_a_split
from reportkit.checker.linked import Kind, LinkedCell, LinkedTable
from reportkit.checker.linked_averages import BESIDE, OVERALL, RANK, Average, Rank, beside, overall, ranked
from reportkit.checker.paper.document import Cell, Document, Table
from reportkit.checker.paper.printed_number import PrintedNumber
from reportkit.checker.user_data import Evidence, Tested

NO_SYSTEM = "its headings name no system"


@dataclass(frozen=True, slots=True)
class _Named:
    """What the headings of a cell say."""

    system: str
    baseline: str
    dataset: str
    metric: str
    quantity: str
    average: bool
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A number that could be linked, if nothing else in the table claims to be the same."""

    cell: Cell
    number: PrintedNumber
    kind: Kind
    named: _Named


def linked_tables(document: Document, evidence: Evidence, given: Mapping[str, str]) -> tuple[LinkedTable, ...]:
    """Link every table of a paper.

    Parameters
    ----------
    document : Document
        The paper.
    evidence : Evidence
        The data.
    given : mapping of str to str
        The user's own names, as in `[check.labels]`.
    """
    if not evidence.scores:
        reason = "the results cannot be read"
        return tuple(
            LinkedTable(table, (), tuple((cell, number, reason) for cell in table.body() for number in cell.numbers))
            for table in document.tables
        )
    labels = Labels(evidence.system_names, evidence.dataset_names, evidence.metrics, given)
    return tuple(_Linker(table, evidence, labels).linked() for table in document.tables)


class _Linker:
    """Links one table."""

    def __init__(self, table: Table, evidence: Evidence, labels: Labels) -> None:
        self.table = table
        self.evidence = evidence
        self.labels = labels
        self.unlinked: list[tuple[Cell, PrintedNumber, str]] = []
        self._meanings: dict[str, Meaning] = {}

    def linked(self) -> LinkedTable:
        """Link what is certain."""
        candidates: list[_Candidate] = []
        averages: list[Average] = []
        ranks: list[Rank] = []
        for cell in self.table.body():
            if cell.numbers:
                named = self._named(cell)
                for number in cell.numbers:
                    found = self._candidate(cell, number, named)
                    if isinstance(found, str):
                        self.unlinked.append((cell, number, found))
                    elif isinstance(found, Average):
                        averages.append(found)
                    elif isinstance(found, Rank):
                        ranks.append(found)
                    else:
                        candidates.append(found)
        valued = [item for one in self._unique(candidates) if (item := self._valued(one)) is not None]
        cells = self._scaled(_unsigned(valued))
        cells = [self._as_printed(item, cells) for item in cells]
        cells += self._averages(averages, cells)
        cells += self._ranks(ranks)
        kept = {id(item.number) for item in cells} | {id(number) for _, number, _ in self.unlinked}
        for one in candidates:
            if id(one.number) not in kept:
                self.unlinked.append((one.cell, one.number, "it stands twice in the table"))
        return LinkedTable(self.table, tuple(cells), tuple(self.unlinked), self._orientation(cells))

    # what headings say

    def _meaning(self, label: str) -> Meaning:
        if label not in self._meanings:
            self._meanings[label] = self.labels.meaning(label)
        return self._meanings[label]

    def _headings(self, cell: Cell) -> tuple[str, ...]:
        return (*self.table.row_header(cell.row), *self.table.column_header(cell.column))

    def _named(self, cell: Cell) -> _Named | str:
        headings = self._headings(cell)
        if names_a_split(headings) and not any(self._meaning(label).sort == "dataset" and names_a_split([label])
                                               for label in headings):  # fmt: skip
            return "its heading names another split than the test set"
        by_sort: dict[str, list[Meaning]] = {}
        for label in headings:
            meaning = self._meaning(label)
            by_sort.setdefault(meaning.sort, []).append(meaning)
        for sort in ("system", "dataset", "metric", "quantity", "pair"):
            if len(set(by_sort.get(sort, ()))) > 1:
                return f"its headings name two {sort}s" if sort != "quantity" else "its headings name two quantities"
        unknown = tuple(
            label for label in headings if self._meaning(label).sort == "unknown" and not self._divides(label)
        )
        system = next((item.name for item in by_sort.get("system", ())), "")
        baseline = ""
        if pair := by_sort.get("pair"):
            system, baseline = pair[0].name, pair[0].other
        return _Named(
            system=system,
            baseline=baseline,
            dataset=next((item.name for item in by_sort.get("dataset", ())), ""),
            metric=next((item.name for item in by_sort.get("metric", ())), ""),
            quantity=next((item.name for item in by_sort.get("quantity", ())), ""),
            average="average" in by_sort,
            unknown=unknown,
        )

    def _divides(self, label: str) -> bool:
        """Whether an unknown heading is one of several that divide the datasets, or the systems, into groups."""
        groups = self._groups
        mine = groups.get(label, frozenset())
        others = [members for other, members in groups.items() if other != label]
        return bool(mine) and bool(others) and not any(mine & members for members in others)

    @property
    def _groups(self) -> dict[str, frozenset[str]]:
        """Unknown headings that stand over several known ones, with those."""
        found: dict[str, set[str]] = {}
        for column in range(self.table.n_header_columns, self.table.n_columns):
            _collect(found, self.table.column_header(column), self._meaning)
        for row in range(self.table.n_header_rows, self.table.n_rows):
            if row not in self.table.group_rows:
                _collect(found, self.table.row_header(row), self._meaning)
        return {label: frozenset(members) for label, members in found.items()}

    # what a number is

    def _candidate(self, cell: Cell, number: PrintedNumber, named: _Named | str) -> _Candidate | Average | Rank | str:
        if isinstance(named, str):
            return named
        if number.role == "spread":
            return "a number behind ± says nothing that the data hold under that name"
        if number.role == "remark":
            return "it stands in parentheses"
        if named.unknown:
            return f"the heading {named.unknown[0]!r} names nothing in the data"
        metric = named.metric or self._only("metric")
        if not metric:
            return "its headings and caption do not say which metric"
        named = replace(named, metric=metric)
        if named.quantity == "rank":
            return Rank(cell, number, metric, named.system, named.dataset) if named.system else NO_SYSTEM
        if named.average and not named.dataset and (average := self._average(cell, number, named)):
            return average
        dataset = named.dataset or self._only("dataset")
        if not dataset and named.system and not named.baseline and not named.quantity and not self._names_datasets:
            return Average(cell, number, metric, named.system, overall=True)
        if not dataset:
            return "its headings and caption do not say which dataset"
        return self._of_quantity(cell, number, replace(named, dataset=dataset))

    def _average(self, cell: Cell, number: PrintedNumber, named: _Named) -> Average | None:
        """An average of scores, or of differences, of systems that are named or the only ones that are compared."""
        if not named.quantity and named.system and not named.baseline:
            return Average(cell, number, named.metric, named.system)
        if named.quantity not in ("", "difference"):
            return None
        only = self._only_pair("difference")
        system = named.system or only[0]
        baseline = named.baseline or (self._other(system) if named.system else only[1])
        return Average(cell, number, named.metric, system, baseline) if system and baseline else None

    def _of_quantity(self, cell: Cell, number: PrintedNumber, named: _Named) -> _Candidate | str:
        quantity = named.quantity
        caption = self.table.caption.text
        if not quantity and named.baseline and re.search(r"\bp-values?\b", caption):
            quantity = "p-value"  # pairs of systems above p-values that only the caption names
        if quantity == "n":
            return _Candidate(cell, number, "n", replace(named, system=""))
        if not named.system and quantity:
            system, baseline = self._only_pair(quantity)
            named = replace(named, system=system, baseline=baseline)
        if not named.system:
            return NO_SYSTEM
        if quantity in ("", "score") and not named.baseline:
            if number.role in ("low", "high"):
                return "it is a bound of an interval for one score"
            return _Candidate(cell, number, "score", named)
        baseline = named.baseline or self._other(named.system, named.dataset)
        if not baseline:
            return "its headings do not say against which system"
        named = replace(named, baseline=baseline)
        if number.role in ("low", "high"):
            return _Candidate(cell, number, "interval-low" if number.role == "low" else "interval-high", named)
        if quantity in ("difference", ""):
            return _Candidate(cell, number, "difference", named)
        if quantity == "p-value" and re.search(r"\b(?:adjusted|corrected)\b", self.table.caption.text, re.IGNORECASE):
            return _Candidate(cell, number, "adjusted-p-value", named)
        if quantity == "p-value":
            return _Candidate(cell, number, "p-value", named)
        if quantity == "adjusted-p-value":
            return _Candidate(cell, number, "adjusted-p-value", named)
        return "no rule computes what its heading names"

    def _only(self, sort: Literal["dataset", "metric"]) -> str:
        """The one dataset or metric of the data, or the one that the caption names."""
        names = self.evidence.dataset_names if sort == "dataset" else self.evidence.metrics
        if len(names) == 1:
            return names[0]
        mentioned = self.labels.mentioned(self.table.caption.text, sort)
        return mentioned[0] if len(mentioned) == 1 else ""

    def _only_pair(self, quantity: str) -> tuple[str, str]:
        """The two systems that are compared where a heading names none; empty if that is not certain."""
        if len(self.evidence.systems) == len(self.evidence.baselines) == 1:
            return self.evidence.systems[0], self.evidence.baselines[0]
        return self._two if quantity == "difference" else ("", "")

    @cached_property
    def _two(self) -> tuple[str, str]:
        """The two systems of a table that names no other, if its differences are theirs: most agree, also in sign."""
        rows, columns = (
            {self._meaning(label) for index in indices for label in headings(index)}
            for indices, headings in (
                (range(self.table.n_header_rows, self.table.n_rows), self.table.row_header),
                (range(self.table.n_header_columns, self.table.n_columns), self.table.column_header),
            )
        )
        side = next((side for side in (rows, columns) if any(meaning.sort == "system" for meaning in side)), set())
        names = sorted({meaning.name for meaning in side if meaning.sort == "system"})
        if len(names) != 2 or any(meaning.sort in ("unknown", "pair") for meaning in side):
            return "", ""
        signs: list[float] = []
        agreeing = 0
        for cell in self.table.body():
            named = self._named(cell)
            if isinstance(named, str) or named.system or named.quantity != "difference" or cell.number is None:
                continue
            metric = named.metric or self._only("metric")
            scores = [self.evidence.scores.get((metric, name, named.dataset)) for name in names]
            if scores[0] is None or scores[1] is None:
                continue
            gap, number = scores[0][0] - scores[1][0], cell.number
            signs.append(math.copysign(1.0, gap * number.value))
            agreeing += any(abs(abs(number.value) - scale * abs(gap)) <= 1.5 * number.unit for scale in (1, 100, 0.01))
        if not sum(signs) or 2 * agreeing < len(signs):
            return "", ""
        return (names[0], names[1]) if sum(signs) > 0 else (names[1], names[0])

    def _other(self, system: str, dataset: str = "") -> str:
        """The system that differences are against, if there is only one, on a dataset or at all."""
        against = [name for name in self.evidence.baselines if name != system]
        if len(against) == 1:
            return against[0]
        scored = {name for _, name, where in self.evidence.scores if not dataset or where == dataset} - {system}
        return scored.pop() if len(scored) == 1 else ""

    def _unique(self, candidates: Iterable[_Candidate]) -> list[_Candidate]:
        """Leave out what two cells claim to be."""
        by_key: dict[tuple[str, ...], list[_Candidate]] = {}
        for one in candidates:
            key = (one.kind, one.named.metric, one.named.system, one.named.baseline, one.named.dataset)
            by_key.setdefault(key, []).append(one)
        return [found[0] for found in by_key.values() if len(found) == 1]

    # what follows from the data

    def _valued(self, one: _Candidate) -> LinkedCell | None:
        named = one.named
        score = self.evidence.scores.get((named.metric, named.system, named.dataset))
        if one.kind == "n":
            return self._with_n(one)
        if score is None:
            self.unlinked.append((one.cell, one.number, f"the data have no score of {named.system!r} there"))
            return None
        value, n, higher = score
        linked = LinkedCell(
            table=self.table,
            cell=one.cell,
            number=one.number,
            kind=one.kind,
            metric=named.metric,
            system=named.system,
            dataset=named.dataset,
            value=value,
            baseline=named.baseline if one.kind != "score" else "",
            higher_is_better=higher,
            n=n,
        )
        return linked if one.kind == "score" else self._compared(one, linked)

    def _with_n(self, one: _Candidate) -> LinkedCell | None:
        named = one.named
        sizes = {
            n for (metric, _, dataset), (_, n, _) in self.evidence.scores.items()
            if (metric, dataset) == (named.metric, named.dataset)
        }  # fmt: skip
        if len(sizes) != 1 or (size := sizes.pop()) is None:
            self.unlinked.append((one.cell, one.number, "systems were scored on different numbers of instances"))
            return None
        return LinkedCell(
            self.table, one.cell, one.number, "n", named.metric, "", named.dataset, float(size), n=size
        )  # fmt: skip

    def _compared(self, one: _Candidate, linked: LinkedCell) -> LinkedCell | None:
        """A difference, p-value or bound, as `reportkit.compare` computes it."""
        if one.kind == "difference":
            other = self.evidence.scores.get((linked.metric, linked.baseline, linked.dataset))
            if other is None or not linked.higher_is_better:
                reason = (
                    "its sign is not certain, because lower is better" if other else "the other system has no score"
                )
                self.unlinked.append((one.cell, one.number, reason))
                return None
            return replace(linked, value=linked.value - other[0])
        systems = (linked.system, linked.baseline)
        value = self.evidence.tested(cast(Tested, one.kind), linked.metric, systems, linked.dataset)
        if value is None:
            self.unlinked.append((one.cell, one.number, "the analysis does not compare these systems"))
            return None
        return replace(linked, value=value)

    @staticmethod
    def _as_printed(item: LinkedCell, cells: list[LinkedCell]) -> LinkedCell:
        """A difference, with that of the two scores as they are printed in the same table."""
        if item.kind != "difference":
            return item
        printed = {
            other.system: other.number.value for other in cells
            if other.kind == "score" and (other.dataset, other.metric) == (item.dataset, item.metric) and other.agrees
        }  # fmt: skip
        if not {item.system, item.baseline} <= printed.keys():
            return item
        return replace(item, as_printed=printed[item.system] - printed[item.baseline])

    def _scaled(self, cells: list[LinkedCell]) -> list[LinkedCell]:
        """Decide for each metric whether the table prints proportions, percent, or what the data hold."""
        scales = {metric: self._scale([item for item in cells if item.metric == metric]) for metric in
                  {item.metric for item in cells}}  # fmt: skip
        kept = []
        for item in cells:
            if item.kind in ("n", "p-value", "adjusted-p-value"):
                kept.append(item)
            elif (scale := scales[item.metric]) is None:
                self.unlinked.append((item.cell, item.number, "its scale is not that of the data"))
            else:
                kept.append(replace(item, scale=scale))
        return kept

    @staticmethod
    def _scale(cells: list[LinkedCell]) -> float | None:
        scores = [item for item in cells if item.kind == "score"] or [
            item for item in cells if item.kind in ("difference", "interval-low", "interval-high")
        ]
        ratios = [item.number.value / item.value for item in scores if item.value and item.number.value]
        if not ratios:
            return 1.0
        ratio = median(map(abs, ratios))
        power = round(math.log10(ratio) / 2) * 2
        if power not in (-2, 0, 2) or abs(math.log10(ratio) - power) > 0.5:
            return None
        return float(10.0**power)

    def _averages(self, ones: list[Average], cells: list[LinkedCell]) -> list[LinkedCell]:
        """Averages of what is linked in this table, and over all datasets; the others are unlinked, with the reason."""
        found = [beside(self.table, one, cells) for one in ones if not one.overall]
        linked = [item for item in found if item is not None]
        linked += overall(self.table, (one for one in ones if one.overall), self.evidence, self._scale)
        kept = {id(item.number) for item in linked}
        for one in ones:
            if id(one.number) not in kept:
                self.unlinked.append((one.cell, one.number, OVERALL if one.overall else BESIDE))
        return linked

    def _ranks(self, ones: list[Rank]) -> list[LinkedCell]:
        linked = ranked(self.table, ones, self.evidence)
        kept = {id(item.number) for item in linked}
        self.unlinked += [(one.cell, one.number, RANK) for one in ones if id(one.number) not in kept]
        return linked

    @cached_property
    def _names_datasets(self) -> bool:
        """Whether headings or the caption name a dataset of the data."""
        headings = [cell.text.text for cell in self.table.cells() if cell.header]
        return bool(self.labels.mentioned(self.table.caption.text, "dataset")) or any(
            self._meaning(text).sort == "dataset" for text in headings
        )

    @staticmethod
    def _orientation(cells: list[LinkedCell]) -> bool | None:
        by_row: dict[int, set[str]] = {}
        for item in cells:
            if item.system:
                by_row.setdefault(item.cell.row, set()).add(item.system)
        return all(len(systems) == 1 for systems in by_row.values()) if by_row else None


def _unsigned(cells: list[LinkedCell]) -> list[LinkedCell]:
    """Losses that the data hold with a minus sign, as scores of which more is better, and the table without."""
    of: dict[tuple[str, str], list[LinkedCell]] = {}
    for item in cells:
        if item.kind == "score":
            of.setdefault((item.metric, item.dataset), []).append(item)
    negated = {key for key, found in of.items() if all(item.value < 0 < item.number.value for item in found)}
    return [
        replace(item, value=-item.value, higher_is_better=not item.higher_is_better)
        if item.kind == "score" and (item.metric, item.dataset) in negated and len(of[item.metric, item.dataset]) > 1
        else item
        for item in cells
    ]


def _collect(found: dict[str, set[str]], headings: Iterable[str], meaning: Callable[[str], Meaning]) -> None:
    """Note which known heading each unknown one stands with."""
    listed = list(headings)
    known = [label for label in listed if meaning(label).sort in ("dataset", "system")]
    for label in listed:
        if meaning(label).sort == "unknown" and len(known) == 1:
            found.setdefault(label, set()).add(known[0])
