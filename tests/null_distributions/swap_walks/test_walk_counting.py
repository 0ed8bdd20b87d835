"""Adding up the probabilities of all places."""

import math

import numpy as np
import pytest
from scipy import stats

from reportkit.null_distributions.swap_walks.ratio_boundary import RatioBoundary
from reportkit.null_distributions.swap_walks.swap_walk import SwapWalk
from reportkit.null_distributions.swap_walks.walk_counting import counted_tail, counting_work


@pytest.mark.parametrize(("wins", "losses"), [(3, 0), (60, 40), (500, 399)])
def test_wins_and_losses_are_binomial(wins, losses):
    """One numerator more or less per instance, the denominator fixed: the binomial tail and its mass at the tie."""
    walk = SwapWalk.of(np.repeat([1, -1], [wins, losses]), np.zeros(wins + losses, dtype=np.int64))
    boundary = RatioBoundary.observed((wins, 1000), (losses, 1000), 0)
    upper = counted_tail(walk, boundary)
    truth = stats.binom(wins + losses, 0.5)
    assert math.exp(upper.log_p) == pytest.approx(truth.sf(wins - 1), rel=1e-12)
    assert upper.tie == pytest.approx(truth.pmf(wins) / truth.sf(wins - 1), rel=1e-12)


def test_work_is_told_before_it_is_done():
    """It grows with the table, and is infinite where probabilities would vanish."""
    rng = np.random.default_rng(0)
    small, large = (SwapWalk.of(rng.integers(-2, 3, n), rng.integers(-2, 3, n)) for n in (20, 200))
    assert 0 < counting_work(small) < counting_work(large) < math.inf
    assert counting_work(SwapWalk.of(np.ones(901, dtype=int), np.ones(901, dtype=int))) == math.inf
