"""From all systems on a dataset to two of them: one function for each design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reportkit.language import counted
from reportkit.metrics.correlation import TITLES, is_constant
from reportkit.scores.choices import Missing, Pairing, Runs
from reportkit.scores.codes import quoted
from reportkit.scores.details import run_details
from reportkit.scores.refusals import refusal
from reportkit.scores.sample import RightOf, Sample, n_different

if TYPE_CHECKING:
    from reportkit.scores.scores import Scores

_UNPAIRED_REMEDY = (
    ";\nif the systems were meant to be scored on different ones, compare two independent samples:\n"
    "pairing='unpaired' (--pairing unpaired)"
)
_MOST_PLACES = 8


def sample_of(
    scores: Scores,
    system_a: str,
    system_b: str,
    *,
    missing: Missing = "error",
    score_range: tuple[float, float] | None = None,
    pairing: Pairing = "paired",
    runs: Runs = "random",
) -> Sample:
    """Take two systems: what a test sees.

    Parameters
    ----------
    scores : Scores
        One dataset.
    system_a, system_b : str
        Two of its systems.
    missing : {"error", "drop", "worst"}
        What to do with an instance that only one of the two has a score for: refuse, leave it out for both, or count
        the missing output as the worst possible score, which is right for crashes and timeouts. An instance that
        neither has is always left out: it says nothing about which of the two is better.
    score_range : tuple of float, optional
        (lowest, highest) score of the metric, as given; needed for `missing="worst"` unless scores are 0/1 or lie
        between 0 and 1.
    pairing : {"paired", "unpaired"}
        Whether instances are compared one by one, or the scores of the two systems are two independent samples.
    runs : {"random", "fixed"}
        Where systems have several runs: whether they are kept apart, or averaged instance by instance.

    Raises
    ------
    DesignError
        If what is asked for makes no sense for this design.
    MissingScoresError
        If the instance sets differ and `missing="error"`, if nothing is common, or if the worst score is unknown.
    ScoreValueError
        If the metric of one of the two does not exist.
    UnknownNameError
        If a system has no scores on this dataset.
    """
    if pairing == "unpaired" and scores.shape == "paired" and scores.unit == "instance":
        return unpaired(scores, system_a, system_b)
    if pairing == "unpaired" and scores.shape not in ("paired", "counts"):
        raise refusal("unpaired-design", dataset=scores.dataset)
    match scores.shape:
        case "counts":
            return counts(scores, system_a, system_b)
        case "folds":
            return folds(scores, system_a, system_b)
        case "run-scores":
            return run_scores(scores, system_a, system_b, runs)
    imputed: dict[str, Any] = {}
    if missing == "worst" and not (scores.present(system_a) & scores.present(system_b)).all():
        scores = scores.of_two(system_a, system_b)
        n_absent = [int((~scores.present(system)).sum()) for system in (system_a, system_b)]
        imputed = {"n_imputed_a": n_absent[0], "n_imputed_b": n_absent[1]}
        scores = scores.filled(score_range)
    match scores.shape:
        case "runs":
            sample = instance_runs(scores, system_a, system_b, missing, runs)
        case "corpus":
            sample = corpus(scores, system_a, system_b, missing)
        case "correlation":
            sample = correlated(scores, system_a, system_b, missing)
        case _:
            sample = paired(scores, system_a, system_b, missing)
    return replace(sample, **imputed) if imputed else sample


def paired(scores: Scores, system_a: str, system_b: str, missing: Missing = "error") -> Sample:
    """Take the scores of two systems instance by instance; ratings rater by rater.

    Of ratings the estimand is the mean over all of them. Raters are fixed: nothing is said about others. The instances
    are independent, the ratings of one instance are not.
    """
    kept, n_dropped = common_instances(scores, system_a, system_b, missing)
    about = scores.about(system_a, system_b, kept)
    if scores.rated is not None:
        per_instance = np.unique(scores.rated[kept], return_counts=True)[1]
        about |= {"unit": "instance", "n_rated": int(per_instance.size)}
        fewest, most = int(per_instance.min()), int(per_instance.max())
        about["details"] = {"n_ratings": int(kept.sum())}
        about["details"] |= {"fewest_ratings_per_instance": fewest, "most_ratings_per_instance": most}
    return Sample(**about, a=scores.row(system_a)[kept], b=scores.row(system_b)[kept], n_dropped=n_dropped)


def unpaired(scores: Scores, system_a: str, system_b: str) -> Sample:
    """Take the scores of two systems as two independent samples, whatever instances they have in common.

    Examples
    --------
    >>> from reportkit.scores.scores import Scores
    >>> scores = Scores(dataset="cb", metric="accuracy", systems=("a", "b"), kind="binary",
    ...                 instances=np.array(["1", "2", "3"], dtype=object),
    ...                 scores=np.array([[1.0, 0.0, np.nan], [np.nan, np.nan, 1.0]]))
    >>> sample = unpaired(scores, "a", "b")
    >>> sample.n_a, sample.n_b, sample.n_common, sample.right
    (2, 1, 0, RightOf(a=1, n_a=2, b=1, n_b=1))
    """
    where = f"{system_a} vs. {system_b} on {scores.dataset}"
    if scores.weights is not None:
        raise refusal("unpaired-weights", where)
    codes = scores.clusters
    if codes is not None and n_different(codes) < codes.size:
        number = f"{n_different(codes):,} clusters, {codes.size:,} instances"
        raise refusal("unpaired-clusters", f"{where}: {number}")
    present = [scores.present(name) for name in (system_a, system_b)]
    return Sample(
        **{**scores.about(system_a, system_b), "shape": "unpaired", "unit": "instance"},
        a=scores.row(system_a)[present[0]],
        b=scores.row(system_b)[present[1]],
        n_common=int((present[0] & present[1]).sum()),
    )


def corpus(scores: Scores, system_a: str, system_b: str, missing: Missing = "error") -> Sample:
    """Take the counts of two systems, instance by instance."""
    kept, n_dropped = common_instances(scores, system_a, system_b, missing)
    a, b = (scores.row(name)[kept] for name in (system_a, system_b))
    scores.defined(system_a, a), scores.defined(system_b, b)
    about = scores.about(system_a, system_b, kept)
    measure, proportions = scores.measure, scores.measure.in_percent
    return Sample(**about, a=a, b=b, measure=measure, proportions=proportions, n_dropped=n_dropped)


def correlated(scores: Scores, system_a: str, system_b: str, missing: Missing = "error") -> Sample:
    """Take the predictions of two systems, and the gold scores of the instances that both have."""
    kept, n_dropped = common_instances(scores, system_a, system_b, missing)
    a, b = (scores.row(name)[kept] for name in (system_a, system_b))
    gold = scores.gold[kept]
    for system, values in ((system_a, a), (system_b, b), ("", gold)):
        if is_constant(values, scores.coefficient):
            what = f"system {system!r} predicts" if system else "the gold score is"
            shown = scores.as_given(float(values[0])) if system else float(values[0])
            on = "the one instance" if values.size == 1 else f"all {values.size:,} instances"
            where = f"{system_a} vs. {system_b} on {scores.dataset}"
            title = TITLES[scores.coefficient]
            raise refusal("constant-predictions", where, coefficient=title, what=what, value=shown, on=on)
    about = scores.about(system_a, system_b, kept)
    return Sample(**about, a=a, b=b, gold=gold, coefficient=scores.coefficient, n_dropped=n_dropped)


def instance_runs(
    scores: Scores, system_a: str, system_b: str, missing: Missing = "error", runs: Runs = "random"
) -> Sample:
    """Take the runs of two systems, instance by instance.

    With `runs="fixed"`, and where neither system has several runs here, the scores are averaged over the runs of each
    system, and the comparison is one of paired scores.
    """
    two = scores.of_two(system_a, system_b)
    kept, _ = common_instances(two, system_a, system_b, missing)
    a, b = (two.row(name)[:, kept] for name in (system_a, system_b))
    if runs == "fixed" or len(a) == len(b) == 1:
        sample = replace(paired(two.averaged(), system_a, system_b, missing), proportions=scores.kind == "binary")
    else:
        n_dropped = two.n_instances - int(kept.sum())
        sample = Sample(**two.about(system_a, system_b, kept), a=a, b=b, n_dropped=n_dropped)
    if len(a) == len(b) == 1:
        return sample
    weights = None if two.weights is None else two.weights[kept]
    return replace(sample, details=run_details(*(np.average(rows, axis=1, weights=weights) for rows in (a, b))))


def run_scores(scores: Scores, system_a: str, system_b: str, runs: Runs = "random") -> Sample:
    """Take one score per run of two systems; the runs are not paired."""
    a, b = np.sort(scores.row(system_a)), np.sort(scores.row(system_b))
    if runs == "fixed":
        raise refusal("fixed-run-scores", dataset=scores.dataset)
    if a.size == b.size == 1:
        raise refusal("one-run-each", dataset=scores.dataset, a=system_a, b=system_b)
    return Sample(**scores.about(system_a, system_b), a=a, b=b, details=run_details(a, b))


def folds(scores: Scores, system_a: str, system_b: str) -> Sample:
    """Take the scores of two systems, fold by fold."""
    n_repetitions, n_folds = scores.scores.shape[1:]
    details = {"n_folds": n_folds, "n_repetitions": n_repetitions}
    about = scores.about(system_a, system_b)
    return Sample(**about, a=scores.row(system_a), b=scores.row(system_b), details=details)


def counts(scores: Scores, system_a: str, system_b: str) -> Sample:
    """Take the numbers of right answers of two systems; where lower is better, the input counts the others."""
    pairs = [tuple(map(int, scores.row(name))) for name in (system_a, system_b)]
    (a, n_a), (b, n_b) = [(k if scores.higher_is_better else n - k, n) for k, n in pairs]
    return Sample(**scores.about(system_a, system_b), counts=RightOf(a, n_a, b, n_b))


def common_instances(
    scores: Scores, system_a: str, system_b: str, missing: Missing = "error"
) -> tuple[NDArray[np.bool_], int]:
    """Find the instances on which two systems are compared.

    Returns
    -------
    kept : ndarray of bool of shape (n_instances,)
    n_dropped : int
        Instances left out since only one of the two has them.

    Raises
    ------
    MissingScoresError
        If the instance sets differ and `missing="error"`, or if nothing is common.
    UnknownNameError
        If a system has no scores on this dataset.
    """
    has_a, has_b = scores.present(system_a), scores.present(system_b)
    kept, differ = has_a & has_b, has_a ^ has_b
    if missing == "error" and (differ.any() or (scores.shape == "runs" and not kept.all())):
        refuse_unequal_instances([scores.of_two(system_a, system_b)])
    if not bool(kept.any()):
        raise refusal(
            "none-in-common",
            a=system_a,
            b=system_b,
            unit=scores.unit,
            dataset=scores.dataset,
            n_a=int(has_a.sum()),
            n_b=int(has_b.sum()),
            unpaired=_UNPAIRED_REMEDY if scores.unit == "instance" else "",
        )
    return kept, int(differ.sum())


def refuse_unequal_instances(datasets: Sequence[Scores]) -> None:
    """Raise one error that lists every dataset on which systems were scored on different instances.

    Raises
    ------
    MissingScoresError
        If there is such a dataset; the message says how many instances all systems share, and who has fewest.
    """
    places = []
    nothing_common = False
    for scores in datasets:
        presence = scores.presence()
        lacking = (~presence).sum(axis=1)
        if not lacking.any():
            continue
        n_complete, fewest = int(presence.all(axis=0).sum()), int(lacking.argmax())
        nothing_common = nothing_common or (n_complete == 0 and scores.unit == "instance")
        example = scores.instances[int((~presence[fewest]).argmax())]
        places.append(
            f"dataset {scores.dataset!r}: {n_complete:,} of {presence.shape[1]:,} {scores.unit}s have a score of all "
            f"{len(scores.systems)} systems; {scores.systems[fewest]!r} lacks {int(lacking[fewest]):,}, such as "
            f"{quoted(str(example))}"
        )
    if not places:
        return
    first, more, further = datasets[0], len(places) - _MOST_PLACES, ""
    if first.unit == "rating":
        further = ";\nor average over the raters first, which lets raters differ:\ndf = df.groupby("
        further += '["system", "dataset", "instance"], as_index=False, observed=True)["score"].mean()'
    elif first.has_worst:
        further = ";\nor count no output as the worst output: missing='worst' (--missing worst)"
    raise refusal(
        "unequal-instances",
        "\n".join([*places[:_MOST_PLACES], *([f"and {more} more"] if more > 0 else [])]),
        same="by the same raters" if first.unit == "rating" else f"on the same {first.unit}s",
        number=f"{len(places)} of {counted(len(datasets), 'dataset')}",
        unit=first.unit,
        further=further + (_UNPAIRED_REMEDY if nothing_common else ""),
    )
