"""Estimate how p-values and the smallest detectable difference change with the size of the test set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from reportkit.calibration.pairs import RowTest, row_p_values, unit_scores
from reportkit.calibration.plan import StudyPlan, stream
from reportkit.errors import SettingsError
from reportkit.scores.sample import paired_differences
from reportkit.scores.scores import Scores
from reportkit.significance.units import estimate_mean

POWER = 0.8
"""Power of the smallest detectable difference."""

_DIFFERENCES = 1 << 20  # held at once


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SizeCurve:
    """P-values on parts of a test set.

    Parameters
    ----------
    dataset, system_a, system_b, test : str
        What was compared, and how; p-values are one-sided in favour of A.
    unit : {"instance", "cluster"}
        What sizes count.
    n : int
        All units.
    sizes : ndarray of int of shape (n_sizes,)
        Sizes m of the parts, ascending.
    median, lower_quartile, upper_quartile : ndarray of shape (n_sizes,)
        Of the p-values over the parts.
    detectable : ndarray of shape (n_sizes,)
        Smallest difference that a test set of m units detects with the stated power; NaN if the data hold no variance.
    gain : float
        Observed difference on all units.
    alpha, power : float
        Of the smallest detectable difference.
    n_subsamples, seed : int
        Parts of each size, and the seed.
    """

    dataset: str
    system_a: str
    system_b: str
    test: str
    unit: str
    n: int
    sizes: NDArray[np.int64]
    median: NDArray[np.float64]
    lower_quartile: NDArray[np.float64]
    upper_quartile: NDArray[np.float64]
    detectable: NDArray[np.float64]
    gain: float
    alpha: float
    power: float
    n_subsamples: int
    seed: int


def size_curve(
    block: Scores,
    system_a: str,
    system_b: str,
    *,
    sizes: Sequence[int] | None = None,
    test: RowTest = "sign-flip",
    plan: StudyPlan | None = None,
) -> SizeCurve:
    """Compare two systems on random parts of a test set, drawn without replacement.

    Parameters
    ----------
    block : Scores
        One dataset.
    system_a, system_b : str
        The claim is that A is better.
    sizes : sequence of int, optional
        Numbers of instances (of clusters, if there are any); 50, 100, 200, ... and all, if not given.
    test : {"sign-flip", "paired-bootstrap"}
        Test of the mean (of the sums of clusters).
    plan : StudyPlan, optional
        Level of the smallest detectable difference of a one-sided test; parts of each size, and the seed. On all units
        there is one p-value.

    Returns
    -------
    SizeCurve

    Raises
    ------
    SettingsError
        If a size is not between 1 and the number of units.

    Notes
    -----
    The smallest detectable difference is (z_{1-alpha} + z_power) se(n) sqrt(n / m), se(n) being the standard error of
    the mean difference on all units: it falls with 1 / sqrt(m). Parts of nearly all units are nearly the same, so that
    quartiles close in on the one p-value of the whole; they are not an interval.

    Examples
    --------
    >>> from reportkit.scores.scores import Scores
    >>> rng = np.random.default_rng(0)
    >>> scores = np.stack((rng.normal(0.2, 1, size=400), np.zeros(400)))
    >>> block = Scores(dataset="cb", metric="f1", systems=("a", "b"), kind="continuous", scores=scores,
    ...                instances=np.arange(400).astype(object))
    >>> curve = size_curve(block, "a", "b", sizes=[100, 400], plan=StudyPlan(n_subsamples=50))
    >>> round(float(curve.detectable[0] / curve.detectable[1]), 6)
    2.0
    """
    plan = plan or StudyPlan()
    sample = block.pair(system_a, system_b)  # unit_scores refuses everything else
    both = unit_scores(block, (system_a, system_b))
    differences = paired_differences(both[0], both[1])
    n = differences.size
    chosen = _sizes(n, sizes)
    quartiles = np.empty((3, chosen.size))
    for place, m in enumerate(chosen):
        rng = stream(plan.rng, "test size", block.dataset, block.metric, *sorted((system_a, system_b)), str(m))
        p_values = _on_parts(differences, int(m), 1 if m == n else plan.n_subsamples, test, rng)
        quartiles[:, place] = np.percentile(p_values, [25, 50, 75])
    error = estimate_mean(sample).standard_error
    factor = float(ndtri(1 - plan.alpha) + ndtri(POWER))
    return SizeCurve(
        dataset=block.dataset,
        system_a=system_a,
        system_b=system_b,
        test=test,
        unit="instance" if sample.clusters is None else sample.cluster_noun,
        n=n,
        sizes=chosen,
        lower_quartile=quartiles[0],
        median=quartiles[1],
        upper_quartile=quartiles[2],
        detectable=(np.nan if error is None else factor * error) * np.sqrt(n / chosen),
        gain=sample.value_difference,
        alpha=plan.alpha,
        power=POWER,
        n_subsamples=plan.n_subsamples,
        seed=plan.rng,
    )


def _sizes(n: int, sizes: Sequence[int] | None) -> NDArray[np.int64]:
    if sizes is None:
        doubled = [50 * 2**k for k in range(n.bit_length()) if 50 * 2**k < n]
        return np.array([*doubled, n], dtype=np.int64)
    found = np.array(sorted(set(sizes)), dtype=np.int64)
    if not found.size or found[0] < 1 or found[-1] > n:
        raise SettingsError(f"sizes are {list(sizes)!r}", remedy=f"give numbers between 1 and {n:,}")
    return found


def _on_parts(
    differences: NDArray[np.float64], m: int, number: int, test: RowTest, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return p-values in favour of A on random parts of m units."""
    parts = [rng.permutation(differences.size)[:m] for _ in range(number)]
    step = max(1, _DIFFERENCES // m)
    blocks = (differences[np.stack(parts[start : start + step])] for start in range(0, number, step))
    return np.concatenate([row_p_values(block, test)[0] for block in blocks])
