"""The report as a PDF, where TeX is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Literal

from reportkit.errors import RenderingError

Engine = Literal["pdflatex", "xelatex", "lualatex"]

_MOST_RUNS = 5
_READ_AGAIN = ("aux", "out")
"""What a run of TeX writes for the next one."""


def compile_pdf(folder: str | Path, *, engine: Engine = "pdflatex", timeout: float = 120.0) -> Path:
    """Compile `report.tex` of a folder that `write_report` wrote.

    Parameters
    ----------
    folder : str or Path
        With `report.tex`; any name, spaces included.
    engine : {"pdflatex", "xelatex", "lualatex"}
        The last two for scripts that pdflatex has no fonts for.
    timeout : float
        Seconds for each run of TeX.

    Returns
    -------
    Path
        `report.pdf` in the folder. Nothing else is left there. With pdflatex, the same report gives the same
        bytes.

    Raises
    ------
    RenderingError
        If TeX is not installed, takes too long or finds a mistake; the message says the file and the line.
    """
    source = Path(folder).resolve()
    if not (source / "report.tex").is_file():
        raise RenderingError(f"there is no report.tex in {str(folder)!r}", remedy="build the report first")
    if shutil.which(engine) is None:
        raise RenderingError(
            f"{engine} is not installed",
            remedy="install TeX Live or MiKTeX, or upload the folder to a service that has TeX",
        )
    document = (source / "report.tex").read_bytes()
    with tempfile.TemporaryDirectory(prefix="reportkit-") as name:
        place = Path(name).resolve()
        _typeset(source, place, engine, timeout)
        if (source / "report.tex").read_bytes() != document:
            raise RenderingError("another build has replaced the report meanwhile", remedy="it makes its own PDF")
        result, fresh = source / "report.pdf", source / ".report.pdf.new"
        try:
            shutil.copyfile(place / "report.pdf", fresh)
            fresh.replace(result)
        except OSError as error:
            raise RenderingError(f"{str(result)!r} cannot be written: {error.strerror}") from error
    return result


def _typeset(source: Path, place: Path, engine: Engine, timeout: float) -> None:
    """Run TeX in the folder of the report until references are settled; all that it writes goes to another place."""
    options = ["-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "-no-shell-escape"]
    before: list[bytes] = []
    for run in range(_MOST_RUNS):
        _run([engine, *options, f"-output-directory={place}", "report.tex"], source, source, timeout)
        files = [place / f"report.{ending}" for ending in _READ_AGAIN]
        written = [file.read_bytes() if file.exists() else b"" for file in files]
        if written == before:
            return
        before = written
        if run == 0 and rb"\bibdata" in written[0]:
            _run(["bibtex", "report"], place, source, timeout)
            before = []


def _run(command: list[str], folder: Path, source: Path, timeout: float) -> None:
    """Run one program. TeX may read and write in its folders and its own tree, nowhere else, and start no program."""
    environment = os.environ | {
        "openin_any": "p",
        "openout_any": "p",
        "BIBINPUTS": f"{source}{os.pathsep}",
        "SOURCE_DATE_EPOCH": "0",
        "FORCE_SOURCE_DATE": "1",
        "max_print_line": "2000",
    }
    try:
        done = subprocess.run(  # noqa: S603  # fixed programs, no shell
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=timeout,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise RenderingError(f"{command[0]} is not installed", remedy="install TeX Live or MiKTeX") from None
    except subprocess.TimeoutExpired:
        raise RenderingError(
            f"{command[0]} did not finish within {timeout:g} seconds", remedy="compile the report by hand to see why"
        ) from None
    if done.returncode != 0:
        problem, where = _mistake(done.stdout.decode("utf-8", "replace"))
        remedy = "look at the lines named here; if no template of yours wrote them, this is a defect of reportkit"
        raise RenderingError(f"{command[0]} fails: {problem}", where=where, remedy=remedy)


def _mistake(output: str) -> tuple[str, str | None]:
    """First mistake in the output of TeX or BibTeX, and the lines around it."""
    lines = output.splitlines()
    for index, line in enumerate(lines):
        match = re.match(r"(?:\./)?([^:]+):(\d+): (.*)", line)
        if match:
            file, number, problem = match.groups()
            context = [text for text in lines[index + 1 : index + 6] if text.startswith("l.")]
            return problem, "\n".join([f"{file}, line {number}", *context])
        if line.startswith("! "):
            return line[2:], None
    return (lines[-1] if lines else "no output"), None
