"""Commands, run as a user runs them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from reportkit.cli.main import main


@contextlib.contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Make a folder the working directory for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    """Return the exit code, and what a terminal shows, of a command that is run in a folder."""
    shown = io.StringIO()
    with inside(folder), contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
        try:
            main(list(arguments))
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return code, shown.getvalue()


def proposed(said: str) -> list[str]:
    """Return the options that the message of an error proposes, as they would be typed."""
    found = re.search(r"(--(?:metric|filter|format|columns)) ('[^']+'|[^\s,;)]+)", said.partition("to do:")[2])
    assert found is not None, said
    return [found[1], *shlex.split(found[2])]
