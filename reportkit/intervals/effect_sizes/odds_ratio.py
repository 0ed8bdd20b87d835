"""Odds ratio of the instances on which exactly one of two systems is right."""

from __future__ import annotations

import math

from reportkit.errors import SettingsError
from reportkit.intervals.effect_sizes.effect_size import EffectSize
from reportkit.intervals.interval import Interval
from reportkit.intervals.proportions.clopper_pearson import clopper_pearson_interval


def discordant_odds_ratio(wins: int, losses: int, confidence_level: float = 0.95) -> EffectSize | None:
    """How many times as often A alone is right as B alone is, with its exact conditional interval.

    Given the m = wins + losses instances on which exactly one system is right, the wins are binomial (m, p), and the
    odds p / (1 - p) are the conditional odds ratio of matched pairs. The interval is Clopper and Pearson's for p, on
    the scale of the odds. It excludes 1 exactly where the two-sided exact McNemar test rejects at 1 - confidence_level.

    Parameters
    ----------
    wins, losses : int
        Instances on which only A, and only B, is right.
    confidence_level : float
        Confidence level, in (0, 1).

    Returns
    -------
    EffectSize or None
        1 stands for no difference; inf without losses. None if no instance differs: nothing is then known of it.

    Raises
    ------
    SettingsError
        If a count is negative, or the level is not in (0, 1).

    Notes
    -----
    Assumes independent instances. Large ratios can come from few instances: the ratio does not say how many instances
    differ. Breslow and Day (1980), "Statistical Methods in Cancer Research, volume 1", section 5.2.

    Examples
    --------
    >>> ratio = discordant_odds_ratio(30, 14)
    >>> round(ratio.estimate, 4), round(ratio.interval.low, 4), round(ratio.interval.high, 4)
    (2.1429, 1.1018, 4.3735)
    """
    if min(wins, losses) < 0:
        raise SettingsError(f"{wins} wins and {losses} losses are no counts", remedy="give counts of at least 0")
    if wins + losses == 0:
        return None
    share = clopper_pearson_interval(wins, wins + losses, confidence_level)
    return EffectSize(
        name="odds ratio of discordant pairs",
        estimate=wins / losses if losses else math.inf,
        no_effect=1.0,
        interval=Interval(
            low=share.low / (1 - share.low),
            high=share.high / (1 - share.high) if share.high < 1 else math.inf,
            level=confidence_level,
            title="exact conditional interval",
            citation="breslow1980statistical",
        ),
    )
