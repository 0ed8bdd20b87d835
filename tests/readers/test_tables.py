"""One table or several: what no column holds is the name of the file, and what does not belong is named."""

from __future__ import annotations

from pathlib import Path

import pytest

import reportkit
from reportkit.errors import ReadingError, ReportkitError, SettingsError
from tests.readers.harnesses.layouts import proposed, run

WIDE = "id,new,old\n" + "".join(f"{i},{i % 3 > 0:d},{i % 2}\n" for i in range(24))
LONG = "system,dataset,id,score\n" + "".join(
    f"{s},{{}},{i},{(i + len(s)) % 2}\n" for s in ("new", "older") for i in range(24)
)
ALONE = "id,score\n" + "".join(f"{i},{i % 2}\n" for i in range(24))


def _write(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        path = folder / f"{name.replace('__', '/')}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def _codes(reading: reportkit.readers.Reading) -> set[str]:
    return {note.code for note in reading.notes}


def test_a_file_without_datasets_is_one(tmp_path: Path) -> None:
    """It is called as the file, and the note names the option for the case that a column holds them."""
    reading = reportkit.inspect(_write(tmp_path, sst2=WIDE))
    assert reading.sentence() == "CSV: 2 systems, 1 dataset"
    assert reportkit.read(reading).dataset_names == ("sst2",)
    (note,) = reading.notes
    assert "'sst2'" in note.message
    assert "--dataset-column" in note.remedy


def test_files_are_datasets(tmp_path: Path) -> None:
    """Several files of the same columns; with the folder where two have one name."""
    assert reportkit.read(_write(tmp_path, a=WIDE, b=WIDE)).dataset_names == ("a", "b")
    _write(tmp_path, more__a=WIDE)
    assert {*reportkit.read(tmp_path).dataset_names} == {f"{tmp_path.name}/a", f"{tmp_path.name}/b", "more/a"}


def test_files_are_systems(tmp_path: Path) -> None:
    """With a column of datasets, or with the folder as the dataset."""
    with_datasets = "dataset,id,score\n" + "".join(f"cb,{i},{i % 2}\n" for i in range(24))
    _write(tmp_path, one__bert=with_datasets, one__gpt=with_datasets, sst2__bert=ALONE, sst2__gpt=ALONE)
    first, second = reportkit.read(tmp_path / "one"), reportkit.read(tmp_path / "sst2")
    assert (first.systems, first.dataset_names) == (("bert", "gpt"), ("cb",))
    assert (second.systems, second.dataset_names) == (("bert", "gpt"), ("sst2",))


def test_parts_of_one_table_are_put_together(tmp_path: Path) -> None:
    """Rows of several files with all columns; ids that occur in one of them only."""
    folder = _write(tmp_path, a=LONG.format(*["cb"] * 48), b=LONG.format(*["rte"] * 48))
    read = reportkit.read(folder)
    assert read.dataset_names == ("cb", "rte")
    assert read.n_rows == 96


def test_tables_without_results_are_left_out_with_a_word(tmp_path: Path) -> None:
    """A table of something else in a folder is named; given by itself, it is refused."""
    _write(tmp_path, sst2=WIDE, prices="item,price\na,1\n")
    reading = reportkit.inspect(tmp_path)
    assert reading.n_files == 1
    assert "prices.csv" in next(note.where for note in reading.notes if note.code == "files-not-read")
    with pytest.raises(ReportkitError, match="no column for"):
        reportkit.read(tmp_path / "prices.csv")


def test_tables_that_do_not_agree_are_refused(tmp_path: Path) -> None:
    """Both have results, and other columns: the message names a file that can be read alone."""
    _write(tmp_path, a=WIDE, b=WIDE.replace("old", "base"))
    with pytest.raises(SettingsError, match=r"do not agree[\s\S]*'base'"):
        reportkit.inspect(tmp_path)


def test_a_column_of_datasets_that_is_not_recognised(tmp_path: Path) -> None:
    """The naive command takes the file as one dataset and names the option; with it the column counts."""
    wide = "domain,id,new,old\n" + "".join(f"d{i % 2},{i},{i % 3 > 0:d},{i % 2}\n" for i in range(48))
    _write(tmp_path, r=wide)
    code, said = run(tmp_path, "inspect", "r.csv")
    assert code == 0
    assert "--dataset-column NAME" in said
    code, said = run(tmp_path, "inspect", "r.csv", *proposed(said)[:1], "domain")
    assert said.startswith("CSV: 2 systems, 2 datasets")


def test_nothing_but_other_tables(tmp_path: Path) -> None:
    """The columns of one of them are shown."""
    _write(tmp_path, a="item,price\na,1\n", b="item,price\nb,1\n")
    with pytest.raises(ReadingError, match=r"none of 2 tables[\s\S]*'price'"):
        reportkit.inspect(tmp_path)
