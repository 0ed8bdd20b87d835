"""Many systems from a few learners: each is trained on resampled training sets of several sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.calibration.plan import check_number, stream
from reportkit.errors import InputError, ReportkitError, SettingsError, UnknownNameError
from reportkit.language.counts_and_lists import counted, some
from reportkit.reproducibility_analysis.codes import coded, coded_together, label_array

Score = Literal["accuracy"] | Callable[[NDArray[Any], NDArray[Any]], ArrayLike]
"""Right or wrong; or a function of gold labels and predictions, both of shape (n,), that gives n scores."""

Progress = Callable[[int, int], None]
"""Called with (done, total)."""


class Model(Protocol):
    """What can be trained and asked, as scikit-learn's estimators can."""

    def fit(self, X: Any, y: Any) -> Any:  # noqa: N803 - scikit-learn's name
        """Train on rows X with labels y."""

    def predict(self, X: Any) -> Any:  # noqa: N803
        """Predict one label for each row."""


Learner = Model | Callable[[], Model]
"""An estimator, which is cloned, or something that is called without arguments and makes one."""


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


def silent(done: int, total: int) -> None:
    """Report no progress."""


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
    given: object = learners
    if not isinstance(given, Mapping) or not learners:
        raise SettingsError(
            f"learners are {learners!r}",
            remedy='name at least one: learners={"svm": LinearSVC()}, with fit and predict',
        )
    for name, learner in learners.items():
        if not _makes_models(learner) and not (hasattr(learner, "fit") and hasattr(learner, "predict")):
            raise SettingsError(
                f"learner {name!r} is {learner!r}, which has no fit and predict",
                remedy="give an estimator, or a function that makes one",
            )
    if score != "accuracy" and not callable(score):
        raise UnknownNameError("score", score, ["accuracy"])
    check_number("seed", seed, 0)
    n = _length(X, "X")
    numbers = _sizes(n, sizes, n_repeats)
    labels, codes, names = _labels(y), np.zeros(n, np.intp), np.zeros(1)
    if stratify or score == "accuracy":
        known = _placed("the training data (y)", coded, labels, n, "label")
        codes, names = known.codes, known.names
    elif labels.shape != (n,):
        raise InputError(f"y has the shape {labels.shape}, and X has {counted(n, 'row')}", remedy="give one per row")
    tests = _test_sets(X_tests, y_tests, names if score == "accuracy" else None)
    draws = [
        (learner, size, repeat)
        for learner in learners
        for size, n_of_size in numbers.items()
        for repeat in range(1, n_of_size + 1)
    ]

    def rows_of(learner: str, size: int, repeat: int) -> NDArray[np.intp]:
        rng = stream(seed, "training set", str(size), str(repeat), *(() if same_sets else (learner,)))
        return training_rows(codes, size, replace=replace, stratify=stratify, rng=rng)

    for draw in draws:
        drawn = np.bincount(codes[rows_of(*draw)], minlength=names.size)
        if drawn.min() == 0:
            raise InputError(
                f"a training set of {counted(draw[1], 'row')} would have none of label"
                f" {names.tolist()[int(drawn.argmin())]!r}",
                where=f"learner {draw[0]!r}, size {draw[1]:,}, repeat {draw[2]}",
                remedy="choose larger sizes, or leave rare labels out; if y holds numbers to be predicted, give score= "
                "and stratify=False"
                if stratify
                else "choose larger sizes, or stratify=True",
            )

    def trained() -> Iterator[TrainedSystem]:
        by_rows = _by_rows(X)
        for done, (learner, size, repeat) in enumerate(draws, start=1):
            place, rows = (
                f"learner {learner!r}, training set of {size:,}, repeat {repeat}",
                rows_of(learner, size, repeat),
            )
            seed_of_model = int(stream(seed, "model", learner, str(size), str(repeat)).integers(2**31 - 1))
            model = _guarded(place, "making it", new_model, learner, learners[learner], seed_of_model)
            _guarded(place, "fit", model.fit, by_rows(rows), labels[rows])
            scores = {}
            for dataset, (features, gold) in tests.items():
                where = f"{place}; dataset {dataset!r}"
                predicted = _labels(_guarded(where, "predict", model.predict, features))
                scores[dataset] = _scored(where, gold, predicted, score)
            progress(done, len(draws))
            yield TrainedSystem(family=learner, training_size=size, repeat=repeat, scores=scores)

    return trained()


def _sizes(n: int, sizes: Sequence[int] | None, n_repeats: int | Sequence[int]) -> dict[int, int]:
    """Return how many training sets are drawn of each size."""
    chosen = list(dict.fromkeys((n, n // 2, n // 4))) if sizes is None else np.asarray(sizes).tolist()
    repeats = [n_repeats] * len(chosen) if isinstance(n_repeats, int) else np.asarray(n_repeats).tolist()
    for size in chosen:
        if check_number("a size of training sets", size, 1) > n:
            raise SettingsError(
                f"a training set of {size:,} rows cannot be drawn from {n:,}", remedy=f"choose sizes from 1 to {n:,}"
            )
    if not chosen or len(set(chosen)) < len(chosen):
        raise SettingsError(f"sizes are {chosen!r}", remedy="give at least one size, and each once")
    if len(repeats) != len(chosen):
        raise SettingsError(
            f"n_repeats has {counted(len(repeats), 'number')} and there are {counted(len(chosen), 'size')}",
            remedy="give one number for all sizes, or one for each",
        )
    return {size: check_number("n_repeats", number, 1) for size, number in zip(chosen, repeats, strict=True)}


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
        As for `resampled_systems`.
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


def _test_sets(features: Any, gold: Any, known: NDArray[Any] | None) -> dict[str, tuple[Any, NDArray[Any]]]:
    """Return test sets with their gold labels, checked against the labels that the training data have."""
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
    found = {}
    for dataset, rows in features.items():
        place, n, labels = f"dataset {dataset!r}", _length(rows, f"X_tests[{dataset!r}]"), _labels(gold[dataset])
        if known is None and labels.shape != (n,):
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


def _placed(where: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function whose errors do not know the place."""
    try:
        return function(*arguments)
    except InputError as error:
        raise error.within(where) from None


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
