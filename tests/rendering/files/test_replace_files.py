"""Files are replaced whole, all or none, with rights and owner; what killed processes left is removed."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from reportkit.errors import RenderingError
from reportkit.rendering.files import replace_files as module
from reportkit.rendering.files.replace_files import Change, remove_leftovers, replace_files


@pytest.fixture
def papers(tmp_path: Path) -> list[Path]:
    """Three files."""
    paths = [tmp_path / name for name in ("a.tex", "b.tex", "c.tex")]
    for path in paths:
        path.write_bytes(b"old " + path.name.encode())
    return paths


def changes(paths: list[Path]) -> list[Change]:
    """New content of each."""
    return [Change(path, path.read_bytes(), b"new " + path.name.encode()) for path in paths]


def contents(paths: list[Path]) -> set[bytes]:
    """First words of the files."""
    return {path.read_bytes().split()[0] for path in paths}


def test_rights_links_and_attributes_stay(tmp_path: Path) -> None:
    """The file behind a symbolic link is written, and the link is still one."""
    real, link = tmp_path / "real.tex", tmp_path / "link.tex"
    real.write_text("a")
    real.chmod(0o640)
    link.symlink_to(real)
    kept = b"yes"
    try:
        os.setxattr(real, "user.kept", kept)
    except OSError:
        kept = b""
    assert replace_files([Change(link, b"a", b"b")]) == ()
    assert link.is_symlink()
    assert real.read_text() == "b"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert not kept or os.getxattr(real, "user.kept") == kept
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.tex", "real.tex"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator may give files away")
def test_the_owner_stays(papers: list[Path]) -> None:
    """Of a file that belongs to somebody else."""
    os.chown(papers[0], 1234, 2345)
    replace_files(changes(papers))
    assert (papers[0].stat().st_uid, papers[0].stat().st_gid) == (1234, 2345)


def test_an_owner_that_cannot_stay_is_said(papers: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A user may not give files away; the rest is done."""
    wanted = changes(papers[:1])
    true = Path.stat

    def foreign(self: Path, **options: bool) -> os.stat_result:
        values = list(true(self, **options))
        values[4] += self.name == "a.tex"
        return os.stat_result(values)

    def refused(*_: object) -> None:
        raise PermissionError(1, "not permitted")

    monkeypatch.setattr(module.os, "chown", refused)
    monkeypatch.setattr(Path, "stat", foreign)
    (note,) = replace_files(wanted)
    assert "another owner" in note


def test_other_hard_links_keep_the_old_text_and_that_is_said(papers: list[Path], tmp_path: Path) -> None:
    """As a copy by `cp -al` is meant to."""
    os.link(papers[0], tmp_path / "copy.tex")
    (note,) = replace_files(changes(papers))
    assert "hard link" in note
    assert (tmp_path / "copy.tex").read_bytes() == b"old a.tex"
    assert contents(papers) == {b"new"}


@pytest.mark.parametrize("failing", range(3))
@pytest.mark.parametrize("kind", ["fsync", "replace", "interrupt"])
def test_all_files_are_replaced_or_none(
    papers: list[Path], monkeypatch: pytest.MonkeyPatch, failing: int, kind: str
) -> None:
    """Whether the disk is full, a rename fails, or the user interrupts; nothing is left beside them."""
    inodes = [path.stat().st_ino for path in papers]
    calls = 0
    true_fsync, true_replace = os.fsync, Path.replace

    def counted() -> None:
        nonlocal calls
        calls += 1
        if calls == failing + 1:
            raise KeyboardInterrupt if kind == "interrupt" else OSError(28, "No space left on device")

    def fsync(handle: int) -> None:
        counted()
        true_fsync(handle)

    def replace(self: Path, target: str) -> Path:
        if self.name.endswith(".tmp"):
            counted()
        return true_replace(self, target)

    if kind == "fsync":
        monkeypatch.setattr(module.os, "fsync", fsync)
    else:
        monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises((KeyboardInterrupt, RenderingError), match=r"^$|No space left"):
        replace_files(changes(papers))
    assert contents(papers) == {b"old"}
    assert [path.stat().st_ino for path in papers] == inodes
    assert len(list(papers[0].parent.iterdir())) == 3


