"""Lines for a terminal or a log, in which names and paths are words and never commands to either."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reportkit.errors import SettingsError
from reportkit.rendering.text.escaping import terminal_text, visible

if TYPE_CHECKING:
    from reportkit.finding import Finding


def safe(line: str) -> str:
    r"""Write one line, indented as it is, with the code of whatever a terminal or a runner could obey.

    Examples
    --------
    >>> print(safe("  a \x1b[2J\n::error::b"))
      a \x1b[2J ::error::b
    """
    words = line.lstrip(" ")
    return terminal_text(" " * (len(line) - len(words)) + visible(words))


def say(*lines: str, err: bool = False) -> None:
    """Print lines; a line break within one becomes a space."""
    for line in lines:
        click.echo(safe(line), err=err)


def finding_lines(finding: Finding) -> list[str]:
    """Return a finding as it is said in a terminal."""
    where = f" [{finding.where}]" if finding.where else ""
    said = f"{finding.severity} ({finding.code}) {finding.message}{where}"
    return [said, f"  to do: {finding.remedy}"] if finding.remedy else [said]


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Turn what the system refuses into an error that names the file."""
    try:
        yield
    except OSError as error:
        raise SettingsError(f"{str(path)!r} cannot be written: {error.strerror}", remedy="check -o") from error
