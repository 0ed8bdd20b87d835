"""Texts with one segment per line."""

import gzip

import pytest

from reportkit.errors import ReadingError
from reportkit.readers.segments import read_segments


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("one\ntwo\n", ["one", "two"]),
        ("one\ntwo", ["one", "two"]),
        ("one\r\n\r\ntwo\r\n", ["one", "", "two"]),
        ("\n\n", ["", ""]),
        ("a\u2028b\x0bc\x85d\ne\n", ["a\u2028b\x0bc\x85d", "e"]),
        ("\ufeffone\n", ["one"]),
        (" one \t\n", [" one \t"]),
    ],
)
def test_lines_end_at_line_feeds_and_nowhere_else(tmp_path, content, lines):
    """Empty lines count; Unicode's other line ends belong to the text."""
    path = tmp_path / "texts.txt"
    path.write_bytes(content.encode())
    assert read_segments(path) == lines
    (tmp_path / "texts.txt.gz").write_bytes(gzip.compress(content.encode()))
    assert read_segments(tmp_path / "texts.txt.gz") == lines


def test_unreadable_files_are_refused(tmp_path):
    """Absent, a folder, empty, not UTF-8: with the line."""
    with pytest.raises(ReadingError, match="there is no file"):
        read_segments(tmp_path / "absent.txt")
    with pytest.raises(ReadingError, match="is a folder"):
        read_segments(tmp_path)
    path = tmp_path / "texts.txt"
    path.write_bytes(b"")
    with pytest.raises(ReadingError, match="is empty"):
        read_segments(path)
    path.write_bytes(b"one\ntwo\nK\xf6ln\n")
    with pytest.raises(ReadingError, match="line 3, byte 0xf6"):
        read_segments(path)
