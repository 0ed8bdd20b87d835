"""Missing scores at their worst and at their best: what can be said whatever they were."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reportkit.errors import MissingScoresError
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Scores


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoundedPair:
    """Two systems on one dataset, of which some scores are missing.

    Parameters
    ----------
    observed : Sample
        On the instances that both have a score for.
    against_a : Sample
        On the instances that one of them has: missing scores of A are the worst possible, those of B the best.
    against_b : Sample
        The other way round.
    n_missing_a, n_missing_b : int
        Missing scores, of instances that the other one has.
    """

    observed: Sample
    against_a: Sample
    against_b: Sample
    n_missing_a: int
    n_missing_b: int


def bounded_pair(
    block: Scores, system_a: str, system_b: str, *, score_range: tuple[float, float] | None = None
) -> BoundedPair | None:
    """Fill the missing scores of two systems in both of the extreme ways.

    For every other way to fill them, the difference of any two scores lies between those of the two extremes, and so
    does each p-value of a test that cannot rise when A scores better or B scores worse.

    Parameters
    ----------
    block : Scores
        One dataset.
    system_a, system_b : str
        Two systems of it.
    score_range : tuple of float, optional
        (lowest, highest) score of the metric, as given; needed unless scores are right or wrong.

    Returns
    -------
    BoundedPair or None
        None if the two systems have scores on the same instances. Instances that neither has are left out.

    Raises
    ------
    MissingScoresError
        If the range of the scores is not known, or no instance has a score of both.
    UnknownNameError
        If a system has no scores on this dataset.

    Examples
    --------
    >>> block = Scores(dataset="cb", metric="accuracy", systems=("a", "b"), kind="binary",
    ...                instances=np.array(["1", "2", "3"], dtype=object),
    ...                scores=np.array([[1.0, np.nan, 1.0], [1.0, 0.0, np.nan]]))
    >>> bounded = bounded_pair(block, "a", "b")
    >>> bounded.against_a.differences, bounded.against_b.differences
    (array([0., 0., 0.]), array([0., 1., 1.]))
    """
    absent_a, absent_b = np.isnan(block.row(system_a)), np.isnan(block.row(system_b))
    only = absent_a ^ absent_b
    if not only.any():
        return None
    two = block.select((system_a, system_b))
    assert two is not None  # noqa: S101 (both have rows)
    low, high = possible_scores(block, score_range)

    def filled(for_a: float, for_b: float) -> Sample:
        scores = two.scores.copy()
        for row, value in ((two.position(system_a), for_a), (two.position(system_b), for_b)):
            scores[row] = np.where(np.isnan(scores[row]), value, scores[row])
        return replace(two, scores=scores).pair(system_a, system_b)

    return BoundedPair(
        observed=block.pair(system_a, system_b, missing="drop"),
        against_a=filled(low, high),
        against_b=filled(high, low),
        n_missing_a=int((absent_a & ~absent_b).sum()),
        n_missing_b=int((absent_b & ~absent_a).sum()),
    )


def possible_scores(block: Scores, score_range: tuple[float, float] | None = None) -> tuple[float, float]:
    """Lowest and highest possible score of a dataset, oriented.

    Nothing is inferred from the scores that are there: that all of them lie between 0 and 1 does not say that missing
    ones would, and a bound that stands on a guess is none.

    Raises
    ------
    MissingScoresError
        If scores are not right or wrong, and no range is declared.
    """
    if score_range is None and block.kind != "binary":
        as_given = block.scores if block.higher_is_better else -block.scores
        raise MissingScoresError(
            "missing='bounds' needs to know the lowest and the highest possible score",
            where=f"dataset {block.dataset!r}, metric {block.metric!r}: "
            f"scores from {np.nanmin(as_given):g} to {np.nanmax(as_given):g}",
            remedy="declare the range of the metric: score_range=(0, 100) (--score-range 0 100)",
        )
    low, high = (0.0, 1.0) if score_range is None or block.kind == "binary" else score_range
    return (low, high) if block.higher_is_better else (-high, -low)
