"""Tails from tilted resamples against all resamples there are, and against many plain ones."""

import itertools
import math

import numpy as np
import pytest

from reportkit.significance.tests.bootstrap_t import studentized_tail_bound
from reportkit.significance.tests.bootstrap_t import studentized_means
from reportkit.null_distributions.random.tilted_studentized import FEWEST_DRAWN, MOST_DRAWN, tilt_towards, tilted_tail

FORMS = {
    "normal": lambda rng: rng.normal(size=120),
    "skewed to the left": lambda rng: -rng.lognormal(size=120),
    "skewed to the right": lambda rng: rng.lognormal(size=120),
    "three values": lambda rng: rng.choice([-1.0, 0.0, 1.0], 120, p=[0.1, 0.7, 0.2]),
    "one far out": lambda rng: np.append(rng.normal(size=119), -15.0),
    "gains alike, rare losses": lambda rng: np.append(
        1.0 + 1e-3 * rng.uniform(size=68), 1.0 - np.geomspace(0.02, 40, 12)
    ),
}


def estimated(values, t, **options):
    """With as many resamples as there may be."""
    tilt = tilt_towards(values, t)
    return None if tilt is None else tilted_tail(tilt, **{"key": (7,), "settled": lambda tail: False, **options})


@pytest.mark.parametrize("values", [(-2.0, -1.0, 0.5, 1.0, 2.5, 3.0), (-4.0, 0.1, 0.2, 0.3, 0.4, 0.5)])
def test_all_resamples_of_six_values(values):
    """6^6 of them, by enumeration; ties count."""
    v = np.array(values) - np.mean(values)
    drawn = v[np.array(list(itertools.product(range(6), repeat=6)))]
    spread = drawn.std(axis=1, ddof=1)
    valid = spread > 1e-9
    t = drawn[valid].mean(axis=1) / spread[valid] * math.sqrt(6)
    for threshold in (1.0, 2.0, 4.0):
        share = np.count_nonzero(t >= threshold - 1e-4) / 6**6
        found = estimated(np.array(values), threshold)
        assert abs(found.p_value - share) <= 4.5 * found.relative_error * share


@pytest.mark.parametrize("form", FORMS)
def test_plain_resamples_agree(form):
    """A million of them, where they see enough; smaller tails go on as these do."""
    values = np.sort(FORMS[form](np.random.default_rng(5)))
    plain = studentized_means(values, None, key=(1,), start=0, stop=400_000)
    for share in (0.05, 1e-3):
        t = float(np.quantile(plain, 1 - share)) + 1e-9
        count = np.count_nonzero(plain >= t - 1e-4)
        found = estimated(values, t)
        error = math.hypot(found.relative_error, count**-0.5)
        assert abs(math.log(found.p_value * plain.size / count)) <= 4.5 * error
        assert found.relative_error < 0.02
        assert found.n_resamples >= MOST_DRAWN


@pytest.mark.parametrize(
    ("form", "t"),
    [("skewed to the right", 2.0), ("skewed to the right", 6.0), ("gains alike, rare losses", 223.0)],
)
def test_the_error_is_that_between_streams(form, t):
    """Of the fewest resamples there are; a large t has a narrow way."""
    values = np.sort(FORMS[form](np.random.default_rng(5)))
    found = [estimated(values, t, key=(7, stream), settled=lambda tail: True) for stream in range(60)]
    spread = np.std([math.log(tail.p_value) for tail in found])
    stated = np.median([tail.relative_error for tail in found])
    assert found[0].n_resamples == FEWEST_DRAWN
    assert 0.6 < spread / stated < 1.25
    assert stated < 0.06


def test_far_tails_are_known_as_well_as_near_ones():
    """Of normal values t is that of Student nearly; the relative error hardly grows down to 1e-30."""
    values = np.sort(np.random.default_rng(2).normal(size=400))
    found = [estimated(values, t) for t in (2.0, 6.0, 12.0)]
    assert found[2].p_value < 1e-25
    assert all(tail.relative_error < 0.02 for tail in found)


@pytest.mark.parametrize("form", FORMS)
def test_the_exponent_is_below_the_bound_for_all_resamples(form):
    """By several times, so that what it leaves open, the bound does not settle; and above the tail."""
    values = np.sort(FORMS[form](np.random.default_rng(5)))
    for t in (2.0, 4.0, 6.0, 9.0):
        exponent = tilt_towards(values, t).exponent
        assert estimated(values, t).p_value < math.exp(exponent) < 0.8 * studentized_tail_bound(values, t)


def test_nothing_is_known_where_nothing_leads_there():
    """Thresholds at or below 0, values that are all the same, and t that no resample can have."""
    values = np.sort(np.random.default_rng(2).normal(size=30))
    assert estimated(values, 0.0) is None
    assert estimated(np.ones(30), 2.0) is None
    assert estimated(np.array([-1.0, 0.0, 1.0]), 1e9) is None


def test_it_ends_as_soon_as_it_is_settled():
    """The first resamples are those of every later stage."""
    values = np.sort(np.random.default_rng(2).exponential(size=90))
    first = estimated(values, 2.5, settled=lambda tail: True)
    assert first.n_resamples < 20_000
    assert first == estimated(values, 2.5, settled=lambda tail: True)
