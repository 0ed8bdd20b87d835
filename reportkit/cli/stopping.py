"""A process that is told to end puts its files right first, as it does on Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

_NAMES = ("SIGTERM", "SIGHUP")  # of `kill`, a scheduler, a terminal that is closed


@contextmanager
def stopped_like_ctrl_c() -> Iterator[None]:
    """Raise KeyboardInterrupt where the process would end at once; not for what the process was told to ignore."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say how signals are handled
        return
    before: dict[signal.Signals, Any] = {}
    for name in _NAMES:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            before[number] = signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(_number: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
