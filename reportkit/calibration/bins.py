"""Does the system that wins with p near .05 really score better? By bins of p-values, within a dataset and across."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc
from scipy.stats import binom

from reportkit.calibration.pairs import (
    ComparedPairs,
    Floats,
    RowTest,
    row_p_values,
    signs,
    unit_scores,
)
from reportkit.calibration.plan import StudyPlan, check_number, stream
from reportkit.calibration.shares import FEWEST_SYSTEMS, Proportion, pair_multiplicities, percentile_ends
from reportkit.errors import DesignError, SettingsError
from reportkit.scores.scores import Scores
from reportkit.significance.outcome import rejection_level

Ints = NDArray[np.int64]

EDGES: tuple[float, ...] = (0.0, *(0.00125 * 2**k for k in range(7)))
"""Bins (0, .00125], (.00125, .0025], (.0025, .005], ..., (.04, .08]."""

FEWEST_HITS = 20
"""Bins with fewer p-values are hidden."""

ENOUGH_HITS = 200
"""The simulation ends when every bin holds this many p-values."""

_FEWEST_TEST_SETS = 50
"""All pairs share a test set: with many systems, a few test sets would fill the bins and decide the shares."""

_SMALLEST_SET = 10
_MOST_PAIRS = 500
"""Largest number of pairs compared on one test set; of more, random ones are taken, as further ones add little."""

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """P-values of one bin, and how often the winner was the better system.

    Parameters
    ----------
    low, high : float
        Ends; the lower one is not in the bin.
    share : Proportion
        Of the test sets with a p-value in the bin, the share whose winner was better on all data.
    n_pairs : int
        Pairs of systems that they come from.
    interval : tuple of float or None
        By bootstrap over systems, never narrower than Wilson's for this number of pairs; None for under six systems.
    """

    low: float
    high: float
    share: Proportion
    n_pairs: int
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BinCalibration:
    """Calibration table by bins of p-values.

    Parameters
    ----------
    dataset, metric, test : str
        What was simulated.
    bins : tuple of Bin
        Bins with at least 20 p-values.
    hidden : tuple of (float, float, int)
        Ends and numbers of p-values of the other bins.
    n_systems, n_pairs, n_units : int
        Systems, pairs that differ on all data, independent units that stand for the population.
    test_size : int
        Units m of each test set, drawn with replacement.
    n_tests : int
        P-values that were computed, inside the bins or not.
    seed : int
        Seed of the simulation.
    """

    dataset: str
    metric: str
    test: str
    bins: tuple[Bin, ...]
    hidden: tuple[tuple[float, float, int], ...]
    n_systems: int
    n_pairs: int
    n_units: int
    test_size: int
    n_tests: int
    seed: int


def bin_calibration(
    block: Scores, *, test: RowTest = "paired-bootstrap", n_resamples: int = 999, plan: StudyPlan | None = None
) -> BinCalibration:
    """Draw small test sets from a dataset, compare all pairs of systems on each, and see who is right.

    The dataset stands for the population: the better system is the one that scores better on all of it. Pairs that
    score the same there are left out. Each test set is the same for all pairs; if there are more than 500, 500 random
    ones are compared on it. The simulation ends when each bin holds 200 p-values from 50 test sets or more, or after
    `max_tests`.

    Parameters
    ----------
    block : Scores
        One dataset with two systems or more, best with many.
    test : {"paired-bootstrap", "sign-flip"}
        Test of the mean.
    n_resamples : int
        Resamples for the intervals by bootstrap over systems.
    plan : StudyPlan, optional
        Its `test_size` is the number m of units of a test set, at most a fifth of all, n // 5 if not given; and its
        `max_tests` the most p-values.

    Returns
    -------
    BinCalibration

    Raises
    ------
    SettingsError
        If test sets would hold fewer than ten units or more than a fifth of them: their overlap would flatter the test.
    DesignError
        If there are fewer than two systems, or no two of them differ.

    Notes
    -----
    Table 1 of Berg-Kirkpatrick et al. (2012), "An empirical investigation of statistical significance in NLP". The
    order of each pair is chosen by the test set: p = .05 then belongs to a two-sided level of .10, and the share of
    winners that are better is not 1 - p in any case.
    """
    plan = plan or StudyPlan()
    scores = unit_scores(block)
    n_systems, n_units = scores.shape
    m = n_units // 5 if plan.test_size is None else check_number("test_size", plan.test_size, 1)
    if m < _SMALLEST_SET or m > n_units // 5:
        raise SettingsError(
            f"test sets of {m:,} units cannot be drawn from {n_units:,}",
            where=f"dataset {block.dataset!r}",
            remedy=f"choose a test_size from {_SMALLEST_SET} to {n_units // 5:,}, a fifth of the units"
            if n_units >= 5 * _SMALLEST_SET
            else f"give a dataset of {5 * _SMALLEST_SET} units or more",
        )
    first, second = np.triu_indices(n_systems, 1)
    totals = scores.sum(axis=1)
    truth = signs(totals[first] - totals[second], float(np.abs(scores).sum(axis=1).max(initial=0.0)))
    first, second, truth = first[truth != 0], second[truth != 0], truth[truth != 0]
    if not first.size:
        raise DesignError(
            "no two systems differ on all data",
            where=f"dataset {block.dataset!r}, {n_systems} systems",
            remedy="give results of systems that differ",
        )
    rng = stream(plan.rng, "bins", block.dataset, block.metric)
    hits, right = np.zeros((2, first.size, len(EDGES) - 1), np.int64)
    n_sets, n_tests = 0, 0
    while n_tests < plan.max_tests and (n_sets < _FEWEST_TEST_SETS or hits.sum(axis=0).min() < ENOUGH_HITS):
        drawn, pairs = scores[:, rng.integers(n_units, size=m)], np.arange(first.size)
        if pairs.size > _MOST_PAIRS:
            pairs = rng.choice(pairs, size=_MOST_PAIRS, replace=False)
        p_values, won = _winners(drawn, first[pairs], second[pairs], test)
        number = bin_of(p_values)
        inside = (number < len(EDGES) - 1) & (won != 0)
        hits[pairs[inside], number[inside]] += 1
        inside &= won == truth[pairs]
        right[pairs[inside], number[inside]] += 1
        n_sets, n_tests = n_sets + 1, n_tests + pairs.size
    rows = None
    if n_systems >= FEWEST_SYSTEMS:
        rows = pair_multiplicities(n_systems, first, second, n_resamples, stream(plan.rng, "bins, systems"))
    shown, hidden = [], []
    for place, (low, high) in enumerate(pairwise(EDGES)):
        of_pairs, count = hits[:, place], int(right[:, place].sum())
        if of_pairs.sum() < FEWEST_HITS:
            hidden.append((low, high, int(of_pairs.sum())))
            continue
        n_pairs, level = int(np.count_nonzero(of_pairs)), plan.confidence_level
        share = Proportion(count=count, total=int(of_pairs.sum()), level=level)
        ends = None
        if rows is not None:
            sums = rows @ of_pairs
            resampled = (rows @ right[:, place])[sums > 0] / sums[sums > 0]
            ends = percentile_ends(resampled, level, n_resamples)
        if ends is not None:
            wilson = replace(share, n_independent=n_pairs).interval
            ends = min(ends[0], wilson[0]), max(ends[1], wilson[1])
        shown.append(Bin(low=low, high=high, share=share, n_pairs=n_pairs, interval=ends))
    return BinCalibration(
        dataset=block.dataset,
        metric=block.metric,
        test=test,
        bins=tuple(shown),
        hidden=tuple(hidden),
        n_systems=n_systems,
        n_pairs=int(first.size),
        n_units=n_units,
        test_size=m,
        n_tests=n_tests,
        seed=plan.rng,
    )


def bin_of(p_values: Floats) -> NDArray[np.int64]:
    """Return the number of the bin of each p-value, counted from 0; that of the last bin plus 1 for p-values above .08.

    Examples
    --------
    >>> bin_of(np.array([0.001, 0.00125, 0.002, 0.05, 0.08, 0.5])).tolist()
    [0, 0, 1, 6, 6, 7]
    """
    return np.asarray(np.searchsorted(EDGES[1:], p_values * (1 - 1e-12), side="left"), dtype=np.int64)


def counted_p_values(wins: Ints, losses: Ints, n: int, test: RowTest) -> Floats:
    """Return p-values in favour of the winner, from numbers of wins and losses on n right-or-wrong instances.

    Parameters
    ----------
    wins, losses : ndarray of int of shape (k,)
        Instances on which the winner alone is right, and the loser alone; more wins than losses.
    n : int
        All instances.
    test : {"paired-bootstrap", "sign-flip"}
        As for `row_p_values`. The sum of a resample of n differences is 2 X - K, where K is binomial (n, (w + l) / n)
        and X given K binomial (K, w / (w + l)); p is the probability that it is at least 2 (w - l).

    Examples
    --------
    >>> counted_p_values(np.array([3]), np.array([0]), 100, "paired-bootstrap").round(4)
    array([0.0808])
    """
    differing = wins + losses
    if test == "sign-flip":
        return np.asarray(binom.sf(wins - 1, differing, 0.5))
    middle, spread = differing, 7.0 * np.sqrt(differing * (1 - differing / n)) + 10
    drawn = np.arange(int(2 * spread.max(initial=0.0)) + 1) + np.maximum(0, (middle - spread).astype(np.int64))[:, None]
    needed = (wins - losses)[:, None] + (drawn + 1) // 2  # X >= w - l + K / 2
    possible = needed <= drawn
    share = (wins / differing)[:, None]
    reached = betainc(np.where(possible, needed, 1), np.where(possible, drawn - needed + 1, 1), share)
    return np.asarray((binom.pmf(drawn, n, (differing / n)[:, None]) * np.where(possible, reached, 0.0)).sum(axis=1))


def _winners(drawn: Floats, first: Ints, second: Ints, test: RowTest) -> tuple[Floats, Ints]:
    """Compare pairs on one test set: p-values in favour of the winner, and whether the first one wins (1, -1, 0)."""
    n, scored = drawn.shape[1], drawn - drawn.min()
    if ((scored == 0) | (scored == 1)).all():
        right, common = scored.sum(axis=1).astype(np.int64), (scored @ scored.T).astype(np.int64)[first, second]
        one, other, p_values = right[first] - common, right[second] - common, np.ones(first.size)
        differ = one != other
        counts = np.stack((np.maximum(one, other), np.minimum(one, other)))[:, differ]
        (wins, losses), place = np.unique(counts, axis=1, return_inverse=True)
        p_values[differ] = counted_p_values(wins, losses, n, test)[place.ravel()]
        return p_values, np.sign(one - other)
    differences = drawn[first] - drawn[second]
    p_greater, p_less = row_p_values(differences, test)
    won = signs(differences.sum(axis=1), float(np.abs(drawn).max()) * n)
    return np.where(won > 0, p_greater, p_less), won


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Transfer:
    """Pairs of systems on a source dataset, and who scores better on a target dataset.

    Parameters
    ----------
    source_dataset, target_dataset : str
        Datasets.
    p_values : ndarray of shape (n_pairs,)
        On the source, in favour of the system that scores better there.
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
        """Return the share of pairs with p at most alpha whose winner wins on the target too; None if there is none."""
        chosen = self.p_values <= rejection_level(alpha)
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

    def bins(self) -> tuple[tuple[float, float, Proportion | None, int], ...]:
        """Return for all ordered pairs: ends of each bin, share of winners that win again, number of p-values.

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
    """Count, for every ordered pair of datasets, how often the winner on the first also wins on the second.

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
