"""Estimators that are cloned, and functions that make them."""

from __future__ import annotations

import sys

import pytest

from reportkit.calibration.training import new_model, resampled_systems
from reportkit.errors import InputError, SettingsError
from tests.conftest import unavailable


class Stub:
    """No estimator of scikit-learn: it has no parameters."""

    def fit(self, X, y):
        """Remember nothing."""

    def predict(self, X):
        """Say the same."""
        return [0] * len(X)


def _sklearn():
    try:
        from sklearn.linear_model import SGDClassifier
        from sklearn.pipeline import make_pipeline
    except ImportError:
        unavailable("scikit-learn is not installed (it comes with the extra [test])")
    return SGDClassifier, make_pipeline


def test_a_class_or_function_makes_a_new_model_each_time():
    """Nothing is shared between two models."""
    assert new_model("stub", Stub, 0) is not new_model("stub", Stub, 0)
    assert isinstance(new_model("stub", lambda: Stub(), 0), Stub)


def test_an_estimator_that_cannot_be_cloned_needs_a_function():
    """Copying a trained object by guesswork would leak what it has learned."""
    _sklearn()
    with pytest.raises(InputError, match="cannot be cloned") as caught:
        new_model("stub", Stub(), 0)
    assert "lambda: Stub(...)" in caught.value.remedy


def test_without_scikit_learn_an_estimator_needs_a_function(monkeypatch):
    """The message says so, and what to give instead."""
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    with pytest.raises(InputError, match="is not installed") as caught:
        new_model("stub", Stub(), 0)
    assert "lambda: Stub(...)" in caught.value.remedy


def test_clones_are_untrained_and_unset_random_states_are_set():
    """Inside a pipeline too; one that the user set stays."""
    sgd, make_pipeline = _sklearn()
    pipeline = make_pipeline(sgd())
    model = new_model("sgd", pipeline, 11)
    assert model is not pipeline
    assert model.get_params()["sgdclassifier__random_state"] == 11
    assert pipeline.get_params()["sgdclassifier__random_state"] is None
    assert new_model("sgd", sgd(random_state=3), 11).random_state == 3
    assert new_model("sgd", sgd, 11).random_state == 11


@pytest.mark.parametrize(
    ("learners", "message"),
    [
        ({}, "learners are"),
        ([Stub], "learners are"),
        ({"svm": "LinearSVC"}, "learner 'svm' is 'LinearSVC', which has no fit and predict"),
    ],
)
def test_what_cannot_be_trained(learners, message):
    """Refused before anything is trained."""
    with pytest.raises(SettingsError, match=message):
        resampled_systems(learners, ["a"], [1], ["b"], [1])
