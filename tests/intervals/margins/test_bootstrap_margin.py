"""The paired bootstrap against a margin: its test at 0, its interval, and turned round."""

import numpy as np
import pytest

from reportkit.significance.tests.paired_bootstrap import bootstrap_margin
from reportkit.significance.tests.sign_flip import bootstrap_interval
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.paired_bootstrap import paired_bootstrap

VALUES = np.random.default_rng(0).exponential(size=60) - 0.8


@pytest.mark.parametrize("fields", [{}, {"weights": np.arange(1.0, 61.0)}, {"clusters": np.arange(60) // 4}])
def test_at_margin_0_it_is_the_test(pair, fields):
    """The same tails."""
    sample = pair(VALUES, **fields)
    outcome, margin = paired_bootstrap(sample, ResamplingPlan()), bootstrap_margin(sample, 0.0)
    assert (margin.p_greater, margin.p_less) == pytest.approx((outcome.p_greater, outcome.p_less), rel=2e-2)


def test_it_rejects_what_lies_outside_its_interval(pair):
    """On either side of both ends."""
    sample = pair(VALUES)
    interval = bootstrap_interval(sample, 0.9)
    step = 0.005 * (interval.high - interval.low)
    assert (
        bootstrap_margin(sample, interval.low - step).p_greater
        < 0.05
        < bootstrap_margin(sample, interval.low + step).p_greater
    )
    assert (
        bootstrap_margin(sample, interval.high + step).p_less
        < 0.05
        < bootstrap_margin(sample, interval.high - step).p_less
    )


def test_turned_round(pair):
    """B against A at the negative margin."""
    forward, backward = pair(VALUES), pair(np.zeros(60), VALUES, names=("b", "a"))
    assert bootstrap_margin(backward, -0.1) == bootstrap_margin(forward, 0.1).swapped()
