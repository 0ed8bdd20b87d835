"""Predictive checks find what a model cannot make."""

import numpy as np
import pytest

from reportkit.bayes.chains.category_models import logistic_model
from reportkit.bayes.chains.predictive_check import PredictiveCheck, findings_of_checks, predictive_checks
from reportkit.bayes.chains.score_models import metric_model


def check(**changes):
    """One check that is not extreme, unless changed."""
    values = {"under": "posterior", "quantity": "mean", "observed": 1.0, "low": 0.5, "median": 1.0, "high": 1.5}
    return PredictiveCheck(**{**values, "p_value": 0.5, "n_replicates": 1000, **changes})


def test_data_of_the_model_pass_and_others_fail():
    """Skewed differences are no Student-t ones with many degrees of freedom: the largest is too large."""
    rng = np.random.default_rng(1)
    values = {"mu": np.zeros(1000), "sigma": np.ones(1000), "nu_above_one": np.full(1000, 1e6)}
    good = metric_model({"difference": np.sort(rng.normal(size=200))}, 1.0, 1.0)
    bad = metric_model({"difference": np.sort(rng.exponential(3.0, 200) - 3.0)}, 1.0, 1.0)
    assert not any(item.extreme for item in predictive_checks(good, values, "posterior", rng))
    found = {item.quantity: item for item in predictive_checks(bad, values, "posterior", rng)}
    assert found["largest of differences"].extreme
    assert found["largest of differences"].p_value == 0.0


def test_answers_that_are_negatively_associated_are_found():
    """Two systems that are right on different instances: no difficulty that both share makes such data."""
    model = logistic_model(np.array([[5.0, 60.0, 60.0, 5.0]]), 1.0, clustered=False)
    values = {"level": np.zeros(500), "delta": np.zeros(500), "tau": np.full(500, 0.1)}
    found = predictive_checks(model, values, "posterior", np.random.default_rng(1))
    assert {item.quantity for item in found if item.extreme} >= {"share of both right", "share of both wrong"}


def test_equal_quantities_count_by_half():
    """All replicated data equal to the data: a p-value of a half, which is not extreme."""
    model = metric_model({"difference": np.zeros(5)}, 1.0, 1.0)
    values = {"mu": np.zeros(100), "sigma": np.zeros(100), "nu_above_one": np.ones(100)}
    found = predictive_checks(model, values, "prior", np.random.default_rng(1))
    assert {item.p_value for item in found} == {0.5}


@pytest.mark.parametrize("p_value", [0.0, 0.0049, 0.9951, 1.0])
def test_findings_say_what_is_extreme(p_value):
    """With the observed quantity, and what the model makes."""
    items = (check(), check(quantity="largest of a", observed=9.0, p_value=p_value))
    (finding,) = findings_of_checks(items, "'a' v 'b'")
    assert finding.code == "posterior-predictive-conflict"
    assert "largest of a is 9, replicated [0.5, 1.5]" in finding.message
    assert "mean" not in finding.message
    assert findings_of_checks((check(p_value=0.005), check(p_value=0.995)), "") == ()
