"""What is said beside tests of runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest

from reportkit.scores.shapes.run_scores import RunScores
from reportkit.scores.shapes.sample import Details
from reportkit.significance.cautions import (
    failed_run_findings,
    few_run_findings,
    order_of_runs,
    single_run_findings,
)
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests.mann_whitney_seeds import mann_whitney_seeds
from reportkit.significance.tests.welch_seeds import welch_seeds


def test_a_single_run_is_named():
    """One finding per system with one run, none for several."""
    found = list(single_run_findings({"new": 5, "old": 1}, "new v old on cb"))
    assert [finding.message.split()[0] for finding in found] == ["'old'"]
    assert not list(single_run_findings({"new": 2, "old": 3}, ""))


def test_few_runs_and_what_they_do_to_the_level():
    """Power always; the simulated size only of a t-test, and where a level in use is so small that it is exceeded."""
    a = np.linspace(0.7, 0.75, 9)
    for m, size in ((2, "3.1% at .001"), (3, "0.98% at .001"), (4, "0.51% at .001")):
        runs = RunScores(system_a="x", system_b="y", dataset="cb", metric="f1", kind="continuous", a=a[:m], b=a)
        outcome = welch_seeds(runs, ResamplingPlan())
        (finding,) = few_run_findings({"x": m, "y": 9}, "x v y on cb", outcome, (0.05, 0.001))
        assert finding.message.endswith(f"{size}, the smallest level used here.")
        (exact,) = few_run_findings({"x": m, "y": 9}, "x v y", mann_whitney_seeds(runs, ResamplingPlan()), (0.001,))
        assert exact.message.endswith("are easily missed.")
        (finding,) = few_run_findings({"x": m, "y": 9}, "x v y on cb", outcome, (0.05,))
        assert (finding.message == exact.message) is (m == 4)
    assert not list(few_run_findings({"a": 5, "b": 1}, ""))


@pytest.mark.parametrize(("m", "rate", "severity"), [(2, "78%", "warning"), (5, "45%", "warning"), (11, "24%", "info")])
def test_what_so_few_runs_cannot_show(m, rate, severity):
    """The rate of failures with which m runs show none with probability .05: 1 - .05^(1/m)."""
    scores = {"a": np.linspace(0.7, 0.75, m), "b": np.linspace(0.6, 0.65, m + 3)}
    (finding,) = failed_run_findings(scores, "a v b on cb")
    assert (finding.code, finding.severity) == ("unseen-failures", severity)
    assert f"{m} runs of a system are too few to rule out a failure in up to {rate} of its" in finding.message
    exact = binomtest(0, m).proportion_ci(confidence_level=0.9, method="exact").high
    assert f"{round(100 * exact)}%" == rate


def test_a_run_far_off_is_named():
    """One of five that collapsed, with its score and those of the others; not where normal runs scatter, nor of two."""
    good = np.array([0.71, 0.72, 0.70, 0.73])
    (finding,) = failed_run_findings({"a": good, "b": np.append(good, 0.12)}, "a v b on cb")
    assert finding.code == "outlying-run"
    assert "One run of 'b' lies far from the others (0.12; the others: 0.7 to 0.73)" in finding.message
    (finding,) = failed_run_findings({"a": np.array([0.7, 0.1]), "b": good}, "")
    assert finding.code == "unseen-failures"
    (finding,) = failed_run_findings({"a": np.array([0.7, 0.7, 0.7, 0.2]), "b": good}, "")
    assert finding.code == "outlying-run"
    assert not list(failed_run_findings({"a": good[:1], "b": good[:1]}, ""))
    rng = np.random.default_rng(0)
    found = [
        next(iter(failed_run_findings({"a": rng.normal(size=5), "b": rng.normal(size=4)}, ""))).code
        for _ in range(1000)
    ]
    assert found.count("outlying-run") <= 20  # 1% is promised


def test_stochastic_order_is_a_description():
    """For either system; nothing for a single run; the upper bound is at least the value."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.1, 1, 6), rng.normal(0, 1, 5)
    runs = RunScores(system_a="x", system_b="y", dataset="cb", metric="f1", kind="continuous", a=a, b=b)
    outcome = welch_seeds(runs, ResamplingPlan(seed=3))
    found = order_of_runs(runs, a, b, outcome)
    for side in found.sides:
        assert side.stochastic_order_epsilon_min >= side.stochastic_order_epsilon
    assert order_of_runs(runs, a[:1], b, outcome) == Details()
