"""Holm's procedure: the datasets on which A is better than B, by name."""

from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.replicability.multiple_testing.p_values import FloatArray, check_p_values, rejection_level
from reportkit.replicability.multiple_testing.partial_conjunction import partial_conjunction


@overload
def holm(p_values: ArrayLike, alpha: None = None) -> FloatArray: ...
@overload
def holm(p_values: ArrayLike, alpha: float) -> NDArray[np.bool_]: ...
def holm(p_values: ArrayLike, alpha: float | None = None) -> FloatArray | NDArray[np.bool_]:
    """Holm-adjusted p-values; with a level, which null hypotheses are rejected at it.

    A dataset may be named at level alpha if its adjusted p-value is at most alpha. The probability that one or more of
    the named datasets are named wrongly is at most alpha, whatever the dependence between the datasets.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        P-values in (0, 1], in any order along the last axis: one family for each index of the leading axes.
    alpha : float, optional
        Level, strictly between 0 and 1. An adjusted p-value counts as at most alpha up to alpha + 1e-12, for rounding.

    Returns
    -------
    ndarray of shape (..., n_datasets)
        In the order given. Without `alpha` the adjusted p-values, in (0, 1]; with it an array of bool, true where the
        adjusted p-value is at most alpha. Equal p-values are adjusted to equal p-values.

    Raises
    ------
    InputError
        If a p-value is not in (0, 1], or is not a number.
    SettingsError
        If alpha is not strictly between 0 and 1.

    See Also
    --------
    k_hat : by "bonferroni" it is the number of datasets that Holm names, at every level.
    adjusted_p_values : the same, Hochberg, Hommel and false discovery rates.

    Notes
    -----
    The adjusted p-value of the u-th smallest p-value is max over j <= u of min(1, (N - j + 1) p_(j)): the running
    maximum of the partial conjunction p-values by Bonferroni, and it is computed as such. That is why the two numbers
    agree.
    A rejection says nothing of the direction unless the p-values are one-sided.

    References
    ----------
    Holm (1979), "A simple sequentially rejective multiple test procedure"; Dror et al. (2017), "Replicability analysis
    for natural language processing", section 4.3.

    Examples
    --------
    Mate against Redshift on seven genres (Dror et al. 2017, Table 2); the third is named:

    >>> p_values = [0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823]
    >>> holm(p_values).round(4).tolist()
    [0.4115, 0.4115, 0.0322, 0.2256, 0.4115, 0.4115, 0.4115]
    >>> holm(p_values, alpha=0.05).nonzero()
    (array([2]),)
    """
    values = check_p_values(p_values)
    level = None if alpha is None else rejection_level(alpha)
    order = np.argsort(values, axis=-1, kind="stable")
    adjusted = np.empty_like(values)
    np.put_along_axis(adjusted, order, partial_conjunction(values, "bonferroni"), axis=-1)
    return adjusted if level is None else adjusted <= level
