"""A progress bar on stderr, for work that takes long, where somebody watches."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LONG_WORK = 2.0
"""Seconds after which something is shown."""


@contextmanager
def progress_bar(verb: str = "", *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """Yield a function to call with ([what is done now,] done, total); a bar comes after two seconds on a terminal.

    Parameters
    ----------
    verb : str
        What is being done: "testing". Until the function is called, the bar says that and the time alone.
    quiet : bool
        Show nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda *said: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from reportkit.cli.plain_lines import safe

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    display = Progress(*columns, console=Console(stderr=True), transient=True)
    task = display.add_task(verb, total=None)
    later = threading.Timer(LONG_WORK, display.start)
    later.daemon = True
    later.start()

    def advance(*said: Any) -> None:
        *stage, done, total = said
        display.update(task, description=escape(safe(stage[0] if stage else verb)), completed=done, total=total)

    try:
        yield advance
    finally:
        later.cancel()
        later.join()
        display.stop()
