"""A progress bar on stderr, for work that takes long, where somebody watches."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONG_WORK = 2.0
"""Seconds after which something is shown."""


@contextmanager
def progress_bar(verb: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Yield a function to call with (done, total); shows a bar after two seconds if stderr is a terminal.

    Parameters
    ----------
    verb : str
        What is being done: "testing". Until the function is called, the bar says that and the time alone.
    quiet : bool
        Show nothing.
    """
    with stage_bar(verb, quiet=quiet) as advance:
        yield lambda done, total: advance(verb, done, total)


@contextmanager
def stage_bar(first: str = "", *, quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function to call with (what is being done, done, total)."""
    if quiet or not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from reportkit.cli.plain_lines import safe

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    display = Progress(*columns, console=Console(stderr=True), transient=True)
    task = display.add_task(first, total=None)
    later = threading.Timer(LONG_WORK, display.start)
    later.daemon = True
    later.start()
    try:
        yield lambda stage, done, total: display.update(
            task, description=escape(safe(stage)), completed=done, total=total
        )
    finally:
        later.cancel()
        later.join()
        display.stop()
