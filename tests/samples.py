"""Samples of every shape, for the tests of what is computed from them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from reportkit.metrics.corpus import F1
from reportkit.scores.sample import Sample

DTYPES = {"a": np.float64, "b": np.float64, "weights": np.float64, "clusters": np.int64}


def sample(a: ArrayLike, b: ArrayLike, *, names: tuple[str, str] = ("a", "b"), **fields: Any) -> Sample:
    """Return the scores of A and B on the same instances, or of another shape."""
    arrays = {name: np.asarray(fields[name], dtype) for name, dtype in DTYPES.items() if fields.get(name) is not None}
    given = {"a": np.asarray(a, np.float64), "b": np.asarray(b, np.float64), **fields, **arrays}
    return Sample(**{"system_a": names[0], "system_b": names[1], **UNNAMED, **given})


UNNAMED = {"dataset": "cb", "metric": "score", "kind": "continuous"}


def right(wins: int, losses: int, ties: int = 0, **fields: Any) -> Sample:
    """Return right-or-wrong answers to the same questions with these numbers of wins, losses and ties."""
    a, b = (np.repeat(values, [wins, losses, ties]) for values in ([1.0, 0.0, 1.0], [0.0, 1.0, 1.0]))
    return sample(a, b, **{"kind": "binary", **fields})


def unpaired(a: ArrayLike, b: ArrayLike, **fields: Any) -> Sample:
    """Return the scores of A and B on instances of their own."""
    return sample(a, b, shape="unpaired", **fields)


def unpaired_right(a: int, n_a: int, b: int, n_b: int, **fields: Any) -> Sample:
    """Return right-or-wrong answers to questions of their own: a of n_a and b of n_b are right."""
    return unpaired(*(np.repeat([1.0, 0.0], [k, n - k]) for k, n in ((a, n_a), (b, n_b))), kind="binary", **fields)


def proportions(a: int, n_a: int, b: int, n_b: int, *, names: tuple[str, str] = ("a", "b"), **fields: Any) -> Sample:
    """Return the counts of right answers of A and B."""
    scores = [1.0, 0.0] if fields.get("higher_is_better", True) else [0.0, -1.0]
    sides = (np.repeat(scores, [k, n - k]) for k, n in ((a, n_a), (b, n_b)))
    return sample(*sides, names=names, shape="counts", **{"metric": "accuracy", "kind": "binary", **fields})


def run_scores(a: ArrayLike, b: ArrayLike, **fields: Any) -> Sample:
    """Return one score per run of A and of B."""
    return sample(a, b, shape="run-scores", unit="run", **fields)


def folds(a: ArrayLike, b: ArrayLike, **fields: Any) -> Sample:
    """Return the scores of A and B on the same folds, shape (repetitions, folds)."""
    return sample(a, b, shape="folds", unit="fold", **fields)


def corpus(a: ArrayLike, b: ArrayLike, measure: Any = F1, **fields: Any) -> Sample:
    """Return the counts per instance of A and B from which a corpus metric is computed."""
    given = {"metric": measure.title, "higher_is_better": measure.higher_is_better, **fields}
    return sample(a, b, shape="corpus", measure=measure, **given)
