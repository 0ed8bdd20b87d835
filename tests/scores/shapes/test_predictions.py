"""Predictions beside gold scores: blocks, pairs, and what has no correlation."""

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import MissingScoresError, ScoreValueError, UnknownNameError
from reportkit.scores.designs import refuse_unequal_instances
from reportkit.scores.scores import Scores

GOLD = np.array([1.0, 2.0, 3.0, 4.0, 5.0])


def block(rows, *, coefficient="spearman", clusters=None, higher_is_better=True, gold=GOLD):
    """Systems a, b, ... with these predictions of five instances."""
    rows = np.array(rows, dtype=np.float64)
    return Scores(
        shape="correlation",
        dataset="pairs",
        metric=coefficient,
        systems=tuple("abc"[: len(rows)]),
        instances=np.array([f"i{j}" for j in range(rows.shape[1])], dtype=object),
        kind="continuous",
        higher_is_better=higher_is_better,
        clusters=None if clusters is None else np.array(clusters),
        predictions=rows,
        gold=gold,
        coefficient=coefficient,
    )


A, B = [1.0, 3, 2, 5, 4], [5.0, 1, 2, 3, 4]
GAP = [np.nan, 3, 2, 5, 4]


@pytest.mark.parametrize(
    ("coefficient", "function"),
    [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)],
)
def test_values_are_correlations_with_the_gold_score(coefficient, function):
    """In a pair, and for tables; over the instances that a system has."""
    both = block([A, B, GAP], coefficient=coefficient)
    sample = both.pair("a", "b")
    assert (sample.value_a, sample.value_b) == pytest.approx((function(A, GOLD)[0], function(B, GOLD)[0]), abs=1e-14)
    assert sample.between == pytest.approx(function(A, B)[0], abs=1e-14)
    assert sample.value_difference == pytest.approx(sample.value_a - sample.value_b)
    assert both.value("b") == (sample.value_b, 5)
    value, n = both.value("c")
    assert (n, value) == (4, pytest.approx(function(GAP[1:], GOLD[1:])[0], abs=1e-14))


def test_distances_are_negated_once():
    """Held negated, shown as given."""
    sample = block([np.negative(A), B], higher_is_better=False).pair("a", "b")
    assert sample.value_a == pytest.approx(-0.8)
    assert sample.as_given(sample.value_a) == pytest.approx(0.8)
    assert block([np.negative(A), B], higher_is_better=False).value("a")[0] == pytest.approx(0.8)


def test_missing_predictions():
    """Refused, or left out for both; there is no worst prediction, and no message offers it."""
    both = block([A, GAP])
    with pytest.raises(MissingScoresError, match="not scored on the same instances") as error:
        both.pair("a", "b")
    with pytest.raises(MissingScoresError) as of_all:
        refuse_unequal_instances([both])
    for raised in (error, of_all):
        assert "--missing drop" in raised.value.remedy
        assert "worst" not in raised.value.remedy
    dropped = both.pair("a", "b", missing="drop")
    assert (dropped.n, dropped.n_dropped) == (4, 1)
    assert (dropped.gold == GOLD[1:]).all()
    with pytest.raises(MissingScoresError, match="there is no worst prediction") as worst:
        both.pair("a", "b", missing="worst")
    assert "'b' lacks 1 of 5 instances" in worst.value.where
    assert block([A, B]).pair("a", "b", missing="worst").n == 5


def test_constant_predictions_have_no_correlation():
    """Said with value, system and dataset when they are compared; a table of all systems does without."""
    both = block([A, [0.3, 0.3, 0.1 + 0.2, 0.3, 0.3]])
    with pytest.raises(ScoreValueError, match=r"does not exist: system 'b' predicts 0\.3 on all 5 instances") as error:
        both.pair("a", "b")
    assert "a v b on pairs" in str(error.value)
    assert np.isnan(both.value("b")[0])
    lower = block([A, [0.3] * 5], higher_is_better=False)
    with pytest.raises(ScoreValueError, match=r"'b' predicts -0\.3 on all"):
        lower.pair("a", "b")


def test_a_gold_score_that_is_constant_where_both_have_predictions():
    """What is left after dropping decides."""
    with pytest.raises(ScoreValueError, match="the gold score is 1 on all 4 instances"):
        block([A, GAP], gold=np.array([2.0, 1, 1, 1, 1])).pair("a", "b", missing="drop")


def test_clusters_and_selections():
    """Clusters go with their instances; each instance as its own cluster is none; unknown systems are refused."""
    clustered = block([A, GAP], clusters=[0, 0, 1, 1, 2])
    sample = clustered.pair("a", "b", missing="drop")
    assert (sample.clusters == [0, 1, 1, 2]).all()
    assert sample.n_clusters == 3
    assert block([A, B], clusters=range(5)).pair("a", "b").clusters is None
    narrowed = clustered.select(["b"])
    assert (narrowed.systems, narrowed.n_instances) == (("b",), 4)
    assert (narrowed.gold == GOLD[1:]).all()
    assert clustered.select(["z"]) is None
    with pytest.raises(UnknownNameError, match="'z'"):
        clustered.pair("a", "z")


def test_identical_predictions():
    """Equal for every instance, up to the noise of the last digits; the same order is not enough."""
    assert block([A, A]).pair("a", "b").identical
    assert block([A, np.multiply(A, 1 + 1e-15)]).pair("a", "b").identical
    assert not block([A, np.multiply(A, 2)]).pair("a", "b").identical


def test_the_hash_depends_on_predictions_and_gold_scores():
    """Another gold score makes other results."""
    contents = {
        b"".join(made.content()) for made in (block([A, B]), block([B, A]), block([A, B], gold=GOLD[::-1].copy()))
    }
    assert len(contents) == 3
