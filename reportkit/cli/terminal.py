"""The terminal: lines in which a name is not a command, the summary of a report, its files, and progress."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reportkit.errors import RenderingError, SettingsError
from reportkit.rendering.text.escaping import terminal_text, visible

if TYPE_CHECKING:
    from reportkit.finding import Finding
    from reportkit.report.model import Report

SHOWN = ("results", "replicability", "reproducibility", "blocked-t")
MOST_FINDINGS = 8


def safe(line: str) -> str:
    r"""Write one line with its indent; characters that a terminal or a runner could obey become codes.

    Examples
    --------
    >>> print(safe("  a \x1b[2J\n::error::b"))
      a \x1b[2J ::error::b
    """
    words = line.lstrip(" ")
    return terminal_text(" " * (len(line) - len(words)) + visible(words))


def say(*lines: str, err: bool = False) -> None:
    """Print lines, broken at the width of the terminal if there is one; a line break within a line becomes a space."""
    width = _width(sys.stderr if err else sys.stdout) or sys.maxsize
    for line in map(safe, lines):
        indent = " " * (len(line) - len(line.lstrip()))  # options stay whole, to be copied
        wrapped = textwrap.wrap(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        click.echo("\n".join(wrapped), err=err)


def _width(stream: Any) -> int | None:
    return shutil.get_terminal_size().columns if stream.isatty() else None


def say_finding(finding: Finding, *, err: bool = False) -> None:
    """Print a finding: severity, code, message, place, and what to do."""
    where = f" [{finding.where}]" if finding.where else ""
    remedy = [f"  to do: {finding.remedy}"] if finding.remedy else []
    say(f"{finding.severity} ({finding.code}) {finding.message}{where}", *remedy, err=err)


def show_summary(report: Report) -> None:
    """Print the title, the verdict, the main tables, and at most eight kinds of findings.

    In a terminal, lines are broken and wide tables divided at its width; in a file or a pipe they are as long as it
    takes. Names reach neither the terminal nor a log raw.
    """
    from reportkit.rendering.exports import plain_table
    from reportkit.rendering.notation import Context
    from reportkit.report.assemble import merged

    say(report.title, "", *report.summary)
    context = Context(labels=report.appearance.plain_labels)
    for table in report.tables:
        if table.name in SHOWN:
            click.echo(f"\n{terminal_text(plain_table(table, context, _width(sys.stdout)))}")
    kinds: dict[tuple[str, str], Finding] = {}
    for item in (findings := merged(report.findings)):
        kinds.setdefault((item.code, item.severity), item)
    shown = list(kinds.values())[:MOST_FINDINGS]
    say(*[""][: len(shown)])
    for item in shown:
        say_finding(item)
    if left := len(findings) - len(shown):
        say(f"and {left} more in the report")


def write_and_say(report: Report, folder: Path, options: Mapping[str, Any], templates: Sequence[Path] = ()) -> None:
    """Write a report, say what it found, make the PDF, and say which files there are.

    Parameters
    ----------
    report : Report
        Any.
    folder : Path
        Where to.
    options : mapping
        `pdf`: whether LaTeX is run; None: where it is installed, and an error is then only said. `quiet`: say nothing.
    templates : sequence of Path
        Folders with templates of a user.

    Raises
    ------
    RenderingError
        If the folder cannot be written, or the PDF that was asked for cannot be made.
    """
    from reportkit.rendering.pdf import compile_pdf
    from reportkit.rendering.report_files import write_report

    quiet, pdf = bool(options["quiet"]), options["pdf"]
    with progress_bar("writing", quiet=quiet):
        files = [*write_report(report, folder, templates=templates)]
    if not quiet:
        show_summary(report)
    if pdf or (pdf is None and has_tex()):
        try:
            with progress_bar("typesetting", quiet=quiet):
                files.insert(1, compile_pdf(folder, engine="pdflatex"))
        except RenderingError as error:
            if pdf:
                raise
            (folder / "report.pdf").unlink(missing_ok=True)  # one of an older report would contradict this one
            say(f"no report.pdf: {error}", "  to do: --no-pdf does without", err=True)
    if not quiet:
        say("", *file_lines(files, folder))


def has_tex() -> bool:
    """Return whether TeX is there, so that a PDF is made without being asked for."""
    return shutil.which("pdflatex") is not None


def file_lines(files: Sequence[Path], folder: Path) -> list[str]:
    r"""Say which file to open, and which others were written.

    Examples
    --------
    >>> names = ("report.html", "paragraph.tex", "tables/a.tex", "tables/b.tex", "more/report.md")
    >>> print(*file_lines([Path("out") / name for name in names], Path("out")), sep="\n")
    open out/report.html
      also written: paragraph.tex, tables/ (2 files), more/ (1 file)
    """
    from reportkit.language import counted
    from reportkit.rendering.report_files import OPENED_FIRST

    places = (path.resolve().relative_to(folder.resolve()).parts for path in files)
    within = Counter(f"{first}/" if rest else first for first, *rest in places)
    opened = [f"open {folder / OPENED_FIRST}"] if within.pop(OPENED_FIRST, 0) else []
    others = [f"{name} ({counted(n, 'file')})" if name.endswith("/") else name for name, n in within.items()]
    return [*opened, f"  also written: {', '.join(others)}"] if others else opened


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Turn an error of the operating system into one that names the file."""
    try:
        yield
    except OSError as error:
        raise SettingsError(f"{str(path)!r} cannot be written: {error.strerror}", remedy="check -o") from error


@contextmanager
def progress_bar(verb: str = "", *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """Show progress on a terminal; yield a function to call with ([the current step,] done, total).

    The line is gone when the work is done.
    """
    shown = not quiet and sys.stderr.isatty()

    def show(text: str) -> None:
        if shown:
            click.echo(f"\r\x1b[K{text}", nl=False, err=True)

    def advance(*now: Any) -> None:
        *stage, done, total = now
        show(f"{safe(stage[0] if stage else verb)} {done:,} of {total:,}")

    show(f"{verb} ...")
    try:
        yield advance
    finally:
        show("")
