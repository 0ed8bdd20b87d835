"""All pairs of systems on one dataset."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from reportkit.calibration.pairs import compared_pairs, row_p_values, unit_scores
from reportkit.errors import DesignError, MissingScoresError, UnknownNameError
from reportkit.significance.catalogue import run_test
from reportkit.significance.choose import choose
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.nulls import draw_tails, flip_tails


@pytest.mark.parametrize("test", ["paired-bootstrap", "sign-flip", "wilcoxon", None])
def test_same_as_pair_by_pair(block_of, test):
    """Winner, gain and p-value of each pair are those of the test run alone."""
    block = block_of(np.random.default_rng(0).normal(size=(5, 25)))
    found = compared_pairs(block, test=test)
    assert found.n_pairs == 10
    for index, (a, b) in enumerate(combinations(range(5), 2)):
        sample = block.pair(f"s{a:02}", f"s{b:02}")
        plan = ResamplingPlan(max_resamples=9_999)
        outcome = run_test(test or choose(sample).test, sample, plan)
        assert {found.winner[index], found.loser[index]} == {a, b}
        assert found.gains[index] == abs(sample.value_difference)
        assert (found.winner[index] == a) == (sample.value_difference >= 0)
        assert found.p_values[index] == (outcome.p_greater if sample.value_difference >= 0 else outcome.p_less)


def test_right_or_wrong_is_mcnemar(block_of):
    """For binary scores the sign flip of rows is the exact McNemar test."""
    scores = (np.random.default_rng(0).random((4, 40)) < 0.6).astype(float)
    first, second = np.triu_indices(4, 1)
    table = compared_pairs(block_of(scores, kind="binary"), test="mcnemar")
    p_greater, p_less = row_p_values(scores[first] - scores[second], "sign-flip")
    won = scores[first].sum(axis=1) >= scores[second].sum(axis=1)
    np.testing.assert_allclose(np.where(won, p_greater, p_less), table.p_values, rtol=1e-9)


def test_identical_systems(block_of):
    """Two systems with the same scores have gain 0 and p = 1."""
    found = compared_pairs(block_of(np.array([[1.0, 2.0, 3.0]] * 2)))
    assert (found.gains.tolist(), found.p_values.tolist(), found.tests) == ([0.0], [1.0], ("identical",))


@settings(max_examples=15, deadline=None)
@given(arrays(np.float64, (3, 12), elements=st.integers(-3, 3)), st.permutations(range(12)))
def test_rows_are_those_of_single_tests_in_any_order(differences, order):
    """P-values of rows are the exact tails, lie in (0, 1], and do not change with the order of instances."""
    for test, single in (("sign-flip", flip_tails), ("paired-bootstrap", draw_tails)):
        p_greater, p_less = row_p_values(differences, test)
        again = row_p_values(differences[:, order], test)
        np.testing.assert_array_equal(p_greater, again[0])
        assert ((p_greater > 0) & (p_greater <= 1) & (p_less > 0) & (p_less <= 1)).all()
        for row, one, other in zip(differences, p_greater, p_less, strict=True):
            if row.any():
                (tail,) = single(np.sort(row)[None, :]).each()
                assert (one, other) == pytest.approx((tail.greater, tail.less), rel=1e-6)
            else:
                assert one == other == 1.0


def test_refusals(block_of, runs_of):
    """Missing scores, ordinal ones, runs, single systems and unknown tests are refused."""
    with pytest.raises(MissingScoresError, match="'s01' lacks 1"):
        unit_scores(block_of([[1.0, 2.0], [np.nan, 1.0]]))
    with pytest.raises(DesignError, match="one score per system"):
        unit_scores(block_of([[1.0, 2.0], [2.0, 1.0]], kind="ordinal"))
    with pytest.raises(DesignError, match="runs"):
        unit_scores(runs_of(2, 2, 5, run_sd=1.0))
    with pytest.raises(DesignError, match="two systems"):
        compared_pairs(block_of([[1.0, 2.0]]))
    with pytest.raises(UnknownNameError, match="test of rows"):
        row_p_values(np.ones((1, 3)), "wilcoxon")
