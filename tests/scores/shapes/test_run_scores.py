"""One score per run: blocks, pairs, and what is refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import DesignError, InputError, MissingScoresError
from tests.scores.reading import results_of


def frame(**columns):
    """Systems a and b with 3 and 2 runs."""
    df = pd.DataFrame(
        {
            "system": ["a", "a", "a", "b", "b"] * 2,
            "dataset": ["cb"] * 5 + ["rte"] * 5,
            "seed": [0, 1, 2, 1, 7] * 2,
            "score": [0.5, 0.25, 0.75, 0.4, 0.6, 1.5, 1.25, 1.75, 1.4, 1.6],
        }
    )
    return df.assign(**columns)


def test_pair():
    """Runs are not paired by their names; n is the smaller number of runs."""
    cb = results_of(frame()).datasets[0]
    assert (cb.runs, cb.runs_of("b"), cb.n_instances) == (("0", "1", "2", "7"), ("1", "7"), 0)
    sample = cb.pair("a", "b")
    assert sample.shape == "run-scores"
    assert (sorted(sample.a), sorted(sample.b), sample.n, sample.unit) == ([0.25, 0.5, 0.75], [0.4, 0.6], 2, "run")
    assert sample.value_difference == 0.0  # .5 - .5 up to noise
    assert cb.value("a") == (0.5, 3)
    assert cb.select(["b"]).runs == ("1", "7")
    assert cb.select(["z"]) is None


@pytest.mark.slow
def test_rows_in_any_order():
    """The same results, to the hash; runs count by their scores and names."""
    df = frame()
    assert results_of(df).digest() == results_of(df.sample(frac=1, random_state=3)).digest()
    assert results_of(df).digest() != results_of(df.assign(seed=df["seed"] + 1)).digest()


def test_fixed_seeds_leave_nothing():
    """Without instances there is nothing random left."""
    cb = results_of(frame()).datasets[0]
    with pytest.raises(DesignError, match="leaves nothing to test"):
        cb.pair("a", "b", runs="fixed")


def test_one_run_each():
    """Two numbers are no test."""
    df = frame()
    df = df[(df["dataset"] == "cb") | df["seed"].isin([0, 7])]
    rte = results_of(df).datasets[1]
    with pytest.raises(DesignError, match="one run each"):
        rte.pair("a", "b")


def test_missing_scores():
    """An error, or left out; never the worst."""
    df = frame(score=lambda d: d["score"].where(d.index != 1))
    with pytest.raises(MissingScoresError):
        results_of(df)
    assert results_of(df, missing="drop").datasets[0].row("a").tolist() == [0.5, 0.75]
    with pytest.raises(InputError, match="1 runs have no score"):
        results_of(df, missing="worst")


def test_weights_and_clusters():
    """Weights of runs are refused; clusters of instances play no role, which is said."""
    with pytest.raises(InputError, match="no weights"):
        results_of(frame(weight=1.0))
    found = {finding.code for finding in results_of(frame(doc="x")).findings}
    assert "clusters-unused" in found


def test_lower_is_better():
    """Negated once, and given back."""
    cb = results_of(frame(), higher_is_better=False).datasets[0]
    assert cb.pair("a", "b").value_a == -0.5
    assert cb.value("a") == (0.5, 3)
    np.testing.assert_array_equal(cb.matrix().scores, cb.scores)
