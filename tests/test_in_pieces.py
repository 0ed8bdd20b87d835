"""Results come in the order of the pieces, and of several errors the first, whoever does the work."""

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reportkit.errors import DesignError
from reportkit.in_pieces import JoinedBy, in_order


def half(number):
    """Of an even number."""
    if number % 2:
        raise DesignError(f"{number} is odd")
    return number // 2


def backwards(function, arguments):
    """Do the last piece first."""
    for place in reversed(range(len(arguments))):
        yield place, function(*arguments[place])


@pytest.mark.parametrize("run", [None, backwards])
def test_order_and_errors_do_not_depend_on_who_does_the_work(run):
    """What comes before the first error is there, too."""
    assert list(in_order(run, half, ((number,) for number in (2, 4, 8)))) == [1, 2, 4]
    found = []
    with pytest.raises(DesignError, match="3 is odd"):
        found.extend(in_order(run, half, [(2,), (3,), (5,)]))
    assert next(in_order(run, half, [(2,), (3,)])) == 1


def test_here_a_piece_waits_until_its_result_is_asked_for():
    """So that not all of their data are in memory at once."""
    made = []
    results = in_order(None, half, ((made.append(number) or number,) for number in (2, 4)))
    assert (next(results), made) == (1, [2])


def taken(number, folder):
    """What is done with a number, and by whom."""
    (folder / f"{number}-{os.getpid()}").touch()
    time.sleep(0.05)
    return number * number


def who(folder):
    """Processes that did something."""
    return {path.name.split("-")[1] for path in folder.iterdir()}


@pytest.mark.slow
def test_others_join_in_and_each_piece_is_done_once(tmp_path):
    """Of many pieces, all results are there, and some were made by others."""
    run = JoinedBy(3, after=0.0)
    arguments = [(number, tmp_path) for number in range(200)]
    assert dict(run(taken, arguments)) == {number: number * number for number in range(200)}
    assert len([*tmp_path.iterdir()]) == 200
    assert len(who(tmp_path)) > 1


def test_nobody_joins_in_where_little_is_to_be_done(tmp_path):
    """Within the first seconds, all is done here."""
    assert len(dict(JoinedBy(3)(taken, [(number, tmp_path) for number in range(3)]))) == 3
    assert who(tmp_path) == {str(os.getpid())}


def refused(number, folder):
    """Refuse the numbers above 30."""
    taken(number, folder)
    if number > 30:
        raise DesignError(f"number {number}", remedy="none")


def test_the_first_of_several_errors_is_the_one_that_is_raised(tmp_path):
    """Whoever meets which error first; and what comes after it is not begun."""
    with pytest.raises(DesignError, match=r"number 31\b"):
        dict(JoinedBy(2, after=0.0)(refused, [(number, tmp_path) for number in range(200)]))
    assert len([*tmp_path.iterdir()]) < 200


def refuse(*_):
    """As a system that has no room for another process, or no semaphores."""
    raise OSError("not here")


@pytest.mark.parametrize("name", ["__init__", "submit"])
def test_where_no_process_can_be_started_all_is_done_here(name, tmp_path, monkeypatch):
    """What was about to be given to one of them, too."""
    monkeypatch.setattr(f"concurrent.futures.ProcessPoolExecutor.{name}", refuse)
    arguments = [(number, tmp_path) for number in range(8)]
    assert dict(JoinedBy(3, after=0.0)(taken, arguments)) == {number: number * number for number in range(8)}
    assert who(tmp_path) == {str(os.getpid())}


def killed(number, folder, helped):
    """Be killed, unless in the process that is helped."""
    taken(number, folder)
    if os.getpid() != helped:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.slow
def test_what_a_killed_process_leaves_is_done_here(tmp_path):
    """As by the system, where there is too little memory."""
    run = JoinedBy(2, after=0.0)
    found = dict(run(killed, [(number, tmp_path, os.getpid()) for number in range(100)]))
    assert found == {number: number for number in range(100)}
    assert {str(os.getpid())} < who(tmp_path)


def test_processes_end_where_the_results_are_not_wanted_any_more(tmp_path):
    """As where somebody interrupts the work."""
    found = JoinedBy(2, after=0.0)(taken, [(number, tmp_path) for number in range(1000)])
    for _ in found:
        if len(who(tmp_path)) > 1:
            break
    found.close()
    assert not multiprocessing.active_children()


def helped_by(folder):
    """Be a process that others help, until it is killed."""
    arguments = [(number, folder) for number in range(10_000)]
    dict(JoinedBy(2, after=0.0)(taken, arguments))


@pytest.mark.slow
def test_processes_end_with_the_one_that_they_help(tmp_path):
    """Also where it is killed and can tell nobody."""
    program = "from pathlib import Path; from tests.test_in_pieces import helped_by; helped_by(Path({!r}))"
    process = subprocess.Popen([sys.executable, "-c", program.format(str(tmp_path))], cwd=Path(__file__).parents[1])
    try:
        eventually(lambda: len(who(tmp_path)) > 1)
        others = who(tmp_path) - {str(process.pid)}
    finally:
        process.kill()
        process.wait()
    eventually(lambda: not any(Path("/proc", other).exists() for other in others))


def eventually(holds):
    """Wait for something."""
    for _ in range(600):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("not within half a minute")


def algebra_threads(_):
    """What the libraries of a process that joins in are told."""
    time.sleep(0.05)
    return os.getpid(), os.environ.get("OPENBLAS_NUM_THREADS")


@pytest.mark.slow
def test_processes_that_join_in_compute_in_one_thread_each(monkeypatch):
    """Two processes with two threads each took longer than one process with one."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    told = dict(JoinedBy(2, after=0.0)(algebra_threads, [(number,) for number in range(200)])).values()
    assert {threads for pid, threads in told if pid != os.getpid()} == {"1"}
