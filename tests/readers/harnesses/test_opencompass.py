"""OpenCompass: files in its layout, with the members that its writer gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import reportkit
from reportkit.errors import ReadingError
from tests.readers.harnesses.layouts import share

MODELS = {"large-toy": 0.8, "small-toy": 0.5}


def write(folder: Path) -> None:
    """Two models on three datasets: one with two replicas, one as a mapping, one without details; and predictions."""
    for model, ability in MODELS.items():
        for part in ("results", "predictions"):
            (folder / "20260102_030405" / part / model).mkdir(parents=True)
        results = folder / "20260102_030405" / "results" / model
        replicas = [
            {
                "example_abbr": f"test_{i}",
                "pred": ["A", "B"],
                "answer": ["A", "A"],
                "correct": [share(model, i, run) < ability for run in range(2)],
            }
            for i in range(20)
        ]
        (results / "toy_math.json").write_text(json.dumps({"accuracy (2 runs average)": 1.0, "details": replicas}))
        generated = {
            str(i): {"prompt": f"{i}?", "predictions": "A", "references": "A", "correct": share(model, i) < ability}
            for i in range(25)
        }
        content = {"accuracy": 1.0, "details": {"type": "GEN", **generated}}
        (results / "toy_qa.json").write_text(json.dumps(content))
        (results / "toy_sum.json").write_text(json.dumps({"rouge1": 31.2, "accuracy": 2.0}))
        predictions = {str(i): {"origin_prompt": f"{i}?", "prediction": "A", "gold": "A"} for i in range(25)}
        (folder / "20260102_030405" / "predictions" / model / "toy_qa.json").write_text(json.dumps(predictions))


LAYOUT = {"OpenCompass": write}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models, three datasets."""
    write(tmp_path)
    return tmp_path


def test_replicas_are_runs(folder: Path) -> None:
    """The list of a detail holds one answer of each replica; nothing is averaged."""
    frame = reportkit.inspect(folder).frame
    own = frame[(frame["dataset"] == "toy_math") & (frame["system"] == "small-toy")]
    assert own.groupby("seed", observed=True).size().tolist() == [20, 20]
    assert own["score"].tolist() == [float(share("small-toy", i, run) < 0.5) for i in range(20) for run in range(2)]


def test_results_without_details_are_left_out_with_a_word(folder: Path) -> None:
    """The message says how they are written."""
    (note,) = (note for note in reportkit.inspect(folder).notes if note.code == "no-details")
    assert "--dump-eval-details" in note.remedy
    for path in folder.rglob("toy_[mq]*.json"):
        if path.parent.parent.name == "results":
            path.unlink()
    with pytest.raises(ReadingError, match="--dump-eval-details"):
        reportkit.inspect(folder)


def test_the_latest_working_directory_is_taken(folder: Path) -> None:
    """Of two evaluations of a model on a dataset."""
    older = folder / "20250102_030405" / "results" / "small-toy"
    older.mkdir(parents=True)
    (older / "toy_qa.json").write_text(json.dumps({"accuracy": 0, "details": [{"correct": False}]}))
    (note,) = (note for note in reportkit.inspect(folder).notes if note.code == "older-evaluations")
    assert "20250102_030405" in note.where
