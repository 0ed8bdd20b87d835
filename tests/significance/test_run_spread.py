"""What is said beside tests of runs."""

from __future__ import annotations

import numpy as np

from reportkit.results.details import Details
from reportkit.results.run_scores import RunScores
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.run_spread import few_run_findings, order_of_runs, single_run_findings
from reportkit.significance.welch_seeds import welch_seeds


def test_a_single_run_is_named():
    """One finding per system with one run, none for several."""
    found = list(single_run_findings({"new": 5, "old": 1}, "new v old on cb"))
    assert [finding.message.split()[0] for finding in found] == ["'old'"]
    assert not list(single_run_findings({"new": 2, "old": 3}, ""))


def test_few_runs_and_what_they_do_to_the_level():
    """The size that was simulated, by the smaller number of several runs; an exact test keeps its level."""
    for numbers, size in (({"a": 2, "b": 9}, ".09"), ({"a": 9, "b": 3}, ".07"), ({"a": 4, "b": 4}, ".06")):
        (finding,) = few_run_findings(numbers, "a v b on cb")
        assert finding.message.endswith(f"can reach {size}.")
        (finding,) = few_run_findings(numbers, "a v b on cb", exact=True)
        assert "size" not in finding.message
    assert not list(few_run_findings({"a": 5, "b": 1}, ""))


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
