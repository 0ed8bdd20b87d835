"""How a command ends: which exit code, and what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reportkit.cli import check, main
from reportkit.cli.main import CANNOT_RUN, DEFECT, NOT_READ, STOPPED
from reportkit.errors import SettingsError

ERRORS = {
    "defect": (IndexError("index 5 is out of bounds"), DEFECT),
    "file that should have been looked for": (FileNotFoundError(2, "No such file", "x"), DEFECT),
    "memory": (MemoryError(), CANNOT_RUN),
    "full disk": (OSError(28, "No space left on device"), CANNOT_RUN),
    "permission": (PermissionError(13, "Permission denied", "there"), CANNOT_RUN),
    "user error": (SettingsError("alpha is 7"), CANNOT_RUN),
    "pipe": (BrokenPipeError(32, "Broken pipe"), NOT_READ),
    "ctrl-c": (KeyboardInterrupt(), STOPPED),
}


@pytest.mark.usefixtures("sketched")
@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("small.csv --no-pdf", "reportkit build small.csv --no-pdf (a report of results), or reportkit check "),
        ("biuld small.csv", "reportkit build small.csv"),
        ("compare small.csv --no-pdf", "reportkit build small.csv --no-pdf"),
        ("ckeck paper.tex", "reportkit check paper.tex"),
    ],
)
def test_a_word_that_is_no_command_leads_to_one(line, meant, tmp_path, monkeypatch, capsys):
    """Typed in a hurry: a file without a command, a typing error, a word from Python; what is said can be typed."""
    monkeypatch.chdir(tmp_path)
    rows = (f"{system},cb,{i},{(i * step) % 7 / 7}" for step, system in enumerate("ab", 2) for i in range(40))
    Path("small.csv").write_text("system,dataset,instance,score\n" + "\n".join(rows), encoding="utf-8")
    Path("paper.tex").write_text("We test it.", encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main.main(line.split())
    assert ended.value.code == CANNOT_RUN
    said = capsys.readouterr().err
    assert f"to do: {meant}" in said
    literal = said.split("to do: reportkit ")[1].split(" (")[0].split()
    with pytest.raises(SystemExit) as ended:
        main.main([*literal, "--no-pdf"] if "--no-pdf" not in literal and "build" in literal else literal)
    assert ended.value.code in (0, 1)


def _ended(monkeypatch, error, *arguments):
    def fail(*_):
        raise error

    monkeypatch.setattr(check, "_show_rules", fail)
    with pytest.raises(SystemExit) as ended:
        main.main(["check", "paper.tex", "--list-rules", *arguments])
    return ended.value.code


@pytest.mark.parametrize("name", ERRORS)
def test_every_end_has_its_code_and_none_is_a_finding(monkeypatch, capsys, name):
    """A crash is never exit code 1, which says that there are findings."""
    error, expected = ERRORS[name]
    assert _ended(monkeypatch, error) == expected != 1
    said = capsys.readouterr().err
    assert (said == "") == (expected == NOT_READ)


def test_a_defect_says_what_to_report_and_where(monkeypatch, capsys):
    """The error, its place, the command as it was typed, and the versions."""
    assert _ended(monkeypatch, ValueError("no\nsuch thing"), "--select", "RK 1") == DEFECT
    said = capsys.readouterr().err
    for part in (
        "this is a defect of reportkit, not of your input: ValueError: no such thing",
        "reportkit/cli/check.py",
        "issue tracker",
        "reportkit check paper.tex --list-rules --select 'RK 1'",
        f"Python {sys.version_info.major}.{sys.version_info.minor}",
    ):
        assert part in said


def test_nothing_of_a_defect_reaches_the_terminal_raw(monkeypatch, capsys):
    """Control characters of an error, or of a command, are written as their codes and start no line."""
    assert _ended(monkeypatch, IndexError("\x1b[2J\n::error::x"), "a\x1b]0;t\x07\n::error::y") == DEFECT
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "\x07" not in said
    assert not any(line.startswith("::") for line in said.splitlines())


def _run(arguments, **options):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    return subprocess.run(
        [sys.executable, "-m", "reportkit", *arguments], env=environment, check=False, stderr=subprocess.PIPE, **options
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("arguments", [["--help"], ["check", "--list-rules"]])
def test_a_full_disk_behind_the_output_is_said(arguments):
    """Also what is only noticed when the last buffer is written."""
    with Path("/dev/full").open("wb") as full:
        ended = _run(arguments, stdout=full)
    assert ended.returncode == CANNOT_RUN
    assert ended.stderr.decode() == (
        "error: the output cannot be written: No space left on device\n  to do: check space and permissions there\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Windows end in another way")
def test_a_closed_pipe_ends_quietly():
    """`reportkit ... | head -1` says nothing, and its code is none of a finding."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = _run(["check", "--list-rules"], stdout=writing)
    finally:
        os.close(writing)
    assert (ended.returncode, ended.stderr) == (NOT_READ, b"")
