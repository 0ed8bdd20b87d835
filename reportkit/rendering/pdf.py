"""The report as a PDF, where TeX is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from reportkit.errors import RenderingError

_MOST_RUNS = 5
_TIMEOUT = 120.0
"""Seconds for each run of TeX."""

_INSTALL = "install TeX Live or MiKTeX, or upload the folder to a service that has TeX"


def compile_pdf(folder: str | Path, *, engine: str = "pdflatex") -> Path:
    """Compile `report.tex` of a folder that `write_report` wrote.

    Parameters
    ----------
    folder : str or Path
        With `report.tex`; any name, spaces included.
    engine : {"pdflatex", "xelatex", "lualatex"}
        The last two for scripts that pdflatex has no fonts for.

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
    options = ["-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "-no-shell-escape"]
    with tempfile.TemporaryDirectory(prefix="reportkit-") as name:
        place, before = Path(name).resolve(), b""
        for run in range(_MOST_RUNS):
            _run([engine, *options, f"-output-directory={place}", "report.tex"], source, source)
            written = b"".join(file.read_bytes() for file in sorted(place.glob("report.[ao]u[xt]")))
            if written == before:
                break
            before = written
            if run == 0 and rb"\bibdata" in written:
                _run(["bibtex", "report"], place, source)
                before = b""
        try:
            shutil.copyfile(place / "report.pdf", source / ".report.pdf.new")
            (source / ".report.pdf.new").replace(source / "report.pdf")
        except OSError as error:
            raise RenderingError(f"report.pdf cannot be written in {str(folder)!r}: {error.strerror}") from error
    return source / "report.pdf"


def _run(command: list[str], folder: Path, source: Path) -> None:
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
            timeout=_TIMEOUT,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise RenderingError(f"{command[0]} is not installed", remedy=_INSTALL) from None
    except subprocess.TimeoutExpired:
        raise RenderingError(
            f"{command[0]} did not finish within {_TIMEOUT:g} seconds", remedy="compile the report by hand to see why"
        ) from None
    if done.returncode != 0:
        output = done.stdout.decode("utf-8", "replace")
        found = re.search(r"^(?:\./)?([^:\n]+):(\d+): (.*)(?:\n(?!l\.).*){0,5}(?:\n(l\..*))?", output, re.MULTILINE)
        raise RenderingError(
            f"{command[0]} fails: {found[3] if found else output.strip()[-200:] or 'no output'}",
            where=f"{found[1]}, line {found[2]}\n{found[4] or ''}".strip() if found else None,
            remedy="look at the lines named here; if no template of yours wrote them, this is a defect of reportkit",
        )
