"""Draw training sets of several sizes with replacement, each label as often as its share says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.plan import check_number, stream
from reportkit.errors import InputError, SettingsError
from reportkit.language import counted
from reportkit.reproducibility_analysis.codes import Coded

Learner = Any
"""An estimator with scikit-learn's `fit` and `predict`, which is cloned; or a function that makes one."""


def rows_of_set(known: Coded, size: int, repeat: int, seed: int) -> NDArray[np.intp]:
    """Draw the rows of one training set, which has to have every label."""
    rows = training_rows(known.codes, size, stream(seed, "training set", str(size), str(repeat)))
    counts = np.bincount(known.codes[rows], minlength=known.names.size)
    if counts.min() == 0:
        raise InputError(
            f"a training set of {counted(size, 'row')} would have none of label "
            f"{known.names.tolist()[int(counts.argmin())]!r}",
            where=f"size {size:,}, repeat {repeat}",
            remedy="choose larger sizes, or leave rare labels out",
        )
    return rows


def sizes_of_sets(n: int, sizes: Sequence[int] | None, n_repeats: int | Sequence[int]) -> list[tuple[int, int]]:
    """Return size and number of each training set."""
    chosen = list(dict.fromkeys((n, n // 2, n // 4))) if sizes is None else np.asarray(sizes).tolist()
    repeats = [n_repeats] * len(chosen) if isinstance(n_repeats, int) else np.asarray(n_repeats).tolist()
    if not chosen or len(set(chosen)) < len(chosen) or len(repeats) != len(chosen):
        raise SettingsError(
            f"sizes are {chosen!r}, and n_repeats {repeats!r}",
            remedy="give each size once, and one number of training sets for all sizes or for each",
        )
    if too_large := [size for size in chosen if check_number("a size of training sets", size, 1) > n]:
        raise SettingsError(
            f"a training set of {too_large[0]:,} rows cannot be drawn from {n:,}",
            remedy=f"choose sizes from 1 to {n:,}",
        )
    numbers = [range(1, check_number("n_repeats", number, 1) + 1) for number in repeats]
    return [(size, repeat) for size, every in zip(chosen, numbers, strict=True) for repeat in every]


def training_rows(codes: NDArray[np.intp], size: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return the rows of one training set, in random order.

    Parameters
    ----------
    codes : ndarray of int of shape (n,)
        Label of each row, from 0.
    size : int
        At most n.
    rng : Generator
        Random stream.

    Returns
    -------
    ndarray of int of shape (size,)

    Examples
    --------
    >>> codes = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1])
    >>> np.bincount(codes[training_rows(codes, 6, np.random.default_rng(0))]).tolist()
    [4, 2]
    """
    parts = []
    for code, k in enumerate(label_counts(np.bincount(codes), size)):
        rows = np.flatnonzero(codes == code)
        parts.append(rows[rng.integers(rows.size, size=k)])
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


def new_model(name: str, learner: Learner, seed: int) -> Any:
    """Make an untrained model, whose `random_state`s that are None, also inside a pipeline, are set.

    Raises
    ------
    InputError
        If scikit-learn is needed to clone an estimator and cannot, or is not installed.
    """
    if makes_models(learner):
        model = learner()
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
    return model


def makes_models(learner: object) -> bool:
    """Return whether it is called to make a model, not cloned."""
    return isinstance(learner, type) or (callable(learner) and not hasattr(learner, "fit"))
