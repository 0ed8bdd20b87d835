"""The direction of the data flow, and the shape of the tree, as they are meant to be."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.conftest import unavailable

TOP_LEVEL = {
    "pyproject.toml", "reportkit", "templates", "tests", "examples", "README.md",
    ".ci", ".git", ".github", ".gitignore", ".pre-commit-config.yaml", ".pre-commit-hooks.yaml",
    "CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "benchmarks", "docs",
}  # fmt: skip
CROSS_CUTTING = {
    "test_decisions_agree.py",
    "test_readability.py",
    "test_reports_of_folders.py",
    "test_registration.py",
    "test_bad_input.py",
    "test_settings_effects.py",
    "test_real_data.py",
    "test_parity.py",
    "test_hostile.py",
    "test_document_classes.py",
}
"""Tests of what several modules do together."""
VAGUE = {"utils", "helpers", "common", "base", "core", "misc"}


def _tracked(root):
    done = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("the tree is not a git checkout")
    return done.stdout.splitlines()


def test_layers_import_downwards_only(root):
    """The contracts of import-linter in pyproject.toml hold."""
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    if "No module named 'importlinter'" in done.stderr:
        unavailable("import-linter is not installed (it comes with the extra [dev])")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_top_level_is_the_agreed_one(root):
    """Nothing stands at the top that was not agreed on."""
    assert {name.split("/")[0] for name in _tracked(root)} <= TOP_LEVEL


def test_no_module_has_a_vague_name(root):
    """A file is called after the concept it holds."""
    modules = {path.stem for path in (root / "reportkit").rglob("*.py")}
    assert modules & VAGUE == set()


def test_no_public_name_looks_like_a_test(root):
    """Pytest collects names that begin with test; the package has none."""
    for path in (root / "reportkit").rglob("*.py"):
        found = re.findall(r"^(?:def|class) ((?:[Tt]est)\w*)", path.read_text("utf-8"), flags=re.M)
        assert found == [], path


def test_tests_mirror_the_package(root):
    """A test file stands where the module that it tests stands."""
    modules = {path.relative_to(root / "reportkit").with_suffix("") for path in (root / "reportkit").rglob("*.py")}
    free = {"architecture", "contract", "packaging", "examples", "designs"}
    for path in (root / "tests").rglob("test_*.py"):
        place = path.relative_to(root / "tests")
        if place.parts[0] in free or place.name in CROSS_CUTTING:
            continue
        module = place.with_name(place.stem.removeprefix("test_"))
        assert module in modules, f"{place} has no module {module}.py"


def test_templates_have_the_same_stems_in_every_format(root):
    """Every kind of block, and the whole, has its template in every format; a format may have more of its own."""
    kinds = {"figure", "head", "itemize", "paragraph", "report", "table"}
    for folder in ("latex", "markdown", "html"):
        stems = {path.name.split(".")[0] for path in (root / "templates" / folder).glob("*.jinja")}
        assert kinds <= stems, folder
    pandoc = {path.name.split(".")[0] for path in (root / "templates" / "markdown").glob("pandoc-*.jinja")}
    assert {name.removeprefix("pandoc-") for name in pandoc} <= kinds
