"""The z-test of counts alone, and what it says beside."""

import json

import pytest

from reportkit.significance.aggregate_z import AGGREGATE_Z, aggregate_z
from reportkit.significance.plan import ResamplingPlan

PLAN = ResamplingPlan()


@pytest.mark.parametrize("name", ["easy", "challenge"])
def test_arc_of_sadat_azer_et_al(proportions, shared, name):
    """z, p, and the McNemar p-values that the margins allow, as in the list of truths."""
    truths = json.loads((shared / "truths" / "papers.json").read_text("utf-8"))["azer"]
    (a, b), n, bounds = truths[name]["s"], truths[name]["n"], truths[f"mcnemar_bounds_{name}"]
    sample = proportions(a, n, b, n, names=("new", "old"))
    outcome = aggregate_z(sample, PLAN)
    assert outcome.statistic == pytest.approx(truths[name]["z"], rel=1e-9)
    assert outcome.p_greater == pytest.approx(truths[name]["p_one"], rel=1e-8)
    details = AGGREGATE_Z.details(sample, outcome)
    assert details["largest possible McNemar p-value for new better"] == pytest.approx(
        bounds["p_one_exact_max"], rel=1e-8
    )
    assert [details[f"most instances that only {one} gets right"] for one in ("new", "old")] == bounds["b_c_max"]
    (finding,) = AGGREGATE_Z.remarks(sample, outcome)
    assert (finding.code, finding.severity) == ("pairing-unknown", "warning")
    assert finding.message.endswith(f"whatever the pairing was, at most .01{'3' if name == 'easy' else '7'}.")


def test_swap_and_direction(proportions):
    """B against A turned round, with the same details; errors counted instead of right answers."""
    sample, back = proportions(30, 40, 20, 40), proportions(20, 40, 30, 40, names=("b", "a"))
    outcome = aggregate_z(sample, PLAN)
    assert aggregate_z(back, PLAN) == outcome.swapped()
    assert AGGREGATE_Z.details(sample, outcome) == AGGREGATE_Z.details(back, outcome)
    lower = proportions(30, 40, 20, 40, higher_is_better=False)
    assert lower.as_given(lower.value_a) == 10 / 40
    assert AGGREGATE_Z.details(lower, outcome)["right answers of a"] == 10
    assert aggregate_z(lower, PLAN).p_greater == outcome.p_greater


def test_different_sizes_have_no_feasible_interval(proportions):
    """Then the test sets differ, and no pairing is possible for all instances."""
    sample = proportions(30, 40, 20, 50)
    outcome = aggregate_z(sample, PLAN)
    assert not any("McNemar" in name for name in AGGREGATE_Z.details(sample, outcome))
    (finding,) = AGGREGATE_Z.remarks(sample, outcome)
    assert "40 and of 50 instances" in finding.message
