"""Odds ratio of discordant pairs: the exact McNemar test, exact coverage, and statsmodels' estimate."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable

from reportkit.errors import SettingsError
from reportkit.significance.effect_sizes import discordant_odds_ratio


@given(st.integers(0, 80), st.integers(0, 80), st.sampled_from([0.9, 0.95]))
def test_excludes_one_exactly_where_mcnemar_rejects(wins, losses, level):
    """Two-sided exact test, twice the smaller binomial tail; and B against A is the inverse."""
    assume(wins + losses)
    found, back = discordant_odds_ratio(wins, losses, level), discordant_odds_ratio(losses, wins, level)
    p = min(1.0, 2 * min(stats.binom.sf(k - 1, wins + losses, 0.5) for k in (wins, losses)))
    assume(abs(p - (1 - level)) > 1e-9)
    assert (found.interval.low > 1 or found.interval.high < 1) == (p < 1 - level)
    assert found.interval.low <= found.estimate <= found.interval.high
    if wins and losses:
        assert back.estimate == pytest.approx(1 / found.estimate)
        assert back.interval.low == pytest.approx(1 / found.interval.high)


def test_estimate_is_the_mantel_haenszel_ratio_of_the_pairs():
    """Each instance as a stratum of its own, as for matched pairs in epidemiology."""
    tables = [np.array([[1, 0], [0, 1]])] * 6 + [np.array([[0, 1], [1, 0]])] * 4
    assert StratifiedTable(tables).oddsratio_pooled == pytest.approx(discordant_odds_ratio(6, 4).estimate)


def test_coverage_is_at_least_the_level():
    """Over all splits of 20 discordant pairs, for odds from 1/5 to 5."""
    for ratio in np.geomspace(0.2, 5, 41):
        chances = stats.binom.pmf(np.arange(21), 20, ratio / (1 + ratio))
        intervals = [discordant_odds_ratio(k, 20 - k).interval for k in range(21)]
        covered = sum(p for p, i in zip(chances, intervals, strict=True) if i.low <= ratio <= i.high)
        assert covered >= 0.95


def test_one_sided_pairs():
    """Without losses the ratio is infinite; without any pair nothing is known."""
    found = discordant_odds_ratio(5, 0)
    assert found.estimate == found.interval.high == math.inf
    low = 0.025 ** (1 / 5)
    assert found.interval.low == pytest.approx(low / (1 - low))
    assert discordant_odds_ratio(0, 0) is None
    with pytest.raises(SettingsError, match="-1 wins and 2 losses"):
        discordant_odds_ratio(-1, 2)
