"""Does a win on one dataset foretell a win on another? Calibration across datasets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.all_pairs import ComparedPairs, Floats
from reportkit.calibration.bins import EDGES, FEWEST_HITS, bin_of
from reportkit.calibration.proportion import Proportion
from reportkit.errors import DesignError, UnknownNameError
from reportkit.replicability.multiple_testing.p_values import rejection_level

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Transfer:
    """Pairs of systems on a source dataset, and who scores better on a target dataset.

    Parameters
    ----------
    source_dataset, target_dataset : str
        Datasets.
    p_values : ndarray of shape (n_pairs,)
        On the source, in favour of who scores better there.
    same : ndarray of bool of shape (n_pairs,)
        Whether the same system scores better on the target.
    n_tied : int
        Pairs left out because both score the same on one of the two datasets.
    level : float
        Confidence level of the intervals.
    """

    source_dataset: str
    target_dataset: str
    p_values: Floats
    same: NDArray[np.bool_]
    n_tied: int
    level: float

    def share(self, alpha: float = 0.05) -> Proportion | None:
        """Share of pairs with a p-value of at most alpha whose winner wins on the target too; None if there is none."""
        return self._share(self.p_values <= rejection_level(alpha))

    def bin(self, number: int) -> Proportion | None:
        """The same for the p-values of one bin of `calibration.bins.EDGES`; None if there are fewer than 20."""
        inside = bin_of(self.p_values) == number
        return self._share(inside) if inside.sum() >= FEWEST_HITS else None

    def _share(self, chosen: NDArray[np.bool_]) -> Proportion | None:
        if not chosen.any():
            return None
        return Proportion(count=int(self.same[chosen].sum()), total=int(chosen.sum()), level=self.level)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DomainShift:
    """All ordered pairs of datasets.

    Wilson's intervals take pairs of systems as independent, which they are not: pairs share systems.

    Parameters
    ----------
    metric : str
        Name.
    datasets : tuple of str
        Their names.
    tests : tuple of str
        Tests that were used.
    transfers : tuple of Transfer
        One per ordered pair of datasets.
    """

    metric: str
    datasets: tuple[str, ...]
    tests: tuple[str, ...]
    transfers: tuple[Transfer, ...]

    def transfer(self, source: str, target: str) -> Transfer:
        """From one dataset to another.

        Raises
        ------
        UnknownNameError
            If there is no such pair of datasets.
        """
        for found in self.transfers:
            if (found.source_dataset, found.target_dataset) == (source, target):
                return found
        wrong = source if source not in self.datasets or source == target else target
        raise UnknownNameError("dataset", wrong, [name for name in self.datasets if name != source])

    def bins(self) -> tuple[tuple[float, float, Proportion | None, int], ...]:
        """Over all ordered pairs: ends of each bin, share of winners that win again, number of p-values.

        The share is None, hidden, for fewer than 20 p-values.
        """
        p_values = np.concatenate([found.p_values for found in self.transfers])
        same = np.concatenate([found.same for found in self.transfers])
        numbers, level = bin_of(p_values), self.transfers[0].level
        rows = []
        for number, (low, high) in enumerate(pairwise(EDGES)):
            inside = numbers == number
            total, count = int(inside.sum()), int(same[inside].sum())
            share = Proportion(count=count, total=total, level=level) if total >= FEWEST_HITS else None
            rows.append((low, high, share, total))
        return tuple(rows)


def domain_shift(compared: Sequence[ComparedPairs], *, level: float = 0.95) -> DomainShift:
    """See for every ordered pair of datasets whether who wins on the first one wins on the second one too.

    Parameters
    ----------
    compared : sequence of ComparedPairs
        All pairs on two datasets or more, of one metric; systems that a dataset lacks are left out of its pairs.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DomainShift

    Raises
    ------
    DesignError
        If there are fewer than two datasets, of one metric each once, or two of them have no pair of systems in common.

    Notes
    -----
    Table 1 of Berg-Kirkpatrick et al. (2012), "An empirical investigation of statistical significance in NLP", columns
    out of domain. Scores of the second dataset are measured with error too: the share is one of wins, not of truths.
    """
    by_name = {found.dataset: found for found in compared}
    if len(by_name) < max(2, len(compared)) or len({found.metric for found in compared}) > 1:
        raise DesignError(
            "a shift of domain needs two datasets or more, each once, of one metric",
            where=f"datasets {[found.dataset for found in compared]!r}",
            remedy="select one metric: results.select(metric=...)",
        )
    return DomainShift(
        metric=compared[0].metric,
        datasets=tuple(by_name),
        tests=tuple(sorted({name for found in compared for name in found.tests})),
        transfers=tuple(_transfer(by_name[s], by_name[t], level) for s, t in permutations(by_name, 2)),
    )


def _transfer(source: ComparedPairs, target: ComparedPairs, level: float) -> Transfer:
    better = {
        frozenset((target.systems[w], target.systems[loser])): (target.systems[w], gain > _ROUNDING)
        for w, loser, gain in zip(target.winner, target.loser, target.gains, strict=True)
    }
    p_values, same, n_tied, n_common = [], [], 0, 0
    for w, loser, gain, p in zip(source.winner, source.loser, source.gains, source.p_values, strict=True):
        found = better.get(frozenset((source.systems[w], source.systems[loser])))
        if found is None:
            continue
        n_common += 1
        if gain <= _ROUNDING or not found[1]:
            n_tied += 1
            continue
        p_values.append(float(p))
        same.append(found[0] == source.systems[w])
    if not n_common:
        raise DesignError(
            "two datasets have no pair of systems in common",
            where=f"{source.dataset!r} and {target.dataset!r}",
            remedy="select datasets on which the same systems were scored: results.select(datasets=[...])",
        )
    return Transfer(
        source_dataset=source.dataset,
        target_dataset=target.dataset,
        p_values=np.array(p_values, dtype=np.float64),
        same=np.array(same, dtype=bool),
        n_tied=n_tied,
        level=level,
    )
