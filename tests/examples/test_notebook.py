"""The example notebook: executed again, it prints what it holds; exported, it is a page and a document."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import needed, unavailable

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "notebook" / "lexicons.ipynb"


@pytest.fixture(scope="module")
def committed() -> Any:
    """The notebook as it is in the repository."""
    nbformat = needed("nbformat", "notebook")
    return nbformat.read(NOTEBOOK, as_version=4)


@pytest.fixture(scope="module")
def executed(committed: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The same, run from top to bottom in a copy of its folder."""
    for name in ("nbclient", "ipykernel"):
        needed(name, "notebook")
    import nbformat

    folder = tmp_path_factory.mktemp("examples")
    (folder / "sentiment").mkdir()
    shutil.copy(ROOT / "examples" / "sentiment" / "results.csv.gz", folder / "sentiment")
    (folder / "notebook").mkdir()
    notebook = nbformat.from_dict(committed)
    _run(notebook, folder / "notebook")
    assert (folder / "notebook" / "report" / "report.json").is_file()
    _strip(notebook)
    if os.environ.get("REPORTKIT_UPDATE_GOLDEN") == "1":
        nbformat.write(notebook, NOTEBOOK)
    return notebook


def _run(notebook: Any, folder: Path) -> None:
    """Execute in another process, so that what asyncio leaves behind does not touch other tests."""
    import nbformat

    path = folder / "run.ipynb"
    nbformat.write(notebook, path)
    code = (
        "import sys, nbformat, nbclient\n"
        "path = sys.argv[1]\n"
        "notebook = nbformat.read(path, as_version=4)\n"
        "nbclient.NotebookClient(notebook, timeout=600, kernel_name='python3').execute()\n"
        "nbformat.write(notebook, path)\n"
    )
    # IPython lets tests of terminals set its width
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "QUARTO_BIN_PATH")}
    environment["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, path.name],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    notebook.update(nbformat.read(path, as_version=4))
    path.unlink()


def _strip(notebook: Any) -> None:
    """Leave out times and versions, so that only what is shown is kept."""
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)


def _texts(notebook: Any) -> list[list[str]]:
    """What every cell prints, and how every result reads, without pictures."""
    found = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        texts = [output["text"] for output in outputs if output.output_type == "stream"]
        for output in outputs:
            data = output.get("data", {})
            texts += [data[name] for name in ("text/plain", "text/latex", "text/markdown") if name in data]
        found.append([re.sub(r"ShownFigure size \S+", "ShownFigure", text) for text in texts])
    return found


@pytest.mark.slow
def test_it_prints_what_it_holds(executed: Any) -> None:
    """Cell by cell; the first is the first that was run."""
    import nbformat

    committed = nbformat.read(NOTEBOOK, as_version=4)
    assert _texts(executed) == _texts(committed)
    code = [cell for cell in committed.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))


def test_it_is_small_and_has_no_error(committed: Any) -> None:
    """Under 200 kB, no time stamp, no path of a machine."""
    text = NOTEBOOK.read_text("utf-8")
    assert len(text.encode("utf-8")) < 200_000
    assert '"output_type": "error"' not in text
    assert "stderr" not in text
    assert not re.search(r"/(home|tmp|Users|root|work|opt)/", text)
    for cell in committed.cells:
        assert "execution" not in cell.metadata


def test_every_way_to_show_it_is_there(committed: Any) -> None:
    """The analysis as HTML, LaTeX, Markdown and text; the figure as a picture."""
    shown = [output["data"] for cell in committed.cells for output in cell.get("outputs", []) if "data" in output]
    (analysis,) = [data for data in shown if "text/latex" in data]
    assert set(analysis) == {"text/html", "text/latex", "text/markdown", "text/plain"}
    assert any("image/png" in data for data in shown)


@pytest.mark.tex
@pytest.mark.slow
def test_the_export_compiles(committed: Any, tmp_path: Path) -> None:
    """By nbconvert's LaTeX: one document, its tables in it, no box that sticks out of a table."""
    needed("nbconvert", "notebook")
    for program in ("pandoc", "xelatex"):
        if shutil.which(program) is None:
            unavailable(f"{program} is not installed")
    found = subprocess.run(["kpsewhich", "soul.sty", "ulem.sty"], capture_output=True, text=True, check=False)
    if found.returncode:
        unavailable("the packages of TeX that nbconvert needs are not installed (texlive-plain-generic)")
    shutil.copy(NOTEBOOK, tmp_path)
    command = [sys.executable, "-m", "nbconvert", "--to", "latex", NOTEBOOK.name]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=600)
    source = (tmp_path / "lexicons.tex").read_text("utf-8")
    assert source.count(r"\documentclass") == 1
    assert r"\begin{tabular}{@{}l r r@{}l r r@{}}" in source
    command = ["xelatex", "-interaction=nonstopmode", "-halt-on-error", "lexicons.tex"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:]