def test_a_file_that_changed_or_is_write_protected_is_left_alone(
    papers: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And all others with it."""
    wanted = changes(papers)
    papers[1].write_bytes(b"mine now")
    with pytest.raises(RenderingError, match=r"b\.tex' was changed since it was read"):
        replace_files(wanted)
    monkeypatch.setattr(module.os, "access", lambda path, _: not str(path).endswith("c.tex"))
    with pytest.raises(RenderingError, match=r"c\.tex' is write-protected"):
        replace_files(changes(papers))
    assert contents(papers) == {b"old", b"mine"}


OURS = (".a.tex.rk-abcd1234.tmp", ".a.tex.rk-________.old")
OTHERS = (".a.tex.rk-abcd1234.tmp.txt", ".a.tex.abcd1234", "a.tex.rk-abcd1234.tmp", ".a.tex.rk-ABCD1234.tmp",
          ".b.tex.rk-abcd1234.tmp", ".aXtex.rk-abcd1234.tmp")  # fmt: skip


def test_what_killed_processes_left_is_removed_and_nothing_else(papers: list[Path], tmp_path: Path) -> None:
    """By the name that only this module gives; no folder and no link of that name."""
    for name in (*OURS, *OTHERS):
        (tmp_path / name).write_text("half")
    (tmp_path / ".a.tex.rk-folder00.tmp").mkdir()
    (tmp_path / ".a.tex.rk-link0000.tmp").symlink_to(papers[1])
    remove_leftovers(papers[:1])
    left = {path.name for path in tmp_path.iterdir()} - {path.name for path in papers}
    assert left == {*OTHERS, ".a.tex.rk-folder00.tmp", ".a.tex.rk-link0000.tmp"}


def test_what_a_living_process_has_beside_a_file_stays(
    papers: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the lock of the file; another writer waits, and then says so."""
    (tmp_path / OURS[0]).write_text("half")
    handle = os.open(papers[0], os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    remove_leftovers(papers)
    assert (tmp_path / OURS[0]).exists()
    monkeypatch.setattr(module, "PATIENCE", 0.1)
    with pytest.raises(RenderingError, match="written by another process"):
        replace_files(changes(papers))
    os.close(handle)
    replace_files(changes(papers))
    assert not (tmp_path / OURS[0]).exists()


def test_without_locks_only_old_leftovers_are_removed(
    papers: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a system or a file system that has none, age decides."""
    monkeypatch.setattr(module, "fcntl", None)
    for name, age in ((OURS[0], 0), (OURS[1], 2 * module.OLD_AGE)):
        (tmp_path / name).write_text("half")
        os.utime(tmp_path / name, (1e9 if age else None, 1e9) if age else None)
    replace_files(changes(papers))
    assert contents(papers) == {b"new"}
    assert (tmp_path / OURS[0]).exists()
    assert not (tmp_path / OURS[1]).exists()


def test_the_longest_name_that_a_file_may_have(tmp_path: Path) -> None:
    """Its neighbours have a shorter one, and are still found."""
    path = tmp_path / ("x" * 251 + ".tex")
    path.write_text("old")
    replace_files([Change(path, b"old", b"new")])
    assert path.read_text() == "new"
    assert len(list(tmp_path.iterdir())) == 1


WRITER = """
import sys
from pathlib import Path
from reportkit.rendering.files.replace_files import Change, replace_files
path = Path(sys.argv[1])
for _ in range(40):
    while True:
        before = path.read_bytes()
        try:
            replace_files([Change(path, before, before + sys.argv[2].encode())])
        except Exception as error:
            if "changed since" not in str(error):
                raise
        else:
            break
"""


def test_two_processes_that_write_one_file_lose_nothing(tmp_path: Path) -> None:
    """Each change is made from what is there."""
    path = tmp_path / "p.tex"
    path.write_bytes(b"")
    running = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), sign]) for sign in "ab"]
    assert [process.wait() for process in running] == [0, 0]
    assert sorted(path.read_text()) == ["a"] * 40 + ["b"] * 40
    assert len(list(tmp_path.iterdir())) == 1
