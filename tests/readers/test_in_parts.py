"""A table that is read part by part is the same as one that is read whole, and is wrong for the same reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

from reportkit.errors import ReadingError
from reportkit.readers import categorical, delimited, in_parts, parquet, read_frame

HEAD = "system,dataset,instance,score,note\n"


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Parts of a few rows; the list holds how many parts were read of each table that came out."""
    found: list[int] = []

    def frame_in_parts(parts: Iterator[Callable[[], pa.Table]], *arguments: Any) -> pd.DataFrame:
        read: list[int] = []

        def noted(part: Callable[[], pa.Table]) -> pa.Table:
            read.append(1)
            return part()

        frame = in_parts.frame_in_parts((partial(noted, part) for part in parts), *arguments)
        found.append(len(read))
        return frame

    for module in (delimited, parquet):
        monkeypatch.setattr(module, "_IN_PARTS", 0)
        monkeypatch.setattr(module, "frame_in_parts", frame_in_parts)
    monkeypatch.setattr(delimited, "_PART_BYTES", 200)
    return found


def whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """The same file, read at once."""
    with monkeypatch.context() as patched:
        for module in (delimited, parquet):
            patched.setattr(module, "_IN_PARTS", 1 << 40)
        return read_frame(path)


def assert_same(found: pd.DataFrame, expected: pd.DataFrame) -> None:
    """Equal values of equal types, whatever the order of categories."""
    assert list(found.columns) == list(expected.columns)
    for name in expected.columns:
        a, b = found[name], expected[name]
        assert isinstance(a.dtype, pd.CategoricalDtype) == isinstance(b.dtype, pd.CategoricalDtype)
        if isinstance(b.dtype, pd.CategoricalDtype):
            assert set(a.cat.categories) == set(b.cat.categories)
            assert a.cat.codes.dtype == b.cat.codes.dtype
            a, b = a.astype(object), b.astype(object)
        pd.testing.assert_series_equal(a, b, check_exact=True)


