"""The two-way t-test: its p-value from its interval's parts, its findings, and its size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from reportkit.scores.shapes.runs import PairedRuns
from reportkit.significance.assess import assess
from reportkit.significance.catalogue import run_test
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.two_way_t import two_way_t

PLAN = ResamplingPlan()


def runs_of(a, b, **others):
    """Runs of systems "new" and "old"."""
    fields = {"system_a": "new", "system_b": "old", "dataset": "cb", "metric": "f1", "kind": "continuous", **others}
    return PairedRuns(a=np.asarray(a, dtype=float), b=np.asarray(b, dtype=float), **fields)


def drawn(rng, m_a, m_b, n, *, run=0.3, noise=1.0, gain=0.0):
    """Instances harder and easier for each system, lucky and unlucky runs, noise."""
    common = rng.normal(0, 1, n)
    return runs_of(
        *(
            shift + common + rng.normal(0, 0.5, n) + rng.normal(0, run, (m, 1)) + rng.normal(0, noise, (m, n))
            for m, shift in ((m_a, gain), (m_b, 0.0))
        )
    )


def test_p_value_and_interval_agree():
    """At the level of the two-sided p-value, the interval ends at 0."""
    sample = drawn(np.random.default_rng(3), 4, 3, 50, gain=0.4)
    outcome = two_way_t(sample, PLAN)
    p = outcome.towards("two-sided").p_value
    interval = assess(sample, PLAN, level=1 - p).interval
    assert min(abs(interval.low), abs(interval.high)) < 1e-9
    freedom = float(outcome.statistic_name.removeprefix("t(").removesuffix(")"))
    assert outcome.p_greater == pytest.approx(stats.t.sf(outcome.statistic, freedom), rel=0.01)
    assert outcome.p_greater + outcome.p_less == pytest.approx(1)


def test_swapped():
    """B against A: the same numbers with the tails exchanged, details included."""
    sample = drawn(np.random.default_rng(5), 4, 3, 20, gain=0.2)
    back = replace(sample, system_a="old", system_b="new", a=sample.b, b=sample.a)
    one, other = assess(sample, PLAN), assess(back, PLAN)
    assert (one.p_greater, one.p_less) == (other.p_less, other.p_greater)
    assert one.statistic == -other.statistic
    assert one.details == other.details.swapped()
    assert one.swapped().details == other.details
    assert one.swapped().interval == other.interval


def test_without_variance_nothing_is_claimed():
    """All runs right everywhere against all runs wrong: p = 1, a warning, and no crash of an analysis."""
    assessment = assess(runs_of(np.ones((3, 8)), np.zeros((3, 8))), PLAN)
    assert (assessment.p_greater, assessment.p_less, assessment.p_min) == (1.0, 1.0, 1.0)
    assert assessment.difference == 1.0
    assert "no-variance" in {finding.code for finding in assessment.findings}
    assert assessment.interval is None


def test_a_single_run_is_warned_of():
    """One run beside several: the finding names the system."""
    assessment = assess(drawn(np.random.default_rng(1), 4, 1, 40), PLAN)
    (finding,) = [finding for finding in assessment.findings if finding.code == "single-run"]
    assert finding.message.startswith("'old' has a single run")
    assert assessment.details.a.stochastic_order_epsilon is None


def test_what_stands_beside():
    """Numbers of runs, spreads, and shares of the variance that add up to 1."""
    sample = drawn(np.random.default_rng(2), 4, 3, 40)
    details = assess(sample, PLAN).details
    assert (details.a.n_runs, details.b.n_runs) == (4, 3)
    assert details.a.sd_over_runs == pytest.approx(stats.tstd(sample.a.mean(axis=1)), rel=1e-10)
    shares = details.variance_share_instances, details.a.variance_share_runs, details.b.variance_share_runs
    assert sum(shares) == pytest.approx(1)
    forth, back = (side.stochastic_order_epsilon for side in details.sides)
    assert forth + back == pytest.approx(1)


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_the_same_runs_are_identical(order):
    """The same two runs in another order: nothing to test."""
    a = np.array([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
    assert assess(runs_of(a, a[order]), PLAN).test == "identical"
    assert assess(runs_of(a, 1 - a), PLAN).test == "two-way-t"


def test_the_seed_is_that_of_the_plan():
    """The bootstrap of the description draws from the stream of the plan; the test itself draws nothing."""
    sample = drawn(np.random.default_rng(4), 4, 3, 10, gain=0.4)
    first, second = (assess(sample, ResamplingPlan(seed=seed)) for seed in (1, 2))
    assert first.p_greater == second.p_greater
    assert first.details.a.stochastic_order_epsilon_min != second.details.a.stochastic_order_epsilon_min
    assert assess(sample, ResamplingPlan(seed=1)).details == first.details


@pytest.mark.parametrize(
    ("m_a", "m_b", "n", "run"), [(2, 2, 50, 0.3), (5, 5, 50, 0.1), (3, 1, 100, 0.0), (5, 3, 30, 1.0)]
)
def test_size_under_the_null(m_a, m_b, n, run):
    """Equally good systems are rejected at .05 in at most 6.5% of 2,000 draws (.05 plus three standard errors)."""
    rng = np.random.default_rng(11)
    rejected = sum(run_test("two-way-t", drawn(rng, m_a, m_b, n, run=run), PLAN).p_value <= 0.05 for _ in range(2_000))
    assert rejected / 2_000 <= 0.065
