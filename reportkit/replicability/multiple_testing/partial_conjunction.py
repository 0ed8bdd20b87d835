"""Partial conjunction p-values: A is better than B on at least u of N datasets, for every u."""

import numpy as np
from numpy.typing import ArrayLike

from reportkit.replicability.multiple_testing.combination import COMBINATIONS
from reportkit.replicability.multiple_testing.p_values import FloatArray, check_p_values


def partial_conjunction(p_values: ArrayLike, method: str = "bonferroni", *, running_max: bool = True) -> FloatArray:
    """Partial conjunction p-values for u = 1, 2, ..., N.

    The null hypothesis of p^{u/N} is that the effect is there on fewer than u of the N datasets. It combines the
    N - u + 1 largest p-values. With the running maximum, p*_u = max(p^{1/N}, ..., p^{u/N}), the p-values ascend in u,
    and the number of those that are at most alpha is a lower confidence bound, `k_hat`.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        One-sided p-values in (0, 1] for a declared direction, in any order along the last axis. Leading axes, such as
        the repetitions of a simulation, are kept.
    method : str
        A name in `COMBINATIONS`: "bonferroni" and "geometric" are valid whatever the dependence between the datasets,
        "simes" under positive dependence, "fisher", "fisher-bonferroni", "stouffer" and "tpm" for independent datasets.
    running_max : bool
        Whether to return p*_u (Equation 4) instead of p^{u/N}.

    Returns
    -------
    ndarray of shape (..., n_datasets)
        Entry u - 1 belongs to "at least u of N"; in (0, 1]. Fisher, Stouffer, tpm and geometric give 2.2e-308 for
        anything smaller.

    Raises
    ------
    InputError
        If a p-value is not in (0, 1], or is not a number.
    UnknownNameError
        If there is no such method.

    See Also
    --------
    k_hat : only the number of datasets; much faster for many repetitions.

    Notes
    -----
    The p-value that belongs to a dataset enters through its rank alone: the result says how many, never which. With
    "bonferroni" and the running maximum, entry u - 1 is the Holm-adjusted p-value of the dataset with the u-th smallest
    p-value: with this method the datasets counted are the datasets that may be named (`holm`). With the others fewer
    may be named than are counted, by the closed test of the same method.

    The running maximum is no formality: without it the p-values of "bonferroni", "fisher", "stouffer" and "tpm" need
    not ascend. Those of "simes" do.

    References
    ----------
    Benjamini and Heller (2008), "Screening for partial conjunction hypotheses"; Dror et al. (2017), "Replicability
    analysis for natural language processing", sections 4.1 and 4.2, Equations 2 to 4. See the entries of `COMBINATIONS`
    for the sources of the other rules.

    Examples
    --------
    Mate against Redshift on seven genres (Dror et al. 2017, Table 2):

    >>> p_values = [0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823]
    >>> partial_conjunction(p_values, "fisher").round(4).tolist()
    [0.0003, 0.0036, 0.012, 0.0236, 0.0446, 0.0833, 0.1662]
    >>> partial_conjunction(p_values).round(4).tolist()
    [0.0322, 0.2256, 0.4115, 0.4115, 0.4115, 0.4115, 0.4115]
    """
    combination = COMBINATIONS[method]
    raw = combination.partial_conjunction(np.sort(check_p_values(p_values), axis=-1))
    return np.maximum.accumulate(raw, axis=-1) if running_max else raw
