"""Which design, kind and scale scores have: instances, runs, folds, counts; right or wrong, graded; shares, percent.

The kind decides which tests are meaningful. It is detected, or declared by the user.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import UnknownNameError
from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.metrics.corpus import CORPUS_METRICS, CorpusMetric, corpus_metric_named, counted_columns, missing_counts
from reportkit.metrics.correlation import named_coefficient
from reportkit.scores.choices import KINDS, DeclaredKind, Kind
from reportkit.scores.codes import LISTED, names_text, quoted
from reportkit.scores.names import folded
from reportkit.scores.refusals import notice, refusal
from reportkit.scores.sample import Shape

if TYPE_CHECKING:
    from reportkit.scores.results import Results
    from reportkit.scores.scores import Scores
    from reportkit.scores.table import Table

Floats = NDArray[np.float64]

RIGHT_IN_PERCENT = 100.0
"""Number that stands for a right answer, where wrong ones are 0 and right ones are not 1."""


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


def refuse_wrong_kinds(kind: DeclaredKind, blocks: Sequence[Scores], datasets: Sequence[str] = ()) -> None:
    """Hold scores against the kind that was declared for them.

    Raises
    ------
    ScoreValueError
        If scores declared as binary are not 0 or 1, or counts are not whole numbers from 0.
    UnknownNameError
        If there is no such kind, metric or dataset.
    """
    known = [*dict.fromkeys([*(one.metric for one in blocks), *(one.dataset for one in blocks), *datasets])]
    for name, value in kind.items() if isinstance(kind, Mapping) else [("", kind)] if kind else []:
        if value not in KINDS:
            raise UnknownNameError("kind of scores", value, KINDS)
        if name and name not in known:
            raise UnknownNameError("metric or dataset", name, known, where="kind")
    allowed = {"binary": "0 or 1 (or all of them 0 or 100)", "count": "0, 1, 2, ..."}
    for block in blocks:
        if (declared := declared_kind(kind, block.metric, block.dataset)) not in allowed:
            continue
        scores = block.as_given(block.scores)[~np.isnan(block.scores)]
        wrong = scores[(scores < 0) | (scores % 1 != 0) | (scores > (1 if declared == "binary" else np.inf))]
        if wrong.size:
            raise refusal(
                "wrong-kind",
                kind="binary" if declared == "binary" else "counts",
                number=counted(wrong.size, "score is", "scores are"),
                allowed=allowed[declared],
                dataset=quoted(block.dataset),
                metric=quoted(block.metric),
                examples=", ".join(f"{score:g}" for score in np.unique(wrong)[:LISTED]),
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
        own = [block for block in blocks if block.metric == metric and block.shape in ("paired", "runs")]
        taken = [one for one in own if declared_kind(kind, metric, one.dataset) == "binary" and _is_right([one])]
        free = [one for one in own if declared_kind(kind, metric, one.dataset) is None]
        if _is_right(free) and any((block.scores == 0).any() for block in free):
            taken += free
            findings.append(notice("right-or-wrong-in-percent", f"metric {metric!r}" if len(metrics) > 1 else ""))
        divided |= set(map(id, taken))
    return tuple(
        replace(block, scores=block.scores / RIGHT_IN_PERCENT, kind="binary") if id(block) in divided else block
        for block in blocks
    ), findings


def _is_right(blocks: Sequence[Scores]) -> bool:
    """Return whether all scores are 0 or 100, and some 100."""
    given = [block.as_given(block.scores) for block in blocks]
    both = all(((scores == 0) | (scores == RIGHT_IN_PERCENT) | np.isnan(scores)).all() for scores in given)
    return both and any((scores == RIGHT_IN_PERCENT).any() for scores in given)


# --- proportions and percentages -------------------------------------------------------------------------------------

_CLEAR_FACTOR = 15.0
"""The median of the scores above 0 that is at least so many times as large is another scale; percentages have 100."""

_FEW_POSITIVE = 3
"""Fewer scores above 0 say nothing of their scale: they may be the small ones of scores that are mostly 0."""

GOLD_REMEDY = (
    "if the scores are predictions, to be judged by their correlation with {}, pass\n"
    "metric='spearman' (--metric spearman), or 'pearson', or 'kendall'"
)
"""Where a column holds gold values."""


def refuse_mixed_scales(blocks: Sequence[Scores], gold: str | None = None) -> None:
    """Refuse proportions mixed with percentages, within a dataset and between the datasets of one metric.

    They are mixed if within a dataset all scores of one system lie in [0, 1] while another's reach 10 to 100, and of
    the scores above 0, at least three of the former, the median is 15 times as large; or if so for two datasets of one
    metric. If not, as may be where most scores are 0, they may be what they should be.

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
            _refuse_mixed(where, dict(zip(block.systems, block.as_given(block.scores), strict=True)), remedy, gold)
        where = f"between datasets, metric {quoted(metric)}"
        remedy = "bring all datasets to one scale, or name the metric of each in a column of its own (metric)"
        _refuse_mixed(where, {block.dataset: block.as_given(block.scores) for block in own}, remedy, gold)


