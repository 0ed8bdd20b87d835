"""Tables of estimators and systems: Tables 3 and 4 of Xue et al. (2023), and several systems against one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from reportkit.errors import DesignError, InputError
from reportkit.replicability.multiple_testing.partial_conjunction import holm
from reportkit.reproducibility_analysis.reproducibility import FEWEST_REPARTITIONS, blocked_t, reproducibility

Found = TypeVar("Found")


def reproducibility_table(
    estimates: Mapping[str, ArrayLike], *, confidence_level: float = 0.95
) -> dict[str, list[Any]]:
    """Return the columns of a table of methods, as Table 4 of Xue et al. (2023), with intervals and bounds.

    Parameters
    ----------
    estimates : mapping of str to array_like of shape (R,)
        Estimates over re-partitions by method: "ST", "RS", "Avg", ...
    confidence_level : float
        Confidence level of the intervals.

    Returns
    -------
    dict
        Columns `method, n, mean, standard_deviation, snr, reproducibility, low, high, cantelli, normal`, as
        `pandas.DataFrame` takes them.

    Raises
    ------
    DesignError, InputError
        As `reproducibility`, with the method's name.

    Examples
    --------
    >>> table = reproducibility_table({"ST": [0.02, 0.01, -0.01, 0.03, 0.02] * 8})
    >>> table["method"], table["reproducibility"], [round(bound, 3) for bound in table["cantelli"]]
    (['ST'], [0.8], [0.509])
    """
    found = _by_name("method", estimates, lambda values: reproducibility(values, confidence_level=confidence_level))
    return _columns([{"method": method, **one.row} for method, one in found.items()])


def performance_table(values: Mapping[str, ArrayLike], *, confidence_level: float = 0.95) -> dict[str, list[Any]]:
    """Return the mean performance of each system over independent re-splits, as Table 3 of Xue et al. (2023).

    Parameters
    ----------
    values : mapping of str to array_like of shape (R,)
        By system, its performance on each of R re-splits; 20 or more.
    confidence_level : float
        Confidence level of each interval, by Student's t.

    Returns
    -------
    dict
        Columns `system, n, mean, standard_error, low, high`, as `pandas.DataFrame` takes them. The error is that of
        the re-splits, which are independent given the corpus; nothing follows for new data.

    Raises
    ------
    DesignError, InputError
        As `reproducibility`, with the name of the system.

    Examples
    --------
    >>> table = performance_table({"crf": [0.81, 0.83] * 500})
    >>> [round(table[name][0], 4) for name in ("mean", "standard_error", "low", "high")]
    [0.82, 0.0003, 0.8194, 0.8206]
    """
    rows = []
    found = _by_name("system", values, lambda given: reproducibility(given, confidence_level=confidence_level))
    for system, one in found.items():
        error = one.standard_deviation / math.sqrt(one.n)
        half = float(stdtrit(one.n - 1, 0.5 + confidence_level / 2)) * error
        row = {"system": system, "n": one.n, "mean": one.mean, "standard_error": error}
        rows.append({**row, "low": one.mean - half, "high": one.mean + half})
    return _columns(rows)


def against_one(estimates: Mapping[str, ArrayLike], *, confidence_level: float = 0.95) -> dict[str, list[Any]]:
    """Compare several systems with one, with a correction for their number (Xue et al., 2023, section 2).

    Parameters
    ----------
    estimates : mapping of str to array_like
        By system, its estimates minus those of the one: over 20 re-partitions or more, shape (R,); or the hold-out
        differences of one blocked cross-validation, fewer than 20.
    confidence_level : float
        With which all intervals hold together.

    Returns
    -------
    dict
        Columns of a table. For re-partitions, as `reproducibility_table`, each interval at 1 - (1 - level) / M
        (Bonferroni). For hold-outs, `system, mean, statistic, p_value, adjusted_p_value`: one-sided p-values that the
        system is better, adjusted by Holm's procedure.

    Raises
    ------
    DesignError, InputError
        As `reproducibility` and `blocked_t`, with the name of the system.

    Examples
    --------
    >>> folds = {"big": [0.02, 0.01, 0.03, 0.01, 0.02, 0.03], "small": [0.01, -0.01, 0.0, 0.02, 0.0, 0.01]}
    >>> [round(p, 3) for p in against_one(folds)["adjusted_p_value"]]
    [0.093, 0.339]
    """
    sizes = {np.size(values) >= FEWEST_REPARTITIONS for values in estimates.values()}
    if len(sizes) != 1:
        raise DesignError("there are no systems, or some with re-partitions and others with hold-outs of one")
    m = len(estimates)
    if sizes.pop():
        table = reproducibility_table(estimates, confidence_level=1.0 - (1.0 - confidence_level) / m)
        return {"system": table.pop("method"), **table}
    found = _by_name("system", estimates, blocked_t)
    p_values = [item.p_greater for item in found.values()]
    return {
        "system": list(found),
        "mean": [item.mean for item in found.values()],
        "statistic": [item.statistic for item in found.values()],
        "p_value": p_values,
        "adjusted_p_value": holm(p_values).tolist(),
    }


def _by_name(what: str, values: Mapping[str, ArrayLike], summary: Callable[[ArrayLike], Found]) -> dict[str, Found]:
    """Summarise each series; an error names the series."""
    found = {}
    for name, given in values.items():
        try:
            found[name] = summary(given)
        except (DesignError, InputError) as error:
            raise error.within(f"{what} {name!r}") from None
    return found


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
