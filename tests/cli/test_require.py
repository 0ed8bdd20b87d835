"""`reportkit build --require`: a gate for candidates."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.test_doors import typed

pytestmark = pytest.mark.usefixtures("sketched")


def _written(folder, name, scores):
    """Write one file per system, as a harness might, and return its path."""
    path = folder / f"{name}.csv"
    pd.DataFrame({"id": np.arange(len(scores)), "score": scores}).to_csv(path, index=False)
    return path


def _decided(folder, candidate, baseline, requirement):
    paths = _written(folder, "candidate", candidate), _written(folder, "baseline", baseline)
    return typed("build", *paths, "--baseline", "baseline", "--require", requirement, "--no-pdf", "-o", folder / "r")


RIGHT = np.repeat([1, 0], [300, 100])
WORSE = np.repeat([1, 0], [260, 140])
SHUFFLED = np.random.default_rng(1).permutation(np.repeat([1, 0], [298, 102]))


@pytest.mark.parametrize(
    ("candidate", "baseline", "requirement", "code", "said"),
    [
        (RIGHT, WORSE, "better", 0, "requirement met: candidate is better than baseline"),
        (WORSE, RIGHT, "better", 1, "requirement not met: candidate is not shown to be better than baseline"),
        (SHUFFLED, RIGHT, "not worse by 5", 1, "requirement not met: candidate may be worse than baseline by 5 points"),
        (RIGHT, RIGHT, "not worse by 1", 0, "requirement met: candidate is not worse than baseline by 1 point"),
        (WORSE, RIGHT, "no dataset worse", 1, "requirement not met: candidate is worse than baseline on"),
        (RIGHT, RIGHT, "no dataset worse", 0, "requirement met: candidate is not shown to be worse than baseline"),
    ],
)
def test_requirements(tmp_path, candidate, baseline, requirement, code, said):
    """The exit code is that of the decision, and one line says why, with the interval."""
    found, text = _decided(tmp_path, candidate, baseline, requirement)
    assert found == code
    (line,) = [line for line in text.splitlines() if line.startswith("requirement")]
    assert line.startswith(said)
    assert "90% interval" in line


def test_what_is_open_says_how_many_instances_would_decide(tmp_path):
    """Two equal systems, and too few instances."""
    rng = np.random.default_rng(2)
    candidate, baseline = (rng.random((2, 200)) < 0.7).astype(int)
    code, text = _decided(tmp_path, candidate, baseline, "not worse by 2")
    assert code == 1
    assert "instances would decide" in text


def test_a_pull_request_gets_verdict_table_and_losses(tmp_path):
    """Written next to the report."""
    _decided(tmp_path, WORSE, RIGHT, "better")
    text = (tmp_path / "r" / "pull-request.md").read_text("utf-8")
    assert text.startswith("**Not met: “better”**")
    assert "The 10 largest losses:" in text
    assert text.splitlines()[-11].split()[1:] == ["260", "1.0", "0.0"]


def test_the_case_of_a_candidate_that_is_worse(tmp_path, shared):
    """7.5 points worse is no pass."""
    case = shared / "cases" / "gate"
    for requirement in ("better", "not worse by 1", "no dataset worse"):
        code, text = typed(
            "build", case / "baseline.csv", case / "candidate.csv", "--system", "candidate", "--baseline", "baseline",
            "--require", requirement, "--no-pdf", "-o", tmp_path / "r",
        )  # fmt: skip
        assert code == 1
        assert "-7.5 points" in text


def test_two_folders_of_lm_eval_logs(tmp_path):
    """Named by their models, as the harness writes them."""
    for model, right in (("base/small", 120), ("base/large", 170)):
        folder = tmp_path / model.split("/")[1] / model.replace("/", "__")
        folder.mkdir(parents=True)
        rows = [
            {"doc_id": i, "doc": {}, "target": "0", "arguments": {}, "resps": [], "filtered_resps": [],
             "filter": "none", "metrics": ["acc"], "doc_hash": f"h{i}", "acc": float(i < right)}
            for i in range(200)
        ]  # fmt: skip
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "samples_sciq_2026-11-01T10-00-00.000000.jsonl").write_text(lines, "utf-8")
    code, text = typed(
        "build", tmp_path / "small", tmp_path / "large", "--system", "base/large", "--baseline", "base/small",
        "--require", "better", "--no-pdf", "-o", tmp_path / "r",
    )  # fmt: skip
    assert code == 0, text
    assert "requirement met: base/large is better than base/small on sciq (+25.0 points" in text


def test_several_candidates_are_a_question(tmp_path):
    """Following the remedy works."""
    rows = [(s, i, int(i % n == 0)) for n, s in ((2, "a"), (3, "b"), (4, "c")) for i in range(60)]
    path = tmp_path / "results.csv"
    pd.DataFrame(rows, columns=["system", "instance", "score"]).to_csv(path, index=False)
    command = ["build", path, "--require", "better", "--no-pdf", "-o", tmp_path / "r"]
    code, text = typed(*command, "--baseline", "c")
    assert code == 2
    assert "add --system a --baseline c" in text
    code, _ = typed(*command, "--system", "a", "--baseline", "c")
    assert code == 0
    code, text = typed(*command, "--system", "a", "--baseline", "c", "--alternative", "two-sided")
    assert code == 2
    assert "drop --alternative" in text


@pytest.mark.slow
def test_the_action_of_the_documentation_runs_as_a_script(tmp_path, monkeypatch):
    """Its steps one after the other; the last one runs whatever came out, and its summary says why the gate is shut."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "ci.md").read_text("utf-8")
    commands = re.findall(r"run: (?!pip)(.*)", page.partition("# .github/workflows/gate.yml")[2].partition("```")[0])
    _written(tmp_path, "base", RIGHT), _written(tmp_path, "candidate", WORSE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    gate, summary = commands
    gate = gate.replace("reportkit", f"{sys.executable} -m reportkit", 1)
    done = subprocess.run(["bash", "-c", gate], check=False)
    assert done.returncode == 1
    subprocess.run(["bash", "-c", summary], check=True)
    text = (tmp_path / "summary.md").read_text("utf-8")
    assert text.startswith("**Not met: “not worse by 1”**\n\ncandidate is worse than base by more than 1 point: ")
