"""Who does the work changes no byte."""

import sys

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit import parallel
from reportkit.errors import DesignError
from reportkit.reproducibility_analysis.splits import BlockedCV
from tests.conftest import needed, run_command


def predictions(n_repartitions=20, n=24):
    """Of two systems, on every re-partition of a corpus, with texts as labels and ids."""
    rng, places = np.random.default_rng(0), np.arange(n)
    gold = np.where(places % 3 == 0, "yes", "no")
    frames = []
    for repeat in range(n_repartitions):
        splits = [test for _, test in BlockedCV(m=3, rng=1, repartition=repeat).split(range(n))]
        for replicate, test in enumerate(splits[1::2]):
            for system, share in (("new", 0.8), ("old", 0.7)):
                right = rng.random(n) < share
                said = np.where(right == (gold == "yes"), "yes", "no")
                frame = pd.DataFrame({"instance": [f"i{place}" for place in places], "prediction": said, "gold": gold})
                fold = np.isin(places, test).astype(int)
                frames.append(frame.assign(system=system, dataset="cb", repeat=repeat, replicate=replicate, fold=fold))
    return pd.concat(frames, ignore_index=True)


def everything(where):
    """What each of them says."""
    found = reportkit.reproducibility(predictions(), "new", "old", **where)
    said = [found.to_json(), found.to_latex()]
    frame = predictions()
    twice = pd.concat([frame, frame[frame["repeat"].isin([3, 5])].assign(repeat=lambda rows: rows["repeat"] + 20)])
    broken = twice.assign(fold=twice["fold"].where(twice["repeat"] != 24, 0))
    for wrong in (twice, broken):
        with pytest.raises(DesignError) as error:
            reportkit.reproducibility(wrong, "new", "old", **where)
        said.append(str(error.value))
    return said


@pytest.mark.slow
def test_workers_change_no_byte(tmp_path, monkeypatch):
    """Those of Dask, and processes without it; results, and which error is met."""
    expected = everything({})
    distributed = needed("distributed", "dask")
    predictions().to_csv(tmp_path / "predictions.csv", index=False)
    line = ["reproducibility", "predictions.csv", "--system", "new", "--baseline", "old", "--no-pdf", "-o", "report"]
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50, memory_limit="1GB"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert everything({"client": client}) == expected
        alone = run_command(*line, cwd=tmp_path)
        there = run_command(*line, "--cluster", cluster.scheduler_address, cwd=tmp_path)
        assert (there.returncode, there.stdout) == (alone.returncode, alone.stdout)
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert reportkit.reproducibility(predictions(), "new", "old", workers=2).to_json() == expected[0]


@pytest.mark.slow
def test_a_comparison_that_others_join_has_the_same_bytes(monkeypatch):
    """Two datasets, both of them by others."""
    rng = np.random.default_rng(0)
    frame = pd.concat(
        pd.DataFrame(
            {"system": f"s{system}", "dataset": dataset, "instance": range(60), "score": rng.normal(size=60) ** 3}
        )
        for dataset in ("d1", "d2")
        for system in range(8)
    )
    monkeypatch.setattr(parallel, "JOIN_AFTER", 0.0)
    monkeypatch.setattr(parallel.os, "sched_getaffinity", lambda _: {0, 1})
    alone = reportkit.compare(frame)
    assert any(finding.code == "large-differences" for finding in alone.findings)
    with_others = reportkit.compare(frame, workers="auto")
    assert with_others.to_json() == alone.to_json()
    assert with_others.findings == alone.findings
