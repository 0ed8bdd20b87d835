"""On which scale scores are: right or wrong, continuous, ordinal or counts; proportions or percentages; in which range.

The kind decides which tests are meaningful. It is detected, or declared by the user.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import ScoreValueError, UnknownNameError
from reportkit.finding import Finding
from reportkit.language.counts_and_lists import counted, listed
from reportkit.scores.choices import KINDS, Kind
from reportkit.scores.codes import LISTED, quoted

if TYPE_CHECKING:
    from reportkit.scores.results import Results
    from reportkit.scores.scores import Scores

DeclaredKind = Kind | Mapping[str, Kind] | None
Floats = NDArray[np.float64]

RIGHT_IN_PERCENT = 100.0
"""What is written for a right answer, where wrong ones are 0 and right ones are not 1."""


def detect_kind(scores: Floats) -> Kind:
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
        Binary if every score is 0 or 1, or every one 0 or -1 (scores for which lower is better are held negated).

    Examples
    --------
    >>> detect_kind(np.array([[0, 1, 1], [1, np.nan, 0]]))
    'binary'
    >>> detect_kind(np.array([0.0, 0.5, 1.0]))
    'continuous'
    """
    other = scores[(scores != 0) & ~np.isnan(scores)]
    return "binary" if (other == 1).all() or (other == -1).all() else "continuous"


def declared_kind(kind: DeclaredKind, metric: str, dataset: str) -> Kind | None:
    """Return the kind that was declared for a dataset: by its name, by that of the metric, or for all."""
    return kind.get(dataset, kind.get(metric)) if isinstance(kind, Mapping) else kind


def as_given(block: Scores) -> Floats:
    """Return the scores of a dataset as they were given: held negated where lower is better."""
    return block.scores if block.higher_is_better else 0.0 - block.scores


def refuse_wrong_kinds(kind: DeclaredKind, blocks: Sequence[Scores], datasets: Sequence[str] = ()) -> None:
    """Hold scores against the kind that was declared for them.

    Raises
    ------
    ScoreValueError
        If scores declared as binary are not 0 or 1, or counts are not whole numbers from 0.
    UnknownNameError
        If there is no such kind, metric or dataset.
    """
    for value in kind.values() if isinstance(kind, Mapping) else [kind] if kind else []:
        if value not in KINDS:
            raise UnknownNameError("kind of scores", value, KINDS)
    known = [*dict.fromkeys([*(one.metric for one in blocks), *(one.dataset for one in blocks), *datasets])]
    for name in kind if isinstance(kind, Mapping) else ():
        if name not in known:
            raise UnknownNameError("metric or dataset", name, known, where="kind")
    for block in blocks:
        declared = declared_kind(kind, block.metric, block.dataset)
        scores = as_given(block)[~np.isnan(block.scores)]
        most = np.inf if declared == "count" else 1
        wrong = scores[(scores < 0) | (scores > most) | (scores % 1 != 0)]
        if declared in ("binary", "count") and wrong.size:
            names, allowed = {
                "binary": ("binary", "0 or 1 (or all of them 0 or 100)"),
                "count": ("counts", "0, 1, 2, ..."),
            }[declared]
            examples = ", ".join(f"{score:g}" for score in np.unique(wrong)[:LISTED])
            raise ScoreValueError(
                f"scores were declared as {names}, but {counted(wrong.size, 'score is', 'scores are')} not {allowed}",
                where=f"dataset {quoted(block.dataset)}, metric {quoted(block.metric)}: {examples}",
                remedy="declare what they are (kind='continuous', --kind continuous), or correct them",
            )


# --- right and wrong in percent --------------------------------------------------------------------------------------


def with_right_as_one(blocks: Sequence[Scores], kind: DeclaredKind) -> tuple[tuple[Scores, ...], list[Finding]]:
    """Divide scores by 100 where 0 and 100 stand for wrong and right.

    A metric is taken for right or wrong if both values, and no others, occur in all of its datasets, and no other kind
    is declared; a dataset that is declared binary is taken so alone.
    """
    divided: set[int] = set()
    findings = []
    metrics = list(dict.fromkeys(block.metric for block in blocks))
    for metric in metrics:
        held = {
            place: as_given(matrix)[~np.isnan(matrix.scores)]
            for place, block in enumerate(blocks)
            if block.metric == metric and block.shape in ("paired", "runs") and (matrix := block.matrix()) is not None
        }
        declared = {place: declared_kind(kind, metric, blocks[place].dataset) for place in held}
        two = {place for place, own in held.items() if np.isin(own, (0, RIGHT_IN_PERCENT)).all()}
        right = {place for place in two if (held[place] == RIGHT_IN_PERCENT).any()}
        free = {place for place in held if declared[place] is None}
        divided |= {place for place in right if declared[place] == "binary"}
        if free <= two and any((held[place] == 0).any() for place in free & right):
            divided |= free
            findings.append(_recognised(metric if len(metrics) > 1 else ""))
    return tuple(
        replace(block, scores=block.scores / RIGHT_IN_PERCENT, kind="binary") if place in divided else block
        for place, block in enumerate(blocks)
    ), findings


