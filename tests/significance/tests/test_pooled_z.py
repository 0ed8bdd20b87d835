"""The two-proportion z-test against statsmodels and published numbers."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportions_ztest

from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.proportions import AGGREGATE_Z, pooled_z

PLAN = ResamplingPlan()


@given(st.integers(1, 300), st.integers(1, 300), st.data())
def test_agrees_with_statsmodels(unpaired_counts, n_a, n_b, data):
    """Statistic and p of a one-sided test, pooled, without continuity correction."""
    a, b = data.draw(st.integers(0, n_a)), data.draw(st.integers(0, n_b))
    outcome = pooled_z(unpaired_counts(a, n_a, b, n_b), PLAN)
    if a + b in (0, n_a + n_b):
        assert (outcome.p_greater, outcome.p_less, outcome.statistic) == (1.0, 1.0, 0.0)
        return
    z, p = proportions_ztest([a, b], [n_a, n_b], alternative="larger")
    assert outcome.statistic == pytest.approx(z, abs=1e-9)
    assert outcome.p_greater == pytest.approx(p, rel=1e-6)
    assert outcome.p_min <= min(outcome.p_greater, outcome.p_less)
    assert pooled_z(unpaired_counts(b, n_b, a, n_a, names=("b", "a")), PLAN) == outcome.swapped()


@pytest.mark.parametrize("name", ["easy", "challenge"])
def test_arc_of_sadat_azer_et_al(unpaired_counts, shared, name):
    """Example 1 and its companion: z and p as recomputed from the paper's numbers."""
    truth = json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["azer"][name]
    (a, b), n = truth["s"], truth["n"]
    outcome = pooled_z(unpaired_counts(a, n, b, n), PLAN)
    assert outcome.statistic == pytest.approx(truth["z"], rel=1e-9)
    assert outcome.p_greater == pytest.approx(truth["p_one"], rel=1e-8)


def test_different_sizes_have_no_feasible_interval(proportions):
    """Then the test sets differ, and no pairing is possible for all instances."""
    sample = proportions(30, 40, 20, 50)
    outcome = pooled_z(sample, PLAN)
    assert AGGREGATE_Z.details(sample, outcome) == {
        "a": {"n_instances": 40, "n_right": 30},
        "b": {"n_instances": 50, "n_right": 20},
    }
    (finding,) = AGGREGATE_Z.remarks(sample, outcome)
    assert "40 and of 50 instances" in finding.message
