"""Files of any packing are read by what they hold; what is damaged is said, and does not stop the rest."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import ReadingError, ReportkitError, SettingsError
from reportkit.scores.questions import Request
from reportkit.scores.read import read, read_frame
from reportkit.scores.reading import Reading

TABLE = pd.DataFrame(
    [(s, d, f"{i:03d}", (i * len(s)) % 3 / 2) for s in ("ada", "beeb") for d in ("NA", "law") for i in range(12)],
    columns=["model", "task", "id", "f1"],
)
CSV = TABLE.to_csv(index=False)
MEANS = TABLE.groupby("model")["f1"].mean().to_dict()


def right(reading: Reading) -> bool:
    """Whether a reading is that of the table, with ids and names as they are written."""
    same = reading.frame.groupby("system", observed=True)["score"].mean().to_dict() == MEANS
    return same and set(reading.names("dataset")) == {"NA", "law"} and "007" in reading.names("instance")


def test_delimiters_encodings_and_line_ends(tmp_path: Path) -> None:
    """Commas, semicolons, tabs, bars; UTF-8 with its mark and UTF-16; lines that end otherwise."""
    for place, content in enumerate(
        (
            *(TABLE.to_csv(index=False, sep=sign).encode() for sign in (",", ";", "\t", "|")),
            CSV.encode("utf-8-sig"),
            CSV.encode("utf-16"),
            CSV.replace("\n", "\r\n").encode(),
            CSV.replace(",", ", ").encode(),
        )
    ):
        path = tmp_path / f"{place}.csv"
        path.write_bytes(content)
        if place < 7:
            assert right(read(path)), content[:40]


@pytest.mark.parametrize(
    ("content", "said"), [(b"mod\xe8le" + CSV.encode(), "is not UTF-8"), ("\n ".encode("utf-16"), "is empty")]
)
def test_bytes_that_are_no_table(content: bytes, said: str, tmp_path: Path) -> None:
    """A header in Latin-1 is named, and so is a file of blanks."""
    (tmp_path / "r.csv").write_bytes(content)
    with pytest.raises(ReadingError, match=said):
        read(tmp_path / "r.csv")


def test_compressed_files_and_archives(tmp_path: Path) -> None:
    """Each is read as the plain file."""
    packed = {"r.csv.gz": gzip.compress(CSV.encode())}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("inner/r.csv", CSV)
    packed["r.zip"] = stream.getvalue()
    for name, content in packed.items():
        (tmp_path / name).write_bytes(content)
        assert right(read(tmp_path / name)), name


def test_formats(tmp_path: Path) -> None:
    """JSON by rows and by columns, JSON Lines under either ending, Parquet, Excel."""
    TABLE.to_json(tmp_path / "a.json", orient="records")
    TABLE.to_json(tmp_path / "b.json", orient="records", lines=True)
    (tmp_path / "c.json").write_text(json.dumps(TABLE.to_dict(orient="list")))
    (tmp_path / "d.json").write_text(json.dumps({"date": "today", "rows": TABLE.to_dict(orient="records")}))
    TABLE.to_parquet(tmp_path / "e.parquet")
    TABLE.to_excel(tmp_path / "g.xlsx", index=False)
    for path in sorted(tmp_path.iterdir()):
        assert right(read(path)), path.name


def test_a_file_that_is_named_is_a_table_whatever_its_ending(tmp_path: Path) -> None:
    """For results, and for a frame as it is there."""
    path = tmp_path / "results.data"
    path.write_text(CSV)
    assert right(read(path))
    assert len(read_frame(path)) == len(TABLE)


def test_hidden_rows_and_sheets_of_excel_are_said(tmp_path: Path) -> None:
    """A hidden sheet is left out; hidden rows are read, and named."""
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / "r.xlsx"
    with pd.ExcelWriter(path) as writer:
        TABLE.to_excel(writer, sheet_name="new", index=False)
        TABLE.assign(f1=0.0).to_excel(writer, sheet_name="old", index=False)
    book = openpyxl.load_workbook(path)
    book["old"].sheet_state = "hidden"
    book["new"].row_dimensions[4].hidden = True
    book.save(path)
    reading = read(path)
    assert right(reading)
    notes = {note.code: note.where for note in reading.findings}
    assert "'old'" in notes["sheets-left-out"]
    assert "'new' row 4" in notes["hidden-rows"]


def test_a_bad_file_does_not_stop_a_folder(tmp_path: Path) -> None:
    """It is left out with a warning; alone it is an error with its place."""
    for name in ("ada", "bee", "cod"):
        (tmp_path / f"{name}.csv").write_text("id,em\n" + "".join(f"{i},{i % 2}\n" for i in range(12)))
    (tmp_path / "bad.csv").write_text("id,em\n1,1,1\n2\n")
    (tmp_path / "cut.json").write_text('[{"id": 1, "em"')
    (tmp_path / "torn.zip").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "notes.txt").write_text("what was done, and why\nand more\n")
    reading = read(tmp_path)
    assert reading.names("system") == ["ada", "bee", "cod"]
    said = " ".join(note.message + note.where for note in reading.findings)
    assert all(name in said for name in ("bad.csv", "cut.json", "torn.zip", "notes.txt"))
    for name, place in (("bad.csv", "line 2"), ("cut.json", "damaged"), ("torn.zip", "damaged")):
        with pytest.raises(ReadingError) as raised:
            read(tmp_path / name)
        assert place in str(raised.value)


def test_two_files_of_one_kind_are_two_systems(tmp_path: Path) -> None:
    """The word that both share is no part of their names, and a table with other columns is left out."""
    (tmp_path / "prices.csv").write_text("name,price\nada,3\nbee,5\n")
    for name in ("ada", "bee"):
        (tmp_path / f"{name}_results.csv").write_text("id,em\n" + "".join(f"{i},{i % 2}\n" for i in range(12)))
    assert read(tmp_path).names("system") == ["ada", "bee"]


def test_exclude_leaves_out_files_systems_and_datasets(tmp_path: Path) -> None:
    """And is an error where it fits nothing at all."""
    path = tmp_path / "r.csv"
    path.write_text(CSV.replace("beeb", "bee") + "".join(f"cod,law,{i:03d},0\n" for i in range(12)))
    assert read(path, Request(exclude=("cod",))).names("system") == ["ada", "bee"]
    assert read(path, Request(exclude=("l*",))).names("dataset") == ["NA"]
    with pytest.raises(SettingsError, match="fits no file, system or dataset"):
        read(path, Request(exclude=("nothing",)))


def test_what_is_not_there(tmp_path: Path) -> None:
    """The nearest names are said."""
    (tmp_path / "results.csv").write_text(CSV)
    for path, said in (
        ("resluts.csv", "did you mean 'results.csv'"),
        ("x/y.csv", "no folder"),
        ("*.tsv", "no file fits"),
    ):
        with pytest.raises(ReadingError) as raised:
            read(tmp_path / path)
        assert said in str(raised.value)


@pytest.mark.parametrize("seed", range(60))
def test_damaged_files_are_read_or_refused(seed: int, tmp_path: Path) -> None:
    """Bytes lost, cut, doubled and changed at random: a reading or a message, and nothing else."""
    rng = np.random.default_rng(seed)
    ending = ("csv", "json", "jsonl", "parquet", "csv.gz", "zip", "xlsx")[seed % 7]
    path = tmp_path / f"r.{ending}"
    if ending == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("r.csv", CSV)
    elif ending == "json":
        TABLE.to_json(path, orient="records")
    else:
        writers = {
            "jsonl": lambda: TABLE.to_json(path, orient="records", lines=True),
            "parquet": lambda: TABLE.to_parquet(path),
        }
        writers |= {"xlsx": lambda: TABLE.to_excel(path, index=False)}
        writers.get(ending, lambda: TABLE.to_csv(path, index=False))()
    data = bytearray(path.read_bytes())
    for _ in range(int(rng.integers(1, 6))):
        place, kind = int(rng.integers(0, len(data))), int(rng.integers(0, 4))
        if kind == 0:
            data = data[:place] or data[:1]
        elif kind == 1:
            data[place] = int(rng.integers(0, 256))
        elif kind == 2:
            del data[place : place + int(rng.integers(1, 30))]
        else:
            data[place:place] = data[place : place + int(rng.integers(1, 30))]
        if not data:
            break
    path.write_bytes(bytes(data))
    try:
        read(path)
    except ReportkitError as error:
        assert error.remedy or error.where  # noqa: PT017 - both outcomes are right
