"""What a forest plot shows, as plain values: it can be stored, read back and drawn without the data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from reportkit.errors import UnknownNameError
from reportkit.figures.drawing.difference_scale import difference_scale
from reportkit.figures.drawing.identified import Mark, marks_of
from reportkit.language.short_repr import short_repr
from reportkit.replicability.comparison import Comparison, Correction

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
        Whether there is a confidence interval.
    low, high : float or None
        Its ends on the scale of the axis; None where it is unbounded.
    adjusted_p_value : float
        Adjusted for the whole family.
    mark : {"identified", "not identified", "other sign"}
        Whether the dataset is identified at the level; `other sign`: the p-value is small enough, A is not ahead.
    """

    dataset: str
    difference: float
    text: str
    has_interval: bool
    low: float | None
    high: float | None
    adjusted_p_value: float
    mark: Mark


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
        Confidence level of the intervals; None if there are none, or if they differ.
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


def forest_content(comparison: Comparison, *, alpha: float, order: Order = "given") -> ForestContent:
    """Take from a comparison what its forest plot shows.

    Parameters
    ----------
    comparison : Comparison
        A against B on one or more datasets.
    alpha : float
        Level of Holm's procedure.
    order : {"given", "difference", "p_value"}
        Rows from top to bottom: as in the comparison, by falling difference, by rising adjusted p-value.

    Raises
    ------
    UnknownNameError
        If there is no such order.
    """
    scale = difference_scale(comparison)
    marks = marks_of(comparison, alpha)
    rows = tuple(
        ForestRow(
            dataset=item.dataset,
            difference=float(scale.differences[index]),
            text=scale.texts[index],
            has_interval=item.interval is not None,
            low=_end(scale.low[index]),
            high=_end(scale.high[index]),
            adjusted_p_value=float(comparison.adjusted_p_values[index]),
            mark=marks[index],
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
        level=scale.level,
        alpha=alpha,
        correction=comparison.correction,
    )


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
