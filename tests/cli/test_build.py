"""`reportkit build`, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from tests.claims import claims_in
from tests.conftest import run_command as reportkit


def _frame(systems=("new", "old"), datasets=("d1", "d2", "d3"), n=60, seed=0):
    rng = np.random.default_rng(seed)
    rows = [
        {"system": s, "dataset": d, "instance": f"{d}-{i}", "score": int(rng.random() < 0.5 + 0.3 * (s == "new"))}
        for s in systems
        for d in datasets
        for i in range(n)
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def results(tmp_path):
    """A small file of results in which `new` is better."""
    path = tmp_path / "results.csv"
    _frame().to_csv(path, index=False)
    return path


@pytest.mark.slow
def test_build_writes_a_report_and_says_what_it_found(results, tmp_path):
    """In a process of its own: exit code 0, k-hat in words, the files; `report.json` agrees with the words."""
    words = ("build", results, "--system", "new", "--baseline", "old", "-o", tmp_path / "out")
    command = [sys.executable, "-m", "reportkit", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    content = json.loads((tmp_path / "out" / "report.json").read_text(encoding="utf-8"))
    (comparison,) = claims_in(content)
    k = comparison["k_hat"]["0.05"]["recommended"]
    assert k == sum(item["marked"]["0.05"] for item in comparison["datasets"]) >= 2
    assert ("all three datasets" if k == 3 else "two of three datasets") in done.stdout
    assert "report.html" in done.stdout
    for name in content["files"]:
        assert (tmp_path / "out" / name).is_file()


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--system", "new", "--baseline", "new"), "no system is left"),
        (("--config", "x.toml"), "there is no file"),
        (("-o", "results.csv"), "results.csv"),
        (("--profile", "bayes"), "recommended"),
    ],
)
def test_mistakes_get_a_message_and_no_traceback(results, tmp_path, arguments, hint):
    """Exit code 2, a message on stderr that names the value, nothing written."""
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    done = reportkit("build", "results.csv", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert hint in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_findings_to_act_on_are_told_by_the_exit_code(tmp_path):
    """Datasets declared independent that share instances: exit code 1, the report is there, Fisher's bound is not."""
    frame = _frame()
    frame["instance"] = frame["instance"].str.replace(r"d\d-", "shared-", regex=True)
    frame.to_csv(tmp_path / "results.csv", index=False)
    done = reportkit("build", "results.csv", "--dependence", "independent", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "have the same 60 instances" in " ".join(done.stdout.split())
    content = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    assert claims_in(content)[0]["k_hat"]["0.05"]["fisher"] is None
