"""All pairs of systems on one dataset: who wins, by how much, with which p-value; and thresholds of the gain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.plan import stream
from reportkit.calibration.shares import FEWEST_SYSTEMS, pair_multiplicities, percentile_ends
from reportkit.errors import DesignError, MissingScoresError, UnknownNameError
from reportkit.scores.choices import Missing
from reportkit.scores.scores import Scores
from reportkit.settings import Profile
from reportkit.significance.catalogue import entry_for
from reportkit.significance.choose import choose
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.nulls import draw_tails, flip_tails

Floats = NDArray[np.float64]
RowTest = Literal["paired-bootstrap", "sign-flip"]
"""Tests of the mean that are computed for many rows of differences at once."""

_ROWS = {"paired-bootstrap": draw_tails, "sign-flip": flip_tails}
WINDOW = (0.04, 0.06)
FEWEST_PAIRS = 20
"""With fewer pairs in the window, no threshold is given."""

_QUANTILE = 95.0
ALL, SAME, DIFFERENT = "all", "same family", "different families"

_PAIRS = 64
_NO_DIFFERENCE = 1e-12


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ComparedPairs:
    """All pairs of systems on one dataset, each in the order in which the first one scores better.

    As the data choose the order, p = .05 does not mean a confidence of .95: the level of a two-sided test is 2 p.

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
    block: Scores,
    *,
    test: str | None = "paired-bootstrap",
    profile: Profile = "recommended",
    missing: Missing = "error",
    n_resamples: int = 9_999,
    seed: int = 0,
) -> ComparedPairs:
    """Compare each system with each other one on a dataset.

    Parameters
    ----------
    block : Scores
        One dataset with two systems or more. Runs may stand for systems: `Scores.matrix()`.
    test : str or None
        Name of a test; the paired bootstrap of Berg-Kirkpatrick et al. (2012) if not given, exact where that is
        possible. None lets the decision table choose for each pair.
    profile, missing, seed
        As for `reportkit.compare`.
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
    >>> from reportkit.scores.scores import Scores
    >>> block = Scores(dataset="cb", metric="f1", systems=("a", "b"), kind="continuous",
    ...                instances=np.arange(4).astype(object),
    ...                scores=np.array([[0.1, 0.2, 0.3, 0.4], [0.3, 0.3, 0.5, 0.4]]))
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
        names = [
            "identical" if sample.identical else (choose(sample, profile).test if test is None else test)
            for sample in samples
        ]
        for name in dict.fromkeys(names):
            own = [place for place, other in enumerate(names) if other == name]
            outcomes = entry_for(name, samples[own[0]]).run_all([samples[place] for place in own], plan)
            for place, outcome in zip(own, outcomes, strict=True):
                gain, index = samples[place].value_difference, start + place
                winner[index], gains[index] = chosen[place][0 if gain >= 0 else 1], abs(gain)
                p_values[index] = outcome.p_greater if gain >= 0 else outcome.p_less
        tests.update(names)
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


def unit_codes(block: Scores) -> NDArray[np.int64] | None:
    """Return the code of the independent unit of each column of scores, from 0; None if each column stands alone.

    The units are clusters if there are any; of ratings without clusters, the rated instances.
    """
    return block.units()[0]


def unit_scores(block: Scores, systems: tuple[str, ...] | None = None) -> Floats:
    """Return the (weighted) scores of each independent unit, see `unit_codes`, summed; shape (n_systems, n_units).

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
    """Return one-sided p-values of the mean of each row of differences, vectorised over rows.

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


def _sorted(differences: Floats) -> Floats:
    """Sort each row, without negative zeros; what is right or wrong is sorted as small whole numbers."""
    if np.abs(differences).max(initial=0.0) < np.iinfo(np.int8).max:
        whole = differences.astype(np.int8)
        if np.array_equal(whole, differences):
            return np.sort(whole, axis=1, kind="stable").astype(np.float64)
    return np.asarray(np.sort(differences + 0.0, axis=1))


def signs(differences: Floats, scale: float) -> NDArray[np.int64]:
    """Return the signs of differences; 0 for those below 1e-12 of a scale, the noise of floating-point arithmetic."""
    return np.where(np.abs(differences) <= _NO_DIFFERENCE * scale, 0, np.sign(differences)).astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class GainThreshold:
    """The gain above which few pairs have a p-value as large as .05.

    Parameters
    ----------
    group : {"all", "same family", "different families"}
        Which pairs.
    threshold : float or None
        95th percentile of the gains of the pairs in the window; None if there are fewer than 20.
    n_in_window, n_pairs : int
        Pairs with a p-value in the window, and all pairs of the group.
    low, high : float or None
        Interval by bootstrap over systems; None if there is no threshold, fewer than six systems, or too few resamples
        with 20 pairs in the window.
    level : float
        Confidence level.
    n_resamples, n_left_out : int
        Resamples of the systems, and how many of them have fewer than 20 pairs in the window and do not count.
    window : tuple of float
        Both ends of the window of p-values, inclusive.
    """

    group: str
    threshold: float | None
    n_in_window: int
    n_pairs: int
    low: float | None
    high: float | None
    level: float
    n_resamples: int
    n_left_out: int
    window: tuple[float, float] = WINDOW

    @property
    def label(self) -> str:
        """Return what a figure says about the line, or why there is none."""
        if self.threshold is None:
            return f"no threshold: {self.n_in_window} pairs with p in [{self.window[0]:g}, {self.window[1]:g}]"
        return f"{self.n_in_window} pairs"


def gain_thresholds(
    pairs: ComparedPairs,
    *,
    families: Mapping[str, str] | None = None,
    level: float = 0.95,
    n_resamples: int = 999,
    seed: int = 0,
) -> tuple[GainThreshold, ...]:
    """Find the gain above which few pairs of systems have a p-value near .05.

    Parameters
    ----------
    pairs : ComparedPairs
        All pairs on one dataset.
    families : mapping of str to str, optional
        System to family (base model, research group); gives the thresholds of pairs within families and of pairs
        across families next to that of all pairs.
    level : float
        Level of the interval.
    n_resamples, seed : int
        Of the bootstrap over systems.

    Returns
    -------
    tuple of GainThreshold
        For all pairs; with families, for both kinds of pairs too.

    Raises
    ------
    UnknownNameError
        If a system has no family.

    Notes
    -----
    Berg-Kirkpatrick et al. (2012), "An empirical investigation of statistical significance in NLP", section 3.1. A rule
    of thumb for similar systems on this test set; it replaces no test, and shrinks with 1 / sqrt(n).
    """
    return tuple(
        _threshold(pairs, group, members, level, n_resamples, seed)
        for group, members in pair_groups(pairs, families).items()
    )


def pair_groups(pairs: ComparedPairs, families: Mapping[str, str] | None) -> dict[str, NDArray[np.bool_]]:
    """Return all pairs, and with families those within one and those across two; each an array of shape (n_pairs,)."""
    groups = {ALL: np.ones(pairs.n_pairs, dtype=bool)}
    if families is None:
        return groups
    for system in pairs.systems:
        if system not in families:
            raise UnknownNameError("family of system", system, families)
    named = np.array([families[system] for system in pairs.systems], dtype=object)
    same = np.asarray(named[pairs.winner] == named[pairs.loser], dtype=bool)
    return groups | {SAME: same, DIFFERENT: ~same}


def _threshold(
    pairs: ComparedPairs,
    group: str,
    members: NDArray[np.bool_],
    level: float,
    n_resamples: int,
    seed: int,
) -> GainThreshold:
    near = members & (pairs.p_values >= WINDOW[0]) & (pairs.p_values <= WINDOW[1])
    gains, n_systems, ends, n_left_out = pairs.gains[near], len(pairs.systems), None, 0
    enough = gains.size >= FEWEST_PAIRS
    if enough and n_systems >= FEWEST_SYSTEMS:
        rng = stream(seed, "gain threshold", pairs.dataset, pairs.metric, group)
        first, second = np.minimum(pairs.winner, pairs.loser)[near], np.maximum(pairs.winner, pairs.loser)[near]
        rows = pair_multiplicities(n_systems, first, second, n_resamples, rng)
        rows = rows[rows.sum(axis=1) >= FEWEST_PAIRS]
        resampled = np.array([np.percentile(np.repeat(gains, row), _QUANTILE) for row in rows])
        ends, n_left_out = percentile_ends(resampled, level, n_resamples), n_resamples - len(rows)
    return GainThreshold(
        group=group,
        threshold=float(np.percentile(gains, _QUANTILE)) if enough else None,
        n_in_window=int(gains.size),
        n_pairs=int(members.sum()),
        low=None if ends is None else ends[0],
        high=None if ends is None else ends[1],
        level=level,
        n_resamples=n_resamples,
        n_left_out=n_left_out,
    )
