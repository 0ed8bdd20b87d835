"""EvalPlus: base and additional tests, several programs, versions of the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reportkit.errors import ReadingError, UnknownNameError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, means, put


def results(*statuses: tuple[str, str | None], version: str = "a" * 32) -> dict[str, Any]:
    """A file with so many tasks."""
    tasks = {
        f"HumanEval/{n}": [{"task_id": f"HumanEval/{n}", "base_status": base, "plus_status": plus}]
        for n, (base, plus) in enumerate(statuses)
    }
    return {"date": "2026-11-23 00:30", "hash": version, "eval": tasks}


@pytest.mark.parametrize("metric", ["plus", "base"])
def test_scores_are_pass_at_1(metric: str) -> None:
    """A program is right by `plus` if it passes both sets of tests."""
    reading = inspect(FIXTURES / "evalplus", metric=metric)
    for path in (FIXTURES / "evalplus").rglob("*.json"):
        tasks = json.loads(path.read_text("utf-8"))["eval"]
        passed = [
            samples[0]["base_status"] == "pass" and (metric == "base" or samples[0]["plus_status"] == "pass")
            for samples in tasks.values()
        ]
        system = path.name.removesuffix("_eval_results.json")
        assert means(reading)[system, next(iter(tasks)).split("/")[0]] == pytest.approx(sum(passed) / len(passed))


def test_programs_of_a_task_are_runs(tmp_path: Path) -> None:
    """Two programs of a task have positions, not a mean."""
    content = results(("pass", "pass"), ("fail", "fail"))
    for samples in content["eval"].values():
        samples.append({**samples[0], "base_status": "pass", "plus_status": "fail"})
    frame = inspect(put(tmp_path / "m_eval_results.json", content)).frame
    assert list(frame["seed"].astype(str)) == ["1", "2", "1", "2"]
    assert list(frame["score"]) == [1, 0, 0, 0]


def test_additional_tests_that_were_not_run_are_not_failed(tmp_path: Path) -> None:
    """With --base-only the metric is `base`, and `plus` is not there."""
    path = put(tmp_path / "m_eval_results.json", results(("pass", None), ("fail", None)))
    assert inspect(path).metrics == {"HumanEval": ("base",)}
    with pytest.raises(UnknownNameError, match="plus"):
        inspect(path, metric="plus")


def test_other_versions_of_the_tests_are_said(tmp_path: Path) -> None:
    """The hash of the tests differs."""
    put(tmp_path / "a_eval_results.json", results(("pass", "pass")))
    put(tmp_path / "b_eval_results.json", results(("pass", "pass"), version="b" * 32))
    assert "unequal-versions" in codes(inspect(tmp_path))


def test_old_files_and_folders_of_systems(tmp_path: Path) -> None:
    """Lists of [status, details] of version 0.1; a file that is called after nothing has its folder's name."""
    old = {"HumanEval/0": {"nfiles": 1, "base": [["pass", []]], "plus": [["fail", []]]}}
    put(tmp_path / "gpt" / "eval_results.json", {"date": "", "hash": "a" * 32, "eval": old})
    reading = inspect(tmp_path)
    assert list(reading.frame["system"].astype(str)) == ["gpt"]
    assert list(reading.frame["score"]) == [0]


def test_an_unknown_status_is_refused(tmp_path: Path) -> None:
    """'ok' is neither pass nor fail."""
    with pytest.raises(ReadingError, match="'ok' as a status"):
        inspect(put(tmp_path / "m_eval_results.json", results(("ok", "pass"))))
