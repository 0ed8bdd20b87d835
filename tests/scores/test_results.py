"""Results: selections, and a digest that tells different results apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import SettingsError, UnknownNameError
from reportkit.scores.scores import Results
from tests.scores.reading import results_of


@pytest.fixture(scope="module")
def results() -> Results:
    """Three systems, two datasets, two metrics; system c only on the first dataset, with an instance of its own."""
    rows = [
        (system, dataset, instance, metric, (instance * step) % 5 / 5)
        for metric in ("acc", "F1")
        for dataset in ("cb", "cola")
        for system, step in (("a", 1), ("b", 2), ("c", 3))
        for instance in range(1, 31)
        if system != "c" or dataset == "cb"
    ]
    rows += [("c", "cb", 99, metric, 1.0) for metric in ("acc", "F1")]
    return results_of(pd.DataFrame(rows, columns=["system", "dataset", "instance", "metric", "score"]))


def test_select(results: Results) -> None:
    """The order of the datasets stays, that of the systems is the one given; instances that nobody has are dropped."""
    chosen = results.select(metric="F1", datasets=["cola", "cb"], systems=["b", "a"])
    assert [(block.dataset, block.systems) for block in chosen] == [("cb", ("b", "a")), ("cola", ("b", "a"))]
    assert [block.n_instances for block in chosen] == [30, 30]
    assert [block.n_instances for block in results.select(metric="F1")] == [31, 30]
    np.testing.assert_array_equal(chosen.datasets[0].row("a"), results.datasets[2].row("a")[:30])


def test_select_refuses_what_is_not_there(results: Results) -> None:
    """Unknown names are answered with the nearest; an empty selection is no result."""
    with pytest.raises(UnknownNameError, match="no system 'A'"):
        results.select(systems=["A"])
    with pytest.raises(UnknownNameError, match="no metric 'f2'"):
        results.select(metric="f2")
    with pytest.raises(UnknownNameError, match="no dataset 'coal'"):
        results.select(datasets=["coal"])
    with pytest.raises(SettingsError, match="no scores are left"):
        results.select(datasets=["cola"], systems=["c"])


def test_digest_tells_results_apart() -> None:
    """A score, a name, a direction or a weight that differs changes the digest."""
    frame = pd.DataFrame(
        {"system": list("aabb"), "dataset": "cb", "instance": [1, 2, 1, 2], "score": [0.1, 0.2, 0.3, 0.4]}
    )
    variants = [
        frame,
        frame.assign(score=[0.1, 0.2, 0.3, 0.4000001]),
        frame.assign(system=list("aacc")),
        frame.assign(instance=[1, 3, 1, 3]),
        frame.assign(dataset="cola"),
        frame.assign(weight=[1, 2, 1, 2]),
        frame.assign(cluster=[1, 2, 1, 2]),
    ]
    digests = {results_of(variant).digest() for variant in variants}
    digests.add(results_of(frame, higher_is_better=False).digest())
    digests.add(results_of(frame, kind="ordinal").digest())
    assert len(digests) == len(variants) + 2
