"""`reportkit show`: the signature, the summary, and the files again, in another way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from reportkit.cli.main import main
from reportkit.rendering.environment import shipped_templates

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "examples" / "sentiment" / "results.csv.gz"


def run(*arguments: str) -> int:
    """Run the command in this process and return its exit code."""
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    return int(stopped.value.code or 0)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on the lexicons."""
    folder = tmp_path_factory.mktemp("built") / "report"
    options = ["--system", "vader", "--baseline", "textblob", "--dependence", "independent"]
    assert run("build", str(RESULTS), *options, "-o", str(folder), "--quiet") == 0
    return folder


@pytest.mark.slow
def test_the_signature_and_the_summary_are_shown(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same as after building; from the folder, and from the file in it."""
    content = json.loads((built / "report.json").read_text("utf-8"))
    for path in (built, built / "report.json"):
        assert run("show", str(path)) == 0
        shown = capsys.readouterr().out
        lines = shown.splitlines()
        assert lines[0] == "vader and textblob on 4 datasets"
        assert any(line.startswith("reportkit:") for line in lines)
        assert "on three of four datasets" in " ".join(lines)
        assert "amazon_reviews" in shown
        assert f"open {built}/report.html" in shown
        assert set(content["files"]) >= {"report.html", "tables/results.tex"}
    assert run("show", str(built), "--quiet") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_without_the_data_all_bytes_are_the_same(built: Path, tmp_path: Path) -> None:
    """Every file of the report, from `report.json` alone."""
    (tmp_path / "alone").mkdir()
    shutil.copy(built / "report.json", tmp_path / "alone")
    assert run("show", str(tmp_path / "alone"), "-o", str(tmp_path / "again"), "-q") == 0
    assert contents(tmp_path / "again") == contents(built)


@pytest.mark.slow
def test_another_appearance_is_as_if_built_so(built: Path, tmp_path: Path) -> None:
    """Marks, lengths and cells, too: nothing needs the data again."""
    look = ["--venue", "neurips", "--environment", "table", "--marks", "stars"]
    look += ["--length", "full", "--average", "--cell", "{score} ({diff}){mark}"]
    assert run("show", str(built), "-o", str(tmp_path / "shown"), "-q", *look) == 0
    options = ["--system", "vader", "--baseline", "textblob", "--dependence", "independent", *look]
    assert run("build", str(RESULTS), *options, "-o", str(tmp_path / "built"), "-q") == 0
    assert contents(tmp_path / "shown") == contents(tmp_path / "built")
    assert contents(tmp_path / "shown") != contents(built)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--venue", "acl"], "--venue says how files are written, and none are"),
        (["--templates", "mine"], "add --output FOLDER"),
        (["-o", "x", "--venue", "alc"], "there is no venue 'alc'"),
    ],
)
def test_what_cannot_be_is_refused(
    built: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str, monkeypatch: Any, tmp_path: Path
) -> None:
    """With what to do, exit code 2, and nothing written."""
    monkeypatch.chdir(tmp_path)
    assert run("show", str(built), *arguments) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_changed_content_for_machines_is_no_traceback(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is missing is said."""
    (tmp_path / "report.json").write_text('{"title": "mine"}')
    assert run("show", str(tmp_path)) == 2
    assert "report" in capsys.readouterr().err
    assert run("show", str(tmp_path / "nothing")) == 2
    assert "there is no file" in capsys.readouterr().err


def test_a_copy_of_a_template_stands_where_it_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It can be given with --templates at once, and is never overwritten."""
    folder = tmp_path / "mine"
    assert run("templates", str(folder), "latex/table", "html") == 0
    copies = contents(folder)
    assert "latex/table.tex.jinja" in copies
    assert {name for name in copies if name.startswith("latex/")} == {"latex/table.tex.jinja"}
    for name, content in copies.items():
        assert content == (shipped_templates() / name).read_bytes()
    capsys.readouterr()
    assert run("templates", str(folder), "latex/table") == 2
    assert "is there already" in capsys.readouterr().err
    assert run("templates", "--templates", str(folder)) == 0
    assert str(folder) in capsys.readouterr().out
    assert run("templates", str(tmp_path / "other"), "latex/tabel") == 2
    assert "did you mean 'latex/table'" in capsys.readouterr().err
