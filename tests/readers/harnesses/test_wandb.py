"""W&B: logged tables, exported runs, and what may not be guessed."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from reportkit.errors import ReadingError, SettingsError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put

HEADER = "Name,State,Notes,Created,model,lr,loss_test,f1_test\n"


def test_tables_have_the_systems_and_ids_of_their_columns() -> None:
    """As wandb wrote them."""
    reading = inspect(FIXTURES / "wandb" / "tables")
    assert means(reading).index.tolist() == [("large", "predictions"), ("small", "predictions")]
    assert reading.paired_on == "column 'id'"


def test_exported_runs_are_seeds_and_crashed_ones_are_left_out() -> None:
    """Means of the finished runs, by the csv module."""
    path = FIXTURES / "wandb" / "runs" / "wandb_export.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["State"] == "finished"]
    reading = inspect(path)
    assert len(reading.frame) == len(rows)
    for (system, dataset), value in means(reading).items():
        scores = [float(row["accuracy"]) for row in rows if (row["model"], row["dataset"]) == (system, dataset)]
        assert value == pytest.approx(sum(scores) / len(scores))
    assert "runs-unfinished" in codes(reading)


def test_the_column_of_scores_is_asked_for(tmp_path: Path) -> None:
    """Several columns of numbers, none called a score: the message names them, and its option works."""
    path = put(tmp_path / "e.csv", HEADER + "r1,finished,,2026,a,0.1,0.3,0.9\nr2,finished,,2026,b,0.1,0.4,0.8\n")
    with pytest.raises(SettingsError, match="cannot be told") as refused:
        inspect(path)
    assert "--metric loss_test" in str(refused.value)
    assert list(inspect(path, metric="f1_test").frame["score"]) == [0.9, 0.8]


def test_dictionaries_of_the_guide(tmp_path: Path) -> None:
    """The export of W&B's guide: summary and configuration as dictionaries, written by pandas."""
    frame = pd.DataFrame(
        {
            "summary": [{"acc": 0.5, "_step": 3}, {"acc": float("nan"), "_step": 3}],
            "config": [{"model": "a", "layers": [1, 2]}, {"model": "b"}],
            "name": ["r1", "r2"],
        }
    )
    frame.to_csv(tmp_path / "project.csv")
    reading = inspect(tmp_path / "project.csv")
    assert list(reading.frame["score"]) == [0.5]
    assert list(reading.frame["system"].astype(str)) == ["a"]
    assert "unscored" in codes(reading)
    text = (tmp_path / "project.csv").read_text("utf-8").replace("{'model': 'b'}", "__import__('os')")
    with pytest.raises(ReadingError, match="no dictionary"):
        inspect(put(tmp_path / "project.csv", text))


def test_tables_of_the_most_rows_may_be_truncated(tmp_path: Path) -> None:
    """Exactly 10,000 rows is what W&B keeps of a longer table."""
    table = {"columns": ["id", "correct"], "data": [[n, n % 2 == 0] for n in range(10_000)]}
    reading = inspect(put(tmp_path / "preds_0_0123456789.table.json", table))
    assert "table-truncated" in codes(reading)
    assert {*reading.frame["dataset"]} == {"preds"}
