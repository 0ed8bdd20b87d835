"""The samples that further questions are asked of are those that were tested."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from reportkit.errors import UnknownNameError
from reportkit.evidence.samples import samples_of


@pytest.fixture(scope="module")
def analysis():
    """Two systems on two datasets, one instance of one system missing."""
    rng = np.random.default_rng(3)
    rows = [
        {"system": system, "dataset": dataset, "instance": i, "score": rng.random()}
        for system in ("new", "old")
        for dataset in ("d1", "d2")
        for i in range(12)
        if (system, dataset, i) != ("old", "d2", 0)
    ]
    return reportkit.compare(pd.DataFrame(rows), "new", "old", missing="drop")


def test_the_samples_are_those_that_were_tested(analysis):
    """Number of instances and difference agree with the assessments, missing instances included."""
    samples = samples_of(analysis.results, "new", "old", "score", analysis.settings)
    assessments = analysis.comparisons[0].assessments
    assert [(s.dataset, s.n) for s in samples] == [("d1", 12), ("d2", 11)]
    assert [s.value_difference for s in samples] == pytest.approx([item.difference for item in assessments])


def test_an_unknown_system_is_answered_with_the_known_ones(analysis):
    """A misspelt system."""
    with pytest.raises(UnknownNameError, match="new"):
        samples_of(analysis.results, "nwe", "old", "score", analysis.settings)


def test_of_one_dataset_no_other_is_looked_at(analysis, monkeypatch):
    """Which may be on the worker of a cluster; nor for its interval at the level of the decision."""
    looked_at = []
    true = reportkit.evidence.samples.paired_as_set

    def looking(block, *others):
        looked_at.append(block.dataset)
        return true(block, *others)

    monkeypatch.setattr(reportkit.evidence.samples, "paired_as_set", looking)
    (sample,) = samples_of(analysis.results, "new", "old", "score", analysis.settings, "d2")
    assert (sample.dataset, looked_at) == ("d2", ["d2"])
    looked_at.clear()
    found = analysis.decision_intervals(analysis.comparisons[0])
    assert looked_at == sorted(looked_at) != []
    looked_at.clear()
    assert analysis.decision_intervals(analysis.comparisons[0]) is found
    assert looked_at == []
