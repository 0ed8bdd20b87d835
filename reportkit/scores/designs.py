"""From all systems on a dataset to two of them, one function for each design, and to their independent units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reportkit.language import counted
from reportkit.metrics.correlation import TITLES, is_constant
from reportkit.scores.choices import Missing, Pairing, Runs
from reportkit.scores.codes import dense, quoted
from reportkit.scores.refusals import refusal
from reportkit.scores.sample import BY_INSTANCE, Floats, Sample, Shape, run_details

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
    if missing == "worst":
        known = scores.select((system_a, system_b)) or scores
        filled = _DESIGNS[scores.shape](known.filled(score_range), system_a, system_b, missing, runs)
        return replace(filled, n_imputed=int((~known.presence()).sum()))
    return _DESIGNS[scores.shape](scores, system_a, system_b, missing, runs)


def alone(scores: Scores, system: str) -> Sample:
    """Return a pair of a system and itself, on all instances that it has."""
    if scores.shape in BY_INSTANCE:
        return on_instances(scores, system, system, scores.present(system))
    row = scores.row(system)
    return counts(scores, system, system) if scores.shape == "counts" else _of_two(scores, system, system, row, row)


def _of_two(scores: Scores, system_a: str, system_b: str, a: Floats, b: Floats, **more: Any) -> Sample:
    """Return what was measured of two systems, with what is known of the dataset."""
    names = ("dataset", "metric", "own_metric", "kind", "shape", "unit", "higher_is_better", "coefficient", "measure")
    about = {name: getattr(scores, name) for name in names}
    return Sample(system_a=system_a, system_b=system_b, a=a, b=b, **about | more)


def paired(scores: Scores, system_a: str, system_b: str, missing: Missing, runs: Runs = "random") -> Sample:
    """Take what was measured of two systems instance by instance; ratings rater by rater.

    Of ratings the estimand is the mean over all of them. Raters are fixed: nothing is said about others. The instances
    are independent, the ratings of one instance are not.
    """
    kept, n_dropped = common_instances(scores, system_a, system_b, missing)
    return on_instances(scores, system_a, system_b, kept, n_dropped=n_dropped)


def on_instances(scores: Scores, system_a: str, system_b: str, kept: NDArray[np.bool_], **more: Any) -> Sample:
    """Take what was measured of two systems on some instances."""
    some = slice(None) if kept.all() else kept  # all are not copied
    at = some if scores.shape == "corpus" else (..., some)
    a, b = scores.row(system_a)[at], scores.row(system_b)[at]
    more |= {name: held[kept] for name in ("weights", "gold") if (held := getattr(scores, name)) is not None}
    more["clusters"], more["cluster_noun"] = scores.units(kept)
    if scores.rated is not None:
        sizes = np.unique(scores.rated[kept], return_counts=True)[1]
        n, low, high = int(sizes.sum()), int(sizes.min()), int(sizes.max())
        ratings = {"n_ratings": n, "fewest_ratings_per_instance": low, "most_ratings_per_instance": high}
        more |= {"unit": "instance", "n_rated": sizes.size, "details": ratings}
    return _of_two(scores, system_a, system_b, a, b, **more)


def unpaired(scores: Scores, system_a: str, system_b: str) -> Sample:
    """Take the scores of two systems as two independent samples, whatever instances they have in common.

    Examples
    --------
    >>> from reportkit.scores.scores import Scores
    >>> scores = Scores(dataset="cb", metric="accuracy", systems=("a", "b"), kind="binary",
    ...                 instances=np.array(["1", "2", "3"], dtype=object),
    ...                 scores=np.array([[1.0, 0.0, np.nan], [np.nan, np.nan, 1.0]]))
    >>> sample = unpaired(scores, "a", "b")
    >>> sample.n_common, sample.right
    (0, RightOf(a=1, n_a=2, b=1, n_b=1))
    """
    where = f"{system_a} vs. {system_b} on {scores.dataset}"
    if scores.weights is not None:
        raise refusal("unpaired-weights", where)
    codes = scores.units()[0]
    if codes is not None:
        raise refusal("unpaired-clusters", f"{where}: {dense(codes)[1].size:,} clusters, {codes.size:,} instances")
    has_a, has_b = scores.present(system_a), scores.present(system_b)
    a, b = scores.row(system_a)[has_a], scores.row(system_b)[has_b]
    return _of_two(scores, system_a, system_b, a, b, shape="unpaired", n_common=int((has_a & has_b).sum()))


def corpus(scores: Scores, system_a: str, system_b: str, missing: Missing, runs: Runs) -> Sample:
    """Take the counts of two systems, instance by instance."""
    sample = paired(scores, system_a, system_b, missing)
    scores.refuse_undefined(system_a, sample.a)
    scores.refuse_undefined(system_b, sample.b)
    return replace(sample, proportions=scores.measure.in_percent)


def correlated(scores: Scores, system_a: str, system_b: str, missing: Missing, runs: Runs) -> Sample:
    """Take the predictions of two systems, and the gold scores of the instances that both have."""
    sample = paired(scores, system_a, system_b, missing)
    for system, values in ((system_a, sample.a), (system_b, sample.b), ("", sample.gold)):
        if is_constant(values, scores.coefficient):
            what = f"system {system!r} predicts" if system else "the gold score is"
            value = scores.as_given(float(values[0])) if system else float(values[0])
            on = "the one instance" if values.size == 1 else f"all {values.size:,} instances"
            title = TITLES[scores.coefficient]
            raise refusal("constant-predictions", sample.label, coefficient=title, what=what, value=value, on=on)
    return sample


def instance_runs(scores: Scores, system_a: str, system_b: str, missing: Missing, runs: Runs) -> Sample:
    """Take the runs of two systems, instance by instance.

    With `runs="fixed"`, and where neither system has several runs here, the scores are averaged over the runs of each
    system, and the comparison is one of paired scores.
    """
    two = scores.select((system_a, system_b)) or scores
    sample = paired(two, system_a, system_b, missing)
    means = [np.average(rows, axis=1, weights=sample.weights) for rows in (sample.a, sample.b)]
    details = {} if len(sample.a) == len(sample.b) == 1 else run_details(*means)
    if runs == "random" and details:
        return replace(sample, n_dropped=two.n_instances - sample.n, details=details)
    averaged = paired(two.averaged(), system_a, system_b, missing)
    return replace(averaged, proportions=scores.kind == "binary", details=details)


def run_scores(scores: Scores, system_a: str, system_b: str, missing: Missing, runs: Runs) -> Sample:
    """Take one score per run of two systems; the runs are not paired."""
    a, b = np.sort(scores.row(system_a)), np.sort(scores.row(system_b))
    if runs == "fixed":
        raise refusal("fixed-run-scores", dataset=scores.dataset)
    if a.size == b.size == 1:
        raise refusal("one-run-each", dataset=scores.dataset, a=system_a, b=system_b)
    return _of_two(scores, system_a, system_b, a, b, details=run_details(a, b))


def folds(scores: Scores, system_a: str, system_b: str, missing: Missing, runs: Runs) -> Sample:
    """Take the scores of two systems, fold by fold."""
    _, n_repetitions, n_folds = scores.scores.shape
    a, b = scores.row(system_a), scores.row(system_b)
    return _of_two(scores, system_a, system_b, a, b, details={"n_folds": n_folds, "n_repetitions": n_repetitions})


def counts(scores: Scores, system_a: str, system_b: str, missing: Missing = "error", runs: Runs = "random") -> Sample:
    """Take numbers of right answers as scores of 0 and 1; where lower is better, the input counts wrong ones."""
    one = 1.0 if scores.higher_is_better else -1.0
    rows = [scores.row(system).astype(int) for system in (system_a, system_b)]
    a, b = (np.repeat([one, 0.0], [k, n - k]) for k, n in rows)
    return _of_two(scores, system_a, system_b, a, b)


_DESIGNS: Mapping[Shape, Callable[[Scores, str, str, Missing, Runs], Sample]] = {
    "paired": paired,
    "corpus": corpus,
    "correlation": correlated,
    "runs": instance_runs,
    "run-scores": run_scores,
    "folds": folds,
    "counts": counts,
}


def common_instances(scores: Scores, system_a: str, system_b: str, missing: Missing) -> tuple[NDArray[np.bool_], int]:
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
        refuse_unequal_instances([scores.select((system_a, system_b)) or scores])
    if not bool(kept.any()):
        unit, unpaired = scores.unit, _UNPAIRED_REMEDY if scores.unit == "instance" else ""
        where = f"dataset {scores.dataset!r}: {has_a.sum()} and {has_b.sum()} {unit}s"
        raise refusal("none-in-common", where, a=system_a, b=system_b, unit=unit, unpaired=unpaired)
    return kept, int(differ.sum())


def refuse_unequal_instances(datasets: Sequence[Scores]) -> None:
    """Raise one error that lists every dataset on which systems were scored on different instances.

    Raises
    ------
    MissingScoresError
        If there is such a dataset; the message says how many instances all systems share, and who has fewest.
    """
    places, nothing_common = [], False
    for scores in datasets:
        presence = scores.presence()
        if presence.all():
            continue
        lacking, complete = (~presence).sum(axis=1), presence.all(axis=0)
        fewest = int(lacking.argmax())
        nothing_common |= scores.unit == "instance" and not complete.any()
        example = quoted(str(scores.instances[presence[fewest].argmin()]))
        places.append(
            f"dataset {scores.dataset!r}: {complete.sum():,} of {complete.size:,} {scores.unit}s have a score of all "
            f"{len(scores.systems)} systems; {scores.systems[fewest]!r} lacks {lacking[fewest]:,}, such as {example}"
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


_NOISE = 4 * float(np.finfo(np.float64).eps)
"""Relative error of reading and subtracting two decimal numbers."""

_NO_SUM = 1e-12
"""A sum below this part of the sum of absolute values is 0."""

_NO_VARIANCE = 1e-12
"""Deviations below this part of the largest difference are the noise of floating-point arithmetic."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Units:
    """Instances, or clusters if there are any, sorted; the mean difference is `sums.sum() / sizes.sum()`.

    Parameters
    ----------
    sums : ndarray of shape (n_units,)
        (Weighted) differences of each unit, summed; in favour of whichever of the two systems comes first by name.
    sizes : ndarray of shape (n_units,)
        Instances of each unit, or their summed weights; positive.
    swapped : bool
        Whether the differences are those of B minus A.
    residuals : ndarray of shape (n_units,)
        Sums minus sizes times the mean.
    standard_error : float or None
        Of the mean; None if there is one unit only, or no deviation.
    """

    sums: NDArray[np.float64]
    sizes: NDArray[np.float64]
    swapped: bool
    residuals: Floats = field(init=False)
    standard_error: float | None = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "residuals", self.sums - self.sizes * self.mean)
        object.__setattr__(self, "standard_error", self._error())

    @property
    def n(self) -> int:
        """Return the number of units."""
        return int(self.sums.size)

    @property
    def mean(self) -> float:
        """(Weighted) mean difference, in the direction of the units."""
        return float(self.sums.sum() / self.sizes.sum())

    def _error(self) -> float | None:
        scale = float(np.abs(self.sums).max())
        if self.n == 1 or float(np.abs(self.residuals).max()) <= _NO_VARIANCE * scale:
            return None
        # squares of very small or very large scores would leave the range of a float
        squares = float(np.square(self.residuals / scale).sum())
        return float(scale * np.sqrt(self.n / (self.n - 1) * squares) / self.sizes.sum())


