"""Many systems from a few learners: each is trained on resampled training sets of several sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.calibration.streams import Progress, silent
from reportkit.calibration.training.learners import Learner, check_learners, new_model, single_seed
from reportkit.calibration.training.training_sets import TrainingSets, training_sets
from reportkit.errors import InputError, ReportkitError, UnknownNameError
from reportkit.language.counts_and_lists import counted, some
from reportkit.reproducibility_analysis.codes import Coded, coded, coded_together, label_array

Score = Literal["accuracy"] | Callable[[NDArray[Any], NDArray[Any]], ArrayLike]
"""Right or wrong; or a function of gold labels and predictions, both of shape (n,), that gives n scores."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TrainedSystem:
    """One learner, trained on one resampled training set, and its scores on every test set.

    Parameters
    ----------
    family : str
        Name of the learner.
    training_size : int
        Rows of the training set.
    repeat : int
        Which of the training sets of this size, counted from 1.
    scores : mapping of str to ndarray of shape (n_instances,)
        Dataset to scores: 0 and 1 (uint8) for right or wrong, otherwise floats.
    """

    family: str
    training_size: int
    repeat: int
    scores: Mapping[str, NDArray[Any]]

    @property
    def system(self) -> str:
        """Name: learner, size and repeat."""
        return f"{self.family}/{self.training_size}/{self.repeat}"


@dataclass(frozen=True, slots=True, eq=False)
class _TestSet:
    dataset: str
    features: Any
    gold: NDArray[Any]


def resampled_systems(
    learners: Mapping[str, Learner],
    X: Any,  # noqa: N803 - scikit-learn's name
    y: ArrayLike,
    X_tests: Any,  # noqa: N803
    y_tests: Any,
    *,
    sizes: Sequence[int] | None = None,
    n_repeats: int | Sequence[int] = 10,
    replace: bool = True,
    stratify: bool = True,
    same_sets: bool = True,
    score: Score = "accuracy",
    seed: int = 0,
    progress: Progress = silent,
) -> Iterator[TrainedSystem]:
    """Train each learner on resampled training sets, one after the other, and score each on all test sets.

    One trained model is held at a time. Everything is checked before the first one is trained.

    Parameters
    ----------
    learners : mapping of str to estimator or callable
        Name to something with scikit-learn's `fit` and `predict`, pipelines included, which is cloned; or to a function
        (or class) without arguments that makes a new one, for which scikit-learn is not needed.
    X : array, sparse matrix, data frame, list of texts or anything else with `len` and items
        What is known of n training instances. Vectorisers, scalers and the like belong into a pipeline: they are then
        fitted on each training set anew.
    y : array_like of shape (n,)
        Their labels; or numbers, with `score=` and `stratify=False`.
    X_tests, y_tests
        The same of instances that are not in X: one test set, which is called "test", or mappings of dataset to them.
    sizes : sequence of int, optional
        Sizes of the training sets, each from 1 to n; if not given, all, half and a quarter, as in the paper.
    n_repeats : int or sequence of int
        How many training sets of each size, or of each of the sizes.
    replace : bool
        Draw with replacement, as the paper does; otherwise training sets are parts of X, and those of all n rows are
        all the same but for their order.
    stratify : bool
        Draw each label as often as its share of y says, by largest remainders; otherwise rows are drawn alone.
    same_sets : bool
        Train all learners on the same training sets, as the paper does; otherwise each on its own.
    score : "accuracy" or callable
        1 where the prediction is the label, otherwise 0; or a function of (gold, predicted), of shape (n,), that
        returns n finite scores, one per instance.
    seed : int
        Of everything random: one stream for each (learner, size, repeat), so that neither the order of learners and
        sizes nor leaving some of them out changes any other system. Where a learner has a `random_state` that is None,
        also inside a pipeline, it is set from that stream; where it has a value, that is kept.
    progress : callable
        Called with (systems done, systems).

    Yields
    ------
    TrainedSystem

    Raises
    ------
    SettingsError
        If a size is larger than the training data, or a number or name makes no sense.
    InputError
        If numbers of rows differ, a label is missing in a training set or unknown to it, a learner fails, or scores are
        not n finite numbers.

    Notes
    -----
    Berg-Kirkpatrick et al. (2012), "An empirical investigation of statistical significance in NLP", section 3.2.1. It
    imitates, roughly, the variation among versions of a system in development. Systems of one learner are correlated
    with each other, and all of them share the training data: they are no sample of all systems that might be built.

    Examples
    --------
    >>> class Majority:
    ...     def fit(self, X, y):
    ...         values, counts = np.unique(y, return_counts=True)
    ...         self.label = values[counts.argmax()]
    ...         return self
    ...     def predict(self, X):
    ...         return np.repeat(self.label, len(X))
    >>> found = resampled_systems({"majority": Majority}, ["a", "b", "c", "d"], [1, 1, 0, 1], ["e", "f"], [1, 0],
    ...                           sizes=[4], n_repeats=2)
    >>> [(system.system, system.scores["test"].tolist()) for system in found]
    [('majority/4/1', [1, 0]), ('majority/4/2', [1, 0])]
    """
    check_learners(learners)
    n = _length(X, "X")
    sets = training_sets(
        n,
        sizes=sizes,
        n_repeats=n_repeats,
        replace=replace,
        stratify=stratify,
        same_sets=same_sets,
        seed=seed,
    )
    if score != "accuracy" and not callable(score):
        raise UnknownNameError("score", score, ["accuracy"])
    labels = _labels(y)
    named = stratify or score == "accuracy"
    codes, names = np.zeros(n, np.intp), np.zeros(1)
    if named:
        found = _names("the training data (y)", labels, n)
        codes, names = found.codes, found.names
    elif labels.shape != (n,):
        raise InputError(f"y has the shape {labels.shape}, and X has {counted(n, 'row')}", remedy="give one per row")
    tests = _test_sets(X_tests, y_tests, set(names.tolist()) if score == "accuracy" else None)
    if named:
        sets.refuse_missing_labels(list(learners), codes, names)
    return _train(learners, (X, labels), tests, sets, codes, score, progress)


