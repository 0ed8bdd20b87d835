"""What a score is a mean over, which variation the tests capture and which not, and of what population they speak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportkit.language.counts_and_lists import listed, spanned
from reportkit.report.prose import Prose, prose
from reportkit.significance.outcome import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetitions:
    """How results vary, for a reader who asks.

    Parameters
    ----------
    averaged : Prose
        What a score is a mean over.
    flag : Prose
        That there is a single run, where there is; otherwise empty.
    blank : str
        What only the authors know about it; empty if nothing.
    captured, missed : str
        Factors of variability that p-values and intervals capture, and that they do not.
    population : Prose
        Of what they speak.
    """

    averaged: Prose
    flag: Prose
    blank: str
    captured: str
    missed: str
    population: Prose


_SPLITS = "how the data were split into training and test"
_ANEW = "the systems trained anew (initialisation, order of the data)"
_BETWEEN_RUNS = (
    "what differs between the runs (initialisation, order of the data, split), and whether any were left out."
)
_SINGLE_BLANK = (
    "whether the systems are deterministic; if not, that this is one run, or the scores of several runs in a column "
    "'seed'."
)


def repetitions_of(items: Sequence[Outcome], *, printed: bool) -> Repetitions:
    """Say it for all comparisons of an analysis.

    Parameters
    ----------
    items : sequence of Outcome
        Of all comparisons.
    printed : bool
        Whether only what a paper prints is known.
    """
    if printed:
        return _printed()
    shapes = {item.shape for item in items}
    runs = sorted({side.n_runs for item in items for side in item.details.sides if side.n_runs is not None})
    if {item.unit for item in items} == {"dataset"}:
        return _across()
    if shapes == {"folds"}:
        return _folds(items)
    if shapes == {"run-scores"}:
        return _of_runs(runs, on_instances=False)
    if shapes == {"runs"}:
        return _of_runs(runs, on_instances=True)
    if runs:
        return _fixed_runs(runs)
    return _single(items)


def _printed() -> Repetitions:
    return Repetitions(
        averaged=prose("The scores are as the paper prints them."),
        flag=(),
        blank="whether they are single runs, means, or the best of several; over how many.",
        captured="what the printed tests captured, which is not known",
        missed="not known",
        population=(),
    )


def _across() -> Repetitions:
    return Repetitions(
        averaged=prose("Each score is one number per system and dataset; means are over the datasets."),
        flag=(),
        blank="whether the score on a dataset is that of a single run, a mean, or the best of several.",
        captured="which datasets there are, taken as a sample",
        missed=f"which instances are in a dataset, and {_ANEW}",
        population=prose("They speak of the population that the datasets are a sample of."),
    )


def _folds(items: Sequence[Outcome]) -> Repetitions:
    folds = spanned((item.details.n_folds or 0 for item in items), "fold")
    repeated = spanned((item.details.n_repetitions or 0 for item in items), "repetition")
    return Repetitions(
        averaged=prose("Each score is the mean over {folds} of a cross-validation, in {n}.", folds=folds, n=repeated),
        flag=(),
        blank="how the systems were tuned within the folds.",
        captured=f"{_SPLITS}, with the training that follows from it",
        missed="training anew on the same split; data of another amount or kind",
        population=prose("They speak of the learning methods on data of this amount and kind."),
    )


def _of_runs(runs: Sequence[int], *, on_instances: bool) -> Repetitions:
    single = runs[0] == 1
    of = "all test instances and " if on_instances else ""
    instances = "which instances are in the test set"
    captured = [instances, _ANEW] if on_instances else [_ANEW]
    missed = [] if on_instances else [instances]
    return Repetitions(
        averaged=prose(
            "Each score is the mean over {of}{runs} of a system, all in the results; it is not the best of them.",
            of=of,
            runs=spanned(runs, "run"),
        ),
        flag=prose("Some systems have a single run, which is taken as given.") if single else (),
        blank=_BETWEEN_RUNS,
        captured=listed(captured),
        missed=listed([*missed, "the choice of hyper-parameters", _SPLITS]),
        population=prose("They speak of {what}.", what=_of_what(on_instances=on_instances)),
    )


def _of_what(*, on_instances: bool) -> str:
    if on_instances:
        return "data drawn from the same distribution as each test set, and of new runs of the systems"
    return "new runs of the systems on the same test sets"


def _fixed_runs(runs: Sequence[int]) -> Repetitions:
    return Repetitions(
        averaged=prose(
            "Each score is the mean over all test instances and {runs} of a system, which are taken as they are.",
            runs=spanned(runs, "run"),
        ),
        flag=(),
        blank=_BETWEEN_RUNS,
        captured="which instances are in the test set",
        missed=f"{_ANEW}; the choice of hyper-parameters; {_SPLITS}",
        population=prose("They speak of data drawn from the same distribution as each test set, and of these runs."),
    )


def _single(items: Sequence[Outcome]) -> Repetitions:
    clusters = any(item.n_clusters is not None for item in items)
    return Repetitions(
        averaged=prose("{what}.", what=_what(items)),
        flag=prose(
            "No seeds are given: each score is taken as that of a single run, neither a mean nor a maximum over runs."
        ),
        blank=_SINGLE_BLANK,
        captured="which instances are in the test set" + (", drawn in whole clusters" if clusters else ""),
        missed=f"{_ANEW}; the choice of hyper-parameters; {_SPLITS}",
        population=prose("They speak of data drawn from the same distribution as each test set."),
    )


def _what(items: Sequence[Outcome]) -> str:
    shapes = {item.shape for item in items}
    if shapes == {"corpus"}:
        return "Each score is computed once from counts summed over all instances of a dataset; it is no mean"
    if shapes == {"correlation"}:
        return "Each score is a correlation of predictions with gold scores over all instances of a dataset; no mean"
    if shapes == {"counts"}:
        return "Each score is the number of right answers out of all instances of a dataset"
    what = "all instances of a dataset"
    if any(item.n_dropped for item in items):
        what += " that the system has a score for"
    if any(item.details.n_ratings is not None for item in items):
        return f"Each score is the mean over all ratings of {what}"
    return f"Each score is the mean over {what}"
