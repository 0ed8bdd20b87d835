"""Files are replaced whole, all or none, with their rights."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from reportkit.errors import RenderingError
from reportkit.rendering import replace_files as module
from reportkit.rendering.replace_files import Change, replace_files


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


def test_rights_and_links_stay(tmp_path: Path) -> None:
    """The file behind a symbolic link is written, and the link is still one."""
    real, link = tmp_path / "real.tex", tmp_path / "link.tex"
    real.write_text("a")
    real.chmod(0o640)
    link.symlink_to(real)
    replace_files([Change(link, b"a", b"b")])
    assert link.is_symlink()
    assert real.read_text() == "b"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.tex", "real.tex"]


@pytest.mark.parametrize("failing", range(3))
@pytest.mark.parametrize("kind", ["fsync", "replace", "interrupt"])
def test_all_files_are_replaced_or_none(
    papers: list[Path], monkeypatch: pytest.MonkeyPatch, failing: int, kind: str
) -> None:
    """Whether the disk is full, a rename fails, or the user interrupts; nothing is left next to them."""
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

    def replace(self: Path, target: Path) -> Path:
        counted()
        return true_replace(self, target)

    if kind == "fsync":
        monkeypatch.setattr(module.os, "fsync", fsync)
    else:
        monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises((KeyboardInterrupt, RenderingError), match=r"^$|No space left"):
        replace_files(changes(papers))
    assert contents(papers) == {b"old"}
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
