"""Wins and losses: tails, Tango's interval and margin, against enumeration and published values."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from reportkit.errors import SettingsError
from reportkit.significance.assess import agrees
from reportkit.significance.tango import (
    feasible_interval,
    normal_tail,
    tango_interval,
    tango_margin,
    upper_binomial_tail,
)

TAILS = [upper_binomial_tail, normal_tail]


@given(st.integers(1, 300), st.integers(0, 300))
def test_tails_are_those_of_scipy(m, k):
    """Binomial and normal."""
    assert upper_binomial_tail(k, m) == pytest.approx(stats.binom.sf(k - 1, m, 0.5), rel=1e-9, abs=1e-300)
    assert normal_tail(k, m) == pytest.approx(stats.norm.sf((2 * k - m) / m**0.5))


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


@pytest.mark.parametrize(("wins", "losses", "n"), [(-1, 0, 5), (3, 3, 5), (0, 0, 0)])
def test_impossible_counts_are_refused(wins, losses, n):
    """The message says the counts."""
    with pytest.raises(SettingsError, match=f"{wins} wins and {losses} losses among {n} instances"):
        tango_interval(wins, losses, n)


LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1 - 1e-6, 1 - 1e-10]


@pytest.mark.parametrize("tail", TAILS)
@given(st.integers(0, 400), st.data(), st.sampled_from(LEVELS))
@settings(deadline=None)
def test_matched_to_a_test_it_never_contradicts_it(tail, m, data, level):
    """About 0, whatever the counts, the form of McNemar's test and the level."""
    wins = data.draw(st.integers(0, m))
    n = m + data.draw(st.integers(0 if m else 1, 1_000))
    interval = tango_interval(wins, m - wins, n, level, tail=tail)
    assert agrees(interval, tail(wins, m), tail(m - wins, m))
    assert interval.low <= (2 * wins - m) / n <= interval.high


@pytest.mark.parametrize("tail", TAILS)
@given(st.integers(1, 120), st.data(), st.floats(-0.4, 0.4), st.sampled_from([0.6, 0.8, 0.9, 0.95, 0.999]))
@settings(deadline=None)
def test_the_shifted_test_rejects_what_lies_outside(tail, m, data, margin, level):
    """The same family of tests, turned into p-values: at 0 that of the wins."""
    wins, n = data.draw(st.integers(0, m)), m + data.draw(st.integers(0, 100))
    interval = tango_interval(wins, m - wins, n, level, tail=tail)
    found = tango_margin(wins, m - wins, n, margin, tail=tail)
    alpha = (1 - level) / 2
    if abs(margin - interval.low) > 1e-6:
        assert (found.p_greater <= alpha * (1 + 1e-9)) == (margin < interval.low)
    if abs(margin - interval.high) > 1e-6:
        assert (found.p_less <= alpha * (1 + 1e-9)) == (margin > interval.high)
    assert tango_margin(wins, m - wins, n, 0.0, tail=tail).p_greater == pytest.approx(min(tail(wins, m), 1.0), rel=1e-9)


@given(st.integers(1, 25), st.data())
def test_all_pairings(n, data):
    """Every number of instances that both systems get right, by SciPy's binomial test."""
    a, b = data.draw(st.integers(0, n)), data.draw(st.integers(0, n))
    p_values = []
    for both in range(max(0, a + b - n), min(a, b) + 1):
        wins, losses = a - both, b - both
        p_values.append(stats.binomtest(wins, wins + losses, alternative="greater").pvalue if wins + losses else 1.0)
    interval = feasible_interval(a, b, n)
    assert interval.low == pytest.approx(min(p_values), rel=1e-10)
    assert interval.high == pytest.approx(max(p_values), rel=1e-10)
    assert (interval.most_wins, interval.most_losses) == (min(a, n - b), min(b, n - a))


def test_arc_challenge(shared):
    """As in the list of truths."""
    truth = json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["azer"]["mcnemar_bounds_challenge"]
    interval = feasible_interval(566, 496, 1172)
    assert [interval.most_wins, interval.most_losses] == truth["b_c_max"]
    assert interval.high == pytest.approx(truth["p_one_exact_max"], rel=1e-8)


def test_impossible_margins_are_refused():
    """More right answers than instances."""
    with pytest.raises(ValueError, match="5 and 2 are no numbers of right answers of 4"):
        feasible_interval(5, 2, 4)
