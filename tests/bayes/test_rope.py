"""Three probabilities and three outcomes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reportkit.bayes.distribution import CredibleInterval, continuous
from reportkit.bayes.rope import rope_masses


def _interval(low, high):
    return CredibleInterval(low=low, high=high, level=0.95)


@settings(max_examples=10, deadline=None)
@given(st.floats(-3, 3), st.floats(0.01, 2), st.floats(0.001, 3))
def test_masses_sum_to_one_and_swap(location, scale, r):
    """As in SciPy's t; better and worse change places where the distribution is turned round."""
    t = continuous(stats.t(8, location, scale))
    masses = rope_masses(t, r, t.interval())
    assert masses.better + masses.equivalent + masses.worse == pytest.approx(1.0, abs=1e-12)
    assert masses.better == pytest.approx(stats.t.sf(r, 8, location, scale), rel=1e-9)
    other = rope_masses(t.turned_round(), r, t.turned_round().interval())
    assert other.better == pytest.approx(masses.worse, abs=1e-12)


@pytest.mark.parametrize(
    ("interval", "decision"),
    [
        ((0.02, 0.05), "practically better"),
        ((-0.05, -0.02), "practically worse"),
        ((-0.01, 0.01), "practically equivalent"),
        ((0.01, 0.05), "undecided"),
        ((-0.02, 0.02), "undecided"),
        ((0.0, 0.011), "undecided"),
    ],
)
def test_outcomes(interval, decision):
    """Wholly beyond, wholly inside, or neither; the ends of the region belong to it."""
    masses = rope_masses(continuous(stats.t(8, 0.0, 0.01)), 0.01, _interval(*interval))
    assert masses.decision == decision
