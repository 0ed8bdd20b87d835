"""From all systems on a dataset to two of them: one function for each design."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reportkit.errors import DesignError, MissingScoresError, ScoreValueError
from reportkit.language.counts_and_lists import counted
from reportkit.metrics.correlation import TITLES, is_constant
from reportkit.scores.arrays import Floats, n_different
from reportkit.scores.choices import Missing, Pairing, Runs
from reportkit.scores.codes import quoted
from reportkit.scores.details import Details, run_details
from reportkit.scores.sample import RightOf, Sample

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
    missing: Missing,
    score_range: tuple[float, float] | None,
    pairing: Pairing,
    runs: Runs,
) -> Sample:
    """Take two systems in the design of their scores; see `Scores.pair`."""
    if pairing == "unpaired" and scores.shape == "paired" and scores.unit == "instance":
        return unpaired(scores, system_a, system_b)
    if pairing == "unpaired" and scores.shape not in ("paired", "counts"):
        raise DesignError(
            "pairing='unpaired' is for one score per system and instance",
            where=f"dataset {scores.dataset!r}",
            remedy="leave it away: these results are compared as they are",
        )
    match scores.shape:
        case "counts":
            return counts(scores, system_a, system_b)
        case "folds":
            return folds(scores, system_a, system_b)
        case "run-scores":
            return run_scores(scores, system_a, system_b, runs)
        case "runs":
            return instance_runs(scores, system_a, system_b, missing, score_range, runs)
        case "corpus":
            return corpus(scores, system_a, system_b, missing)
        case "correlation":
            return correlated(scores, system_a, system_b, missing)
    return paired(scores, system_a, system_b, missing, score_range)


def paired(
    scores: Scores,
    system_a: str,
    system_b: str,
    missing: Missing = "error",
    score_range: tuple[float, float] | None = None,
) -> Sample:
    """Take the scores of two systems instance by instance; ratings rater by rater.

    Of ratings the estimand is the mean over all of them. Raters are fixed: nothing is said about others. The instances
    are independent, the ratings of one instance are not.
    """
    kept, n_dropped = common_instances(scores, system_a, system_b, missing)
    rows, absent = [scores.row(name) for name in (system_a, system_b)], [0, 0]
    about = scores.about(system_a, system_b)
    if missing == "worst" and any(absent := [int(np.isnan(row[kept]).sum()) for row in rows]):
        worst = scores.worst_score(score_range)
        rows = [np.where(np.isnan(row), worst, row) for row in rows]
        if scores.kind == "binary" and worst not in (0.0, 1.0 if scores.higher_is_better else -1.0):
            about["kind"] = "continuous"  # no output is worse than a wrong one: three values
    about |= _kept(scores, kept)
    if scores.rated is not None and scores.raters is not None:
        per_instance = np.unique(scores.rated[kept], return_counts=True)[1]
        about |= {
            "unit": "instance",
            "n_rated": int(per_instance.size),
            "details": Details(
                n_ratings=int(kept.sum()),
                n_raters=int(np.unique(scores.raters[kept]).size),
                fewest_ratings_per_instance=int(per_instance.min()),
                most_ratings_per_instance=int(per_instance.max()),
            ),
        }
    return Sample(
        **about,
        a=rows[0][kept],
        b=rows[1][kept],
        n_dropped=n_dropped,
        n_imputed_a=absent[0],
        n_imputed_b=absent[1],
    )


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
    where = f"{system_a} v {system_b} on {scores.dataset}"
    if scores.weights is not None:
        raise DesignError(
            "no test of weighted instances is known for systems that were scored on different instances",
            where=where,
            remedy="leave the column of weights out (rename or remove it), or compare on common instances (paired)",
        )
    codes = scores.clusters
    if codes is not None and n_different(codes) < codes.size:
        raise DesignError(
            "instances nest in clusters, and the unpaired tests need independent instances",
            where=f"{where}: {n_different(codes):,} clusters, {codes.size:,} instances",
            remedy="give one score per cluster (its mean) with the cluster as the instance; or compare on common "
            "instances\n(paired), where whole clusters are flipped",
        )
    present = [scores.present(name) for name in (system_a, system_b)]
    for system, has in zip((system_a, system_b), present, strict=True):
        if not has.any():
            raise MissingScoresError(
                f"{system!r} has no score", where=f"dataset {scores.dataset!r}", remedy="complete the results"
            )
    return Sample(
        **{**scores.about(system_a, system_b), "shape": "unpaired", "unit": "instance"},
        a=scores.row(system_a)[present[0]],
        b=scores.row(system_b)[present[1]],
        n_common=int((present[0] & present[1]).sum()),
    )


def corpus(scores: Scores, system_a: str, system_b: str, missing: Missing = "error") -> Sample:
    """Take the counts of two systems, instance by instance."""
    kept, n_dropped = common_instances(scores, system_a, system_b, missing)
    a, b = (_complete(scores, name, kept) for name in (system_a, system_b))
    scores.defined(system_a, a), scores.defined(system_b, b)
    about = scores.about(system_a, system_b) | _kept(scores, kept)
    measure, proportions = scores.measure, scores.measure.in_percent
    return Sample(**about, a=a, b=b, measure=measure, proportions=proportions, n_dropped=n_dropped)


def correlated(scores: Scores, system_a: str, system_b: str, missing: Missing = "error") -> Sample:
    """Take the predictions of two systems, and the gold scores of the instances that both have."""
    kept, n_dropped = common_instances(scores, system_a, system_b, missing)
    a, b = (_complete(scores, name, kept) for name in (system_a, system_b))
    gold = scores.gold[kept]
    for system, values in ((system_a, a), (system_b, b), ("", gold)):
        if is_constant(values, scores.coefficient):
            what = f"system {system!r} predicts" if system else "the gold score is"
            shown = scores.as_given(float(values[0])) if system else float(values[0])
            on = "the one instance" if values.size == 1 else f"all {values.size:,} instances"
            raise ScoreValueError(
                f"the {TITLES[scores.coefficient]} does not exist: {what} {shown:g} on {on}",
                where=f"{system_a} v {system_b} on {scores.dataset}",
                remedy="check that outputs were scored, and were not empty; or leave the rows of this dataset out",
            )
    about = scores.about(system_a, system_b) | _kept(scores, kept)
    return Sample(**about, a=a, b=b, gold=gold, coefficient=scores.coefficient, n_dropped=n_dropped)


def instance_runs(
    scores: Scores,
    system_a: str,
    system_b: str,
    missing: Missing = "error",
    score_range: tuple[float, float] | None = None,
    runs: Runs = "random",
) -> Sample:
    """Take the runs of two systems, instance by instance.

    With `runs="fixed"`, and where neither system has several runs here, the scores are averaged over the runs of each
    system, and the comparison is one of paired scores.
    """
    scores.position(system_a), scores.position(system_b)
    two = scores.select((system_a, system_b))
    assert two is not None  # noqa: S101 - both are here
    n_imputed = (0, 0)
    if missing == "worst":
        n_imputed = int((~two.present(system_a)).sum()), int((~two.present(system_b)).sum())
        two = two.filled(score_range)
    rows = [two.row(name) for name in (system_a, system_b)]
    about: dict[str, Any] = {"n_imputed_a": n_imputed[0], "n_imputed_b": n_imputed[1]}
    kept = two.presence().all(axis=0)
    if runs == "fixed" or all(len(row) == 1 for row in rows):
        sample = replace(
            paired(two.averaged(), system_a, system_b, missing), **about, proportions=scores.kind == "binary"
        )
    else:
        kept, _ = common_instances(two, system_a, system_b, missing)
        about |= two.about(system_a, system_b) | _kept(two, kept) | {"n_dropped": two.n_instances - int(kept.sum())}
        sample = Sample(**about, a=rows[0][:, kept], b=rows[1][:, kept])
    if max(map(len, rows)) == 1:
        return sample
    weights = None if two.weights is None else two.weights[kept]
    means = [np.average(row[:, kept], axis=1, weights=weights) for row in rows]
    return replace(sample, details=run_details(means[0], means[1]))


def run_scores(scores: Scores, system_a: str, system_b: str, runs: Runs = "random") -> Sample:
    """Take one score per run of two systems; the runs are not paired."""
    a, b = np.sort(scores.row(system_a)), np.sort(scores.row(system_b))
    if runs == "fixed":
        raise DesignError(
            "runs='fixed' leaves nothing to test: there is one score per run, and instances are not known",
            where=f"dataset {scores.dataset!r}",
            remedy="leave it away (--runs random) to ask about the systems trained anew, or give the score of every\n"
            "instance of every run",
        )
    if a.size == b.size == 1:
        raise DesignError(
            f"{system_a!r} and {system_b!r} have one run each: one score each says nothing about chance",
            where=f"dataset {scores.dataset!r}",
            remedy="give the scores of several runs, or of the instances; or leave this dataset, or these systems, out",
        )
    return Sample(**scores.about(system_a, system_b), a=a, b=b, details=run_details(a, b))


def folds(scores: Scores, system_a: str, system_b: str) -> Sample:
    """Take the scores of two systems, fold by fold."""
    n_repetitions, n_folds = scores.scores.shape[1:]
    details = Details(n_folds=n_folds, n_repetitions=n_repetitions)
    a, b = scores.row(system_a), scores.row(system_b)
    return Sample(**scores.about(system_a, system_b), a=a, b=b, details=details)


def counts(scores: Scores, system_a: str, system_b: str) -> Sample:
    """Take the numbers of right answers of two systems; where lower is better, the input counts the others."""
    pairs = [tuple(map(int, scores.row(name))) for name in (system_a, system_b)]
    (a, n_a), (b, n_b) = [(k if scores.higher_is_better else n - k, n) for k, n in pairs]
    return Sample(**scores.about(system_a, system_b), counts=RightOf(a, n_a, b, n_b))


def _kept(scores: Scores, kept: NDArray[np.bool_]) -> dict[str, Any]:
    """Return weights and clusters of some instances."""
    clusters, noun = scores.units(kept)
    weights = None if scores.weights is None else scores.weights[kept]
    return {"weights": weights, "clusters": clusters, "cluster_noun": noun}


def _complete(scores: Scores, system: str, kept: NDArray[np.bool_]) -> Floats:
    """Return what was measured of a system on some instances, or raise MissingScoresError."""
    row = scores.row(system)[kept]
    if np.isnan(row).any():
        scores.worst_score()
    return row


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
    kept, differ = has_a | has_b, has_a ^ has_b
    n_dropped = 0
    if bool(differ.any()):
        if missing == "error":
            refuse_unequal_instances([two for two in [scores.select((system_a, system_b))] if two is not None])
        if missing == "drop":
            kept, n_dropped = has_a & has_b, int(differ.sum())
    if not bool(kept.any()):
        raise MissingScoresError(
            f"{system_a!r} and {system_b!r} have no {scores.unit} in common",
            where=f"dataset {scores.dataset!r}: {int(has_a.sum())} and {int(has_b.sum())} {scores.unit}s",
            remedy=f"check the {scores.unit} ids of the two systems; a paired test needs the same {scores.unit}s"
            + (_UNPAIRED_REMEDY if scores.unit == "instance" else ""),
        )
    return kept, n_dropped


def _missing_remedy(scores: Scores) -> str:
    remedy = f"complete the results, or compare each pair on the {scores.unit}s that both have: missing='drop' "
    remedy += "(--missing drop)"
    if scores.rated is not None:
        remedy += ";\nor average over the raters first, which lets raters differ:\ndf = df.groupby("
        return f'{remedy}["system", "dataset", "instance"], as_index=False, observed=True)["score"].mean()'
    if not scores.has_worst:
        return remedy
    return f"{remedy};\nor count no output as the worst output: missing='worst' (--missing worst)"


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
    if places:
        same = "by the same raters" if datasets[0].rated is not None else f"on the same {datasets[0].unit}s"
        more = len(places) - _MOST_PLACES
        shown = [*places[:_MOST_PLACES], *([f"and {more} more"] if more > 0 else [])]
        raise MissingScoresError(
            f"systems were not scored {same} on {len(places)} of {counted(len(datasets), 'dataset')}",
            where="\n".join(shown),
            remedy=_missing_remedy(datasets[0]) + (_UNPAIRED_REMEDY if nothing_common else ""),
        )
