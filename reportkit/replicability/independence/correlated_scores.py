"""Whether the scores on two datasets rise and fall together, instance by instance.

Six criteria rated on the same documents look like six datasets; their ids may be running numbers, which recur in
unrelated datasets as well. The scores tell the two apart: over instances that have nothing to do with each other they
are uncorrelated.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc, ndtr

from reportkit.metrics.correlation import midranks
from reportkit.scores.scores import Scores

FALSE_ALARM = 0.001
"""Probability that unrelated datasets are found to be correlated, over all pairs and views together."""

FEWEST_SHARED = 20
HEAVIEST_TAILS = 0.5
"""Largest product of two kurtoses over n; beyond it, a few extreme values that coincide decide."""

_MOST_LAGS = 100
_LAST_NUMBER = re.compile(r"(.*?)(\d+)\D*")

Floats = NDArray[np.float64]


def correlated_datasets(datasets: Sequence[Scores]) -> dict[tuple[int, int], tuple[float, int]]:
    """Find pairs of datasets whose scores are correlated over the instances with the same id, or the same number.

    Two kinds of scores are correlated, as ranks within a dataset: the mean of all systems on an instance (its
    difficulty), and each system's deviation from that mean, which differences between systems consist of.

    Parameters
    ----------
    datasets : sequence of Scores
        Datasets of one metric. Datasets without scores of instances are passed over.

    Returns
    -------
    dict
        From places (i, j), i < j, to the largest correlation found and the number of instances it rests on.

    Notes
    -----
    Null hypothesis: the instances of the two datasets are paired arbitrarily. Then r sqrt(n - 1) has mean 0 and
    variance 1 if instances are in no particular order; where neighbours are alike on both datasets, as in documents or
    in sorted lists, its variance is 1 + 2 sum_k rho_i(k) rho_j(k) (Bartlett 1935, "Some aspects of the time-correlation
    problem in regard to tests of significance", Journal of the Royal Statistical Society 98). Its skewness is the
    product of those of the two samples over sqrt(n), as rare errors coincide more often than normal values; the tail is
    that of a gamma distribution with these three moments. The level, `FALSE_ALARM`, is divided among all pairs and
    views (Bonferroni).
    """
    tables = [(place, table) for place, block in enumerate(datasets) if (table := _by_instance(block)) is not None]
    if len(tables) < 2:
        return {}
    names = sorted({name for _, (keys, _) in tables for name in keys})
    position = {name: index for index, name in enumerate(names)}
    columns = [np.array([position[name] for name in keys], dtype=np.int64) for _, (keys, _) in tables]
    views = _views([(datasets[place].systems, scores) for place, (_, scores) in tables])
    pairs = len(tables) * (len(tables) - 1) // 2
    level = FALSE_ALARM / (2 * len(views) * pairs)
    found: dict[tuple[int, int], tuple[float, int]] = {}
    for view in views:
        r, n, p_values = _correlations(view, columns, len(names))
        for i, j in zip(*np.nonzero(np.triu(p_values <= level, 1)), strict=True):
            pair = (tables[i][0], tables[j][0])
            if abs(r[i, j]) > abs(found.get(pair, (0.0, 0))[0]):
                found[pair] = (float(r[i, j]), int(n[i, j]))
    return dict(sorted(found.items()))


def _by_instance(block: Scores) -> tuple[list[tuple[int, str]], Floats] | None:
    """Return the keys of the instances, and scores of shape (n_systems, n_instances), NaN where there is none."""
    scores = block.averaged().measured()
    if scores is None:
        return None
    if scores.ndim > 2:
        scores = scores.mean(axis=2)
    ids = [str(name) for name in block.instances]
    numbered = [_LAST_NUMBER.fullmatch(name) for name in ids]
    if all(match is not None for match in numbered):
        keys = [(int(match[2]), "") for match in numbered if match is not None]
        if len(set(keys)) == len(keys):
            return keys, scores
    return [(0, name) for name in ids], scores


def _views(tables: Sequence[tuple[tuple[str, ...], Floats]]) -> list[list[Floats]]:
    """Return the mean over systems, and each system's deviation from it: a row per dataset, NaN where unknown."""
    rows_of: list[Floats] = []
    for _, scores in tables:
        known = ~np.isnan(scores)
        rows_of.append(np.where(known.any(axis=0), np.where(known, scores, 0.0).sum(axis=0), np.nan))
        rows_of[-1] /= np.maximum(known.sum(axis=0), 1)
    views = [rows_of]
    systems = sorted({name for names, _ in tables for name in names})
    views.extend(
        [
            scores[names.index(name)] - mean if name in names else np.full(mean.size, np.nan)
            for (names, scores), mean in zip(tables, rows_of, strict=True)
        ]
        for name in (systems if len(systems) > 2 else systems[:1])  # of two systems, the deviations differ only in sign
    )
    return views


def _correlations(
    view: Sequence[Floats], columns: Sequence[NDArray[np.int64]], n_names: int
) -> tuple[Floats, Floats, Floats]:
    """Return correlations, numbers of shared instances and p-values, each of shape (n_datasets, n_datasets)."""
    z = np.zeros((len(view), n_names))
    present = np.zeros((len(view), n_names))
    lags = np.zeros((len(view), _MOST_LAGS))
    skewness, kurtosis = np.zeros(len(view)), np.zeros(len(view))
    for index, (values, places) in enumerate(zip(view, columns, strict=True)):
        known = np.flatnonzero(~np.isnan(values))
        order = known[np.argsort(places[known])]
        ranks = midranks(values[order])
        if not known.size or ranks.min() == ranks.max():
            continue
        ranks = (ranks - ranks.mean()) / ranks.std()
        z[index, places[order]], present[index, places[order]] = ranks, 1.0
        lags[index], skewness[index], kurtosis[index] = _autocorrelation(ranks), (ranks**3).mean(), (ranks**4).mean()
    n = present @ present.T
    sums, squares = z @ present.T, np.square(z) @ present.T
    shared = np.maximum(n, 1.0)
    spread = np.maximum(squares - sums * sums / shared, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (z @ z.T - sums * sums.T / shared) / np.sqrt(spread * spread.T)
    r = np.where((n >= FEWEST_SHARED) & np.isfinite(r), r, 0.0)
    inflation = np.maximum(1.0, 1.0 + 2.0 * lags @ lags.T)
    statistic = r * np.sqrt(np.maximum(n - 1.0, 0.0) / inflation)
    p_values = _tail(statistic, np.multiply.outer(skewness, skewness) / np.sqrt(shared))
    return r, n, np.where(np.multiply.outer(kurtosis, kurtosis) <= HEAVIEST_TAILS * n, p_values, 1.0)


def _tail(z: Floats, skewness: Floats) -> Floats:
    """Return P(X > z), or P(X < z) for negative z, of a variable with mean 0, variance 1 and this skewness."""
    heavier = np.sign(z) * skewness  # the other tail is lighter than the normal one, which bounds it
    shape = 4.0 / np.square(np.maximum(heavier, 1e-3))
    gamma = gammaincc(shape, np.maximum(shape + np.abs(z) * np.sqrt(shape), 0.0))
    return np.asarray(np.where(heavier > 1e-3, gamma, ndtr(-np.abs(z))))


def _autocorrelation(standardised: Floats) -> Floats:
    """Return the autocorrelation at lags 1 to a quarter of the length, zeros beyond."""
    n = standardised.size
    found = np.zeros(_MOST_LAGS)
    few = min(_MOST_LAGS, n // 4)
    spectrum = np.fft.rfft(standardised, 2 * n)
    found[:few] = np.fft.irfft(np.square(np.abs(spectrum)), 2 * n)[1 : few + 1] / n
    return found


FALSE_CLAIMS = {
    2: (0.053, 0.060, 0.075),
    5: (0.063, 0.089, 0.141),
    12: (0.095, 0.134, 0.195),
    20: (0.114, 0.178, 0.228),
    40: (0.160, 0.229, 0.267),
}
"""Share of families with a false claim at .05, by number of datasets, where test statistics correlate by .1, .3 and .9.

Simulated for the closed test, in 20,000 families without any effect: see docs/methods.md.
"""


def false_claims(n_datasets: int, r: float) -> float:
    """Interpolate the share of families with a false claim at .05 between simulated ones; outside, take the nearest.

    Examples
    --------
    >>> round(false_claims(12, 0.1), 3), round(false_claims(6, 0.2), 3), round(false_claims(99, 0.9), 3)
    (0.095, 0.084, 0.267)
    """
    numbers = np.log([*FALSE_CLAIMS])
    shares = [np.interp(math.log(n_datasets), numbers, column) for column in zip(*FALSE_CLAIMS.values(), strict=True)]
    return float(np.interp(r, (0.0, 0.1, 0.3, 0.9), (0.05, *shares)))
