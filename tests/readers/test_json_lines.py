"""JSON Lines: a wrong line is named; dates, nulls and several types stay what they are."""

from __future__ import annotations

import gzip
from pathlib import Path

import pandas as pd
import pytest

from reportkit.errors import ReadingError
from reportkit.readers import read_frame


def read(folder: Path, content: str | bytes, name: str = "results.jsonl") -> pd.DataFrame:
    """Write a file and read it."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_frame(path)


def test_dates_stay_texts(tmp_path: Path) -> None:
    """A dataset called 2020-01-01 is no date, even where it first occurs in the second line."""
    for first in ('"cb"', "null"):
        frame = read(tmp_path, f'{{"dataset": {first}, "score": 1}}\n{{"dataset": "2020-01-01", "score": 0.5}}\n')
        assert frame["dataset"].iloc[1] == "2020-01-01"
        assert frame["score"].tolist() == [1, 0.5]


def test_absent_keys_are_missing(tmp_path: Path) -> None:
    """A line may lack a key, and whole numbers beside it stay whole."""
    frame = read(tmp_path, '{"id": 9007199254740993, "score": 1}\n{"id": 2}\n{"score": 2}\n')
    assert frame["id"].iloc[0] == 9007199254740993
    assert frame["score"].isna().tolist() == [False, True, False]


def test_numbers_of_a_printed_table_stay_as_written(tmp_path: Path) -> None:
    """0.050 is not 0.05, and 1e-4 is not 0.0001."""
    frame = read(tmp_path, '{"dataset": "BC", "score_a": 90.70, "score_b": 89, "p_value": 1e-4}\n')
    assert frame.iloc[0].tolist() == ["BC", "90.70", "89", "1e-4"]


@pytest.mark.parametrize(
    ("content", "problem", "where"),
    [
        ("", "is empty", None),
        ("\n \n", "is empty", None),
        ('{"a": 1}\n\n{"a": }\n', "is not JSON", "line 3"),
        ('{"a": 1}\n[1]\n', "is not a JSON object but a list", "line 2"),
        ('{"a": 1}\n3\n', "is not a JSON object but a int", "line 2"),
        ('[\n{"a": 1}]', "is not JSON", "line 1"),
        (b'{"a": 1}\n{"a": "\xe9"}\n', "is not UTF-8: byte 0xe9", "line 2, byte 8"),
    ],
)
def test_wrong_lines(tmp_path: Path, content: str | bytes, problem: str, where: str | None) -> None:
    """The line is named, counted as editors do."""
    with pytest.raises(ReadingError, match=problem) as raised:
        read(tmp_path, content)
    assert where is None or where in str(raised.value)


def test_damaged_gzip(tmp_path: Path) -> None:
    """A file that breaks off is not read as far as it goes."""
    whole = gzip.compress(b"".join(b'{"a": %d}\n' % number for number in range(50_000)))
    with pytest.raises(ReadingError, match="is damaged"):
        read(tmp_path, whole[: len(whole) // 2], "results.jsonl.gz")
