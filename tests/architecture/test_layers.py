"""The direction of the data flow, as it is meant to be."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.conftest import unavailable


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


def test_no_public_name_looks_like_a_test(root):
    """Pytest collects names that begin with test; the package has none."""
    for path in (root / "reportkit").rglob("*.py"):
        found = re.findall(r"^(?:def|class) ((?:[Tt]est)\w*)", path.read_text("utf-8"), flags=re.M)
        assert found == [], path
