"""Check what only all datasets can show: kinds and scales of scores, names, sizes; note what a reader has to know.

The kind decides which tests are meaningful. It is detected, or declared by the user. What depends on which systems are
compared is left to the pairing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import UnknownNameError
from reportkit.finding import Finding
from reportkit.language import counted, listed
from reportkit.scores.choices import KINDS, DeclaredKind, Kind
from reportkit.scores.codes import LISTED, counts_text, names_text, quoted
from reportkit.scores.names import AVERAGE, SENTINELS
from reportkit.scores.refusals import notice, refusal

if TYPE_CHECKING:
    from reportkit.scores.scores import Results, Scores
    from reportkit.scores.table import Asked

Floats = NDArray[np.float64]

CONSTANT_SYSTEM = "constant-system"
_ABOUT_SYSTEMS = frozenset({CONSTANT_SYSTEM, "similar-names"})

SMALL = 20
"""With fewer instances than this, a verdict is hardly possible."""

UNEQUAL = 10
"""k-hat counts a dataset of ten times the size as one, like any other."""


def is_plain(results: Results) -> bool:
    """Return whether each block is complete, with several systems and instances, and holds scores and nothing else.

    Not scores: a number such as -1 that stands for a missing score, and whatever is called the average of others.
    """
    for block in results:
        doubtful = np.isnan(block.scores) | np.isin(block.as_given(block.scores), SENTINELS)
        if 1 in block.scores.shape or doubtful.any():
            return False
    names = chain(results.named_datasets, *(block.instance_names for block in results))
    return not any(map(AVERAGE.fullmatch, names))


def judged(results: Results, asked: Asked, *, mixed_scales: Literal["error", "accept"] = "error") -> Results:
    """Judge what only all datasets can show: scales, names, sizes.

    Parameters
    ----------
    results : Results
    asked : Asked
        What the user says.
    mixed_scales : {"error", "accept"}
        Whether proportions and percentages may be mixed.

    Raises
    ------
    ScoreValueError
        If percentages and proportions are mixed, or scores do not fit the declared kind.
    """
    shapes = {block.shape for block in results}
    gold = asked.columns.get("gold", "gold") if "gold" in results.columns else None
    decided: list[Finding] = []
    blocks = results.datasets
    if not asked.across_datasets:
        blocks, decided = with_right_as_one(blocks, asked.kind)
    matrices = [matrix for block in blocks if (matrix := block.matrix()) is not None]
    if mixed_scales == "error":
        kept = [block.matrix() for block, old in zip(blocks, results, strict=True) if block is old]
        refuse_mixed_scales([one for one in kept if one is not None], gold)
    refuse_wrong_kinds(asked.kind, matrices, results.named_datasets)
    unused = ("rater",) if "rater" in results.columns and "rating" not in {block.unit for block in blocks} else ()
    unused_gold: list[Finding] = []
    if gold and "correlation" not in shapes:
        remedy = GOLD_REMEDY.format("the gold values").replace("\n", " ")
        unused_gold = [notice("gold-unused", f"column {gold!r}", remedy=remedy)]
    sized = [] if asked.across_datasets else [block for block in blocks if block.n_instances]
    return replace(
        results,
        datasets=blocks,
        columns={role: role for role in results.columns if role not in unused},
        unused_columns=unused,
        findings=(
            *unused_gold,
            *decided,
            *results.findings,
            *name_findings(list(dict.fromkeys(system for block in blocks for system in block.systems)), "system"),
            *name_findings(list(dict.fromkeys(block.dataset for block in blocks)), "dataset"),
            *(nesting_findings(sized) if "cluster" not in results.columns else ()),
            *(size_findings(sized) if sized else ()),
            *(constant_findings(matrices) if not shapes & {"run-scores", "folds"} else ()),
        ),
    )


def with_unused(results: Results, unused: Sequence[str]) -> Results:
    """Name the columns of the input that play no role."""
    if not unused:
        return results
    number, names = counted(len(unused), "column"), listed(list(map(repr, unused)), 8)
    note = notice("columns-not-used", number=number, names=names)
    return replace(results, unused_columns=tuple(unused), findings=(*results.findings, note))


# --- right or wrong, or graded --------------------------------------------------------------------------------------

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

    This is done for a metric whose scores are 0 and 100, and nothing else, in all of its datasets, unless another kind
    is declared; for a dataset that is declared binary, its own scores decide.
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
"""Scales differ if the medians of the scores above 0 differ by this factor; that of percentages is 100."""

_FEW_POSITIVE = 3
"""Fewer scores above 0 do not show the scale: they may be the small ones among scores that are mostly 0."""

GOLD_REMEDY = (
    "if the scores are predictions, to be judged by their correlation with {}, pass\n"
    "metric='spearman' (--metric spearman), or 'pearson', or 'kendall'"
)
"""Where a column holds gold values."""


def refuse_mixed_scales(blocks: Sequence[Scores], gold: str | None = None) -> None:
    """Refuse proportions mixed with percentages, within a dataset and between the datasets of one metric.

    They are mixed if, within a dataset, all scores of one system lie in [0, 1], the largest of another is from 10 to
    100, and its median of the scores above 0 is at least 15 times as large (the first needs three such scores); or if
    this holds for two datasets of one metric. Otherwise, as where most scores are 0, they are accepted.

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
    pairs = [(one, other) for one in small for other in large]
    above = {name: scores[name][scores[name] > 0] for name in {*chain(*pairs)}}  # NaN is not
    few = {name for name, own in above.items() if own.size < min(_FEW_POSITIVE, scores[name].size)}
    usual = {name: float(np.median(own)) for name, own in above.items()}
    pairs = [one for one in pairs if one[0] not in few and usual[one[1]] >= _CLEAR_FACTOR * usual[one[0]]]
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


