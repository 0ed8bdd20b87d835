"""Many systems from a few learners, each trained on resampled training sets of several sizes, as a frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.calibration.plan import check_number, stream
from reportkit.errors import InputError, ReportkitError, SettingsError, UnknownNameError
from reportkit.language.counts_and_lists import counted, some
from reportkit.reproducibility_analysis.codes import coded, coded_together, label_array
from reportkit.settings.settings import seed_of

if TYPE_CHECKING:
    import pandas as pd
    from numpy.random import Generator

Score = Literal["accuracy"] | Callable[[NDArray[Any], NDArray[Any]], ArrayLike]
"""Right or wrong; or a function of gold labels and predictions, both of shape (n,), that gives n scores."""


class Model(Protocol):
    """What can be trained and asked, as scikit-learn's estimators can."""

    def fit(self, X: Any, y: Any) -> Any:  # noqa: N803 - scikit-learn's name
        """Train on rows X with labels y."""

    def predict(self, X: Any) -> Any:  # noqa: N803
        """Predict one label for each row."""


Learner = Model | Callable[[], Model]
"""An estimator, which is cloned, or something that is called without arguments and makes one."""


def resampled_training_sets(
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
    score: Score = "accuracy",
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
        What is known of n training instances. Vectorisers, scalers and the like belong into a pipeline: they are then
        fitted on each training set anew.
    y : array_like of shape (n,)
        Their labels; or numbers, with `score=` and `stratify=False`.
    X_tests, y_tests
        The same of instances that are not in X: one test set, which is called "test", or mappings of dataset to them.
    sizes : sequence of int, optional
        Sizes of the training sets, each from 1 to n; if not given, all, half and a quarter, as in the paper.
    n_repeats : int or sequence of int
        How many training sets of each size, or of each of the sizes; all learners are trained on the same.
    replace : bool
        Draw with replacement, as the paper does; otherwise training sets are parts of X, and those of all n rows are
        all the same but for their order.
    stratify : bool
        Draw each label as often as its share of y says, by largest remainders; otherwise rows are drawn alone.
    score : "accuracy" or callable
        1 where the prediction is the label, otherwise 0; or a function of (gold, predicted), of shape (n,), that
        returns n finite scores, one per instance.
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
        per row and each different, or scores are not n finite numbers. What a learner raises comes with a note that
        names it.

    Notes
    -----
    Berg-Kirkpatrick et al. (2012), "An empirical investigation of statistical significance in NLP", section 3.2.1. It
    imitates, roughly, the variation among versions of a system in development. Systems of one learner are correlated
    with each other, and all of them share the training data: they are no sample of all systems that might be built.

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
    import pandas as pd

    for name, learner in learners.items():
        if not _makes_models(learner) and not (hasattr(learner, "fit") and hasattr(learner, "predict")):
            raise SettingsError(
                f"learner {name!r} is {learner!r}, which has no fit and predict",
                remedy="give an estimator, or a function that makes one",
            )
    if score != "accuracy" and not callable(score):
        raise UnknownNameError("score", score, ["accuracy"])
    seed, n = seed_of(rng), _length(X)
    numbers = _sizes(n, sizes, n_repeats)
    labels, codes, known = _labels(y), np.zeros(n, np.intp), None
    if stratify or score == "accuracy":
        found = _placed("the training data (y)", coded, labels, n, "label")
        codes, known = found.codes, found.names
    tests = _test_sets(X_tests, y_tests, known if score == "accuracy" else None)
    names = _names(tests, instances, clusters)
    draws = {(size, repeat): _rows(codes, known, size, repeat, replace, stratify, seed) for size, repeat in numbers}
    by_rows, columns = _by_rows(X), []
    for learner in learners:
        for (size, repeat), rows in draws.items():
            place = f"learner {learner!r}, training set of {size:,}, repeat {repeat}"
            seed_of_model = int(stream(seed, "model", learner, str(size), str(repeat)).integers(2**31 - 1))
            model = new_model(learner, learners[learner], seed_of_model)
            scores = []
            try:
                model.fit(by_rows(rows), labels[rows])
                for dataset, (features, gold) in tests.items():
                    place += f"; dataset {dataset!r}" if len(tests) > 1 else ""
                    scores.append(_scored(place, gold, _labels(model.predict(features)), score))
            except Exception as error:
                if not isinstance(error, ReportkitError):
                    error.add_note(f"raised by {place}")
                raise
            about = {"system": f"{learner}/{size}/{repeat}", "family": learner, "training_size": size, "repeat": repeat}
            columns.append(names.assign(**about, score=np.concatenate(scores)))
    frame = pd.concat(columns, ignore_index=True)
    order = ["system", "family", "training_size", "repeat", "dataset", "instance", "score"]
    frame = frame[[*order, *(["cluster"] if clusters is not None else [])]]
    text = [name for name in frame if frame[name].dtype.kind not in "iuf"]
    return frame.assign(**{name: pd.Categorical(frame[name], frame[name].unique()) for name in text})


def _rows(
    codes: NDArray[np.intp],
    known: NDArray[Any] | None,
    size: int,
    repeat: int,
    replace: bool,
    stratify: bool,
    seed: int,
) -> NDArray[np.intp]:
    """Draw the rows of one training set, which has to have every label."""
    drawn = stream(seed, "training set", str(size), str(repeat))
    rows = training_rows(codes, size, replace=replace, stratify=stratify, rng=drawn)
    if known is not None and (counts := np.bincount(codes[rows], minlength=known.size)).min() == 0:
        absent = known.tolist()[int(counts.argmin())]
        raise InputError(
            f"a training set of {counted(size, 'row')} would have none of label {absent!r}",
            where=f"size {size:,}, repeat {repeat}",
            remedy="choose larger sizes, or leave rare labels out; if y holds numbers to be predicted, give score= and "
            "stratify=False"
            if stratify
            else "choose larger sizes, or stratify=True",
        )
    return rows


def _sizes(n: int, sizes: Sequence[int] | None, n_repeats: int | Sequence[int]) -> list[tuple[int, int]]:
    """Return size and number of each training set."""
    chosen = list(dict.fromkeys((n, n // 2, n // 4))) if sizes is None else np.asarray(sizes).tolist()
    repeats = [n_repeats] * len(chosen) if isinstance(n_repeats, int) else np.asarray(n_repeats).tolist()
    if not chosen or len(set(chosen)) < len(chosen) or len(repeats) != len(chosen):
        raise SettingsError(
            f"sizes are {chosen!r}, and n_repeats {repeats!r}",
            remedy="give each size once, and one number of training sets for all sizes or for each",
        )
    for size in chosen:
        if check_number("a size of training sets", size, 1) > n:
            raise SettingsError(
                f"a training set of {size:,} rows cannot be drawn from {n:,}", remedy=f"choose sizes from 1 to {n:,}"
            )
    pairs = zip(chosen, repeats, strict=True)
    return [(size, repeat + 1) for size, number in pairs for repeat in range(check_number("n_repeats", number, 1))]


def training_rows(
    codes: NDArray[np.intp], size: int, *, replace: bool, stratify: bool, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Return the rows of one training set, in random order.

    Parameters
    ----------
    codes : ndarray of int of shape (n,)
        Label of each row, from 0.
    size : int
        At most n.
    replace, stratify : bool
        As for `resampled_training_sets`.
    rng : Generator
        Random stream.

    Returns
    -------
    ndarray of int of shape (size,)

    Examples
    --------
    >>> codes = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1])
    >>> rows = training_rows(codes, 6, replace=False, stratify=True, rng=np.random.default_rng(0))
    >>> np.bincount(codes[rows]).tolist(), len(set(rows.tolist()))
    ([4, 2], 6)
    """
    if not stratify:
        return rng.integers(codes.size, size=size) if replace else rng.permutation(codes.size)[:size]
    parts = []
    for code, k in enumerate(label_counts(np.bincount(codes), size)):
        rows = np.flatnonzero(codes == code)
        parts.append(rows[rng.integers(rows.size, size=k)] if replace else rng.permutation(rows)[:k])
    return rng.permutation(np.concatenate(parts))


def label_counts(counts: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return how often each label occurs in a stratified training set: its share, by largest remainders.

    Examples
    --------
    >>> label_counts(np.array([60, 30, 10]), 5).tolist()
    [3, 2, 0]
    """
    n = int(counts.sum())
    whole, remainder = np.divmod(counts * size, n)
    short = size - int(whole.sum())
    whole[np.argsort(-remainder, kind="stable")[:short]] += 1
    return np.asarray(whole, dtype=np.int64)


def new_model(name: str, learner: Learner, seed: int) -> Model:
    """Make an untrained model, whose `random_state`s that are None, also inside a pipeline, are set.

    Raises
    ------
    InputError
        If scikit-learn is needed to clone an estimator and cannot, or is not installed.
    """
    if _makes_models(learner):
        model: Any = learner()  # type: ignore[operator] # not both of its kinds
    else:
        try:
            from sklearn.base import clone  # type: ignore[import-untyped] # has no stubs

            model = clone(learner)
        except (ImportError, TypeError) as error:
            raise InputError(
                f"learner {name!r} is an estimator that scikit-learn cannot clone: {error}",
                remedy=f"give a function that makes one: learners={{{name!r}: lambda: {type(learner).__name__}(...)}}",
            ) from error
    if hasattr(model, "get_params") and hasattr(model, "set_params"):
        values = model.get_params(deep=True).items()
        unset = [key for key, value in values if value is None and key.split("__")[-1] == "random_state"]
        if unset:
            model.set_params(**dict.fromkeys(sorted(unset), seed))
    return cast("Model", model)


def _makes_models(learner: object) -> bool:
    return isinstance(learner, type) or (callable(learner) and not hasattr(learner, "fit"))


def _length(features: Any) -> int:
    shape = getattr(features, "shape", None)
    n = int(shape[0]) if shape else len(features)
    if n == 0:
        raise InputError("there are no rows", remedy="give at least one instance")
    return n


def _labels(values: Any) -> NDArray[Any]:
    """Labels as learners take them: an array of numbers or strings; of objects only where types are mixed."""
    array = label_array(values)
    types = {type(value) for value in array.tolist()} if array.dtype.kind == "O" else set()
    return np.array(array.tolist()) if len(types) == 1 and types <= {bool, int, float, str} else array


def _test_sets(features: Any, gold: Any, known: NDArray[Any] | None) -> dict[str, tuple[Any, NDArray[Any]]]:
    """Return test sets with their gold labels, checked against the labels that the training data have."""
    if not isinstance(features, Mapping) and not isinstance(gold, Mapping):
        features, gold = {"test": features}, {"test": gold}
    if not (isinstance(features, Mapping) and isinstance(gold, Mapping) and features and set(features) == set(gold)):
        raise InputError(
            "X_tests and y_tests do not name the same datasets",
            remedy="give two arrays, or two mappings with the same names of datasets",
        )
    found = {}
    for dataset, rows in features.items():
        place, n, labels = f"dataset {dataset!r}", _length(rows), _labels(gold[dataset])
        if labels.shape != (n,):
            raise InputError(f"gold labels have the shape {labels.shape}, and there are {n:,} rows", where=place)
        names = [] if known is None else _placed(place, coded, labels, n, "label").names.tolist()
        if known is not None and (unknown := [name for name in names if name not in known.tolist()]):
            raise InputError(
                f"the test set has labels that the training data do not have: {some(map(repr, unknown))}",
                where=f"{place}; the training data have {some(map(repr, known.tolist()))}",
                remedy="leave those instances out, or say by score=function how predictions are scored there",
            )
        found[str(dataset)] = rows, labels
    return found


def _names(tests: Mapping[str, tuple[Any, NDArray[Any]]], instances: Any, clusters: Any) -> pd.DataFrame:
    """Return dataset, instance and cluster of each row of all test sets."""
    import pandas as pd

    given = [{} if one is None else one if isinstance(one, Mapping) else {"test": one} for one in (instances, clusters)]
    if unknown := {name for one in given for name in one} - set(tests):
        raise InputError(
            f"instances or clusters are given for {some(map(repr, sorted(unknown)))}, which is no test set",
            remedy=f"the test sets are {sorted(tests)!r}",
        )
    parts = []
    for dataset, (_, gold) in tests.items():
        ids = list(map(str, given[0].get(dataset, [f"{dataset}/{place}" for place in range(gold.size)])))
        nests = list(map(str, given[1].get(dataset, ids)))
        if not len(ids) == len(set(ids)) == len(nests) == gold.size:
            raise InputError(
                f"{len(ids):,} names of instances, {len(set(ids)):,} of them different, and {len(nests):,} clusters, "
                f"for {gold.size:,} rows",
                where=f"dataset {dataset!r}",
                remedy="name every row, and each instance differently",
            )
        parts.append(pd.DataFrame({"dataset": dataset, "instance": ids, "cluster": nests}))
    return pd.concat(parts)


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
        codes = _placed(where, coded_together, gold, predicted).codes
        return np.asarray(codes[: gold.size] == codes[gold.size :], dtype=np.uint8)
    values = np.asarray(score(gold, predicted), dtype=np.float64)
    if values.shape != gold.shape or not np.isfinite(values).all():
        raise InputError(
            f"score gives {values.size} numbers, {int(np.isfinite(values).sum())} of them finite, and there are "
            f"{counted(gold.size, 'instance')}",
            where=where,
            remedy="return one finite score for each instance, not their mean",
        )
    return values


def _placed(where: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function whose errors do not know the place."""
    try:
        return function(*arguments)
    except InputError as error:
        raise error.within(where) from None
