"""What a comparison says further, and that nothing is left out without a word."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import reportkit


@pytest.fixture(scope="module")
def frame():
    """Four systems on two datasets: twelve tests."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        [
            {"system": f"s{system}", "dataset": f"d{dataset}", "instance": instance, "score": score}
            for system in range(4)
            for dataset in range(2)
            for instance, score in enumerate(rng.normal(size=20).round(2))
        ]
    )


@pytest.mark.parametrize("sort", ["continuous", "one decimal", "right or wrong", "clusters"])
def test_no_number_of_a_pair_depends_on_the_pairs_beside_it(sort):
    """Each of three pairs, to the last bit, as if it were compared alone; one of them is of identical systems."""
    rng = np.random.default_rng(5)
    scores = rng.normal(size=(3, 40)) + rng.normal(size=40)
    scores = {"one decimal": scores.round(1), "right or wrong": (scores > 0).astype(float)}.get(sort, scores)
    scores[2] = scores[1]
    frame = pd.DataFrame(
        [(f"s{place[0]}", "d", f"i{place[1]}", score, place[1] // 4) for place, score in np.ndenumerate(scores)],
        columns=["system", "dataset", "instance", "score", "cluster"],
    )
    frame = frame if sort == "clusters" else frame.drop(columns="cluster")
    names = ["score_a", "score_b", "difference", "p_value", "test"]
    for _, row in reportkit.compare(frame).outcomes.iterrows():
        alone = reportkit.compare(frame, row["system_a"], row["system_b"]).outcomes
        assert alone.loc[0, names].tolist() == row[names].tolist()


def right_or_wrong(n_systems=5, n=40):
    """Right or wrong answers on two datasets; two of the systems are the same."""
    scores = np.random.default_rng(6).random((n_systems, 2, n)) < np.linspace(0.5, 0.8, n_systems)[:, None, None]
    scores[1] = scores[0]
    rows = [(f"s{place[0]}", f"d{place[1]}", f"i{place[2]}", float(score)) for place, score in np.ndenumerate(scores)]
    return pd.DataFrame(rows, columns=["system", "dataset", "instance", "score"])


def test_many_pairs_have_no_intervals_until_they_are_asked_for(frame, monkeypatch):
    """A finding says so, what it names gives them, and four answers have theirs; no other number changes."""
    whole = reportkit.compare(frame)
    monkeypatch.setattr("reportkit.replicability.compare.MOST_INTERVALS", 11)
    bare = reportkit.compare(frame)
    assert [item.code for item in bare.findings if item.code == "intervals-on-request"]
    assert bare.outcomes["ci_low"].isna().all()
    pd.testing.assert_frame_equal(
        bare.outcomes.drop(columns=["ci_low", "ci_high"]), whole.outcomes.drop(columns=["ci_low", "ci_high"])
    )
    row = whole.outcomes.iloc[-1]
    found = bare.interval(row["system_a"], row["system_b"], row["dataset"])
    assert found[["low", "high"]].to_numpy().tolist() == [[row["ci_low"], row["ci_high"]]]
    asked = {"system_a": row["system_a"], "system_b": row["system_b"]}
    assert bare.interval(**asked).equals(whole.interval(**asked))
    assert bare.assess(**asked).to_frame().equals(whole.assess(**asked).to_frame())
    with pytest.raises(reportkit.errors.UnknownNameError, match="d7"):
        bare.interval("s0", "s1", "d7")


def test_counting_all_pairs_at_once_says_what_each_pair_says(monkeypatch):
    """Right or wrong: everything but the interval, of identical systems too."""
    whole = reportkit.compare(right_or_wrong()).comparisons
    monkeypatch.setattr("reportkit.replicability.compare.MOST_INTERVALS", 0)
    for ours, theirs in zip(reportkit.compare(right_or_wrong()).comparisons, whole, strict=True):
        for item, other in zip(ours.assessments, theirs.assessments, strict=True):
            assert item == replace(other, interval=None)
