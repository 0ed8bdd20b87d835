"""Right-or-wrong scores are told from all others; nothing else is inferred."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.scores.kinds import detect_kind


@pytest.mark.parametrize(
    ("scores", "kind"),
    [
        ([[0, 1, 1], [1, np.nan, 0]], "binary"),
        ([[0, -1.0]], "binary"),
        ([[0.0, 0.0]], "binary"),
        ([[1, -1.0]], "continuous"),
        ([[0, 1, 0.5]], "continuous"),
        ([[1, 2, 3, 4, 5]], "continuous"),
    ],
)
def test_kind(scores: list[list[float]], kind: str) -> None:
    """0 and 1, or 0 and -1 where scores are held negated; 1 and -1 together are something else."""
    assert detect_kind(np.array(scores, dtype=float)) == kind


def test_one_score_far_behind_decides() -> None:
    """A dataset is not binary because it begins so."""
    scores = np.zeros((3, 10_000))
    assert detect_kind(scores) == "binary"
    scores[2, 9_999] = 0.5
    assert detect_kind(scores) == "continuous"
