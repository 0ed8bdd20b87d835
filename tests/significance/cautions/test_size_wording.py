"""At which levels sizes are said."""

import pytest

from reportkit.significance.cautions.size_wording import levels_used, size_at, sizes_text
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.welch import welch
from reportkit.significance.tests.welch_permutation import welch_permutation


def test_levels(unpaired):
    """.05 and the smallest threshold that the test can reach, if it is smaller."""
    sample = unpaired([0.1, 0.4, 0.3], [0.2, 0.9, 0.5])
    plan = ResamplingPlan()
    assert levels_used(welch(sample, plan), (0.05, 0.025, 0.01)) == (0.05, 0.01)
    assert levels_used(welch(sample, plan), ()) == (0.05,)
    assert levels_used(welch(sample, plan), (0.1,)) == (0.05,)
    assert levels_used(welch_permutation(sample, plan), (0.05, 0.01)) == (0.05,)  # 1 of 20 divisions


def test_sizes_between_and_beyond_simulated_levels():
    """Exact at the levels that were simulated; never above 1; in proportion beyond."""
    simulated = {0.05: 0.2, 0.01: 0.1, 0.001: 0.04}
    for level, size in simulated.items():
        assert size_at(level, simulated) == pytest.approx(size)
    assert 0.1 < size_at(0.02, simulated) < 0.2
    assert size_at(0.0001, simulated) == pytest.approx(0.004)
    assert size_at(0.9, simulated) == 1.0
    assert sizes_text([(level, simulated[level]) for level in (0.05, 0.01)]) == (
        "20% of the time at level .05, and 10% at .01, the smallest level used here"
    )
