"""The simulations of Dror et al. (2017), section 5, with exact probabilities next to simulated ones.

100 datasets, no effect on any of them; independent, or in three groups of datasets whose normal test statistics
correlate. A k-hat above 0 is the error, whose probability must not exceed alpha. A k-hat above 1 is counted, too,
because the figures that the paper prints for independent datasets fit it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from reportkit.calibration.plan import check_number, stream
from reportkit.calibration.shares import Proportion
from reportkit.errors import SettingsError
from reportkit.replicability.multiple_testing.partial_conjunction import k_hat
from reportkit.significance.outcome import check_alpha

Floats = NDArray[np.float64]

METHODS = ("count", "bonferroni", "fisher")

PRINTED: Mapping[str, tuple[float, float, float]] = {
    "independent": (0.963, 0.001, 0.021),
    "dependent": (0.943, 0.046, 0.234),
}
"""Figures of Dror et al. (2017), section 5, by count, Bonferroni and Fisher."""

_NODES = 200
_P_VALUES = 1 << 20  # p-values held in memory at once
_SMALLEST = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyDesign:
    """Datasets without effect, in groups whose test statistics correlate.

    Parameters
    ----------
    sizes : tuple of int
        Datasets of each group.
    correlations : tuple of float
        Correlation of the test statistics within each group, in [0, 1).
    shared : bool
        Whether one random factor makes all groups correlate, or each group has its own. The paper does not say; its
        figure for the count fits one, that for Fisher separate ones.

    Raises
    ------
    SettingsError
        If numbers make no sense.
    """

    sizes: tuple[int, ...]
    correlations: tuple[float, ...]
    shared: bool = False

    def __post_init__(self) -> None:
        if len(self.sizes) != len(self.correlations) or not self.sizes or min(self.sizes) < 1:
            raise SettingsError(
                f"groups of {self.sizes!r} with correlations {self.correlations!r}",
                remedy="give one correlation for each group, and groups of one dataset or more",
            )
        if not all(0 <= rho < 1 for rho in self.correlations):
            raise SettingsError(f"correlations are {self.correlations!r}", remedy="give numbers from 0 to below 1")

    @property
    def n_datasets(self) -> int:
        """All datasets."""
        return sum(self.sizes)

    @property
    def independent(self) -> bool:
        """Whether no two datasets correlate."""
        return not any(self.correlations)


INDEPENDENT = ToyDesign(sizes=(100,), correlations=(0.0,))
DEPENDENT = ToyDesign(sizes=(34, 33, 33), correlations=(0.0, 0.2, 0.5))


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyResult:
    """The share of wrong k-hats of one method.

    Parameters
    ----------
    method : {"count", "bonferroni", "fisher"}
        Way of counting.
    above_zero, above_one : Proportion
        Simulated share of families with k-hat above 0, and above 1.
    exact_above_zero, exact_above_one : float or None
        Exact probabilities; None where no formula is known.
    printed : float or None
        Figure of the paper, if the design is one of its two.
    """

    method: str
    above_zero: Proportion
    above_one: Proportion
    exact_above_zero: float | None
    exact_above_one: float | None
    printed: float | None


def toy_simulation(
    design: ToyDesign = INDEPENDENT,
    *,
    alpha: float = 0.05,
    n_replicates: int = 1_000,
    seed: int = 0,
) -> tuple[ToyResult, ...]:
    """Simulate families without effect and count k-hats above 0 and above 1, next to the exact probabilities.

    Parameters
    ----------
    design : ToyDesign
        Datasets and their dependence.
    alpha : float
        Level of k-hat.
    n_replicates : int
        Families; the paper has 1,000.
    seed : int
        Seed of the simulation.

    Returns
    -------
    tuple of ToyResult
        By count, Bonferroni and Fisher.

    Notes
    -----
    For independent datasets the printed figures .963, .001 and .021 are 12.8, 7.0 and 4.2 standard errors away from the
    probabilities of a k-hat above 0, and fit those of a k-hat above 1.
    """
    check_number("n_replicates", n_replicates, 1)
    rng = stream(seed, "toy", repr(design))
    above = np.zeros((len(METHODS), 2), dtype=np.int64)
    step = max(1, _P_VALUES // design.n_datasets)
    for start in range(0, n_replicates, step):
        size = min(step, n_replicates - start)
        p_values = simulated_p_values(design, size, rng)
        for row, method in enumerate(METHODS):
            found = np.asarray(k_hat(p_values, alpha, method))
            above[row] += np.count_nonzero(found > 0), np.count_nonzero(found > 1)
    exact = exact_probabilities(design, alpha)
    known = {INDEPENDENT: "independent", DEPENDENT: "dependent"}.get(
        ToyDesign(sizes=design.sizes, correlations=design.correlations)
    )
    comparable = known is not None and alpha == 0.05
    return tuple(
        ToyResult(
            method=method,
            above_zero=Proportion(count=int(above[row, 0]), total=n_replicates),
            above_one=Proportion(count=int(above[row, 1]), total=n_replicates),
            exact_above_zero=exact[method][0],
            exact_above_one=exact[method][1],
            printed=PRINTED[known][row] if comparable and known is not None else None,
        )
        for row, method in enumerate(METHODS)
    )


def simulated_p_values(design: ToyDesign, n_replicates: int, rng: np.random.Generator) -> Floats:
    """Return p-values of the statistics sqrt(rho) Z0 + sqrt(1 - rho) Z; shape (n_replicates, n_datasets)."""
    shared = rng.standard_normal((n_replicates, 1))
    groups = []
    for size, rho in zip(design.sizes, design.correlations, strict=True):
        factor = shared if design.shared else rng.standard_normal((n_replicates, 1))
        own = rng.standard_normal((n_replicates, size))
        groups.append(np.sqrt(rho) * factor + np.sqrt(1 - rho) * own)
    y = np.concatenate(groups, axis=1)
    return np.clip(ndtr(-y), _SMALLEST, 1.0)


def exact_probabilities(design: ToyDesign, alpha: float = 0.05) -> dict[str, tuple[float | None, float | None]]:
    """Return the probabilities of a k-hat above 0 and above 1 by method; None where no formula is known.

    Given the random factors the p-values are independent, so that the probability of none, or of exactly one of them at
    most t is a product; factors are integrated out by Gauss-Hermite quadrature. Bonferroni's k-hat is above 1 if the
    smallest p-value is at most alpha / N and the second smallest at most alpha / (N - 1). Fisher's is above 0 with
    probability alpha where p-values are independent.

    Examples
    --------
    >>> exact = exact_probabilities(INDEPENDENT)
    >>> [round(probability, 6) for probability in exact["count"] + exact["bonferroni"]]
    [0.994079, 0.962919, 0.048782, 0.001222]
    """
    check_alpha(alpha)
    n = design.n_datasets
    none, one = _none_or_one(design, (alpha, alpha))
    count = 1.0 - none, 1.0 - none - one
    inner, outer = alpha / n, alpha / (n - 1) if n > 1 else alpha
    none_inner = _none_or_one(design, (inner, inner))[0]
    _, one_outer = _none_or_one(design, (outer, outer))
    _, between = _none_or_one(design, (inner, outer))
    above_one = 1.0 - one_outer - none_inner + between if n > 1 else 0.0
    return {
        "count": count,
        "bonferroni": (1.0 - none_inner, max(above_one, 0.0)),
        "fisher": (alpha if design.independent else None, None),
    }


def _none_or_one(design: ToyDesign, cut: tuple[float, float]) -> tuple[float, float]:
    """Return the probabilities that no p-value is at most b, and that exactly one is, for a = b.

    For a < b the second one is the probability that exactly one p-value lies in (a, b] and no other is at most b.
    """
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    weights = weights / weights.sum()
    groups = [_of_group(size, rho, cut, nodes) for size, rho in zip(design.sizes, design.correlations, strict=True)]
    if not design.shared:
        groups = [(np.array([weights @ none]), np.array([weights @ one])) for none, one in groups]
        weights = np.ones(1)
    none, one = groups[0]
    for other_none, other_one in groups[1:]:
        none, one = none * other_none, one * other_none + none * other_one
    return float(weights @ none), float(weights @ one)


def _of_group(size: int, rho: float, cut: tuple[float, float], nodes: Floats) -> tuple[Floats, Floats]:
    """Return for each value of the factor of a group the probability of none at most b, and of one in (a, b]."""
    low, high = (ndtr((np.sqrt(rho) * nodes + ndtri(level)) / np.sqrt(1.0 - rho)) for level in cut)
    inside = high if cut[0] == cut[1] else high - low
    return (1.0 - high) ** size, size * inside * (1.0 - high) ** (size - 1)


def readings(results: Sequence[ToyResult]) -> dict[str, tuple[float | None, float | None]]:
    """Return how many standard errors of 1,000 families lie between a printed figure and each of its readings.

    Returns
    -------
    dict
        By method, for k-hat above 0 and above 1; None where no figure is printed. Exact probabilities are used where
        they are known, simulated ones elsewhere.
    """
    found: dict[str, tuple[float | None, float | None]] = {}
    for result in results:
        first = result.above_zero.value if result.exact_above_zero is None else result.exact_above_zero
        second = result.above_one.value if result.exact_above_one is None else result.exact_above_one
        found[result.method] = (_distance(result.printed, first), _distance(result.printed, second))
    return found


def _distance(printed: float | None, probability: float) -> float | None:
    if printed is None or not 0 < probability < 1:
        return None
    return float((printed - probability) / np.sqrt(probability * (1 - probability) / 1_000))
