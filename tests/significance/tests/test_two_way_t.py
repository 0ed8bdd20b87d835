"""The two-way t-test over instances and runs."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from reportkit.scores.sample import swapped_details
from reportkit.significance.assess import assess
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.tests.two_way_t import estimate_two_way, satterthwaite
from reportkit.significance.units import estimate_mean
from tests.samples import sample
from tests.significance.methods import interval_of

PLAN = ResamplingPlan()


def runs_of(a, b, **others):
    """Runs of systems "new" and "old"."""
    return sample(a, b, shape="runs", names=("new", "old"), **others)


def drawn(rng, m_a, m_b, n, *, run=0.3, noise=1.0, gain=0.0):
    """Instances harder and easier for each system, lucky and unlucky runs, noise."""
    common = rng.normal(0, 1, n)
    return runs_of(
        *(
            shift + common + rng.normal(0, 0.5, n) + rng.normal(0, run, (m, 1)) + rng.normal(0, noise, (m, n))
            for m, shift in ((m_a, gain), (m_b, 0.0))
        )
    )


def test_swapped():
    """B against A: the same numbers with the tails exchanged, details included."""
    sample = drawn(np.random.default_rng(5), 4, 3, 20, gain=0.2)
    back = replace(sample, system_a="old", system_b="new", a=sample.b, b=sample.a)
    one, other = assess(sample, PLAN), assess(back, PLAN)
    assert (one.p_greater, one.p_less) == (other.p_less, other.p_greater)
    assert one.statistic == -other.statistic
    assert one.details == swapped_details(other.details)
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
    """One run against several: the finding names the system."""
    assessment = assess(drawn(np.random.default_rng(1), 4, 1, 40), PLAN)
    (finding,) = [finding for finding in assessment.findings if finding.code == "single-run"]
    assert finding.message.startswith("'old' has a single run")
    assert assessment.details["b"]["variance_share_runs"] == 0 < assessment.details["a"]["variance_share_runs"]


@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_the_same_runs_are_identical(order):
    """The same two runs in another order: nothing to test."""
    a = np.array([[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]])
    assert assess(runs_of(a, a[order]), PLAN).test == "identical"
    assert assess(runs_of(a, 1 - a), PLAN).test == "two-way-t"


def drawn_too(seed, m_a, m_b, n, *, noise=1.0):
    """Instances, runs and noise, all normal."""
    rng = np.random.default_rng(seed)
    instances = rng.normal(0, 1, n)
    return runs_of(
        *(instances + rng.normal(0, 0.5, (m, 1)) + rng.normal(0, noise, (m, n)) for m in (m_a, m_b)),
    )


def written_out(a, b):
    """Variance and degrees of freedom as the specification has them, term by term."""
    n = a.shape[1]
    differences = a.mean(axis=0) - b.mean(axis=0)
    v_i = stats.tvar(differences) / n
    parts = []
    for rows in (a, b):
        m = len(rows)
        v = stats.tvar(rows.mean(axis=1)) / m if m > 1 else 0.0
        residual = sum(
            (rows[k, j] - rows[k].mean() - rows[:, j].mean() + rows.mean()) ** 2 for k in range(m) for j in range(n)
        )
        e = residual / ((m - 1) * (n - 1)) / (n * m) if m > 1 else 0.0
        parts.append((v, e, m))
    (v_a, e_a, m_a), (v_b, e_b, m_b) = parts
    variance = max(v_i, v_a + v_b, v_i + v_a + v_b - e_a - e_b)
    known = [(v, m - 1) for v, m in ((v_i, n), (v_a, m_a), (v_b, m_b)) if m > 1]
    freedom = sum(v for v, _ in known) ** 2 / sum(v**2 / f for v, f in known)
    return differences.mean(), variance, freedom


@pytest.mark.parametrize("shape", [(2, 2, 10), (5, 3, 40), (1, 4, 25), (3, 1, 6), (10, 10, 3)])
@pytest.mark.parametrize("noise", [0.01, 1.0, 5.0])
def test_the_formulas_term_by_term(shape, noise):
    """Mean, variance and degrees of freedom are those of the specification."""
    runs = drawn_too(sum(shape), *shape, noise=noise)
    mean, variance, freedom = written_out(runs.a, runs.b)
    estimate = estimate_two_way(runs)
    assert estimate.mean == pytest.approx(mean, rel=1e-12)
    assert estimate.standard_error == pytest.approx(math.sqrt(variance), rel=1e-10)
    assert estimate.degrees_of_freedom == pytest.approx(freedom, rel=1e-10)
    interval = interval_of("two-way-t")(runs, 0.9)
    half = stats.t.ppf(0.95, freedom) * math.sqrt(variance)
    assert (interval.low, interval.high) == pytest.approx((mean - half, mean + half), rel=1e-10)


def test_residual_mean_square_of_an_analysis_of_variance():
    """The two-way table of statsmodels without interaction has the same residual and the same spread of runs."""
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    runs = drawn_too(3, 4, 2, 12)
    m, n = runs.a.shape
    data = pd.DataFrame({"score": runs.a.ravel(), "run": np.repeat(range(m), n), "item": np.tile(range(n), m)})
    table = anova_lm(ols("score ~ C(run) + C(item)", data).fit())
    estimate = estimate_two_way(runs)
    assert estimate.residual_a**2 == pytest.approx(table.loc["Residual", "mean_sq"] / (n * m), rel=1e-9)
    assert estimate.runs_a**2 == pytest.approx(table.loc["C(run)", "mean_sq"] / (n * m), rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
def test_the_part_of_the_instances_is_that_of_the_averaged_scores(weighted, clustered):
    """The root of v_I is the (weighted, cluster-robust) standard error of the scores averaged over the runs."""
    runs = drawn_too(6, 3, 2, 30)
    beside = {
        "weights": np.linspace(1, 3, 30) if weighted else None,
        "clusters": np.arange(30) // 4 if clustered else None,
    }
    averaged = sample(runs.a.mean(axis=0), runs.b.mean(axis=0), **beside)
    estimate, reference = estimate_two_way(replace(runs, **beside)), estimate_mean(averaged)
    assert estimate.instances == pytest.approx(reference.standard_error, rel=1e-10)
    assert estimate.mean == pytest.approx(reference.mean, rel=1e-10)


@pytest.mark.parametrize(
    "runs",
    [
        runs_of([[1.0], [2.0]], [[0.0], [0.5]]),
        runs_of(np.ones((3, 5)), np.zeros((3, 5))),
        runs_of(np.full((3, 5), 0.3), np.full((2, 5), 0.1)),
        runs_of([[1.0, 0.0], [1.0, 1.0]], [[0.0, 0.5]], clusters=np.zeros(2, dtype=int)),
    ],
)
def test_no_information_on_the_variance(runs):
    """One instance or cluster, or no variation at all: no standard error, and no interval of width 0."""
    assert estimate_two_way(runs).standard_error is None
    assert interval_of("two-way-t")(runs) is None


def test_welch_is_a_case():
    """Two variances of means: the degrees of freedom of SciPy's test with unequal variances."""
    a, b = [0.71, 0.74, 0.69, 0.75, 0.73], [0.70, 0.66, 0.68]
    parts = [(np.var(x, ddof=1) / len(x), len(x) - 1.0) for x in (a, b)]
    assert satterthwaite(parts) == pytest.approx(stats.ttest_ind(a, b, equal_var=False).df)
