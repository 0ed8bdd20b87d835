"""Blocked m x 2 cross-validation: m two-fold splits of one corpus whose halves overlap in a quarter of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError, SettingsError
from reportkit.language import counted
from reportkit.reproducibility_analysis.codes import coded, label_array
from reportkit.settings.settings import seed_of

Ints = NDArray[np.intp]


@dataclass(frozen=True)
class BlockedCV:
    """Splitter of a blocked m x 2 cross-validation, for scikit-learn and without it.

    The corpus is divided into 2^q blocks of equal size: 2 for m = 1, 4 for 2 and 3, 8 for 4 to 7. Each of m
    repetitions takes half of the blocks as its first fold and the others as its second; each fold is the test set of a
    model trained on the other. The halves are columns of a Hadamard matrix, an orthogonal array: any two folds of
    different repetitions share a quarter of the corpus, where independent random halves would do so on average only.

    Parameters
    ----------
    m : int
        Number of repetitions, 1 or more; there are 2 m splits.
    stratify : bool
        Divide every label evenly among the blocks, if labels are given.
    rng : int or numpy.random.Generator
        Of a generator one whole number is drawn and kept. The same seed gives the same splits, in every call.
    repartition : int
        0 or more: number of the division; the seed determines a series of independent ones.

    Raises
    ------
    SettingsError
        If a parameter has a value that makes no sense.

    Notes
    -----
    Xue et al. (2023), "We need to talk about reproducibility in NLP model comparison", section 3.1; its Table 1 is
    m = 3 (with the names of the two folds of repetition 2 exchanged). General m: Wang et al. (2017), "Block-regularized
    m x 2 cross-validated estimator of the generalization error".

    Sizes of blocks differ by at most 1, and so do the numbers of each label in the blocks. To keep documents of about
    the same size whole, divide the documents: `cv.folds(cv.assign(n_documents)[document])`, `document` being the number
    of the document of each instance.

    Examples
    --------
    >>> cv = BlockedCV(m=3, rng=1)
    >>> cv.n_blocks, cv.get_n_splits()
    (4, 6)
    >>> cv.fold_of_block  # one row per repetition, one column per block
    array([[0, 0, 1, 1],
           [0, 1, 0, 1],
           [0, 1, 1, 0]])
    >>> [(len(train), len(test)) for train, test in cv.split(range(8))]
    [(4, 4), (4, 4), (4, 4), (4, 4), (4, 4), (4, 4)]
    """

    m: int = 3
    stratify: bool = field(default=True, kw_only=True)
    rng: int = field(default=0, kw_only=True)
    repartition: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        whole: tuple[tuple[str, object, int], ...] = (("m", self.m, 1), ("repartition", self.repartition, 0))
        for name, value, least in whole:
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
                raise SettingsError(f"{name} is {value!r}, not a whole number of {least} or more")
        object.__setattr__(self, "rng", seed_of(self.rng))
        if not isinstance(self.stratify, bool | np.bool_):
            raise SettingsError(f"stratify is {self.stratify!r}, not True or False")

    @property
    def n_blocks(self) -> int:
        """Number of blocks: the smallest power of two that is m + 1 or more."""
        return 1 << int(self.m).bit_length()

    @property
    def fold_of_block(self) -> Ints:
        """Fold, 0 or 1, of every block in every repetition: shape (m, blocks)."""
        from scipy.linalg import hadamard

        digits = self.n_blocks.bit_length() - 1
        columns = [int(f"{column:0{digits}b}"[::-1], 2) for column in range(1, self.m + 1)]  # Table 1 comes first
        return ((1 - hadamard(self.n_blocks)[:, columns].T) // 2).astype(np.intp)

    def assign(self, n: int, labels: ArrayLike | None = None) -> Ints:
        """Divide n instances among the blocks.

        Parameters
        ----------
        n : int
            Number of instances.
        labels : array_like of shape (n,), optional
            Labels to stratify by; ignored if `stratify` is off.

        Returns
        -------
        ndarray of shape (n,)
            Block of each instance, from 0.

        Raises
        ------
        InputError
            If there are fewer instances than blocks, if labels are missing or do not match the instances, or if they
            are measurements rather than classes.

        Examples
        --------
        >>> np.bincount(BlockedCV(m=3).assign(10, labels=list("aaaaabbbbb"))).tolist()
        [3, 2, 3, 2]
        """
        classes = _classes(labels, n) if self.stratify and labels is not None else np.zeros(n, dtype=np.intp)
        rng = np.random.default_rng(np.random.SeedSequence(int(self.rng), spawn_key=(int(self.repartition),)))
        if n < self.n_blocks:
            raise InputError(
                f"{counted(n, 'instance')} cannot be divided into {self.n_blocks} blocks",
                remedy=f"give more data, or lower m, which is {self.m}",
            )
        return _deal(classes, self.n_blocks, rng)

    def folds(self, block: ArrayLike) -> Ints:
        """Return the fold, 0 or 1, of every instance in every repetition, from its block: shape (m, n)."""
        return self.fold_of_block[:, np.asarray(block, dtype=np.intp)]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803 - scikit-learn's names
        """Return the number of splits, 2 m, whatever the data."""
        return 2 * self.m

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Ints, Ints]]:  # noqa: N803
        """Give indices of training and test instances, 2 m times.

        Parameters
        ----------
        X : array_like or sparse matrix of n rows
            Only its number of rows is used.
        y : array_like of shape (n,), optional
            Labels, to stratify by.
        groups : None
            Not taken; `BlockedCV` says how to keep documents whole.

        Returns
        -------
        iterator of (train, test)
            Sorted indices; repetition 1 with its first fold as test set, with its second, repetition 2, ...

        Raises
        ------
        InputError
            As in `assign`, at once and not at the first split; or if groups are given.
        """
        if groups is not None:
            raise InputError(
                "groups are not kept whole",
                remedy="divide them instead of the instances: cv.folds(cv.assign(n_groups)[group_of_instance])",
            )
        folds = self.folds(self.assign(np.shape(X)[0], y))
        return ((np.flatnonzero(fold != test), np.flatnonzero(fold == test)) for fold in folds for test in (0, 1))


def split_tables(
    cv: BlockedCV,
    instances: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    repartitions: int = 1,
) -> tuple[dict[str, NDArray[Any]], ...]:
    """Divide a corpus once or several times, independently.

    Parameters
    ----------
    cv : BlockedCV
        How; its `repartition` is the first.
    instances : array_like of shape (n,)
        Ids, all different.
    labels : array_like of shape (n,), optional
        To stratify by.
    repartitions : int
        How many, R; the reproducibility of a conclusion needs 20 or more.

    Returns
    -------
    tuple of dict
        For each division the columns `repartition, instance, block, fold_1, ..., fold_m`, as `pandas.DataFrame` takes
        them, everything numbered from 1. In each repetition train on one fold, test on the other, and the other way
        round.

    Raises
    ------
    SettingsError
        If `repartitions` is less than 1.
    InputError
        If ids are not all different, or as in `BlockedCV.assign`.

    Examples
    --------
    >>> table, = split_tables(BlockedCV(m=3, rng=1), ["s1", "s2", "s3", "s4"])
    >>> for name, column in table.items():
    ...     print(name, column.tolist())
    repartition [1, 1, 1, 1]
    instance ['s1', 's2', 's3', 's4']
    block [2, 1, 3, 4]
    fold_1 [1, 1, 2, 2]
    fold_2 [2, 1, 1, 2]
    fold_3 [2, 1, 2, 1]
    """
    ids = label_array(instances)
    if repartitions < 1:
        raise SettingsError(f"repartitions is {repartitions!r}, not a whole number of 1 or more")
    if coded(ids, ids.size, "instance").names.size != ids.size:
        raise InputError("ids of instances are not all different", remedy="number the instances")
    tables = []
    for number in range(cv.repartition, cv.repartition + repartitions):
        block = replace(cv, repartition=number).assign(ids.size, labels)
        folds = {f"fold_{i}": fold + 1 for i, fold in enumerate(cv.folds(block), start=1)}
        tables.append({"repartition": np.full(ids.size, number + 1), "instance": ids, "block": block + 1, **folds})
    return tuple(tables)


def _classes(labels: ArrayLike, n: int) -> Ints:
    values = np.asarray(labels)
    if values.dtype.kind == "f" and np.any(values != np.floor(values)) and not np.isnan(values).any():
        raise InputError(
            "y holds measurements, not classes: it has values that are not whole numbers",
            remedy="pass stratify=False, or classes to stratify by",
        )
    return coded(labels, n, "label").codes


def _deal(classes: Ints, n_blocks: int, rng: np.random.Generator) -> Ints:
    """Deal shuffled instances to the blocks, one class after the other, going on where the last class ended."""
    order = rng.permutation(classes.size)
    order = order[np.argsort(classes[order], kind="stable")]
    names = rng.permutation(n_blocks)
    block = np.empty(classes.size, dtype=np.intp)
    block[order] = names[np.arange(classes.size) % n_blocks]
    return block
