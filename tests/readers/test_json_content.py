"""JSON of harnesses: the same by orjson and by the standard library, and a message for whatever is damaged."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import pytest

from reportkit.errors import ReadingError
from reportkit.readers import Source, json_content

PARSERS = ["standard library", *(["orjson"] if importlib.util.find_spec("orjson") else [])]


@pytest.fixture(params=PARSERS)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With and without the extra."""
    if request.param == "standard library":
        monkeypatch.setattr(json_content, "_fast", None)
    return str(request.param)


def _source(folder: Path, content: bytes) -> Source:
    (folder / "a.jsonl").write_bytes(content)
    return Source(folder / "a.jsonl")


def test_values(parser: str, tmp_path: Path) -> None:
    """A byte order mark, blank lines, NaN, which is not JSON and which Python writes, large numbers."""
    source = _source(tmp_path, b'\xef\xbb\xbf{"a": NaN}\n\n  \n{"a": 123456789012345678901234567890, "b": "\\u00fc"}')
    (_, first), (number, second) = json_content.lines(source)
    assert math.isnan(first["a"])
    assert (number, second["a"] > 10**28, second["b"]) == (4, True, "ü")


DAMAGED = {
    b'{"a": 1}\n{"a": ': "line 2",
    b'{"a": 1}\n[1]\n': "line 2",
    b'{"a": "\xff"}\n': "not UTF-8",
    b'{"a": ' + b"[" * 100_000 + b"\n": "a.jsonl",
    b'{"a": ' + b"9" * 5_000 + b"}\n": "a.jsonl",
}


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
def test_damaged_lines(parser: str, tmp_path: Path, content: bytes) -> None:
    """What is wrong, and where."""
    with pytest.raises(ReadingError, match=DAMAGED[content]):
        list(json_content.lines(_source(tmp_path, content)))


@pytest.mark.parametrize("content", [b"", b"[1]", b"null", b'{"a"', b"\xff"])
def test_damaged_documents(parser: str, tmp_path: Path, content: bytes) -> None:
    """Where an object was to be."""
    with pytest.raises(ReadingError, match=r"a\.jsonl"):
        json_content.mapping(_source(tmp_path, content))


@pytest.mark.parametrize(
    ("value", "expected"),
    [(1, 1.0), (True, 1.0), ("1", None), (None, None), ([1], None), (10**400, None), (math.nan, None)],
)
def test_numbers(value: object, expected: float | None) -> None:
    """What is a score, and what is none."""
    assert json_content.number(value) == expected


def test_ids_are_texts() -> None:
    """Whole numbers as they are written; a float that stands for many of them is none."""
    assert json_content.text_of({"id": 7}, "id") == "7"
    assert json_content.text_of({"id": True, "name": "a"}, "id", "name") == "a"
    assert json_content.text_of({"id": 1.2345e29}, "id") is None
