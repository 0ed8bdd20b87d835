"""From which gain on are differences usually statistically significant on a test set? Confidence against gain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.all_pairs import ComparedPairs
from reportkit.calibration.streams import stream
from reportkit.calibration.system_bootstrap import FEWEST_SYSTEMS, pair_multiplicities
from reportkit.errors import SettingsError, UnknownNameError

WINDOW = (0.04, 0.06)
FEWEST_PAIRS = 20
"""With fewer pairs in the window, no threshold is given."""

_QUANTILE = 95.0
ALL, SAME, DIFFERENT = "all", "same family", "different families"


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
    window: tuple[float, float]

    @property
    def label(self) -> str:
        """What a figure prints beside the line, or why there is none."""
        if self.threshold is None:
            return f"no threshold: {self.n_in_window} pairs with p in [{self.window[0]:g}, {self.window[1]:g}]"
        return f"{self.n_in_window} pairs"


def gain_thresholds(
    pairs: ComparedPairs,
    *,
    families: Mapping[str, str] | None = None,
    window: tuple[float, float] = WINDOW,
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
        across families beside that of all pairs.
    window : tuple of float
        P-values that count as .05.
    level : float
        Of the interval.
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
    SettingsError
        If the window makes no sense.

    Notes
    -----
    Berg-Kirkpatrick et al. (2012), "An empirical investigation of statistical significance in NLP", section 3.1. A rule
    of thumb for similar systems on this test set; it replaces no test, and shrinks with 1 / sqrt(n).
    """
    if not 0 < window[0] < window[1] <= 1:
        raise SettingsError(f"window is {window!r}", remedy="give two p-values, such as (0.04, 0.06)")
    return tuple(
        _threshold(pairs, group, members, window, level, n_resamples, seed)
        for group, members in pair_groups(pairs, families).items()
    )


def pair_groups(pairs: ComparedPairs, families: Mapping[str, str] | None) -> dict[str, NDArray[np.bool_]]:
    """All pairs, and with families those within one and those across two; each an array of shape (n_pairs,)."""
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
    window: tuple[float, float],
    level: float,
    n_resamples: int,
    seed: int,
) -> GainThreshold:
    near = members & (pairs.p_values >= window[0]) & (pairs.p_values <= window[1])
    gains = pairs.gains[near]
    enough = gains.size >= FEWEST_PAIRS
    resampled, tried = np.empty(0), enough and len(pairs.systems) >= FEWEST_SYSTEMS
    if tried:
        rng = stream(seed, "gain threshold", pairs.dataset, pairs.metric, group)
        resampled = _resampled(pairs, near, n_resamples, rng)
    low = high = None
    if resampled.size > n_resamples / 2:
        low, high = (float(end) for end in np.percentile(resampled, [50 * (1 - level), 50 * (1 + level)]))
    return GainThreshold(
        group=group,
        threshold=float(np.percentile(gains, _QUANTILE)) if enough else None,
        n_in_window=int(gains.size),
        n_pairs=int(members.sum()),
        low=low,
        high=high,
        level=level,
        n_resamples=n_resamples,
        n_left_out=n_resamples - int(resampled.size) if tried else 0,
        window=window,
    )


def _resampled(
    pairs: ComparedPairs, near: NDArray[np.bool_], n_resamples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Thresholds of resamples of the systems that have enough pairs in the window."""
    first, second = np.minimum(pairs.winner, pairs.loser)[near], np.maximum(pairs.winner, pairs.loser)[near]
    gains, found = pairs.gains[near], []
    for block in pair_multiplicities(len(pairs.systems), first, second, n_resamples=n_resamples, rng=rng):
        found += [np.percentile(np.repeat(gains, row), _QUANTILE) for row in block if row.sum() >= FEWEST_PAIRS]
    return np.array(found, dtype=np.float64)
