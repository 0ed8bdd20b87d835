"""Reports of the examples, built once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reportkit.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
DROR = ("parsing", "pos", "sentiment", "word-similarity")


def build(results: Path, folder: Path, *options: str) -> int:
    """Run `reportkit build` in this process and return its exit code."""
    with pytest.raises(SystemExit) as stopped:
        main(["build", str(results), "--quiet", "--output", str(folder), *options])
    return int(stopped.value.code or 0)


@pytest.fixture(scope="session")
def dror_reports(tmp_path_factory):
    """Folders of the reports on Tables 2 to 5 of Dror et al. (2017), with their exit codes."""
    folder = tmp_path_factory.mktemp("dror2017")
    return {
        name: (folder / name, build(ROOT / "examples" / "dror2017" / f"{name}.csv", folder / name)) for name in DROR
    }


@pytest.fixture(scope="session")
def dror_content(dror_reports):
    """The machine-readable reports on Tables 2 to 5."""
    return {name: json.loads((folder / "report.json").read_text("utf-8")) for name, (folder, _) in dror_reports.items()}


@pytest.fixture(scope="session")
def sentiment_report(tmp_path_factory):
    """Folder of the report on the sentiment lexicons, with its exit code."""
    folder = tmp_path_factory.mktemp("sentiment") / "report"
    return folder, build(ROOT / "examples" / "sentiment" / "results.csv.gz", folder)