def _refuse_mixed(where: str, scores: Mapping[str, Floats], remedy: str, gold: str | None) -> None:
    """Refuse proportions mixed with percentages among systems, or among datasets, by name."""
    low, high = ({name: float(end(own)) for name, own in scores.items()} for end in (np.nanmin, np.nanmax))
    small = [name for name in scores if low[name] >= 0 and 0 < high[name] <= 1]
    large = [name for name in scores if low[name] >= 0 and 10 < high[name] <= RIGHT_IN_PERCENT]
    above = {name: scores[name][scores[name] > 0] for name in (*small, *large) if small and large}  # NaN is not
    small = [name for name in small if name in above and above[name].size >= min(_FEW_POSITIVE, scores[name].size)]
    usual = {name: float(np.median(own)) for name, own in above.items()}
    pairs = [(one, other) for one in small for other in large if usual[other] >= _CLEAR_FACTOR * usual[one]]
    if not pairs:
        return
    found = [[*dict.fromkeys(names)] for names in zip(*pairs, strict=True)]
    shown = [
        listed([f"{quoted(n)} from {low[n]:g} to {high[n]:g} (mean {np.nanmean(scores[n]):.3g})" for n in some], LISTED)
        for some in found
    ]
    remedy = remedy.format(listed([quoted(name) for name in found[0]], LISTED))
    remedy = f"{GOLD_REMEDY.format(quoted(gold))};\n{remedy}" if gold is not None else remedy
    raise refusal("mixed-scales", "\n".join(shown), on=where, remedy=remedy)


def refuse_out_of_range(results: Results, score_range: tuple[float, float]) -> None:
    """Refuse scores outside of the range that the user declared for the metric.

    Parameters
    ----------
    results : Results
        Results of one metric.
    score_range : tuple of float
        (lowest, highest) possible score, as given.

    Raises
    ------
    ScoreValueError
        With the system, the dataset and the instance of the first few.
    """
    low, high = score_range
    found: list[str] = []
    for block in filter(None, (given.matrix() for given in results)):
        scores = block.as_given(block.scores)
        found += [
            f"{scores[row, column]:g} ({quoted(block.systems[row])} on {quoted(block.dataset)}, "
            f"instance {quoted(str(block.instances[column]))})"
            for row, column in np.argwhere((scores < low) | (scores > high))
        ]
    if found:
        number = counted(len(found), "score lies", "scores lie")
        raise refusal("out-of-range", listed(found, LISTED), number=number, low=low, high=high)


# --- designs ---------------------------------------------------------------------------------------------------------

_CHOSEN_SCORE = re.compile(r"(best|max|maximum|top)(score|scores|acc|accuracy|value|result|run|seed|ofn|ofm|of\d+)?")
"""Names, folded, of a column of scores that are the best of several runs."""

_RUN = ("system", "dataset")


