"""The terminal: names are no commands to it, tables fit its width, and long work shows its progress."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from reportkit.cli import terminal
from reportkit.cli.main import main
from reportkit.rendering.exports import plain_table
from reportkit.rendering.text.escaping import columns_in_terminal
from reportkit.report.model import Cell, Column, Row, Table

pytestmark = pytest.mark.usefixtures("sketched")

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


def _table(n_columns: int) -> Table:
    """Return two rows of numbers that are all different, with marks."""
    columns = (Column(header="system", align="left"), *(Column(header=f"dataset {i}") for i in range(n_columns)))
    rows = (
        Row(cells=(Cell(text=name), *(Cell(text=f"{1000 * row + i}.5", mark="*" * (i % 3)) for i in range(n_columns))))
        for row, name in enumerate(("system one", "中文"), 1)
    )
    return Table(name="results", caption="", columns=columns, rows=tuple(rows))


@pytest.mark.parametrize("width", [40, 80, 200, None])
def test_every_number_and_every_header_is_there_whole(width: int | None) -> None:
    """Once, at every width and in a pipe; no line is too wide."""
    text = plain_table(_table(9), width=width)
    found = re.findall(r"(?<![\d.])\d{4}\.5(?!\d)", text)
    assert sorted(found) == sorted(f"{1000 * row + i}.5" for row in (1, 2) for i in range(9))
    assert re.findall(r"dataset \d", text) == [f"dataset {i}" for i in range(9)]
    assert max(map(columns_in_terminal, text.splitlines())) <= (width or 200)


def test_numbers_stand_below_each_other() -> None:
    """Whether or not there is a mark behind them, and however wide the letters of a name are."""
    _, _, first, second = plain_table(_table(3)).splitlines()
    ends = [columns_in_terminal(line[: line.index(".5")]) for line in (first, second)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("case", [{}, {"quiet": True}, {"is_terminal": False}], ids=str)
def test_only_somebody_who_watches_sees_the_progress(monkeypatch: pytest.MonkeyPatch, case: dict[str, bool]) -> None:
    """The verb, done and total, and in the end an empty line; nothing with --quiet, or into a file."""
    stream = io.StringIO()
    stream.isatty = lambda: case.get("is_terminal", True)  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", stream)
    with terminal.progress_bar("testing", quiet=case.get("quiet", False)) as advance:
        advance(1, 3)
    shown = re.sub(r"\r\x1b\[K", "|", stream.getvalue())
    assert shown == ("" if case else "|testing ...|testing 1 of 3|")
