"""What a terminal shows of long work, and that nobody else is bothered with it."""

import io
import sys
import time

import pytest

from reportkit.cli import progress
from reportkit.cli.progress import progress_bar


class Terminal(io.StringIO):
    """Text that pretends to be shown."""

    def isatty(self):
        """Yes."""
        return True


@pytest.fixture
def terminal(monkeypatch):
    """Return a function that makes stderr a terminal, on which things are shown at once."""

    def shown():
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(progress, "LONG_WORK", 0.0)
        return stream

    return shown


def test_a_bar_shows_that_something_goes_on(terminal):
    """The verb and the time."""
    shown = terminal()
    with progress_bar("reading"):
        time.sleep(0.3)
    assert "reading" in shown.getvalue()
    assert "0:00:0" in shown.getvalue()


def test_short_work_shows_nothing(terminal, monkeypatch):
    """Nothing within the first two seconds."""
    shown = terminal()
    monkeypatch.setattr(progress, "LONG_WORK", 2.0)
    with progress_bar("testing") as advance:
        advance(1, 2)
    assert shown.getvalue() == ""


def test_a_bar_counts(terminal):
    """Done and total."""
    shown = terminal()
    with progress_bar("testing") as advance:
        for done in range(1, 4):
            advance(done, 3)
            time.sleep(0.15)
    assert "3/3" in shown.getvalue()


@pytest.mark.parametrize("quiet", [True, False])
def test_nothing_is_shown_where_nobody_watches(monkeypatch, quiet):
    """Not with --quiet, and not into a file."""
    shown = Terminal() if quiet else io.StringIO()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr(progress, "LONG_WORK", 0.0)
    with progress_bar("testing", quiet=quiet) as advance:
        advance(1, 1)
        time.sleep(0.1)
    assert shown.getvalue() == ""


def test_an_error_passes_through_the_bar(terminal):
    """The bar is taken away and the error stays."""
    terminal()
    with pytest.raises(ValueError, match="wrong"), progress_bar("reading"):
        raise ValueError("wrong")
