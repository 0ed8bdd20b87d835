"""The built wheel in an empty environment: what a user installs is whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from importlib.metadata import distribution, distributions

import pytest
from packaging.requirements import Requirement

from tests.conftest import unavailable


def _run(*command, cwd):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHONP")}
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, timeout=900
    )


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory):
    """The wheel, built from the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    done = _run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, root, cwd=folder)
    if done.returncode:
        unavailable(f"no wheel could be built: {done.stderr[-500:]}")
    (path,) = folder.glob("*.whl")
    return path


@pytest.mark.slow
def test_the_wheel_carries_templates_and_types_but_no_tests(wheel):
    """Templates of every format and the typing marker are inside; tests, examples and benchmarks are not."""
    names = zipfile.ZipFile(wheel).namelist()
    assert wheel.name.startswith("reportkit_replic-")
    for name in ("latex/table.tex.jinja", "markdown/table.md.jinja", "latex/report.tex.jinja"):
        assert f"reportkit/_templates/{name}" in names
    assert "reportkit/py.typed" in names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"reportkit", "reportkit_replic"}
    assert wheel.stat().st_size <= 2_000_000


def needed_for(requirements):
    """Return the installed distributions that requirements lead to."""
    found, left = {}, list(requirements)
    while left:
        one = Requirement(left.pop())
        if one.name not in found and (one.marker is None or one.marker.evaluate({"extra": ""})):
            found[one.name] = distribution(one.name)
            left += found[one.name].requires or ()
    return found.values()


@pytest.mark.slow
def test_the_wheel_builds_a_report_in_an_empty_environment(wheel, root, tmp_path):
    """A fresh virtual environment with nothing but the wheel and links to what it depends on."""
    python = tmp_path / "venv" / "bin" / "python"
    assert _run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=tmp_path).returncode == 0
    done = _run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (place,) = tmp_path.glob("venv/lib/*/site-packages")
    (own,) = distributions(path=[str(place)])
    names = {file.parts[0]: one for one in needed_for(own.requires) for file in one.files or ()}
    for name in names.keys() - {"..", "__pycache__"}:
        (place / name).symlink_to(names[name].locate_file(name))
    results = root / "examples" / "sentiment" / "results.csv.gz"
    done = _run(tmp_path / "venv" / "bin" / "reportkit", "build", results, "--output", "report", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "is significantly better than" in done.stdout
    content = json.loads((tmp_path / "report" / "report.json").read_text("utf-8"))
    assert all((tmp_path / "report" / name).is_file() for name in content["files"])
    code = "import pandas, reportkit; print(reportkit.__file__, hasattr(pandas.DataFrame, 'replic'))"
    done = _run(python, "-c", code, cwd=tmp_path)
    assert done.stdout.strip().endswith("True"), done.stderr
    assert str(tmp_path) in done.stdout


_NOT_IN_TEST = ("dask", "distributed", "moto", "nbclient", "pymc")


@pytest.mark.slow
def test_all_tests_are_found_with_the_extra_test_alone(root):
    """What comes with other extras is skipped, and stops nobody who ran the second command of the README."""
    code = f"import sys; sys.modules.update(dict.fromkeys({_NOT_IN_TEST!r})); import pytest; "
    code += "sys.exit(pytest.main(['--collect-only', '-q', '-p', 'no:cacheprovider']))"
    environment = {name: value for name, value in os.environ.items() if name != "REPORTKIT_COMPLETE"}
    found = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout[-3000:]
    assert "it comes with the extra [dask]" in found.stdout
