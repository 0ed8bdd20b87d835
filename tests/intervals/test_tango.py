"""Tango's interval against published vectors, its definition by maximum likelihood, and exact coverage."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from reportkit.errors import SettingsError
from reportkit.intervals.tango import tango_interval


@pytest.mark.parametrize(
    ("wins", "losses", "n", "low", "high"),
    [
        (1, 7, 21, -0.5172, -0.0260),
        (7, 1, 21, 0.0260, 0.5172),
        (0, 0, 50, -0.0713, 0.0713),
        (5, 0, 50, 0.0215, 0.2136),
    ],
)
def test_known_intervals(wins, losses, n, low, high):
    """Worked examples at 95%."""
    interval = tango_interval(wins, losses, n)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=6e-5)
    assert interval.level == 0.95


@pytest.mark.parametrize(("n", "level"), [(1, 0.95), (50, 0.95), (50, 0.99), (10**6, 0.9)])
def test_closed_forms(n, level):
    """No difference anywhere: z^2 / (n + z^2) on both sides; wins everywhere: from (n - z^2) / (n + z^2) to 1."""
    z2 = stats.norm.isf((1 - level) / 2) ** 2
    nothing, everything = tango_interval(0, 0, n, level), tango_interval(n, 0, n, level)
    assert (nothing.low, nothing.high) == pytest.approx((-z2 / (n + z2), z2 / (n + z2)), rel=1e-9)
    assert everything.low == pytest.approx((n - z2) / (n + z2), rel=1e-9, abs=1e-12)
    assert everything.high == 1.0


def score(wins, losses, n, difference):
    """Score statistic of P(win) - P(loss) = difference, with P(loss) at its restricted maximum by brute force."""

    def negative_log_likelihood(loss):
        parts = ((wins, loss + difference), (losses, loss), (n - wins - losses, 1 - 2 * loss - difference))
        return -sum(count * math.log(max(probability, 1e-300)) for count, probability in parts if count)

    low, high = max(0.0, -difference), (1 - difference) / 2
    loss = optimize.minimize_scalar(
        negative_log_likelihood, bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    ).x
    return (wins - losses - n * difference) / math.sqrt(n * (2 * loss + difference - difference**2))


@pytest.mark.parametrize(("wins", "losses", "n"), [(8, 2, 30), (3, 1, 10), (40, 25, 400), (1, 7, 21), (2, 2, 5)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_ends_are_where_the_score_test_just_rejects(wins, losses, n, level):
    """At both ends the score statistic equals the normal quantile."""
    interval, z = tango_interval(wins, losses, n, level), stats.norm.isf((1 - level) / 2)
    assert score(wins, losses, n, interval.low) == pytest.approx(z, rel=1e-5)
    assert score(wins, losses, n, interval.high) == pytest.approx(-z, rel=1e-5)


tables = st.integers(1, 400).flatmap(
    lambda n: st.integers(0, n).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m), st.just(n)))
)


@given(tables)
@settings(deadline=None, max_examples=150)
def test_properties(table):
    """The interval holds the estimate, swaps with the systems, widens with the level, and agrees with McNemar at 0."""
    wins, m, n = table
    losses = m - wins
    interval, wider = tango_interval(wins, losses, n), tango_interval(wins, losses, n, 0.99)
    assert -1 <= interval.low <= (wins - losses) / n <= interval.high <= 1
    assert interval.low < interval.high
    other = tango_interval(losses, wins, n)
    assert (other.low, other.high) == (-interval.high, -interval.low)
    assert wider.low <= interval.low
    assert interval.high <= wider.high
    z = (wins - losses) / math.sqrt(m) if m else 0.0
    assert (interval.low > 0 or interval.high < 0) == (abs(z) > stats.norm.isf(0.025))


@pytest.mark.parametrize(
    ("n", "win", "loss"), [(20, 0.2, 0.1), (20, 0.35, 0.05), (50, 0.1, 0.1), (50, 0.3, 0.1), (50, 0.05, 0.01)]
)
def test_exact_coverage(n, win, loss):
    """Summed over all tables, the true difference lies in the 95% interval with a probability near .95."""
    covered = 0.0
    for wins in range(n + 1):
        losses = np.arange(n - wins + 1)
        probabilities = stats.multinomial.pmf(
            np.column_stack((np.full_like(losses, wins), losses, n - wins - losses)), n, [win, loss, 1 - win - loss]
        )
        for count, probability in zip(losses, probabilities, strict=True):
            if probability > 1e-9:
                interval = tango_interval(wins, int(count), n)
                covered += probability * (interval.low <= win - loss <= interval.high)
    assert 0.945 < covered < 0.97


@pytest.mark.parametrize(("wins", "losses", "n"), [(-1, 0, 5), (3, 3, 5), (0, 0, 0)])
def test_impossible_counts_are_refused(wins, losses, n):
    """The message says the counts."""
    with pytest.raises(SettingsError, match=f"{wins} wins and {losses} losses among {n} instances"):
        tango_interval(wins, losses, n)
