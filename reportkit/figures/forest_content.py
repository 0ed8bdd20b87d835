"""What a forest plot shows, as plain values: it can be stored, read back and drawn without the data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from reportkit.errors import UnknownNameError
from reportkit.figures.drawing.difference_scale import DifferenceScale, difference_scale
from reportkit.figures.drawing.identified import Mark, marks_of
from reportkit.language.short_repr import short_repr
from reportkit.replicability.multiple_testing.adjustment import Correction

if TYPE_CHECKING:
    from reportkit.replicability.comparison import Comparison
    from reportkit.significance.interval import Interval

Order = Literal["given", "difference", "p_value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One dataset of a forest plot.

    Parameters
    ----------
    dataset : str
        Its name.
    difference : float
        On the scale of the axis; positive if A is better.
    text : str
        The difference with its sign, in percentage points or the units of its metric, never standardised.
    has_interval : bool
        Whether there is an interval.
    low, high : float or None
        Its ends on the scale of the axis, at the level of the decision that `mark` shows: it is above 0 exactly where A
        is identified as better. None where it is unbounded.
    adjusted_p_value : float
        Adjusted for the whole family.
    mark : {"identified", "not identified", "other sign", "opposite"}
        Whether the dataset is identified at the level; `other sign`: the p-value is small enough, A is not ahead;
        `opposite`: B is identified as better.
    plain : tuple of float or None
        Ends of the interval that is adjusted for nothing, where that is drawn, too.
    """

    dataset: str
    difference: float
    text: str
    has_interval: bool
    low: float | None
    high: float | None
    adjusted_p_value: float
    mark: Mark
    plain: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestContent:
    """Everything that a forest plot shows.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better than B.
    rows : tuple of ForestRow
        From top to bottom.
    quantity, unit, subtraction : str
        What is on the axis, in which unit, and which system is subtracted from which; see `DifferenceScale`.
    level : float or None
        Confidence level of the intervals that are adjusted for nothing; None where they are not drawn.
    alpha : float
        Level of the marks.
    correction : {"Holm", "graph", "closed testing"}
        What adjusted the p-values.
    """

    system_a: str
    system_b: str
    rows: tuple[ForestRow, ...]
    quantity: str
    unit: str
    subtraction: Literal["A − B", "B − A", ""]
    level: float | None
    alpha: float
    correction: Correction = "Holm"

    __repr__ = short_repr

    @property
    def sides(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Below 0 and above it, the name of a system and how it does there."""
        return (self.system_b, "better"), (self.system_a, "better")


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestsContent:
    """Forest plots of several claims, on one axis.

    Parameters
    ----------
    panels : tuple of ForestContent
        From top to bottom; all have the same unit and level.
    """

    panels: tuple[ForestContent, ...]

    __repr__ = short_repr

    @property
    def rows(self) -> tuple[ForestRow | None, ...]:
        """All rows from top to bottom; None where the next claim is named."""
        return tuple(row for panel in self.panels for row in (None, *panel.rows))

    @property
    def shared(self) -> tuple[str | None, str | None]:
        """A and B, each None unless it is that of all claims."""
        sides = {panel.system_a for panel in self.panels}, {panel.system_b for panel in self.panels}
        a, b = (names.pop() if len(names) == 1 else None for names in sides)
        return a, b

    @property
    def sides(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Below 0 and above it, the name of a system and how it does there."""
        a, b = self.shared
        if a is None and b is None:
            return ("the second", "better"), ("the first", "better")
        return (b, "better") if b is not None else (a or "", "worse"), (a, "better") if a is not None else (
            b or "",
            "worse",
        )


def forest_content(
    comparison: Comparison,
    *,
    alpha: float,
    order: Order = "difference",
    intervals: Sequence[Interval | None] | None = None,
    opposite: Comparison | None = None,
    decimals: Mapping[str, int] | None = None,
    plain_intervals: bool = False,
) -> ForestContent:
    """Take from a comparison what its forest plot shows.

    Parameters
    ----------
    comparison : Comparison
        A against B on one or more datasets.
    alpha : float
        Level of Holm's procedure.
    order : {"difference", "given", "p_value"}
        Rows from top to bottom: by falling difference, as in the comparison, by rising adjusted p-value.
    intervals : sequence of Interval or None, optional
        By dataset, those that belong to the decisions; by default none are drawn.
    opposite : Comparison, optional
        The claim that B is better, where it is tested, too.
    decimals : mapping of str to int, optional
        Of the differences, by dataset, as the table has them.
    plain_intervals : bool
        Whether the intervals that are adjusted for nothing are drawn, too.

    Raises
    ------
    UnknownNameError
        If there is no such order.
    """
    none = [None] * comparison.n_datasets
    scale = difference_scale(comparison, decimals=decimals, intervals=none if intervals is None else intervals)
    usual = difference_scale(comparison)
    marks = marks_of(comparison, alpha, opposite)
    rows = tuple(
        ForestRow(
            dataset=item.dataset,
            difference=float(scale.differences[index]),
            text=scale.texts[index],
            has_interval=not math.isnan(scale.low[index]),
            low=_end(scale.low[index]),
            high=_end(scale.high[index]),
            adjusted_p_value=float(comparison.adjusted_p_values[index]),
            mark=marks[index],
            plain=_both(usual, index) if plain_intervals else None,
        )
        for index, item in enumerate(comparison.assessments)
    )
    return ForestContent(
        system_a=comparison.system_a,
        system_b=comparison.system_b,
        rows=tuple(rows[index] for index in _in_order(comparison, rows, order)),
        quantity=scale.quantity,
        unit=scale.unit,
        subtraction=scale.order,
        level=usual.level if plain_intervals else None,
        alpha=alpha,
        correction=comparison.correction,
    )


def _both(scale: DifferenceScale, index: int) -> tuple[float, float] | None:
    ends = float(scale.low[index]), float(scale.high[index])
    return ends if all(map(math.isfinite, ends)) else None


def _end(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _in_order(comparison: Comparison, rows: tuple[ForestRow, ...], order: Order) -> list[int]:
    if order == "given":
        return list(range(len(rows)))
    if order == "difference":
        return [int(index) for index in np.argsort([-row.difference for row in rows], kind="stable")]
    if order == "p_value":
        return [int(index) for index in np.lexsort((comparison.p_values, comparison.adjusted_p_values))]
    raise UnknownNameError("order of rows", order, ("given", "difference", "p_value"))
