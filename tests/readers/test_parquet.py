"""Parquet: types and order of the file are kept; an index of pandas becomes columns."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import reportkit
from reportkit.errors import ReadingError
from reportkit.readers import read_frame

WRITERS = {".parquet": lambda frame: frame.to_parquet(index=False)}
"""How a frame is written in this format, for the tests of all of them."""


def test_index_levels_become_columns(tmp_path: Path) -> None:
    """A named index is part of the data, a row number is not."""
    frame = pd.DataFrame({"system": ["a", "b"], "score": [1, 0]}, index=pd.Index([7, 7], name="instance"))
    path = tmp_path / "results.parquet"
    frame.to_parquet(path)
    assert sorted(read_frame(path).columns) == ["instance", "score", "system"]
    frame.reset_index(drop=True).iloc[::-1].to_parquet(path)
    assert list(read_frame(path).columns) == ["system", "score"]


def test_ordered_categoricals_stay_ordered(tmp_path: Path) -> None:
    """The order that was declared is not lost in the file."""
    order = ["small", "medium", "large"]
    path = tmp_path / "results.parquet"
    pd.DataFrame({"system": pd.Categorical(["large", "small"], order, ordered=True)}).to_parquet(path)
    read = read_frame(path)["system"]
    assert read.cat.ordered
    assert list(read.cat.categories) == order


def test_whole_numbers_with_gaps_stay_whole(tmp_path: Path) -> None:
    """An id beyond 2^53 is not rounded because another row has none."""
    path = tmp_path / "results.parquet"
    pd.DataFrame({"instance": pd.array([2**53 + 1, None], dtype="Int64")}).to_parquet(path)
    assert read_frame(path)["instance"].iloc[0] == 2**53 + 1


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + b"\x00" * 100 + b"PAR1", b"system,dataset\n"])
def test_what_is_no_parquet(tmp_path: Path, content: bytes) -> None:
    """Empty, cut and other files are refused."""
    path = tmp_path / "results.parquet"
    path.write_bytes(content)
    with pytest.raises(ReadingError, match="is not a Parquet file, or is damaged"):
        read_frame(path)


def test_no_rows(tmp_path: Path) -> None:
    """A table without rows lists its columns."""
    path = tmp_path / "results.parquet"
    pd.DataFrame({"system": [], "score": []}).to_parquet(path)
    with pytest.raises(ReadingError, match="has no rows"):
        read_frame(path)


@pytest.mark.parametrize("dtype", ["uint64", "int64", "decimal"])
def test_large_ids_stay_themselves(tmp_path: Path, dtype: str) -> None:
    """At the end of the whole numbers of 64 bits, and beyond them."""
    end = {"uint64": 2**64 - 1, "int64": 2**63 - 1, "decimal": 10**30}[dtype]
    ids = [end - number for number in range(20)]
    kind = {"uint64": pa.uint64(), "int64": pa.int64(), "decimal": pa.decimal128(38)}[dtype]
    table = pa.table(
        {
            "system": ["a"] * 20 + ["b"] * 20,
            "dataset": ["d"] * 40,
            "instance": pa.array([*ids, *ids], type=kind),
            "score": [number % 3 for number in range(40)],
        }
    )
    path = tmp_path / "results.parquet"
    pyarrow.parquet.write_table(table, path)
    assert sorted(map(str, reportkit.read(path).datasets[0].instances)) == sorted(map(str, ids))


@pytest.mark.slow
def test_a_damaged_file_is_refused_or_read_as_it_stands(tmp_path: Path) -> None:
    """Whichever byte is changed: dictionaries with codes that have no text, texts and names that are not UTF-8."""
    table = pa.table({"system": ["größer", "b", "größer"], "score": [0.5, 0.25, 1.0]})
    path = tmp_path / "results.parquet"
    pyarrow.parquet.write_table(table, path, compression="none")
    content = path.read_bytes()
    refused = 0
    for place in range(4, len(content), 2):
        for flipped in (0x80, 0x01):
            path.write_bytes(content[:place] + bytes([content[place] ^ flipped]) + content[place + 1 :])
            try:
                frame = read_frame(path)
            except ReadingError:
                refused += 1
            else:
                for column in frame.columns:
                    frame[column].tolist()
    assert refused > 100


def test_a_few_bytes_that_stand_for_very_many_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal rows take no space in the file; the memory that they would take is asked first."""
    path = tmp_path / "results.parquet"
    score = pa.array([1.0]).dictionary_encode()
    equal = pa.DictionaryArray.from_arrays(pa.array([0] * 200_000, type=pa.int32()), score.dictionary)
    pyarrow.parquet.write_table(pa.table({"score": equal.cast(pa.float64())}), path)
    assert path.stat().st_size < 10_000
    monkeypatch.setenv("REPORTKIT_MAX_INPUT_GB", "0.001")
    with pytest.raises(ReadingError, match=r"more than the 0\.001 GB") as raised:
        read_frame(path)
    assert "REPORTKIT_MAX_INPUT_GB" in str(raised.value)
    monkeypatch.setenv("REPORTKIT_MAX_INPUT_GB", "1")
    assert len(read_frame(path)) == 200_000
