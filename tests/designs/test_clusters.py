"""Instances in clusters: from a frame to whole clusters, the design effect and the paragraph."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import reportkit
from tests.designs.golden import as_in_file


def _frame(n_clusters, size=5, *, kind="continuous", skewed=False, alike=1.0, seed=0, datasets=("tweets", "news")):
    """Systems new and old on documents; what new gains on a document is partly the same for all its sentences."""
    rng = np.random.default_rng(seed)
    rows = []
    for dataset in datasets:
        for c in range(n_clusters):
            of_document = (1 - rng.exponential()) if skewed else rng.normal()
            for j in range(size):
                gain = 0.5 + alike * of_document + rng.normal()
                name, document = f"{dataset}-{c}-{j}", f"{dataset}-{c}"
                old = rng.normal(20, 3)
                new = old + gain
                if kind == "binary":
                    new, old = float(gain > 0.2), float(rng.random() < 0.4)
                elif kind == "ordinal":
                    new, old = np.clip(round(3 + gain), 1, 5), 3.0
                rows += [
                    ("new", dataset, name, document, round(new, 3)),
                    ("old", dataset, name, document, round(old, 3)),
                ]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "doc", "score"])


CASES = {
    "clusters": (_frame(40), {}),
    "skewed sums of clusters": (_frame(60, skewed=True, alike=2.0, datasets=("tweets",)), {}),
    "right or wrong": (_frame(40, kind="binary", datasets=("tweets",)), {}),
    "ordinal": (_frame(40, kind="ordinal", datasets=("tweets",)), {"kind": "ordinal"}),
    "five clusters": (_frame(5, 40, datasets=("tweets",)), {}),
    "eight clusters": (_frame(8, 20, datasets=("tweets",)), {}),
    "tests of Dror et al.": (_frame(40, datasets=("tweets",)), {"profile": "dror2017"}),
}


@pytest.fixture(scope="module")
def analyses():
    """By the name of the case."""
    return {name: frame.replic.compare("new", "old", alpha=0.05, **options) for name, (frame, options) in CASES.items()}


def test_paragraphs_read_as_expected(analyses):
    """Each text is as in the file that people read."""
    as_in_file("clusters", {name: analysis.paragraph() for name, analysis in analyses.items()})


def _items(analysis):
    return analysis.comparisons[0].assessments


def test_design_effect_is_that_of_the_data(analyses):
    """cluster-robust variance / (s^2 / n), from the frame; above 2 for documents of five sentences that are alike."""
    frame = CASES["clusters"][0]
    for item in _items(analyses["clusters"]):
        wide = frame[frame["dataset"] == item.dataset].pivot_table("score", ["doc", "instance"], "system")
        d = wide["new"] - wide["old"]
        sums = (d - d.mean()).groupby("doc").sum()
        robust = 40 / 39 * np.square(sums).sum() / d.size**2
        assert item.details["design_effect"] == pytest.approx(robust / (d.var() / d.size), rel=1e-9)
        assert item.details["design_effect"] > 2
    assert _items(analyses["tests of Dror et al."])[0].details.get("design_effect") is None


@pytest.mark.parametrize(("dataset", "n_systems"), [("ted-ende", 14), ("ted-zhen", 15)])
def test_mqm_ted(shared, dataset, n_systems):
    """Error counts of systems and human references on five talks: 2^-5 is above every level, which is said."""
    frame = pd.read_parquet(shared / "data" / "mqm_ted" / "ted_error_counts.parquet")
    frame = frame[frame["dataset"] == dataset]
    analysis = reportkit.compare(frame, kind="count", higher_is_better=False)
    items = [item for comparison in analysis.comparisons for item in comparison.assessments]
    assert len(items) == n_systems * (n_systems - 1)
    assert {(item.test, item.n_clusters, item.n) for item in items} == {("sign-flip", 5, 529)}
    assert min(item.p_value for item in items) == 2**-5
    assert not any(comparison.identified(0.05).any() for comparison in analysis.comparisons)
    messages = [item.message for item in analysis.findings if item.code == "few-clusters"]
    assert messages
    assert all("after the correction," in message for message in messages)
    scores = frame.groupby("system", observed=True)["score"].mean()
    for item in items:
        assert item.score_a == pytest.approx(scores[item.system_a])
        assert item.difference == pytest.approx(item.score_b - item.score_a)
        assert 0 < item.details["design_effect"] < 529
    assert "rater" in analysis.unused_columns
