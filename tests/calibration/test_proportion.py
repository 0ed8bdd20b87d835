"""Shares and their intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from reportkit.calibration.shares import Proportion
from reportkit.errors import InputError


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(869, 942, 0.904, 0.938), (48, 58, 0.711, 0.904), (41, 58, 0.580, 0.808), (28, 58, 0.359, 0.608)],
)
def test_berg_kirkpatrick(count, total, low, high):
    """Wilson's intervals of the counts behind Table 1 of Berg-Kirkpatrick et al. (2012)."""
    share = Proportion(count=count, total=total)
    assert (round(share.low, 3), round(share.high, 3)) == (low, high)


@given(st.integers(1, 500), st.data())
def test_statsmodels(total, data):
    """The interval is Wilson's of statsmodels, and holds the share."""
    count = data.draw(st.integers(0, total))
    share = Proportion(count=count, total=total, level=0.9)
    assert share.interval == pytest.approx(proportion_confint(count, total, alpha=0.1, method="wilson"), abs=1e-12)
    assert share.low <= share.value <= share.high


def test_fewer_independent_trials():
    """With a tenth of the trials independent, the interval is that of a tenth of the counts."""
    share = Proportion(count=120, total=1000, n_independent=100)
    assert share.interval == pytest.approx(Proportion(count=12, total=100).interval)
    assert share.value == 0.12
    assert Proportion(count=120, total=1000, n_independent=5000).interval == Proportion(count=120, total=1000).interval


@pytest.mark.parametrize(("count", "total", "level"), [(3, 2, 0.95), (-1, 2, 0.95), (0, 0, 0.95), (1, 2, 1.0)])
def test_no_share(count, total, level):
    """Numbers that are no share of trials are refused."""
    with pytest.raises(InputError, match="no share"):
        Proportion(count=count, total=total, level=level)
