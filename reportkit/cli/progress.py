"""A progress bar or a spinner on stderr, for work that takes long, where somebody watches."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

LONG_WORK = 2.0
"""Seconds after which something is shown."""


@contextmanager
def progress_bar(verb: str, *, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Yield a function to call with (done, total); shows a bar after two seconds if stderr is a terminal.

    Parameters
    ----------
    verb : str
        What is being done: "testing".
    quiet : bool
        Show nothing.
    """
    with stage_bar(quiet=quiet) as advance:
        yield lambda done, total: advance(verb, done, total)


@contextmanager
def stage_bar(*, quiet: bool = False) -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function to call with (what is being done, done, total); a bar for each stage, after two seconds in all.

    Parameters
    ----------
    quiet : bool
        Show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda stage, done, total: None
        return
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    from reportkit.cli.plain_lines import safe

    started = time.monotonic()
    bar = _display(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    now, task, shown = "", bar.add_task("", total=None), False

    def advance(stage: str, done: int, total: int) -> None:
        nonlocal now, shown
        if not shown and time.monotonic() - started > LONG_WORK:
            bar.start()
            shown = True
        if stage != now:
            now = stage
            bar.reset(task, description=escape(safe(stage)), total=total)
        bar.update(task, completed=done, total=total)

    try:
        yield advance
    finally:
        if shown:
            bar.stop()


@contextmanager
def spinner(verb: str, *, quiet: bool = False) -> Iterator[None]:
    """Show for how long something has been going on of which no end can be told; after two seconds, on a terminal.

    Parameters
    ----------
    verb : str
        What is being done: "reading".
    quiet : bool
        Show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    display = _display(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    display.add_task(verb, total=None)
    later = threading.Timer(LONG_WORK, display.start)
    later.daemon = True
    later.start()
    try:
        yield
    finally:
        later.cancel()
        later.join()
        display.stop()


def _display(*columns: ProgressColumn) -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=True)
