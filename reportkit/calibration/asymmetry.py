"""Whether differences are symmetric about their mean, as a signed-rank test of the mean would need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reportkit.significance.tests.wilcoxon import signed_ranks

_DIGITS = 12


def asymmetry_p_value(differences: NDArray[np.float64], rng: np.random.Generator, *, n_resamples: int = 499) -> float:
    """P-value of the hypothesis that differences are symmetric about their mean, whatever that is.

    The statistic is the absolute sum of signed ranks of the differences minus their mean. It is compared with that of
    samples made symmetric: distances from the mean with random signs, minus the mean that they then have.

    Parameters
    ----------
    differences : ndarray of shape (n,)
        Differences of independent instances, in any order.
    rng : Generator
        Random stream.
    n_resamples : int
        Samples made symmetric.

    Returns
    -------
    float
        (s + 1) / (b + 1), in (0, 1]; valid for large n.

    Notes
    -----
    Approximate. Share of 400 simulated samples with p at most .05, and at most .01: normal .055 and .010 (n = 60), .043
    and .008 (n = 200); Laplace .093 and .033, .070 and .023; Student's t with 3 degrees of freedom .098 and .028, .060
    and .013. The way to resample is that of Arcones and Gine (1991), "Some bootstrap tests of symmetry for univariate
    continuous distributions".

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> asymmetry_p_value(rng.exponential(size=200), rng) < 0.01, asymmetry_p_value(rng.normal(size=200), rng) > 0.05
    (True, True)
    """
    distances = np.sort(np.abs(differences - differences.mean()))
    observed = _statistic(differences)
    signs = rng.integers(2, size=(n_resamples, distances.size)) * 2.0 - 1.0
    further = sum(_statistic(row * distances) >= observed - 1e-9 for row in signs)
    return (further + 1) / (n_resamples + 1)


def _statistic(values: NDArray[np.float64]) -> float:
    """Absolute sum of signed ranks about the mean; distances are rounded, so that ties stay ties."""
    moved = values - values.mean()
    scale = float(np.abs(moved).max(initial=0.0))
    if scale <= 10.0**-_DIGITS * float(np.abs(values).max(initial=0.0)):
        return 0.0
    return abs(float(signed_ranks(np.round(moved / scale, _DIGITS)).sum()))
