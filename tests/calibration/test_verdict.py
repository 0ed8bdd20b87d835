"""What is said about simulated p-values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.calibration.shares import Proportion
from reportkit.calibration.verdict import dkw_band, judge, largest_excess


def _judged(count, total=2000, excess=0.0, reasons=("clusters are ignored",)):
    size = Proportion(count=count, total=total)
    return judge(
        [("over both directions", size, excess)], alpha=0.05, band=dkw_band(total), what="the test", reasons=reasons
    )


@pytest.mark.parametrize(
    ("count", "total", "excess", "status"),
    [
        (100, 2000, 0.0, "calibrated"),
        (60, 2000, 0.0, "conservative"),
        (140, 2000, 0.0, "too liberal"),
        (100, 2000, 0.04, "too liberal"),
        (2, 40, 0.0, "undecided"),
    ],
)
def test_status(count, total, excess, status):
    """Size, distribution function and number of replicates decide."""
    found = _judged(count, total, excess)
    assert found.status == status
    assert found.valid == (status in ("calibrated", "conservative"))
    assert ("clusters are ignored" in str(found)) == (status == "too liberal")


def test_one_bad_direction_is_enough():
    """A test that is too liberal in one direction only is too liberal."""
    sides = [("in favour of 'a'", Proportion(count=c, total=2000), 0.0) for c in (300, 2)]
    assert judge(sides, alpha=0.05, band=0.03, what="it").status == "too liberal"


def test_no_reason_known():
    """Where nothing is known to be wrong, that is said, and several reasons are possible ones."""
    assert "No reason is known" in str(_judged(200, reasons=()))
    assert "Possible reasons: one and two." in str(_judged(200, reasons=("one", "two")))


@pytest.mark.slow
@given(st.lists(st.integers(1, 20), min_size=1, max_size=30))
def test_largest_excess(values):
    """The excess is the largest difference at any p-value, found by counting."""
    p = np.array(values) / 20
    assert largest_excess(p) == pytest.approx(max(np.mean(p <= x) - x for x in p))


def test_band_holds():
    """Uniform p-values leave the band with about the probability it states, and never much more often."""
    rng = np.random.default_rng(0)
    grid = np.arange(1, 501) / 500
    outside = 0
    for _ in range(1000):
        ordered = np.sort(rng.random(500))
        outside += max((grid - ordered).max(), (ordered - grid + 1 / 500).max()) > dkw_band(500)
    assert 15 <= outside <= 50 + 4 * np.sqrt(1000 * 0.05 * 0.95)


def test_verdicts_given_together_share_false_alarms():
    """An interval just above the level condemns a test that is judged alone, not one of forty."""
    size = Proportion(count=128, total=2000)
    assert 0.05 < size.low < 0.056
    alone, together = (
        judge([("here", size, 0.0)], alpha=0.05, band=0.03, what="the test", n_judged=number).status
        for number in (1, 40)
    )
    assert (alone, together) == ("too liberal", "calibrated")


def test_what_skewness_by_chance_causes_is_tolerated_and_said():
    """Within the tolerance the verdict is calibrated, with the words; beyond it too liberal."""
    size = Proportion(count=128, total=2000)
    found = judge([("here", size, 0.035)], alpha=0.05, band=0.03, what="the test", tolerance=0.01)
    assert found.status == "calibrated"
    assert "within the size error of .010 that skewness, also by chance, may cause" in found.sentence
    worse = Proportion(count=170, total=2000)
    assert judge([("here", worse, 0.0)], alpha=0.05, band=0.03, what="the test", tolerance=0.01).status == "too liberal"
