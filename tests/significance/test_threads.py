"""Work in threads: the order and the errors of one thread, and the same numbers to the last bit."""

import threading
from itertools import combinations

import numpy as np
import pytest

from reportkit.scores.shapes.paired_scores import DatasetScores
from reportkit.settings import Settings
from reportkit.significance import assess_pairs as module
from reportkit.significance import plain_pairs, threads
from reportkit.significance.assess_pairs import assess_pairs
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.threads import in_threads


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

    assert list(in_threads(work, [0, 1])) == [0, 1]


def test_an_error_is_that_of_the_first_item_that_fails(two):
    """And what has not begun is left."""

    def work(item):
        raise ValueError(item)

    with pytest.raises(ValueError, match="3"):
        list(in_threads(work, [3, 4, 5]))


def test_numpy_is_as_silent_as_it_was_told_to_be(two):
    """What a caller lets pass passes in threads, too."""
    with np.errstate(divide="ignore"):
        assert all(np.isinf(each) for each in in_threads(lambda zero: np.float64(1.0) / zero, [0.0, 0.0]))


@pytest.mark.parametrize("asked", ["1", "0", "2", "3", "", "true"])
def test_as_many_as_are_asked_for(two, monkeypatch, asked):
    """No more than processors, one if the environment says so, and one within a thread."""
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    names = set(in_threads(lambda _: threading.current_thread().name, range(100)))
    assert (names == {threading.current_thread().name}) == (asked == "1")
    nested = in_threads(lambda _: set(in_threads(lambda _: threading.current_thread().name, range(9))), range(9))
    assert all(len(each) == 1 for each in nested)


@pytest.mark.parametrize("sort", ["continuous", "skewed", "two decimals"])
def test_the_same_bytes_with_one_thread_and_two(two, monkeypatch, sort):
    """Tails, resamples and intervals: which thread does what changes nothing."""
    rng = np.random.default_rng(1)
    draw = {"continuous": rng.normal, "skewed": rng.lognormal, "two decimals": rng.normal}[sort]
    scores = draw(np.linspace(0.0, 0.5, 7)[:, None], 1.0, (7, 300))
    block = DatasetScores(
        dataset="cb",
        metric="score",
        systems=tuple("abcdefg"),
        instances=np.array([f"i{number}" for number in range(300)], dtype=object),
        kind="continuous",
        scores=np.round(scores, 2) if sort == "two decimals" else scores,
    )
    monkeypatch.setattr(module, "_PAIRS", 4)
    monkeypatch.setattr(plain_pairs, "_BLOCK", 900)
    plan, pairs = ResamplingPlan(thresholds=(0.05, 0.05 / 21)), [*combinations("abcdefg", 2)]
    with_two = tuple(assess_pairs(block, pairs, plan, Settings()))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert repr(with_two) == repr(tuple(assess_pairs(block, pairs, plan, Settings())))
