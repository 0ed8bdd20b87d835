"""Who follows a question through the house enters few files, and none that does not apply."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

import reportkit

MOST = 46
"""Modules from a frame or a CSV file to p-values, k-hat and names, and from there to a table in LaTeX."""

ELSEWHERE = (
    "reportkit.scores.predictions",
    "reportkit.scores.spellings",
    "reportkit.scores.building.seeds",
    "reportkit.scores.building.folds",
    "reportkit.scores.building.corpus_statistics",
    "reportkit.scores.building.count_scores",
    "reportkit.metrics",
    "reportkit.evidence",
    "reportkit.replicability.missing_data",
    "reportkit.significance.second_test",
    "reportkit.significance.skewness",
    "reportkit.significance.cautions",
    "reportkit.rendering",
)
"""What a plain comparison of right-or-wrong scores has nothing to do with."""


def entered(question):
    """Modules of the package in which a function is called, imports aside."""
    question()
    found = set()

    def note(frame, event, _):
        if event == "call":
            found.add(frame.f_globals.get("__name__", ""))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        question()
    finally:
        sys.setprofile(before)
    return {name for name in found if name.startswith("reportkit")}


@pytest.fixture(scope="module")
def frame():
    """Right-or-wrong scores of two systems on three datasets."""
    right = np.random.default_rng(0).random((2, 3, 100)) < 0.7
    return pd.DataFrame(
        [
            (system, dataset, instance, float(right[a, b, instance]))
            for a, system in enumerate(("new", "old"))
            for b, dataset in enumerate(("cb", "qa", "sst2"))
            for instance in range(100)
        ],
        columns=["system", "dataset", "instance", "score"],
    )


@pytest.mark.parametrize("given", ["frame", "file"])
def test_a_comparison_enters_what_applies(given, frame, tmp_path):
    """Right-or-wrong scores pass no builder of another shape, no caution without cause, and few files."""
    results = frame
    if given == "file":
        results = tmp_path / "results.csv"
        frame.to_csv(results, index=False)
    modules = entered(lambda: reportkit.compare(results, "new", "old"))
    assert not [name for name in modules if name.startswith(ELSEWHERE)]
    assert len(modules) <= MOST, sorted(modules)


def test_a_table_enters_what_applies(frame):
    """One table is set without the rest of the report."""
    analyses = iter([reportkit.compare(frame, "new", "old") for _ in range(2)])
    modules = entered(lambda: next(analyses).to_latex())
    assert not [name for name in modules if "paragraph" in name or ".html" in name or ".markdown" in name]
    assert len(modules) <= MOST, sorted(modules)
