"""Skewed differences: from a frame to bootstrap-t, its interval, the finding and the paragraph."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from tests.designs.golden import as_in_file


def _frame(n=60, *, sign=1, seed=0, datasets=("tweets", "news"), counts=False, weights=False):
    """New is better than old by differences with a long tail: rare large gains, or rare large losses."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in datasets:
        differences = sign * (rng.exponential(size=n) - 1) + 0.45
        base = rng.normal(50, 10, size=n)
        for system, scores in (("new", base + differences), ("old", base)):
            for i, score in enumerate(scores):
                value = max(round(float(score)), 0) if counts else round(float(score), 4)
                rows.append((system, dataset, f"{dataset}-{i}", value, 1.0 + i % 3))
    frame = pd.DataFrame(rows, columns=["system", "dataset", "instance", "score", "weight"])
    return frame if weights else frame.drop(columns="weight")


CASES = {
    "rare large gains": (_frame(), {}),
    "rare large losses": (_frame(sign=-1), {}),
    "counts": (_frame(counts=True, datasets=("tweets",), seed=1, n=200), {"kind": "count"}),
    "weights": (_frame(weights=True, datasets=("tweets",)), {}),
    "too few for the bootstrap-t": (_frame(15, datasets=("tweets",), seed=3), {}),
    "another test by name": (_frame(datasets=("tweets",)), {"test": "paired-t"}),
}


@pytest.fixture(scope="module")
def analyses():
    """By the name of the case."""
    return {name: frame.replic.compare("new", "old", alpha=0.05, **options) for name, (frame, options) in CASES.items()}


def test_paragraphs_read_as_expected(analyses):
    """Each text is as in the file that people read."""
    as_in_file("skewed", {name: analysis.paragraph() for name, analysis in analyses.items()})


def test_the_interval_is_that_of_the_test(analyses):
    """Bootstrap-t, longer on the side of the tail; Student's stands nowhere next to it."""
    for name, longer in (("rare large gains", "ci_high"), ("rare large losses", "ci_low")):
        table = analyses[name].outcomes
        shorter = {"ci_high": "ci_low", "ci_low": "ci_high"}[longer]
        assert ((table[longer] - table["difference"]).abs() > (table[shorter] - table["difference"]).abs()).all()
    (item,) = analyses["weights"].comparisons[0].assessments
    assert item.interval.title == "bootstrap-t interval of the weighted mean"


@pytest.mark.slow
def test_robust03_all_pairs(shared):
    """Average precision of 17 runs on 50 topics: all 272 pairs, each test resolved, in a few seconds."""
    frame = pd.read_parquet(shared / "data" / "robust03" / "ap.parquet")
    analysis = reportkit.compare(frame)
    outcomes = [item for comparison in analysis.comparisons for item in comparison.assessments]
    tests = [outcome.test for outcome in outcomes]
    assert set(tests) == {"bootstrap-t", "sign-flip"}
    assert 50 < tests.count("bootstrap-t") < 200
    level = 0.05 / len(outcomes)
    identified = [outcome for outcome in outcomes if outcome.test == "bootstrap-t" and outcome.p_value <= level]
    assert any("bound" in outcome.algorithm for outcome in identified)
