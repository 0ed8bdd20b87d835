"""A report written from a command: its folder, its PDF, the one file to open, and what is said of them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportkit.cli.plain_lines import say
from reportkit.errors import RenderingError

if TYPE_CHECKING:
    from reportkit.report.model import Report

_PDF = "Run LaTeX on the report.  [default: where pdflatex is installed]"


def writing_options(command: Any) -> Any:
    """Add what every command that writes a report can be asked: `--pdf` and `--quiet`."""
    command = click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")(command)
    return click.option("--pdf/--no-pdf", default=None, help=_PDF)(command)


def write_and_say(
    report: Report, folder: Path, *, templates: Sequence[Path] = (), pdf: bool | None, quiet: bool
) -> None:
    """Write a report, say what it found, make the PDF, and say which files there are.

    Parameters
    ----------
    report : Report
        Any.
    folder : Path
        Where to.
    templates : sequence of Path
        Folders with templates of a user.
    pdf : bool or None
        Whether LaTeX is run. None: where it is installed; a mistake is then said and is no error.
    quiet : bool
        Say nothing.

    Raises
    ------
    RenderingError
        If the folder cannot be written, or the PDF that was asked for cannot be made.
    """
    from reportkit.cli.progress import progress_bar
    from reportkit.cli.terminal import print_lines, show_summary
    from reportkit.rendering.report_files import write_report

    with progress_bar("writing", quiet=quiet):
        files = write_report(report, folder, templates=templates)
    if not quiet:
        show_summary(report)
    if pdf or (pdf is None and has_tex()):
        with progress_bar("typesetting", quiet=quiet):
            files = (*files[:1], *_typeset(folder, asked=bool(pdf)), *files[1:])
    if not quiet:
        print_lines("", *file_lines(files, folder))


def has_tex() -> bool:
    """Tell whether a PDF can be made without being asked for."""
    return shutil.which("pdflatex") is not None


def _typeset(folder: Path, *, asked: bool) -> tuple[Path, ...]:
    from reportkit.rendering.pdf import compile_pdf

    try:
        return (compile_pdf(folder, engine="pdflatex"),)
    except RenderingError as error:
        if asked:
            raise
        (folder / "report.pdf").unlink(missing_ok=True)  # of an older report, it would say something else
        say(f"no report.pdf: {error}", "  to do: --no-pdf does without", err=True)
        return ()


def file_lines(files: Sequence[Path], folder: Path) -> list[str]:
    r"""Say which file to open, what stands beside it, and how much more there is.

    Examples
    --------
    >>> names = ("report.html", "paragraph.tex", "tables/a.tex", "tables/b.tex", "more/report.md")
    >>> print(*file_lines([Path("out") / name for name in names], Path("out")), sep="\n")
    open out/report.html
      beside it: paragraph.tex, tables/ (2 files)
      in more/: 1 file in other formats and lengths
    """
    from reportkit.language.counts_and_lists import counted
    from reportkit.rendering.report_files import MORE, OPENED_FIRST

    resolved = folder.resolve()
    within: dict[str, int] = {}
    for path in files:
        first, *rest = path.resolve().relative_to(resolved).parts
        within[first + "/" * bool(rest)] = within.get(first + "/" * bool(rest), 0) + 1
    more, page = within.pop(f"{MORE}/", 0), within.pop(OPENED_FIRST, 0)
    beside = [f"{name} ({counted(n, 'file')})" if name.endswith("/") else name for name, n in within.items()]
    return [
        *([f"open {folder / OPENED_FIRST}"] if page else []),
        *([f"  beside it: {', '.join(beside)}"] if beside else []),
        *([f"  in {MORE}/: {counted(more, 'file')} in other formats and lengths"] if more else []),
    ]
