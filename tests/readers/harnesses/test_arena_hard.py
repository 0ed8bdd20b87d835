"""Arena-Hard: verdicts of two games, judges and baselines."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from reportkit.errors import ReadingError, SettingsError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put

# label_to_score of show_result.py, with a weight of 1: the score of the first assistant
FIRST = {"A>>B": 1, "A>B": 1, "A=B": 0.5, "B>A": 0, "B>>A": 0, "A<B": 0, "A<<B": 0, "B=A": 0.5, "B<A": 1, "B<<A": 1}


def judgment(uid: str, *verdicts: str | None, model: str = "new", **other: str) -> str:
    """One line of a file of judgments."""
    games = [None if verdict is None else {"score": verdict} for verdict in verdicts]
    row = {"uid": uid, "category": "math", "judge": "gpt", "model": model, "baseline": "o3", "games": games} | other
    return json.dumps(row) + "\n"


def test_scores_are_means_of_both_games() -> None:
    """Against the table of verdicts of Arena-Hard's own script."""
    reading = inspect(FIXTURES / "arena_hard")
    for path in (FIXTURES / "arena_hard").rglob("*.jsonl"):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for category in {row["category"] for row in rows}:
            values = [
                np.mean([FIRST[row["games"][1]["score"]], 1 - FIRST[row["games"][0]["score"]]])
                for row in rows
                if row["category"] == category and None not in row["games"]
            ]
            assert means(reading)[path.stem, category] == pytest.approx(np.mean(values))
    assert {"unscored", "verdicts-unweighted"} <= codes(reading)


@pytest.mark.parametrize("verdict", FIRST)
def test_each_verdict_counts_for_the_right_side(verdict: str, tmp_path: Path) -> None:
    """In the first game the model is B, in the second A."""
    path = put(tmp_path / "m.jsonl", judgment("1", verdict, "A=B") + judgment("2", "A=B", verdict))
    scores = inspect(path).frame["score"]
    assert list(scores) == [(1 - FIRST[verdict] + 0.5) / 2, (0.5 + FIRST[verdict]) / 2]


def test_one_game_alone_is_refused(tmp_path: Path) -> None:
    """The position would decide."""
    with pytest.raises(ReadingError, match="1 games"):
        inspect(put(tmp_path / "m.jsonl", judgment("1", "A>B")))
    with pytest.raises(ReadingError, match="'A!B' as a verdict"):
        inspect(put(tmp_path / "m.jsonl", judgment("1", "A!B", "A>B")))


def test_judges_are_a_choice_and_baselines_are_said(tmp_path: Path) -> None:
    """Judgments of two judges are not averaged; two baselines in a category are a warning."""
    put(tmp_path / "a.jsonl", judgment("1", "A>B", "A>B") + judgment("1", "A>B", "A>B", judge="claude"))
    with pytest.raises(SettingsError, match="--filter gpt"):
        inspect(tmp_path)
    put(tmp_path / "b.jsonl", judgment("1", "A>B", "A>B", model="old", baseline="o1"))
    reading = inspect(tmp_path)
    assert reading.filter == "gpt"
    assert {"judge-chosen", "unequal-baselines"} <= codes(reading)
