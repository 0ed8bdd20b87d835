"""Blocked m x 2 cross-validation: m two-fold splits of one corpus whose halves overlap in a quarter of it."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError, SettingsError
from reportkit.language.counts_and_lists import counted, listed
from reportkit.reproducibility_analysis.codes import coded, label_array
from reportkit.settings.settings import seed_of

Ints = NDArray[np.intp]

_UNEVEN = 0.5
"""Blocks of whole groups may differ by this share of their mean size before a warning says so."""


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
        0 or more: which of the independent divisions of the corpus that belong to the seed.

    Raises
    ------
    SettingsError
        If a parameter has a value that makes no sense.

    Notes
    -----
    Xue et al. (2023), "We need to talk about reproducibility in NLP model comparison", section 3.1; its Table 1 is
    m = 3 (with the names of the two folds of repetition 2 exchanged). General m: Wang et al. (2017), "Block-regularized
    m x 2 cross-validated estimator of the generalization error".

    With instances alone, sizes of blocks differ by at most 1, and so do the numbers of each label in the blocks.
    With groups, which are kept whole, blocks are as even as dealing out the groups by size makes them.

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

    def assign(self, n: int, labels: ArrayLike | None = None, groups: ArrayLike | None = None) -> Ints:
        """Divide n instances among the blocks.

        Parameters
        ----------
        n : int
            Number of instances.
        labels : array_like of shape (n,), optional
            Labels to stratify by; ignored if `stratify` is off.
        groups : array_like of shape (n,), optional
            Groups, such as documents, that are kept whole.

        Returns
        -------
        ndarray of shape (n,)
            Block of each instance, from 0.

        Raises
        ------
        InputError
            If there are fewer instances or groups than blocks, if labels or groups are missing or do not match the
            instances, or if labels are measurements rather than classes.

        Warns
        -----
        UserWarning
            If a label has fewer instances than there are blocks, so that a training half may hold none of it; if
            groups are so large that blocks are very uneven.

        Examples
        --------
        >>> np.bincount(BlockedCV(m=3).assign(10, labels=list("aaaaabbbbb"))).tolist()
        [3, 2, 3, 2]
        """
        classes = _classes(labels, n) if self.stratify and labels is not None else np.zeros(n, dtype=np.intp)
        rng = np.random.default_rng(np.random.SeedSequence(int(self.rng), spawn_key=(int(self.repartition),)))
        members, what = (None, "instance") if groups is None else (coded(groups, n, "group").codes, "group")
        number = n if members is None else int(members.max(initial=-1)) + 1
        if number < self.n_blocks:
            raise InputError(
                f"{counted(number, what)} cannot be divided into {self.n_blocks} blocks",
                remedy=f"{'give more data' if members is None else 'keep fewer instances in one group'},"
                f" or lower m, which is {self.m}",
            )
        if members is not None:
            return _deal_groups(members, classes, self.n_blocks, rng)
        if self.stratify and labels is not None:
            _check_small_classes(classes, labels, self.n_blocks)
        return _deal(classes, self.n_blocks, rng)

    def folds(self, block: ArrayLike) -> Ints:
        """Fold, 0 or 1, of every instance in every repetition, from its block: shape (m, n)."""
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
        groups : array_like of shape (n,), optional
            Groups that are kept whole.

        Returns
        -------
        iterator of (train, test)
            Sorted indices; repetition 1 with its first fold as test set, with its second, repetition 2, ...

        Raises
        ------
        InputError
            As in `assign`, at once and not at the first split.
        """
        folds = self.folds(self.assign(np.shape(X)[0], y, groups))
        return ((np.flatnonzero(fold != test), np.flatnonzero(fold == test)) for fold in folds for test in (0, 1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SplitTable:
    """One division of a corpus for a blocked m x 2 cross-validation.

    Parameters
    ----------
    repartition : int
        Which of the independent divisions it is, from 0.
    instances : ndarray of shape (n,)
        Ids.
    block : ndarray of shape (n,)
        Block of each instance, from 0.
    folds : ndarray of shape (m, n)
        Fold, 0 or 1, of each instance in each repetition: train on one fold, test on the other, and the other way
        round.
    """

    repartition: int
    instances: NDArray[Any]
    block: Ints
    folds: Ints

    def columns(self) -> dict[str, NDArray[Any]]:
        """Columns of a frame, everything numbered from 1: `pandas.DataFrame(table.columns())`."""
        named = {f"fold_{i}": fold + 1 for i, fold in enumerate(self.folds, start=1)}
        repartition = np.full(self.block.size, self.repartition + 1)
        return {"repartition": repartition, "instance": self.instances, "block": self.block + 1, **named}


def split_tables(
    cv: BlockedCV,
    instances: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    repartitions: int = 1,
) -> tuple[SplitTable, ...]:
    """Divide a corpus once or several times, independently.

    Parameters
    ----------
    cv : BlockedCV
        How; its `repartition` is the first.
    instances : array_like of shape (n,)
        Ids, all different.
    labels, groups : array_like of shape (n,), optional
        To stratify by, and to keep whole.
    repartitions : int
        How many, R; the reproducibility of a conclusion needs 20 or more.

    Raises
    ------
    SettingsError
        If `repartitions` is less than 1.
    InputError
        If ids are not all different, or as in `BlockedCV.assign`.

    Examples
    --------
    >>> table, = split_tables(BlockedCV(m=3, rng=1), ["s1", "s2", "s3", "s4"])
    >>> for name, column in table.columns().items():
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
        block = replace(cv, repartition=number).assign(ids.size, labels, groups)
        tables.append(SplitTable(repartition=number, instances=ids, block=block, folds=cv.folds(block)))
    return tuple(tables)


def _classes(labels: ArrayLike, n: int) -> Ints:
    values = np.asarray(labels)
    if values.dtype.kind == "f" and np.any(values != np.floor(values)) and not np.isnan(values).any():
        raise InputError(
            "y holds measurements, not classes: it has values that are no whole numbers",
            remedy="pass stratify=False, or classes to stratify by",
        )
    return coded(labels, n, "label").codes


def _check_small_classes(classes: Ints, labels: ArrayLike, n_blocks: int) -> None:
    counts = np.bincount(classes)
    small = np.flatnonzero(counts < n_blocks)
    if small.size:
        names = coded(labels, classes.size, "label").names
        examples = listed([f"{names[c]!s} ({counts[c]})" for c in small[:3]])
        warnings.warn(
            f"{counted(small.size, 'label has', 'labels have')} fewer instances than the {n_blocks} blocks, so a"
            f" training half may hold none of them: {examples}{' and others' if small.size > 3 else ''}",
            UserWarning,
            stacklevel=3,
        )


def _deal(classes: Ints, n_blocks: int, rng: np.random.Generator) -> Ints:
    """Deal shuffled instances to the blocks, one class after the other, going on where the last class ended."""
    order = rng.permutation(classes.size)
    order = order[np.argsort(classes[order], kind="stable")]
    names = rng.permutation(n_blocks)
    block = np.empty(classes.size, dtype=np.intp)
    block[order] = names[np.arange(classes.size) % n_blocks]
    return block


def _deal_groups(members: Ints, classes: Ints, n_blocks: int, rng: np.random.Generator) -> Ints:
    """Give each group, the largest first, to the block that has least of what the group brings.

    A block's load is counted by class and in all, each as a share of its total in the corpus. Without classes this is
    the rule of the longest processing time: the block with the fewest instances takes the next group.
    """
    n_groups, n_classes = int(members.max()) + 1, int(classes.max()) + 1
    counts = np.bincount(members * n_classes + classes, minlength=n_groups * n_classes).reshape(n_groups, n_classes)
    sizes = counts.sum(axis=1)
    brings = np.column_stack((counts, sizes)).astype(np.float64)
    shares = brings / brings.sum(axis=0)
    order = rng.permutation(n_groups)
    order = order[np.argsort(-sizes[order], kind="stable")]
    loads = np.zeros((n_blocks, n_classes + 1))
    target = np.empty(n_groups, dtype=np.intp)
    for group in order:
        target[group] = np.argmin(loads @ shares[group])
        loads[target[group]] += brings[group]
    block = rng.permutation(n_blocks)[target][members]
    sizes = np.bincount(block, minlength=n_blocks)
    if sizes.max() - sizes.min() > _UNEVEN * block.size / n_blocks:
        warnings.warn(
            f"groups are too large to make even blocks: the smallest of {n_blocks} has"
            f" {counted(int(sizes.min()), 'instance')}, the largest {sizes.max():,}",
            UserWarning,
            stacklevel=3,
        )
    return block
