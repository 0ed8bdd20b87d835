"""What was found on one dataset, pair by pair, as columns; the assessment of a pair is made when it is asked for.

A family of all pairs needs p-values of all of them, and shows few. So a dataset keeps numbers in columns, and what a
reader sees of a pair, its interval and its sentences, is made on demand, by the same code and with the same numbers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.significance.interval import Interval
from reportkit.significance.outcome import OF_ONE_PAIR, Kind, Outcome, Tails, is_waiting, kind_of, knows_sides

_FOURFOLD = 8
"""Intervals are made 1, 4, 16, ... at a time, at most 4 to this power: who asks for more is likely to want all. So are
the assessments of pairs that are asked for one after the other."""

Item = TypeVar("Item", covariant=True)


class OnDemand(Sequence[Item]):
    """Items of which each is made when it is asked for."""

    __slots__ = ()

    @abstractmethod
    def _at(self, index: int) -> Item:
        """Return an item by its place, counted from 0."""

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        """Return an item, or those of a slice."""
        if isinstance(index, slice):
            return tuple(self._at(each) for each in range(*index.indices(len(self))))
        return self._at(range(len(self))[index])

    def __iter__(self) -> Iterator[Item]:
        """One after the other."""
        return map(self._at, range(len(self)))


KEYS: Mapping[str, Callable[[Outcome], Any]] = {
    "p_greater": lambda item: item.p_greater,
    "p_less": lambda item: item.p_less,
    "p_min": lambda item: 0.0 if item.method == "printed" else item.p_min,
    "difference": lambda item: item.difference,
    "score_difference": lambda item: item.score_difference,
    "n": lambda item: item.n,
    "n_missing": lambda item: item.n_dropped + item.n_imputed,
    "relative_error": lambda item: item.relative_error,
    "standard_error": lambda item: item.standard_error,
}
"""Columns that a family reads of all pairs, whether their outcomes are there or not."""

Columns = Mapping[str, Sequence[Any]]


def columns_of(items: Sequence[Outcome]) -> dict[str, list[Any]]:
    """Those of outcomes that are there."""
    return {name: list(map(read, items)) for name, read in KEYS.items()}


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Outcomes as columns.

    Parameters
    ----------
    shared : Outcome, optional
        What they have in common; not known to what a test finds of plain pairs, see `reportkit.significance.entry`.
    at : mapping of int to int
        The number of a pair to its row.
    values : mapping of str to list
        By the name of a field of `Outcome`, what differs from row to row.
    """

    shared: Outcome | None = None
    at: Mapping[int, int] = field(default_factory=dict)
    values: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Assessed) -> Self:
        """Those of all pairs on a dataset."""
        if not len(items):
            return cls()
        columns = {item.name: items.field(item.name) for item in fields(Outcome)}
        differ = {name: column for name, column in columns.items() if not all(map(partial(_same, column[0]), column))}
        shared = items[0].changed(interval=columns["interval"][0])  # not how to make it, which needs scores
        return cls(shared, {index: index for index in range(len(items))}, differ)

    @classmethod
    def of_tails(cls, pairs: Sequence[int], tails: Sequence[Tails], **values: list[Any]) -> Self:
        """What a test found of some pairs, in favour of A."""
        named = ("p_greater", "p_less", "p_min", "algorithm", "relative_error")
        columns = {name: [getattr(each, name) for each in tails] for name in named}
        return cls(None, {pair: row for row, pair in enumerate(pairs)}, columns | values)

    def outcome(self, index: int, **values: Any) -> Outcome:
        """Return the outcome of a pair."""
        if self.shared is None:
            raise IndexError(index)
        row = self.at[index]
        return self.shared.changed(**{name: column[row] for name, column in self.values.items()}, **values)

    def field(self, name: str, n_pairs: int) -> list[Any]:
        """What the outcomes of so many pairs have under the name of a field; None for those that are not here."""
        if self.shared is None:
            return [None] * n_pairs
        column = self.values.get(name)
        if column is None:
            column = [getattr(self.shared, name)] * len(self.at)
        if len(self.at) == n_pairs:
            return [column[self.at[pair]] for pair in range(n_pairs)]
        found: list[Any] = [None] * n_pairs
        for pair, row in self.at.items():
            found[pair] = column[row]
        return found

    def columns(self) -> dict[str, list[Any]]:
        """The columns that a family reads, row by row, of pairs of which nothing is missing."""
        if self.shared is None:
            return {name: [] for name in KEYS}
        scores = zip(self.values["score_a"], self.values["score_b"], strict=True)
        n_rows, higher = len(self.at), self.shared.higher_is_better
        return {
            **{name: [*self.values[name]] for name in ("p_greater", "p_less", "p_min")},
            "difference": [*self.values["estimate"]],
            "score_difference": [a - b if higher else b - a for a, b in scores],
            "n": [self.shared.n] * n_rows,
            "n_missing": [0] * n_rows,
            **{
                name: [*self.values.get(name, [getattr(self.shared, name)] * n_rows)]
                for name in ("relative_error", "standard_error")
            },
        }

    def kinds(self) -> dict[int, Kind]:
        """The kind of each outcome by the number of its pair; equal kinds are one object."""
        columns = [column for name, column in self.values.items() if name not in OF_ONE_PAIR]
        own = "details" in self.values or (self.shared is not None and knows_sides(self.shared))
        found: dict[tuple[Any, ...], Kind] = {}
        kinds = {}
        for pair, row in self.at.items():
            key = (*(column[row] for column in columns), pair if own else None)
            if key not in found:
                found[key] = kind_of(self.outcome(pair))
            kinds[pair] = found[key]
        return kinds


