"""The bracket holds the truth, whatever the data."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reportkit.null_distributions.contour.bracket import bracket_tail
from reportkit.null_distributions.contour.contour import contour_tail
from reportkit.null_distributions.enumeration import enumerate_draws, enumerate_flips
from reportkit.null_distributions.step_sums import DrawSum, FlipSum


@pytest.mark.parametrize("share", [0.49, 0.3, 0.15])
@pytest.mark.parametrize("spread", [1.0, 3.0])
def test_flips(share, spread):
    """Few flips, with sizes of one or of several magnitudes, against enumeration."""
    values = np.exp(spread * np.random.default_rng(1).normal(size=36))
    problem = FlipSum(values, None, share * float(values.sum()))
    truth = enumerate_flips(problem)
    upper = bracket_tail(problem, max_relative_error=3e-3)
    if upper is not None:
        assert abs(math.expm1(upper.log_p - truth.log_p)) <= upper.relative_error <= 3e-3
    assert upper is not None or spread > 1.0


def test_flips_of_which_few_are_left():
    """So far in the tail that the characteristic function does not die out: against a list of all sets of flips."""
    values = np.random.default_rng(2).uniform(0.5, 1.5, 60)
    problem = FlipSum(values, None, 3.4)
    truth = enumerate_flips(problem)
    upper = bracket_tail(problem, max_relative_error=1e-2)
    assert abs(math.expm1(upper.log_p - truth.log_p)) <= upper.relative_error <= 1e-2


@pytest.mark.parametrize("excess", [0.1, 1.5, 4.0])
def test_draws(excess):
    """Few draws against enumeration."""
    d = np.random.default_rng(3).normal(size=13)
    problem = DrawSum(d - d.mean(), np.full(13, 1 / 13), 13, excess)
    truth = enumerate_draws(problem)
    upper = bracket_tail(problem, max_relative_error=1e-3)
    assert abs(math.expm1(upper.log_p - truth.log_p)) <= upper.relative_error <= 1e-3


def test_bracket_and_contour_agree():
    """Where both ways are open they lead to the same tail."""
    rng = np.random.default_rng(4)
    values = rng.random(150)
    for problem in (
        FlipSum(values, None, 0.4 * float(values.sum())),
        DrawSum(values - values.mean(), np.full(150, 1 / 150), 150, 9.0),
    ):
        narrow, wide = contour_tail(problem), bracket_tail(problem, max_relative_error=2e-3)
        assert abs(math.expm1(narrow.log_p - wide.log_p)) <= wide.relative_error + narrow.relative_error
        assert abs(math.expm1(narrow.log_p - wide.log_p)) <= 1e-4  # the middle is much better than the bound


def test_none_if_a_tie_stays_open():
    """Equal steps tie at every fineness; that is said, not hidden."""
    problem = FlipSum(np.full(51, 1.0 / 3.0), None, 20.0 / 3.0)
    assert bracket_tail(problem, max_relative_error=1e-3) is None
