"""Work in threads: the order and the errors of one thread, and the same numbers to the last bit."""

import threading

import numpy as np
import pytest

from reportkit.significance import threads
from reportkit.significance.threads import LONG, in_threads


@pytest.fixture
def two(monkeypatch):
    """A machine with two processors."""
    monkeypatch.setattr(threads, "n_threads", lambda: 2)
    monkeypatch.setenv("OMP_NUM_THREADS", "")


def test_results_come_in_the_order_of_the_items(two):
    """Whichever is done first."""
    second = threading.Event()

    def work(item):
        assert second.wait(60) if item == 0 else second.set() is None
        return item

    assert list(in_threads(work, [0, 1], LONG)) == [0, 1]


def test_an_error_is_that_of_the_first_item_that_fails(two):
    """And what has not begun is left."""

    def work(item):
        raise ValueError(item)

    with pytest.raises(ValueError, match="3"):
        list(in_threads(work, [3, 4, 5], LONG))


def test_numpy_is_as_silent_as_it_was_told_to_be(two):
    """What a caller lets pass passes in threads, too."""
    with np.errstate(divide="ignore"):
        assert all(np.isinf(each) for each in in_threads(lambda zero: np.float64(1.0) / zero, [0.0, 0.0], LONG))


@pytest.mark.parametrize("asked", ["1", "0", "2", "3", "", "true"])
def test_as_many_as_are_asked_for(two, monkeypatch, asked):
    """No more than processors, one if the environment says so, and one within a thread."""
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    names = set(in_threads(lambda _: threading.current_thread().name, range(100), LONG))
    assert (names == {threading.current_thread().name}) == (asked == "1")
    nested = in_threads(
        lambda _: set(in_threads(lambda _: threading.current_thread().name, range(9), LONG)), range(9), LONG
    )
    assert all(len(each) == 1 for each in nested)


def test_short_work_stays_in_one(two):
    """Threads would wait for each other."""
    assert {*in_threads(lambda _: threading.current_thread().name, range(9), LONG - 1)} == {
        threading.current_thread().name
    }
