"""Every format gives the same results; what is wrong with a path is said with the nearest that is right."""

from __future__ import annotations

import gzip
import importlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import ReadingError, ReportkitError, SettingsError
from reportkit.readers import FORMATS, Format, known_endings, read_frame, register_reader
from reportkit.readers.paths import ADVICE
from reportkit.scores.ingest import results_from_frame
from tests.readers.harnesses.layouts import proposed, run

ENDINGS = [*known_endings(), *(f"{ending}.gz" for ending in known_endings())]
WRITERS: dict[str, Callable[[pd.DataFrame], bytes]] = {}
for _path in sorted(Path(__file__).parent.glob("test_*.py")):
    if _path != Path(__file__):
        WRITERS |= getattr(importlib.import_module(f"tests.readers.{_path.stem}"), "WRITERS", {})


def write(frame: pd.DataFrame, path: Path) -> None:
    """Write a frame in the format that the name of the file says."""
    ending = next(suffix for suffix in reversed(path.suffixes) if suffix != ".gz")
    assert ending in WRITERS, (
        f"say in the test file of the reader how a {ending} is made: WRITERS = {{{ending!r}: ...}}"
    )
    content = WRITERS[ending](frame)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Shuffled scores of three systems, with awkward names, and a column that plays no role."""
    rng = np.random.default_rng(5)
    index = pd.MultiIndex.from_product(
        [
            ["NA", "null", 'R&D_50%~{x}\\^$#, "quoted"'],
            ["2020-01-01", "ünï"],
            ["007", "7", "1e3", "NaN", *"abcdefghijklmnopqrst"],
        ],
        names=["system", "dataset", "instance"],
    )
    full = pd.DataFrame({"score": rng.random(len(index)), "note": "x, y"}, index=index).reset_index()
    return full.sample(frac=1, random_state=0).drop(index=[3, 17])


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_format_gives_the_same_results(frame: pd.DataFrame, tmp_path: Path, ending: str) -> None:
    """Names such as NA, 007 and 2020-01-01 stay what they are, and scores are the same to the last bit."""
    path = tmp_path / f"results{ending}"
    write(frame, path)
    read = read_frame(path)
    assert list(read.columns) == list(frame.columns)
    assert results_from_frame(read).digest() == results_from_frame(frame).digest()


@pytest.mark.parametrize("ending", ENDINGS)
def test_wide_form_and_whole_numbers(tmp_path: Path, ending: str) -> None:
    """Whole numbers as ids are the same in formats with types and without, and empty cells are no scores."""
    wide = pd.DataFrame(
        {"dataset": "cb", "id": range(30), "bert": np.arange(30) / 8, "gpt": [None, *range(29)], "text": "x"}
    )
    path = tmp_path / f"results{ending}"
    write(wide, path)
    results = results_from_frame(read_frame(path))
    assert results.systems == ("bert", "gpt")
    assert results.unused_columns == ("text",)
    assert results.digest() == results_from_frame(wide).digest()


@pytest.mark.parametrize("ending", ENDINGS)
def test_columns_that_the_caller_names(tmp_path: Path, ending: str) -> None:
    """Names of columns are used while reading, too: the ids in `x` stay texts."""
    odd = pd.DataFrame(
        {"who": ["a", "b"] * 20, "what": "cb", "x": np.repeat([f"{n:03}" for n in range(20)], 2), "y": 0.5}
    )
    path = tmp_path / f"results{ending}"
    write(odd, path)
    columns = {"system": "who", "dataset": "what", "instance": "x", "score": "y"}
    results = results_from_frame(read_frame(path, columns=columns), columns=columns)
    assert list(results.datasets[0].instances[:2]) == ["000", "001"]


def test_large_files_are_read_in_blocks(tmp_path: Path) -> None:
    """Ids that first occur after the first million rows are found, and cells of several lines may span blocks."""
    n = 120_000
    frame = pd.DataFrame({"system": np.repeat(["a", "b"], n), "dataset": "cb"})
    frame["instance"] = [f"item-{number:06}" for number in range(n)] * 2
    frame["score"] = np.arange(2 * n) % 97 / 97
    frame["note"] = np.where(np.arange(2 * n) % 1000 == 0, "first line\nsecond, line", "")
    path = tmp_path / "results.csv"
    frame.to_csv(path, index=False)
    assert results_from_frame(read_frame(path)).digest() == results_from_frame(frame).digest()


def test_an_absent_file(tmp_path: Path) -> None:
    """The nearest name, a compressed twin, other results, or the absent folder are said."""
    (tmp_path / "scores.csv.gz").write_bytes(b"x")
    with pytest.raises(ReadingError, match=r"but there is 'scores.csv.gz' beside it"):
        read_frame(tmp_path / "scores.csv")
    (tmp_path / "plain.csv").write_bytes(b"x")
    with pytest.raises(ReadingError, match=r"but there is 'plain.csv' beside it"):
        read_frame(tmp_path / "plain.csv.gz")
    for name, hint in (("plian.csv", "did you mean 'plain.csv'"), ("other", "results here may be 'plain.csv'")):
        with pytest.raises(ReadingError) as raised:
            read_frame(str(tmp_path / name))
        assert hint in str(raised.value)
    with pytest.raises(ReadingError, match="there is no file") as raised:
        read_frame(tmp_path / "no" / "results.csv")
    assert "there is no folder" in str(raised.value)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ReadingError) as raised:
        read_frame(tmp_path / "empty" / "results.csv")
    assert raised.value.remedy == "check the path"


def test_a_folder_lists_what_can_be_read(tmp_path: Path) -> None:
    """A folder is answered with the files in it."""
    (tmp_path / "a.jsonl.gz").write_bytes(b"")
    (tmp_path / "b.txt").write_bytes(b"")
    with pytest.raises(ReadingError, match="is a folder") as raised:
        read_frame(tmp_path)
    assert "read: 'a.jsonl.gz'" in str(raised.value)


@pytest.mark.parametrize("name", ["r.xls", "r.json", "r.txt", "r.gz", "r", "r.unknown"])
def test_other_endings_are_refused_with_advice(tmp_path: Path, name: str) -> None:
    """The known endings are listed, and what to do with this one."""
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(ReadingError) as raised:
        read_frame(tmp_path / name)
    assert f"known endings: {', '.join(known_endings())}; each also with .gz, .bz2, .xz, .zst, .zip" in str(
        raised.value
    )
    assert raised.value.remedy


def test_endings_in_capitals(tmp_path: Path) -> None:
    """RESULTS.CSV is a CSV file."""
    path = tmp_path / "RESULTS.CSV"
    path.write_text("system,dataset,instance,score\na,cb,1,1\n", encoding="utf-8")
    assert len(read_frame(path)) == 1


def test_ids_of_json_keep_their_type(tmp_path: Path) -> None:
    """Whole numbers beyond 2^53 and ids of several types stay exact in JSON Lines."""
    path = tmp_path / "results.jsonl"
    ids = [2**53 + 1, 2**53 + 3, "q1"]
    rows = [{"system": system, "dataset": "cb", "instance": name, "score": 1} for system in "ab" for name in ids]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n\n", encoding="utf-8")
    block = results_from_frame(read_frame(path)).datasets[0]
    assert list(block.instances) == [str(2**53 + 1), str(2**53 + 3), "q1"]


def test_the_built_in_formats() -> None:
    """The endings that users know, each of one format."""
    assert {*known_endings()} >= {".csv", ".tsv", ".parquet", ".jsonl", ".ndjson"}
    assert len(set(known_endings())) == len(known_endings())
    read = {ending for known in FORMATS.values() if known.can_read is None for ending in known.endings}
    assert not set(ADVICE) & read, "take it out of the advice: files that end so are read, whatever they hold"


def test_a_format_of_ones_own_is_one_of_them(tmp_path: Path) -> None:
    """It is read by its ending, compressed too, named in advice, and taken off the name of the settings beside it."""

    def read_bars(source, *, columns, systems):  # type: ignore[no-untyped-def]
        del columns, systems
        with source.open() as file:
            return pd.read_csv(file, sep="|")

    bars = Format(name="bars", endings=(".bar",), read=read_bars)
    assert register_reader(bars) is bars
    try:
        path = tmp_path / "results.bar.gz"
        path.write_bytes(gzip.compress(b"system|dataset|score\na|cb|1\n"))
        assert read_frame(path)["score"].tolist() == [1]
        with pytest.raises(ReadingError, match=r"results here may be 'results.bar.gz'"):
            read_frame(tmp_path / "other")
        assert register_reader(replace(bars, endings=(".bar", ".vbar"))).endings == known_endings()[-2:]
        with pytest.raises(SettingsError, match=r"'\.csv' is the ending of CSV already"):
            register_reader(replace(bars, name="my CSV", endings=(".csv",)))
        with pytest.raises(SettingsError, match="there is a format 'CSV' already"):
            register_reader(replace(bars, name="CSV", endings=(".mine",)))
        with pytest.raises(SettingsError, match="is no format"):
            register_reader(read_bars)  # type: ignore[arg-type]
        with pytest.raises(SettingsError, match="write it in lower case with its dot"):
            replace(bars, endings=("bar",))
    finally:
        FORMATS.remove("bars")
    assert ".bar" not in known_endings()


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


def test_numbers_of_right_answers_say_how_many_instances_there_are(tmp_path: Path) -> None:
    """A row of k of n is n instances."""
    path = tmp_path / "arc.csv"
    path.write_text("system,dataset,k,n\nnew,easy,30,40\nold,easy,20,40\nnew,hard,5,1200\nold,hard,3,1200\n")
    assert "easy (40), hard (1,200); 1,240 instances in all" in str(reportkit.inspect(path))
    path.write_text("system,dataset,k,n\nnew,easy,30,many\nold,easy,20,40\n")
    assert "easy (2)" in str(reportkit.inspect(path))
