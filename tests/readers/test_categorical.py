"""Texts of Arrow become categoricals that hold the same, however they are stored."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from reportkit.readers import categorical as module
from reportkit.readers.categorical import categorical

TEXTS = ["b", "a", None, "b", "é", "", "c", "a"]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())])
@pytest.mark.parametrize("sample", [1, 3, 100])
def test_same_texts(kind: pa.DataType, sample: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain and dictionary columns in several chunks, with texts that the sample does not hold."""
    monkeypatch.setattr(module, "_SAMPLE", sample)
    chunks = [pa.array(part, type=pa.string()).cast(kind) for part in (TEXTS[:3], [], TEXTS[3:4], TEXTS[4:])]
    found = categorical(pa.chunked_array(chunks, type=kind))
    assert [None if text != text else text for text in found.astype(object)] == TEXTS
    assert len(set(found.categories)) == len(found.categories) == 5


def test_no_chunks() -> None:
    """A column without rows has no categories."""
    for kind in (pa.string(), pa.dictionary(pa.int32(), pa.string())):
        assert len(categorical(pa.chunked_array([], type=kind)).categories) == 0


def test_many_texts_in_threads() -> None:
    """A million and a half texts of a third as many kinds are looked up in parts."""
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 500_000, 1_600_000)
    column = pa.chunked_array(
        [pa.array(numbers[:700_000]).cast(pa.string()), pa.array(numbers[700_000:]).cast(pa.string())]
    )
    found = categorical(column)
    names = found.categories.to_numpy(dtype=object).astype(np.int64)
    np.testing.assert_array_equal(names[found.codes], numbers)
