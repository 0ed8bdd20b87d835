"""Planned standard errors against simulation, the estimators they plan for, and closed forms."""

import math

import numpy as np
import pytest

from reportkit.errors import SettingsError
from reportkit.power_analysis.planned_error import (
    RunComponents,
    error_over_runs,
    run_components,
)
from reportkit.scores.sample import Sample
from reportkit.significance.tests.two_way_t import estimate_two_way


def runs_of(a, b):
    """Scores of shape (runs, instances) of two systems."""
    return Sample(shape="runs", system_a="a", system_b="b", dataset="cb", metric="f1", kind="continuous", a=a, b=b)


def test_planning_for_the_design_at_hand_gives_its_own_variance():
    """With n and m of the pilot, se^2 is v_I + v_A + v_B - e_A - e_B of its estimate, and df is its df."""
    rng = np.random.default_rng(3)
    truth = rng.normal(size=200)
    a = truth + rng.normal(0, 0.3, (4, 1)) + rng.normal(0, 0.5, (4, 200))
    b = truth + rng.normal(0, 1.0, 200) + rng.normal(0, 0.3, (3, 1)) + rng.normal(0, 0.5, (3, 200))
    estimate = estimate_two_way(runs_of(a, b))
    planned = error_over_runs(run_components(estimate, 200, 4, 3), 200, 4, 3)
    parts = [estimate.instances, estimate.runs_a, estimate.runs_b, estimate.residual_a, estimate.residual_b]
    v_i, v_a, v_b, e_a, e_b = (part**2 for part in parts)
    assert planned.standard_error == pytest.approx(math.sqrt(v_i + v_a + v_b - e_a - e_b), rel=1e-10)
    assert planned.degrees_of_freedom == pytest.approx(estimate.degrees_of_freedom, rel=1e-10)


def test_components_are_estimated_without_bias():
    """Averaged over 300 pilots, the components are the ones that the scores were drawn with."""
    rng = np.random.default_rng(5)
    truth = {"instances": 1.0, "runs_a": 0.5, "runs_b": 0.3, "residual_a": 0.4, "residual_b": 0.2}
    found = {name: [] for name in truth}
    for _ in range(300):
        d = rng.normal(0, 1.0, 60)
        a = d + rng.normal(0, math.sqrt(0.5), (4, 1)) + rng.normal(0, math.sqrt(0.4), (4, 60))
        b = rng.normal(0, math.sqrt(0.3), (4, 1)) + rng.normal(0, math.sqrt(0.2), (4, 60))
        components = run_components(estimate_two_way(runs_of(a, b)), 60, 4, 4)
        for name, values in found.items():
            values.append(getattr(components, name))
    for name, values in found.items():
        assert np.mean(values) == pytest.approx(truth[name], abs=4 * np.std(values) / math.sqrt(300)), name


def test_more_runs_and_more_instances_take_down_different_parts():
    """Without limit, only the variance of the other factor is left."""
    components = RunComponents(instances=0.2, runs_a=1e-3, runs_b=2e-3, residual_a=0.1, residual_b=0.1)
    assert error_over_runs(components, 100, 10**8, 10**8).standard_error == pytest.approx(
        math.sqrt(0.2 / 100), rel=1e-4
    )
    assert error_over_runs(components, 10**9, 5, 5).standard_error == pytest.approx(math.sqrt(3e-3 / 5), rel=1e-4)


def test_one_run_says_nothing_about_runs():
    """Components cannot be had from a pilot with a single run."""
    estimate = estimate_two_way(runs_of(np.eye(2, 5), np.ones((1, 5))))
    with pytest.raises(SettingsError, match="m_b is 1"):
        run_components(estimate, 5, 2, 1)
