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
from reportkit.cli.stopping import stopped_like_ctrl_c
from reportkit.errors import ReportkitError
from reportkit.parallel import one_thread_for_algebra

_COMMANDS = (
    *("build", "calibrate", "check", "inspect", "power"),
    *("reproducibility", "show", "templates", "update"),
)


class _Commands(click.Group):
    """Commands, each in a module of its name, which is imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name; None if there is none."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"reportkit.cli.{cmd_name}"), f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for; where there is none, the error says which one was probably meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            raise click.UsageError(f"{error.message}\n  to do: {_meant(args)}", ctx) from None


def _meant(arguments: list[str]) -> str:
    """The command that somebody probably meant whose first word is none."""
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


_COLLECTED_AFTER = 100_000
"""Objects made until Python looks for cycles: results of many pairs are many objects without any."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command; exit code 0, 1 (findings to act on), 2 (cannot run) or 3 (a defect); see `cli.failures`."""
    gc.set_threshold(_COLLECTED_AFTER)
    os.environ["PYTHONSAFEPATH"] = "1"  # or a process that helps would take modules from the current folder
    one_thread_for_algebra()
    try:
        with stopped_like_ctrl_c():
            code = group.main(
                args=arguments,
                prog_name="reportkit",
                standalone_mode=False,
                obj=sys.argv[1:] if arguments is None else arguments,
            )
        sys.stdout.flush()  # a disk that is full is noticed here, not while Python ends
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo("aborted", err=True)
        sys.exit(STOPPED)
    except click.ClickException as error:
        from reportkit.rendering.text.escaping import terminal_text

        shown = io.StringIO()
        error.show(shown)
        click.echo(terminal_text(shown.getvalue()), nl=False, err=True)  # a file may be called like an option
        sys.exit(CANNOT_RUN)
    except ReportkitError as error:
        from reportkit.rendering.text.escaping import terminal_text

        click.echo(terminal_text(f"error: {error}"), err=True)
        sys.exit(CANNOT_RUN)
    except SystemExit:  # the only one that click raises here: nobody reads the output, for which it takes code 1
        sys.exit(NOT_READ)
    except Exception as error:
        _fail(error, arguments)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(error: Exception, arguments: list[str] | None) -> NoReturn:
    """Say what no command has dealt with, and end; what was to be printed and cannot be is let go."""
    code, message = failure(error, arguments)
    if message:
        from reportkit.rendering.text.escaping import terminal_text

        with suppress(OSError):
            click.echo(terminal_text(message), err=True)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):  # Python would try again, and say so
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
