"""Feather: types, streams of Arrow, damage."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from reportkit.errors import ReadingError
from reportkit.readers import read_frame

FRAME = pd.DataFrame({"system": ["a", "b"], "dataset": ["cb", "cb"], "id": [1, 2**60 + 1], "score": [0.5, None]})


def _feather(frame: pd.DataFrame) -> bytes:
    sink = pa.BufferOutputStream()
    frame.to_feather(sink)
    return sink.getvalue().to_pybytes()


WRITERS = dict.fromkeys((".feather", ".arrow", ".ipc"), _feather)
"""How a frame is written in these formats, for the tests of all of them."""


@pytest.mark.parametrize("compression", ["uncompressed", "lz4", "zstd"])
def test_types_are_those_of_the_file(compression: str, tmp_path: Path) -> None:
    """Large whole numbers stay whole, texts become categoricals."""
    FRAME.to_feather(tmp_path / "r.feather", compression=compression)
    found = read_frame(tmp_path / "r.feather")
    texts = {"system": "str", "dataset": "str"}
    pd.testing.assert_frame_equal(found.astype(texts), FRAME.astype(texts))
    assert isinstance(found["system"].dtype, pd.CategoricalDtype)


def test_a_stream_of_arrow_is_read_too(tmp_path: Path) -> None:
    """As polars and DuckDB write .arrow files."""
    table = pa.Table.from_pandas(FRAME, preserve_index=False)
    with pa.OSFile(str(tmp_path / "r.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    assert list(read_frame(tmp_path / "r.arrow")["id"]) == [1, 2**60 + 1]


def test_damage_is_said(tmp_path: Path) -> None:
    """Cut off, no Feather, no rows."""
    whole = _feather(FRAME)
    for number, content in enumerate((b"", b"text", whole[:40], whole[:-30])):
        path = tmp_path / f"{number}.feather"
        path.write_bytes(content)
        with pytest.raises(ReadingError, match="not a Feather file"):
            read_frame(path)
    (tmp_path / "r.feather").write_bytes(_feather(FRAME.head(0)))
    with pytest.raises(ReadingError, match="has no rows"):
        read_frame(tmp_path / "r.feather")
