"""Splits as a table, for people who train elsewhere: one row per instance, one column per repetition."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError, SettingsError
from reportkit.reproducibility_analysis.blocks import BlockedCV
from reportkit.reproducibility_analysis.codes import coded, label_array

Ints = NDArray[np.intp]


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


def write_splits(tables: Iterable[SplitTable], path: str | Path) -> None:
    """Write splits as CSV in UTF-8, with the columns of `SplitTable.columns`.

    Raises
    ------
    SettingsError
        If there is no table, or the tables have different numbers of repetitions.
    """
    every = list(tables)
    if len({len(table.folds) for table in every}) != 1:
        raise SettingsError("one file takes splits with one number of repetitions, and one table at least")
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(every[0].columns())
        for table in every:
            writer.writerows(zip(*(column.tolist() for column in table.columns().values()), strict=True))
