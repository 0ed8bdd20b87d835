"""A report written from a command: its folder, its PDF, the one file to open, and what is said of them."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from reportkit.cli.plain_lines import say
from reportkit.errors import RenderingError

if TYPE_CHECKING:
    from reportkit.report.model import Report

TEX: Literal["pdflatex"] = "pdflatex"


def writing_options(command: Any) -> Any:
    """Add what every command that writes a report can be asked: `--pdf`, `--open` and `--quiet`."""
    for added in reversed(_OPTIONS):
        command = added(command)
    return command


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option("--pdf/--no-pdf", default=None, help=f"Run LaTeX on the report.  [default: where {TEX} is installed]"),
    click.option("--open", "opened", is_flag=True, help="Open the page when it is written."),
    click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors."),
)


def writing_choices(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked of `writing_options`, as `write_and_say` takes it."""
    return {name: options[name] for name in ("pdf", "opened", "quiet")}


def write_and_say(
    report: Report,
    folder: Path,
    *,
    templates: Sequence[Path] = (),
    pdf: bool | None = None,
    opened: bool = False,
    quiet: bool = False,
) -> tuple[Path, ...]:
    """Say what a report found, write it, make the PDF, and say which files there are.

    Parameters
    ----------
    report : Report
        Any.
    folder : Path
        Where to.
    templates : sequence of Path
        Folders with templates of a user.
    pdf : bool or None
        Whether LaTeX is run. None: where it is installed, and what it cannot do is said and is no error.
    opened : bool
        Whether the page is opened in the browser.
    quiet : bool
        Say nothing.

    Returns
    -------
    tuple of Path
        All files.

    Raises
    ------
    RenderingError
        If the folder cannot be written, or the PDF that was asked for cannot be made.
    """
    from reportkit.cli.progress import spinner
    from reportkit.cli.terminal import print_lines, show_summary
    from reportkit.rendering.report_files import write_report

    watched = sys.stdout.isatty()
    if watched and not quiet:  # the answer first: figures and LaTeX take longer than the tests
        show_summary(report)
    with spinner("writing", quiet=quiet):
        files = write_report(report, folder, templates=templates)
    if not watched and not quiet:  # a pipe may end early, and the report is there all the same
        show_summary(report)
    if pdf or (pdf is None and has_tex()):
        with spinner("typesetting", quiet=quiet):
            files = (*files[:1], *_typeset(folder, asked=bool(pdf)), *files[1:])
    if not quiet:
        print_lines("", *file_lines(files, folder))
    if opened:
        open_page(folder)
    return files


def has_tex() -> bool:
    """Whether a PDF can be made without being asked for."""
    return shutil.which(TEX) is not None


def _typeset(folder: Path, *, asked: bool) -> tuple[Path, ...]:
    from reportkit.rendering.pdf import compile_pdf

    document = (folder / "report.tex").read_bytes()
    try:
        return (compile_pdf(folder, engine=TEX),)
    except RenderingError as error:
        if asked:
            raise
        if (
            folder / "report.tex"
        ).read_bytes() == document:  # else another build is at work, and the PDF may be its own
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
    relative = [path.resolve().relative_to(resolved) for path in files]
    within: dict[str, int] = {}
    for path in relative:
        name = path.name if len(path.parts) == 1 else f"{path.parts[0]}/"
        within[name] = within.get(name, 0) + 1
    more, first = within.pop(f"{MORE}/", 0), within.pop(OPENED_FIRST, 0)
    beside = [name if not name.endswith("/") else f"{name} ({counted(n, 'file')})" for name, n in within.items()]
    return [
        *([f"open {folder / OPENED_FIRST}"] if first else []),
        *([f"  beside it: {', '.join(beside)}"] if beside else []),
        *([f"  in {MORE}/: {counted(more, 'file')} in other formats and lengths"] if more else []),
    ]


def open_page(folder: Path) -> None:
    """Open the page of a report in the browser; say it where there is none."""
    from reportkit.rendering.report_files import OPENED_FIRST

    page = folder / OPENED_FIRST
    if click.launch(page.resolve().as_uri()):
        say(f"no browser could be started; open {page} yourself", err=True)
