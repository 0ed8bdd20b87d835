"""Other processes run nothing of the current folder, and listen to nobody."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

NAMES = ("signal", "pickle", "random", "calendar", "types", "numpy", "pandas")

COMPARE = """
import reportkit

if __name__ == "__main__":
    found = reportkit.compare("data/results.parquet", workers=2, memory_limit="200MB")
    print(found.k_hat)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of results, in which Python files lie that have the names of modules."""
    rng = np.random.default_rng(0)
    frames = [
        pd.DataFrame({"system": system, "dataset": dataset, "instance": range(60), "score": rng.normal(size=60)})
        for system in ("new", "old")
        for dataset in ("cb", "wic", "rte")
    ]
    (tmp_path / "data").mkdir()
    pd.concat(frames).to_parquet(tmp_path / "data" / "results.parquet", index=False)
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text(f"open('RAN-{name}', 'w')\nraise ImportError('a stranger')\n")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "run.py").write_text(COMPARE)
    return tmp_path


@pytest.mark.slow
def test_files_of_the_current_folder_are_not_run(folder: Path) -> None:
    """By processes that are started there."""
    done = subprocess.run(
        [sys.executable, "scripts/run.py"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not [path.name for path in folder.glob("RAN-*")]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/net/tcp").exists(), reason="the sockets of a process are read from /proc")
def test_no_process_listens(folder: Path) -> None:
    """Neither this one nor those that are started."""
    for name in NAMES:
        (folder / f"{name}.py").unlink()
    watch = textwrap.dedent(
        """
        import os, pathlib, subprocess, sys, time

        def listening(pid):
            own = {os.readlink(f) for f in pathlib.Path(f"/proc/{pid}/fd").glob("*") if f.is_symlink()}
            rows = [line.split() for kind in ("tcp", "tcp6") for line in open(f"/proc/{pid}/net/{kind}")]
            return [row for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in own]

        def family(pid):
            yield pid
            for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
                yield from family(int(child))

        work, found = subprocess.Popen([sys.executable, "scripts/run.py"]), []
        while work.poll() is None:
            try:
                found += [row for pid in family(work.pid) for row in listening(pid)]
            except OSError:
                pass
            time.sleep(0.02)
        print(len(found), work.returncode)
        """
    )
    (folder / "scripts" / "watch.py").write_text(watch)
    done = subprocess.run(
        [sys.executable, "scripts/watch.py"], cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.split()[-2:] == ["0", "0"], done.stdout + done.stderr
