"""The two-proportion z-test against statsmodels and published numbers."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportions_ztest

from reportkit.scores.shapes.sample import RightOf
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.pooled_z import POOLED_Z, pooled_z, z_sizes

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


def test_size_against_a_sum_over_all_tables(unpaired_counts):
    """By the p-values of the test itself; a warning where it is above the level, and none where it is not."""
    n_a, n_b, share = 40, 10, 0.96
    p = {(a, b): pooled_z(unpaired_counts(a, n_a, b, n_b), PLAN) for a in range(n_a + 1) for b in range(n_b + 1)}
    for level in (0.05, 0.01):
        expected = max(
            sum(
                stats.binom.pmf(a, n_a, share) * stats.binom.pmf(b, n_b, share)
                for (a, b), outcome in p.items()
                if getattr(outcome, side) <= level
            )
            for side in ("p_greater", "p_less")
        )
        assert z_sizes(RightOf(39, 40, 9, 10), (level,)) == pytest.approx((expected,), rel=1e-9)
    sample = unpaired_counts(39, 40, 9, 10)
    (finding,) = POOLED_Z.size_remarks(sample, pooled_z(sample, PLAN), (0.05, 0.01))
    assert "at .01, the smallest level used here" in finding.message
    large = unpaired_counts(800, 1000, 750, 1000)
    assert not list(POOLED_Z.size_remarks(large, pooled_z(large, PLAN), (0.05, 0.01)))
    assert not list(POOLED_Z.size_remarks(unpaired_counts(5, 5, 9, 9), None, (0.05,)))
