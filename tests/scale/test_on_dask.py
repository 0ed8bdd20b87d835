"""What is said where workers, the scheduler or files are lost while the work goes on; never a report without a part."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

import reportkit
from reportkit.errors import ReadingError
from reportkit.replicability.compare import plan_comparison
from reportkit.scale import on_dask, reading
from reportkit.scale.asked import held_results
from reportkit.scale.holders import WorkerLostError
from reportkit.settings import Settings
from tests.conftest import needed
from tests.scale.result_files import by_dataset, scores

dask = needed("dask", "dask")
distributed = needed("distributed", "dask")


@pytest.fixture
def results(tmp_path):
    """A folder of Parquet with one file for each dataset."""
    by_dataset(scores(), tmp_path / "results")
    return tmp_path / "results"


def before_testing(monkeypatch, action):
    """Do something when all datasets are held, and none is assessed."""

    def acting(*arguments):
        found = plan_comparison(*arguments)
        action()
        return found

    monkeypatch.setattr("reportkit.analysis.compare.plan_comparison", acting)


@pytest.fixture(scope="module")
def cluster():
    """One worker, and what starts it again."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50, memory_limit="1GB"
    ) as started:
        yield started


@pytest.fixture
def client(cluster):
    """A client of its own for each test."""
    with distributed.Client(cluster) as connected:
        connected.wait_for_workers(1)
        yield connected


def kill(cluster):
    """End the worker, as the kernel does where memory is short."""
    os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)


@pytest.mark.slow
def test_a_worker_without_memory_is_said(results, monkeypatch):
    """It is ended again and again, or begins nothing, for which Dask would wait for ever: its part is named."""
    monkeypatch.setattr(on_dask, "LOOKS_EVERY", 0.3)
    monkeypatch.setattr(on_dask, "GONE_AFTER", 10_000)  # however long it takes to start one again
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50, memory_limit="120MB"
        ) as small,
        distributed.Client(small) as connected,
        pytest.raises(WorkerLostError, match=r"no memory left|killed one after the other") as caught,
    ):
        reportkit.compare(results, client=connected)
    assert "task=task10" in str(caught.value)
    assert "more memory" in str(caught.value)


@pytest.mark.slow
def test_the_first_worker_may_come_late_and_the_last_not_leave(results, monkeypatch):
    """Work waits as long as a queue takes; where all workers have left for good, it is given up."""
    monkeypatch.setattr(on_dask, "LOOKS_EVERY", 0.1)
    monkeypatch.setattr(on_dask, "SAID_AFTER", 1)
    with (
        distributed.LocalCluster(
            n_workers=0, threads_per_worker=1, dashboard_address=":0", silence_logs=50, memory_limit="1GB"
        ) as queue,
        distributed.Client(queue) as connected,
    ):
        coming = threading.Timer(3, queue.scale, [1])
        coming.start()
        with pytest.warns(UserWarning, match="no worker has come"):
            assert reportkit.compare(results, client=connected).results.systems == ("m0", "m1", "m2")
        coming.join()
        monkeypatch.setattr(on_dask, "GONE_AFTER", 5)
        before_testing(monkeypatch, lambda: queue.scale(0))
        with pytest.raises(WorkerLostError, match="no worker any more"):
            reportkit.compare(results, client=connected)


@pytest.mark.slow
def test_that_no_worker_comes_is_said(results, monkeypatch):
    """A scheduler without workers: a sentence after a few seconds, in the end an error with what else there is."""
    monkeypatch.setattr(on_dask, "SAID_AFTER", 0.5)
    heard = []
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as empty,
        dask.config.set({"distributed.scheduler.no-workers-timeout": "2s"}),
        pytest.raises(WorkerLostError, match="no worker has come") as caught,
    ):
        held_results(results, {"cluster": empty.scheduler_address}, Settings(), said=heard.append)
    assert "--workers 2" in str(caught.value)
    (text,) = heard
    assert empty.scheduler_address in text
    assert "0:00:02" in text


def failing(*_):
    """Raise an error from code whose frame cannot be pickled."""
    exec("raise ValueError('what went wrong there')", {"__name__": threading.Lock()})  # noqa: S102 - a frame of its own


@pytest.mark.slow
@pytest.mark.parametrize("where", ["reading", "a frame of Dask"])
def test_an_error_that_cannot_be_unpickled_is_said(results, client, monkeypatch, where):
    """Dask would wait for ever: the error's text and the part that it is about are said, nothing is read again."""
    monkeypatch.setattr(on_dask, "LOOKS_EVERY", 0.3)
    if where == "reading":
        monkeypatch.setattr(on_dask, "ingest_unit", failing)
        source, part = results, "task=task"
    else:
        frame = needed("dask.dataframe", "dask").from_pandas(scores(), npartitions=2)
        source, part = frame.map_partitions(failing, meta=frame._meta), "DataFrame"
    with pytest.raises(WorkerLostError, match="cannot be read here") as caught:
        reportkit.compare(source, client=client, columns={"instance": "id"})
    assert "ValueError('what went wrong there')" in str(caught.value)
    assert part in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize("fate", ["vanished", "damaged", "changed"])
