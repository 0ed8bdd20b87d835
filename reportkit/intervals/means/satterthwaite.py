"""Degrees of freedom of a sum of variances that are known from few observations each."""

from __future__ import annotations

from collections.abc import Sequence

from scipy.special import chdtri

DOUBT = 0.1
"""Probability that a variance is above the limit at which it is looked at.

The one-sided size of t-tests over runs at .01, at the worst variances found, is .047 for two runs, .023 for three and
.014 for five with Satterthwaite's degrees of freedom, and at most .011 with these; see
`benchmarks/results/size_of_runs.csv`.
"""


def satterthwaite(parts: Sequence[tuple[float, float]]) -> float:
    """Satterthwaite's approximation: (sum v)^2 / sum (v^2 / f) for independent variances v with f degrees of freedom.

    Parameters
    ----------
    parts : sequence of (variance, degrees of freedom)
        Not all variances 0.

    Notes
    -----
    Satterthwaite (1946), "An approximate distribution of estimates of variance components".

    Examples
    --------
    >>> satterthwaite([(1.0, 4), (1.0, 4)]), satterthwaite([(1.0, 4), (0.0, 9)])
    (8.0, 4.0)
    """
    largest = max(variance for variance, _ in parts)  # so that squares do not underflow
    shares = [(variance / largest, freedom) for variance, freedom in parts if variance > 0]
    return float(sum(share for share, _ in shares) ** 2 / sum(share**2 / freedom for share, freedom in shares))


def cautious_degrees_of_freedom(parts: Sequence[tuple[float, float]]) -> float:
    """Smallest degrees of freedom by Satterthwaite's formula if any one of the variances is at its upper limit.

    With few observations a variance can come out small by chance. The formula then takes the sum to be known as well as
    its other parts are, and the test rejects far too often at small levels. So each variance in turn is raised to its
    upper 90% confidence limit, v f / chi2_{.1, f}, and the smallest result counts; the standard error stays as it is.

    Parameters
    ----------
    parts : sequence of (variance, degrees of freedom)
        Not all variances 0.

    Examples
    --------
    >>> round(cautious_degrees_of_freedom([(1.0, 99), (1.0, 2)]), 1), round(satterthwaite([(1.0, 99), (1.0, 2)]), 1)
    (2.4, 7.8)
    """
    known = [(variance, freedom) for variance, freedom in parts if variance > 0]
    found = [satterthwaite(known)]
    for index, (variance, freedom) in enumerate(known):
        raised = list(known)
        raised[index] = (variance * freedom / float(chdtri(freedom, 1 - DOUBT)), freedom)
        found.append(satterthwaite(raised))
    return min(found)
