"""A report is the same, byte for byte, however its results are read, held and tested."""

import multiprocessing
import os
import re
import signal

import pandas as pd
import pytest

import reportkit
from reportkit import parallel
from reportkit.analysis import read_large
from reportkit.errors import DuplicateScoresError, ReadingError
from tests.conftest import needed
from tests.scale.result_files import as_csv, by_dataset, by_system, in_parts, said, scores


@pytest.mark.slow
@pytest.mark.parametrize("write", [by_dataset, by_system, as_csv])
def test_datasets_one_by_one_are_the_same_as_all_at_once(tmp_path, write):
    """Whatever the partition, a memory limit changes no byte; and it is obeyed: the datasets are not in memory."""
    frame = scores()
    write(frame, tmp_path / "results")
    together = reportkit.compare(tmp_path / "results")
    apart = reportkit.compare(tmp_path / "results", memory_limit="100MB")
    assert not in_parts(tmp_path / "results")
    assert in_parts(tmp_path / "results", memory_limit="100MB")
    assert said(apart) == said(together)


def test_one_frame_is_the_same_as_its_parts(tmp_path):
    """The numbers are those of the frame in memory; only the name of the source differs."""
    frame = scores(kind="percent")
    by_dataset(frame, tmp_path / "results")
    parts = reportkit.compare(tmp_path / "results", memory_limit="100MB", baseline="m0")
    whole = reportkit.compare(frame, baseline="m0")
    assert parts.digest == whole.digest
    assert parts.findings == whole.findings
    assert parts.to_frame().equals(whole.to_frame())


def test_a_dataset_that_does_not_tell_what_100_means_is_read_with_the_others(tmp_path):
    """All systems are right everywhere on one dataset, and on the others 0 stands next to 100."""
    frame = scores(kind="percent")
    frame["score"] = frame["score"].where(frame["task"] != "task9", 100)
    by_dataset(frame, tmp_path / "results")
    parts = reportkit.compare(tmp_path / "results", memory_limit="100MB", baseline="m0")
    assert parts.digest == reportkit.compare(frame, baseline="m0").digest
    assert {block.kind for block in parts.results} == {"binary"}


def test_columns_that_are_not_read_are_named_in_the_order_of_the_table(tmp_path):
    """A rater is one of them where each output has a single rater."""
    frame = scores(datasets=3).assign(rater="r1", major=0)
    by_dataset(frame, tmp_path / "results")
    together = reportkit.compare(tmp_path / "results", baseline="m0")
    apart = reportkit.compare(tmp_path / "results", baseline="m0", memory_limit="100MB")
    assert together.unused_columns == apart.unused_columns == ("note", "rater", "major")
    assert together.findings == apart.findings


def test_rows_that_contradict_each_other_are_said_as_if_all_were_read(tmp_path):
    """With the rows of the file, though it is read in parts."""
    frame = scores()
    twice = pd.concat([frame.assign(note="first"), frame.iloc[:3].assign(note="second", score=0.5)])
    twice.to_parquet(tmp_path / "all.parquet", index=False, row_group_size=100)
    said = []
    for options in ({}, {"memory_limit": "100MB"}):
        with pytest.raises(DuplicateScoresError, match="have several scores") as caught:
            reportkit.compare(tmp_path / "all.parquet", **options)
        said.append(str(caught.value))
    assert said[0] == said[1]


REAL = {
    "bbh/data.parquet": {},
    "swebench_pro/data.parquet": {"missing": "drop"},
    "wmt17_ende/sentence.parquet": {"metric": "BLEU", "baseline": "C-3MA.4959"},
    "mqm_ted/ted_error_counts.parquet": {"higher_is_better": False, "baseline": "Facebook-AI"},
    "rtdl/data.parquet": {"baseline": "autoint/tuned"},
}


@pytest.fixture(scope="module")
def cluster():
    """Two workers."""
    with needed("distributed", "dask").LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50, memory_limit="1GB"
    ) as started:
        yield started


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_real_results_are_the_same_every_way(shared, tmp_path, cluster, name):
    """In memory, and with shuffled rows in other files, out of core and by two workers: one text, one JSON."""
    frame = pd.read_parquet(shared / "data" / name)
    options = REAL[name]
    given, shuffled = tmp_path / "given" / "results", tmp_path / "shuffled" / "results"
    for folder in (given, shuffled):
        folder.mkdir(parents=True)
    frame.to_parquet(given / "all.parquet", index=False, row_group_size=1000)
    mixed = frame.sample(frac=1, random_state=1)
    for number in range(3):
        mixed.iloc[number::3].to_parquet(shuffled / f"part-{number}.parquet", index=False)
    expected = said(reportkit.compare(given, **options))
    assert said(reportkit.compare(shuffled, **options, memory_limit="100MB")) == expected
    with needed("distributed", "dask").Client(cluster) as client:
        assert said(reportkit.compare(shuffled, **options, client=client)) == expected


@pytest.mark.parametrize(("limit", "workers"), [("100MB", {}), ("200MB", {"workers": 2})])
def test_a_dataset_that_does_not_fit_is_refused_by_name(tmp_path, monkeypatch, limit, workers):
    """With the limit that is enough, which is literally so."""
    monkeypatch.setattr(read_large, "BYTES_OF_A_ROW", 300_000)  # as if rows were long
    frame = scores(datasets=3)
    large = frame[frame["task"] == "task9"].assign(id=lambda rows: rows["id"] + "b")
    by_dataset(pd.concat([frame, large], ignore_index=True), tmp_path / "results")
    with pytest.raises(ReadingError, match="the dataset 'task9' has 240 rows, and there is no memory") as caught:
        reportkit.compare(tmp_path / "results", memory_limit=limit, **workers)
    enough = re.search(r"memory_limit='(\d+MB)'", str(caught.value))[1]
    with parallel.workers_of(workers) as where:
        assert in_parts(tmp_path / "results", memory_limit=enough, workers=where)


def dying(function, given, caught=parallel._caught):
    """Do a piece of work, but die of it in a process that helps."""
    if multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)
    return caught(function, given)


@pytest.mark.slow
def test_processes_write_the_same_bytes(tmp_path, monkeypatch):
    """`workers=2`; also where processes are killed."""
    results = tmp_path / "results"
    by_dataset(scores(), results)
    expected = said(reportkit.compare(results))
    assert said(reportkit.compare(results, workers=2, memory_limit="200MB")) == expected
    monkeypatch.setattr(parallel, "_caught", dying)
    assert said(reportkit.compare(results, workers=2, memory_limit="200MB")) == expected
