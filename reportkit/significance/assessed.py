"""What was found on one dataset, pair by pair, as columns; the assessment of a pair is made when it is asked for.

A family of all pairs needs p-values of all of them, and shows few. So a dataset keeps numbers in columns, and what a
reader sees of a pair, its interval and its sentences, is made on demand, by the same code and with the same numbers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from reportkit.finding import Finding
from reportkit.significance.outcome import Outcome

_ONE_BY_ONE = 3
"""So many assessments are made singly; who asks for more is likely to want all."""

_TOGETHER = 256

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


class Numbers(NamedTuple):
    """What a family needs to know of one pair on one dataset, in favour of the first system.

    Parameters
    ----------
    p_greater, p_less, p_min : float
        One-sided p-values, and the smallest possible one; 0 where it is not known.
    difference : float
        Observed value of what the test is about.
    score_difference : float
        Of the mean scores; both are positive if the first system is better.
    n : int or None
        Instances.
    n_missing : int
        Scores that were left out or filled.
    """

    p_greater: float
    p_less: float
    p_min: float
    difference: float
    score_difference: float
    n: int | None
    n_missing: int = 0

    @classmethod
    def of(cls, item: Outcome) -> Self:
        """Those of an outcome."""
        return cls(
            item.p_greater,
            item.p_less,
            0.0 if item.method == "printed" else item.p_min,
            item.difference,
            item.score_difference,
            item.n,
            item.n_dropped + item.n_imputed,
        )


class Assessed(OnDemand[Outcome]):
    """Pairs of systems on one dataset, assessed.

    Parameters
    ----------
    dataset, metric, unit : str
        Names, and the noun for one of the n.
    numbers : sequence of Numbers
        Of each pair.
    known : mapping of int to Outcome
        Those that are there already, by the number of their pair.
    make : callable
        (numbers of pairs) -> their assessments, for pairs that are not.
    without_scores : bool
        Whether `make` needs no scores, so that whoever keeps it keeps no dataset in memory.
    """

    def __init__(
        self,
        dataset: str,
        metric: str,
        unit: str,
        numbers: Sequence[Numbers],
        known: Mapping[int, Outcome],
        make: Callable[[Sequence[int]], Iterable[Outcome]],
        *,
        without_scores: bool = False,
    ) -> None:
        self.dataset, self.metric, self.unit = dataset, metric, unit
        self.numbers = numbers
        self.findings = {index: item.findings for index, item in known.items() if item.findings}
        self._views, self._make, self._asked = dict(known), make, 0
        self._without_scores = without_scores

    @classmethod
    def whole(cls, items: Sequence[Outcome]) -> Self:
        """Pairs on one dataset of which everything is known."""
        dataset, metric, unit = (items[0].dataset, items[0].metric, items[0].unit) if items else ("", "", "")
        return cls(dataset, metric, unit, [Numbers.of(item) for item in items], dict(enumerate(items)), lambda _: ())

    @classmethod
    def joined(cls, parts: Sequence[Assessed]) -> Assessed:
        """Pairs of several parts on one dataset, none of which keeps scores in memory."""
        light = [part if part._without_scores else cls.whole(tuple(part)) for part in parts if len(part)]
        places = [(part, index) for part in light for index in range(len(part))]
        if len(light) < 2:
            return light[0] if light else cls.whole(())
        return cls(
            light[0].dataset,
            light[0].metric,
            light[0].unit,
            [part.numbers[index] for part, index in places],
            {at: part._views[index] for at, (part, index) in enumerate(places) if index in part._views},
            lambda wanted: [part[index] for part, index in (places[at] for at in wanted)],
            without_scores=True,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """What travels to another process is whole: the scores stay where they are."""
        return type(self).whole, (tuple(self),)

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.numbers)

    def _at(self, index: int) -> Outcome:
        """Return the assessment of a pair."""
        if index not in self._views:
            self._asked += 1
            first = index - index % _TOGETHER
            wanted = range(first, min(first + _TOGETHER, len(self))) if self._asked > _ONE_BY_ONE else (index,)
            missing = [each for each in wanted if each not in self._views]
            self._views.update(zip(missing, self._make(missing), strict=True))
        return self._views[index]


class OnDatasets(OnDemand[Outcome]):
    """One claim on all datasets: its p-values and differences at once, an assessment where it is asked for.

    Parameters
    ----------
    places : sequence of (Assessed, int)
        By dataset: where its pair stands.
    turned : bool
        Whether the claim is about the second system of the pair.
    """

    __slots__ = ("_known", "_places", "_turned", "p_values")

    def __init__(self, places: Sequence[tuple[Assessed, int]], *, turned: bool = False) -> None:
        self._places, self._turned = places, turned
        side = 1 if turned else 0
        self.p_values = np.array([assessed.numbers[index][side] for assessed, index in places])
        self.p_values.setflags(write=False)  # others are given the same array
        self._known: dict[int, Outcome] = {}

    @property
    def _numbers(self) -> list[Numbers]:
        return [assessed.numbers[index] for assessed, index in self._places]

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
        return [numbers.n or 0 for numbers in self._numbers]

    @property
    def differences(self) -> NDArray[np.float64]:
        """Observed differences, oriented; not to be changed."""
        return self._oriented([numbers.difference for numbers in self._numbers])

    @property
    def score_differences(self) -> NDArray[np.float64]:
        """Differences of the mean scores, oriented; not to be changed."""
        return self._oriented([numbers.score_difference for numbers in self._numbers])

    def _oriented(self, values: list[float]) -> NDArray[np.float64]:
        array = np.array(values)
        array = 0.0 - array if self._turned else array
        array.setflags(write=False)
        return array

    def findings(self) -> Iterator[Finding]:
        """What limits the outcomes."""
        for assessed, index in self._places:
            if index in assessed.findings:
                yield from assessed.findings[index]

    def n_missing(self) -> Iterator[tuple[str, int]]:
        """Dataset, and how many scores were left out or filled there."""
        for (assessed, _), numbers in zip(self._places, self._numbers, strict=True):
            yield assessed.dataset, numbers.n_missing

    def out_of_reach(self, level: float) -> Iterator[tuple[str, str]]:
        """Dataset and unit where no result of the test could have reached a level."""
        for (assessed, _), numbers in zip(self._places, self._numbers, strict=True):
            if numbers.p_min > level:
                yield assessed.dataset, assessed.unit
