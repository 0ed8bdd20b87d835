"""JSON: lists of objects and split frames; what is no table."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from reportkit.errors import ReadingError
from reportkit.readers import read_frame
from reportkit.readers.json_records import JSON_RECORDS
from reportkit.readers.source import Source

FRAME = pd.DataFrame({"system": ["a", "007"], "dataset": ["cb", "NA"], "id": [1, 2**60 + 1], "score": [0.5, None]})


def _written(frame: pd.DataFrame) -> bytes:
    rows = frame.astype(object).where(frame.notna(), None).to_dict(orient="records")
    return json.dumps(rows).encode()  # pandas itself writes 15 digits at most


WRITERS = {".json": _written}
"""How a frame is written in this format, for the tests of all of them."""


@pytest.mark.parametrize("orient", ["records", "split"])
@pytest.mark.parametrize("indent", [0, 2])
def test_rows_are_read_as_they_are_written(orient: str, indent: int, tmp_path: Path) -> None:
    """Ids stay texts or whole numbers, null is no score."""
    FRAME.to_json(tmp_path / "r.json", orient=orient, indent=indent, index=False)
    found = read_frame(tmp_path / "r.json")
    assert found.astype(object).where(found.notna(), None).to_dict("records") == [
        {"system": "a", "dataset": "cb", "id": 1, "score": 0.5},
        {"system": "007", "dataset": "NA", "id": 2**60 + 1, "score": None},
    ]


def test_a_list_that_is_the_only_member(tmp_path: Path) -> None:
    """{"results": [...]}."""
    (tmp_path / "r.json").write_text('{"results": [{"system": "a"}, {"score": 1}]}', encoding="utf-8")
    assert read_frame(tmp_path / "r.json").shape == (2, 2)


def test_numbers_of_a_printed_table_keep_their_digits(tmp_path: Path) -> None:
    """0.050 is not 0.05."""
    row = '{"dataset": "cb", "score_a": 90.0, "score_b": 80.50, "p_value": 0.050}'
    (tmp_path / "r.json").write_text(f"[{row}]", encoding="utf-8")
    assert list(read_frame(tmp_path / "r.json").iloc[0])[1:] == ["90.0", "80.50", "0.050"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("[{", "is not JSON"),
        ("[]", "has no rows"),
        ("[1]", "not an object but a int"),
        ('{"a": 1}', "not a table"),
        ("3", "no table but a int"),
        ('[{"a": 1, "a": 2}]', "the key 'a' twice"),
        ('{"columns": ["a"], "data": [[1, 2]]}', "does not have 1 cells"),
        ('{"columns": ["a", "a"], "data": [[1, 2]]}', "two columns of one name"),
        ("[" * 100_000, "nested too deeply|is not JSON"),
        ("[{" + '"a": ' + "9" * 5000 + "}]", "too many digits"),
    ],
)
def test_what_is_no_table_is_refused(text: str, said: str, tmp_path: Path) -> None:
    """Each with what is wrong."""
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReadingError, match=said):
        JSON_RECORDS.read(Source(path), columns=None, systems=None)
