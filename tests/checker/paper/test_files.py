"""Bytes to text: encodings, sizes, what is no text."""

from __future__ import annotations

import os

import pytest

from reportkit.checker.engine import check
from reportkit.checker.paper.files import MOST_BYTES
from reportkit.checker.paper.reading import read_paper

TEXT = "Café: 93.1 is better.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_encodings_are_recognised(encoding, tmp_path):
    """UTF-8 with or without a mark, or Latin-1, which is said."""
    path = tmp_path / "paper.tex"
    path.write_bytes((TEXT * 20).encode(encoding))
    document = read_paper(path)
    assert document.sentences[0].text.text == TEXT.strip()
    assert [problem.message for problem in document.problems] == (
        ["'paper.tex' is not UTF-8; it was read as Latin-1"] if encoding == "latin-1" else []
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_wide_characters_are_refused_and_saving_as_utf_8_helps(encoding, tmp_path):
    """With a byte order mark or without; nothing is read."""
    path = tmp_path / "paper.tex"
    path.write_bytes((TEXT * 20).encode(encoding))
    (problem,) = read_paper(path).problems
    assert problem.fatal
    assert problem.message == "'paper.tex' is UTF-16 or UTF-32"
    path.write_text(path.read_bytes().decode(encoding), encoding="utf-8")
    assert read_paper(path).problems == ()


def test_zero_characters_are_left_out(tmp_path):
    """The numbers are read; the places stay exact."""
    path = tmp_path / "paper.tex"
    path.write_bytes(b"We see 9\x003.1 here, and 5.5.\n")
    document = read_paper(path)
    assert document.source(document.sentences[0].numbers[-1].span) == "5.5"


@pytest.mark.parametrize("suffix", [".tex", ".md"])
def test_what_is_too_large_or_no_text_is_a_message(suffix, tmp_path):
    """Fifty megabytes, a PDF, a folder, nothing."""
    large = tmp_path / f"large{suffix}"
    with large.open("wb") as file:
        file.truncate(50_000_000)
    (tmp_path / f"figure{suffix}").write_bytes(b"%PDF-1.5 ...")
    (tmp_path / f"folder{suffix}").mkdir()
    for name, words in (
        ("large", f"{MOST_BYTES / 1e6:.0f} MB"),
        ("figure", "no text"),
        ("gone", "no file"),
        ("folder", "it is a folder"),
    ):
        (problem,) = read_paper(tmp_path / f"{name}{suffix}").problems
        assert words in problem.message
        assert problem.fatal


def test_notebooks_and_archives_are_refused_with_what_to_do(tmp_path):
    """Neither is read as LaTeX."""
    (tmp_path / "paper.ipynb").write_text('{"cells": []}')
    (tmp_path / "paper.zip").write_bytes(b"PK\x03\x04...")
    for name, words in (("paper.ipynb", "nbconvert --to markdown paper.ipynb"), ("paper.zip", "unpack archives")):
        (problem,) = read_paper(tmp_path / name).problems
        assert problem.fatal
        assert words in problem.remedy


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_do_not_matter(end, tmp_path):
    """The same sentences, lines and columns."""
    path = tmp_path / "paper.tex"
    path.write_bytes(f"One 1.5.{end}{end}Two % c{end} and 2.5.{end}".encode())
    document = read_paper(path)
    assert [item.text.text for item in document.sentences] == ["One 1.5.", "Two and 2.5."]
    assert document.location(document.sentences[1].numbers[0].span)[1:3] == (4, 6)


@pytest.fixture
def outside(tmp_path):
    """A paper in a folder, with a secret above it, a pipe, and links of all kinds."""
    folder = tmp_path / "paper"
    folder.mkdir()
    (tmp_path / "secret.tex").write_text("SECRET 1.5")
    (folder / ".env").write_text("SECRET 1.5")
    os.mkfifo(folder / "pipe.tex")
    for name, target in (("link", "../secret.tex"), ("environ", "/proc/self/environ"), ("zero", "/dev/zero"),
                         ("hidden", ".env"), ("loop", "loop.tex")):  # fmt: skip
        (folder / f"{name}.tex").symlink_to(target)
    return folder


NAMED = ["../secret", "../secret.tex", "/etc/passwd", "/proc/self/environ", "/proc/kmsg", "/dev/zero", "/dev/tty",
         "/sys/kernel/notes", "link", "environ", "zero", "hidden", ".env", "pipe", "loop", "../absent",
         "/proc/self/fd/0"]  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("command", ["input", "include", "subfile", "InputIfFileExists", "import{}", "subimport{}"])
def test_no_file_is_read_that_is_none_of_the_papers(command, name, outside):
    """Each is noted with its place, nothing of it is seen in any output, and nobody waits for a pipe."""
    path = outside / "paper.tex"
    path.write_text(f"Before.\n\\{command}{{{name}}}\nAfter.\n")
    report = check(path, select=["RK001"])
    assert [file.path.name for file in report.files.values()] == ["paper.tex"]
    assert len(report) == 0
    if not (command == "InputIfFileExists" and name == "loop"):  # LaTeX goes on without it, too
        (note,) = report.coverage.notes
        assert note.startswith("paper.tex:2: ")
    assert "SECRET" not in "".join(report.render(name) for name in ("full", "concise", "json", "sarif", "github"))


def test_a_paper_that_is_a_link_out_of_its_folder_is_refused(outside):
    """A stranger may have made it; the file itself may be checked."""
    for name, words in (("link", "a link to a file that lies outside"), ("environ", "a link to a file that is no"),
                        ("hidden", "hidden"), ("pipe", "no regular file"), ("loop", "cannot be read")):  # fmt: skip
        (problem,) = read_paper(outside / f"{name}.tex").problems
        assert problem.fatal
        assert words in problem.message
    assert read_paper(outside.parent / "secret.tex").problems == ()
    assert read_paper(outside / ".env").problems == ()
