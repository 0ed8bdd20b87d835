"""lighteval: files in its layout, with the columns that its writer gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

import reportkit
from reportkit.errors import ReadingError, SettingsError
from tests.readers.harnesses.layouts import share

MODELS = {"toy-org/large": ("2026-01-02T03-04-05.678901", 0.8), "toy-org/small": ("2026-01-03T03-04-05.678901", 0.5)}
TASKS = {"gsm8k|5": ["em"], "anli:r1|0": ["acc", "corpus_f1"]}


def write(folder: Path, names: tuple[str, str] = ("doc", "metric")) -> None:
    """Two models on two tasks, one with a metric of the whole corpus."""
    for model, (date, ability) in MODELS.items():
        details = folder / "details" / model / date
        details.mkdir(parents=True)
        tasks = {}
        for task, metrics in TASKS.items():
            rows = [
                {
                    names[0]: {"id": str(i), "query": f"{task} {i}?", "choices": ["a", "b"], "gold_index": [0]},
                    names[1]: {name: float(share(model, task, i) < ability) for name in metrics},
                    "model_response": {"text": ["a"]},
                }
                for i in range(30)
            ]
            pyarrow.parquet.write_table(pa.Table.from_pylist(rows), details / f"details_{task}_{date}.parquet")
            functions = {"corpus_f1": "CorpusLevelF1Score"}
            tasks[task] = {"name": task, "version": 0, "num_fewshots": int(task[-1])} | {
                "metrics": [
                    {"metric_name": name, "higher_is_better": True, "corpus_level_fn": functions.get(name, "mean")}
                    for name in metrics
                ]
            }
        results = folder / "results" / model
        results.mkdir(parents=True)
        content = {"config_general": {"model_name": model}, "results": {}, "versions": {}, "config_tasks": tasks}
        (results / f"results_{date}.json").write_text(json.dumps(content, indent=2))


LAYOUT = {"lighteval": write}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models, two tasks."""
    write(tmp_path)
    return tmp_path


@pytest.mark.parametrize("names", [("doc", "metric"), ("__doc__", "__metric__")])
def test_scores(tmp_path: Path, names: tuple[str, str]) -> None:
    """Of each document, whether columns are called as of old or as of now."""
    write(tmp_path, names)
    reading = reportkit.inspect(tmp_path)
    assert reading.metrics == {"gsm8k": ("em",), "anli:r1": ("acc",)}
    assert reading.paired_on == "query"
    frame = reading.frame
    own = frame[(frame["system"] == "toy-org/small") & (frame["dataset"] == "gsm8k")]
    assert own["score"].tolist() == [float(share("toy-org/small", "gsm8k|5", i) < 0.5) for i in range(30)]


def test_metrics_of_the_corpus_are_refused(folder: Path) -> None:
    """What is no mean over documents has no score of one."""
    with pytest.raises(SettingsError, match="cannot be compared by instance"):
        reportkit.inspect(folder, metric="corpus_f1")


def test_details_alone_say_model_and_task(folder: Path) -> None:
    """By folder and name of the file."""
    for path in folder.rglob("results_*.json"):
        path.unlink()
    assert sorted(reportkit.inspect(folder, metric="em").frame["system"].unique()) == list(MODELS)


def test_results_alone_are_refused(folder: Path) -> None:
    """They hold means of tasks."""
    with pytest.raises(ReadingError, match="--save-details"):
        reportkit.inspect(folder / "results")


def test_texts_that_are_not_utf8_are_refused(folder: Path) -> None:
    """As a damaged file is, with its name."""
    path = next(folder.rglob("details_*.parquet"))
    pyarrow.parquet.write_table(pyarrow.parquet.read_table(path), path, compression="none")
    content = path.read_bytes()
    damaged = content.replace(b"10?", b"10\xbf")
    assert damaged != content
    path.write_bytes(damaged)
    with pytest.raises(ReadingError, match="is damaged") as raised:
        reportkit.inspect(folder)
    assert path.name in str(raised.value)
