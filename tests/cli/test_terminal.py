"""What the terminal shows of a report: names are words, and no commands to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reportkit.cli.main import main

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
