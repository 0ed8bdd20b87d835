"""Blocks and samples of runs: averages, missing scores, selections."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.errors import MissingScoresError, UnknownNameError
from reportkit.scores.arrays import same_runs
from reportkit.scores.details import Details, run_details
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Scores

NAN = np.nan


def block(*scores, **others):
    """Systems a, b, ... with these rows of runs."""
    arrays = tuple(np.array(rows, dtype=float) for rows in scores)
    return Scores(
        shape="runs",
        dataset="cb",
        metric="f1",
        systems=tuple("abcd"[: len(arrays)]),
        instances=np.array([f"i{j}" for j in range(arrays[0].shape[1])], dtype=object),
        kind=others.pop("kind", "continuous"),
        scores=arrays,
        runs=tuple(tuple(map(str, range(len(rows)))) for rows in arrays),
        **others,
    )


FULL = block([[1, 2, 3], [3, 4, 5]], [[0, 1, 2]], [[5, 5, 5], [5, 5, 6], [5, 5, 7]])
PARTIAL = block([[1, NAN, 3], [3, 4, 5]], [[0, 1, NAN]], kind="continuous")


def test_random_and_fixed_seeds():
    """Runs side by side, or their mean."""
    runs = FULL.pair("a", "c")
    assert runs.shape == "runs"
    assert (runs.a.shape, runs.b.shape, runs.n, runs.value_a) == ((2, 3), (3, 3), 3, 3.0)
    fixed = FULL.pair("a", "c", runs="fixed")
    assert fixed.shape == "paired"
    assert fixed.a.tolist() == [2, 3, 4]
    assert fixed.details == run_details(np.array([2.0, 4.0]), np.array([5.0, 16 / 3, 17 / 3]))


def test_two_single_runs_are_paired_scores():
    """Where neither of two systems has several runs, there is nothing to average, and nothing to say."""
    both = block([[1, 2, 3]], [[3, 2, 1]], [[0, 0, 0], [1, 1, 1]])
    sample = both.pair("a", "b")
    assert sample.shape == "paired"
    assert sample.details == Details()
    assert isinstance(both.pair("a", "c"), Sample)


def test_right_or_wrong_scores_averaged():
    """They are continuous then, unless all runs agree."""
    assert block([[1, 0], [1, 1]], [[0, 0]], kind="binary").pair("a", "b", runs="fixed").kind == "continuous"
    assert block([[1, 0], [1, 0]], [[0, 0]], kind="binary").pair("a", "b", runs="fixed").kind == "binary"
    assert block([[1, 0], [1, 1]], [[0, 0]], kind="count").pair("a", "b", runs="fixed").kind == "count"


@pytest.mark.parametrize("seeds", ["random", "fixed"])
def test_missing_scores(seeds):
    """An instance that any run lacks is left out, or filled; nothing is averaged over fewer runs in silence."""
    with pytest.raises(MissingScoresError):
        PARTIAL.pair("a", "b", runs=seeds)
    dropped = PARTIAL.pair("a", "b", missing="drop", runs=seeds)
    assert dropped.n == 1
    worst = PARTIAL.pair("a", "b", missing="worst", score_range=(0, 10), runs=seeds)
    assert (worst.n, worst.n_imputed_a, worst.n_imputed_b) == (3, 1, 1)
    assert worst.value_a == pytest.approx((1 + 0 + 3 + 3 + 4 + 5) / 6)
    assert worst.value_b == pytest.approx(1 / 3)


def test_value_in_tables():
    """Mean over runs and instances, as given."""
    assert FULL.value("a") == (3.0, 3)
    assert PARTIAL.value("a") == (3.0, 2)  # the instances that all runs have
    assert PARTIAL.value("a", missing="worst", score_range=(0, 10))[0] == pytest.approx(16 / 6)
    lower = block([[-1, -2, -3]], [[-3, -3, -3]], higher_is_better=False)
    assert lower.value("a") == (2.0, 3)


def test_selection_and_hash():
    """Narrowed to systems; runs are part of the hash."""
    two = FULL.select(["c", "a", "z"])
    assert two is not None
    assert (two.systems, two.runs) == (("c", "a"), (("0", "1", "2"), ("0", "1")))
    assert FULL.select(["z"]) is None
    assert b"".join(FULL.content()) != b"".join(PARTIAL.content())
    with pytest.raises(UnknownNameError):
        FULL.pair("a", "z")
    assert FULL.matrix().systems[:3] == ("a, run 0", "a, run 1", "b, run 0")


def test_same_runs():
    """In any order; or all alike, whatever their number."""
    rows = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert same_runs(rows, rows[::-1])
    assert not same_runs(rows, np.array([[1.0, 2.0], [3.0, 5.0]]))
    assert same_runs(np.ones((2, 3)), np.ones((4, 3)))
    assert not same_runs(np.ones(2), np.array([1.0, 1.0, 2.0]))
    assert same_runs(np.array([2.0, 1.0]), np.array([1.0, 2.0]))


def test_weights_and_clusters_are_carried():
    """To the pair, with the instances that are kept."""
    beside = block(
        [[1, 2, 3], [3, 4, NAN]], [[0, 1, 2]], weights=np.array([1.0, 2.0, 5.0]), clusters=np.array([0, 0, 1])
    )
    sample = beside.pair("a", "b", missing="drop")
    assert sample.weights.tolist() == [1.0, 2.0]
    assert sample.n_clusters == 1
    assert sample.value_a == pytest.approx((2 * 1 + 3 * 2) / 3)


def test_numbers_and_spreads_of_runs():
    """Of each system; a single run has no spread."""
    assert run_details(np.array([1.0, 3.0]), np.zeros(1)).as_dict() == {
        "a": {"n_runs": 2, "sd_over_runs": pytest.approx(2**0.5)},
        "b": {"n_runs": 1},
    }
