"""MLflow: tables of evaluations in a folder of runs, and exported runs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from reportkit.errors import ReadingError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put


def test_tables_have_the_names_of_runs_and_experiments() -> None:
    """From the files that MLflow keeps beside; the metric without its version."""
    reading = inspect(FIXTURES / "mlflow" / "tables")
    assert means(reading).index.tolist() == [("large", "toy-qa"), ("small", "toy-qa")]
    for path in (FIXTURES / "mlflow" / "tables").rglob("eval_results_table.json"):
        table = json.loads(path.read_text("utf-8"))
        scores = pd.DataFrame(table["data"], columns=table["columns"])["exact_match/v1/score"]
        name = (path.parents[1] / "tags" / "mlflow.runName").read_text("utf-8")
        assert means(reading)[name, "toy-qa"] == pytest.approx(scores.mean())


def test_rows_pair_only_if_their_inputs_are_the_same(tmp_path: Path) -> None:
    """Another order of questions is refused."""
    shutil.copytree(FIXTURES / "mlflow" / "tables", tmp_path / "t")
    path = next((tmp_path / "t").rglob("eval_results_table.json"))
    table = json.loads(path.read_text("utf-8"))
    put(path, table | {"data": table["data"][::-1]})
    with pytest.raises(ReadingError, match="different inputs"):
        inspect(tmp_path / "t")
    for other in (tmp_path / "t").rglob("eval_results_table.json"):
        table = json.loads(other.read_text("utf-8"))
        names = [name if name != "inputs" else "note" for name in table["columns"]]
        put(other, table | {"columns": names})
    assert "paired-by-row" in codes(inspect(tmp_path / "t"))


def test_exported_runs_are_seeds() -> None:
    """Means of search_runs(), by pandas."""
    path = FIXTURES / "mlflow" / "runs" / "runs.csv"
    frame = pd.read_csv(path)
    expected = frame.groupby(["params.model", "params.dataset"])["metrics.accuracy"].mean()
    found = means(inspect(path))
    for key, value in expected.items():
        assert found[key] == pytest.approx(value)


def test_failed_runs_are_left_out(tmp_path: Path) -> None:
    """With a warning."""
    frame = pd.read_csv(FIXTURES / "mlflow" / "runs" / "runs.csv", dtype=str)
    frame.loc[0, "status"] = "FAILED"
    frame.to_csv(tmp_path / "runs.csv", index=False)
    reading = inspect(tmp_path / "runs.csv")
    assert "runs-unfinished" in codes(reading)
    assert len(reading.frame) == len(frame) - 1
