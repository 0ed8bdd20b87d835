"""The command group, and how errors leave it: no traceback for a user's mistake.

| code | meaning |
|---|---|
| 0 | done |
| 1 | a requirement or a check is not met |
| 2 | the command cannot run: an option, a file, the memory or the disk |
| 3 | a defect of reportkit |
| 130 | stopped by Ctrl-C |
| 141 | nobody reads the output any more |

The last two are 128 plus the number of the signal, as shells count.
"""

from __future__ import annotations

import errno
import gc
import io
import os
import platform
import shlex
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module

import click

from reportkit._version import __version__
from reportkit.errors import ReportkitError
from reportkit.parallel import one_thread_for_algebra

CANNOT_RUN = 2
DEFECT = 3
STOPPED = 130
NOT_READ = 141

_OF_THE_MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO)
"""Errors of the operating system that no program can prevent."""

_COMMANDS = {
    "build": "Write a report from a file of results.",
    "inspect": "Say what would be read of files, and how it is understood.",
    "table": "Set a table of means alone, without a test.",
    "check": "Check papers and results for what a referee would object to.",
    "show": "Show a report, or render it again without the data.",
    "update": "Bring tables and numbers in a paper up to date.",
    "power": "Plan: instances needed, smallest difference shown, or power.",
    "calibrate": "See whether p-values can be trusted, and what a gain is worth.",
    "reproducibility": "Say whether a conclusion comes out the same under another split.",
}
"""Help on each command, here because the modules of the commands take longer to load than click."""

_MODULES = {"update": "show", "templates": "show", "reproducibility": "calibrate"}
"""Commands that share the module of another one. Help does not list `templates`; docs explain it."""


class _Commands(click.Group):
    """Commands in modules that are imported when a command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands that help lists."""
        return list(_COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name; None if there is none."""
        if cmd_name not in {**_COMMANDS, **_MODULES}:
            return None
        module = import_module(f"reportkit.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for; where there is none, the error says which one was probably meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message}\n  to do: {_meant(args)}", ctx) from None


def _meant(arguments: list[str]) -> str:
    """Return the command that was probably meant by a first word that names none."""
    if os.access(arguments[0], os.F_OK):
        given = shlex.join(arguments)
        return f"reportkit build {given} (a report of results), or reportkit check {given} (a paper)"
    close = get_close_matches(arguments[0], _COMMANDS, 1)
    if len(arguments) == 1 and not close:
        return "reportkit --help"
    return shlex.join(["reportkit", close[0] if close else "build", *arguments[1:]])


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="reportkit")
def group() -> None:
    """Say on how many datasets, and on which, a new system is really better.

    Reads one score per (system, dataset, instance), tests each dataset with the test that fits its scores, counts and
    identifies datasets with guarantees, and writes camera-ready LaTeX and Markdown.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command, and exit with one of the codes above."""
    gc.set_threshold(100_000)  # results of many pairs are many objects without any cycles
    os.environ["PYTHONSAFEPATH"] = "1"  # keeps workers from importing modules of the current folder
    one_thread_for_algebra()
    typed = [*(sys.argv[1:] if arguments is None else arguments)]
    try:
        found = group.main(args=typed, prog_name="reportkit", standalone_mode=False, obj=typed)
        code = found if isinstance(found, int) else 0
        sys.stdout.flush()  # a full disk is noticed now, not at exit
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        from reportkit.rendering.text.escaping import terminal_text  # help need not load it

        code, message = _failure(error, typed)
        with suppress(OSError):
            click.echo(terminal_text(message), err=True, nl=bool(message))
        if isinstance(error, OSError):  # else Python would try to flush at exit, and complain
            with suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def _failure(error: BaseException, typed: Sequence[str]) -> tuple[int, str]:
    """Return exit code and message for an error; the message is empty where there is nothing to say."""
    if isinstance(error, (BrokenPipeError, SystemExit)):  # click exits only where nobody reads the output
        return NOT_READ, ""
    if isinstance(error, (click.exceptions.Abort, KeyboardInterrupt)):
        return STOPPED, "aborted"
    if isinstance(error, click.ClickException):
        error.show(shown := io.StringIO())
        return CANNOT_RUN, shown.getvalue().rstrip("\n")
    if isinstance(error, ReportkitError):
        return CANNOT_RUN, f"error: {error}"
    if isinstance(error, MemoryError):
        remedy = "give fewer systems, datasets or columns (--system, --baseline), or take a machine with more memory"
        return CANNOT_RUN, f"error: there is not enough memory\n  to do: {remedy}"
    if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
        name = f"{str(error.filename)!r} cannot be read or" if error.filename else "the output cannot be"
        return CANNOT_RUN, f"error: {name} written: {error.strerror}\n  to do: check space and permissions there"
    return DEFECT, _defect(error, typed)


def _defect(error: BaseException, typed: Sequence[str]) -> str:
    from reportkit.rendering.text.escaping import visible  # slow to load, and a defect is rare

    lines = [
        f"error: this is a defect of reportkit, not of your input: {visible(f'{type(error).__name__}: {error}')[:300]}",
        "  to do: please report it at the project's issue tracker, with these lines and a small input that shows it:",
        "         " + visible(shlex.join(["reportkit", *typed])),
        f"         reportkit {__version__}, Python {platform.python_version()}, {platform.platform()}",
    ]
    frames = "".join(traceback.format_tb(error.__traceback__, limit=-15)).splitlines()
    return "\n".join([*lines, *(f"| {visible(line)}" for line in frames)])  # the bar keeps runners from obeying a line