def table(n_rows: int, n_instances: int, seed: int = 0, width: int = 1) -> pd.DataFrame:
    """Scores with gaps, names beyond ASCII, and some ids that occur late only."""
    rng = np.random.default_rng(seed)
    score = rng.integers(0, 1000, n_rows) / 997
    score[rng.integers(0, n_rows, n_rows // 50)] = np.nan
    return pd.DataFrame(
        {
            "system": [f"sys\u00e9-{number}" for number in rng.integers(0, 3 + np.arange(n_rows) // 50)],
            "dataset": [f"d{number}" for number in rng.integers(0, 5, n_rows)],
            "instance": [f"{number:0{width}}" for number in rng.integers(0, n_instances, n_rows)],
            "score": score,
            "note": ["x" * number for number in rng.integers(0, 4, n_rows)],
        }
    )


@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".tsv", ".csv.bz2"])
@pytest.mark.parametrize("n_instances", [7, 10_000])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_delimited(
    suffix: str, n_instances: int, newline: str, tmp_path: Path, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts that recur and texts that do not, missing scores, an unused column, compressed or not."""
    path = tmp_path / f"results{suffix}"
    sign = "\t" if ".tsv" in suffix else ","
    table(900, n_instances).to_csv(path, index=False, sep=sign, lineterminator=newline)
    found = read_frame(path)
    assert counted[-1] > 20
    assert_same(found, whole(path, monkeypatch))


@pytest.mark.parametrize("width", [1, 9, 20])
def test_many_texts_looked_up_as_numbers(
    width: int, tmp_path: Path, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short texts of equal and of different length, and texts that are too long for that."""
    monkeypatch.setattr(categorical, "_RECURRING", 1)
    monkeypatch.setattr(categorical, "_MANY", 1)
    monkeypatch.setattr("reportkit.readers.short_texts.FEWEST", 2)
    path = tmp_path / "results.csv"
    table(900, 90, width=width).to_csv(path, index=False)
    assert_same(read_frame(path), whole(path, monkeypatch))
    assert counted


@pytest.mark.parametrize(
    "content",
    [
        HEAD + "a,cb,1,0.5,\n" * 60 + 'a,cb,"1\n2",0.5,"two\nlines"\n' + "a,cb,1,0.5,\n" * 60,
        HEAD + "a,cb,1,0.5,\n" * 60 + "a,cb,1,wrong,\n" + "a,cb,1,0.50,\n" * 60,
        HEAD + "a,cb,1,0.5,\n" * 60 + "\ufeffa,cb,1,0.5,\n" * 60,
        "\ufeff" + HEAD + "a,cb,1,0.5,\n" * 60 + "\n\n\n" + "a,cb,1,0.5,b",
        (HEAD + "a,cb,1,0.5,\n" * 60).replace("\n", "\r"),
        '"system","dataset","instance","score","note"\n' + "a,cb,1,0.5,\n" * 60,
        HEAD + "a,cb,1,0.5," + 500 * "x" + "\n" + "a,cb,1,0.5,\n" * 60,
    ],
)
def test_what_lines_do_not_tell(
    content: str, tmp_path: Path, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cells of several lines, scores that are none, marks inside, other ends of lines: as if it was read whole."""
    path = tmp_path / "results.csv"
    path.write_bytes(content.encode())
    assert_same(read_frame(path), whole(path, monkeypatch))


@pytest.mark.parametrize(
    "wrong", [b"a,cb,1,0.5\n", b"a,cb,1,0.5,\xff\n", b"\xe9,cb,1,0.5,\n", b"a,cb,\xe9,0.5,\n", b'a,cb,1,0.5,"open\n']
)
@pytest.mark.usefixtures("counted")
def test_what_is_wrong_is_said_in_the_same_words(wrong: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of other length, other encodings, open quotes: the message names the line in the file."""
    path = tmp_path / "results.csv"
    path.write_bytes(HEAD.encode() + b"a,cb,1,0.5,\n" * 60 + wrong + b"a,cb,1,0.5,\n" * 60)
    messages = []
    for read in (read_frame, partial(whole, monkeypatch=monkeypatch)):
        with pytest.raises(ReadingError) as error:
            read(path)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
    assert "line 62" in messages[0] or "open" in messages[0] or "quote" in messages[0]


@pytest.mark.parametrize("n_instances", [7, 10_000])
@pytest.mark.parametrize("dictionary", [True, False])
def test_parquet(
    n_instances: int, dictionary: bool, tmp_path: Path, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row groups of texts and of codes, nulls, whole numbers, dates, large strings and declared categories."""
    frame = table(900, n_instances)
    frame["k"] = np.arange(900)
    frame["n"] = pd.array([None, *range(1, 900)], dtype="Int64")
    frame["when"] = pd.date_range("2025-01-01", periods=900, unit="us")
    frame["kind"] = pd.Categorical(frame["dataset"], categories=["d4", "d3", "d2", "d1", "d0"], ordered=True)
    frame.loc[5, "note"] = None
    path = tmp_path / "results.parquet"
    held = pa.Table.from_pandas(frame)
    held = held.set_column(1, "dataset", held.column("dataset").cast(pa.large_string()))
    pyarrow.parquet.write_table(held, path, row_group_size=100, use_dictionary=dictionary)
    found = read_frame(path)
    assert counted == [9]
    assert_same(found, whole(path, monkeypatch))


def test_a_damaged_row_group(tmp_path: Path, counted: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said of it does not depend on how it is read."""
    path = tmp_path / "results.parquet"
    pyarrow.parquet.write_table(pa.Table.from_pandas(table(900, 7)), path, row_group_size=100)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 400] = bytes(400)
    path.write_bytes(content)
    messages = []
    for read in (read_frame, partial(whole, monkeypatch=monkeypatch)):
        with pytest.raises(ReadingError) as error:
            read(path)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
    assert not counted


def test_more_numbers_than_were_expected() -> None:
    """Later parts may be longer than the first ones."""
    parts = [pa.table({"x": np.arange(float(size))}) for size in (1, 1, 100, 1000)]
    found = in_parts.frame_in_parts(
        iter([partial(lambda part: part, part) for part in parts]), 1, 4, [], lambda _, column: column.to_pandas()
    )
    assert found["x"].tolist() == [number for part in parts for number in part.column("x").to_pylist()]
