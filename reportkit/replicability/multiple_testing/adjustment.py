"""P-values adjusted for the number of datasets: six procedures, what each claims and what it needs.

The claims differ. A family-wise error rate (FWER) of alpha bounds the probability of even one wrong name in the whole
list; a false discovery rate (FDR) of alpha bounds the expected proportion of wrong names in it. The two are not to be
marked alike in one table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from reportkit.registry import Registry
from reportkit.replicability.multiple_testing.closed_testing import closed_p_values
from reportkit.replicability.multiple_testing.combination import Validity
from reportkit.replicability.multiple_testing.p_values import FloatArray, check_p_values
from reportkit.replicability.multiple_testing.partial_conjunction import holm

Claim = Literal["FWER", "FDR"]

Correction = Literal["Holm", "graph", "closed testing"]
"""Those that comparisons use: Holm's, the graphical one of Bretz et al. (2009), closed testing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjustment:
    """One procedure of adjustment.

    Parameters
    ----------
    name : str
        As the user writes it.
    title : str
        As a report prints it.
    claim : {"FWER", "FDR"}
        Which error rate is at most alpha if the adjusted p-values at most alpha are rejected.
    validity : {"any", "positive dependence (PRDS)", "independent"}
        Dependence between the p-values under which the claim holds.
    citations : tuple of str
        BibTeX keys of the sources.
    adjust : callable
        Adjusted p-values of checked p-values of shape (..., n_datasets).
    """

    name: str
    title: str
    claim: Claim
    validity: Validity
    citations: tuple[str, ...]
    adjust: Callable[[FloatArray], FloatArray]


ADJUSTMENTS: Registry[Adjustment] = Registry("adjustment of p-values")
"""Procedures of adjustment by name."""


def adjusted_p_values(p_values: ArrayLike, method: str = "holm") -> FloatArray:
    """Adjusted p-values: reject where they are at most alpha.

    Parameters
    ----------
    p_values : array_like of shape (..., n_datasets)
        P-values in (0, 1], in any order along the last axis: one family for each index of the leading axes.
    method : str
        A name in `ADJUSTMENTS`. "holm": family-wise error rate under any dependence. "hochberg" and "hommel":
        family-wise error rate, under positive dependence. "benjamini-hochberg": false discovery rate, under positive
        dependence. "benjamini-yekutieli": false discovery rate, under any dependence. "fisher-bonferroni": family-wise
        error rate for independent datasets, by the closed test that `k_hat` and `discoveries` of this name count with.

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
    >>> {name: int((adjusted_p_values(p_values, name) <= 0.05).sum()) for name in ADJUSTMENTS}
    {'holm': 6, 'hochberg': 6, 'hommel': 7, 'benjamini-hochberg': 10, 'benjamini-yekutieli': 6, 'fisher-bonferroni': 6}
    """
    return ADJUSTMENTS[method].adjust(check_p_values(p_values))


def _by_statsmodels(method: str) -> Callable[[FloatArray], FloatArray]:
    def adjust_family(p_values: FloatArray) -> FloatArray:
        from statsmodels.stats.multitest import multipletests  # takes a second to import

        return np.asarray(multipletests(p_values, method=method)[1], dtype=np.float64)

    return lambda p_values: np.apply_along_axis(adjust_family, -1, p_values)


for _entry in (
    Adjustment(
        name="holm",
        title="Holm",
        claim="FWER",
        validity="any",
        citations=("holm1979simple",),
        adjust=holm,
    ),
    Adjustment(
        name="hochberg",
        title="Hochberg",
        claim="FWER",
        validity="positive dependence (PRDS)",
        citations=("hochberg1988sharper",),
        adjust=_by_statsmodels("simes-hochberg"),
    ),
    Adjustment(
        name="hommel",
        title="Hommel",
        claim="FWER",
        validity="positive dependence (PRDS)",
        citations=("hommel1988stagewise",),
        adjust=_by_statsmodels("hommel"),
    ),
    Adjustment(
        name="benjamini-hochberg",
        title="Benjamini–Hochberg",
        claim="FDR",
        validity="positive dependence (PRDS)",
        citations=("benjamini1995controlling", "benjamini2001control"),
        adjust=_by_statsmodels("fdr_bh"),
    ),
    Adjustment(
        name="benjamini-yekutieli",
        title="Benjamini–Yekutieli",
        claim="FDR",
        validity="any",
        citations=("benjamini2001control",),
        adjust=_by_statsmodels("fdr_by"),
    ),
    Adjustment(
        name="fisher-bonferroni",
        title="Closed testing (Fisher–Bonferroni)",
        claim="FWER",
        validity="independent",
        citations=("marcus1976closed", "goeman2011multiple"),
        adjust=closed_p_values,
    ),
):
    ADJUSTMENTS.register(_entry.name, _entry)