def sorted_units(paired: Sample) -> Units:
    """Reduce two systems on one dataset to sorted independent units.

    Floating-point sums depend on the order of the terms, and a random stream gives each position its own draws. The
    units are therefore always those of the system that comes first by name, sorted; a caller turns the result round
    if `swapped`. So every p-value is the same, to the last digit, in any order of rows, and A against B is exactly B
    against A turned round.

    Examples
    --------
    >>> import numpy as np
    >>> paired = Sample(system_a="new", system_b="base", dataset="cb", metric="f1", kind="continuous",
    ...                 a=np.array([0.5, 0.9, 0.7]), b=np.array([0.4, 0.9, 0.5]))
    >>> units = sorted_units(paired)
    >>> units.swapped, units.sums
    (True, array([-0.2, -0.1,  0. ]))
    """
    swapped = paired.system_b < paired.system_a
    exact, rounded = paired.a - paired.b, paired.differences
    # 0.3 - 0.1 becomes 0.2, but 1/3 stays: twice 0.333333333333 is not 2/3, and ties with resamples would be missed
    noise = _NOISE * np.maximum(np.abs(paired.a), np.abs(paired.b))
    differences = np.where((rounded == 0) | (np.abs(rounded - exact) <= noise), rounded, exact) + 0.0
    if swapped:
        differences = 0.0 - differences  # never -0.0
    if paired.clusters is not None:
        weights = np.ones(paired.a.size) if paired.weights is None else paired.weights
        sums, sizes = _by_cluster(differences * weights, weights, paired.clusters)
    elif paired.weights is not None:
        sums, sizes = differences * paired.weights, paired.weights
    else:
        return Units(sums=np.sort(differences), sizes=np.ones(paired.a.size), swapped=swapped)
    order = np.lexsort((sizes, sums))
    return Units(sums=sums[order], sizes=sizes[order], swapped=swapped)


def _by_cluster(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], clusters: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum by cluster, in an order set by the values alone; 0 where only noise is left."""
    codes, _ = dense(clusters)
    order = np.lexsort((sizes, sums, codes))
    codes, sums, sizes = codes[order], sums[order], sizes[order]
    totals: NDArray[np.float64] = np.bincount(codes, weights=sums).astype(np.float64)
    totals[np.abs(totals) <= _NO_SUM * np.bincount(codes, weights=np.abs(sums))] = 0.0
    return totals, np.bincount(codes, weights=sizes).astype(np.float64)
