"""Short texts are found where they are, and no text is taken for another."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.readers import short_texts
from reportkit.readers.categorical import categorical
from reportkit.readers.short_texts import ShortTexts, worth_while

TEXTS = st.text("ab\x00é\U0001f600", max_size=9).filter(lambda text: len(text.encode()) <= 16)


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(st.lists(TEXTS, unique=True, min_size=1, max_size=30), st.lists(st.text("ab\x00é", max_size=30), max_size=30))
def test_a_text_is_found_or_not_but_never_another(known: list[str], others: list[str]) -> None:
    """A code is that of the same text; texts that are longer, null or unknown have none."""
    table = ShortTexts(pa.array(known))
    asked = [*known, None, *others]
    for texts in (pa.array(asked, type=pa.string()), pa.array(["x", *asked], type=pa.string()).slice(1)):
        for text, code in zip(asked, table.find(texts).tolist(), strict=True):
            assert code == -1 or known[code] == text


def test_nearly_all_are_found() -> None:
    """Few known texts lose their slot."""
    known = pa.array([f"item-{number:06}" for number in range(100_000)])
    found = ShortTexts(known).find(known)
    assert (found == np.arange(100_000)).mean() > 0.8
    assert set(found[found != np.arange(100_000)]) <= {-1}


def test_padding_is_no_text() -> None:
    """A text of 8 bytes is not the beginning of a longer one, and an empty text is a text."""
    table = ShortTexts(pa.array(["", "12345678"]))
    assert table.find(pa.array(["123456789", "12345678", "", "1234567"])).tolist() == [-1, 1, 0, -1]
    assert table.find(pa.array([], type=pa.string())).tolist() == []
    assert table.find(pa.array([""])).tolist() == [0]


def test_when_it_is_worth_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only for many texts, of at most 16 bytes."""
    monkeypatch.setattr(short_texts, "FEWEST", 2)
    assert worth_while(pa.array(["a", "b" * 16]))
    assert not worth_while(pa.array(["a", "b" * 17]))
    assert not worth_while(pa.array(["a"]))
    assert not worth_while(pa.array(["a", "b"], type=pa.large_string()))


@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 10, 20])
def test_columns_of_many_texts(width: int) -> None:
    """A column of 600,000 texts of 150,000 kinds, some of them new after the sample, is coded exactly."""
    rng = np.random.default_rng(width)
    numbers = rng.integers(0, 150_000, 600_000)
    texts = [f"{number:0{width}}" for number in numbers]
    column = pa.chunked_array([texts[:250_000], [], texts[250_000:]], type=pa.string())
    found = categorical(column)
    assert len(set(found.categories)) == len(found.categories)
    assert found.astype(object).tolist() == texts
