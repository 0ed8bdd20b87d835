"""Parquet: types and order of the file are kept; an index of pandas becomes columns."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from reportkit.errors import ReadingError
from reportkit.readers import read_frame


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