def design_of(table: Table) -> Shape:
    """Tell from the roles of the columns, and from the metric asked for, what there is of each system.

    Raises
    ------
    ColumnError
        If a column of counts of the metric asked for is missing.
    InputError
        If scores are by their name the best of several, if runs are in the place of instances, or if it
        cannot be told whether a score is that of a run or of an instance.
    """
    asked = table.asked.metric
    if asked is not None and named_coefficient(asked) is not None and asked not in table.present("metric"):
        return "correlation"
    if corpus_metric_of(table) is not None:
        return "corpus"
    scored = table.where(~np.isnan(table.scores[table.rows]))
    if scored.rows.size and _has_one_score_per_fold(scored):
        return "folds"
    if _CHOSEN_SCORE.fullmatch(folded(table.said("score"))):
        raise refusal("best-of-runs", table.columns_text("score"), column=table.said("score"))
    if scored.rows.size and (shape := _with_runs(scored)) != "paired":
        return shape
    counted_rows = table.has("n") and (table.has("k") or (table.has("score") and not table.asked.across_datasets))
    if counted_rows and "seed" not in table.names and table.count("metric", *_RUN) == table.rows.size:
        return "counts"
    return "paired"


def corpus_metric_of(table: Table) -> CorpusMetric | None:
    """Tell which metric is to be computed from columns of counts; None if scores are to be compared.

    Raises
    ------
    ColumnError
        If a metric was asked for and counts for it are missing; or if there are counts of several metrics, no scores,
        and nobody said which.
    """
    asked, names = table.asked.metric, [*map(str, table.frame.columns)]
    if asked in table.present("metric"):
        return None
    if asked is not None and (metric := corpus_metric_named(asked)) is not None:
        if absent := missing_counts(metric, names):
            needed = ", ".join(metric.columns)
            words = listed(map(repr, absent), last="or")
            columns = names_text(names)
            raise refusal("missing-counts", metric=metric.name, absent=words, columns=columns, needed=needed)
        return metric
    if table.has("score") or not (there := counted_columns(names)):
        return None
    fitting = [metric.name for metric in CORPUS_METRICS.values() if set(metric.columns) <= there.keys()]
    columns = names_text(names)
    raise refusal("counts-of-several", metrics=", ".join(fitting), columns=columns, metric=fitting[0])


def _has_one_score_per_fold(table: Table) -> bool:
    """Return whether folds, with runs if there are any, tell the scores of a system on a dataset apart.

    If there are several instances per fold, their scores are compared, and the fold is of no account. Scores that are
    all 0 or 1 are those of single test items (leave-one-out), not of folds.
    """
    if "fold" not in table.names or detect_kind(table.scores) == "binary":
        return False
    return not one_for_each(table, "fold", *_RUN) and one_for_each(table, "instance", "metric", "fold", "seed", *_RUN)


def one_for_each(table: Table, role: str, *given: str) -> bool:
    """Return whether there is one name of a role for each combination of names of other roles."""
    return table.count(*given, role) == table.count(*given)


def _with_runs(table: Table) -> Shape:
    """Tell whether instances have several runs, or each run has one score and nothing else.

    | seeds                                                          | shape      |
    |----------------------------------------------------------------|------------|
    | some instance has scores of several runs of a system           | runs       |
    | each run has one score, of a whole dataset                     | run-scores |
    | each system has one run on a dataset                           | paired     |
    """
    if len(table.present("seed")) < 2:
        return "paired"
    if not one_for_each(table, "seed", "metric", "instance", *_RUN):
        return "run-scores" if one_for_each(table, "instance", "metric", "dataset") else "runs"
    if one_for_each(table, "seed", *_RUN):
        return "paired"
    one_run_per_instance = one_for_each(table, "seed", "dataset", "instance")
    if detect_kind(table.scores) != "binary" and one_for_each(table, "instance", "metric", "seed", *_RUN):
        one_instance_per_run = one_run_per_instance and one_for_each(table, "instance", "dataset", "seed")
        if not table.has("instance") or one_instance_per_run:
            return "run-scores"
    elif not one_run_per_instance:
        return "paired"
    where = table.columns_text("instance", "seed")
    raise refusal("runs-as-instances", where, instance=table.said("instance"), seed=table.said("seed"))
