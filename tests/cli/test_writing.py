"""What a command writes, opens and says of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reportkit.errors import RenderingError
from tests.claims import claims_in
from tests.conftest import run_command, unavailable


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A small file of results in which `new` is better."""
    rows = [
        f"{s},d{d},{i},{int((i + d) % 5 > (s == 'old'))}" for s in ("new", "old") for d in range(3) for i in range(60)
    ]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(["system,dataset,instance,score", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_folder_shows_few_things_and_names_the_one_to_open(results: Path, tmp_path: Path) -> None:
    """At most eight files and two folders; the rest is below `more/` where it is asked for."""
    done = run_command("build", results, "-o", tmp_path / "out")
    assert done.returncode == 0
    assert f"open {tmp_path / 'out' / 'report.html'}\n" in done.stdout
    inside = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert {name for name in inside if "." not in name} == {"figures", "tables"}
    assert len(inside) <= 10
    assert {path.suffix for path in (tmp_path / "out" / "tables").iterdir()} == {".tex"}
    assert {path.suffix for path in (tmp_path / "out" / "figures").iterdir()} == {".pdf"}
    assert "more/" not in done.stdout
    done = run_command("build", results, "-o", tmp_path / "out", "--full")
    n_more = sum(path.is_file() for path in (tmp_path / "out" / "more").rglob("*"))
    assert f"more/ ({n_more} files)" in done.stdout


@pytest.mark.tex
def test_the_pdf_is_made_where_tex_is_and_left_out_on_request(results: Path, tmp_path: Path) -> None:
    """By default, and not with --no-pdf."""
    if shutil.which("pdflatex") is None:
        unavailable("pdflatex is not installed")
    command = [sys.executable, "-m", "reportkit", "build", str(results), "-o", str(tmp_path / "a")]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    assert (tmp_path / "a" / "report.pdf").read_bytes().startswith(b"%PDF")
    assert "also written: report.pdf, " in done.stdout
    run_command("build", results, "-o", tmp_path / "b", "--no-pdf")
    assert not (tmp_path / "b" / "report.pdf").exists()


@pytest.mark.slow
def test_a_pdf_that_fails_is_an_error_only_if_it_was_asked_for(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it is said, the rest is there, and no older PDF says something else next to it."""

    def fails(*_: object, **__: object) -> Path:
        raise RenderingError("pdflatex fails: no such font")

    monkeypatch.setattr("reportkit.cli.terminal.has_tex", lambda: True)
    monkeypatch.setattr("reportkit.rendering.pdf.compile_pdf", fails)
    run_command("build", results, "-o", tmp_path / "out", "--no-pdf")
    (tmp_path / "out" / "report.pdf").write_bytes(b"older")
    done = run_command("build", results, "-o", tmp_path / "out")
    assert done.returncode == 0
    assert "no report.pdf: pdflatex fails: no such font" in done.stderr
    assert not (tmp_path / "out" / "report.pdf").exists()
    assert (tmp_path / "out" / "report.html").is_file()
    assert run_command("build", results, "-o", tmp_path / "out", "--pdf").returncode == 2


@pytest.mark.slow
def test_findings_to_act_on_are_told_by_the_exit_code(results: Path, tmp_path: Path) -> None:
    """Datasets declared independent that share instances: exit code 1, the report is there, Fisher's bound is not."""
    results.write_text(re.sub(r",(\d+),", r",shared-\1,", results.read_text("utf-8")), "utf-8")
    done = run_command("build", "results.csv", "--dependence", "independent", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "have the same 60 instances" in " ".join(done.stdout.split())
    content = json.loads((tmp_path / "report" / "report.json").read_text(encoding="utf-8"))
    assert claims_in(content)[0]["k_hat"]["0.05"]["fisher"] is None
