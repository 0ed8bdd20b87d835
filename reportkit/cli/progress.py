"""A progress bar or a spinner on stderr, for work that takes long, where somebody watches."""

from __future__ import annotations

import sys
import threading
import time
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
        What is being done: "testing".
    quiet : bool
        Show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    started = time.monotonic()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bar.add_task(verb, total=None)
    shown = False

    def advance(done: int, total: int) -> None:
        nonlocal shown
        if not shown and time.monotonic() - started > LONG_WORK:
            bar.start()
            shown = True
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
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    display = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
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
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from reportkit.cli.plain_lines import safe

    started = time.monotonic()
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
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
