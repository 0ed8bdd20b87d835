"""On which scale scores are: right or wrong, continuous, ordinal or counts; proportions or percentages; in which range.

The kind decides which tests are meaningful. It is detected, or declared by the user.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import ScoreValueError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.choices import KINDS, Kind
from reportkit.scores.table.names import natural_order
from reportkit.scores.table.row_numbers import LISTED, names_text, quoted

if TYPE_CHECKING:
    from reportkit.scores.results import Results
    from reportkit.scores.scores import Scores
    from reportkit.scores.table.score_table import ScoreTable


RIGHT_IN_PERCENT = 100.0
"""What is written for a right answer, where wrong ones are 0 and right ones are not 1."""


def detect_kind(scores: NDArray[np.float64]) -> Kind:
    """Tell right-or-wrong scores from all others.

    Ordinal and count scores are never inferred: integers from 1 to 5 may be ratings, counts of errors or points, and
    the mean of a rating means something only if its steps are equal. Whoever measured them declares them.

    Parameters
    ----------
    scores : ndarray of float
        All scores of one dataset, of any shape; NaN (missing) is left aside.

    Returns
    -------
    {"binary", "continuous"}
        Binary if every score is 0 or 1, or every one 0 or -1 (scores of which lower is better are held negated).

    Examples
    --------
    >>> detect_kind(np.array([[0, 1, 1], [1, np.nan, 0]]))
    'binary'
    >>> detect_kind(np.array([0.0, 0.5, 1.0]))
    'continuous'
    """
    other = scores[(scores != 0) & ~np.isnan(scores)]
    return "binary" if (other == 1).all() or (other == -1).all() else "continuous"


DeclaredKind = Kind | Mapping[str, Kind] | None


def declared_kind(kind: DeclaredKind, metric: str, dataset: str) -> Kind | None:
    """Kind that was declared for a dataset: by its name, by that of the metric, or for all."""
    if isinstance(kind, Mapping):
        return kind.get(dataset, kind.get(metric))
    return kind


def refuse_wrong_kinds(
    kind: DeclaredKind, blocks: Sequence[Scores], datasets: Sequence[str] = (), *, partial: bool = False
) -> None:
    """Hold scores against the kind that was declared for them.

    Parameters
    ----------
    kind : str, mapping or None
        Declared kinds, for all or by metric or dataset.
    blocks : sequence of Scores
        The scores.
    datasets : sequence of str
        All that are named, whether or not there are scores.
    partial : bool
        Whether there are other metrics and datasets elsewhere.

    Raises
    ------
    ScoreValueError
        If scores declared as binary are not 0 or 1, or counts are not whole numbers from 0.
    UnknownNameError
        If there is no such kind, metric or dataset.
    """
    if kind is None:
        return
    for value in kind.values() if isinstance(kind, Mapping) else [kind]:
        if value not in KINDS:
            raise UnknownNameError("kind of scores", value, KINDS)
    if isinstance(kind, Mapping) and not partial:
        held = [*(block.metric for block in blocks), *(block.dataset for block in blocks)]
        known = list(dict.fromkeys([*held, *datasets]))
        for name in kind:
            if name not in known:
                raise UnknownNameError("metric or dataset", name, known, where="kind")
    for block in blocks:
        declared = declared_kind(kind, block.metric, block.dataset)
        scores = block.scores[~np.isnan(block.scores)]
        as_given = scores if block.higher_is_better else 0.0 - scores
        if declared == "binary":
            _refuse_kind(
                block, as_given[(as_given != 0) & (as_given != 1)], "binary", "0 or 1 (or all of them 0 or 100)"
            )
        if declared == "count":
            _refuse_kind(block, as_given[(as_given < 0) | (as_given % 1 != 0)], "counts", "0, 1, 2, ...")


def _refuse_kind(block: Scores, wrong: NDArray[np.float64], kind: str, allowed: str) -> None:
    if wrong.size == 0:
        return
    examples = [f"{score:g}" for score in np.unique(wrong)[:LISTED]]
    raise ScoreValueError(
        f"scores were declared as {kind}, but {counted(wrong.size, 'score is', 'scores are')} not {allowed}",
        where=f"dataset {quoted(block.dataset)}, metric {quoted(block.metric)}: {', '.join(examples)}",
        remedy="declare what they are (kind='continuous', --kind continuous), or correct them",
    )


Group = tuple[str, str]
"""Metric and dataset."""


def count_in_percent(table: ScoreTable) -> dict[Group, tuple[int, int, int]]:
    """Count scores of 100, scores of 0, and all scores, by metric and dataset; nothing where 100 does not occur."""
    right = table.scores == RIGHT_IN_PERCENT
    if not table.asked.partial and not right.any():
        return {}
    groups = table.group_codes()
    numbers = [np.bincount(groups[held]) for held in (~np.isnan(table.scores), right, table.scores == 0)]
    n_all, n_right, n_wrong = (np.pad(one, (0, numbers[0].size - one.size)).tolist() for one in numbers)
    return {
        group: (n_right[code], n_wrong[code], n_all[code])
        for code, group in enumerate(_group_names(table)[: len(n_all)])
        if n_all[code]
    }


def right_or_wrong_in_percent(
    counts: Mapping[Group, tuple[int, int, int]], kind: DeclaredKind
) -> tuple[frozenset[Group], list[Finding]]:
    """Decide where scores are 0 and 100 for wrong and right, and what to know about that.

    A metric is taken for right or wrong if both values, and no others, occur in all of its datasets. If that is so on
    some of them only, the scores stay as they are, and a finding says how to declare them; as they do where a kind is
    declared that is not binary.

    Parameters
    ----------
    counts : mapping of (str, str) to (int, int, int)
        See `count_in_percent`.
    kind : str, mapping or None
        Declared kinds, for all or by metric or dataset.
    """
    metrics = natural_order({metric for metric, _ in counts})
    chosen: set[Group] = set()
    findings: list[Finding] = []
    for metric in metrics:
        held = {dataset: numbers for (name, dataset), numbers in counts.items() if name == metric}
        in_two = {name for name, (n_right, n_wrong, n_all) in held.items() if n_right + n_wrong == n_all}
        declared = {name: declared_kind(kind, metric, name) for name in held}
        chosen |= {(metric, name) for name in in_two if declared[name] == "binary" and held[name][0]}
        free = [name for name in held if declared[name] is None]
        two_valued = [name for name in free if name in in_two and held[name][0] and held[name][1]]
        if two_valued and in_two.issuperset(free):
            chosen |= {(metric, name) for name in free}
            findings.append(_recognised(metric, metrics))
        elif two_valued:
            findings.append(_doubtful(natural_order(two_valued)))
    return frozenset(chosen), findings


def divide(table: ScoreTable, divided: frozenset[Group]) -> ScoreTable:
    """Divide the scores of some metrics and datasets by 100."""
    if not divided:
        return table
    chosen = np.array([group in divided for group in _group_names(table)])
    return replace(table, scores=np.where(chosen[table.group_codes()], table.scores / RIGHT_IN_PERCENT, table.scores))


def _group_names(table: ScoreTable) -> list[Group]:
    """Metric and dataset, by the codes of groups."""
    return [(str(metric), str(dataset)) for metric in table.metric.names for dataset in table.dataset.names]


def _recognised(metric: str, metrics: Sequence[str]) -> Finding:
    return Finding(
        "right-or-wrong-in-percent",
        "info",
        "All scores are 0 or 100: they are taken as wrong or right, and margins are in proportions (0.01 is one "
        "percentage point).",
        where=f"metric {metric!r}" if len(metrics) > 1 else "",
        remedy="if they are other scores, say so: kind='continuous' (--kind continuous)",
    )


def _doubtful(datasets: Sequence[str]) -> Finding:
    return Finding(
        "right-or-wrong-in-percent",
        "info",
        "Scores are 0 or 100 on some datasets and other numbers elsewhere; they are taken as scores like the others.",
        where=f"0 or 100: {names_text(datasets)}",
        remedy=f"if they are right or wrong, say so: kind={{{datasets[0]!r}: 'binary'}} "
        f'(in TOML: kind = {{ "{datasets[0]}" = "binary" }})',
    )


_FACTOR = 5.0
"""A mean that is at least so many times as large is more than a better system."""

_CLEAR_FACTOR = 15.0
"""The median of the scores above 0 that is at least so many times as large is another scale; percentages have 100."""

_FEW_POSITIVE = 3
"""Fewer scores above 0 say nothing of their scale: they may be the small ones of scores that are mostly 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """Lowest, highest and mean score of each system on one dataset, as given; arrays of shape (n_systems,)."""

    block: Scores
    lowest: NDArray[np.float64]
    highest: NDArray[np.float64]
    mean: NDArray[np.float64]


