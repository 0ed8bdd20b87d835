"""Random flips and resamples against all of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from reportkit.errors import InputError
from reportkit.null_distributions.random.monte_carlo import (
    bootstrap_monte_carlo,
    sign_flip_monte_carlo,
)

D = np.array([0.9, -0.2, 0.4, 0.4, -0.7, 0.0, 1.3])


def all_flips(d):
    """Both tails over all sign patterns."""
    signs = np.array(list(itertools.product((-1.0, 1.0), repeat=d.size)))
    return np.mean(signs @ d >= d.sum() - 1e-9), np.mean(signs @ d <= d.sum() + 1e-9)


def all_resamples(d):
    """Both tails over all resamples of the mean."""
    means = np.array([d[list(chosen)].mean() for chosen in itertools.product(range(d.size), repeat=d.size)])
    return np.mean(means >= 2 * d.mean() - 1e-9), np.mean(means <= 2 * d.mean() + 1e-9)


def assert_within_four_errors(drawn, expected):
    """Both tails are within four standard errors."""
    for p_value, share in ((drawn.p_greater, expected[0]), (drawn.p_less, expected[1])):
        assert abs(p_value - share) <= 4 * math.sqrt(p_value * (1 - p_value) / drawn.n_resamples)


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
def test_sign_flips(scale):
    """Of any scale, both tails are estimated."""
    drawn = sign_flip_monte_carlo(D * scale, n_resamples=100_000, rng=np.random.default_rng(1))
    assert_within_four_errors(drawn, all_flips(D))


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
def test_bootstrap(scale):
    """Of any scale, both tails are estimated."""
    d = D[:6]
    drawn = bootstrap_monte_carlo(d * scale, n_resamples=100_000, rng=np.random.default_rng(1))
    assert_within_four_errors(drawn, all_resamples(d))


@pytest.mark.parametrize("function", [sign_flip_monte_carlo, bootstrap_monte_carlo])
def test_the_same_seed_gives_the_same_counts_in_any_order(function):
    """The stream depends on the seed and on which numbers there are, not on their order."""
    rng = np.random.default_rng(3)
    d = rng.normal(size=1003)
    order = rng.permutation(1003)
    drawn = [function(d[index], n_resamples=5001, rng=np.random.default_rng(8)) for index in (np.arange(1003), order)]
    assert drawn[0] == drawn[1]
    assert function(d, n_resamples=5001, rng=np.random.default_rng(9)) != drawn[0]


def test_flips_are_fair_in_every_place():
    """Each of many differences is flipped half of the time, also behind a full byte."""
    for place in range(11):
        d = np.zeros(11)
        d[place] = 1.0
        d[:place] += 1e-6
        drawn = sign_flip_monte_carlo(d, n_resamples=20_000, rng=np.random.default_rng(place))
        share = 0.5 if place == 0 else 2.0 ** -(place + 1)
        assert abs(drawn.p_greater - share) <= 4.5 * math.sqrt(share * (1 - share) / 20_000) + 1e-4


@pytest.mark.parametrize("function", [sign_flip_monte_carlo, bootstrap_monte_carlo])
def test_never_zero_and_ties_count_twice(function):
    """Identical systems give 1 twice; an event that was never seen still has a probability."""
    drawn = function(np.zeros(9), n_resamples=99, rng=np.random.default_rng(1))
    assert drawn.p_greater == drawn.p_less == 1.0
    drawn = function(np.linspace(1.0, 2.0, 300), n_resamples=99, rng=np.random.default_rng(1))
    assert drawn.p_greater == 1 / 100
    assert drawn.p_less == 1.0


@pytest.mark.parametrize("function", [sign_flip_monte_carlo, bootstrap_monte_carlo])
@pytest.mark.parametrize(
    ("d", "settings", "message"),
    [
        ([], {}, "shape"),
        ([[1.0]], {}, "shape"),
        ([1.0, math.nan], {}, "position 1 is nan"),
        ([1.0, 2.0], {"n_resamples": 0}, "n_resamples is 0"),
    ],
)
def test_bad_input(function, d, settings, message):
    """What does not fit is named with its place."""
    with pytest.raises(InputError, match=message):
        function(d, **{"n_resamples": 9, "rng": np.random.default_rng(1), **settings})
