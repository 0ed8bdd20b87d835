"""Files of a paper: bytes that nobody asked to change stay."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.errors import ReadingError, RenderingError
from reportkit.rendering.paper.paper_file import Edit, PaperFile, line_number, read_paper


@pytest.mark.parametrize(
    "content",
    [
        b"plain\n",
        "naïve 中\r\n".encode(),
        "\ufeffwith a mark\n".encode(),
        "caf\xe9 in Latin-1\r".encode("latin-1"),
        b"\xff\xfe odd \x80 bytes\n",
        b"mixed\r\nends\rof\nlines, trailing \t \n",
        b"",
    ],
)
def test_bytes_come_back(tmp_path: Path, content: bytes) -> None:
    """Whatever the encoding and the line ends are."""
    path = tmp_path / "p.tex"
    path.write_bytes(content)
    assert read_paper(path).content == content


@given(st.binary(max_size=40).filter(lambda content: b"\0" not in content))
def test_any_bytes_come_back(content: bytes) -> None:
    """As nothing is decoded that cannot be encoded again."""
    try:
        text, encoding = content.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        text, encoding = content.decode("latin-1"), "latin-1"
    assert PaperFile(Path("p"), text, encoding).edited([]).content == content


@pytest.mark.parametrize(
    ("text", "start", "end", "expected"),
    [
        ("a\nb\n", 0, 1, "x\ny\nb\n"),
        ("a\r\nb\r\n", 0, 1, "x\r\ny\r\nb\r\n"),
        ("a\rb\r", 0, 1, "x\ry\rb\r"),
        ("a\nb\r\nc\r\nd", 0, 1, "x\r\ny\nb\r\nc\r\nd"),
        ("a\r\nb\nc\nd", 0, 4, "x\r\ny\nc\nd"),
        ("a", 0, 1, "x\ny"),
    ],
)
def test_new_lines_end_as_the_others_do(text: str, start: int, end: int, expected: str) -> None:
    """As those in the place that is replaced, or else as most of the file."""
    edited = PaperFile(Path("p"), text, "utf-8").edited([Edit(start, end, "x\ny")])
    assert edited.text == expected


def test_edits_are_put_in_place_together() -> None:
    """Positions are those of the old text, in any order; overlapping ones are a mistake."""
    file = PaperFile(Path("p"), "0123456789", "utf-8")
    assert file.edited([Edit(5, 6, "five"), Edit(0, 1, ""), Edit(9, 10, "9!")]).text == "1234five6789!"
    with pytest.raises(ValueError, match="overlap"):
        file.edited([Edit(0, 5, ""), Edit(4, 6, "")])


def test_latin_1_cannot_hold_everything() -> None:
    """The character and what to do are said."""
    file = PaperFile(Path("p.tex"), "caf\xe9", "latin-1")
    assert file.edited([Edit(0, 1, "\xc9")]).content == b"\xc9af\xe9"
    with pytest.raises(RenderingError, match=r"(?s)Latin-1 has no '中' \(U\+4E2D\).*UTF-8"):
        file.edited([Edit(0, 1, "中")])


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    """No file, a folder, UTF-16, a pipe, for which nobody waits."""
    (tmp_path / "u.tex").write_bytes("abc".encode("utf-16"))
    os.mkfifo(tmp_path / "pipe.tex")
    for name, words in (("no.tex", "there is no file"), (".", "it is a folder"), ("u.tex", "bytes of zero"),
                        ("pipe.tex", "no regular file")):  # fmt: skip
        with pytest.raises(ReadingError, match=words):
            read_paper(tmp_path / name)


def test_lines_are_counted_from_one() -> None:
    """By all three kinds of line ends."""
    text = "a\nb\r\nc\rd"
    assert [line_number(text, text.index(sign)) for sign in "abcd"] == [1, 2, 3, 4]
