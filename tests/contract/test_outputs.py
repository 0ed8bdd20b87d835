"""Whole reports, as a user reads them, against files that were read by eye.

REPORTKIT_UPDATE_GOLDEN=1 writes `outputs/` anew. Read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from tests.conftest import ROOT, unavailable
from tests.contract.reports import STEPS, built, texts

GOLDEN = Path(__file__).parent / "outputs"
MACHINE = r"reportkit[ :]\d\S*|sha256:[0-9a-f]+|\b20\d\d-\d\d-\d\d\b|/(?:tmp|home|root|Users|private)/\S*|\x1b"
"""Versions, hashes, dates, absolute paths and colours."""


@pytest.mark.parametrize("name", STEPS)
def test_a_report_reads_as_in_its_golden_files(name: str) -> None:
    """Terminal, Markdown and LaTeX, line by line; no golden file is left over."""
    folder, found = GOLDEN / name, texts(name)
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        folder.mkdir(parents=True, exist_ok=True)
        for path in folder.iterdir():
            path.unlink()
        for file, text in found.items():
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
    assert found.keys() == {path.name for path in folder.iterdir()}
    for file, text in found.items():
        assert text.splitlines() == (folder / file).read_text("utf-8").splitlines(), file


def test_no_golden_file_names_a_version_or_a_machine() -> None:
    """Neither versions, hashes, dates nor absolute paths, nor colours."""
    assert {path.name for path in GOLDEN.iterdir()} == set(STEPS)
    for path in GOLDEN.glob("*/*"):
        text = path.read_text("utf-8")
        assert re.findall(MACHINE, text) == [], path


def _logged(folder: Path, document: str) -> str:
    """Compile a document as its first lines say, and return the log of the last run."""
    if shutil.which("pdflatex") is None:
        unavailable("pdflatex is not installed")
    tex = ["pdflatex", "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", document]
    for command in (tex, ["bibtex", document], tex, tex):
        if command[0] == "bibtex" and not (folder / "references.bib").exists():
            continue
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stdout.decode("utf-8", "replace")[-3000:]
    return (folder / f"{document}.log").read_text("utf-8", errors="replace").replace("\n", " ")


@pytest.mark.tex
@pytest.mark.parametrize("name", [name for name in STEPS if name != "notebook"])
def test_the_latex_of_a_report_compiles(name: str, tmp_path: Path) -> None:
    """`report.tex`, or the paper that was updated: no box is more than 1 pt too wide, no reference undefined."""
    paper = name == "update"
    folder = shutil.copytree(built(name).folder if paper else built(name).report, tmp_path / "copy")
    log = _logged(folder, "paper" if paper else "report")
    assert [float(width) for width in re.findall(r"Overfull \\hbox \(([\d.]+)pt", log) if float(width) > 1] == []
    assert re.findall(r"There were undefined \w+", log) == []


TWICE = """
import sys
import pandas as pd, reportkit
from reportkit.cli.main import main

print(pd.read_csv("results.csv").replic.compare().outcomes.to_csv())
main(["build", "results.csv", "--no-pdf", "--typst", "--quiet"])
"""


@pytest.mark.slow
def test_the_same_results_give_the_same_bytes(tmp_path: Path) -> None:
    """The frame of outcomes and all files of a report, with Typst: whatever the order of rows and the hash seed."""
    frame = pd.read_csv(built("all_pairs_of_8").folder / "results.csv")
    found = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        frame.sample(frac=1, random_state=int(seed)).to_csv(folder / "results.csv", index=False)
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", TWICE], cwd=folder, env=environment, capture_output=True, check=True, timeout=300
        )
        report = folder / "report"
        files = {path.relative_to(report): path.read_bytes() for path in report.rglob("*") if path.is_file()}
        found.append({Path("stdout"): done.stdout, **files})
    first, second = found
    assert Path("report.typ") in first
    assert [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)] == []
