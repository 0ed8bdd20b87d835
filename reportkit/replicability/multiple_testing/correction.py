"""How several metrics share the level, and the closed test of several claims.

Several metrics: which hypotheses are tested first, and how the level is passed on from the primary metric.

| gatekeeping | level alpha                                      | a secondary metric is tested on a dataset          |
|-------------|--------------------------------------------------|----------------------------------------------------|
| none        | Holm over all hypotheses of all metrics          | always                                             |
| serial      | Holm over the primary metric, then the others    | if every hypothesis of the primary one is rejected |
| by-dataset  | starts at the primary metric, passed on as below | if the primary one is rejected on this dataset     |
| exploratory | Holm over each metric by itself                  | always; only the primary metric is confirmatory    |

By dataset, a rejected hypothesis of the primary metric gives half of its level to the primary metric elsewhere and half
to the other metrics on the same dataset; these pass on among themselves what they have, and give it back to the primary
metric elsewhere when all of them are rejected (the successive procedures of Maurer, Glimm and Bretz 2011; with three
datasets and two metrics nearly the graph of Bretz, Maurer and Hommel 2011). "None" is the default where several metrics
are named: it needs no order among them, and everything marked holds together.

Except for "exploratory", the probability of one or more false rejections in all metrics together is at most alpha under
any dependence: each procedure is a graph of Bretz et al. (2009). Therefore, in each comparison
and metric, the number of datasets that are rejected is a lower bound for the number on which the claim is true, and all
these bounds hold together: a set of rejected hypotheses holds a true null hypothesis with probability at most alpha.
The bound is that of closed testing itself. At the end the hypotheses that are left are not rejected by their own
weighted Bonferroni test, so that no closed test can say of any set more than how many of it are rejected (Goeman and
Solari 2011).

Where datasets are independent, closed tests take the place of Holm's, but with "by-dataset": see `JointClaim`.

Fisher's combination by itself counts without naming. Where the level is passed on with names it has none to pass on or
to receive, and a count by it is not given ("serial", "by-dataset"); elsewhere it has its share of the level.

References
----------
Bretz, Maurer, Brannath and Posch (2009), "A graphical approach to sequentially rejective multiple test procedures";
Maurer, Glimm and Bretz (2011), "Multiple and repeated testing of primary, coprimary, and secondary hypotheses"; Bretz,
Maurer and Hommel (2011), "Test and power considerations for multiple endpoint analyses using sequentially rejective
graphical procedures"; Dmitrienko, Wiens, Tamhane and Wang (2007), "Tree-structured gatekeeping tests in clinical trials
with hierarchically ordered multiple objectives".
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import InputError
from reportkit.language import counted
from reportkit.replicability.multiple_testing.combination import FloatArray, smallest_needed
from reportkit.replicability.multiple_testing.partial_conjunction import (
    Subset,
    closed_p_values,
    discoveries,
    partial_conjunction,
)
from reportkit.settings import Gatekeeping
from reportkit.significance.outcome import rejection_level, step_down

METHOD = "fisher-bonferroni"
"""The combination that tests the datasets of one claim."""

Correction = Literal["Holm", "graph", "closed testing", "max-T"]
"""Corrections: Holm's, the graphical one of Bretz et al. (2009), closed testing, the maximum statistic."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointClaim:
    """One claim in the closed test of its family, for counts and names of all claims together at one level.

    Each claim has a p-value on each of its datasets. Datasets are independent of each other; claims are not, as they
    share systems. A set of hypotheses that holds some of m claims is tested by Bonferroni over these claims: it is
    rejected at level alpha if m times the p-value of "fisher-bonferroni" within one of them is at most alpha.

    It needs no search. A set without claim c is not rejected if each of its m - 1 claims has a part whose local p-value
    is above alpha / m. The largest that claim j has is g_j, the p-value of "better on all of its datasets" (p*_N of
    `partial_conjunction`). With the g of the other claims in descending order, g_(1), g_(2), ..., what has p-value x in
    the closed test of claim c alone has max(x, max over m >= 2 of m min(x, g_(m - 1))) in that of the family. This is
    Holm's procedure over claims, in which a claim leaves the family once it is shown on all of its datasets.

    Parameters
    ----------
    p_values : ndarray of shape (n_datasets,)
        One-sided, of this claim.
    others : ndarray of shape (n_claims - 1,)
        The g of the other claims, in descending order.
    times : int
        Factor of all p-values: 2 where each direction is tested at half the level.
    gate : float
        This claim is tested only if everything before it is rejected: the largest adjusted p-value of that.
    """

    p_values: FloatArray
    others: FloatArray
    times: int = 1
    gate: float = 0.0

    @property
    def adjusted(self) -> FloatArray:
        """Return the adjusted p-values of the datasets: name those at most alpha."""
        return self._in_family(closed_p_values(self.p_values))

    @property
    def curve(self) -> FloatArray:
        """Return p*_u for u = 1..N: the p-value of "the claim holds on at least u datasets"."""
        return self._in_family(partial_conjunction(self.p_values, METHOD))

    def needed(self, alpha: float) -> float:
        """Return the largest p-value that names a dataset at this level, whatever the other p-values are."""
        return smallest_needed(self.p_values.size, alpha / self.times / (self.others.size + 1))

    def discoveries(self, subset: Subset, alpha: float) -> int:
        """Return the least number of datasets of a subset on which the claim is true, at one of the levels."""
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
        Claims of the primary metric, which all have to be rejected first on all datasets (serial
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


def gate(
    p_values: Sequence[FloatArray], units: Sequence[Sequence[Hashable]], gatekeeping: Gatekeeping
) -> tuple[FloatArray, ...]:
    """Return the adjusted p-values of several metrics.

    Parameters
    ----------
    p_values : sequence of ndarray
        One-sided p-values in (0, 1] of each metric, the primary metric first.
    units : sequence of sequence of hashable
        Of the same lengths: what a hypothesis is about besides the metric, such as a claim and a dataset; each unit at
        most once in a metric. Needed by dataset alone.
    gatekeeping : {"serial", "by-dataset", "exploratory"}
        See the table of this module.

    Returns
    -------
    tuple of ndarray
        Of the same lengths. For "by-dataset" in O(m log m) for m hypotheses.

    Raises
    ------
    InputError
        If, by dataset, a secondary metric has a unit that the primary one does not have.

    Examples
    --------
    Two metrics on three datasets. The second is tested where the first is rejected:

    >>> p_values = np.array([0.001, 0.01, 0.4]), np.array([0.002, 0.2, 0.0001])
    >>> datasets = [["a", "b", "c"]] * 2
    >>> [metric.round(4).tolist() for metric in gate(p_values, datasets, "by-dataset")]
    [[0.003, 0.02, 0.56], [0.012, 0.56, 0.56]]
    >>> [metric.round(4).tolist() for metric in gate(p_values, datasets, "exploratory")]
    [[0.003, 0.02, 0.4], [0.004, 0.2, 0.0003]]
    """
    if gatekeeping == "exploratory":
        return tuple(step_down(values) for values in p_values)
    if gatekeeping == "by-dataset":
        return _by_dataset(p_values, units)
    first = step_down(p_values[0])
    others = np.split(step_down(np.concatenate(p_values[1:])), _ends(p_values[1:])) if len(p_values) > 1 else []
    return (first, *(np.maximum(first.max(), values) for values in others))


def divisors(sizes: Sequence[int], gatekeeping: Gatekeeping) -> tuple[int, ...]:
    """Return the number that divides the level where a hypothesis of each metric is tested first.

    Parameters
    ----------
    sizes : sequence of int
        Number of hypotheses of each metric, the primary one first.
    gatekeeping : {"serial", "by-dataset", "exploratory"}
        See the table of this module.
    """
    if gatekeeping == "exploratory":
        return tuple(sizes)
    n, others = sizes[0], len(sizes) - 1
    if gatekeeping == "serial":
        return n, *(sum(sizes[1:]),) * others
    return n, *(others if n == 1 else 2 * n * others,) * others


def _ends(p_values: Sequence[FloatArray]) -> NDArray[np.intp]:
    """Return where the p-values of each metric but the last one end, if they are put one after the other."""
    return np.cumsum([values.size for values in p_values])[:-1]


def _places(units: Sequence[Sequence[Hashable]]) -> NDArray[np.int64]:
    """Return the position of each unit among those of the primary metric, metric by metric."""
    position = {unit: index for index, unit in enumerate(units[0])}
    lacking = [unit for names in units[1:] for unit in names if unit not in position]
    if lacking:
        raise InputError(
            f"the primary metric has no p-value for {lacking[0]!r}, which another metric has",
            where=counted(len(lacking), "hypothesis", "hypotheses"),
            remedy="choose another primary metric, leave these datasets out, or use gatekeeping='none' "
            "(--gatekeeping none)",
        )
    return np.array([position[unit] for names in units for unit in names], dtype=np.int64)


def _by_dataset(p_values: Sequence[FloatArray], units: Sequence[Sequence[Hashable]]) -> tuple[FloatArray, ...]:
    r"""Return the adjusted p-values by the closed form of the weights.

    All units are alike, so that a state is told by counts: of the n primary hypotheses, `open_units` are rejected with
    r > 0 secondary ones left, `done_units` with none left. A walk starts at each primary hypothesis with probability
    1/n; from an open one it goes to the others with probability 1/2, from a done one with probability 1. If v is the
    expected number of visits at one that is not rejected, the balance of visits gives

        v = (2n - 1) / D,   D = n (2n - 1) - n open_units - (2n - 1) done_units,

    and (n - 1) / (D r) for each of the r secondary hypotheses of an open unit. For n = 1 these have 1/r.
    """
    places = _places(units)
    values = np.concatenate(p_values)
    n = p_values[0].size
    secondary: list[list[int]] = [[] for _ in range(n)]
    for index in sorted(range(n, values.size), key=lambda index: -float(values[index])):
        secondary[places[index]].append(index)
    waiting = [int(index) for index in np.argsort(-values[:n], kind="stable")]
    ready: list[tuple[float, int]] = []
    adjusted = np.empty_like(values)
    open_units = done_units = 0
    largest = 0.0
    while waiting or ready:
        scale = float(n * (2 * n - 1) - n * open_units - (2 * n - 1) * done_units)
        first = values[waiting[-1]] * scale / (2 * n - 1) if waiting else np.inf
        second = (ready[0][0] * scale / (n - 1) if n > 1 else ready[0][0]) if ready else np.inf
        largest = max(largest, min(1.0, float(min(first, second))))
        if first <= second:
            index = waiting.pop()
            unit = int(places[index])
            open_units += 1
        else:
            unit = heapq.heappop(ready)[1]
            index = secondary[unit].pop()
        adjusted[index] = largest
        if secondary[unit]:
            heapq.heappush(ready, (float(values[secondary[unit][-1]]) * len(secondary[unit]), unit))
        else:
            open_units, done_units = open_units - 1, done_units + 1
    return tuple(np.split(adjusted, _ends(p_values)))


FamilyDesign = Literal["declared", "both", "baselines", "all-pairs", "separate"]
