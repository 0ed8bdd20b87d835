"""A process that is told to end: its files are right, as after Ctrl-C."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from reportkit.cli.main import main

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of POSIX")


@pytest.mark.slow
def test_a_build_that_is_told_to_end_leaves_the_older_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the middle of the moves; it says that it was aborted."""
    results = tmp_path / "results.csv"
    rows = [f"{s},d,{i},{(i * k) % 5 > 1:d}" for k, s in enumerate(("a", "b"), 2) for i in range(30)]
    results.write_text("\n".join(["system,dataset,instance,score", *rows]) + "\n")
    command = ["build", str(results), "-o", str(tmp_path / "report"), "-q"]
    with pytest.raises(SystemExit):
        main(command)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    results.write_text(results.read_text() + "a,e,1,1\nb,e,1,0\n")
    before[results] = results.read_bytes()
    real, calls = Path.replace, []

    def replace(self: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == 4:
            os.kill(os.getpid(), signal.SIGTERM)
        return real(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(SystemExit) as stopped:
        main(command)
    assert stopped.value.code not in (0, 1)
    assert "aborted" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