def _same(first: Any, other: Any) -> bool:
    return first is other or (type(first) is type(other) is not float and bool(first == other))  # 0.0 == -0.0


class Assessed(OnDemand[Outcome]):
    """Pairs of systems on one dataset, assessed.

    Parameters
    ----------
    dataset, metric, unit : str
        Names, and the noun for one of the n.
    columns : mapping of str to sequence
        Of all pairs, by the names in `KEYS`.
    known : mapping of int to Outcome
        Those that are there already, by the number of their pair.
    make : callable
        (numbers of pairs) -> their assessments, for pairs that are not.
    intervals : callable, optional
        (numbers of pairs) -> the intervals of those whose assessments leave them to `interval`; not needed where these
        have their intervals.
    rows : Rows, optional
        Outcomes of which a field is known without `make`.
    """

    def __init__(
        self,
        dataset: str,
        metric: str,
        unit: str,
        columns: Columns,
        known: Mapping[int, Outcome],
        make: Callable[[Sequence[int]], Iterable[Outcome]],
        intervals: Callable[[Sequence[int]], Mapping[int, Interval | None]] | None = None,
        *,
        rows: Rows | None = None,
    ) -> None:
        self.dataset, self.metric, self.unit = dataset, metric, unit
        self.columns = columns
        self.findings = {index: item.findings for index, item in known.items() if item.findings}
        self._views, self._make = dict(known), make
        self._asked, self._next = 0, 0
        self._intervals: dict[int, Interval | None] = {}
        self._make_intervals, self._intervals_asked = intervals, 0
        self._rows = rows or Rows()
        self._fields: dict[str, list[Any]] = {}
        self._kinds: Sequence[Kind] = ()

    @classmethod
    def whole(cls, items: Sequence[Outcome]) -> Self:
        """Pairs on one dataset of which everything is known."""
        dataset, metric, unit = (items[0].dataset, items[0].metric, items[0].unit) if items else ("", "", "")
        return cls(dataset, metric, unit, columns_of(items), dict(enumerate(items)), lambda _: ())

    def __reduce__(self) -> tuple[Any, ...]:
        """What travels to another process are columns: the scores stay where they are."""
        names = (self.dataset, self.metric, self.unit)
        return _arrived, (*names, dict(self.columns), self.findings, Rows.of(self))

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.columns["n"])

    def _at(self, index: int) -> Outcome:
        """Return the assessment of a pair."""
        if index not in self._views:
            self._asked = self._asked + 1 if index == self._next else 0
            missing = [each for each in self._around(index, self._asked) if each not in self._views]
            self._next = missing[-1] + 1
            self._views.update(zip(missing, self._make(missing), strict=True))
        return self._views[index]

    def interval(self, index: int) -> Interval | None:
        """Return the interval of a pair."""
        if index not in self._intervals:
            missing = [each for each in self._around(index, self._intervals_asked) if each not in self._intervals]
            self._intervals_asked += 1
            self._intervals.update(self._make_intervals(missing) if self._make_intervals else {})
        return self._intervals[index]

    def field(self, name: str) -> list[Any]:
        """What the outcomes of all pairs have under the name of a field, which need not be made for that."""
        if name not in self._fields:
            self._fields[name] = self._field(name)
        return self._fields[name]

    def _field(self, name: str) -> list[Any]:
        if name == "interval" and self._make_intervals:
            return self._all_intervals(self._make_intervals)
        found = self._rows.field(name, len(self))
        for index in range(len(self)) if len(self._rows.at) < len(self) else ():
            if index not in self._rows.at:
                found[index] = getattr(self[index], name)
        return found

    def _all_intervals(self, make: Callable[[Sequence[int]], Mapping[int, Interval | None]]) -> list[Interval | None]:
        waiting = {index for index in range(len(self)) if index in self._rows.at or is_waiting(self[index])}
        self._intervals.update(make(sorted(waiting.difference(self._intervals))))
        return [self._intervals[index] if index in waiting else self[index].interval for index in range(len(self))]

    def kinds(self) -> Sequence[Kind]:
        """Kind of the outcome of each pair; equal ones are mostly one object."""
        self._kinds = self._kinds or self._kinds_of_all()
        return self._kinds

    def _kinds_of_all(self) -> Sequence[Kind]:
        known = self._rows.kinds()
        return [known[index] if index in known else kind_of(self[index]) for index in range(len(self))]

    def _around(self, index: int, asked: int) -> range:
        """What is made together with a pair, when so many were asked for before."""
        together = 4 ** min(asked, _FOURFOLD)
        first = index - index % together
        return range(first, min(first + together, len(self)))


