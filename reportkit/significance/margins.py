"""What the numbers of right answers alone say about McNemar's test: the interval of all p-values that they allow."""

from __future__ import annotations

from dataclasses import dataclass

from reportkit.intervals.proportions.discordant_pairs import upper_binomial_tail
from reportkit.null_distributions import SMALLEST_P_VALUE


@dataclass(frozen=True, slots=True, kw_only=True)
class FeasibleInterval:
    """One-sided exact McNemar p-values that margins allow.

    Parameters
    ----------
    low, high : float
        Smallest and largest p-value for the first system being better; never 0: what is too small for a float is
        `SMALLEST_P_VALUE`.
    most_wins, most_losses : int
        Largest possible numbers of instances that only the first, and only the second system gets right.
    """

    low: float
    high: float
    most_wins: int
    most_losses: int


def feasible_interval(a: int, b: int, n: int) -> FeasibleInterval:
    """All one-sided exact McNemar p-values that a and b right answers on the same n instances can have come from.

    With D = a - b, any number c of instances that only the second system gets right from max(0, -D) to
    min(b, n - a) is possible, and then the first alone is right on c + D. The p-value P(X >= c + D) for X binomial
    (2 c + D, 1/2) rises with c if D > 0 and falls if D < 0, so that the ends of the range give the ends of the
    interval. The upper end is itself a valid p-value, whatever the pairing was.

    Parameters
    ----------
    a, b : int
        Right answers of the first and of the second system, from 0 to n.
    n : int
        Instances, the same for both.

    Returns
    -------
    FeasibleInterval

    Raises
    ------
    ValueError
        If a or b is not between 0 and n.

    Notes
    -----
    Null hypothesis: as for McNemar's test (McNemar 1947); the range of the discordant instances is that of a 2 x 2
    table with given margins (Frechet 1951).

    Examples
    --------
    ARC-easy in Sadat Azer et al. (2020): 1721 and 1637 right answers of 2376.

    >>> arc = feasible_interval(1721, 1637, 2376)
    >>> arc.most_wins, arc.most_losses, round(arc.high, 5)
    (739, 655, 0.01309)
    >>> arc.low == 0.5**84
    True
    """
    if not (0 <= a <= n and 0 <= b <= n):
        raise ValueError(f"{a} and {b} are no numbers of right answers of {n}")
    fewest, most = max(a - b, 0), min(a, n - b)
    ends = [max(upper_binomial_tail(wins, 2 * wins - (a - b)), SMALLEST_P_VALUE) for wins in (fewest, most)]
    return FeasibleInterval(low=min(ends), high=max(ends), most_wins=most, most_losses=most - (a - b))
