"""The example notebook runs, shows its results in every format, and can be exported."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, needed, unavailable

NOTEBOOK = ROOT / "examples" / "notebook" / "lexicons.ipynb"


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Run the notebook from top to bottom in a copy of its folder, in another process."""
    for name in ("nbclient", "ipykernel", "nbformat"):
        needed(name, "notebook")
    import nbformat

    folder = tmp_path_factory.mktemp("examples")
    (folder / "sentiment").mkdir()
    shutil.copy(ROOT / "examples" / "sentiment" / "results.csv.gz", folder / "sentiment")
    (folder / "notebook").mkdir()
    path = folder / "notebook" / NOTEBOOK.name
    shutil.copy(NOTEBOOK, path)
    code = (
        "import sys, nbformat, nbclient\n"
        "notebook = nbformat.read(sys.argv[1], as_version=4)\n"
        "nbclient.NotebookClient(notebook, timeout=600, kernel_name='python3').execute()\n"
        "nbformat.write(notebook, sys.argv[1])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, path.name],
        cwd=path.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert (path.parent / "report" / "report.json").is_file()
    return path, nbformat.read(path, as_version=4)


def test_no_output_is_committed() -> None:
    """The notebook holds code and words; outputs are made."""
    text = NOTEBOOK.read_text("utf-8")
    assert '"outputs": []' in text
    assert "text/html" not in text


@pytest.mark.slow
def test_the_analysis_is_shown_in_every_format(executed: Any) -> None:
    """As HTML, Markdown and text; the figure as a picture."""
    _, notebook = executed
    shown = [output["data"] for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
    assert any(set(data) == {"text/html", "text/markdown", "text/plain"} for data in shown)
    assert any("image/png" in data for data in shown)


@pytest.mark.tex
@pytest.mark.slow
def test_the_export_compiles(executed: Any, tmp_path: Path) -> None:
    """By nbconvert's LaTeX and xelatex: one document with its tables in it, which pandoc sets from Markdown."""
    needed("nbconvert", "notebook")
    for program in ("pandoc", "xelatex"):
        if shutil.which(program) is None:
            unavailable(f"{program} is not installed")
    if subprocess.run(["kpsewhich", "soul.sty", "ulem.sty"], capture_output=True, check=False).returncode:
        unavailable("the packages of TeX that nbconvert needs are not installed (texlive-plain-generic)")
    shutil.copy(executed[0], tmp_path)
    command = [sys.executable, "-m", "nbconvert", "--to", "latex", NOTEBOOK.name]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=600)
    source = (tmp_path / "lexicons.tex").read_text("utf-8")
    assert source.count(r"\documentclass") == 1
    assert r"\begin{longtable}" in source
    command = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", "lexicons.tex"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:]
