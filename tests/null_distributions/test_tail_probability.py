"""How one tail is completed by the other."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.null_distributions.tail_probability import SMALLEST_P_VALUE, TailProbability, UpperTail


def upper(p, tie=0.0, error=1e-12):
    """An upper tail of known size."""
    log_p = math.log(p) if p else -math.inf
    return UpperTail(log_p=log_p, tie=tie, method="closed form", relative_error=error, expected_error=error)


def test_the_tie_is_in_both_tails():
    """P(X <= 0) is what is not above, the tie included."""
    tails = TailProbability.from_upper_tail(upper(0.25, tie=0.2))
    assert tails.p_greater == pytest.approx(0.25, rel=1e-15)
    assert tails.p_less == pytest.approx(0.8, rel=1e-15)
    assert tails.log_p_less == pytest.approx(math.log(0.8), rel=1e-14)


def test_an_error_weighs_more_in_the_smaller_tail():
    """The same absolute error is relatively larger in the tail that is smaller."""
    tails = TailProbability.from_upper_tail(upper(0.9, error=1e-6))
    assert 9e-6 <= tails.relative_error <= 9e-6 * (1 + 1 / 64)


@given(st.floats(min_value=1e-300, max_value=1e300))
def test_a_bound_is_rounded_up_and_little(bound):
    """To one of 64 values between powers of two, so that the last digits of the bound say nothing."""
    found = TailProbability.from_upper_tail(upper(0.25, error=bound)).relative_error
    assert bound <= found <= bound * (1 + 1 / 64) or found <= 2.0**-51
    mantissa, _ = math.frexp(found)
    assert mantissa * 128 == int(mantissa * 128)


def test_impossible_and_certain_events():
    """An impossible event has the logarithm minus infinity and is not given as 0; a certain one has both tails 1."""
    tails = TailProbability.from_upper_tail(upper(0.0))
    assert (tails.p_greater, tails.log_p_greater, tails.p_less) == (SMALLEST_P_VALUE, -math.inf, 1.0)
    assert TailProbability.from_upper_tail(upper(1.0, tie=1.0)).p_less == 1.0
    assert TailProbability.certain().p_less == TailProbability.certain().p_greater == 1.0


def test_swapping_twice_changes_nothing():
    """Swapping the systems swaps the tails."""
    tails = TailProbability.from_upper_tail(upper(0.3, tie=0.1))
    assert tails.swapped().p_less == tails.p_greater
    assert tails.swapped().swapped() == tails