def ranges_of(block: Scores) -> Ranges:
    """Lowest, highest and mean score of each system of a dataset, as given."""
    scores = block.scores
    lowest = scores.min(axis=1)  # NaN where a score is missing
    if not np.isnan(lowest).any():
        highest, mean = scores.max(axis=1), scores.mean(axis=1)
    else:
        lowest, highest, mean = np.nanmin(scores, axis=1), np.nanmax(scores, axis=1), np.nanmean(scores, axis=1)
    if block.higher_is_better:
        return Ranges(block, lowest, highest, mean)
    return Ranges(block, 0.0 - highest, 0.0 - lowest, 0.0 - mean)


def refuse_mixed_scales(ranges: Sequence[Ranges], gold: str | None = None) -> list[Finding]:
    """Refuse proportions beside percentages, within a dataset and between the datasets of one metric.

    They seem to be mixed if within a dataset all scores of one system lie in [0, 1] while another's reach 10 to 100
    with a mean at least five times as large; or if so for two datasets of one metric. That is refused where at least
    three of the small scores, or all of them, are above 0 and the median of those of the other side is 15 times as
    large. If not, as may be where most scores are 0, it is a warning.

    Parameters
    ----------
    ranges : sequence of Ranges
    gold : str, optional
        A column of gold values: then the scores may be predictions, whose scales play no part in a correlation.

    Returns
    -------
    list of Finding
        Where it cannot be told.

    Raises
    ------
    ScoreValueError
        Where they are mixed.
    """
    doubtful = []
    for one in ranges:
        doubtful += _refuse_mixed(
            f"on dataset {quoted(one.block.dataset)}, metric {quoted(one.block.metric)}",
            one.block.systems,
            (one.lowest, one.highest, one.mean),
            list(one.block.scores),
            "multiply the scores of {} by 100 if they are proportions",
            gold,
        )
    for metric in dict.fromkeys(one.block.metric for one in ranges):
        some = [one for one in ranges if one.block.metric == metric]
        each = np.array([(one.lowest.min(), one.highest.max(), one.mean.mean()) for one in some]).T
        doubtful += _refuse_mixed(
            f"between datasets, metric {quoted(metric)}",
            [one.block.dataset for one in some],
            (each[0], each[1], each[2]),
            [one.block.scores for one in some],
            "bring all datasets to one scale, or name the metric of each in a column of its own (metric)",
            gold,
        )
    return doubtful


