"""All pairs of systems on one dataset: who wins, by how much, with which p-value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.block_units import unit_codes
from reportkit.calibration.streams import Progress, silent
from reportkit.errors import DesignError, MissingScoresError, UnknownNameError
from reportkit.null_distributions import draw_tails, flip_tails
from reportkit.scores.choices import Missing
from reportkit.scores.shapes.block import Block
from reportkit.scores.shapes.sample import Sample
from reportkit.settings import Profile
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.choose import choose
from reportkit.significance.plan import ResamplingPlan

Floats = NDArray[np.float64]
RowTest = Literal["paired-bootstrap", "sign-flip"]
"""Tests of the mean that are computed for many rows of differences at once."""

_ROWS = {"paired-bootstrap": draw_tails, "sign-flip": flip_tails}
_PAIRS = 64
_COUNTED = 512  # rows written out at a time
_NO_DIFFERENCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ComparedPairs:
    """All pairs of systems on one dataset, each in the order in which the first one scores better.

    The order is chosen by the data: 1 - p is no confidence of .95 where p is .05, but the level of a two-sided test
    is 2 p.

    Parameters
    ----------
    dataset, metric : str
        Names.
    systems : tuple of str
        All systems.
    winner, loser : ndarray of int of shape (n_pairs,)
        Positions in `systems`. Where both score the same, the one that comes first is called the winner.
    gains : ndarray of shape (n_pairs,)
        Value of the winner minus value of the loser, at least 0.
    p_values : ndarray of shape (n_pairs,)
        One-sided, in favour of the winner.
    tests : tuple of str
        Tests that were used.
    n : int
        Instances of the dataset.
    """

    dataset: str
    metric: str
    systems: tuple[str, ...]
    winner: NDArray[np.int64]
    loser: NDArray[np.int64]
    gains: Floats
    p_values: Floats
    tests: tuple[str, ...]
    n: int

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return int(self.gains.size)


def compared_pairs(
    block: Block,
    *,
    test: str | None = "paired-bootstrap",
    profile: Profile = "recommended",
    missing: Missing = "error",
    n_resamples: int = 9_999,
    seed: int = 0,
    progress: Progress = silent,
) -> ComparedPairs:
    """Compare each system with each other one on a dataset.

    Parameters
    ----------
    block : Block
        One dataset with two systems or more. Runs may stand for systems: `DatasetRuns.matrix()`.
    test : str or None
        Name of a test; the paired bootstrap of Berg-Kirkpatrick et al. (2012) if not given, exact where that is
        possible. None lets the decision table choose for each pair.
    profile, missing, seed, progress
        As for `reportkit.calibration.null.p_values.calibrate`.
    n_resamples : int
        Random resamples of a test that draws them.

    Returns
    -------
    ComparedPairs

    Raises
    ------
    DesignError
        If there is only one system, or if the test does not fit.
    MissingScoresError
        If two systems were scored on different instances and `missing="error"`.

    Examples
    --------
    >>> from reportkit.scores.shapes.paired_scores import DatasetScores
    >>> block = DatasetScores(dataset="cb", metric="f1", systems=("a", "b"), kind="continuous",
    ...                       instances=np.arange(4).astype(object),
    ...                       scores=np.array([[0.1, 0.2, 0.3, 0.4], [0.3, 0.3, 0.5, 0.4]]))
    >>> found = compared_pairs(block, test="sign-flip")
    >>> found.winner, round(float(found.gains[0]), 3), float(found.p_values[0])
    (array([1]), 0.125, 0.125)
    """
    if len(block.systems) < 2:
        raise DesignError(
            "pairs need two systems or more", where=f"dataset {block.dataset!r}", remedy="give results of more systems"
        )
    plan = ResamplingPlan(n_resamples=n_resamples, max_resamples=n_resamples, seed=seed)
    places = list(combinations(range(len(block.systems)), 2))
    winner, gains, p_values = np.empty(len(places), np.int64), np.empty(len(places)), np.empty(len(places))
    tests: set[str] = set()
    for start in range(0, len(places), _PAIRS):
        chosen = places[start : start + _PAIRS]
        samples = [block.pair(block.systems[a], block.systems[b], missing=missing) for a, b in chosen]
        for offset, (name, sample) in enumerate(_ahead(samples, test, profile, plan)):
            outcome = run_test(name, sample, plan)
            better = sample.value_difference >= 0
            index = start + offset
            winner[index] = chosen[offset][0 if better else 1]
            gains[index] = abs(sample.value_difference)
            p_values[index] = outcome.p_greater if better else outcome.p_less
            tests.add(name)
        progress(start + len(chosen), len(places))
    return ComparedPairs(
        dataset=block.dataset,
        metric=block.metric,
        systems=block.systems,
        winner=winner,
        loser=np.array(places, dtype=np.int64).sum(axis=1) - winner,
        gains=gains,
        p_values=p_values,
        tests=tuple(sorted(tests - {"identical"} or tests)),
        n=block.n_instances,
    )


def _ahead(
    samples: list[Sample], test: str | None, profile: Profile, plan: ResamplingPlan
) -> Iterator[tuple[str, Sample]]:
    """Name of the test of each sample, after what can be computed for several at once is computed."""
    names = [
        "identical" if sample.identical else (choose(sample, profile).test if test is None else test)
        for sample in samples
    ]
    for name in dict.fromkeys(names):
        ahead = SIGNIFICANCE_TESTS[name].ahead
        together = [sample for sample, other in zip(samples, names, strict=True) if other == name]
        fits = together[0].shape == SIGNIFICANCE_TESTS[name].shape
        if ahead is not None and fits and len(together) > 1:
            ahead(together, plan)
    yield from zip(names, samples, strict=True)


def unit_scores(block: Block, systems: tuple[str, ...] | None = None) -> Floats:
    """(Weighted) scores of each independent unit, see `unit_codes`, summed; shape (n_systems, n_units).

    Raises
    ------
    DesignError
        If these are not one score per system and instance whose mean means something.
    MissingScoresError
        If a system has no score on some instance.
    """
    matrix = block.matrix()
    if matrix is None or block.shape != "paired" or block.kind == "ordinal":
        raise DesignError(
            "resampling test sets needs one score per system and instance, whose mean says something",
            where=f"dataset {block.dataset!r}: {block.shape}, {block.kind}",
            remedy="give scores of instances; average over the runs first",
        )
    rows = matrix.scores if systems is None else np.stack([matrix.row(system) for system in systems])
    absent = np.isnan(rows)
    if absent.any():
        names = block.systems if systems is None else systems
        worst = int(absent.sum(axis=1).argmax())
        raise MissingScoresError(
            f"{int(absent.sum()):,} scores are missing, and all systems have to be scored on the same instances",
            where=f"dataset {block.dataset!r}; {names[worst]!r} lacks {int(absent[worst].sum()):,}",
            remedy="complete the results, or leave systems out: results.select(systems=[...])",
        )
    if matrix.weights is not None:
        rows = rows * matrix.weights
    codes = unit_codes(block)
    if codes is None:
        return np.asarray(rows)
    return np.array([np.bincount(codes, weights=row) for row in rows])


def row_p_values(differences: Floats, test: RowTest) -> tuple[Floats, Floats]:
    """One-sided p-values of the mean of each row of differences, vectorised over rows.

    Parameters
    ----------
    differences : ndarray of shape (n_rows, n)
        Differences of A minus B.
    test : {"paired-bootstrap", "sign-flip"}
        As for infinitely many resamples.

    Returns
    -------
    (ndarray, ndarray), each of shape (n_rows,)
        In favour of A and of B, in (0, 1]; 1 where all differences are 0. The same in any order of instances.

    Examples
    --------
    >>> row_p_values(np.array([[1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]]), "sign-flip")[0].round(6)
    array([0.125, 1.   ])
    """
    if test not in _ROWS:
        raise UnknownNameError("test of rows", test, _ROWS)
    tails = _ROWS[test](_sorted(differences))
    return tails.greater, tails.less


@dataclass(frozen=True, slots=True, eq=False)
class CountedPValues:
    """P-values of rows of 1, -1 and 0, by how many of each there are; those of one row are computed once.

    Parameters
    ----------
    n : int
        Length of the rows.
    test
        As for `row_p_values`.
    known : dict of int to (float, float)
        Not an argument.

    Examples
    --------
    >>> found = CountedPValues(4, "sign-flip")
    >>> found.of(np.array([3, 0]), np.array([0, 0]))[0].round(6)
    array([0.125, 1.   ])
    """

    n: int
    test: RowTest
    known: dict[int, tuple[float, float]] = field(default_factory=dict, init=False)

    def of(self, wins: NDArray[np.int64], losses: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """What `row_p_values` gives of rows with so many 1 and -1."""
        codes, place = np.unique(wins * (self.n + 1) + losses, return_inverse=True)
        new = np.array([code for code in codes.tolist() if code not in self.known], dtype=np.int64)
        for start in range(0, new.size, _COUNTED):
            some = new[start : start + _COUNTED]
            won, lost = np.divmod(some[:, None], self.n + 1)
            rows: Floats = (np.arange(self.n) >= self.n - won) - (np.arange(self.n) < lost).astype(np.float64)
            found = row_p_values(rows, self.test)
            self.known.update(zip(some.tolist(), zip(*(each.tolist() for each in found), strict=True), strict=True))
        both = np.array([self.known[code] for code in codes.tolist()]).reshape(-1, 2)[place.ravel()]
        return both[:, 0], both[:, 1]


def _sorted(differences: Floats) -> Floats:
    """Each row ascending, without negative zeros; what is right or wrong is sorted as small whole numbers."""
    if np.abs(differences).max(initial=0.0) < np.iinfo(np.int8).max:
        whole = differences.astype(np.int8)
        if np.array_equal(whole, differences):
            return np.sort(whole, axis=1, kind="stable").astype(np.float64)
    return np.asarray(np.sort(differences + 0.0, axis=1))


def signs(differences: Floats, scale: float) -> NDArray[np.int64]:
    """Signs of differences; 0 for those below 1e-12 of a scale, which are the noise of floating-point arithmetic."""
    return np.where(np.abs(differences) <= _NO_DIFFERENCE * scale, 0, np.sign(differences)).astype(np.int64)
