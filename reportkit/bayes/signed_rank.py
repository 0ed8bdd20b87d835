"""Bayesian signed-rank: one score per system and dataset, and a region of practical equivalence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.bayes.rope import checked_half_width, probability_text
from reportkit.errors import InputError

PRIOR_STRENGTH = 0.5
"""Weight of the pseudo-dataset without a difference, next to a weight of 1 for each dataset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRankPosterior:
    """Probabilities that A is better, equivalent or worse on a dataset of this kind.

    Parameters
    ----------
    system_a, system_b : str
        Names.
    p_better, p_equivalent, p_worse : float
        Shares of the draws in which "A better by more than r", "within r", and "B better by more than r" is the most
        probable of the three for the mean of two random datasets; they sum to 1.
    half_width : float or None
        r, in the unit of the scores; None if no region was declared, and nothing is then equivalent.
    n_datasets : int
        Datasets.
    """

    system_a: str
    system_b: str
    p_better: float
    p_equivalent: float
    p_worse: float
    half_width: float | None
    n_datasets: int

    @property
    def rows(self) -> list[dict[str, object]]:
        """Row of a frame: the numbers by name."""
        names = ("system_a", "system_b", "p_better", "p_equivalent", "p_worse", "n_datasets")
        return [{"model": "signed-rank", **{name: getattr(self, name) for name in names}}]

    @property
    def sentence(self) -> str:
        """Result in words."""
        start = (
            f"By a Bayesian signed-rank test over {self.n_datasets} datasets, {self.system_a} is better with posterior "
            f"probability {probability_text(self.p_better)}"
        )
        worse, equivalent = probability_text(self.p_worse), probability_text(self.p_equivalent)
        if self.half_width is None:
            return f"{start} and {self.system_b} with {worse}; no region of practical equivalence declared."
        return (
            f"{start}, practically equivalent (within {self.half_width:g}) with {equivalent}, and "
            f"{self.system_b} is better with {worse}."
        )


def signed_rank(
    differences: ArrayLike,
    *,
    rope: float | None = None,
    system_a: str = "A",
    system_b: str = "B",
    prior_strength: float = PRIOR_STRENGTH,
    n_draws: int = 50_000,
    seed: int = 0,
) -> SignedRankPosterior:
    """Run the Bayesian signed-rank test over datasets.

    The distribution of the differences z over datasets has a Dirichlet process posterior: weights w ~ Dirichlet(s, 1,
    ..., 1) of a pseudo-observation 0 and of the datasets. In each draw

        better = sum w_i w_j [z_i + z_j > 2 r],  worse = sum w_i w_j [z_i + z_j < -2 r],  equivalent = the rest,

    a sum that equals 2 r or -2 r counting half.

    Parameters
    ----------
    differences : array_like of shape (n_datasets,)
        A minus B on each dataset, oriented; all on one scale.
    rope : float, optional
        r > 0. Without it nothing is equivalent.
    system_a, system_b : str
        Names.
    prior_strength : float
        s > 0.
    n_draws : int
        Draws.
    seed : int
        Seed of the draws, which are taken for the sorted differences of the system that comes first by name.

    Raises
    ------
    InputError
        If there are fewer than two differences, or one is not finite.
    SettingsError
        If `rope` is not positive.

    Notes
    -----
    Assumes that the datasets are independent draws from those one cares about. Where two of the three are equally
    probable in a draw, each has half of it. Benavoli et al. (2014), "A Bayesian Wilcoxon signed-rank test based on the
    Dirichlet process"; Benavoli et al. (2017), "Time for a change", section 4.2; the shares are those of
    `baycomp.SignedRankTest`.

    Examples
    --------
    >>> found = signed_rank([0.03, 0.05, 0.01, 0.04, -0.01, 0.06], rope=0.01)
    >>> found.p_better > 0.9, round(found.p_better + found.p_equivalent + found.p_worse, 12)
    (True, 1.0)
    """
    z = np.asarray(differences, dtype=np.float64)
    if z.ndim != 1 or z.size < 2 or not np.isfinite(z).all():
        raise InputError(
            f"differences of shape {z.shape}, {int(np.count_nonzero(~np.isfinite(z)))} of them not finite",
            remedy="give one finite difference for each of two datasets or more",
        )
    if not (math.isfinite(prior_strength) and prior_strength > 0):
        raise InputError(f"prior_strength={prior_strength!r}", remedy="give a positive number, such as 0.5")
    half_width = None if rope is None else checked_half_width(rope)
    swapped = system_b < system_a
    z = np.sort(-z if swapped else z) + 0.0
    better, worse = _shares(z, half_width or 0.0, prior_strength, n_draws, seed)
    if half_width is None:
        worse = 1.0 - better
    shares = np.stack([better, np.maximum(0.0, 1.0 - better - worse), worse])
    largest = np.abs(shares - shares.max(axis=0)) <= 1e-12
    p_better, p_equivalent, p_worse = map(float, (largest / largest.sum(axis=0)).mean(axis=1))
    return SignedRankPosterior(
        system_a=system_a,
        system_b=system_b,
        p_better=p_worse if swapped else p_better,
        p_equivalent=p_equivalent,
        p_worse=p_better if swapped else p_worse,
        half_width=half_width,
        n_datasets=int(z.size),
    )


def _shares(
    z: NDArray[np.float64], r: float, strength: float, n_draws: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the probabilities of better and of worse in each draw."""
    values = np.concatenate([[0.0], z])
    sums = values[:, None] + values
    tie = 1e-12 * max(float(np.abs(values).max()), r)
    above = np.where(np.abs(sums - 2 * r) <= tie, 0.5, sums > 2 * r)
    under = np.where(np.abs(sums + 2 * r) <= tie, 0.5, sums < -2 * r)
    alpha = np.ones(values.size)
    alpha[0] = strength
    weights = np.random.default_rng(seed).dirichlet(alpha, n_draws)
    return ((weights @ above) * weights).sum(axis=1), ((weights @ under) * weights).sum(axis=1)