def _refuse_mixed(
    where: str,
    names: Sequence[str],
    ranges: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    scores: Sequence[NDArray[np.float64]],
    remedy: str,
    gold: str | None,
) -> list[Finding]:
    """Refuse proportions beside percentages among systems, or among datasets: lowest, highest and mean of each."""
    lowest, highest, mean = ranges
    small = np.flatnonzero((lowest >= 0) & (highest <= 1) & (highest > 0))
    large = np.flatnonzero((lowest >= 0) & (highest > 10) & (highest <= RIGHT_IN_PERCENT))
    if not small.size or not large.size or not (small := small[mean[small] * _FACTOR <= mean[large].max()]).size:
        return []
    large = large[mean[large] >= _FACTOR * mean[small].min()]
    problem = f"proportions and percentages seem to be mixed {where}"
    shown = [
        listed(
            [f"{quoted(names[i])} from {lowest[i]:g} to {highest[i]:g} (mean {mean[i]:.3g})" for i in some[:LISTED]],
            total=some.size,
        )
        for some in (small, large)
    ]
    remedy = remedy.format(listed([quoted(names[i]) for i in small[:LISTED]], total=small.size))
    if gold is not None:
        remedy = f"{GOLD_REMEDY.format(quoted(gold))};\n{remedy}"
    low, high = (np.concatenate([scores[i].ravel() for i in some]) for some in (small, large))
    if any(_clearly_mixed(one, high) for one in (low, *(scores[i] for i in small))):
        raise ScoreValueError(problem, where="\n".join(shown), remedy=f"{remedy};\n{_ACCEPT}")
    message = f"{problem[0].upper()}{problem[1:]}; these scores do not tell for certain."
    return [Finding("mixed-scales", "warning", message, where="; ".join(shown), remedy=f"{remedy}; {_ACCEPT}")]


def _clearly_mixed(small: NDArray[np.float64], large: NDArray[np.float64]) -> bool:
    """Whether scores between 0 and 1 are on another scale than others; both may be held negated."""
    low, high = (np.abs(scores[np.abs(scores) > 0]) for scores in (small, large))  # NaN is not above 0
    enough = low.size >= _FEW_POSITIVE or low.size == np.count_nonzero(~np.isnan(small))
    return enough and bool(np.median(high) >= _CLEAR_FACTOR * np.median(low))


def refuse_out_of_range(results: Results, score_range: tuple[float, float]) -> None:
    """Refuse scores outside of the range that the user declared for the metric.

    Parameters
    ----------
    results : Results
        Of one metric.
    score_range : tuple of float
        (lowest, highest) possible score, as given.

    Raises
    ------
    ScoreValueError
        With the system, the dataset and the instance of the first few.
    """
    low, high = score_range
    found: list[str] = []
    total = 0
    for block in (given.matrix() for given in results):
        if block is None:
            continue
        as_given = block.scores if block.higher_is_better else 0.0 - block.scores
        outside = (as_given < low) | (as_given > high)
        total += int(outside.sum())
        for row, column in np.argwhere(outside)[: LISTED - len(found)]:
            found.append(
                f"{as_given[row, column]:g} ({quoted(block.systems[row])} on {quoted(block.dataset)}, "
                f"instance {quoted(str(block.instances[column]))})"
            )
    if total:
        raise ScoreValueError(
            counted(total, "score lies", "scores lie") + f" outside of the declared range {low:g} to {high:g}",
            where=listed(found, total=total),
            remedy="correct these scores, or declare the range of the metric (score_range=..., --score-range LOW HIGH)",
        )


GOLD_REMEDY = (
    "if the scores are predictions, to be judged by their correlation with {}, pass\n"
    "metric='spearman' (--metric spearman), or 'pearson', or 'kendall'"
)
"""Where a column holds gold values."""

_ACCEPT = "if they are what they should be, pass mixed_scales='accept' (--mixed-scales accept)"
