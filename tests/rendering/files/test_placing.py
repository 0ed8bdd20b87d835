"""Files put into a folder: nothing is mixed, lost or left, whatever stops the process and whoever writes at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

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


def _killing(code: str) -> Any:
    """Run functions of the benchmark in a process of its own, which forks, and read what it prints.

    Its commands draw themselves: what they load was loaded before the fork.
    """
    program = (
        "import json, sys\nsys.path.insert(0, 'benchmarks')\nimport kill_builds as k\n"
        f"from reportkit.rendering import images\nimages._processors = lambda: 1\nprint(json.dumps({code}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@posix_only
@pytest.mark.parametrize(
    "foreign", [{}, {"report.pdf": b"by TeX"}, {"notes.txt": b"mine"}], ids=["pure", "pdf", "notes"]
)
def test_a_kill_at_any_step_leaves_one_report_or_what_the_next_command_makes_one(foreign: dict[str, bytes]) -> None:
    """Before each single change of the file system; where folders can be exchanged, nothing is ever mixed."""
    found = _killing(f"k.at_each_move({OLDER!r}, {NEWER!r}, {foreign!r})")
    assert found["kills"] > 10
    assert sum(found["after show"].values()) == found["kills"]
    assert set(found["after show"]) <= {"older", "newer"}
    assert found["after build"] == {"newer": found["kills"]}
    assert found["leftovers after the next build"] == 0
    if sys.platform == "linux" and "notes.txt" not in foreign:
        assert set(found["at once"]) <= {"older", "newer"}


@posix_only
@pytest.mark.slow
def test_a_killed_command_and_two_at_once_leave_a_whole_report() -> None:
    """The whole `reportkit build`; the committed results hold many more of both."""
    found = _killing("[k.at_random_moments(5), k.pairs_at_once(3)]")
    assert found[0]["kills"] == 5
    assert set(found[0]["after show"]) <= {"older", "newer"}
    assert found[0]["after build"] == {"newer": 5}
    assert set(found[1]["afterwards"]) <= {"older", "newer"}
    assert found[0]["leftovers after the next build"] == found[1]["leftovers"] == 0


def test_the_committed_kills_mixed_nothing() -> None:
    """What docs/reference/outputs.md says about killed and simultaneous builds is what was measured."""
    found = json.loads((ROOT / "benchmarks" / "results" / "kill_builds.json").read_text("utf-8"))["measured"]
    by_exchange, moments = found["at each move, by exchange"], found["at random moments"]
    assert moments["kills"] >= 100
    assert found["two builds at once"]["pairs"] >= 40
    for part in (by_exchange, found["at each move, file by file"], moments):
        assert sum(part["at once"].values()) == part["kills"]
        assert set(part["after show"]) <= {"older", "newer"}
        assert part["after build"] == {"newer": part["kills"]}
        assert part["leftovers after the next build"] == 0
    assert set(by_exchange["at once"]) | set(moments["at once"]) <= {"older", "newer"}
    assert set(found["two builds at once"]["afterwards"]) <= {"older", "newer"}
    assert found["two builds at once"]["leftovers"] == 0


def test_a_folder_stays_where_others_may_be_in_it(tmp_path: Path) -> None:
    """One with files of the user, and the one that the process works in, are not exchanged."""
    folder = tmp_path / "r"
    _write(folder, OLDER, {})
    (folder / "notes.txt").write_text("mine")
    place = folder.stat().st_ino
    _write(folder, NEWER, OLDER)
    assert folder.stat().st_ino == place
    assert _contents(folder) == {**NEWER, "notes.txt": b"mine"}
    (folder / "notes.txt").unlink()
    before = Path.cwd()
    try:
        os.chdir(folder)
        _write(Path(), OLDER, NEWER)
        assert folder.stat().st_ino == place
    finally:
        os.chdir(before)
    assert _contents(folder) == OLDER
    assert not (folder / UNDO).exists()


@pytest.mark.parametrize("exchanged", [True, False])
def test_a_folder_that_is_a_link_stays_one(tmp_path: Path, exchanged: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report is where the link leads to; also where no folders can be exchanged."""
    if not exchanged:
        monkeypatch.setattr(placing, "_change_places", lambda one, other: False)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "r").symlink_to("elsewhere")
    _write(tmp_path / "r", OLDER, {})
    _write(tmp_path / "r", NEWER, OLDER)
    assert (tmp_path / "r").is_symlink()
    assert _contents(tmp_path / "elsewhere") == NEWER
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "r"]


def test_rights_of_the_folder_are_kept(tmp_path: Path) -> None:
    """A folder that a group may write stays so."""
    _write(tmp_path / "r", OLDER, {})
    (tmp_path / "r").chmod(0o2770)
    (tmp_path / "r" / "tables").chmod(0o750)
    _write(tmp_path / "r", NEWER, OLDER)
    assert (tmp_path / "r").stat().st_mode & 0o7777 == 0o2770
    assert (tmp_path / "r" / "tables").stat().st_mode & 0o777 == 0o750


def test_what_comes_at_the_last_moment_is_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that somebody saves between the last look and the exchange is in the new folder."""
    folder = tmp_path / "r"
    _write(folder, OLDER, {})
    real = placing._change_places

    def late(one: Path, other: Path) -> bool:
        (other / "thesis.tex").write_text("mine")
        return real(one, other)

    monkeypatch.setattr(placing, "_change_places", late)
    _write(folder, NEWER, OLDER)
    assert _contents(folder) == {**NEWER, "thesis.tex": b"mine"}
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


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
