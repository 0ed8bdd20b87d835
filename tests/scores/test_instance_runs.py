"""From a table to runs: every run is checked like a system of its own."""

from __future__ import annotations

import pandas as pd
import pytest

from reportkit.errors import DuplicateScoresError, InputError, MissingScoresError
from tests.scores.reading import results_of


def frame(n=12):
    """Two systems with 3 and 2 runs on two datasets, scores that tell system, run and instance."""
    rows = [
        (system, dataset, f"{dataset}-{j}", run, 5 + 10 * s + k + j / 100)
        for dataset in ("rte", "cb")
        for s, (system, m) in enumerate((("b", 3), ("a", 2)))
        for k, run in enumerate(["r10", "r2", "r1"][:m])
        for j in range(n)
    ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "run", "score"])


def test_each_score_in_its_place():
    """Systems and runs in natural order, instances sorted, whatever the order of the rows."""
    shuffled = frame().sample(frac=1, random_state=1)
    results, again = results_of(frame()), results_of(shuffled)
    assert results.digest() == again.digest()
    cb, rte = again.datasets
    assert cb.shape == "runs"
    assert (cb.dataset, cb.systems, cb.runs) == ("cb", ("a", "b"), (("r2", "r10"), ("r1", "r2", "r10")))
    column = list(rte.instances).index("rte-7")
    assert rte.scores[1][:, column].tolist() == [7.07, 6.07, 5.07]


def test_incomplete_runs():
    """An instance that one run of a system lacks is missing; the options leave it out, or fill it."""
    block = results_of(frame().drop([0, 1, 15])).datasets[1]
    assert not block.presence().all()
    with pytest.raises(MissingScoresError, match="'b' lacks 3"):
        block.pair("a", "b")
    assert block.pair("a", "b", missing="drop").n == block.n_instances - 3


def test_repeated_rows_of_a_run():
    """The same row twice is dropped loudly; another score for the same run and instance is an error."""
    df = frame()
    twice = results_of(pd.concat([df, df.head(3)]))
    assert twice.digest() == results_of(df).digest()
    assert "duplicate-rows" in {finding.code for finding in twice.findings}
    with pytest.raises(DuplicateScoresError, match="several scores") as raised:
        results_of(pd.concat([df, df.head(1).assign(score=99.0)]))
    assert "'b, run r10' on 'rte', instance 'rte-0': 5 and 99" in str(raised.value)


def test_clusters_and_weights():
    """One of each per instance, the same for all runs."""
    df = frame()
    df["doc"] = df["dataset"] + "/" + (df["instance"].str.split("-").str[1].astype(int) // 3).astype(str)
    df["weight"] = 1.0 + df["instance"].str.split("-").str[1].astype(int)
    block = results_of(df).datasets[0]
    assert block.cluster_names == ("cb/0", "cb/1", "cb/2", "cb/3")
    assert block.weights[list(block.instances).index("cb-11")] == 12.0
    df.loc[0, "doc"] = "rte/3"
    with pytest.raises(InputError, match="has several clusters"):
        results_of(df)
