"""What is said where workers, the scheduler or files are lost while the work goes on; never a report without a part."""

import socket
import subprocess
import sys

import pytest

import reportkit
from reportkit.errors import ReadingError
from reportkit.replicability.compare import plan_comparison
from reportkit.scale import reading
from reportkit.scale.on_dask import WorkerLostError
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


@pytest.mark.slow
def test_that_no_worker_comes_is_said(results):
    """A scheduler without workers: a sentence at once, in the end an error with what else there is."""
    with (
        pytest.warns(UserWarning, match="no worker has come to the scheduler at .* given up after 0:00:02"),
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as empty,
        dask.config.set({"distributed.scheduler.no-workers-timeout": "2s"}),
        pytest.raises(WorkerLostError, match="no worker has come") as caught,
    ):
        reportkit.compare(results, cluster=empty.scheduler_address)
    assert "--workers 2" in str(caught.value)


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
    """The work is lost with it: an error that says so."""
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
    assert "pieces of work are not done" in str(caught.value)
