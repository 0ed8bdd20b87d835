"""Resampled training sets: which rows are drawn, and that no label is missing in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reportkit.calibration.streams import check_number, stream
from reportkit.errors import InputError, SettingsError
from reportkit.language.counts_and_lists import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSets:
    """Which training sets are drawn, and how; made by `training_sets`.

    Parameters
    ----------
    sizes, repeats : tuple of int
        Sizes, and how many training sets of each.
    replace, stratify, same_sets : bool
        As for `reportkit.calibration.training.trained_systems.resampled_systems`.
    seed : int
        Of the drawing.
    """

    sizes: tuple[int, ...]
    repeats: tuple[int, ...]
    replace: bool
    stratify: bool
    same_sets: bool
    seed: int

    def draws(self, learners: Sequence[str]) -> Iterator[tuple[str, int, int]]:
        """Learner, size and repeat (from 1) of every training set."""
        for learner in learners:
            for size, n_repeats in zip(self.sizes, self.repeats, strict=True):
                for repeat in range(1, n_repeats + 1):
                    yield learner, size, repeat

    def rows(self, learner: str, size: int, repeat: int, codes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Rows of one training set; see `training_rows`."""
        names = ("training set", str(size), str(repeat)) + (() if self.same_sets else (learner,))
        rng = stream(self.seed, *names)
        return training_rows(codes, size, replace=self.replace, stratify=self.stratify, rng=rng)

    def refuse_missing_labels(self, learners: Sequence[str], codes: NDArray[np.intp], names: NDArray[Any]) -> None:
        """Refuse training sets without one of the labels.

        Raises
        ------
        InputError
            With the first such training set.
        """
        totals = np.bincount(codes)
        for learner, size, repeat in self.draws(learners[:1] if self.same_sets else learners):
            drawn = label_counts(totals, size)
            if not self.stratify:
                drawn = np.bincount(codes[self.rows(learner, size, repeat, codes)], minlength=totals.size)
            if drawn.min() > 0:
                continue
            absent = int(np.flatnonzero(drawn == 0)[0])
            who = "" if self.same_sets else f"learner {learner!r}, "
            raise InputError(
                f"a training set of {counted(size, 'row')} would have none of label {names.tolist()[absent]!r}",
                where=f"{who}size {size:,}, repeat {repeat}; {totals[absent]:,} of {codes.size:,} labels are it",
                remedy="choose larger sizes, or leave rare labels out; if y holds numbers to be predicted, give score= "
                "and stratify=False"
                if self.stratify
                else "choose larger sizes, or stratify=True",
            )


def training_sets(
    n: int,
    *,
    sizes: Sequence[int] | None,
    n_repeats: int | Sequence[int],
    replace: bool,
    stratify: bool,
    same_sets: bool,
    seed: int,
) -> TrainingSets:
    """Check what is to be drawn from n rows.

    Raises
    ------
    SettingsError
        If a size is larger than n, or a number makes no sense.
    """
    chosen = tuple(dict.fromkeys((n, n // 2, n // 4))) if sizes is None else tuple(np.asarray(sizes).tolist())
    for size in chosen:
        check_number("a size of training sets", size, 1)
        if size > n:
            raise SettingsError(
                f"a training set of {size:,} rows cannot be drawn from {n:,}",
                where=f"sizes={list(chosen)!r}",
                remedy=f"choose sizes from 1 to {n:,}",
            )
    if not chosen or len(set(chosen)) < len(chosen):
        raise SettingsError(f"sizes are {list(chosen)!r}", remedy="give at least one size, and each once")
    repeats = (n_repeats,) * len(chosen) if isinstance(n_repeats, int) else tuple(np.asarray(n_repeats).tolist())
    if len(repeats) != len(chosen):
        raise SettingsError(
            f"n_repeats has {counted(len(repeats), 'number')} and there are {counted(len(chosen), 'size')}",
            remedy="give one number for all sizes, or one for each",
        )
    for number in repeats:
        check_number("n_repeats", number, 1)
    check_number("seed", seed, 0)
    return TrainingSets(
        sizes=chosen, repeats=repeats, replace=replace, stratify=stratify, same_sets=same_sets, seed=seed
    )


def training_rows(
    codes: NDArray[np.intp], size: int, *, replace: bool, stratify: bool, rng: np.random.Generator
) -> NDArray[np.intp]:
    """Rows of one training set, in random order.

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
    """How often each label occurs in a stratified training set: its share, by largest remainders.

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
