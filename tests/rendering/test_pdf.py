"""The report as a PDF."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from reportkit.errors import RenderingError
from reportkit.rendering.pdf import compile_pdf
from reportkit.rendering.report_files import write_report
from reportkit.report.model import Report
from tests.conftest import unavailable
from tests.rendering.conftest import HOSTILE, hostile_report


@pytest.fixture(autouse=True)
def _tex() -> None:
    if shutil.which("pdflatex") is None:
        unavailable("pdflatex is not installed")


@pytest.mark.tex
def test_a_hostile_report_in_a_hostile_folder(tmp_path: Path) -> None:
    """With a bibliography, references resolved, nothing else left in the folder, the same bytes each time."""
    folder = tmp_path / "my report & more"
    files = write_report(hostile_report(), folder)
    pdf = compile_pdf(folder)
    assert pdf == folder.resolve() / "report.pdf"
    assert {path for path in folder.rglob("*") if path.is_file()} == {*files, folder / "report.pdf"}
    first = pdf.read_bytes()
    assert compile_pdf(folder).read_bytes() == first
    if shutil.which("pdftotext") is None:
        unavailable("pdftotext is not installed")
    text = subprocess.run(["pdftotext", str(pdf), "-"], capture_output=True, check=True).stdout.decode("utf-8")
    assert "??" not in text
    assert "(Holm, 1979; Dror et al., 2017)" in " ".join(text.split())
    assert "See Table 1 and Figure 1" in " ".join(text.split())
    assert HOSTILE[0] in text


@pytest.mark.tex
def test_a_mistake_is_reported_with_file_and_line(small_report: Report, tmp_path: Path) -> None:
    """A table that somebody has edited is named."""
    write_report(small_report, tmp_path)
    table = tmp_path / "tables" / "results.tex"
    table.write_text(table.read_text().replace("\\midrule", "\\nonsense"))
    with pytest.raises(RenderingError, match="Undefined control sequence") as caught:
        compile_pdf(tmp_path)
    assert "tables/results.tex, line" in str(caught.value.where)
    assert "nonsense" in str(caught.value.where)
    assert not (tmp_path / "report.pdf").exists()


@pytest.mark.tex
def test_tex_reads_no_other_file_and_runs_no_program(small_report: Report, tmp_path: Path) -> None:
    """Not even if a template of a stranger asks for it."""
    (tmp_path / "secret.txt").write_text("s3cret")
    for command in (r"\input{../secret.txt}", rf"\input{{{tmp_path}/secret.txt}}", r"\input|cat\ ../secret.txt "):
        folder = tmp_path / "r"
        write_report(small_report, folder)
        source = folder / "report.tex"
        source.write_text(source.read_text().replace(r"\begin{document}", rf"\begin{{document}}{command}"))
        with pytest.raises(RenderingError):
            compile_pdf(folder)
        shutil.rmtree(folder)


def test_without_a_report_or_without_tex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_report: Report) -> None:
    """Said in words that tell what to do."""
    with pytest.raises(RenderingError, match=r"there is no report\.tex"):
        compile_pdf(tmp_path)
    write_report(small_report, tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RenderingError, match="pdflatex is not installed"):
        compile_pdf(tmp_path)
