"""What a terminal shows of long work, and that nobody else is bothered with it."""

import io
import sys
import time

import pytest

from reportkit.cli import progress
from reportkit.cli.progress import progress_bar


def _shown(monkeypatch, *, terminal=True, quiet=False, after=0.0):
    stream = io.StringIO()
    stream.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "LONG_WORK", after)
    with progress_bar("testing", quiet=quiet) as advance:
        time.sleep(0.15)
        for done in range(1, 4):
            advance(done, 3)
            time.sleep(0.15)
    return stream.getvalue()


def test_a_bar_counts_and_shows_the_time(monkeypatch):
    """The verb, done and total."""
    shown = _shown(monkeypatch)
    assert "testing" in shown
    assert "3/3" in shown
    assert "0:00:0" in shown


@pytest.mark.parametrize("case", [{"after": 2.0}, {"quiet": True}, {"terminal": False}], ids=str)
def test_nothing_is_shown_of_short_work_or_where_nobody_watches(monkeypatch, case):
    """Within two seconds, with --quiet, into a file."""
    assert _shown(monkeypatch, **case) == ""
