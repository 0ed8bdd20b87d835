"""A format whose package is not installed is refused before the first test, not after the last one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(("option", "package", "extra"), [("--docx", "docx", "word"), ("--xlsx", "openpyxl", "excel")])
def test_a_missing_package_is_said_before_the_results_are_read(
    tmp_path: Path, option: str, package: str, extra: str
) -> None:
    """With what to install; nothing is read, tested or written."""
    (tmp_path / "results.csv").write_text("this is read by nobody")
    code = (
        f"import sys; sys.modules[{package!r}] = None\n"
        f"from reportkit.cli.main import main; main(['build', 'results.csv', {option!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is not installed" in done.stderr
    assert f"pip install 'reportkit-replic[{extra}]'" in done.stderr
    assert not (tmp_path / "report").exists()
