"""Family-wise error over all pairs of systems with one score per dataset: four corrections, five kinds of scores.

Run: python benchmarks/pairs_over_datasets.py [DRAWS]. Prints the share of boards with one or more false claims at .05.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from reportkit import holm
from reportkit.replicability.max_statistic import max_statistic_p_values

Floats = NDArray[np.float64]
N_SYSTEMS, N_SHUFFLES = 20, 399
HALF = N_SYSTEMS // 2


def _half_skewed(rng: np.random.Generator, n: int) -> Floats:
    scores = rng.normal(size=(N_SYSTEMS, n)) / 2
    scores[::2] = rng.lognormal(size=(HALF, n)) - np.exp(0.5)
    return scores


SCORES: Mapping[str, Callable[[np.random.Generator, int], Floats]] = {
    "all equal, normal": lambda rng, n: rng.normal(size=(N_SYSTEMS, n)),
    "two scatter five times as much": lambda rng, n: (
        rng.normal(size=(N_SYSTEMS, n)) * np.repeat([[5.0], [1.0]], [2, N_SYSTEMS - 2], axis=0)
    ),
    "half differ": lambda rng, n: (
        rng.normal(size=(N_SYSTEMS, n)) + 3.0 * np.maximum(np.arange(-HALF, HALF), 0)[:, None]
    ),
    "all equal, lognormal": lambda rng, n: rng.lognormal(size=(N_SYSTEMS, n)),
    "half lognormal, half normal": _half_skewed,
}
FIRST, SECOND = np.triu_indices(N_SYSTEMS, 1)


def shuffled(scores: Floats, rng: np.random.Generator, *, studentised: bool) -> Floats:
    """Return the two-sided p-values of all pairs by the maximum over shuffles of the labels within each dataset."""
    centred = scores - scores.mean(axis=0)
    tables = np.stack([centred, *(rng.permuted(centred, axis=0) for _ in range(N_SHUFFLES))])
    sums = tables.sum(axis=2)
    statistic = np.abs(sums[:, FIRST] - sums[:, SECOND])
    if studentised:
        squares = np.square(tables[:, FIRST] - tables[:, SECOND]).sum(axis=2)
        statistic /= np.sqrt(np.maximum(squares, 1e-12))
    return np.asarray((statistic.max(axis=1)[:, None] >= statistic[0] - 1e-9).mean(axis=0))


def _holm_t(scores: Floats) -> Floats:
    p_values = stats.ttest_rel(scores[FIRST], scores[SECOND], axis=1, alternative="greater").pvalue
    both = np.clip(np.concatenate([p_values, 1 - p_values]), 1e-300, 1.0)
    return np.asarray(holm(both)).reshape(2, -1).min(axis=0)


def main(n_draws: int) -> None:
    """Print a row for each kind of scores and number of datasets."""
    print("| scores | datasets | reversals (used) | shuffles, studentised | shuffles, range | Holm, t |")
    print("|---|--:|--:|--:|--:|--:|")
    for number, (title, draw) in enumerate(SCORES.items()):
        true = np.zeros(len(FIRST), dtype=np.bool_) if title != "half differ" else SECOND > HALF
        for n in (6, 10):
            rng, false = np.random.default_rng([number, n]), np.zeros(4)
            for _ in range(n_draws):
                scores = draw(rng, n)
                both = max_statistic_p_values(scores, n_resamples=9999, seed=0)
                found = [np.minimum(both[FIRST, SECOND], both[SECOND, FIRST])]
                found += [shuffled(scores, rng, studentised=one) for one in (True, False)]
                false += [bool((p <= 0.05)[~true].any()) for p in (*found, _holm_t(scores))]
            print(f"| {title} | {n} | {' | '.join(f'{share:.3f}' for share in false / n_draws)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
