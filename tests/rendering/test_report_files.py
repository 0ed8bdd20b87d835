"""The folder of a report: which files there are, and that a build replaces the older one as a whole or not at all."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import jinja2
import pytest

from reportkit.appearance import Appearance
from reportkit.errors import RenderingError
from reportkit.rendering import report_files
from reportkit.rendering.report_files import rendered, write_report
from reportkit.rendering.stored import read_report
from reportkit.report.model import Paragraph, Report, Section
from tests.rendering.conftest import SIGNATURE, grid

ROOT = Path(__file__).resolve().parents[2]
IN_SIGHT = {
    *("report.html", "report.tex", "report.json", "references.bib", "paragraph.tex", "paragraph.md"),
    *(f"tables/{name}.tex" for name in ("results", "p-values", "replicability")),
    "figures/forest.pdf",
}


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def _small(title: str = "t", **look: object) -> Report:
    sections = (Section(title="s", blocks=(grid(), Paragraph(content="p", name="paragraph"))),)
    appearance = Appearance(**look)  # type: ignore[arg-type]
    return Report(
        title=title, sections=sections, signature=SIGNATURE, data={"schema_version": "2.0"}, appearance=appearance
    )


def test_templates_that_an_earlier_run_compiled_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled again; where the folder cannot be made, a report is written all the same."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    first = rendered(_small())
    (kept,) = tmp_path.iterdir()
    with monkeypatch.context() as patch:
        patch.delattr(jinja2.Environment, "compile")
        assert rendered(_small()) == first
    kept.rename(tmp_path / "moved")
    kept.write_text("in the way")
    assert rendered(_small()) == first


def test_what_is_pasted_is_in_sight_and_nothing_else_is_written(small_report: Report, tmp_path: Path) -> None:
    """The page comes first; nothing is left next to the folder."""
    folder = tmp_path / "deep" / "report"
    files = write_report(small_report, folder)
    assert files[0] == folder / "report.html"
    assert set(_contents(folder)) == IN_SIGHT == {path.relative_to(folder).as_posix() for path in files}
    assert [path.name for path in folder.parent.iterdir()] == ["report"]


def test_the_rest_is_written_where_it_is_asked_for(small_report: Report) -> None:
    """Below `more/`; figures as PNG."""
    look = small_report.appearance.replace(full=True)
    names = set(rendered(dataclasses.replace(small_report, appearance=look))[0])
    added = {f"more/tables/results.{ending}" for ending in ("md", "csv")} | {"more/report.md"}
    assert names > IN_SIGHT | added | {"figures/forest.png"}
    assert all(name.startswith("more/") or name.endswith(".png") for name in names - IN_SIGHT)


def test_a_report_is_read_back(tmp_path: Path) -> None:
    """With its tables, and the look that it has."""
    write_report(_small(venue="acl"), tmp_path / "r")
    found = read_report(tmp_path / "r")
    assert found.tables[0].columns[1].header == grid().columns[1].header
    assert found.appearance.venue == "acl"


def test_files_of_an_older_report_go_and_others_stay(small_report: Report, tmp_path: Path) -> None:
    """What this report does not have is removed, and its PDF; notes of the user, links and empty folders are not."""
    folder = tmp_path / "r"
    write_report(small_report, folder)
    (folder / "notes.txt").write_text("mine")
    (folder / "tables" / "mine.tex").write_text("mine")
    (folder / "empty").mkdir()
    (folder / "link").symlink_to("notes.txt")
    (folder / "report.pdf").write_bytes(b"of the older report")
    write_report(_small(), folder)
    ours = {"paragraph.md", "paragraph.tex", "report.html", "report.json", "report.tex", "tables/results.tex"}
    assert set(_contents(folder)) == {*ours, "notes.txt", "tables/mine.tex", "link"}
    assert (folder / "link").is_symlink()
    assert (folder / "empty").is_dir()
    assert not (folder / "figures").exists()


@pytest.mark.parametrize("name", ["report.tex", "report.json", "tables/results.tex", "paragraph.md"])
def test_a_file_that_reportkit_did_not_write_is_not_overwritten(tmp_path: Path, name: str) -> None:
    """A paper may be called report.tex, too."""
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text('{"mine": 1}')
    with pytest.raises(RenderingError, match="which reportkit did not write"):
        write_report(_small(), tmp_path)
    assert _contents(tmp_path) == {name: b'{"mine": 1}'}


def test_the_current_folder_can_hold_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`-o .`: the shell goes on standing in it; an older report is replaced there, too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results.csv").write_text("mine")
    write_report(_small(formats=("xlsx",)), ".")
    write_report(_small(), ".")
    names = {"paragraph.md", "paragraph.tex", "report.html", "report.json", "report.tex", "tables/results.tex"}
    assert set(_contents(Path.cwd())) == {*names, "results.csv"}


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    """A file in the way of the folder; nothing is left behind."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(RenderingError, match="is a file, not a folder"):
        write_report(_small(), tmp_path / "file")
    with pytest.raises(RenderingError, match="cannot be written"):
        write_report(_small(), tmp_path / "file" / "r")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


KILLED = """
import os, sys, threading, time
from pathlib import Path
from reportkit.rendering import report_files
from tests.rendering.test_report_files import _small
files, _ = report_files.rendered(_small("new"))
files |= {f"tables/t{number}.tex": b"x" * 1000 for number in range(300)}
print("ready", flush=True)
threading.Timer(float(sys.argv[2]), lambda: os._exit(9)).start()
report_files.put_in_place(Path(sys.argv[1]), files)
time.sleep(5)
"""


@pytest.mark.slow
def test_a_build_that_is_killed_leaves_the_old_report_or_the_new_one(tmp_path: Path) -> None:
    """Whenever that is: every file is of the same build, and the next build works."""
    folder = tmp_path / "r"
    titles: set[bytes] = set()
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for delay in (0.0, 0.005, 0.02, 0.05, 1.0):
        write_report(_small("old"), folder)
        (folder / "notes.txt").write_text("mine")
        old = _contents(folder)
        subprocess.run(
            [sys.executable, "-c", KILLED, str(folder), str(delay)], env=environment, check=False, timeout=120
        )
        found = _contents(folder)
        assert found["notes.txt"] == b"mine"
        new = b"<title>new</title>" in found["report.html"]
        titles.add(b"new" if new else b"old")
        if new:
            assert len(json.loads(found["report.json"])["files"]) < 300
            assert sum(name.startswith("tables/t") for name in found) == 300
            for number in range(300):
                (folder / f"tables/t{number}.tex").unlink()
        else:
            assert found == old
    assert titles == {b"new", b"old"}


def test_a_format_that_fails_does_not_keep_the_rest_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All other files are written, and the error says which format failed and where they are."""

    def fails(*_: object) -> dict[str, bytes]:
        raise ValueError("no room")

    monkeypatch.setattr(report_files, "word_document", fails)
    with pytest.raises(RenderingError, match=r"docx could not be written: no room[\s\S]*all other files are in"):
        write_report(_small(formats=("docx", "xlsx")), tmp_path / "r")
    assert {"report.html", "tables.xlsx"} <= set(_contents(tmp_path / "r"))
