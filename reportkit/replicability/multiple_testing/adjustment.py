"""Adjust p-values for the number of datasets.

The claims differ. A family-wise error rate (FWER) of alpha bounds the probability of even one wrong name in the whole
list; a false discovery rate (FDR) of alpha bounds the expected proportion of wrong names in it. The two are not to be
marked alike in one table.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from reportkit.errors import UnknownNameError
from reportkit.replicability.multiple_testing.closed_testing import closed_p_values
from reportkit.replicability.multiple_testing.combination import step_down
from reportkit.replicability.multiple_testing.p_values import FloatArray, check_p_values

Correction = Literal["Holm", "graph", "closed testing"]
"""Those that comparisons use: Holm's, the graphical one of Bretz et al. (2009), closed testing."""

_OWN = {"holm": step_down, "fisher-bonferroni": closed_p_values}
_OF_STATSMODELS = {
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "benjamini-hochberg": "fdr_bh",
    "benjamini-yekutieli": "fdr_by",
}


def adjusted_p_values(p_values: ArrayLike, method: str = "holm") -> FloatArray:
    """Return adjusted p-values: reject where they are at most alpha.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        P-values in (0, 1], in any order along the last axis: one family for each index of the leading axes.
    method : str
        "holm": family-wise error rate under any dependence. "hochberg" and "hommel": family-wise error rate, under
        positive dependence. "benjamini-hochberg": false discovery rate, under positive dependence.
        "benjamini-yekutieli": false discovery rate, under any dependence. "fisher-bonferroni": family-wise error rate
        for independent datasets, by the closed test that `k_hat` and `discoveries` of this name count with.

    Returns
    -------
    ndarray of shape (..., n_datasets)
        In the order given, in (0, 1].

    Raises
    ------
    InputError
        If a p-value is not in (0, 1], or is not a number.
    UnknownNameError
        If there is no such method.

    References
    ----------
    Holm (1979); Hochberg (1988); Hommel (1988); Benjamini and Hochberg (1995); Benjamini and Yekutieli (2001); Marcus,
    Peritz and Gabriel (1976) for the last. The second to the fifth are computed by statsmodels.

    Examples
    --------
    Sentiment classification on twelve pairs of domains (Dror et al. 2017, Table 4): Holm names 6 at 0.05.

    >>> p_values = [0.0268, 0.0011, 0.0119, 0.0038, 1.9e-6, 0.018, 0.0186, 0.0014, 0.0011, 0.4823, 0.9507, 0.0003]
    >>> [int((adjusted_p_values(p_values, name) <= 0.05).sum()) for name in ("holm", "hommel", "benjamini-hochberg")]
    [6, 7, 10]
    """
    values = check_p_values(p_values)
    if method in _OWN:
        return _OWN[method](values)
    if method not in _OF_STATSMODELS:
        raise UnknownNameError("adjustment of p-values", method, [*_OWN, *_OF_STATSMODELS])
    from statsmodels.stats.multitest import multipletests  # takes a second to import

    return np.apply_along_axis(lambda family: multipletests(family, method=_OF_STATSMODELS[method])[1], -1, values)
