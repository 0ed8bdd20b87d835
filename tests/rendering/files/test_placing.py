"""Files put into a folder: nothing is mixed, lost or left, whatever stops the process and whoever writes at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from reportkit.errors import RenderingError
from reportkit.rendering.files import folder_lock, placing
from reportkit.rendering.files.folder_lock import locked
from reportkit.rendering.files.placing import UNDO, put_in_place, settle, sole_writer

ROOT = Path(__file__).resolve().parents[3]
OLDER = {"report.json": b"o", "report.tex": b"o", "tables/a.tex": b"o", "figures/f.pdf": b"o"}
NEWER = {"report.json": b"n", "report.tex": b"n", "tables/a.tex": b"n", "tables/b.tex": b"n"}

posix_only = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and SIGKILL")


def _write(folder: Path, files: dict[str, bytes], older: dict[str, bytes]) -> None:
    with sole_writer(folder):
        put_in_place(folder, files, [*older])


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_stays_the_same_one(tmp_path: Path) -> None:
    """Files of the user in it stay, and so does a link to it."""
    (tmp_path / "elsewhere").mkdir()
    folder = tmp_path / "r"
    folder.symlink_to("elsewhere")
    _write(folder, OLDER, {})
    (folder / "notes.txt").write_text("mine")
    place = folder.stat().st_ino
    _write(folder, NEWER, OLDER)
    assert folder.is_symlink()
    assert folder.stat().st_ino == place
    assert _contents(tmp_path / "elsewhere") == {**NEWER, "notes.txt": b"mine"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "r"]


def test_rights_of_the_folder_are_kept(tmp_path: Path) -> None:
    """A folder that a group may write stays so."""
    _write(tmp_path / "r", OLDER, {})
    (tmp_path / "r").chmod(0o2770)
    (tmp_path / "r" / "tables").chmod(0o750)
    _write(tmp_path / "r", NEWER, OLDER)
    assert (tmp_path / "r").stat().st_mode & 0o7777 == 0o2770
    assert (tmp_path / "r" / "tables").stat().st_mode & 0o777 == 0o750


def test_a_second_writer_waits_and_then_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as another one writes; a short time only, and with what to do."""
    monkeypatch.setattr(folder_lock, "PATIENCE", 0.1)
    with locked(tmp_path), pytest.raises(RenderingError, match="another process is writing into") as caught:
        _write(tmp_path, NEWER, {})
    assert "name another folder" in str(caught.value.remedy)
    assert _contents(tmp_path) == {}
    monkeypatch.undo()
    order: list[str] = []
    with locked(tmp_path):
        second = threading.Thread(target=lambda: (_write(tmp_path, NEWER, {}), order.append("second")))
        second.start()
        second.join(0.1)
        order.append("first")
    second.join()
    assert order == ["first", "second"]
    assert _contents(tmp_path) == NEWER


@posix_only
def test_the_lock_of_a_dead_process_is_free(tmp_path: Path) -> None:
    """The system gives it back: no file is left that somebody would have to delete."""
    code = "from pathlib import Path\nfrom reportkit.rendering.files.folder_lock import locked\nimport os, signal\n"
    code += f"with locked(Path({str(tmp_path)!r})):\n    os.kill(os.getpid(), signal.SIGKILL)"
    done = subprocess.run([sys.executable, "-c", code], check=False, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert done.returncode == -9
    _write(tmp_path, NEWER, {})
    assert _contents(tmp_path) == NEWER


def _interrupted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave a folder as a process does that is killed in the middle of the moves."""
    _write(folder, OLDER, {})
    (folder / "notes.txt").write_text("mine")
    with monkeypatch.context() as patched:
        patched.setattr(placing, "_undone", lambda folder: None)
        real, calls = Path.replace, []

        def replace(self: Path, target: Path) -> Path:
            calls.append(target)
            if len(calls) == 3:
                raise KeyboardInterrupt
            return real(self, target)

        patched.setattr(Path, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            _write(folder, NEWER, OLDER)
    assert (folder / UNDO).is_dir()
    assert _contents(folder)["report.tex"] == b"n"
    assert _contents(folder)["tables/a.tex"] == b"o"


def test_a_reader_puts_the_older_report_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads the folder next; doing it again changes nothing."""
    _interrupted(tmp_path / "r", monkeypatch)
    for _ in range(2):
        settle(tmp_path / "r")
        assert _contents(tmp_path / "r") == {**OLDER, "notes.txt": b"mine"}


def test_what_cannot_be_put_back_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the folder, the reason and what to do."""
    _interrupted(tmp_path / "r", monkeypatch)

    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(placing, "_undone", refuse)
    with pytest.raises(RenderingError, match="was interrupted, and the older report cannot be put back: Permission"):
        settle(tmp_path / "r")


def test_a_forged_record_reaches_nothing_outside(tmp_path: Path) -> None:
    """Neither names that leave the folder nor links in it are followed."""
    folder = tmp_path / "r"
    (folder / UNDO).mkdir(parents=True)
    (tmp_path / "paper").mkdir()
    (tmp_path / "paper" / "report.tex").write_text("mine")
    names = ["../paper/report.tex", str(tmp_path / "paper" / "report.tex"), 3, "report.tex"]
    (folder / UNDO / "names.json").write_text(json.dumps({"files": names, "kept": names}))
    (folder / UNDO / "old").symlink_to(tmp_path / "paper")
    settle(folder)
    assert _contents(tmp_path / "paper") == {"report.tex": b"mine"}
    assert _contents(folder) == {}
    (folder / UNDO).symlink_to(tmp_path / "paper")
    settle(folder)
    assert _contents(tmp_path / "paper") == {"report.tex": b"mine"}
