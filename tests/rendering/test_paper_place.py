"""What a paper may name: files in its folder or repository, never the system's, a hidden one or one that blocks."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from reportkit.rendering.paper_place import PaperPlace, regular_bytes


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """A paper in a folder of a repository, with files inside and outside of both."""
    folder = tmp_path / "home" / "repository" / "paper"
    folder.mkdir(parents=True)
    (tmp_path / "home" / "repository" / ".git").mkdir()
    for name in ("paper.tex", "part.tex", ".hidden.tex", "../shared.tex", "../.git/config", "../../secret.tex"):
        (folder / name).write_text(name)
    for name, target in (("in.tex", "part.tex"), ("out.tex", "../../secret.tex"), ("token.tex", "../.git/config"),
                         ("environ.tex", "/proc/self/environ"), ("loop.tex", "loop.tex")):  # fmt: skip
        (folder / name).symlink_to(target)
    return folder / "paper.tex"


@pytest.mark.parametrize("name", ["part.tex", "in.tex", "../shared.tex", "../paper/part.tex", "absent.tex", "loop.tex"])
def test_files_of_the_paper_and_of_its_repository_may_be_read(paper: Path, name: str) -> None:
    """By any way that leads to them; whether they exist is another question."""
    assert PaperPlace.of(paper).refusal(paper.parent / name) == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../../secret.tex", "outside"),
        ("out.tex", "outside"),
        ("/etc/passwd", "outside"),
        ("../../absent.tex", "outside"),
        ("token.tex", "hidden"),
        ("../.git/config", "hidden"),
        (".hidden.tex", "hidden"),
        ("environ.tex", "no file of a paper"),
        ("/proc/kmsg", "no file of a paper"),
        ("../../../../../../../../../../../../dev/zero", "no file of a paper"),
        ("/sys/kernel/notes", "no file of a paper"),
    ],
)
def test_other_files_are_refused_whether_they_exist_or_not(paper: Path, name: str, words: str) -> None:
    """Absolute paths, paths upwards, links out, hidden files, the system's trees."""
    assert words in PaperPlace.of(paper).refusal(paper.parent / name)


def test_without_a_repository_the_folder_is_the_limit(paper: Path) -> None:
    """And only what is in the folder is held by it, with links followed."""
    (paper.parent.parent / ".git" / "config").unlink()
    (paper.parent.parent / ".git").rmdir()
    place = PaperPlace.of(paper)
    assert place.repository is None
    assert "outside" in place.refusal(paper.parent / "../shared.tex")
    assert place.holds(paper.parent / "in.tex")
    assert not place.holds(paper.parent / "out.tex")


def test_a_hidden_file_that_the_user_names_may_be_read(paper: Path) -> None:
    """But no link of a stranger to a hidden file."""
    place = PaperPlace.of(paper)
    assert place.refusal(paper.parent / ".hidden.tex", named=True) == ""
    assert place.refusal(paper.parent / "token.tex", named=True) == "is hidden"


def test_nothing_is_waited_for_that_is_no_regular_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe, a socket, a device, a folder; content is bounded."""
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.chdir(tmp_path)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for path in (tmp_path / "pipe", tmp_path / "socket", Path("/dev/zero"), tmp_path):
            with pytest.raises(OSError, match="it is"):
                regular_bytes(path)
    (tmp_path / "file").write_bytes(b"x" * 3_000_000)
    assert len(regular_bytes(tmp_path / "file")) == 3_000_000
    assert len(regular_bytes(tmp_path / "file", most=1_500_000)) == 1_500_001
    with pytest.raises(FileNotFoundError):
        regular_bytes(tmp_path / "absent")
