"""Does the system that wins with p near .05 really score better? Calibration by bins of p-values, within a domain."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.all_pairs import CountedPValues, Floats, RowTest, row_p_values, signs, unit_scores
from reportkit.calibration.proportion import Proportion
from reportkit.calibration.streams import Progress, check_number, silent, stream
from reportkit.calibration.system_bootstrap import FEWEST_SYSTEMS, pair_multiplicities
from reportkit.errors import DesignError, SettingsError
from reportkit.language.counts_and_lists import counted
from reportkit.scores.shapes.block import Block

EDGES: tuple[float, ...] = (0.0, *(0.00125 * 2**k for k in range(7)))
"""Bins (0, .00125], (.00125, .0025], (.0025, .005], ..., (.04, .08]."""

FEWEST_HITS = 20
"""Bins with fewer p-values are hidden."""

ENOUGH_HITS = 200
"""So many p-values in each bin end the simulation."""

_FEWEST_TEST_SETS = 50
"""All pairs share a test set: with many systems, a few test sets would fill the bins and decide the shares."""

_SMALLEST_SET = 10
_DIFFERENCES = 1 << 20  # held at once

_RESAMPLES = 1_999
"""Where p-values are not exact: their smallest is .0005, well inside the first bin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """P-values of one bin, and how often the winner was the better system.

    Parameters
    ----------
    low, high : float
        Ends; the lower one is not in the bin.
    share : Proportion
        Test sets on which the winner was better on all data, of those whose p-value is in the bin.
    n_pairs : int
        Pairs of systems that they come from.
    interval : tuple of float or None
        By bootstrap over systems, and never narrower than Wilson's for as many pairs; None for fewer than six systems.
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
        Of the simulation.
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

    @property
    def sentence(self) -> str:
        """What was simulated, and which bins are not shown."""
        text = f"{counted(self.n_tests, 'test')} of {counted(self.n_pairs, 'pair')} of {self.n_systems} systems on "
        text += f"test sets of {self.test_size:,} units, drawn with replacement from the {self.n_units:,} of "
        text += f"{self.dataset}, which stand for the population; the share of winners that are better depends on that "
        text += "ratio and on how far apart the systems are."
        if self.hidden:
            text += f" {counted(len(self.hidden), 'bin')} with fewer than {FEWEST_HITS} p-values "
            text += f"{'is' if len(self.hidden) == 1 else 'are'} not shown."
        return text


@dataclass(slots=True)
class _Counts:
    """Per pair and bin, how many p-values there were and how many winners were right; shape (n_pairs, n_bins)."""

    hits: NDArray[np.int64]
    right: NDArray[np.int64]
    of_counts: CountedPValues
    n_tests: int = 0


def bin_calibration(
    block: Block,
    *,
    test: RowTest = "paired-bootstrap",
    test_size: int | None = None,
    max_tests: int = 200_000,
    level: float = 0.95,
    n_resamples: int = 999,
    seed: int = 0,
    progress: Progress = silent,
) -> BinCalibration:
    """Draw small test sets from a dataset, compare all pairs of systems on each, and see who is right.

    The dataset stands for the population: the better system is the one that scores better on all of it. Pairs that
    score the same there are left out. Each test set is the same for all pairs. The simulation ends when each bin holds
    200 p-values from 50 test sets or more, or after `max_tests`.

    Parameters
    ----------
    block : Block
        One dataset with two systems or more, best with many.
    test : {"paired-bootstrap", "sign-flip"}
        Test of the mean.
    test_size : int, optional
        Units m of a test set, at most a fifth of all; n // 5 if not given.
    max_tests : int
        Most p-values.
    level, n_resamples : float, int
        Of the intervals by bootstrap over systems.
    seed : int
        Of everything.
    progress : callable
        Called with (p-values computed, most p-values).

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
    winners that are better is no 1 - p in any case.
    """
    check_number("max_tests", max_tests, 1)
    scores = unit_scores(block)
    n_units = scores.shape[1]
    m = _test_size(block, n_units, test_size)
    first, second = np.triu_indices(len(scores), 1)
    totals = scores.sum(axis=1)
    truth = signs(totals[first] - totals[second], float(np.abs(scores).sum(axis=1).max(initial=0.0)))
    first, second, truth = first[truth != 0], second[truth != 0], truth[truth != 0]
    if not first.size:
        raise DesignError(
            "no two systems differ on all data",
            where=f"dataset {block.dataset!r}, {len(scores)} systems",
            remedy="give results of systems that differ",
        )
    rng = stream(seed, "bins", block.dataset, block.metric)
    n_bins = len(EDGES) - 1
    hits, right = np.zeros((2, first.size, n_bins), np.int64)
    counts = _Counts(hits, right, CountedPValues(m, test))
    n_sets = 0
    while counts.n_tests < max_tests and (n_sets < _FEWEST_TEST_SETS or counts.hits.sum(axis=0).min() < ENOUGH_HITS):
        n_sets += 1
        drawn = scores[:, rng.integers(n_units, size=m)]
        _count(counts, drawn, (first, second), truth)
        progress(min(counts.n_tests, max_tests), max_tests)
    intervals = _intervals(len(scores), first, second, counts, level, n_resamples, stream(seed, "bins, systems"))
    shown, hidden = _bins(counts, intervals, level)
    return BinCalibration(
        dataset=block.dataset,
        metric=block.metric,
        test=test,
        bins=shown,
        hidden=hidden,
        n_systems=len(scores),
        n_pairs=int(first.size),
        n_units=n_units,
        test_size=m,
        n_tests=counts.n_tests,
        seed=seed,
    )


def _test_size(block: Block, n_units: int, test_size: int | None) -> int:
    m = n_units // 5 if test_size is None else check_number("test_size", test_size, 1)
    if m < _SMALLEST_SET or m > n_units // 5:
        raise SettingsError(
            f"test sets of {m:,} units cannot be drawn from {n_units:,}",
            where=f"dataset {block.dataset!r}",
            remedy=f"choose a test_size from {_SMALLEST_SET} to {n_units // 5:,}, a fifth of the units"
            if n_units >= 5 * _SMALLEST_SET
            else f"give a dataset of {5 * _SMALLEST_SET} units or more",
        )
    return m


def bin_of(p_values: Floats) -> NDArray[np.int64]:
    """Number of the bin of each p-value, counted from 0; that of the last bin plus 1 for p-values above .08.

    Examples
    --------
    >>> bin_of(np.array([0.001, 0.00125, 0.002, 0.05, 0.08, 0.5])).tolist()
    [0, 0, 1, 6, 6, 7]
    """
    return np.asarray(np.searchsorted(EDGES[1:], p_values * (1 - 1e-12), side="left"), dtype=np.int64)


def _count(
    counts: _Counts, drawn: Floats, pairs: tuple[NDArray[np.int64], NDArray[np.int64]], truth: NDArray[np.int64]
) -> None:
    """Compare all pairs on one test set, a block of pairs at a time."""
    of_counts = counts.of_counts
    step = max(1, _DIFFERENCES // drawn.shape[1])
    scale = float(np.abs(drawn).max(initial=0.0)) * drawn.shape[1]
    scored = drawn - drawn.min()
    right_or_wrong = bool(((scored == 0) | (scored == 1)).all())
    right = scored.sum(axis=1).astype(np.int64)
    both_right = (scored @ scored.T).astype(np.int64) if right_or_wrong else np.zeros((0, 0), np.int64)
    for start in range(0, truth.size, step):
        block = slice(start, start + step)
        first, second = (each[block] for each in pairs)
        if right_or_wrong:
            common = both_right[first, second]
            p_greater, p_less = of_counts.of(right[first] - common, right[second] - common)
            won = np.sign(right[first] - right[second])
        else:
            differences = drawn[first] - drawn[second]
            p_greater, p_less = row_p_values(differences, of_counts.test)
            won = signs(differences.sum(axis=1), scale)
        number = bin_of(np.where(won > 0, p_greater, p_less))
        rows = np.flatnonzero((number < len(EDGES) - 1) & (won != 0))
        np.add.at(counts.hits, (start + rows, number[rows]), 1)
        correct = rows[won[rows] == truth[block][rows]]
        np.add.at(counts.right, (start + correct, number[correct]), 1)
        counts.n_tests += first.size


def _intervals(
    n_systems: int,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    counts: _Counts,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> list[tuple[float, float] | None]:
    """Percentile intervals of the shares by bootstrap over systems, one per bin."""
    if n_systems < FEWEST_SYSTEMS:
        return [None] * counts.hits.shape[1]
    hits, right = [], []
    for rows in pair_multiplicities(n_systems, first, second, n_resamples=n_resamples, rng=rng):
        hits.append(rows @ counts.hits)
        right.append(rows @ counts.right)
    total, correct = np.concatenate(hits), np.concatenate(right)
    found: list[tuple[float, float] | None] = []
    for column in range(total.shape[1]):
        valid = total[:, column] > 0
        if valid.sum() <= n_resamples / 2:
            found.append(None)
            continue
        shares = correct[valid, column] / total[valid, column]
        low, high = np.percentile(shares, [50 * (1 - level), 50 * (1 + level)])
        found.append((float(low), float(high)))
    return found


def _bins(
    counts: _Counts, intervals: list[tuple[float, float] | None], level: float
) -> tuple[tuple[Bin, ...], tuple[tuple[float, float, int], ...]]:
    shown, hidden = [], []
    for number, (low, high) in enumerate(pairwise(EDGES)):
        hits, right = int(counts.hits[:, number].sum()), int(counts.right[:, number].sum())
        if hits < FEWEST_HITS:
            hidden.append((low, high, hits))
            continue
        n_pairs = int(np.count_nonzero(counts.hits[:, number]))
        share = Proportion(count=right, total=hits, level=level)
        around = intervals[number]
        if around is not None:
            wilson = Proportion(count=right, total=hits, level=level, n_independent=n_pairs).interval
            around = min(around[0], wilson[0]), max(around[1], wilson[1])
        shown.append(Bin(low=low, high=high, share=share, n_pairs=n_pairs, interval=around))
    return tuple(shown), tuple(hidden)
