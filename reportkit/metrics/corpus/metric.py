"""A corpus metric: a function of counts that are summed over all instances."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusMetric:
    """A metric that is computed from sums of counts, not as a mean of scores.

    Parameters
    ----------
    name : str
        Name in the registry, in lower case: "f1".
    title : str
        Name in tables: "F1".
    columns : tuple of str
        Names of the counts, each of which instances have one of; a table may write them with the prefix `stat_`.
    function : callable
        From sums, an array of shape (..., k) with one entry per column, to values of shape (...). Vectorised over all
        but the last axis; an undefined value is NaN.
    higher_is_better : bool
        Direction of the values.
    value_range : tuple of float
        Lowest and highest possible value.
    in_percent : bool
        Whether values are proportions, printed in percent.
    undefined : str
        What the value is where the definition divides by zero, as a clause; empty if it never does.
    citation : str
        BibTeX key of the source; empty if there is none.
    at_most : tuple of (str, str)
        Pairs of columns of which the first cannot be larger than the second: matches and what was matched.
    ratio : (str, str), optional
        Numerator and denominator, if the value is one column's sum divided by another's (times a constant). If two
        systems have the same denominators, tests of such metrics are exact.
    given_by_the_data : tuple of str
        Columns that say something about the instance and not about the system, such as the length of the reference.
    no_output : callable, optional
        From the counts of another system on the same instances, shape (m, k), to those of a system that put out
        nothing, the worst output there is (`missing="worst"`). None if that is not known.
    non_negative : bool
        Whether counts have to be at least 0.
    offered : bool
        Whether it is named among the metrics that could be computed where the user named none.

    Examples
    --------
    >>> rate = CorpusMetric(name="rate", title="rate", columns=("hits", "tries"), ratio=("hits", "tries"),
    ...                     function=lambda sums: sums[..., 0] / sums[..., 1])
    >>> rate(np.array([[3.0, 4.0], [1.0, 4.0]]))
    array([0.75, 0.25])
    """

    name: str
    title: str
    columns: tuple[str, ...]
    function: Callable[[Floats], Floats]
    higher_is_better: bool = True
    value_range: tuple[float, float] = (-math.inf, math.inf)
    in_percent: bool = False
    undefined: str = ""
    citation: str = ""
    at_most: tuple[tuple[str, str], ...] = ()
    ratio: tuple[str, str] | None = None
    given_by_the_data: tuple[str, ...] = ()
    no_output: Callable[[Floats], Floats] | None = None
    non_negative: bool = True
    offered: bool = True

    def __call__(self, sums: Floats) -> Floats:
        """Values of sums of shape (..., k), shape (...); NaN where undefined."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.asarray(self.function(sums), dtype=np.float64)

    def oriented(self, sums: Floats) -> Floats:
        """Values turned so that higher is better."""
        values = self(sums)
        return values if self.higher_is_better else 0.0 - values

    def position(self, column: str) -> int:
        """Place of a column among the sums."""
        return self.columns.index(column)


def quotient(numerator: Floats, denominator: Floats, undefined: float | Floats = np.nan) -> Floats:
    """Divide, with a stated value where the denominator is 0.

    Examples
    --------
    >>> quotient(np.array([1.0, 0.0]), np.array([2.0, 0.0]), undefined=0.0)
    array([0.5, 0. ])
    """
    safe = np.where(denominator == 0, 1.0, denominator)
    return np.asarray(np.where(denominator == 0, undefined, numerator / safe), dtype=np.float64)