def test_a_part_that_is_lost_with_its_worker_is_named(results, cluster, client, monkeypatch, fate):
    """Datasets of a killed worker are read again; a file that is another one by then is an error that names it."""
    other = scores(seed=1)

    def action():
        for part in results.rglob("*.parquet"):
            if fate == "vanished":
                part.unlink()
            elif fate == "damaged":
                part.write_bytes(part.read_bytes()[:-10])
            else:
                rows = other[other["task"] == part.parent.name.removeprefix("task=")].drop(columns="task")
                rows.to_parquet(part, index=False)
        kill(cluster)

    before_testing(monkeypatch, action)
    said = {"vanished": "has vanished", "damaged": "cannot be read", "changed": "was changed while"}[fate]
    with pytest.raises(ReadingError, match=rf"task=task\d+.*{said}"):
        reportkit.compare(results, client=client)


@pytest.mark.parametrize("fate", ["vanished", "damaged"])
def test_a_part_that_is_lost_before_it_is_read_is_named(results, monkeypatch, fate):
    """Between looking at the footers and reading the rows."""
    units_of = reading.units_of

    def losing(*arguments):
        part = results / "task=task9" / "part-0.parquet"
        part.unlink() if fate == "vanished" else part.write_bytes(b"PAR1" + bytes(100) + b"PAR1")
        return units_of(*arguments)

    monkeypatch.setattr(reading, "units_of", losing)
    with pytest.raises(ReadingError, match="task=task9"):
        reportkit.compare(results, memory_limit="100MB")


@pytest.mark.slow
def test_a_scheduler_that_restarts_is_said(results, tmp_path, monkeypatch):
    """The work is lost with it: an error that says so, and with a folder for finished tests they are taken up."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    started = []

    def start(*words):
        command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        started.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return started[-1]

    def scheduler():
        return start("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")

    def restarting():
        started[0].kill()
        started[0].wait()
        scheduler()

    scheduler()
    start("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "20")
    before_testing(monkeypatch, restarting)
    try:
        with pytest.raises(WorkerLostError, match="scheduler") as caught:
            reportkit.compare(results, cluster=address)
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert "task=task" in str(caught.value)


_SLOW = """
import pathlib, time
from reportkit.scale import finished


def assess_unfinished(block, *arguments, before=finished.assess_unfinished, **options):
    found = before(block, *arguments, **options)
    if block.dataset == "task9" and not pathlib.Path("go").exists():
        pathlib.Path("at work").touch()
        while not pathlib.Path("go").exists():
            time.sleep(0.05)
    return found


finished.assess_unfinished = assess_unfinished
"""


def soon(holds):
    """Wait until something holds, for a minute at most."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.slow
def test_ctrl_c_cancels_on_the_cluster(results, tmp_path):
    """The command ends with 130 at once, the scheduler forgets its work, and --resume takes up what was tested."""
    (tmp_path / "slow.py").write_text(_SLOW)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50, memory_limit="1GB",
        preload=str(tmp_path / "slow.py"), local_directory=str(tmp_path),
    ) as cluster, distributed.Client(cluster) as watching:  # fmt: skip
        watching.run(os.chdir, str(tmp_path))
        line = [sys.executable, "-m", "reportkit", "build", str(results), "--cluster", cluster.scheduler_address]
        line += ["--resume", "kept", "--no-pdf", "-o", "report", "--quiet"]
        command = subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        soon((tmp_path / "at work").exists)
        command.send_signal(signal.SIGINT)
        _, message = command.communicate(timeout=30)
        assert (command.returncode, message.strip()) == (130, "aborted")
        soon(lambda: not watching.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)))
        assert not (tmp_path / "report").exists()
        (tmp_path / "go").touch()
        kept = {*(tmp_path / "kept").rglob("*.parquet")}
        assert kept
        done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert not done.stderr
    assert kept < {*(tmp_path / "kept").rglob("*.parquet")}
    together = subprocess.run(
        [sys.executable, "-m", "reportkit", "build", str(results), "--no-pdf", "-o", "together", "--quiet"],
        cwd=tmp_path, check=False,
    )  # fmt: skip
    assert together.returncode == done.returncode
    written = [
        {path.relative_to(tmp_path / out): path.read_bytes() for path in (tmp_path / out).rglob("*") if path.is_file()}
        for out in ("report", "together")
    ]
    assert written[0] == written[1]
