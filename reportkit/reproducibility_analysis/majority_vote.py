"""Majority vote over the predictions of several models, and what becomes of ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]

_TOLERANCE = 1e-12
"""Sums of probabilities that differ by less, relative to the larger, are the same."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vote:
    """Outcome of a majority vote over m models for each of T labels.

    Parameters
    ----------
    label : ndarray of shape (T,)
        Code of the winner; of tied ones the first, in the order of codes.
    n_tied : ndarray of shape (T,)
        How many labels share the first place; 1 without a tie.
    gold_among : ndarray of shape (T,)
        Whether the gold label shares the first place.
    """

    label: Ints
    n_tied: Ints
    gold_among: NDArray[np.bool_]

    @property
    def n_ties(self) -> int:
        """How many of the T votes are tied."""
        return int(np.count_nonzero(self.n_tied > 1))

    @property
    def credit(self) -> NDArray[np.float64]:
        """Probability that the gold label wins if ties are broken by lot: 1 / n_tied, or 0 if it is not among them."""
        return self.gold_among / self.n_tied


def majority_vote(codes: Ints, gold: Ints, probabilities: NDArray[np.float64] | None = None) -> Vote:
    """Let m models vote on each label; the order of the models plays no part.

    Parameters
    ----------
    codes : ndarray of shape (m, T)
        Predicted labels as numbers.
    gold : ndarray of shape (T,)
        Gold labels as numbers.
    probabilities : ndarray of shape (m, T, K), optional
        Probability that each model gave to each label. Among tied labels those with the largest sum stay.

    Notes
    -----
    With m odd and two labels there are no ties. Xue et al. (2023), section 3.2 and Table 2, vote without saying how
    ties are broken.

    Examples
    --------
    >>> vote = majority_vote(np.array([[0, 0, 1], [0, 1, 2], [1, 2, 2]]), np.array([0, 1, 1]))
    >>> vote.label.tolist(), vote.n_tied.tolist(), vote.credit.round(3).tolist()
    ([0, 0, 2], [1, 3, 1], [1.0, 0.333, 0.0])
    """
    votes = np.stack([(codes == own).sum(axis=0) for own in codes])
    best = votes.max(axis=0)
    leads = votes == best
    if probabilities is not None:
        sums = np.take_along_axis(probabilities.sum(axis=0), codes.T, axis=1).T
        largest = np.where(leads, sums, -np.inf).max(axis=0)
        leads &= sums >= largest - _TOLERANCE * np.abs(largest)
    return Vote(
        label=np.where(leads, codes, np.iinfo(np.intp).max).min(axis=0),
        n_tied=leads.sum(axis=0) // best,  # each label in the lead has `best` models for it
        gold_among=(leads & (codes == gold)).any(axis=0),
    )
