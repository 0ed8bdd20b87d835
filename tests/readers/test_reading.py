"""Every format gives the same results; what is wrong with a path is said with the nearest that is right."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import ReadingError
from reportkit.readers import FORMATS, read_frame
from reportkit.scores.ingest import results_from_frame

ENDINGS = [*FORMATS, *(f"{ending}.gz" for ending in FORMATS)]


def write(frame: pd.DataFrame, path: Path) -> None:
    """Write a frame in the format that the name of the file says."""
    inner = path.name.removesuffix(".gz")
    if inner.endswith((".csv", ".tsv")):
        content = frame.to_csv(index=False, sep="\t" if inner.endswith(".tsv") else ",").encode()
    elif inner.endswith(".parquet"):
        content = frame.to_parquet(index=False)
    else:
        rows = frame.astype(object).where(frame.notna(), None).to_dict(orient="records")
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()  # pandas itself writes 15 digits at most
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


@pytest.mark.parametrize("name", ["r.xlsx", "r.json", "r.txt", "r.zip", "r.csv.bz2", "r.gz", "r", "r.unknown"])
def test_other_endings_are_refused_with_advice(tmp_path: Path, name: str) -> None:
    """The known endings are listed, and what to do with this one."""
    (tmp_path / name).write_bytes(b"x")
    with pytest.raises(ReadingError) as raised:
        read_frame(tmp_path / name)
    assert ".csv, .tsv, .parquet, .jsonl, .ndjson" in str(raised.value)
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
