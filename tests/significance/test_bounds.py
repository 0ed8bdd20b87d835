"""Tests whose p-value holds whatever the missing scores were."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from reportkit.scores.missing_bounds import bounded_pair
from reportkit.scores.scores import Scores
from reportkit.significance.assess import assess_with_bounds
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.plan import ResamplingPlan

PLAN = ResamplingPlan()
NAN = np.nan


def block(scores, kind="binary", **fields):
    """A dataset of systems a and b."""
    matrix = np.array(scores, dtype=np.float64)
    return Scores(
        dataset="cb",
        metric="score",
        systems=("a", "b"),
        instances=np.array([f"q{i}" for i in range(matrix.shape[1])], dtype=object),
        scores=matrix,
        kind=kind,
        **fields,
    )


RIGHT = [[1, 1, 1, 1, 0, NAN, 1, NAN, 1, 1], [0, 0, 0, 1, 1, 0, NAN, 1, 0, 0]]
GRADED = [[5, 4, 4, 3, 2, NAN, 1, NAN, 3], [1, 3, 2, 3, 4, 2, NAN, 5, 0]]


@pytest.mark.parametrize(
    "test", [name for name, entry in SIGNIFICANCE_TESTS.items() if entry.monotone and not entry.tests_nothing]
)
def test_no_other_values_give_a_larger_p_value(test):
    """All ways to fill the missing scores, enumerated: every p-value lies between the two that are reported."""
    values, scores = ([0.0, 1.0], RIGHT) if test.startswith("mcnemar") else ([0.0, 1.0, 2.5, 5.0], GRADED)
    kind = "binary" if test.startswith("mcnemar") else "continuous"
    dataset = block(scores, kind)
    found = assess_with_bounds(bounded_pair(dataset, "a", "b", score_range=(values[0], values[-1])), PLAN, test=test)
    worst = found.p_greater
    best = found.details.a.p_value_missing_in_favour
    p_values = []
    for filling in itertools.product(values, repeat=3):
        matrix = np.array(scores, dtype=np.float64)
        matrix[np.isnan(matrix)] = filling
        outcome = run_test(test, block(matrix, kind).pair("a", "b"), PLAN)
        p_values.append(outcome.p_greater)
        assert outcome.p_less <= found.p_less * (1 + 1e-9)
    assert (max(p_values), min(p_values)) == pytest.approx((worst, best), rel=1e-9)


def test_what_is_reported():
    """N counts all instances, scores and difference are those on common ones, the interval reaches over both."""
    found = assess_with_bounds(bounded_pair(block(RIGHT), "a", "b"), PLAN)
    assert (found.n, found.n_imputed, found.n_dropped) == (10, 3, 0)
    assert (found.score_a, found.score_b) == (6 / 7, 2 / 7)
    assert found.difference == pytest.approx(4 / 7)
    assert found.details.n_common == 7
    assert (found.details.a.n_missing, found.details.b.n_missing) == (2, 1)
    assert found.details.a.difference_missing_against == pytest.approx(0.3)
    assert -found.details.b.difference_missing_against == pytest.approx(0.6)
    assert found.interval.low < 0.3 < 0.6 < found.interval.high
    assert "extremes of missing scores" in found.interval.title


@pytest.mark.parametrize(("scores", "kind"), [(RIGHT, "binary"), (GRADED, "continuous"), (GRADED, "ordinal")])
def test_b_against_a_is_a_against_b_turned_round(scores, kind):
    """Outcome, interval, and the numbers of both cases."""
    dataset = block(scores, kind)
    forth = assess_with_bounds(bounded_pair(dataset, "a", "b", score_range=(0, 5)), PLAN).swapped()
    back = assess_with_bounds(bounded_pair(dataset, "b", "a", score_range=(0, 5)), PLAN)
    assert [item.code for item in forth.findings] == [item.code for item in back.findings]
    assert replace(forth, findings=back.findings) == back  # which say "a vs. b", or "b vs. a"


def test_skewed_differences_do_not_lead_to_a_test_without_bounds():
    """The bootstrap-t is not monotone: the decision table is read without it, and the warning of skewness stays."""
    rng = np.random.default_rng(1)
    a, b = 1 - rng.exponential(size=40), np.zeros(40)
    a[0], b[1] = NAN, NAN
    found = assess_with_bounds(bounded_pair(block([a, b], "continuous"), "a", "b", score_range=(-9, 1)), PLAN)
    assert found.test == "sign-flip"
    assert found.reason.startswith("scores are missing")
    assert ("skewed-differences", "warning") in [(item.code, item.severity) for item in found.findings]
    named = assess_with_bounds(
        bounded_pair(block([a, b], "continuous"), "a", "b", score_range=(-9, 1)), PLAN, test="paired-t"
    )
    assert "bounds-not-guaranteed" in [item.code for item in named.findings]


def test_systems_that_are_equal_where_both_were_scored():
    """What is missing decides; it is no pair of identical systems."""
    found = assess_with_bounds(bounded_pair(block([[1, 0, 1, 1], [1, 0, NAN, NAN]]), "a", "b"), PLAN)
    assert found.p_greater == 1.0
    assert found.details.a.p_value_missing_in_favour == 0.25
    assert found.test == "mcnemar"
    assert "identical-systems" not in [item.code for item in found.findings]
