"""On which scale the differences on several datasets may share one axis, and what that axis is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from reportkit.language.numerals import decimals_for, interval_end
from reportkit.metrics.correlation import TITLES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from reportkit.replicability.comparison import Comparison
    from reportkit.significance.interval import Interval
    from reportkit.significance.outcome import Outcome

_MOST_DECIMALS = 4


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DifferenceScale:
    """Differences and intervals as drawn, all on one scale.

    Parameters
    ----------
    differences : ndarray of shape (n_datasets,)
        Oriented: positive if A is better.
    low, high : ndarray of shape (n_datasets,)
        Ends of the intervals, possibly infinite; NaN where there is no interval.
    quantity : str
        What is on the axis: "difference in accuracy".
    unit : str
        "percentage points", "standard errors", "units of each dataset"; empty if the metric has no unit.
    order : {"A − B", "B − A", ""}
        Which is subtracted from which; empty if the metrics do not agree on which direction is better, or if the
        quantity is no difference of scores.
    texts : tuple of str
        Each difference with its sign, in percentage points or the units of its metric, never standardised.
    level : float or None
        Confidence level of the intervals; None if there are none, or if they differ.
    """

    differences: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    quantity: str
    unit: str
    order: Literal["A − B", "B − A", ""]
    texts: tuple[str, ...]
    level: float | None


def difference_scale(
    comparison: Comparison,
    *,
    decimals: int | Mapping[str, int] | None = None,
    intervals: Sequence[Interval | None] | None = None,
) -> DifferenceScale:
    """Choose the scale for one axis.

    Right-or-wrong scores are shown in percentage points, one metric in its own unit. Several metrics, or right-or-wrong
    scores next to others, have no common unit: each difference and interval is divided by the standard error of its
    difference if all of those are known, and otherwise left as it is, which the name of the axis says.

    Parameters
    ----------
    comparison : Comparison
        Any number of datasets.
    decimals : int or mapping of str to int, optional
        Of the texts, by dataset; by default one of percentages, else as many as the standard errors warrant.
    intervals : sequence of Interval or None, optional
        One for each dataset; by default those of the comparison, which are adjusted for nothing.

    Returns
    -------
    DifferenceScale
        One entry per dataset, in the order of the comparison.
    """
    items = comparison.assessments
    percent = np.array([100.0 if item.percent else 1.0 for item in items])
    ends = [item.interval for item in items] if intervals is None else list(intervals)
    differences = comparison.differences * percent
    errors = np.array([_known(item.standard_error) for item in items]) * percent
    metrics = {TITLES.get(item.metric, item.metric) if item.shape == "correlation" else item.metric for item in items}
    divisor, unit = np.ones(len(items)), ""
    if all(item.percent for item in items):
        unit = "percentage points"
    elif len(metrics) > 1 or any(item.percent for item in items):
        standardised = bool((errors > 0).all())  # false for NaN
        divisor, unit = (errors, "standard errors") if standardised else (divisor, "units of each dataset")
    low = np.array([np.nan if end is None else end.low for end in ends])
    high = np.array([np.nan if end is None else end.high for end in ends])
    levels = {end.level for end in ends if end is not None}
    quantity = _quantity(items, metrics)
    return DifferenceScale(
        differences=differences / divisor,
        low=low * percent / divisor,
        high=high * percent / divisor,
        quantity=quantity,
        unit=unit,
        order=_order(items) if quantity.startswith("difference in ") else "",
        texts=_texts(items, differences, errors, decimals, common_unit=unit in ("percentage points", "")),
        level=levels.pop() if len(levels) == 1 else None,
    )


def _known(standard_error: float | None) -> float:
    return float("nan") if standard_error is None or not np.isfinite(standard_error) else standard_error


def _quantity(items: Sequence[Outcome], metrics: set[str]) -> str:
    estimands = {item.estimand for item in items}
    if len(estimands) == 1 and not any(map(_is_of_the_metric, estimands)):
        return next(iter(estimands))  # such as a difference of two probabilities
    if metrics == {"score"} and all(item.kind == "binary" for item in items):
        return "difference in accuracy"
    return f"difference in {next(iter(metrics))}" if len(metrics) == 1 else "difference in score"


def _is_of_the_metric(estimand: str) -> bool:
    estimand = estimand.removeprefix("weighted ")
    return estimand == "mean difference" or estimand.startswith("difference in ")


def _order(items: Sequence[Outcome]) -> Literal["A − B", "B − A", ""]:
    directions = {item.higher_is_better for item in items}
    if len(directions) != 1:
        return ""
    return "A − B" if directions.pop() else "B − A"


def _texts(
    items: Sequence[Outcome],
    differences: NDArray[np.float64],
    errors: NDArray[np.float64],
    wanted: int | Mapping[str, int] | None,
    *,
    common_unit: bool,
) -> tuple[str, ...]:
    """Differences with their signs; none that is not 0 is written as 0."""
    if isinstance(wanted, int):
        decimals = [wanted] * len(items)
    elif wanted is not None:
        decimals = [wanted[item.dataset] for item in items]
    else:
        own = zip(items, differences, errors, strict=True)
        decimals = [1 if item.percent and error > 0 else _decimals(value, error) for item, value, error in own]
        decimals = [max(decimals)] * len(items) if common_unit else decimals
    return tuple(interval_end(float(value), places) for value, places in zip(differences, decimals, strict=True))


def _decimals(difference: float, standard_error: float) -> int:
    """As many as the standard error warrants; where it is unknown, as many as were printed."""
    if standard_error > 0:
        return decimals_for(standard_error, most=_MOST_DECIMALS)
    for places in range(1, _MOST_DECIMALS):
        if abs(difference - round(difference, places)) < 1e-9:
            return places
    return _MOST_DECIMALS