# --- what has to be known ------------------------------------------------------------------------------------------


def name_findings(names: Sequence[str], role: str) -> Iterator[Finding]:
    """Warn of names that differ only in case, spaces, form of letters or invisible characters: probably the same."""
    groups: dict[str, list[str]] = {}
    for name in names:
        seen = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
        groups.setdefault(" ".join(unicodedata.normalize("NFKC", seen).casefold().split()), []).append(name)
    alike = [group for group in groups.values() if len(group) > 1]
    if alike:
        shown = [" and ".join(map(ascii, group)) for group in alike[:LISTED]]
        yield notice("similar-names", listed(shown, total=len(alike)), role=role)


def size_findings(blocks: Sequence[Scores]) -> Iterator[Finding]:
    """Warn of datasets with few instances, and note datasets of very different size."""
    sizes: dict[str, int] = {}
    for block in blocks:
        sizes[block.dataset] = max(sizes.get(block.dataset, 0), block.n_instances)
    if small := [(name, size) for name, size in sizes.items() if size < SMALL]:
        have = "has" if len(small) == 1 else "have"
        yield notice("small-dataset", counts_text(small), n=len(small), total=len(sizes), have=have, limit=SMALL)
    largest, smallest = max(sizes, key=lambda name: sizes[name]), min(sizes, key=lambda name: sizes[name])
    if sizes[largest] > UNEQUAL * sizes[smallest]:
        where = f"{quoted(smallest)} and {quoted(largest)}"
        yield notice("unequal-sizes", where, low=sizes[smallest], high=sizes[largest])


def findings_of_chosen(results: Results) -> Iterator[Finding]:
    """Keep the findings of results that concern the compared systems."""
    for finding in results.findings:
        if finding.code not in _ABOUT_SYSTEMS:
            yield finding
    yield from name_findings(results.systems, "system")
    yield from name_findings(results.dataset_names, "dataset")
    matrices = [matrix for block in results.datasets if (matrix := block.matrix()) is not None]
    if CONSTANT_SYSTEM in {finding.code for finding in results.findings}:
        yield from constant_findings(matrices)


def constant_findings(blocks: Sequence[Scores]) -> Iterator[Finding]:
    """Warn of systems with the same score on every instance of a dataset."""
    constant = [
        f"{quoted(block.systems[row])} on {quoted(block.dataset)} (always {scores[row, ~np.isnan(scores[row])][0]:g})"
        for block in blocks
        if block.n_instances > 1
        for scores in [block.as_given(block.scores)]
        for row in np.flatnonzero(np.nanmin(scores, axis=1) == np.nanmax(scores, axis=1))
    ]
    if constant:
        yield notice(CONSTANT_SYSTEM, listed(constant, LISTED))


_PART = re.compile(r"(?P<document>.*[^_:/\-.])[_:/\-.]+(?P<word>[A-Za-z]{0,9})[0-9]{1,9}")


def nesting_findings(blocks: Sequence[Scores]) -> Iterator[Finding]:
    """Say which instances seem to be parts of documents, where no column says which document."""
    names = {block.dataset: block.instance_names for block in reversed(blocks)}
    looked = {name: documents_of(ids) for name, ids in reversed(names.items())}
    shown = [
        f"{quoted(name)}: {len(names[name]):,} instances in {len(found):,} documents such as {names_text(found[:3])}"
        for name, found in looked.items()
        if found
    ]
    if shown:
        yield notice("nested-instances", listed(shown, LISTED))


def documents_of(ids: Sequence[str] | NDArray[np.object_]) -> list[str]:
    """Return the documents that ids look like parts of: a prefix, one of `_ : / - .`, and a number.

    They do if nine in ten ids have this form, there are at least three prefixes and on average 2 to 150 instances per
    prefix, and four in five instances share theirs. One prefix for all (`tweets/17`), numbers alone, hashes and words
    do not; nor do a few prefixes, if no two differ in their numbers alone: `QALD2_te-12` and `INEX_LD-7` come
    from test sets, and are not parts of documents.

    Parameters
    ----------
    ids : sequence of str
        Ids of the instances of one dataset, each once.

    Examples
    --------
    >>> documents_of([f"nyt/{document}_{sentence}" for document in range(1, 21) for sentence in range(1, 11)])[:3]
    ['nyt/1', 'nyt/2', 'nyt/3']
    >>> documents_of([f"tweets/{number}" for number in range(200)])
    []
    """
    found = [] if all(map(str.isdecimal, ids)) else [match for one in ids if (match := _PART.fullmatch(one))]
    if len(found) < 0.9 * len(ids) or len({match["word"] for match in found}) > 1:
        return []
    sizes = Counter(match["document"] for match in found)
    shared = sum(size for size in sizes.values() if size > 1)
    n_forms = len({re.sub("[0-9]+", "#", name) for name in sizes})
    fits = len(sizes) >= 3 and 2 * len(sizes) <= sizes.total() <= 150 * len(sizes) and shared >= 0.8 * sizes.total()
    return [*sizes] if fits and (len(sizes) >= 20 or 2 * n_forms <= len(sizes)) else []
