"""Many systems from a few learners, as a frame: the long form that everything else takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from reportkit.calibration.training import Learner, Progress, Score, TrainedSystem, resampled_systems, silent
from reportkit.errors import InputError
from reportkit.settings.settings import seed_of

if TYPE_CHECKING:
    import pandas as pd
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
    replace: bool = True,
    stratify: bool = True,
    same_sets: bool = True,
    score: Score = "accuracy",
    rng: int | Generator = 0,
    instances: Any = None,
    clusters: Any = None,
    progress: Progress = silent,
) -> pd.DataFrame:
    """Train learners on resampled training sets of several sizes; scores of all these systems in long form.

    Parameters
    ----------
    learners, X, y, X_tests, y_tests, sizes, n_repeats, replace, stratify, same_sets, score, progress
        As for `reportkit.calibration.training.resampled_systems`, which gives one system after the
        other and holds no frame.
    rng : int or numpy.random.Generator
        Seed of all training sets and learners; of a generator one whole number is drawn.
    instances : sequence, or mapping of str to sequence, optional
        Names of the instances of the test set, or of each dataset; where none are given, dataset and number from 0.
    clusters : the same, optional
        What instances nest in, such as documents. In datasets without, each instance is a cluster of its own.

    Returns
    -------
    DataFrame
        Columns system, family, training_size, repeat, dataset, instance, score and, if there are clusters, cluster;
        names are categorical. By system, then dataset, then instance, in the order given. (A column `size` would be
        read as a number of instances.)

    Raises
    ------
    SettingsError, InputError
        As for `resampled_systems`; also if names of instances are not one per row, or one occurs twice.

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
    trained = resampled_systems(
        learners, X, y, X_tests, y_tests,
        sizes=sizes, n_repeats=n_repeats, replace=replace, stratify=stratify, same_sets=same_sets, score=score,
        seed=seed_of(rng), progress=progress,
    )  # fmt: skip
    sizes_of_tests = _sizes(X_tests)
    ids = _names("instances", instances, sizes_of_tests, unique=True)
    ids = {dataset: ids.get(dataset, [f"{dataset}/{i}" for i in range(n)]) for dataset, n in sizes_of_tests.items()}
    nests = None if clusters is None else _names("clusters", clusters, sizes_of_tests, unique=False)
    return _frame(list(trained), ids, nests)


def _sizes(tests: Any) -> dict[str, int]:
    datasets = tests if isinstance(tests, Mapping) else {"test": tests}
    return {str(name): int(rows.shape[0]) if hasattr(rows, "shape") else len(rows) for name, rows in datasets.items()}


def _names(what: str, given: Any, sizes: Mapping[str, int], *, unique: bool) -> dict[str, list[str]]:
    """Names by dataset, one for each row."""
    if given is None:
        return {}
    by_dataset = given if isinstance(given, Mapping) else {"test": given}
    found = {}
    for dataset, names in by_dataset.items():
        if dataset not in sizes:
            raise InputError(
                f"{what} are given for dataset {dataset!r}, which is not one of the test sets",
                remedy=f"the test sets are {sorted(sizes)!r}",
            )
        found[dataset] = [str(name) for name in names]
        n, different = len(found[dataset]), len(set(found[dataset]))
        if n != sizes[dataset] or (unique and different < n):
            raise InputError(
                f"{what} are {n:,} names, {different:,} of them different, for {sizes[dataset]:,} rows",
                where=f"dataset {dataset!r}",
                remedy="name every row" + (", and each differently" if unique else ""),
            )
    return found


def _frame(
    trained: list[TrainedSystem], ids: Mapping[str, list[str]], nests: Mapping[str, list[str]] | None
) -> pd.DataFrame:
    import pandas as pd

    per_system = sum(map(len, ids.values()))

    def names(values: Sequence[str], each: int) -> pd.Categorical:
        known = list(dict.fromkeys(values))
        places = {name: place for place, name in enumerate(known)}
        codes = np.fromiter((places[value] for value in values), dtype=np.int32, count=len(values))
        return pd.Categorical.from_codes(np.repeat(codes, each), categories=pd.Index(known, dtype="str"))

    def tiled(by_dataset: Mapping[str, Sequence[str]]) -> pd.Categorical:
        one = names([name for dataset in ids for name in by_dataset[dataset]], 1)
        return pd.Categorical.from_codes(np.tile(one.codes, len(trained)), categories=one.categories)

    columns = {
        "system": names([one.system for one in trained], per_system),
        "family": names([one.family for one in trained], per_system),
        "training_size": np.repeat(np.array([one.training_size for one in trained]), per_system),
        "repeat": np.repeat(np.array([one.repeat for one in trained]), per_system),
        "dataset": tiled({dataset: [dataset] * len(rows) for dataset, rows in ids.items()}),
        "instance": tiled(ids),
        "score": np.concatenate([one.scores[dataset] for one in trained for dataset in ids]),
    }
    if nests is not None:
        columns["cluster"] = tiled({dataset: nests.get(dataset, rows) for dataset, rows in ids.items()})
    return pd.DataFrame(columns)