def _arrived(
    dataset: str,
    metric: str,
    unit: str,
    columns: Columns,
    findings: dict[int, tuple[Finding, ...]],
    rows: Rows,
) -> Assessed:
    """Pairs on one dataset that were assessed in another process."""
    names, make = (dataset, metric, unit), partial(map, rows.outcome)
    found = Assessed(*names, columns, {}, make, rows=rows)
    found.findings = findings
    return found


Place = tuple[Assessed, int]


class Numbers(NamedTuple):
    """p-values, observed differences, and differences of the mean scores, in favour of a claim; not to be changed."""

    p_values: NDArray[np.float64]
    differences: NDArray[np.float64]
    score_differences: NDArray[np.float64]

    @classmethod
    def of(cls, places: Sequence[Place], *, turned: bool) -> Self:
        """Those of pairs, or of pairs turned round."""
        names = ("p_less" if turned else "p_greater", "difference", "score_difference")
        p_values, *signed = (np.array([assessed.columns[name][index] for assessed, index in places]) for name in names)
        found = cls(p_values, *(0.0 - each if turned else each for each in signed))
        for each in found:
            each.setflags(write=False)
        return found


class OnDatasets(OnDemand[Outcome]):
    """One claim on all datasets: its p-values and differences at once, an assessment where it is asked for.

    Parameters
    ----------
    places : sequence of (Assessed, int)
        By dataset: where its pair stands.
    turned : bool
        Whether the claim is about the second system of the pair.
    numbers : Numbers, optional
        Those of all claims, where its own are part of them; computed if None.
    start : int
        Where its own begin.
    """

    __slots__ = ("_known", "_numbers", "_places", "_start", "_turned")

    def __init__(
        self, places: Sequence[Place], *, turned: bool = False, numbers: Numbers | None = None, start: int = 0
    ) -> None:
        self._places, self._turned = places, turned
        self._numbers, self._start = numbers or Numbers.of(places, turned=turned), start
        self._known: dict[int, Outcome] = {}

    @property
    def p_values(self) -> NDArray[np.float64]:
        """p-values in favour of the claim, by dataset; not to be changed."""
        return self._numbers.p_values[self._start : self._start + len(self._places)]

    @property
    def differences(self) -> NDArray[np.float64]:
        """Observed differences in favour of it; not to be changed."""
        return self._numbers.differences[self._start : self._start + len(self._places)]

    @property
    def score_differences(self) -> NDArray[np.float64]:
        """Differences of the mean scores in favour of it; not to be changed."""
        return self._numbers.score_differences[self._start : self._start + len(self._places)]

    @classmethod
    def of_pairs(
        cls, found: Mapping[tuple[str, str], Sequence[Place]], *, both_directions: bool
    ) -> dict[tuple[str, str], OnDatasets]:
        """The claim about each pair, and that about the pair turned round where it is made, too."""
        every = [*chain.from_iterable(found.values())]
        sides = [Numbers.of(every, turned=turned) for turned in ((False, True) if both_directions else (False,))]
        made: dict[tuple[str, str], OnDatasets] = {}
        start = 0
        for (a, b), places in found.items():
            made[a, b] = cls(places, numbers=sides[0], start=start)
            if both_directions:
                made[b, a] = cls(places, turned=True, numbers=sides[1], start=start)
            start += len(places)
        return made

    @staticmethod
    def assessed(claims: Iterable[OnDatasets]) -> Iterable[Assessed]:
        """What was found on each dataset of some claims, each once."""
        return dict.fromkeys(assessed for claim in claims for assessed, _ in claim.places)

    def kinds(self) -> Iterator[Kind]:
        """Kind of the outcome on each dataset."""
        return (assessed.kinds()[index] for assessed, index in self._places)

    @property
    def places(self) -> Sequence[Place]:
        """By dataset: where its pair stands."""
        return self._places

    @property
    def in_favour(self) -> Sequence[Place]:
        """By dataset: where the outcome in favour of the claim stands."""
        return [(Assessed.whole((item,)), 0) for item in self] if self._turned else self._places

    def field(self, name: str) -> list[Any]:
        """A field of the outcome on each dataset that is the same in both directions."""
        return [assessed.field(name)[index] for assessed, index in self._places]

    def column(self, name: str) -> list[Any]:
        """What a column of `KEYS` has of the pair on each dataset."""
        return [assessed.columns[name][index] for assessed, index in self._places]

    @classmethod
    def of(cls, items: Sequence[Outcome]) -> OnDatasets:
        """The same of assessments that are there, read one-sided in favour of A."""
        return items if isinstance(items, OnDatasets) else cls([(Assessed.whole((item,)), 0) for item in items])

    def of_metric(self, metric: str) -> OnDatasets:
        """The part by one metric."""
        own = [place for place in self._places if place[0].metric == metric]
        return self if len(own) == len(self._places) else OnDatasets(own, turned=self._turned)

    def __len__(self) -> int:
        """Number of datasets."""
        return len(self._places)

    def _at(self, index: int) -> Outcome:
        """Return the assessment on one dataset."""
        if index not in self._known:
            assessed, pair = self._places[index]
            item = assessed[pair]
            self._known[index] = item.swapped() if self._turned else item
        return self._known[index]

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the datasets."""
        return tuple(assessed.dataset for assessed, _ in self._places)

    @property
    def metric(self) -> str:
        """Name of the metric of the first dataset."""
        return self._places[0][0].metric

    @property
    def n(self) -> list[int]:
        """Instances by dataset; 0 where they are not known."""
        return [n or 0 for n in self.column("n")]

    def findings(self) -> Iterator[tuple[str, Finding]]:
        """Dataset, and what limits the outcome there."""
        for assessed, index in self._places:
            for finding in assessed.findings.get(index, ()):
                yield assessed.dataset, finding

    def n_missing(self) -> Iterator[tuple[str, int]]:
        """Dataset, and how many scores were left out or filled there."""
        return zip(self.datasets, self.column("n_missing"), strict=True)

    def out_of_reach(self, level: float) -> Iterator[tuple[str, str]]:
        """Dataset and unit where no result of the test could have reached a level."""
        for (assessed, _), p_min in zip(self._places, self.column("p_min"), strict=True):
            if p_min > level:
                yield assessed.dataset, assessed.unit
