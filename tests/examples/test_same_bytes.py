"""The same results give the same files: in another folder, in another order of rows, with another hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]


def _built(results: Path, folder: Path, seed: str) -> dict[str, bytes]:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "TZ": f"UTC{seed}"}
    command = [sys.executable, "-m", "reportkit", "build", str(results), "--quiet", "--output", str(folder)]
    subprocess.run(command, env=environment, check=True, timeout=600, cwd=folder.parent)
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.slow
def test_nothing_but_the_content_decides(tmp_path: Path) -> None:
    """All files of a report of all pairs, byte by byte."""
    frame = pd.read_csv(ROOT / "examples" / "sentiment" / "results.csv.gz", dtype=str, keep_default_na=False)
    written = {}
    for seed in ("1", "2"):
        place = tmp_path / seed / ("deeper" * int(seed))
        place.mkdir(parents=True)
        frame.sample(frac=1, random_state=int(seed)).to_csv(place / "results.csv", index=False)
        written[seed] = _built(place / "results.csv", place / "report", seed)
    assert set(written["1"]) == set(written["2"])
    assert [name for name, content in written["1"].items() if content != written["2"][name]] == []
    assert "report.json" in written["1"]
    assert any(name.endswith(".pdf") for name in written["1"])
