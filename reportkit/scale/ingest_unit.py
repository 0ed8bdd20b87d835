"""How a unit is read: the same on every machine, and what is left of its rows."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Protocol

import pandas as pd

from reportkit.scale.units import give_back_memory
from reportkit.scores.ingest import IngestedPart, part_from_frame
from reportkit.scores.scales import Group
from reportkit.scores.several_metrics import Recipe
from reportkit.scores.table.columns import Columns
from reportkit.settings import Settings


class Unit(Protocol):
    """All rows of some datasets, wherever they are."""

    @property
    def name(self) -> str:
        """Where they are, for messages."""

    def frame(self) -> pd.DataFrame:
        """Read them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How every unit is read.

    Parameters
    ----------
    recipes : tuple of (Recipe, Columns)
        For each metric that is read by itself, how, and which column plays which role.
    settings : Settings
        Missing scores, datasets that are looked at, datasets as the sample.
    source : str
        Name of the whole, for messages.
    partial : bool
        Whether there are datasets elsewhere: in other units, or not read.
    divided : tuple of (frozenset of (str, str) or None)
        For each recipe, whose scores are to be divided by 100; None where that is not decided yet.
    """

    recipes: tuple[tuple[Recipe, Columns], ...]
    settings: Settings
    source: str
    partial: bool = True
    divided: tuple[frozenset[Group] | None, ...] = ()

    def dividing(self, recipe: int, divided: frozenset[Group]) -> Layout:
        """The same, where it is decided which scores of one recipe are divided by 100."""
        chosen = [*(self.divided or (None,) * len(self.recipes))]
        chosen[recipe] = divided
        return replace(self, divided=tuple(chosen))


def ingest_unit(unit: Unit, layout: Layout) -> list[IngestedPart]:
    """Read the rows of some datasets, and lay their scores out; one part for each recipe.

    Raises
    ------
    ReportkitError
        If rows cannot be read, or do not fit.
    """
    return ingest_frame(frame_of(unit), layout)


def frame_of(unit: Unit) -> pd.DataFrame:
    """Read the rows of some datasets."""
    give_back_memory()  # of the unit before, and what reading took for a while
    frame = unit.frame()
    give_back_memory()
    return frame


def frames_of(units: Sequence[Unit]) -> Iterator[pd.DataFrame]:
    """Read the rows of units one after the other, in a thread those of the next while the present ones are laid out."""
    with ThreadPoolExecutor(1) as reader:
        ahead: deque[Future[pd.DataFrame]] = deque()
        try:
            for unit in units:
                ahead.append(reader.submit(frame_of, unit))
                if len(ahead) > 1:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        finally:
            for future in ahead:
                future.cancel()


def ingest_frame(frame: pd.DataFrame, layout: Layout) -> list[IngestedPart]:
    """Lay out the scores of all rows of some datasets; nothing, if there are none."""
    if frame.empty:
        return []
    settings = layout.settings
    divided: Sequence[frozenset[Group] | None] = layout.divided or (None,) * len(layout.recipes)
    return [
        part_from_frame(
            frame,
            columns,
            higher_is_better=recipe.higher_is_better,
            kind=recipe.kind,
            missing=settings.missing,
            metric=recipe.metric,
            across_datasets=settings.across_datasets,
            source=layout.source,
            partial=layout.partial,
            divided=chosen,
            datasets=settings.datasets,
        )
        for (recipe, columns), chosen in zip(layout.recipes, divided, strict=True)
    ]
