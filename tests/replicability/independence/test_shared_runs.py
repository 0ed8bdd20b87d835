"""Runs that several datasets share: evidence against independence, a warning, or nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.replicability.compare import claims_for, compare_results
from reportkit.replicability.independence.independence import audit_metrics
from reportkit.replicability.independence.shared_runs import shared_runs
from reportkit.scores.ingest import results_from_frame
from reportkit.settings import Settings


def blocks(names_of, *, instances=True):
    """Two systems on datasets, with runs of these names."""
    rng = np.random.default_rng(0)
    rows = [
        (system, dataset, f"{dataset}/x{j}q", name, round(float(rng.random()), 3))
        for dataset, names in names_of.items()
        for system in "ab"
        for name in names
        for j in range(8 if instances else 1)
    ]
    df = pd.DataFrame(rows, columns=["system", "dataset", "instance", "seed", "score"])
    return results_from_frame(df if instances else df.drop(columns="instance"))


@pytest.mark.parametrize("instances", [True, False])
def test_running_numbers_may_be_the_same_models_or_not(instances):
    """No evidence, but possible; not if the claim is about these very runs."""
    results = blocks({"cb": ["0", "1", "2"], "rte": ["0", "1", "2"]}, instances=instances)
    assert shared_runs(results.datasets).possible
    assert not shared_runs(results.datasets).evidence
    assert not shared_runs(results.datasets, "fixed").possible
    assert audit_metrics(results.datasets, "independent").independent


def test_names_of_models_are_evidence():
    """Checkpoints that were scored on two datasets: Fisher's method is refused."""
    results = blocks({"cb": ["ckpt-9f3a1c", "ckpt-77be02"], "rte": ["ckpt-9f3a1c", "ckpt-0cc1d4"]})
    found = shared_runs(results.datasets)
    assert found.evidence[0] == "a has runs of the same names on cb and rte (such as 'ckpt-9f3a1c')"
    assert not audit_metrics(results.datasets, "independent").independent
    assert audit_metrics(results.datasets, "independent", "fixed").independent


def test_runs_of_each_dataset_of_its_own():
    """Other names, or one run each: nothing is shared."""
    assert shared_runs(blocks({"cb": ["0", "1"], "rte": ["2", "3"]}).datasets) == shared_runs([])
    assert shared_runs(blocks({"cb": ["0"], "rte": ["0"]}).datasets) == shared_runs([])


def test_said_where_fisher_is_asked_for():
    """A warning with the way out; none if nothing is declared."""
    results = blocks({"cb": ["0", "1", "2"], "rte": ["0", "1", "2"]})
    claims = claims_for(results.systems, ("a",), ("b",))
    cases = (("independent", "random", True), ("any", "random", False), ("independent", "fixed", False))
    for datasets, seeds, expected in cases:
        family = compare_results(results, claims, Settings(dependence=datasets, runs=seeds))
        assert ("same-runs" in {finding.code for finding in family.findings}) is expected
