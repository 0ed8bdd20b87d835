"""What the terminal shows of a report: names are words, numbers are whole, at every width and in a pipe."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reportkit.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
NAMES = (
    "x\n::error::pwn",
    "::warning::pwn",
    "##[error]pwn",
    "y\x1b[2J\x1b]0;title\x07z",
    "a\u202eb\u061cc\u2066d\u200f",
    "[bold red]markup[/]",
    "c1\x9b31mred\x85::error::next",
)


def _results(folder: Path, names: tuple[str, ...], datasets: tuple[str, ...]) -> Path:
    rows = [
        f'"{system}","{dataset}",{instance},{(instance * (place + 2) + len(dataset)) % 7 > place % 4:d}'
        for place, system in enumerate(names)
        for dataset in datasets
        for instance in range(40)
    ]
    path = folder / "results.csv"
    path.write_text("\n".join(["system,dataset,instance,score", *rows]) + "\n", encoding="utf-8", newline="")
    return path


def _run(*arguments: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    assert stopped.value.code in (0, 1)


def _refuse_commands(shown: str) -> None:
    assert "markup" in shown
    for line in shown.split("\n"):
        assert not re.search("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", line), repr(line)
        assert not line.lstrip().startswith("::")
        assert "##[" not in line


@pytest.mark.slow
def test_names_reach_no_terminal_raw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of systems and of datasets, on stdout and stderr, by `build`, `show` and `calibrate`."""
    results = _results(tmp_path, NAMES, (*NAMES[:4], "[bold]markup"))
    _run("build", str(results), "-o", str(tmp_path / "report"))
    _refuse_commands("\n".join(capsys.readouterr()))
    _run("show", str(tmp_path / "report"))
    _refuse_commands("\n".join(capsys.readouterr()))
    pair = ["--only", NAMES[0], "--only", NAMES[5]]
    _run("calibrate", str(results), "--quick", "--replicates", "100", "-o", str(tmp_path / "calibration"), *pair)
    _refuse_commands("\n".join(capsys.readouterr()))


@pytest.mark.slow
def test_a_pipe_and_a_narrow_terminal_show_every_number(tmp_path: Path) -> None:
    """Every score of the results table, once each as it is printed in the report."""
    names = tuple(f"system-with-a-long-name-{number}" for number in range(10))
    results = _results(
        tmp_path, names, ("helpful_base", "truthfulqa_mc1", "mmlu", "gsm8k", "arc_challenge", "hellaswag")
    )
    folder = tmp_path / "report"
    _run("build", str(results), "-o", str(folder), "--full", "--quiet")
    table = (folder / "more" / "tables" / "results.csv").read_text("utf-8")
    wanted = sorted(re.findall(r"(?<=,)\d+\.\d(?=,|\n)", table))
    assert len(wanted) == 60
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "reportkit", "show", str(folder)]
    piped = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", check=True, env=environment
    ).stdout
    narrow = _on_a_terminal(command, environment)
    for shown in (piped, narrow):
        scores = shown.partition("System ")[2].partition("warning (")[0]
        assert sorted(re.findall(r"(?<![\d.])\d+\.\d(?!\d)", scores)) == wanted
    assert max(map(len, narrow.split("\n")[2:])) <= 60


def _on_a_terminal(command: list[str], environment: dict[str, str]) -> str:
    """Run a command on a terminal of 60 columns and return what it shows, without colours."""
    pty = pytest.importorskip("pty")
    import fcntl
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 60, 0, 0))
    without = {name: value for name, value in environment.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    process = subprocess.Popen(command, stdout=slave, stdin=slave, env=without | {"TERM": "xterm"})
    os.close(slave)
    shown = b""
    try:
        while piece := os.read(master, 65536):
            shown += piece
    except OSError:  # how Linux says that the other end is closed
        pass
    os.close(master)
    assert process.wait() == 0
    return re.sub(r"\x1b\[\d*m", "", shown.decode("utf-8").replace("\r\n", "\n"))
