"""Workers of Dask: the same bytes, and what is said where workers or files are lost."""

import pandas as pd
import pyarrow.parquet
import pytest

import reportkit
from reportkit import parallel
from reportkit.analysis import read_large
from reportkit.errors import ReadingError, SettingsError
from tests.conftest import needed
from tests.scale.result_files import by_dataset, said, scores

distributed = needed("distributed", "dask")


@pytest.fixture
def results(tmp_path):
    """A folder of Parquet with one file for each dataset."""
    by_dataset(scores(), tmp_path / "results")
    return tmp_path / "results"


@pytest.mark.slow
def test_that_no_worker_comes_is_said(results, monkeypatch):
    """A scheduler without workers: an error with what else there is."""
    monkeypatch.setattr(parallel, "FIRST_WORKER", 2.0)
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=":0", silence_logs=50) as empty,
        pytest.raises(parallel.WorkerLostError, match="no worker has come") as caught,
    ):
        reportkit.compare(results, cluster=empty.scheduler_address)
    assert "--workers 2" in str(caught.value)


@pytest.mark.parametrize("fate", ["vanished", "damaged"])
def test_a_part_that_is_lost_before_it_is_read_is_named(results, monkeypatch, fate):
    """Between looking at the footers and reading the rows."""
    understood = read_large.understood_table

    def losing(*arguments, **options):
        part = results / "task=task9" / "part-0.parquet"
        part.unlink(missing_ok=True) if fate == "vanished" else part.write_bytes(b"PAR1" + bytes(100) + b"PAR1")
        return understood(*arguments, **options)

    monkeypatch.setattr(read_large, "understood_table", losing)
    with pytest.raises(ReadingError, match="task9"):
        reportkit.compare(results, memory_limit="100MB")


@pytest.fixture(scope="module")
def cluster():
    """Two workers of one thread each, and what keeps them alive: a nanny."""
    distributed = needed("distributed", "dask")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50, memory_limit="1GB"
    ) as started:
        yield started


@pytest.fixture
def client(cluster):
    """A client of its own for each test."""
    with needed("distributed", "dask").Client(cluster) as connected:
        yield connected


@pytest.mark.slow
def test_workers_write_the_same_bytes(results, client):
    """Files read by workers make the report that is made in one process."""
    expected = said(reportkit.compare(results))
    for limit in ({}, {"memory_limit": "200MB"}):
        assert said(reportkit.compare(results, client=client, **limit)) == expected


@pytest.mark.slow
def test_a_cluster_of_the_user_is_left_as_it_was(results, cluster):
    """Neither an address, nor a client that is not the default, nor workers of our own become what Dask works on."""
    import dask

    distributed = needed("distributed", "dask")
    expected = said(reportkit.compare(results))

    def of_all_three():
        with distributed.Client(cluster, set_as_default=False) as own:
            ways = ({"cluster": cluster.scheduler_address}, {"client": own}, {"workers": 2})
            for way in ways:
                assert said(reportkit.compare(results, **way)) == expected

    of_all_three()
    assert dask.config.get("scheduler", None) is None
    with distributed.Client(cluster) as default:
        of_all_three()
        assert distributed.default_client() is default
        assert dask.base.get_scheduler().__self__ is default
    assert dask.config.get("scheduler", None) is None


def test_a_part_that_is_damaged_is_named(results, client):
    """No report without it, whether its rows are damaged or its end is gone."""
    part = results / "task=task9" / "part-0.parquet"
    pd.read_parquet(part).to_parquet(part, index=False, write_page_checksum=True)
    content = part.read_bytes()
    column = pyarrow.parquet.ParquetFile(part).schema.names.index("score")
    page = pyarrow.parquet.read_metadata(part).row_group(0).column(column).data_page_offset
    part.write_bytes(content[: page + 40] + bytes(8) + content[page + 48 :])
    with pytest.raises(ReadingError, match="task9"):
        reportkit.compare(results, client=client, memory_limit="200MB")
    part.write_bytes(content[: len(content) // 2])
    with pytest.raises(ReadingError, match="task9"):
        reportkit.compare(results, memory_limit="100MB")


@pytest.mark.slow
def test_what_excludes_each_other_is_said(results, client):
    """Workers and a client, an address at which nobody answers, a memory limit that is not valid."""
    with pytest.raises(SettingsError, match="exclude each other"):
        reportkit.compare(results, client=client, workers=2)
    with pytest.raises(SettingsError, match="neither an address nor a file"):
        reportkit.compare(results, cluster="nowhere.json")
    with pytest.raises(SettingsError, match="memory limit"):
        reportkit.compare(results, memory_limit="much")
    with pytest.raises(SettingsError, match="workers is 0"):
        reportkit.compare(results, workers=0)


@pytest.mark.slow
def test_a_calibration_on_workers_is_the_same(client):
    """Pieces of the study on workers of Dask, or in processes: the same bytes, and the same omissions."""
    frame = scores(systems=4, datasets=2, n=30)
    frame = frame[(frame["model"] != "m3") | (frame["task"] != "task9")]
    options = {"quick": True, "n_replicates": 20, "n_subsamples": 5, "max_tests": 100, "toy": True, "n_families": 50}
    options |= {"baseline": "m0"}
    expected = reportkit.calibrate(frame, **options)
    assert expected.study.omissions
    heard = []
    found = reportkit.calibrate(frame, client=client, stages=lambda *said: heard.append(said), **options)
    assert (found.to_json(), found.to_latex()) == (expected.to_json(), expected.to_latex())
    assert heard[-1][1] == heard[-1][2] == len(heard)
    found = reportkit.calibrate(frame, workers=2, **options)
    assert (found.to_json(), found.to_latex()) == (expected.to_json(), expected.to_latex())