def _length(features: Any, what: str) -> int:
    shape = getattr(features, "shape", None)
    n = int(shape[0]) if shape else len(features)
    if n == 0:
        raise InputError(f"{what} has no rows", remedy="give at least one instance")
    return n


def _labels(values: Any) -> NDArray[Any]:
    """Labels as learners take them: an array of numbers or strings; of objects only where types are mixed."""
    array = label_array(values)
    types = {type(value) for value in array.tolist()} if array.dtype.kind == "O" else set()
    return np.array(array.tolist()) if len(types) == 1 and types <= {bool, int, float, str} else array


def _test_sets(features: Any, gold: Any, known: set[Any] | None) -> list[_TestSet]:
    """Test sets with their gold labels, checked against the labels that the training data have."""
    if isinstance(features, Mapping) != isinstance(gold, Mapping):
        raise InputError(
            "one of X_tests and y_tests is a mapping of datasets, and the other is not",
            remedy="give two arrays, or two mappings with the same names of datasets",
        )
    if not isinstance(features, Mapping):
        features, gold = {"test": features}, {"test": gold}
    if not features or set(features) != set(gold):
        only = sorted(map(str, set(features) ^ set(gold)))
        raise InputError(
            f"X_tests and y_tests do not name the same datasets: {some(map(repr, only))}"
            if only
            else "there is no test set",
            remedy="give both for every dataset",
        )
    found = []
    for dataset, rows in features.items():
        place, n = f"dataset {dataset!r}", _length(rows, f"X_tests[{dataset!r}]")
        labels = _labels(gold[dataset])
        if known is not None:
            _refuse_unknown_labels(place, _names(place, labels, n).names, known)
        elif labels.shape != (n,):
            raise InputError(f"gold labels have the shape {labels.shape}, and there are {n:,} rows", where=place)
        found.append(_TestSet(str(dataset), rows, labels))
    return found


