"""MTEB: one score per task, subsets and splits, revisions of the data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import reportkit
from reportkit.errors import DesignError, ReadingError, UnknownNameError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put


def task(name: str, *scores: float | None, revision: str = "r1", split: str = "test", **other: Any) -> dict[str, Any]:
    """A file of a task; one subset per score."""
    names = ["default"] if len(scores) == 1 else [f"s{n}" for n in range(len(scores))]
    entries = [
        {"main_score": score, "accuracy": score, "hf_subset": subset, "languages": ["eng-Latn"]} | other
        for subset, score in zip(names, scores, strict=True)
    ]
    return {"task_name": name, "dataset_revision": revision, "mteb_version": "2.1.0", "scores": {split: entries}}


def test_each_task_and_subset_is_a_dataset() -> None:
    """With the name of the model of model_meta.json."""
    reading = inspect(FIXTURES / "mteb")
    for path in (FIXTURES / "mteb").rglob("*.json"):
        content = json.loads(path.read_text("utf-8"))
        if "scores" in content:
            system = path.parts[-3].replace("__", "/")
            for entry in content["scores"]["test"]:
                subset = entry["hf_subset"]
                name = content["task_name"] + ("" if subset == "default" else f" ({subset})")
                assert means(reading)[system, name] == entry["main_score"]
    assert {"experiments-averaged"} <= codes(reading)


def test_without_instances_the_tasks_are_the_sample() -> None:
    """The message says so; the option works."""
    with pytest.raises(DesignError, match="one score per model and task") as refused:
        reportkit.compare(FIXTURES / "mteb")
    assert "--across-datasets" in str(refused.value)
    assert len(reportkit.compare(FIXTURES / "mteb", across_datasets=True).outcomes) == 2


def test_experiments_are_runs_where_they_are_asked_for() -> None:
    """Their mean is the main score; tasks that have none are left out with a warning."""
    reading = inspect(FIXTURES / "mteb", filter="scores_per_experiment")
    assert reading.metrics == dict.fromkeys(("AmazonPolarity", "Banking77Classification"), ("accuracy",))
    assert len(reading.frame) == 8
    of_tasks = means(inspect(FIXTURES / "mteb"))
    for key, value in means(reading).items():
        assert value == pytest.approx(of_tasks[key], abs=1e-6)
    assert "tasks-left-out" in codes(reading)
    assert len(reportkit.read(reading).datasets) == 2


def test_splits_are_not_averaged(tmp_path: Path) -> None:
    """`test` is taken where it is there, and said; another one is one option away."""
    content = task("STS12", 0.5)
    content["scores"]["dev"] = task("STS12", 0.9)["scores"]["test"]
    put(tmp_path / "o__m" / "rev" / "STS12.json", content)
    reading = inspect(tmp_path)
    assert (reading.filter, reading.other_filters) == ("test", ("dev",))
    assert list(reading.frame["score"]) == [0.5]
    assert list(inspect(tmp_path, filter="dev").frame["score"]) == [0.9]


def test_other_revisions_and_missing_scores_are_said(tmp_path: Path) -> None:
    """A null is no 0; another revision is other data."""
    put(tmp_path / "o__a" / "rev" / "T.json", task("T", 0.5, None))
    put(tmp_path / "o__b" / "rev" / "T.json", task("T", 0.5, 0.4, revision="r2"))
    reading = inspect(tmp_path)
    assert {"unequal-versions", "unscored"} <= codes(reading)
    assert {*reading.frame["system"]} == {"o/a", "o/b"}
    assert len(reading.frame) == 3


def test_old_files(tmp_path: Path) -> None:
    """Before version 1.11: splits at the top, no main_score; the metric that all have can be named."""
    old = {"mteb_dataset_name": "STS12", "dataset_revision": "r", "mteb_version": "1.1.0"}
    path = put(tmp_path / "m" / "STS12.json", old | {"test": {"cos_sim": {"spearman": 0.7}, "evaluation_time": 3.0}})
    assert list(inspect(path, metric="cos_sim_spearman").frame["score"]) == [0.7]
    with pytest.raises(UnknownNameError, match="ndcg"):
        inspect(path, metric="ndcg")


def test_without_main_score_is_refused(tmp_path: Path) -> None:
    """MTEB itself refuses it."""
    content = task("T", 0.5)
    del content["scores"]["test"][0]["main_score"]
    with pytest.raises(ReadingError, match="no 'main_score'"):
        inspect(put(tmp_path / "o__m" / "T.json", content))
