"""What a comparison loads."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SLOW = (
    *("matplotlib", "statsmodels", "polars", "duckdb", "pyarrow.parquet", "pyarrow.json", "pyarrow.feather"),
    *("scipy.stats", "scipy.optimize", "scipy.sparse", "scipy.spatial", "scipy.integrate", "scipy.signal"),
    *("reportkit.bayes", "reportkit.bayes.chains", "reportkit.bayes.evidence.assessed", "reportkit.power_analysis"),
    *("reportkit.calibration", "reportkit.reproducibility_analysis", "reportkit.checker"),
)
"""Slow to import, or a part of reportkit that was not asked for."""


@pytest.mark.slow
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
    assert "reportkit.report.assemble" in loaded
    assert [name for name in loaded if name.startswith(SLOW)] == []
