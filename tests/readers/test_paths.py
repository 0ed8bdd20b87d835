"""From paths to files and formats: content decides, and nothing is passed over without a word."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

import reportkit
from reportkit.errors import ReadingError, SettingsError, UnknownNameError
from reportkit.readers import FORMATS, Format, Source, register_reader
from reportkit.readers.paths import find
from tests.readers.harnesses.layouts import inside, proposed, run

WIDE = "id,new,old\n" + "".join(f"{i},{i % 3 > 0:d},{i % 2}\n" for i in range(24))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two tables, hidden files, notes."""
    for name in ("a.csv", "sub/b.csv", ".hidden.csv", ".git/c.csv", "__pycache__/d.csv"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(WIDE)
    (tmp_path / "notes.txt").write_text("x")
    return tmp_path


def test_a_folder_is_all_that_is_in_it(folder: Path) -> None:
    """But what is hidden; what is of no known format is named."""
    found = find([folder])
    assert [source.name for source in found.by_format["CSV"]] == [str(folder / "a.csv"), str(folder / "sub" / "b.csv")]
    assert found.unknown == [str(folder / "notes.txt")]
    notes = {note.code: note for note in reportkit.inspect(folder).notes}
    assert "notes.txt" in notes["files-not-read"].where


def test_patterns_and_lists(folder: Path) -> None:
    """A pattern that the shell did not resolve; a file that is named twice is read once."""
    with inside(folder):
        assert reportkit.inspect("s*/*.csv", "a.csv", "a.csv").n_files == 2
        assert reportkit.inspect(["**/[ab].csv"]).n_files == 2
        with pytest.raises(ReadingError, match="no file fits the pattern"):
            reportkit.inspect("*.parquet")


def test_a_compressed_twin_is_not_read_again(folder: Path) -> None:
    """The file beside it is, and the twin is named."""
    (folder / "a.csv.gz").write_bytes(gzip.compress(WIDE.encode()))
    reading = reportkit.inspect(folder)
    assert reading.n_files == 2
    assert "a.csv.gz" in next(note.where for note in reading.notes if note.code == "files-not-read")


@pytest.mark.slow
def test_reports_are_no_results(folder: Path) -> None:
    """`reportkit build .` twice: the report of the first time is passed over."""
    code, _ = run(folder, "build", ".", "-q")
    assert code == 0
    code, said = run(folder, "inspect", ".")
    assert code == 0
    assert "reports-not-read" in said
    assert said.startswith("CSV: 2 systems, 2 datasets")


def test_what_cannot_be_read_is_said_with_what_can(folder: Path, tmp_path: Path) -> None:
    """A folder without results, a file of no known format, a format without files, an unknown format."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReadingError, match=r"holds no file[\s\S]*0 files"):
        reportkit.inspect(tmp_path / "empty")
    with pytest.raises(ReadingError, match=r"'\.txt', which is no known format"):
        reportkit.inspect(folder / "notes.txt")
    with pytest.raises(ReadingError, match="holds no file of the format HELM"):
        reportkit.inspect(folder, format="HELM")
    with pytest.raises(UnknownNameError, match="did you mean 'HELM'"):
        reportkit.inspect(folder, format="HELN")
    with pytest.raises(SettingsError, match="no filters"):
        reportkit.inspect(folder, filter="strict-match")
    with pytest.raises(SettingsError, match="a frame was given"):
        reportkit.read(pd.DataFrame({"system": ["a"], "score": [1]}), format="CSV")


def test_two_formats_that_recognise_one_file(tmp_path: Path) -> None:
    """Content decides between formats of one ending; where it does not, the message names `--format`."""

    def read(source: Source, *, columns: object, systems: Sequence[str] | None) -> pd.DataFrame:
        return FORMATS["CSV"].read(source, columns=None, systems=None)

    formats = [
        Format(name=name, endings=(".csv", ".odd"), read=read, can_read=lambda head, path, sign=sign: sign in head)
        for name, sign in (("first", b"new"), ("second", b"old"))
    ]
    try:
        for one in formats:
            assert register_reader(one) is one
        (tmp_path / "r.csv").write_text(WIDE.replace("old", "base"))
        assert reportkit.inspect(tmp_path).format == "first"
        (tmp_path / "r.csv").write_text(WIDE.replace("new", "ours").replace("old", "base"))
        assert reportkit.inspect(tmp_path).format == "CSV"
        (tmp_path / "r.csv").write_text(WIDE)
        code, said = run(tmp_path, "inspect", "r.csv")
        assert code == 2
        assert "2 formats" in said
        code, said = run(tmp_path, "inspect", "r.csv", *proposed(said))
        assert (code, said.split(":")[0]) == (0, "first")
        with pytest.raises(SettingsError, match="already"):
            register_reader(Format(name="third", endings=(".csv",), read=read))
    finally:
        for one in formats:
            FORMATS.remove(one.name)
