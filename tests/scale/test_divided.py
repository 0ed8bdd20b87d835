"""Datasets that are larger than the memory of a worker: divided by instance, and the same bytes."""

import os
import re
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import reportkit
from reportkit.errors import MissingScoresError, ReadingError
from reportkit.replicability.compare import plan_comparison
from reportkit.scale import divided, reading
from tests.conftest import needed
from tests.scale.result_files import by_dataset, files, scores


@pytest.fixture
def little_memory(monkeypatch):
    """Rows and scores that take so much that of 300 instances 450 rows are read, and 4 systems are held, at once."""

    def little(memory):
        monkeypatch.setattr(reading, "BYTES_OF_A_ROW", memory // 450)
        monkeypatch.setattr(divided, "_BYTES_OF_A_SCORE", memory // (300 * 4 + 300))

    little(25_000_000)
    return little


def designs():
    """Results of six systems on one small dataset and one that is divided, in the ways that results differ."""
    frame = pd.concat([scores(systems=6, datasets=1, n=30), scores(systems=6, datasets=2, n=300).iloc[1800:]])
    number = frame["id"].str.partition("q")[2].astype(int)
    numbered = frame.assign(id=number)[frame["task"] == "task9"]
    absent = np.random.default_rng(1).random(len(frame)) < 0.1 * (frame["model"] != "m0")
    return {
        "plain": (frame, {}),
        "a baseline, ids that are numbers": (frame.assign(id=number), {"baseline": "m0"}),
        "right or wrong in percent": (frame.assign(score=100.0 * (frame["score"] > 0.5)), {}),
        "clusters": (frame.assign(cluster="doc " + (number // 7).astype(str)), {}),
        "weights": (frame.assign(weight=1 + number % 3), {}),
        "lower is better": (frame, {"higher_is_better": False}),
        "dropped": (frame[~absent], {"missing": "drop"}),
        "some systems": (frame[~absent], {"missing": "drop", "systems": ["m0", "m3", "m5"]}),
        "worst": (frame[~absent], {"missing": "worst", "score_range": (0, 1)}),
        "bounds": (frame[~absent], {"missing": "bounds", "score_range": (0, 1)}),
        "the same scores twice": (pd.concat([numbered, numbered.assign(task="again")]), {}),
    }


def said(*arguments, **options):
    """Numbers and text."""
    found = reportkit.compare(*arguments, **options)
    return found.to_json(), found.to_latex()


@pytest.mark.slow
@pytest.mark.parametrize("name", designs())
def test_a_dataset_larger_than_memory_is_divided(tmp_path, little_memory, name):
    """With clusters, weights, percentages and missing scores: the same numbers and words; four of six systems fit."""
    frame, options = designs()[name]
    frame.sample(frac=1, random_state=0).to_parquet(tmp_path / "all.parquet", index=False, row_group_size=500)
    source = tmp_path / "all.parquet"
    apart = reportkit.compare(source, memory_limit="50MB", **options)
    assert {block.dataset: block.head.systems_at_once for block in apart.results.datasets}["task9"] == 4
    assert (apart.to_json(), apart.to_latex()) == said(source, **options)


@pytest.mark.slow
def test_one_that_is_truly_larger_is_divided(tmp_path):
    """480,000 rows, for which half of 50 MB is not enough: all files of the report."""
    frame = scores(systems=8, datasets=1, n=60_000)
    by_dataset(frame, tmp_path / "results")
    apart = reportkit.compare(tmp_path / "results", baseline="m0", memory_limit="50MB")
    assert apart.results.datasets[0].head.systems_at_once == 2
    together = reportkit.compare(tmp_path / "results", baseline="m0")
    assert files(apart, tmp_path / "apart") == files(together, tmp_path / "together")


@pytest.mark.slow
def test_workers_divide_by_the_shuffle_of_dask(tmp_path, little_memory, monkeypatch):
    """One worker and two, and one that is killed with its parts; files and frames of Dask; and without Dask."""
    distributed, dd = needed("distributed", "dask"), needed("dask.dataframe", "dask")
    frame, _ = designs()["right or wrong in percent"]
    by_dataset(frame, tmp_path / "results")
    expected = files(reportkit.compare(tmp_path / "results"), tmp_path / "together")
    little_memory(500_000_000)
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50, memory_limit="1GB"
    ) as cluster:
        for n_workers in (1, 2):
            cluster.scale(n_workers)
            with distributed.Client(cluster) as client:
                client.wait_for_workers(n_workers)
                found = reportkit.compare(tmp_path / "results", client=client)
                assert len(found.results.datasets[1].holder.parts(found.results.datasets[1].key)) > 4
                assert files(found, tmp_path / f"by {n_workers}") == expected
        with distributed.Client(cluster):
            noteless = frame.drop(columns="note")
            lazy = dd.from_pandas(noteless, npartitions=3).replic(instance="id")
            assert lazy.compare().to_frame().equals(noteless.replic(instance="id").compare().to_frame())

        with monkeypatch.context() as patched, distributed.Client(cluster):
            patched.setattr(divided, "_BYTES_OF_AN_INSTANCE", 10_000_000)
            patched.setattr(reading, "shuffled", None)
            with pytest.raises(ReadingError, match=r"'task9' has at least 300 instances(.|\n)*DataFrame: "):
                lazy.compare()

        def killing(*arguments):
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
            return plan_comparison(*arguments)

        monkeypatch.setattr("reportkit.analysis.compare.plan_comparison", killing)
        with distributed.Client(cluster) as client:
            assert files(reportkit.compare(tmp_path / "results", client=client), tmp_path / "killed") == expected


@pytest.mark.parametrize(("name", "n_errors"), [("plain", 1), ("dropped", 2)])
@pytest.mark.parametrize("system", ["model", None])
def test_what_cannot_fit_is_refused_before_it_is_divided(tmp_path, little_memory, monkeypatch, name, n_errors, system):
    """Before a row is written anew; with the limit that the error names it works, with 1 MB less it does not.

    Where scores are missing, footers tell too few instances, and a second error names what is needed.
    """
    frame, options = designs()[name]
    if system is None:  # in wide form
        frame = frame.set_index(["task", "id", "model"])["score"].unstack().reset_index()  # noqa: PD010  # one score each
        n_errors = 1
    frame.to_parquet(tmp_path / "all.parquet", index=False, row_group_size=500)
    monkeypatch.setattr(divided, "_BYTES_OF_AN_INSTANCE", 100_000)
    divisions = []
    before = reading.by_instance
    monkeypatch.setattr(reading, "by_instance", lambda *given: divisions.append(given) or before(*given))

    def refused(megabytes):
        with pytest.raises(ReadingError, match=r"'task9' has at least \d+ instances") as error:
            reportkit.compare(tmp_path / "all.parquet", memory_limit=f"{megabytes}MB", **options)
        return int(re.search(r"--memory-limit (\d+)MB", str(error.value))[1])

    limit = refused(50)
    assert refused(limit - 1) == limit
    assert not divisions
    if n_errors == 2:
        limit = refused(limit)
    assert reportkit.compare(tmp_path / "all.parquet", memory_limit=f"{limit}MB", **options)
    assert divisions


def test_what_cannot_be_divided_is_said(tmp_path, little_memory, monkeypatch):
    """Two systems for which there is no memory; a worst score that is not known; what needs all scores at once."""
    frame, _ = designs()["dropped"]
    frame.to_parquet(tmp_path / "all.parquet", index=False)
    with pytest.raises(MissingScoresError) as together:
        reportkit.compare(tmp_path / "all.parquet")
    with pytest.raises(MissingScoresError) as apart:
        reportkit.compare(tmp_path / "all.parquet", memory_limit="50MB")
    assert str(apart.value) == str(together.value)
    with pytest.raises(MissingScoresError, match=r"memory for 4 systems(.|\n)*--score-range"):
        reportkit.compare(tmp_path / "all.parquet", memory_limit="50MB", missing="worst")
    options = {"missing": "drop", "dependence": "independent"}
    with pytest.raises(ReadingError, match=r"6 systems on the dataset 'task9'(.|\n)*--memory-limit"):
        reportkit.compare(tmp_path / "all.parquet", memory_limit="50MB", **options)
    assert reportkit.compare(tmp_path / "all.parquet", memory_limit="100MB", **options)
    monkeypatch.setattr(divided, "_BYTES_OF_AN_INSTANCE", 100_000)
    with pytest.raises(
        ReadingError, match=r"'task9' has at least 2\d\d instances(.|\n)*all.parquet(.|\n)*--memory-limit"
    ):
        reportkit.compare(tmp_path / "all.parquet", memory_limit="50MB", missing="drop")


@pytest.mark.slow
def test_the_limit_is_kept(tmp_path):
    """The data of a dataset that is divided take no more than the limit, beside what the program takes for itself."""
    n, systems = 150_000, [f"m{number}" for number in range(20)]
    rng = np.random.default_rng(0)
    ids = pa.array([f"item-{number:08}" for number in range(n)])
    writer = None
    for system in systems:
        columns = {"model": [system] * n, "task": ["t"] * n, "id": ids, "score": rng.random(n).round(4)}
        table = pa.table(columns)
        writer = writer or pyarrow.parquet.ParquetWriter(tmp_path / "all.parquet", table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()

    def peak(limit):
        """Exit code, messages, and megabytes of the process."""
        line = [sys.executable, "-c", _PEAK, "build", "all.parquet", "--baseline", "m0", "--no-pdf", "-o", "report"]
        run = subprocess.run(
            [*line, "--memory-limit", f"{limit}MB"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return run.returncode, run.stderr, int(run.stderr.splitlines()[-1]) / 1024

    code, message, alone = peak(50)
    assert code == 2
    limit = int(re.search(r"--memory-limit (\d+)MB", message)[1])
    code, _, most = peak(limit)
    assert code == 0
    assert most < alone + limit


_PEAK = """
import resource, sys
from reportkit.cli.main import main
sys.argv[0] = "reportkit"
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""
