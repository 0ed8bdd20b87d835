"""Many systems from a few learners, each trained on resampled training sets of several sizes, as a frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from reportkit.calibration.plan import stream
from reportkit.calibration.training_sets import Learner, makes_models, new_model, rows_of_set, sizes_of_sets
from reportkit.errors import InputError, SettingsError
from reportkit.language import counted, some
from reportkit.reproducibility_analysis.codes import Coded, coded, coded_together, label_array
from reportkit.settings.settings import seed_of

if TYPE_CHECKING:
    from numpy.random import Generator


def resampled_training_sets(
    learners: Mapping[str, Learner],
    X: Any,  # noqa: N803 - scikit-learn's name
    y: ArrayLike,
    X_tests: Any,  # noqa: N803
    y_tests: Any,
    *,
    sizes: Sequence[int] | None = None,
    n_repeats: int | Sequence[int] = 10,
    rng: int | Generator = 0,
    instances: Any = None,
    clusters: Any = None,
) -> pd.DataFrame:
    """Train learners on resampled training sets of several sizes; scores of all these systems in long form.

    Parameters
    ----------
    learners : mapping of str to estimator or callable
        Name to something with scikit-learn's `fit` and `predict`, pipelines included, which is cloned; or to a function
        (or class) without arguments that makes a new one, for which scikit-learn is not needed.
    X : array, sparse matrix, data frame, list of texts or anything else with `len` and items
        Features of n training instances. Vectorisers, scalers and the like belong in a pipeline: they are then
        fitted on each training set.
    y : array_like of shape (n,)
        Their labels.
    X_tests, y_tests
        The same of instances that are not in X: one test set, which is called "test", or mappings of dataset to them.
    sizes : sequence of int, optional
        Sizes of the training sets, each from 1 to n; if not given, all, half and a quarter, as in the paper.
    n_repeats : int or sequence of int
        How many training sets of each size, or of each of the sizes; all learners are trained on the same. They are
        drawn with replacement, each label as often as its share of y says, by largest remainders.
    rng : int or numpy.random.Generator
        Seed of everything random: one stream for each (learner, size, repeat), so that neither the order of learners
        and sizes nor leaving some of them out changes any other system. Where a learner has a `random_state` that is
        None, also inside a pipeline, it is set from that stream. Of a generator one whole number is drawn.
    instances : sequence, or mapping of str to sequence, optional
        Names of the instances of the test set, or of each dataset; where none are given, dataset and number from 0.
    clusters : the same, optional
        What instances nest in, such as documents. In datasets without, each instance is a cluster of its own.

    Returns
    -------
    DataFrame
        Columns system ("learner/size/repeat"), family (the learner), training_size, repeat, dataset, instance, score
        and, if there are clusters, cluster; names are categorical. By system, then dataset, then instance, in the order
        given. (A column `size` would be read as a number of instances.)

    Raises
    ------
    SettingsError
        If a size is larger than the training data, or a number or name makes no sense.
    InputError
        If numbers of rows differ, a label is missing in a training set or unknown to it, names of instances are not one
        per row and each different, or predictions are missing. Errors of a learner carry a note that names it.

    Notes
    -----
    Berg-Kirkpatrick et al. (2012), "An empirical investigation of statistical significance in NLP", section 3.2.1. It
    imitates, roughly, the variation among versions of a system in development. Systems of one learner are correlated
    with each other, and all of them share the training data: they are not a sample of all systems that might be built.

    Examples
    --------
    >>> class Constant:
    ...     def fit(self, X, y):
    ...         self.label = y[0]
    ...     def predict(self, X):
    ...         return [self.label] * len(X)
    >>> resampled_training_sets({"constant": Constant}, ["a", "b"], [1, 1], ["c", "d"], [1, 1], sizes=[2], n_repeats=1)
             system    family  training_size  repeat dataset instance  score
    0  constant/2/1  constant              2       1    test   test/0      1
    1  constant/2/1  constant              2       1    test   test/1      1
    """
    for name, learner in learners.items():
        if not makes_models(learner) and not (hasattr(learner, "fit") and hasattr(learner, "predict")):
            raise SettingsError(
                f"learner {name!r} is {learner!r}, which has no fit and predict",
                remedy="give an estimator, or a function that makes one",
            )
    seed, labels = seed_of(rng), _labels(y)
    known = _within("the training data (y)", coded, labels, _length(X), "label")
    tests, names = _test_sets(X_tests, y_tests, instances, clusters, known.names.tolist())
    draws = {
        (size, repeat): rows_of_set(known, size, repeat, seed)
        for size, repeat in sizes_of_sets(labels.size, sizes, n_repeats)
    }
    take, frames = _taker(X), []
    for name, learner in learners.items():
        for (size, repeat), rows in draws.items():
            where = f"learner {name!r}, training set of {size:,}, repeat {repeat}"
            seed_of_model = int(stream(seed, "model", name, str(size), str(repeat)).integers(2**31 - 1))
            model, scores = new_model(name, learner, seed_of_model), []
            try:
                model.fit(take(rows), labels[rows])
                for features, gold in tests:
                    scores.append(_right(gold, _labels(model.predict(features))))
            except InputError as error:
                raise error.within(where) from None
            except Exception as error:
                error.add_note(f"raised by {where}")
                raise
            system, score = f"{name}/{size}/{repeat}", np.concatenate(scores)
            frames.append(names.assign(system=system, family=name, training_size=size, repeat=repeat, score=score))
    order = ["system", "family", "training_size", "repeat", "dataset", "instance", "score"]
    frame = pd.concat(frames, ignore_index=True)[[*order, *(["cluster"] if clusters is not None else [])]]
    text = [str(column) for column in frame if frame[column].dtype.kind not in "iuf"]
    return frame.assign(**{column: pd.Categorical(frame[column], frame[column].unique()) for column in text})


def _right(gold: NDArray[Any], predicted: NDArray[Any]) -> NDArray[np.uint8]:
    """Return 1 where the prediction is the label, 0 elsewhere."""
    if predicted.shape[:1] != gold.shape:
        raise InputError(
            f"predictions have the shape {predicted.shape}, and there are {counted(gold.size, 'instance')}"
        )
    both = coded_together(gold, predicted).codes
    return np.asarray(both[: gold.size] == both[gold.size :], dtype=np.uint8)


def _length(features: Any) -> int:
    shape = getattr(features, "shape", None)
    n = int(shape[0]) if shape else len(features)
    if n == 0:
        raise InputError("there are no rows", remedy="give at least one instance")
    return n


def _labels(values: Any) -> NDArray[Any]:
    """Return labels as learners take them: an array of numbers or strings; of objects only where types are mixed."""
    array = label_array(values)
    types = {type(value) for value in array.tolist()} if array.dtype.kind == "O" else set()
    return np.array(array.tolist()) if len(types) == 1 and types <= {bool, int, float, str} else array


def _test_sets(
    features: Any, gold: Any, instances: Any, clusters: Any, known: list[Any]
) -> tuple[list[tuple[Any, NDArray[Any]]], pd.DataFrame]:
    """Return rows and labels of each test set, and dataset, instance and cluster of each row of all, all checked."""
    rows_of, gold_of, named, nested = map(_by_dataset, (features, gold, instances, clusters))
    if not rows_of or set(rows_of) != set(gold_of) or {*named, *nested} - set(rows_of):
        raise InputError(
            "X_tests and y_tests do not name the same datasets, or instances and clusters name others",
            where=f"X_tests {some(map(repr, rows_of))}; y_tests {some(map(repr, gold_of))}",
            remedy="give two arrays, or two mappings with the same names of datasets",
        )
    tests, frames = [], []
    for dataset, rows in rows_of.items():
        where, labels = f"dataset {dataset!r}", _labels(gold_of[dataset])
        names = _within(where, coded, labels, _length(rows), "label").names.tolist()
        if unknown := [name for name in names if name not in known]:
            raise InputError(
                f"the test set has labels that the training data do not have: {some(map(repr, unknown))}",
                where=f"{where}; the training data have {some(map(repr, known))}",
                remedy="leave those instances out",
            )
        ids = list(map(str, named.get(dataset, [f"{dataset}/{place}" for place in range(labels.size)])))
        nests = list(map(str, nested.get(dataset, ids)))
        if not len(ids) == len(set(ids)) == len(nests) == labels.size:
            raise InputError(
                f"{len(ids):,} names of instances, {len(set(ids)):,} of them different, and {len(nests):,} clusters, "
                f"for {labels.size:,} rows",
                where=where,
                remedy="name every row, and each instance differently",
            )
        tests.append((rows, labels))
        frames.append(pd.DataFrame({"dataset": str(dataset), "instance": ids, "cluster": nests}))
    return tests, pd.concat(frames)


def _by_dataset(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {} if given is None else {"test": given}


def _taker(features: Any) -> Callable[[NDArray[np.intp]], Any]:
    """Return a function that takes rows of the features, whatever holds them."""
    if isinstance(features, Sequence):
        return lambda rows: [features[row] for row in rows.tolist()]
    held = features.iloc if hasattr(features, "iloc") else features.tocsr() if hasattr(features, "tocsr") else features
    return lambda rows: held[rows]


def _within(where: str, function: Callable[..., Coded], *arguments: Any) -> Coded:
    """Call a function and add the place to its errors."""
    try:
        return function(*arguments)
    except InputError as error:
        raise error.within(where) from None
