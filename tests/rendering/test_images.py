"""Figures that a second process draws are those that are drawn here."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import reportkit
from reportkit.rendering import images
from reportkit.rendering.images import PICTURES, Draughtsman, images_of


@pytest.fixture
def _by_another(monkeypatch):
    """Draw in another process, as commands do where there are two processors."""
    monkeypatch.setattr(images, "_processors", lambda: 2)


@pytest.fixture(scope="module")
def report(root):
    """With a figure or two."""
    return reportkit.compare(root / "examples" / "dror2017" / "pos.csv").report().model


@pytest.fixture
def drawn(report):
    """By this process."""
    found = images_of(report)
    assert found
    assert all(set(by_format) == set(PICTURES) for by_format in found.values())
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("_by_another")
def test_the_pictures_are_the_same(report, drawn):
    """To the last byte, and the process is gone afterwards."""
    with Draughtsman() as draughtsman:
        draughtsman.begin(report)
        process = draughtsman._process
        assert process is not None
        assert draughtsman.finished(report) == drawn
    assert process.returncode is not None


@pytest.mark.slow
@pytest.mark.usefixtures("_by_another")
def test_this_process_draws_where_the_other_one_died(report, drawn):
    """Before it was asked, or after."""
    with Draughtsman() as draughtsman:
        assert draughtsman._process is not None
        draughtsman._process.kill()
        draughtsman._process.wait()
        draughtsman.begin(report)
        assert draughtsman.finished(report) == drawn
    with Draughtsman(wanted=False) as draughtsman:
        draughtsman.begin(report)
        assert draughtsman.finished(report) == drawn


SLOW = (
    *("matplotlib", "statsmodels", "polars", "duckdb", "pyarrow.parquet", "pyarrow.json", "pyarrow.feather"),
    *("scipy.stats", "scipy.optimize", "scipy.sparse", "scipy.spatial", "scipy.integrate", "scipy.signal"),
    *("reportkit.bayes", "reportkit.chains", "reportkit.evidence.assessed", "reportkit.power_analysis"),
    *("reportkit.calibration", "reportkit.reproducibility_analysis", "reportkit.checker"),
)
"""Slow to import, or a part of reportkit that was not asked for."""


def test_a_small_comparison_imports_only_what_it_needs(tmp_path):
    """Two systems on three datasets, from a file to the tables: whoever compares does not wait for the rest."""
    rows = [
        f"{system},{dataset},{instance},{(3 * instance + 5 * dataset + system * (instance % 3)) % 7 / 10}"
        for system in range(2)
        for dataset in range(3)
        for instance in range(40)
    ]
    (tmp_path / "scores.csv").write_text("system,dataset,instance,score\n" + "\n".join(rows) + "\n")
    code = (
        "import json, sys, reportkit; a = reportkit.compare(sys.argv[1]); a.to_latex(); str(a); a.report();"
        "print(json.dumps(sorted(sys.modules)))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "scores.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = json.loads(done.stdout)
    assert "reportkit.report.build" in loaded
    assert [name for name in loaded if name.startswith(SLOW)] == []