def _recognised(metric: str) -> Finding:
    return Finding(
        "right-or-wrong-in-percent",
        "info",
        "All scores are 0 or 100: they are taken as wrong or right, and margins are in proportions (0.01 is one "
        "percentage point).",
        where=f"metric {metric!r}" if metric else "",
        remedy="if they are other scores, say so: kind='continuous' (--kind continuous)",
    )


# --- proportions and percentages -------------------------------------------------------------------------------------

_FACTOR = 5.0
"""A mean that is at least so many times as large is more than a better system."""

_CLEAR_FACTOR = 15.0
"""The median of the scores above 0 that is at least so many times as large is another scale; percentages have 100."""

_FEW_POSITIVE = 3
"""Fewer scores above 0 say nothing of their scale: they may be the small ones of scores that are mostly 0."""

GOLD_REMEDY = (
    "if the scores are predictions, to be judged by their correlation with {}, pass\n"
    "metric='spearman' (--metric spearman), or 'pearson', or 'kendall'"
)
"""Where a column holds gold values."""

_ACCEPT = "if they are what they should be, pass mixed_scales='accept' (--mixed-scales accept)"


def refuse_mixed_scales(blocks: Sequence[Scores], gold: str | None = None) -> None:
    """Refuse proportions mixed with percentages, within a dataset and between the datasets of one metric.

    They seem to be mixed if within a dataset all scores of one system lie in [0, 1] while another's reach 10 to 100
    with a mean at least five times as large; or if so for two datasets of one metric. That is refused where at least
    three of the small scores, or all of them, are above 0 and the median of those of the other side is 15 times as
    large. If not, as may be where most scores are 0, they may be what they should be.

    Parameters
    ----------
    blocks : sequence of Scores
    gold : str, optional
        A column of gold values: then the scores may be predictions, whose scales play no part in a correlation.

    Raises
    ------
    ScoreValueError
        Where they are mixed.
    """
    for metric in dict.fromkeys(block.metric for block in blocks):
        own = [block for block in blocks if block.metric == metric]
        for block in own:
            where = f"on dataset {quoted(block.dataset)}, metric {quoted(metric)}"
            remedy = "multiply the scores of {} by 100 if they are proportions"
            _refuse_mixed(where, dict(zip(block.systems, as_given(block), strict=True)), remedy, gold)
        where = f"between datasets, metric {quoted(metric)}"
        remedy = "bring all datasets to one scale, or name the metric of each in a column of its own (metric)"
        _refuse_mixed(where, {block.dataset: as_given(block) for block in own}, remedy, gold)


def _refuse_mixed(where: str, scores: Mapping[str, Floats], remedy: str, gold: str | None) -> None:
    """Refuse proportions mixed with percentages among systems, or among datasets, by name."""
    low, high = ({name: float(end(own)) for name, own in scores.items()} for end in (np.nanmin, np.nanmax))
    small = [name for name in scores if low[name] >= 0 and 0 < high[name] <= 1]
    large = [name for name in scores if low[name] >= 0 and 10 < high[name] <= RIGHT_IN_PERCENT]
    mean = {name: float(np.nanmean(scores[name])) for name in (*small, *large)}
    most = max((mean[name] for name in large), default=0.0)
    small = [name for name in small if mean[name] * _FACTOR <= most]
    large = [name for name in large if small and mean[name] >= _FACTOR * min(mean[other] for other in small)]
    if not large:
        return
    others = np.concatenate([scores[name].ravel() for name in large])
    every = np.concatenate([scores[name].ravel() for name in small])
    if not any(_clearly_mixed(one, others) for one in (every, *(scores[name] for name in small))):
        return
    problem = f"proportions and percentages seem to be mixed {where}"
    shown = [
        listed([f"{quoted(n)} from {low[n]:g} to {high[n]:g} (mean {mean[n]:.3g})" for n in some], LISTED)
        for some in (small, large)
    ]
    remedy = remedy.format(listed([quoted(name) for name in small], LISTED))
    remedy = f"{GOLD_REMEDY.format(quoted(gold))};\n{remedy}" if gold is not None else remedy
    raise ScoreValueError(problem, where="\n".join(shown), remedy=f"{remedy};\n{_ACCEPT}")


def _clearly_mixed(small: Floats, large: Floats) -> bool:
    low, high = (scores[scores > 0] for scores in (small, large))  # NaN is not above 0
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
        scores = as_given(block)
        outside = np.argwhere((scores < low) | (scores > high))
        total += len(outside)
        found += [
            f"{scores[row, column]:g} ({quoted(block.systems[row])} on {quoted(block.dataset)}, "
            f"instance {quoted(str(block.instances[column]))})"
            for row, column in outside[: LISTED - len(found)]
        ]
    if total:
        raise ScoreValueError(
            counted(total, "score lies", "scores lie") + f" outside of the declared range {low:g} to {high:g}",
            where=listed(found, total=total),
            remedy="correct these scores, or declare the range of the metric (score_range=..., --score-range LOW HIGH)",
        )
