"""A file in the current folder that is called like a module of Python or of a library is data, and is not executed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MODULES = ("matplotlib", "random", "calendar", "numpy", "pickle", "signal", "types", "queue", "PIL", "tokenize")
RESULTS = "system,dataset,instance,score\n" + "".join(
    f"{system},{dataset},{instance},{(instance * step) % 5 > 1:d}\n"
    for step, system in enumerate(("ours", "base"), 2)
    for dataset in ("qa", "nli")
    for instance in range(30)
)


def _command() -> str:
    command = shutil.which("reportkit", path=str(Path(sys.executable).parent))
    assert command is not None
    return command


def _executed(folder: Path, command: list[str], modules: tuple[str, ...], *options: str) -> list[str]:
    """Build a report in a folder that holds such files, and return which of them were executed."""
    (folder / "results.csv").write_text(RESULTS)
    for name in modules:
        (folder / f"{name}.py").write_text(f"open('executed-{name}', 'w').close()\n")
    command = [*command, "build", "results.csv", "--no-pdf", "-q", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert (folder / "report" / "report.html").exists()
    return [path.name for path in folder.glob("executed-*")]


@pytest.mark.slow
def test_the_command_executes_no_file_of_the_current_folder(tmp_path: Path) -> None:
    """Neither itself nor in a process that draws or helps."""
    assert _executed(tmp_path, [_command()], MODULES) == []


@pytest.mark.slow
def test_the_module_executes_no_file_of_the_current_folder(tmp_path: Path) -> None:
    """`python -m` puts the current folder on the path; what Python itself takes from there is Python's."""
    assert _executed(tmp_path, [sys.executable, "-m", "reportkit"], ("matplotlib", "random", "calendar", "numpy")) == []


@pytest.mark.slow
def test_workers_execute_no_file_of_the_current_folder(tmp_path: Path) -> None:
    """Python starts its processes with the current folder on their path, unless it is told otherwise."""
    assert _executed(tmp_path, [_command()], MODULES, "--workers", "2") == []
