"""One closed test over several claims: counts and names of all of them, together at one level.

Each claim has a p-value on each of its datasets. Datasets are independent of each other; claims are not, as they share
systems. A set of hypotheses that holds some of m claims is tested by Bonferroni over these claims: it is rejected at
level alpha if m times the p-value of "fisher-bonferroni" within one of them is at most alpha. The closed test (Marcus,
Peritz and Gabriel 1976) rejects a set if it and all sets that contain it are rejected.

It needs no search. A set without claim c is not rejected if each of its m - 1 claims has a part whose local p-value is
above alpha / m. The largest that claim j has is g_j, the p-value of "better on all of its datasets" (p*_N of
`partial_conjunction`). With the g of the other claims in descending order, g_(1), g_(2), ..., what has the p-value x in
the closed test of claim c alone has

    max(x, max over m >= 2 of m min(x, g_(m - 1)))

in that of the family. This is Holm's procedure over claims, in which a claim leaves the family once it is shown on all
of its datasets; with one dataset for each claim it is Holm's procedure itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reportkit.replicability.multiple_testing.closed_testing import Subset, closed_p_values, discoveries
from reportkit.replicability.multiple_testing.fisher_bonferroni import smallest_needed
from reportkit.replicability.multiple_testing.p_values import FloatArray, rejection_level
from reportkit.replicability.multiple_testing.partial_conjunction import partial_conjunction

METHOD = "fisher-bonferroni"
"""The combination that tests the datasets of one claim."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointClaim:
    """One claim in the closed test of its family.

    Parameters
    ----------
    p_values : ndarray of shape (n_datasets,)
        One-sided, of this claim.
    others : ndarray of shape (n_claims - 1,)
        The g of the other claims, in descending order.
    times : int
        By what all p-values are multiplied: 2 where each direction is tested at half the level.
    gate : float
        This claim is tested only if everything before it is rejected: the largest adjusted p-value of that.
    """

    p_values: FloatArray
    others: FloatArray
    times: int = 1
    gate: float = 0.0

    @property
    def adjusted(self) -> FloatArray:
        """Adjusted p-values of the datasets: name those at most alpha."""
        return self._in_family(closed_p_values(self.p_values))

    @property
    def curve(self) -> FloatArray:
        """p*_u for u = 1..N: the claim holds on at least as many datasets as there are at most alpha."""
        return self._in_family(partial_conjunction(self.p_values, METHOD))

    def needed(self, alpha: float) -> float:
        """Largest p-value that names a dataset at this level, whatever the other p-values are."""
        return smallest_needed(self.p_values.size, alpha / self.times / (self.others.size + 1))

    def discoveries(self, subset: Subset, alpha: float) -> int:
        """Lower bound for the number of datasets of a subset on which the claim is true, at one of the levels."""
        level = rejection_level(alpha) / self.times
        if self.gate > level:
            return 0
        present = np.arange(2, self.others.size + 2)
        still = present[present * self.others > level]
        return discoveries(self.p_values, subset, alpha / self.times / (still.max() if still.size else 1), METHOD)

    def _in_family(self, found: FloatArray) -> FloatArray:
        above = self.others.size - np.searchsorted(self.others[::-1], found)  # other claims with g >= x
        products = np.append(np.arange(2, self.others.size + 2) * self.others, 0.0)
        beyond = np.maximum.accumulate(products[::-1])[::-1]  # the largest from each claim on
        joint = np.maximum(np.maximum((above + 1) * found, beyond[above]), self.gate)
        return np.asarray(np.minimum(self.times * joint, 1.0))


def joint_closed_test(
    p_values: Sequence[FloatArray], *, times: int = 1, after: Sequence[JointClaim] = ()
) -> tuple[JointClaim, ...]:
    """Close the family of several claims.

    Parameters
    ----------
    p_values : sequence of ndarray
        Of each claim, one-sided p-values in (0, 1] of independent datasets. Claims may depend on each other.
    times : int
        2 where this family is tested at half the level.
    after : sequence of JointClaim
        Claims of the primary metric, which all have to be rejected first on a dataset (serial
        gatekeeping). If none of their hypotheses is wrongly rejected, the gate opens only if none is true; so the
        families hold together at one level.

    Returns
    -------
    tuple of JointClaim
        In the same order.

    Examples
    --------
    Two claims on three datasets each:

    >>> first, second = joint_closed_test([np.array([0.001, 0.01, 0.02]), np.array([0.02, 0.3, 0.7])])
    >>> first.adjusted.round(4).tolist(), second.adjusted.round(4).tolist()
    ([0.002, 0.02, 0.04], [0.0816, 0.5517, 0.7])
    >>> int((first.curve <= 0.05).sum()), first.discoveries([1, 2], 0.05)
    (3, 2)
    """
    every = np.array([float(partial_conjunction(values, METHOD)[-1]) for values in p_values])
    order = np.argsort(-every, kind="stable")
    descending = every[order]
    place = np.empty(order.size, dtype=np.int64)
    place[order] = np.arange(order.size)
    gate = max((float(replace(claim, times=1).adjusted.max()) for claim in after), default=0.0)
    return tuple(
        JointClaim(p_values=values, others=np.delete(descending, place[index]), times=times, gate=gate)
        for index, values in enumerate(p_values)
    )
