"""What is said about skewed differences beside a one-sided test of the mean."""

from __future__ import annotations

import math

from reportkit.finding import Finding
from reportkit.intervals.skewness import (
    FEWEST_NONZERO,
    SIZE_ERROR,
    TOLERATED_SIZE_ERROR,
    is_skewed,
    is_strained,
    of_a_mean,
    size_error,
    skewness,
)
from reportkit.results.pairing import PairedScores

__all__ = ["SIZE_ERROR", "bootstrap_t_finding", "skewness", "skewness_finding"]


def skewness_finding(paired: PairedScores) -> Finding | None:
    """Say so if a one-sided test of the mean cannot be trusted to a percentage point at this n.

    By the first term of the Edgeworth expansion, the size of a one-sided t, sign-flip or bootstrap test of the mean at
    .05 is off by about .110 |g| / sqrt(n), g being the skewness of the differences. It is said where this exceeds .01,
    that is n < 121 g^2. With clusters, n is their number and g that of their sums.

    Returns
    -------
    Finding or None
        None if the error is tolerable, or if no test of a mean is meant: ordinal scores, and right-or-wrong scores
        without clusters and weights, whose tests are exact.

    Notes
    -----
    The one-sided test of A better than B rejects a true null hypothesis too often if g is negative and too seldom if
    g is positive; Hall (1992), "The Bootstrap and Edgeworth Expansion", section 2.4.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.repeat([0.0, 1.0], [2, 28]), b=np.repeat([1.0, 0.9], [2, 28]))
    >>> print(skewness_finding(paired).message)
    The differences are skewed (skewness −3.47, n = 30, where 1,461 would do): the true size of a one-sided test of the
    mean at .05 is predicted to differ from .05 by about .070, upwards for a claim that 'a' is better.
    """
    if not of_a_mean(paired) or size_error(paired) <= TOLERATED_SIZE_ERROR:
        return None
    g = skewness(paired)
    enough = math.ceil((SIZE_ERROR * g / TOLERATED_SIZE_ERROR) ** 2)
    favoured = paired.system_a if g < 0 else paired.system_b
    return Finding(
        code="skewed-differences",
        severity="warning",
        message=f"{_what(paired, g, enough)}: the true size of a one-sided test of the mean at .05 is predicted to "
        f"differ from .05 by about {_predicted(paired)}, upwards for a claim that {favoured!r} is better.",
        where=paired.label,
        remedy="choose the test 'bootstrap-t', collect more instances, or read a p-value near the level with that "
        "much doubt"
        if is_skewed(paired)
        else f"collect more instances, or read a p-value near the level with that much doubt; the bootstrap-t, which "
        f"allows for skewness, needs {FEWEST_NONZERO} {_units(paired)} that differ",
    )


def bootstrap_t_finding(paired: PairedScores) -> Finding | None:
    """Say that the differences are skewed, where the bootstrap-t allows for it; warn where even that may not suffice.

    Returns
    -------
    Finding or None
        None where the skewness is too small to matter.

    Examples
    --------
    >>> import numpy as np
    >>> paired = PairedScores(system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous",
    ...                       a=np.arange(1.0, 31.0) ** 4, b=np.zeros(30))
    >>> print(bootstrap_t_finding(paired).message)
    The differences are skewed (skewness 1.35, n = 30, where 223 would do): the bootstrap-t was used, which allows for
    it; the size of a sign flip or a t-test at .05 is predicted to be off by about .027. So few or so skewed differences
    can raise its own size at .05 by some percentage points.
    """
    if not of_a_mean(paired) or size_error(paired) <= TOLERATED_SIZE_ERROR:
        return None
    g = skewness(paired)
    enough = math.ceil((SIZE_ERROR * g / TOLERATED_SIZE_ERROR) ** 2)
    strained = is_strained(paired)
    return Finding(
        code="skewed-differences",
        severity="warning" if strained else "info",
        message=f"{_what(paired, g, enough)}: the bootstrap-t was used, which allows for it; the size of a sign flip "
        f"or a t-test at .05 is predicted to be off by about {_predicted(paired)}."
        + (" So few or so skewed differences can raise its own size at .05 by some percentage points." * strained),
        where=paired.label,
        remedy="collect more instances, or read a p-value near the level with that much doubt" * strained,
    )


def _what(paired: PairedScores, g: float, enough: int) -> str:
    clusters = paired.n_clusters
    n = paired.n if clusters is None else clusters
    what = "differences" if clusters is None else f"sums of differences of the {_units(paired)}"
    units = "n" if clusters is None else f"number of {_units(paired)}"
    shown = f"{g:.2f}".replace("-", "−")
    return f"The {what} are skewed (skewness {shown}, {units} = {n:,}, where {enough:,} would do)"


def _units(paired: PairedScores) -> str:
    return "instances" if paired.clusters is None else "clusters"


def _predicted(paired: PairedScores) -> str:
    return f"{size_error(paired):.3f}".removeprefix("0")
