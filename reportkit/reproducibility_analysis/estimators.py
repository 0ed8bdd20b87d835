"""Estimates from a blocked cross-validation: average, vote and mixture, of a system and of the difference of two."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import DesignError, InputError
from reportkit.language import counted
from reportkit.reproducibility_analysis.label_metrics import credit_counts, label_metric
from reportkit.reproducibility_analysis.predictions import BlockedPredictions

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SystemEstimates:
    """Performance of one system in one blocked m x 2 cross-validation; higher is better.

    Parameters
    ----------
    metric : str
        Name of the metric.
    hold_outs : ndarray of shape (m, 2)
        Value on each fold of each repetition, of the model trained on the other fold.
    vote : float or None
        Value of the majority vote over the m predictions for each label; None if only scores are known. It evaluates
        an ensemble of m models that were each trained on half of the corpus, not one model trained on all of it.
    predictions : BlockedPredictions or None
        What the estimates were computed from.
    """

    metric: str
    hold_outs: Floats
    vote: float | None = None
    predictions: BlockedPredictions | None = None

    @property
    def average(self) -> float:
        """Mean of the 2 m hold-out values: unbiased for training sets of half the corpus."""
        return math.fsum(self.hold_outs.ravel()) / self.hold_outs.size


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairEstimates:
    """Estimates of A minus B in one blocked m x 2 cross-validation.

    Parameters
    ----------
    hold_outs : ndarray of shape (m, 2)
        Difference on each fold of each repetition.
    average : float
        Mean of these.
    vote : float or None
        Difference of the majority votes; None if only scores are known.
    """

    hold_outs: Floats
    average: float
    vote: float | None = None


def majority_vote(codes: Ints, gold: Ints) -> tuple[Ints, Floats]:
    """Let m models vote on each label; the order of the models plays no part.

    Parameters
    ----------
    codes : ndarray of shape (m, T)
        Predicted labels as numbers.
    gold : ndarray of shape (T,)
        Gold labels as numbers.

    Returns
    -------
    winner : ndarray of shape (T,)
        Code of the label with the most votes; of tied ones the first, in the order of codes.
    credit : ndarray of shape (T,)
        Probability that the gold label wins if ties are broken by lot.

    Notes
    -----
    With m odd and two labels there are no ties. Xue et al. (2023), section 3.2 and Table 2, vote without saying how
    ties are broken.

    Examples
    --------
    >>> winner, credit = majority_vote(np.array([[0, 0, 1], [0, 1, 2], [1, 2, 2]]), np.array([0, 1, 1]))
    >>> winner.tolist(), credit.round(3).tolist()
    ([0, 0, 2], [1.0, 0.333, 0.0])
    """
    votes = np.stack([(codes == own).sum(axis=0) for own in codes])
    best = votes.max(axis=0)
    leads = votes == best
    n_tied = leads.sum(axis=0) // best  # each label in the lead has `best` models for it
    winner = np.where(leads, codes, np.iinfo(np.intp).max).min(axis=0)
    return winner, (leads & (codes == gold)).any(axis=0) / n_tied


def estimate_system(predictions: BlockedPredictions, *, metric: str = "accuracy") -> SystemEstimates:
    """Estimate a system's performance from its predictions.

    For the accuracy, a tied vote counts as the expected result of drawing one of the tied labels. Chunks need one label
    for every token: the first of the tied labels, in the order of names.

    Parameters
    ----------
    predictions : BlockedPredictions
        What the 2 m models predicted.
    metric : {"accuracy", "chunk-f1"}
        Share of right labels (of instances or tokens), or F1 of chunks from B-X, I-X and O labels.

    Returns
    -------
    SystemEstimates

    Raises
    ------
    UnknownNameError
        If there is no such metric.
    DesignError
        If chunks are asked for without `owner`.

    Notes
    -----
    Xue et al. (2023), section 3.2, with the votes of Table 2.

    Examples
    --------
    >>> predictions = BlockedPredictions(folds=np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]]),
    ...     gold=np.array(list("xyxy")), predictions=np.array([list("xyxx"), list("xyyx"), list("yyxy")]))
    >>> result = estimate_system(predictions)
    >>> result.hold_outs.tolist(), round(result.average, 4), result.vote
    ([[1.0, 0.5], [0.5, 0.5], [0.5, 1.0]], 0.6667, 0.75)
    """
    chosen = label_metric(metric, with_owner=predictions.owner is not None)
    gold, owner, n, names = predictions.gold_codes, predictions.owners, predictions.n, predictions.names
    hold_outs = np.empty((predictions.m, 2))
    for i, codes in enumerate(predictions.codes):
        counts = chosen.counts(gold, codes, owner, n, names)
        for fold in (0, 1):
            hold_outs[i, fold] = chosen.value(counts[predictions.folds[i] == fold].sum(axis=0))
    winner, credit = majority_vote(predictions.codes, gold)
    counts = credit_counts(credit, owner, n) if chosen.by_label else chosen.counts(gold, winner, owner, n, names)
    return SystemEstimates(
        metric=chosen.name,
        hold_outs=hold_outs,
        vote=float(chosen.value(counts.sum(axis=0))),
        predictions=predictions,
    )


def estimates_from_scores(
    scores: ArrayLike, *, metric: str = "score", higher_is_better: bool = True
) -> SystemEstimates:
    """Take a system's values on the folds as they are; there is then an average, but no vote and no mixture.

    Parameters
    ----------
    scores : array_like of shape (m, 2)
        Value on each fold of each repetition.
    metric : str
        Its name.
    higher_is_better : bool
        Values are negated if not.

    Raises
    ------
    InputError
        If the shape is another, or a value is not finite.

    Examples
    --------
    >>> estimates_from_scores([[0.5, 0.75], [0.25, 0.5]]).average
    0.5
    """
    array = np.array(scores, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 2 or not array.size:
        raise InputError(f"scores have the shape {array.shape}, not (m, 2)", remedy="give one row for each repetition")
    if wrong := int((~np.isfinite(array)).sum()):
        raise InputError(f"{counted(wrong, 'score is', 'scores are')} not a finite number")
    return SystemEstimates(metric=metric, hold_outs=array if higher_is_better else 0.0 - array)


def compare_estimates(a: SystemEstimates, b: SystemEstimates) -> PairEstimates:
    """Subtract the estimates of B from those of A.

    Raises
    ------
    DesignError
        If the metrics differ, or the systems were not tested on the same folds against the same gold labels.

    Examples
    --------
    >>> pair = compare_estimates(estimates_from_scores([[0.5, 0.75]]), estimates_from_scores([[0.5, 0.5]]))
    >>> pair.average, pair.vote
    (0.125, None)
    """
    if a.metric != b.metric or a.hold_outs.shape != b.hold_outs.shape:
        raise DesignError(
            f"A has {a.metric!r} on {a.hold_outs.shape[0]} x 2 folds, and B {b.metric!r} on {b.hold_outs.shape[0]} x 2",
            remedy="estimate both in the same way",
        )
    if a.predictions is not None and b.predictions is not None:
        _check_same_folds(a.predictions, b.predictions)
    hold_outs = a.hold_outs - b.hold_outs
    return PairEstimates(
        hold_outs=hold_outs,
        average=math.fsum(hold_outs.ravel()) / hold_outs.size,
        vote=None if a.vote is None or b.vote is None else a.vote - b.vote,
    )


def with_mixtures(series: dict[str, Floats], names: tuple[str, str]) -> dict[str, Floats]:
    """Add the mixtures of A over B and of B over A, where there are votes and averages.

    Xue's mixture estimate of a difference is the vote if it is above the average, otherwise the average: the larger of
    the two. Hence it is above 0 whenever one of them is, so that its reproducibility is never below theirs; and turned
    round it is minus the smaller: both A minus B and B minus A can come out above 0. Always show both directions.

    Notes
    -----
    Xue et al. (2023), Eq. (8).

    Examples
    --------
    >>> found = with_mixtures({"Vote": np.array([0.01]), "Avg": np.array([-0.02])}, ("A over B", "B over A"))
    >>> found["A over B"].tolist(), found["B over A"].tolist()  # each is better than the other
    ([0.01], [0.02])
    """
    if not {"Vote", "Avg"} <= series.keys():
        return series
    vote, average = series["Vote"], series["Avg"]
    return {**series, names[0]: np.maximum(vote, average), names[1]: np.maximum(-vote, -average)}


def _check_same_folds(a: BlockedPredictions, b: BlockedPredictions) -> None:
    if a.folds.shape != b.folds.shape or not np.array_equal(a.folds, b.folds):
        raise DesignError("A and B were not tested on the same folds", remedy="train both on the same splits")
    if a.instances is not None and b.instances is not None and not np.array_equal(a.instances, b.instances):
        raise DesignError("A and B were tested on different instances", remedy="give both the same instances")
    if not np.array_equal(a.owners, b.owners) or not np.array_equal(a.names[a.gold_codes], b.names[b.gold_codes]):
        raise DesignError("A and B have different gold labels", remedy="give both on the same instances, in one order")
