"""A paper's printed claims, recomputed from its printed p-values: what follows from them, and what cannot.

Three columns, never one: what is printed, what follows from the printed p-values taken as they are, and what follows
when a dataset on which the claimed winner scores lower speaks against the claim, as it must.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from reportkit.replicability.multiple_testing.p_values import rejection_level
from reportkit.replicability.multiple_testing.partial_conjunction import holm, k_hat
from reportkit.settings import PrintedReading

METHODS = ("count", "bonferroni", "fisher")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedClaim:
    """What a paper prints about one comparison at one level.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better.
    alpha : float
        Level.
    k_hat : mapping of str to int
        By method: "count", "bonferroni", "fisher"; those that are printed.
    identified : tuple of str or None
        Datasets that the paper marks; None if it marks none at this level.
    """

    system_a: str
    system_b: str
    alpha: float
    k_hat: Mapping[str, int] = field(default_factory=dict)
    identified: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """One comparison at one level: printed, recomputed, direction-respecting.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better.
    alpha : float
        Level.
    n_datasets : int
        Number of datasets.
    printed : PrintedClaim or None
        What the paper prints, if that was given.
    recomputed : mapping of str to int
        k-hat by method from the printed p-values as they are.
    recomputed_low, recomputed_high : mapping of str to int
        The same with every p-value at the lower, and at the upper end of the interval its printed digits stand for.
    identified : tuple of str
        Datasets that Holm's procedure identifies in the printed p-values.
    wrong_direction : tuple of str
        Those of them on which A scores lower than B.
    a_better, b_better : mapping of PrintedReading to mapping of str to int
        k-hat by method for A better, and for B better, each at alpha / 2, for both readings of a p-value whose
        direction the paper does not state.
    """

    system_a: str
    system_b: str
    alpha: float
    n_datasets: int
    printed: PrintedClaim | None
    recomputed: Mapping[str, int]
    recomputed_low: Mapping[str, int]
    recomputed_high: Mapping[str, int]
    identified: tuple[str, ...]
    wrong_direction: tuple[str, ...]
    a_better: Mapping[PrintedReading, Mapping[str, int]]
    b_better: Mapping[PrintedReading, Mapping[str, int]]
    identified_a: tuple[str, ...]
    identified_b: tuple[str, ...]

    @property
    def impossible(self) -> tuple[str, ...]:
        """Methods whose printed k-hat follows from no p-values that round to the printed ones."""
        if self.printed is None:
            return ()
        return tuple(
            method
            for method, value in self.printed.k_hat.items()
            if not self.recomputed_high[method] <= value <= self.recomputed_low[method]
        )

    @property
    def marks_differ(self) -> bool:
        """Whether the paper marks other datasets than Holm's procedure identifies."""
        return (
            self.printed is not None
            and self.printed.identified is not None
            and set(self.printed.identified) != set(self.identified)
        )


def one_sided(
    p_values: NDArray[np.float64], differences: NDArray[np.float64], reading: PrintedReading
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Turn printed p-values into one-sided ones for A better, and for B better.

    Parameters
    ----------
    p_values : ndarray of shape (n_datasets,)
        As printed, in (0, 1].
    differences : ndarray of shape (n_datasets,)
        Printed score of A minus that of B, oriented.
    reading : {"as-printed", "observed-direction", "two-sided"}
        `as-printed`: one-sided for A better; `observed-direction`: one-sided for whichever system scores higher;
        `two-sided`: half of it belongs to the system that scores higher.

    Returns
    -------
    p_a_better, p_b_better : ndarray of shape (n_datasets,)
        In (0, 1]. Where the scores are equal, neither is below one half.

    Examples
    --------
    >>> a, b = one_sided(np.array([0.04, 0.04]), np.array([1.0, -1.0]), "two-sided")
    >>> a.tolist(), b.tolist()
    ([0.02, 0.98], [0.98, 0.02])
    """
    floor = np.finfo(np.float64).smallest_normal
    if reading == "as-printed":
        return p_values, np.maximum(1.0 - p_values, floor)
    observed = p_values / 2 if reading == "two-sided" else p_values
    opposite = np.maximum(1.0 - observed, floor)
    equal = np.maximum(observed, 0.5)
    a = np.where(differences > 0, observed, np.where(differences < 0, opposite, equal))
    b = np.where(differences < 0, observed, np.where(differences > 0, opposite, equal))
    return a, b


def reproduce(
    *,
    system_a: str,
    system_b: str,
    datasets: Sequence[str],
    cells: NDArray[np.float64],
    differences: NDArray[np.float64],
    alpha: float,
    printed: PrintedClaim | None = None,
) -> Reproduction:
    """Recompute what a paper claims from the p-values that it prints.

    Parameters
    ----------
    system_a, system_b : str
        A is claimed to be better.
    datasets : sequence of str
        Names.
    cells : ndarray of shape (n_datasets, 3)
        Lower end, value and upper end of the interval each printed p-value stands for.
    differences : ndarray of shape (n_datasets,)
        Printed score of A minus that of B, oriented.
    alpha : float
        Level.
    printed : PrintedClaim, optional
        What the paper prints.
    """
    low, value, high = (np.clip(column, np.finfo(np.float64).smallest_normal, 1.0) for column in cells.T)
    readings: tuple[PrintedReading, ...] = ("observed-direction", "two-sided")
    sides = {reading: one_sided(value, differences, reading) for reading in readings}
    names = np.array(datasets, dtype=object)
    identified = holm(value) <= rejection_level(alpha)
    conservative_a, conservative_b = sides["observed-direction"]
    return Reproduction(
        system_a=system_a,
        system_b=system_b,
        alpha=alpha,
        n_datasets=len(datasets),
        printed=printed,
        recomputed=_k_hats(value, alpha),
        recomputed_low=_k_hats(low, alpha),
        recomputed_high=_k_hats(high, alpha),
        identified=tuple(names[identified]),
        wrong_direction=tuple(names[identified & (differences <= 0)]),
        a_better={reading: _k_hats(a, alpha / 2) for reading, (a, _) in sides.items()},
        b_better={reading: _k_hats(b, alpha / 2) for reading, (_, b) in sides.items()},
        identified_a=tuple(names[2 * holm(conservative_a) <= rejection_level(alpha)]),
        identified_b=tuple(names[2 * holm(conservative_b) <= rejection_level(alpha)]),
    )


def _k_hats(p_values: NDArray[np.float64], alpha: float) -> dict[str, int]:
    return {method: int(k_hat(p_values, alpha, method)) for method in METHODS}
