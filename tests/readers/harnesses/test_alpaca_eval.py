"""AlpacaEval: win rates, draws, annotators and baselines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from reportkit.errors import ReadingError, SettingsError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put


def annotation(number: int, system: str = "new", **other: Any) -> dict[str, Any]:
    """One annotation."""
    return {
        "instruction": f"Do {number}.", "output_1": f"ref {number}", "generator_1": "gpt4", "dataset": "koala",
        "output_2": "x", "generator_2": system, "annotator": "judge", "preference": 1.25,
    } | other  # fmt: skip


def test_the_score_is_the_probability_of_the_model() -> None:
    """As AlpacaEval computes its win rate: mean preference - 1, a draw is .5, and null is left out."""
    reading = inspect(FIXTURES / "alpaca_eval")
    for path in (FIXTURES / "alpaca_eval").rglob("annotations.json"):
        rows = pd.DataFrame(json.loads(path.read_text("utf-8"))).dropna(subset="preference")
        wins = (rows["preference"].astype(float).replace({0.0: 1.5}) - 1).groupby(rows["dataset"]).mean()
        for dataset, value in wins.items():
            assert means(reading)[rows["generator_2"].iloc[0], dataset] == pytest.approx(value)
    assert "unscored" in codes(reading)
    assert reading.higher_is_better == {"win rate": True}


def test_published_win_rates_come_out(shared: Path, tmp_path: Path) -> None:
    """Of three models of AlpacaEval 2: the win rate of the leaderboard, from preferences on 805 instructions."""
    scores = pd.read_parquet(shared / "data" / "alpaca_eval" / "v2.parquet")
    leaderboard = pd.read_csv(shared / "data" / "alpaca_eval" / "v2_leaderboard.csv", index_col=0)["win_rate"]
    systems = [name for name in scores["system"].unique() if name in leaderboard.index][:3]
    for system in systems:
        rows = scores[scores["system"] == system]
        put(
            tmp_path / system / "judge" / "annotations.json",
            [
                annotation(int(row.instance), system, dataset=row.dataset, preference=row.score + 1)
                for row in rows.itertuples()
            ],
        )
    frame = inspect(tmp_path).frame
    for system in systems:
        assert 100 * frame.loc[frame["system"] == system, "score"].mean() == pytest.approx(
            leaderboard[system], abs=0.01
        )


def test_preferences_out_of_range_are_refused(tmp_path: Path) -> None:
    """A preference of 3 is nothing that AlpacaEval knows."""
    path = put(tmp_path / "annotations.json", [annotation(1, preference=3)])
    with pytest.raises(ReadingError, match="3 as a preference"):
        inspect(path)


def test_annotators_are_not_averaged(tmp_path: Path) -> None:
    """Two annotators of the same model are a question; its answer, literally, works."""
    for judge, preference in (("gpt4", 1.0), ("claude", 2.0)):
        rows = [annotation(n, s, annotator=judge, preference=preference) for n in range(3) for s in ("new", "old")]
        put(tmp_path / judge / "annotations.json", rows)
    with pytest.raises(SettingsError, match="2 annotators") as refused:
        inspect(tmp_path)
    assert "--filter claude" in str(refused.value)
    reading = inspect(tmp_path, filter="claude")
    assert reading.other_filters == ("gpt4",)
    assert (reading.frame["score"] == 1).all()


def test_different_baselines_and_answers_are_said(tmp_path: Path) -> None:
    """Win rates against different baselines, or other answers of one baseline, do not compare."""
    rows = [
        annotation(1),
        annotation(1, "old", generator_1="davinci"),
        annotation(2),
        annotation(2, "old", output_1="y"),
    ]
    found = codes(inspect(put(tmp_path / "annotations.json", rows)))
    assert {"unequal-baselines", "unequal-prompts"} <= found
