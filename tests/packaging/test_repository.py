"""What is around the package says the same as the package."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

import reportkit


def read(root, name):
    """A file of the checkout; some are not in the source distribution."""
    path = root / name
    if not path.is_file():
        pytest.skip(f"{name} is not part of a source distribution")
    return path.read_text("utf-8")


def test_the_citation_names_this_version(root):
    """CITATION.cff follows the version."""
    assert re.search(r"^version: (.*)$", read(root, "CITATION.cff"), flags=re.M)[1] == reportkit.__version__


def test_the_conda_recipe_asks_for_the_same_packages(root):
    """docs/conda/meta.yaml has the version and the lowest versions of pyproject.toml."""
    recipe = read(root, "docs/conda/meta.yaml")
    assert f'set version = "{reportkit.__version__}"' in recipe
    asked = {
        re.sub(r"[ \"]", "", item) for item in tomllib.loads(read(root, "pyproject.toml"))["project"]["dependencies"]
    }
    run = recipe.partition("  run:\n")[2].partition("\n\n")[0].replace("matplotlib-base", "matplotlib")
    listed = {line.strip("- ").replace(" ", "") for line in run.splitlines()}
    assert listed == {*asked, "python>=3.11"}


def test_every_python_that_is_promised_is_tested(root):
    """The classifiers and the matrix of the workflow name the same versions, the lowest being the required one."""
    project = tomllib.loads(read(root, "pyproject.toml"))["project"]
    promised = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    matrix = re.search(r"python: \[(.*)\]", read(root, ".github/workflows/tests.yml"))[1]
    assert re.findall(r"3\.\d+", matrix) == promised
    assert project["requires-python"] == f">={promised[0]}"


def test_the_workflow_runs_what_contributors_run(root):
    """The fast subset is the same command in both."""
    (marks,) = set(re.findall(r'-m "([^"]*)"', read(root, ".github/workflows/tests.yml")))
    assert f'-m "{marks}"' in read(root, "CONTRIBUTING.md")


def test_the_files_that_the_recipes_name_are_there(root):
    """Every path of CONTRIBUTING.md that holds no placeholder is in the checkout, under `reportkit/` or at the top."""
    text = read(root, "CONTRIBUTING.md")
    named = set(re.findall(r"`((?:[\w.]+/)+[\w.]*)`", text)) | set(re.findall(r"\]\(([\w./]+)\)", text))
    named = {name for name in named if not re.search(r"my_|NN", name)}
    assert len(named) > 20
    missing = [name for name in named if not ((root / name).exists() or (root / "reportkit" / name).exists())]
    assert not missing


@pytest.mark.slow
def test_the_hook_for_papers_runs_as_it_is_written(root, tmp_path):
    """In a repository with `[check]`, the entry alone finds paper and objections; with arguments, what they name."""
    entry = re.search(r"^  entry: reportkit (.*)$", read(root, ".pre-commit-hooks.yaml"), flags=re.M)[1]
    (tmp_path / "paper.md").write_text("# Results\n\nOurs is significantly better.\n", encoding="utf-8")
    command = [sys.executable, "-m", "reportkit", *entry.split()]
    done = subprocess.run([*command, "paper.md"], cwd=tmp_path, capture_output=True, text=True)
    assert "RK201" in done.stdout, done.stderr
    (tmp_path / "reportkit.toml").write_text('[check]\npapers = ["paper.md"]\n', encoding="utf-8")
    assert "RK201" in subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
