"""The exact McNemar test at its worst pairing."""

import numpy as np
import pytest

from reportkit.errors import DesignError
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tango import feasible_interval
from reportkit.significance.tests.mcnemar import mcnemar, mcnemar_margins

PLAN = ResamplingPlan()


def test_is_never_below_mcnemar_on_any_pairing(proportions, pair):
    """In both directions, for random pairings of the same numbers of right answers."""
    rng = np.random.default_rng(3)
    worst = mcnemar_margins(proportions(24, 30, 15, 30), PLAN)
    for _ in range(50):
        a, b = rng.permutation(np.repeat([1.0, 0.0], [24, 6])), rng.permutation(np.repeat([1.0, 0.0], [15, 15]))
        paired = mcnemar(pair(a, b, kind="binary"), PLAN)
        assert paired.p_greater <= worst.p_greater * (1 + 1e-12)
        assert paired.p_less <= worst.p_less * (1 + 1e-12)


def test_equals_the_upper_end_of_the_feasible_interval(proportions):
    """In each direction of its own; swap included."""
    outcome = mcnemar_margins(proportions(24, 30, 15, 30), PLAN)
    assert outcome.p_greater == feasible_interval(24, 15, 30).high
    assert outcome.p_less == feasible_interval(15, 24, 30).high
    assert mcnemar_margins(proportions(15, 30, 24, 30, names=("b", "a")), PLAN) == outcome.swapped()


def test_different_test_sets_are_refused(proportions):
    """With both sizes and what to choose instead."""
    with pytest.raises(DesignError, match="these have 30 and 31 instances") as error:
        mcnemar_margins(proportions(24, 30, 15, 31), PLAN)
    assert "'aggregate-boschloo'" in str(error.value)
