"""Missing scores at both extremes."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.errors import MissingScoresError
from reportkit.scores.missing_bounds import bounded_pair, possible_scores
from reportkit.scores.scores import Scores

NAN = np.nan


def _block(scores: list[list[float]], **fields: object) -> Scores:
    matrix = np.array(scores)
    return Scores(
        dataset="cb",
        metric="score",
        systems=("a", "b", "c")[: len(scores)],
        instances=np.array([f"q{i}" for i in range(matrix.shape[1])], dtype=object),
        scores=matrix,
        **{"kind": "continuous", **fields},  # type: ignore[arg-type]
    )


def test_both_extremes() -> None:
    """Missing scores of A are the worst and those of B the best, and the other way round; nobody's are left out."""
    block = _block([[1, NAN, 0.5, NAN], [0, 1, NAN, NAN], [1, 1, 1, 1]])
    found = bounded_pair(block, "a", "b", score_range=(0, 2))
    assert found is not None
    assert (found.n_missing_a, found.n_missing_b) == (1, 1)
    assert found.observed.differences.tolist() == [1]
    assert found.against_a.differences.tolist() == [1, -1, -1.5]
    assert found.against_b.differences.tolist() == [1, 1, 0.5]
    assert np.isnan(block.row("a")[1])  # the block is as it was


def test_lower_is_better() -> None:
    """The range is given as the scores are; the worst error rate is the highest."""
    block = _block([[-1, NAN], [-2, -1]], higher_is_better=False)
    found = bounded_pair(block, "a", "b", score_range=(0, 10))
    assert found is not None
    assert found.against_a.a.tolist() == [-1, -10]
    assert found.against_b.a.tolist() == [-1, 0]
    assert possible_scores(_block([[0, -1], [0, 0]], higher_is_better=False, kind="binary")) == (-1, 0)


def test_nothing_is_missing() -> None:
    """Nor is anything where both lack the same instance."""
    assert bounded_pair(_block([[1, NAN, 0], [0, NAN, 1]]), "a", "b") is None


def test_every_completion_lies_between() -> None:
    """Each difference of every way to fill the missing scores."""
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 6, size=(2, 20)).astype(float)
    scores[rng.random((2, 20)) < 0.2] = NAN
    found = bounded_pair(_block(scores.tolist()), "a", "b", score_range=(0, 5))
    assert found is not None
    kept = ~np.isnan(scores).all(axis=0)
    for _ in range(50):
        filled = np.where(np.isnan(scores), rng.integers(0, 6, size=(2, 20)), scores)[:, kept]
        difference = filled[0] - filled[1]
        assert (found.against_a.differences <= difference).all()
        assert (difference <= found.against_b.differences).all()


def test_no_range_is_guessed() -> None:
    """That all scores lie between 0 and 1 says nothing about those that are missing."""
    with pytest.raises(MissingScoresError, match="lowest and the highest") as raised:
        bounded_pair(_block([[0.5, NAN], [0.25, 1]]), "a", "b")
    assert "scores from 0.25 to 1" in str(raised.value)
    assert "--score-range" in str(raised.value)
