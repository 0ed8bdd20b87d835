"""The 14 reports of the contract: what is typed for each, and what a user reads of it."""

from __future__ import annotations

import contextlib
import functools
import io
import os
import re
import shlex
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pandas as pd
import pytest

import reportkit
from reportkit.cli.main import main
from tests.contract.inputs import INPUTS

PLACE = tempfile.TemporaryDirectory(prefix="contract-")
"""All reports of this process; it goes when the process ends."""


@dataclass(frozen=True)
class Built:
    """A report that was made: the folder in which the commands ran, and what they printed."""

    folder: Path
    terminal: str

    @property
    def report(self) -> Path:
        """The folder of the report."""
        return self.folder / "report"


class Terminal(io.TextIOWrapper):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def run(command: str) -> str:
    """Run a command of reportkit in the current folder, on a terminal of 80 columns without colour.

    Parameters
    ----------
    command : str
        The command, beginning with `reportkit`.

    Returns
    -------
    str
        The command as it is typed, what it prints on both streams, and its exit code where that is not 0.
    """
    printed = Terminal(io.BytesIO(), encoding="utf-8", write_through=True)
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with (
        mock.patch.dict(os.environ, {"COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"}),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(said),
        pytest.raises(SystemExit) as end,
    ):
        main(shlex.split(command)[1:])
    texts = [stream.buffer.getvalue().decode("utf-8") for stream in (printed, said)]
    code = int(end.value.code or 0)
    return f"$ {command}\n" + "".join(texts) + (f"(exit code {code})\n" if code else "") + "\n"


def show_in_a_notebook() -> str:
    """Write what a notebook displays of an analysis, by format, and return what a console does."""
    analysis = pd.read_csv("results.csv").replic.compare()
    shown = analysis._repr_mimebundle_()
    for kind, name in (("text/html", "cell.html"), ("text/markdown", "cell.md")):
        Path(name).write_text(shown[kind], encoding="utf-8")
    return f'>>> pd.read_csv("results.csv").replic.compare()\n{shown["text/plain"]}\n'


def save_a_plan() -> str:
    """Write the report of a plan, which the command only prints."""
    reportkit.power(effect=0.01, accuracy=0.85).styled(full=True).save("report")
    return ""


BUILD = "reportkit build results.csv --no-pdf --full"
PARTS = "--part null --part joint --part sizes --part domains"
STEPS: dict[str, tuple[str | Callable[[], str], ...]] = {
    "two_systems": (f"{BUILD} --system 'Ours (7B)' --baseline base_v2",),
    "baseline": (f"{BUILD} --baseline T5-base",),
    "all_pairs_of_8": (BUILD,),
    "twenty_by_twelve": (BUILD,),
    "one_dataset": (BUILD,),
    "nothing_shown": (BUILD,),
    "several_metrics": (
        f"{BUILD} --system Conformer --baseline LSTM --metric accuracy --metric wer --lower-is-better wer",
    ),
    "printed_means": (
        "reportkit build leaderboard.csv --no-pdf --full --across-datasets --system DeBERTa --baseline ELECTRA",
    ),
    "posteriors": (f"{BUILD} --system RoBERTa --baseline DAN --rope 0.01 --bayes",),
    "calibration": (f"reportkit calibrate results.csv --no-pdf --full --quick {PARTS} -o report",),
    "reproducibility": ("reportkit reproducibility estimates.csv --no-pdf --full --system SVM --baseline LogReg",),
    "power": (
        "reportkit power --effect 0.01 --accuracy 0.85",
        "reportkit power --n 500 --discordant 0.2",
        "reportkit power results.csv --system 'Ours (7B)' --baseline base_v2 --effect 0.05",
        save_a_plan,
    ),
    "notebook": (show_in_a_notebook,),
    "update": (
        f"{BUILD} --quiet --system 'Ours (7B)' --baseline base_v2",
        "reportkit update paper.tex --label tab:main=results --dry-run",
        "reportkit update paper.tex --label tab:main=results",
        "reportkit update paper.tex",
        "reportkit update paper.md",
    ),
}
"""What is typed, in a folder with nothing but the inputs."""

READ = {
    "notebook": ("cell.html", "cell.md"),
    "twenty_by_twelve": ("tables.tex", "paragraph.tex"),
    "update": ("paper.tex", "paper.md"),
}
"""What is read of a report besides the terminal, where it is not all of the Markdown, the tables and the paragraph."""


@functools.cache
def built(name: str) -> Built:
    """Make one of the reports, once in a process."""
    folder = Path(PLACE.name, name)
    folder.mkdir()
    INPUTS[name](folder)
    with contextlib.chdir(folder):
        said = [step() if callable(step) else run(step) for step in STEPS[name]]
    return Built(folder, "".join(said).rstrip("\n") + "\n")


def texts(name: str) -> dict[str, str]:
    """Return what a user reads of a report, normalised, by the name of its golden file."""
    made = built(name)
    report = made.report
    tables = sorted((report / "tables").glob("*.tex"))
    whole = {
        "report.md": report / "more" / "report.md",
        "paragraph.tex": report / "paragraph.tex",
    }
    found = {"terminal.txt": made.terminal}
    for file in READ.get(name, ("report.md", "tables.tex", "paragraph.tex")):
        path = whole.get(file, made.folder / file)
        if file == "tables.tex":
            found[file] = "\n".join(path.read_text("utf-8") for path in tables)
        elif path.exists():
            found[file] = path.read_text("utf-8")
    return {file: normalised(text) for file, text in found.items()}


def normalised(text: str) -> str:
    """Take out of a text what differs between versions and machines, colours and what only styles a page."""
    text = text.replace(PLACE.name, "FOLDER")
    text = re.sub(r"(?<=reportkit[ :])\d+\.\d+\.\d+\w*", "VERSION", text)
    text = re.sub(r"(?<=sha256:)[0-9a-f]{12,64}", "HASH", text)
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    return re.sub(r' style="[^"]*"', "", text)
