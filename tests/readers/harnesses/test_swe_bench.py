"""SWE-bench: reports by instance, run reports, the leaderboard, and the right denominator."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from reportkit.errors import ReadingError
from tests.readers.harnesses.laid_out import FIXTURES, codes, inspect, put


def run_report(**ids: list[int]) -> dict[str, Any]:
    """A run report; instances by their number."""
    named = {key: [f"django__django-{n}" for n in numbers] for key, numbers in ids.items()}
    keys = ("completed_ids", "incomplete_ids", "empty_patch_ids", "resolved_ids", "unresolved_ids", "error_ids")
    return {key: [] for key in keys} | named | {"schema_version": 2}


def test_the_sum_is_what_the_harness_counts() -> None:
    """Resolved instances, and the submitted ones as the denominator."""
    reading = inspect(FIXTURES / "swe_bench")
    for path in (FIXTURES / "swe_bench").glob("*.json"):
        report = json.loads(path.read_text("utf-8"))
        scores = reading.frame.loc[reading.frame["system"] == path.name.split(".")[0], "score"]
        assert scores.sum() == report["resolved_instances"]
        assert len(scores) == report["submitted_instances"]
    assert "not-submitted" in codes(reading)


def test_reports_alone_leave_out_what_has_none(tmp_path: Path) -> None:
    """An empty patch and an error have no report.json: they are absent, which is said, and not wrong."""
    shutil.copytree(FIXTURES / "swe_bench" / "logs", tmp_path / "logs")
    reading = inspect(tmp_path)
    assert len(reading.frame) == len(list(tmp_path.rglob("report.json")))
    assert "reports-without-run-report" in codes(reading)
    assert {*reading.frame["system"]} == {"toy__large", "toy__small"}


def test_results_of_the_leaderboard_need_the_list() -> None:
    """Without the list it is refused; with it those that are not named are not resolved."""
    folder = FIXTURES / "swe_bench_leaderboard"
    with pytest.raises(ReadingError, match="names the resolved instances only"):
        inspect(folder / "verified")
    reading = inspect(folder / "verified", folder / "instances.txt")
    for path in folder.rglob("results.json"):
        system = path.parent.parent.name
        scores = reading.frame.loc[reading.frame["system"] == system, "score"]
        assert scores.sum() == len(json.loads(path.read_text("utf-8"))["resolved"])
        assert len(scores) == 30


def test_a_list_as_json_and_as_the_dataset_itself(tmp_path: Path) -> None:
    """A JSON list of ids, and lines of the dataset, are lists of instances too."""
    put(tmp_path / "test" / "20240101_m" / "results" / "results.json", {"resolved": ["a__b-1"], "no_logs": []})
    ids = ["a__b-1", "a__b-2", "a__b-3"]
    by_list = inspect(tmp_path / "test", put(tmp_path / "ids.json", ids))
    lines = "".join(json.dumps({"instance_id": name, "FAIL_TO_PASS": "[]"}) + "\n" for name in ids)
    by_lines = inspect(tmp_path / "test", put(tmp_path / "dataset.jsonl", lines))
    assert list(by_list.frame["score"]) == list(by_lines.frame["score"]) == [1, 0, 0]
    with pytest.raises(ReadingError, match="does not have"):
        inspect(tmp_path / "test", put(tmp_path / "other.json", ["a__b-2"]))


def test_failures_of_the_environment_are_not_scored(tmp_path: Path) -> None:
    """infra_failure_ids are left out with a warning; errors and empty patches count as not resolved."""
    report = run_report(
        resolved_ids=[1], unresolved_ids=[2, 3], error_ids=[4, 5], empty_patch_ids=[6], infra_failure_ids=[3, 5]
    )
    reading = inspect(put(tmp_path / "m.run.json", report))
    scores = dict(zip(reading.frame["instance"].astype(str), reading.frame["score"], strict=True))
    assert scores == {f"django__django-{n}": float(n == 1) for n in (1, 2, 4, 6)}
    assert "unscored" in codes(reading)


def test_runs_of_a_model_are_runs_and_versions_are_said(tmp_path: Path) -> None:
    """MODEL.RUN_ID.json twice; different schema versions are a warning."""
    put(tmp_path / "gpt-4.1.one.json", run_report(resolved_ids=[1], unresolved_ids=[2]))
    put(tmp_path / "gpt-4.1.two.json", run_report(resolved_ids=[1, 2]) | {"schema_version": 1})
    reading = inspect(tmp_path)
    assert {*reading.frame["system"]} == {"gpt-4.1"}
    assert {*reading.frame["seed"]} == {"one", "two"}
    assert "unequal-versions" in codes(reading)


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (run_report(resolved_ids=[1], unresolved_ids=[1]), "as resolved and as unresolved"),
        ({"resolved_ids": ["a__b-1"]}, "names the resolved instances only"),
        ({"resolved_ids": "a__b-1", "unresolved_ids": []}, "where a list belongs"),
        ({"a__b-1": {"patch_successfully_applied": True, "resolved": "yes"}}, "'yes' as 'resolved'"),
    ],
)
def test_reports_that_contradict_themselves(report: dict[str, Any], said: str, tmp_path: Path) -> None:
    """Each is refused with what is wrong."""
    with pytest.raises(ReadingError, match=said):
        inspect(put(tmp_path / "m.run.json", report))