def _refuse_unknown_labels(place: str, names: NDArray[Any], known: set[Any]) -> None:
    unknown = [name for name in names.tolist() if name not in known]
    if unknown:
        raise InputError(
            f"the test set has labels that the training data do not have: {some(map(repr, unknown))}",
            where=f"{place}; the training data have {some(map(repr, sorted(known)))}",
            remedy="leave those instances out, or say by score=function how predictions are scored there",
        )


def _train(
    learners: Mapping[str, Learner],
    training: tuple[Any, NDArray[Any]],
    tests: list[_TestSet],
    sets: TrainingSets,
    codes: NDArray[np.intp],
    score: Score,
    progress: Progress,
) -> Iterator[TrainedSystem]:
    draws = list(sets.draws(list(learners)))
    by_rows = _by_rows(training[0])
    for done, (learner, size, repeat) in enumerate(draws, start=1):
        place = f"learner {learner!r}, training set of {size:,}, repeat {repeat}"
        rows = sets.rows(learner, size, repeat, codes)
        model = _guarded(
            place, "making it", new_model, learner, learners[learner], single_seed(sets.seed, *draws[done - 1])
        )
        _guarded(place, "fit", model.fit, by_rows(rows), training[1][rows])
        scores = {}
        for test in tests:
            where = f"{place}; dataset {test.dataset!r}"
            predicted = _labels(_guarded(where, "predict", model.predict, test.features))
            scores[test.dataset] = _scored(where, test.gold, predicted, score)
        progress(done, len(draws))
        yield TrainedSystem(family=learner, training_size=size, repeat=repeat, scores=scores)


def _by_rows(features: Any) -> Callable[[NDArray[np.intp]], Any]:
    """Give the rows of features, whatever holds them."""
    if hasattr(features, "iloc"):
        return lambda rows: features.iloc[rows]
    if hasattr(features, "tocsr"):
        matrix = features.tocsr()
        return lambda rows: matrix[rows]
    if hasattr(features, "shape"):
        return lambda rows: features[rows]
    return lambda rows: [features[row] for row in rows.tolist()]


def _scored(where: str, gold: NDArray[Any], predicted: NDArray[Any], score: Score) -> NDArray[Any]:
    if predicted.shape[:1] != gold.shape:
        raise InputError(
            f"predictions have the shape {predicted.shape}, and there are {counted(gold.size, 'instance')}", where=where
        )
    if isinstance(score, str):
        try:
            codes = coded_together(gold, predicted).codes
        except InputError as error:
            raise _placed(error, where) from None
        return np.asarray(codes[: gold.size] == codes[gold.size :], dtype=np.uint8)
    values = np.asarray(_guarded(where, "score", score, gold, predicted), dtype=np.float64)
    if values.shape != gold.shape:
        raise InputError(
            f"score gives the shape {values.shape}, and there are {counted(gold.size, 'instance')}",
            where=where,
            remedy="return one score for each instance, not their mean",
        )
    if not np.isfinite(values).all():
        first = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(f"score gives {values[first]} for instance {first}", where=where, remedy="give finite scores")
    return values


def _names(place: str, labels: NDArray[Any], n: int) -> Coded:
    try:
        return coded(labels, n, "label")
    except InputError as error:
        raise _placed(error, place) from None


def _placed(error: InputError, place: str) -> InputError:
    where = place if error.where is None else f"{place}; {error.where}"
    return InputError(error.problem, where=where, remedy=error.remedy)


def _guarded(where: str, step: str, action: Callable[..., Any], *arguments: Any) -> Any:
    """Say where something that belongs to the user failed."""
    try:
        return action(*arguments)
    except ReportkitError:
        raise
    except Exception as error:
        raise InputError(
            f"{step} failed with {type(error).__name__}: {error}",
            where=where,
            remedy="see the error above this one; try the learner on all training data first",
        ) from error
