"""What is trained: estimators that are cloned, or functions that make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from reportkit.calibration.streams import stream
from reportkit.errors import InputError, SettingsError


class Model(Protocol):
    """What can be trained and asked, as scikit-learn's estimators can."""

    def fit(self, X: Any, y: Any) -> Any:  # noqa: N803 - scikit-learn's name
        """Train on rows X with labels y."""

    def predict(self, X: Any) -> Any:  # noqa: N803
        """Predict one label for each row."""


Learner = Model | Callable[[], Model]
"""An estimator, which is cloned, or something that is called without arguments and makes one."""


def check_learners(learners: object) -> None:
    """Refuse what cannot be trained, before anything is.

    Raises
    ------
    SettingsError
        If there is no learner, one has no name, or one has neither `fit` and `predict` nor can be called.
    """
    if not isinstance(learners, Mapping) or not learners:
        raise SettingsError(
            f"learners are {learners!r}",
            remedy='name at least one: learners={"svm": LinearSVC()}, with fit and predict',
        )
    for name, learner in learners.items():
        if not isinstance(name, str) or not name.strip():
            raise SettingsError(f"the name of a learner is {name!r}", remedy="give every learner a name")
        if not _makes_models(learner) and not (hasattr(learner, "fit") and hasattr(learner, "predict")):
            raise SettingsError(
                f"learner {name!r} is {learner!r}, which has no fit and predict",
                remedy="give an estimator, or a function that makes one",
            )


def single_seed(seed: int, learner: str, size: int, repeat: int) -> int:
    """Seed of one model, from 0 to 2**31 - 1: `random_state` may not be larger everywhere.

    Examples
    --------
    >>> single_seed(0, "svm", 100, 1) == single_seed(0, "svm", 100, 1) != single_seed(0, "svm", 100, 2)
    True
    """
    return int(stream(seed, "model", learner, str(size), str(repeat)).integers(2**31 - 1))


def new_model(name: str, learner: Learner, seed: int) -> Model:
    """Make an untrained model, whose `random_state`s that are None, also inside a pipeline, are set.

    Raises
    ------
    InputError
        If scikit-learn is needed to clone an estimator and cannot, or is not installed.
    """
    model: Any = learner() if _makes_models(learner) else _cloned(name, learner)  # type: ignore[operator] # not both of its kinds
    if hasattr(model, "get_params") and hasattr(model, "set_params"):
        own = "random_state"
        unset = [
            key for key, value in model.get_params(deep=True).items() if value is None and key.split("__")[-1] == own
        ]
        if unset:
            model.set_params(**dict.fromkeys(sorted(unset), seed))
    return cast("Model", model)


def _makes_models(learner: object) -> bool:
    return isinstance(learner, type) or (callable(learner) and not hasattr(learner, "fit"))


def _cloned(name: str, learner: object) -> Any:
    remedy = f"give a function that makes a new one: learners={{{name!r}: lambda: {type(learner).__name__}(...)}}"
    try:
        from sklearn.base import clone  # type: ignore[import-untyped] # has no stubs
    except ImportError:
        raise InputError(
            f"learner {name!r} is an estimator, and scikit-learn, which clones it, is not installed", remedy=remedy
        ) from None
    try:
        return clone(learner)
    except TypeError as error:
        raise InputError(f"learner {name!r} cannot be cloned by scikit-learn: {error}", remedy=remedy) from error
