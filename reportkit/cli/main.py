"""The command group, and how errors leave it: no traceback for a user's mistake."""

from __future__ import annotations

import gc
import io
import os
import shlex
import sys
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from typing import NoReturn

import click

from reportkit._version import __version__
from reportkit.cli.failures import CANNOT_RUN, NOT_READ, STOPPED, failure
from reportkit.errors import ReportkitError
from reportkit.parallel import one_thread_for_algebra

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
"""What help says of each; it is known without the modules of the commands, which take longer to load than click."""

_HIDDEN = ("templates",)
"""Copies templates out; named where they are explained, in docs/reference/templates.md and `build --help-all`."""


class _Commands(click.Group):
    """Commands, each in a module of its name, which is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands that help lists."""
        return list(_COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name; None if there is none."""
        known = cmd_name in (*_COMMANDS, *_HIDDEN)
        return getattr(import_module(f"reportkit.cli.{cmd_name}"), f"{cmd_name}_command") if known else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is asked for; where there is none, the error says which one was probably meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message}\n  to do: {_meant(args)}", ctx) from None


def _meant(arguments: list[str]) -> str:
    """Return the command that somebody probably meant whose first word is none."""
    if os.access(arguments[0], os.F_OK):
        given = shlex.join(arguments)
        return f"reportkit build {given} (a report of results), or reportkit check {given} (a paper)"
    close = get_close_matches(arguments[0], (*_COMMANDS, *_HIDDEN), 1)
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


_COLLECTED_AFTER = 100_000
"""Objects made until Python looks for cycles: results of many pairs are many objects without any."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command; exit code 0, 1 (findings to act on), 2 (cannot run) or 3 (a defect); see `cli.failures`."""
    gc.set_threshold(_COLLECTED_AFTER)
    os.environ["PYTHONSAFEPATH"] = "1"  # or a process that helps would take modules from the current folder
    one_thread_for_algebra()
    typed = sys.argv[1:] if arguments is None else arguments
    try:
        code = group.main(args=arguments, prog_name="reportkit", standalone_mode=False, obj=typed)
        sys.stdout.flush()  # a disk that is full is noticed here, not while Python ends
    except (click.exceptions.Abort, KeyboardInterrupt):
        _say("aborted")
        sys.exit(STOPPED)
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        _say(shown.getvalue().rstrip("\n"))
        sys.exit(CANNOT_RUN)
    except ReportkitError as error:
        _say(f"error: {error}")
        sys.exit(CANNOT_RUN)
    except SystemExit:  # the only one that click raises here: nobody reads the output, for which it takes code 1
        sys.exit(NOT_READ)
    except Exception as error:
        _fail(error, arguments)
    sys.exit(code if isinstance(code, int) else 0)


def _say(text: str) -> None:
    """Print an error; a file in it may be called like a command of the terminal."""
    from reportkit.rendering.text.escaping import terminal_text

    click.echo(terminal_text(text), err=True)


def _fail(error: Exception, arguments: list[str] | None) -> NoReturn:
    """Say what no command has dealt with, and end; what was to be printed and cannot be is let go."""
    code, message = failure(error, arguments)
    with suppress(OSError):
        _say(message) if message else None
    try:
        sys.stdout.flush()
    except (OSError, ValueError):  # Python would try again, and say so
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
