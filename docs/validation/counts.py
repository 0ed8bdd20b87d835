"""Part `counts`: how often a count of datasets exceeds the number on which there is an effect.

One-sided z-tests on N datasets of which some have an effect; their statistics are independent, equally correlated, or
correlated with both signs. Counted is by the whole k-hat family, by p < .05, and by Benjamini and Hochberg's procedure.
"""

from __future__ import annotations

import math
import zlib
from collections import Counter
from functools import cache

import numpy as np
from scipy.special import ndtr

from reportkit.replicability import COMBINATIONS, k_hat

BLOCK, DRAWS = 10_000, 100_000
SEED = 20_261_124
ALPHA = 0.05
SIZE = 3.0
"""Of an effect, in standard errors."""

KEYS = ("datasets", "effects", "dependence", "r")
SIZE_KEY = "datasets"
COUNTS = ("total", "exceeds")
COUNTED, DISCOVERED = "counting p < .05", "Benjamini-Hochberg"
ANY = {"bonferroni"}
"""Methods that hold under any dependence."""

Tally = Counter[str]


@cache
def places() -> dict[str, tuple[object, ...]]:
    """Cells: datasets, effects, and how the statistics depend on each other."""
    found = {}
    for n in (2, 5, 10, 20, 80):
        for effects in sorted({0, n // 2, n - 1}):
            forms = [("none", 0.0), *(("equal", r) for r in (0.1, 0.3, 0.6, 0.95))]
            forms += [("both signs", r) for r in (0.5, 0.9)]
            for dependence, r in forms:
                place = (n, effects, dependence, f"{r:g}")
                found["|".join(map(str, place))] = place
    return found


def statistics(name: str, block: int, size: int) -> np.ndarray:
    """Draw z statistics of shape (draws, datasets); effects stand first, of both signs alternately."""
    n, effects, dependence, r = places()[name]
    rng = np.random.default_rng([SEED, zlib.crc32(name.encode()), block])
    signs = (-1.0) ** np.arange(n) if dependence == "both signs" else np.ones(n)
    common, own = rng.standard_normal((size, 1)), rng.standard_normal((size, n))
    z = math.sqrt(float(r)) * common * signs + math.sqrt(1 - float(r)) * own
    z[:, :effects] += SIZE
    return z


def discoveries(p_values: np.ndarray) -> np.ndarray:
    """Number of rejections by Benjamini and Hochberg's procedure."""
    n = p_values.shape[1]
    below = np.sort(p_values, axis=1) <= ALPHA * np.arange(1, n + 1) / n
    return np.where(below.any(axis=1), n - np.argmax(below[:, ::-1], axis=1), 0)


def simulated(name: str, block: int, size: int = BLOCK) -> dict[str, Tally]:
    """Sum of the counts, and how many exceed the number of effects, by method."""
    p_values = np.clip(ndtr(-statistics(name, block, size)), 1e-300, 1)
    found = {COUNTED: (p_values <= ALPHA).sum(axis=1), DISCOVERED: discoveries(p_values)}
    found |= {method: np.asarray(k_hat(p_values, ALPHA, method)) for method in COMBINATIONS}
    effects = int(str(places()[name][1]))
    return {
        method: Tally({"draws": size, "total": int(counts.sum()), "exceeds": int((counts > effects).sum())})
        for method, counts in found.items()
    }
