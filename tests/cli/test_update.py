"""`reportkit update`, run as a user runs it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner, Result

from reportkit.cli.show import update_command
from reportkit.errors import ReadingError, SettingsError

pytestmark = pytest.mark.usefixtures("sketched")

TABLE = "\\begin{table}[b]\n\\caption{Old.}\\label{tab:main}\n\\begin{tabular}{l}x\\end{tabular}\n\\end{table}\n"


def _frame(systems=("Ours", "Base")):
    rng = np.random.default_rng(1)
    rows = [
        (system, dataset, f"{dataset}-{i}", int(rng.random() < 0.55 + 0.25 * (system == systems[0])))
        for system in systems
        for dataset in ("SST-2", "IMDb")
        for i in range(80)
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> Path:
    """The folder of a small report."""
    folder = tmp_path_factory.mktemp("report")
    _frame().replic.compare("Ours", "Base").styled(full=True).report().save(folder)
    return folder


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(update_command, list(map(str, arguments)), standalone_mode=False)


@pytest.mark.slow
def test_a_dry_run_shows_and_writes_nothing(report: Path, tmp_path: Path) -> None:
    """Exit code 1 where something would change; then 0."""
    paper = tmp_path / "paper.tex"
    paper.write_text(TABLE)
    done = _run(paper, report, "--label", "tab:main", "--dry-run")
    assert done.return_value == 1
    assert "-\\begin{tabular}{l}x\\end{tabular}\n" in done.output
    assert "+% reportkit: begin results\n" in done.output
    assert paper.read_text() == TABLE
    assert _run(paper, report, "--label", "tab:main").return_value == 0
    done = _run(paper, report, "--dry-run")
    assert (done.return_value, done.output) == (0, "")


def test_a_paper_is_updated_and_then_up_to_date(tmp_path: Path) -> None:
    """The label is needed once; other tables by their names."""
    paper, report = tmp_path / "paper.tex", tmp_path / "report"
    _frame(("Ours", "Mine", "Base", "Weak")).replic.compare(baseline="Weak").save(report)
    paper.write_text(TABLE + TABLE.replace("main", "p"))
    done = _run(paper, report, "--label", "tab:main", "--label", "tab:p=replicability")
    assert (done.return_value, done.output) == (0, f"updated {paper}\n")
    assert "reportkit: begin replicability" in paper.read_text()
    assert _run(paper, report).output == f"up to date: {paper}\n"
    assert _run(paper, report, "--quiet").output == ""


def test_numbers_in_markdown_come_from_the_folder(report: Path, tmp_path: Path) -> None:
    """The same as in the list of numbers."""
    paper = tmp_path / "README.md"
    paper.write_text("Ours: <!-- rk: main/sst-2/ours -->?<!-- /rk -->\n")
    assert _run(paper, report).return_value == 0
    value = re.search(r"-->([\d.]+)<!--", paper.read_text())
    assert value is not None
    assert re.search(rf"`main/sst-2/ours` *\| *{value[1]} ", (report / "more" / "numbers.md").read_text())


def test_a_label_that_is_named_twice_is_refused(report: Path, tmp_path: Path) -> None:
    """And a folder without a report; the paper stays."""
    paper = tmp_path / "paper.tex"
    paper.write_text(TABLE)
    done = _run(paper, report, "--label", "tab:main", "--label", "tab:main=results")
    assert isinstance(done.exception, SettingsError)
    assert isinstance(_run(paper, tmp_path / "nowhere").exception, ReadingError)
    assert paper.read_text() == TABLE
