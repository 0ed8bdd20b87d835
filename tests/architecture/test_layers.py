"""The direction of the data flow, as it is meant to be."""

from __future__ import annotations

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
