"""Region of practical equivalence: three probabilities, and three outcomes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from reportkit.bayes.distribution import CredibleInterval, Distribution
from reportkit.errors import SettingsError

RopeDecision = Literal["practically better", "practically equivalent", "practically worse", "undecided"]

ROPE_COLUMNS = ("p_better_by_rope", "p_equivalent", "p_worse_by_rope", "outcome")


def probability_text(value: float) -> str:
    """Write a probability with three decimals; never as 0 or 1, as no posterior probability is.

    Examples
    --------
    >>> probability_text(0.97249), probability_text(1e-9), probability_text(0.99996)
    ('.972', 'below .001', 'above .999')
    """
    if value < 0.001:
        return "below .001"
    return "above .999" if value > 0.999 else f"{value:.3f}".removeprefix("0")


@dataclass(frozen=True, slots=True, kw_only=True)
class RopeMasses:
    """The posterior probabilities below, within and above the region from -r to r.

    Parameters
    ----------
    half_width : float
        r, in the unit of the difference: what is too small to matter, declared by the user.
    better, equivalent, worse : float
        P(difference > r), P(-r <= difference <= r), P(difference < -r); they sum to 1.
    decision : {"practically better", "practically equivalent", "practically worse", "undecided"}
        Where the whole interval of highest density lies; undecided if it is in no single one of the three.
    """

    half_width: float
    better: float
    equivalent: float
    worse: float
    decision: RopeDecision

    @property
    def row(self) -> dict[str, object]:
        """The numbers by the names of columns."""
        return dict(zip(ROPE_COLUMNS, (self.better, self.equivalent, self.worse, self.decision), strict=True))


def checked_half_width(rope: float) -> float:
    """Check the half-width of a region of practical equivalence.

    Raises
    ------
    SettingsError
        If it is not positive and finite.
    """
    if not (math.isfinite(rope) and rope > 0):
        raise SettingsError(
            f"rope={rope!r} is not a region of practical equivalence",
            remedy="give its half-width as a positive number in the unit of the difference: rope=0.01 for one point of "
            "accuracy,\nscores between 0 and 1; there is no default, since it says what is too small to matter",
        )
    return float(rope)


def rope_masses(distribution: Distribution, rope: float, interval: CredibleInterval) -> RopeMasses:
    """Return three probabilities, and the outcome by an interval.

    Parameters
    ----------
    distribution : Distribution
        Posterior of the difference.
    rope : float
        Half-width r > 0.
    interval : CredibleInterval
        Interval of highest density.

    Returns
    -------
    RopeMasses
        P(better by more than r) is a statement of its own: it may be above .95 while the outcome is "undecided",
        because the interval leaves probability out at both ends.

    Raises
    ------
    SettingsError
        If `rope` is not positive and finite.

    Notes
    -----
    Kruschke (2018), "Rejecting or accepting parameter values in Bayesian estimation".

    Examples
    --------
    On ARC-easy the probability of more than one point is above .95, and yet the interval overlaps the region.

    >>> from scipy.stats import beta
    >>> from reportkit.bayes.distribution import difference
    >>> posterior = difference(beta(1722, 656), beta(1638, 740))
    >>> masses = rope_masses(posterior, 0.01, posterior.interval())
    >>> round(masses.better, 4), round(masses.equivalent, 4), masses.decision
    (0.9725, 0.0272, 'undecided')
    """
    r = checked_half_width(rope)
    decision: RopeDecision = "undecided"
    if interval.low > r:
        decision = "practically better"
    elif interval.high < -r:
        decision = "practically worse"
    elif -r <= interval.low and interval.high <= r:
        decision = "practically equivalent"
    return RopeMasses(
        half_width=r,
        better=distribution.above(r),
        equivalent=distribution.inside(-r, r),
        worse=distribution.below(-r),
        decision=decision,
    )
