"""Folds of a cross-validation, from a plain frame to the paragraph and the command line."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.designs.golden import as_in_file


def fold_frame(designs, *, gain=0.05, seed=0):
    """Accuracy of "new" and "old" on the folds of datasets, by (repetitions, folds)."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset, (r, k) in designs.items():
        base = 0.7 + rng.normal(0, 0.02, (r, k))
        for system, shift in (("new", gain), ("old", 0.0)):
            scores = np.round(base + shift + rng.normal(0, 0.02, (r, k)), 4)
            rows += [(system, dataset, i, j, scores[i, j]) for i in range(r) for j in range(k)]
    return pd.DataFrame(rows, columns=["classifier", "dataset", "repetition", "fold", "accuracy"])


def identical_folds():
    """The same predictions on one dataset."""
    frame = fold_frame({"iris": (1, 10), "wine": (1, 10)})
    copied = frame[(frame["classifier"] == "new") & (frame["dataset"] == "iris")].assign(classifier="old")
    return pd.concat([frame[(frame["classifier"] != "old") | (frame["dataset"] != "iris")], copied])


CASES = {
    "ten times ten folds": (lambda: fold_frame({"iris": (10, 10), "wine": (10, 10), "zoo": (10, 10)}), {}),
    "one cross-validation": (lambda: fold_frame({"iris": (1, 10)}).drop(columns="repetition"), {"alpha": 0.05}),
    "different numbers of folds": (lambda: fold_frame({"iris": (5, 2), "wine": (1, 10)}), {}),
    "no direction": (lambda: fold_frame({"iris": (10, 10), "wine": (10, 10)}), {"alternative": "two-sided"}),
    "the same on all folds": (identical_folds, {}),
}


@pytest.fixture(scope="module")
def analyses():
    """All cases, compared through the accessor."""
    return {name: frame().replic.compare("new", "old", **options) for name, (frame, options) in CASES.items()}


def test_paragraphs_read_as_expected(analyses):
    """Each text is as in the file that people read."""
    as_in_file("folds", {name: analysis.paragraph() for name, analysis in analyses.items()})


def test_folds_are_no_independent_instances(analyses):
    """A t-test that takes them for instances has intervals that are shorter by a factor of more than three."""
    frame, _ = CASES["ten times ten folds"]
    as_instances = frame()
    as_instances["id"] = as_instances["repetition"].astype(str) + "/" + as_instances["fold"].astype(str)
    naive = as_instances.drop(columns=["fold", "repetition"]).replic.compare("new", "old", test="paired-t")
    item = analyses["ten times ten folds"].comparisons[0].assessments[0]
    other = naive.comparisons[0].assessments[0]
    assert item.difference == pytest.approx(other.difference)
    ratio = (item.interval.high - item.interval.low) / (other.interval.high - other.interval.low)
    assert ratio == pytest.approx(np.sqrt(1 + 100 / 9), rel=1e-9)
