"""Two systems taken from all systems of a dataset, one design after another."""

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import DesignError, MissingScoresError, ScoreValueError, UnknownNameError
from reportkit.metrics.corpus import ACCURACY, F1
from reportkit.scores.sample import RightOf, paired_differences
from reportkit.scores.scores import Scores

NAN = np.nan


def _ids(n):
    return np.array([f"q{i}" for i in range(n)], dtype=object)


def _scores(rows, *, n=None, **more):
    rows = np.array(rows, dtype=float)
    about = {"dataset": "cb", "metric": "f1", "kind": "continuous", "systems": tuple("abcd"[: len(rows)])}
    about["instances"] = _ids(rows.shape[-1] if n is None else n)
    return Scores(**about | more, scores=rows)


def test_instances_are_paired_one_by_one():
    """The difference is the (weighted) mean of the differences, free of subtraction noise."""
    sample = _scores([[0.5, 0.25, 1.0], [0.5, 0.0, 0.0]], weights=np.array([1.0, 1.0, 2.0])).pair("a", "b")
    assert sample.wins_and_losses == (2, 0)
    assert sample.value_difference == pytest.approx(np.average([0, 0.25, 1], weights=[1, 1, 2]))
    assert sample.exchanged(np.array([True, True, True])).value_difference == -sample.value_difference
    assert paired_differences(np.array([0.3, 1.0]), np.array([0.1, 0.8])).tolist() == [0.2, 0.2]


@pytest.mark.parametrize("sign", [1, -1])
def test_what_missing_scores_count_as(sign):
    """Missing scores are refused, left out, or the worst of the declared range."""
    scores = _scores([[sign, sign, NAN], [0.0, NAN, 0.0]], higher_is_better=sign == 1)
    with pytest.raises(MissingScoresError, match=r"'a' lacks 1, such as 'q2'"):
        scores.pair("a", "b")
    assert (scores.pair("a", "b", missing="drop").n, scores.pair("a", "b", missing="drop").n_dropped) == (1, 2)
    worst = scores.pair("a", "b", missing="worst", score_range=(0, 2))
    assert (worst.n, worst.n_imputed) == (3, 2)
    assert worst.a.tolist() == [sign, sign, 0.0 if sign == 1 else -2.0]
    assert scores.value("a", missing="worst", score_range=(0, 2)) == ((2 / 3, 3) if sign == 1 else (4 / 3, 3))


def test_nothing_in_common_or_an_unknown_system():
    """Two systems without a common instance can still be two independent samples."""
    scores = _scores([[1.0, NAN], [NAN, 1.0]])
    with pytest.raises(MissingScoresError, match="no instance in common"):
        scores.pair("a", "b", missing="drop")
    with pytest.raises(UnknownNameError, match="'c'"):
        scores.pair("a", "c")
    two = scores.pair("a", "b", pairing="unpaired")
    assert (two.a.size, two.b.size, two.n_common, two.shape) == (1, 1, 0, "unpaired")


def test_independent_samples_take_neither_weights_nor_clusters():
    """Independent samples need independent instances of equal weight."""
    rows = [[1.0, 0.0], [0.0, 1.0]]
    for more in ({"weights": np.ones(2)}, {"clusters": np.zeros(2, dtype=int), "cluster_names": ("d",)}):
        with pytest.raises(DesignError):
            _scores(rows, **more).pair("a", "b", pairing="unpaired")
    assert not _scores(rows).pair("a", "b", pairing="unpaired").identical  # equal means are no equal outputs
    assert _scores([[1.0, 1.0], [1.0, 1.0]]).pair("a", "b", pairing="unpaired").identical


def _ratings(rows):
    return _scores(rows, unit="rating", rated=np.array(["q0", "q0", "q1"], dtype=object))


def test_ratings_are_paired_rater_by_rater():
    """The instance stays the independent unit, and no rating is the worst one."""
    sample = _ratings([[5, 4, 3], [3, 3, 3]]).pair("a", "b")
    assert (sample.n, sample.n_clusters, sample.cluster_noun) == (2, 2, "instance")
    assert sample.details["n_ratings"] == 3
    lacking = _ratings([[5, NAN, 3], [3, 3, 3]])
    with pytest.raises(MissingScoresError, match="not scored by the same raters"):
        lacking.pair("a", "b")
    with pytest.raises(MissingScoresError, match="no worst rating"):
        lacking.pair("a", "b", missing="worst")
    assert lacking.pair("a", "b", missing="drop").clusters is None
    assert lacking.value("a") == (4.0, 2)


def _runs():
    rows = np.full((2, 3, 2), NAN)
    rows[0, :2], rows[1] = [[1, 3], [3, 5]], [[4, 6], [6, 5], [5, 6]]
    return _scores(rows, shape="runs", runs=(("1", "2"), ("1", "2", "3")))


def test_runs_are_kept_apart_or_averaged():
    """Fixed runs are averaged instance by instance."""
    random, fixed = _runs().pair("a", "b"), _runs().pair("a", "b", runs="fixed")
    assert (random.a.shape, random.b.shape, random.shape) == ((2, 2), (3, 2), "runs")
    assert (fixed.a.tolist(), fixed.shape) == ([2.0, 4.0], "paired")
    assert random.value_difference == pytest.approx(fixed.value_difference)
    assert random.details == fixed.details
    assert (random.details["a"]["n_runs"], random.details["b"]["n_runs"]) == (2, 3)


def test_an_instance_that_one_run_lacks_is_missing():
    """An instance is missing where one run of a system lacks it."""
    rows = np.array([[[1.0, NAN], [1.0, 1.0]], [[0.0, 0.0], [0.0, 1.0]]])
    scores = _scores(rows, shape="runs", runs=(("1", "2"), ("1", "2")))
    with pytest.raises(MissingScoresError):
        scores.pair("a", "b")
    assert scores.pair("a", "b", missing="drop").n == 1
    assert scores.pair("a", "b", missing="worst").a.tolist() == [[1.0, 0.0], [1.0, 1.0]]


def test_one_score_per_run():
    """Runs have no instances, and a single run against a single one says nothing."""
    scores = _scores([[3, NAN, 1], [2, 2, 2]], shape="run-scores", unit="run")
    sample = scores.pair("a", "b")
    assert (sample.a.tolist(), sample.n, sample.value_difference, scores.n_instances) == ([1, 3], 2, 0.0, 0)
    with pytest.raises(DesignError, match="fixed"):
        scores.pair("a", "b", runs="fixed")
    with pytest.raises(DesignError, match="one run each"):
        _scores([[3], [2]], shape="run-scores", unit="run").pair("a", "b")


def test_folds_and_counts():
    """Folds are paired; numbers of right answers are turned round where lower is better."""
    folds = _scores([[[1, 2], [3, 4]], [[1, 2], [3, 3]]], n=4, shape="folds", unit="fold").pair("a", "b")
    assert (folds.n, folds.a.shape, folds.value_difference) == (4, (2, 2), 0.25)
    scores = _scores([[7, 10], [6, 8]], shape="counts", n=0, kind="binary")
    assert scores.pair("a", "b").right == RightOf(7, 10, 6, 8)
    lower = _scores([[7, 10], [6, 8]], shape="counts", n=0, kind="binary", higher_is_better=False).pair("a", "b")
    assert (lower.right, lower.value_a) == (RightOf(3, 10, 2, 8), -0.7)


def test_counts_of_a_corpus_metric():
    """Sums without a value are refused, and no counts stand for missing ones."""
    scores = _scores(np.array([[[1, 1, 0]] * 2, [[1, 0, 1]] * 2]), n=2, shape="corpus", measure=F1)
    sample = scores.pair("a", "b")
    assert (sample.value_a, sample.n_differing_units) == (pytest.approx(2 / 3), 2)
    with pytest.raises(ScoreValueError, match="undefined"):
        _scores(np.zeros((2, 2, 2)), n=2, shape="corpus", measure=ACCURACY).pair("a", "b")
    rows = scores.scores.copy()
    rows[0, 0] = NAN
    lacking = _scores(rows, n=2, shape="corpus", measure=F1)
    with pytest.raises(MissingScoresError, match="no worst row of counts"):
        lacking.pair("a", "b", missing="worst")
    assert lacking.pair("a", "b", missing="drop").n == 1


@pytest.mark.parametrize(
    ("name", "peer"), [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)]
)
def test_correlations(name, peer):
    """The value of a system is what SciPy computes."""
    rng = np.random.default_rng(1)
    gold, rows = rng.normal(size=20).round(1), rng.normal(size=(2, 20)).round(1)
    scores = _scores(rows, shape="correlation", gold=gold, coefficient=name)
    sample = scores.pair("a", "b")
    assert sample.value_a == pytest.approx(peer(rows[0], gold)[0])
    assert scores.value("b")[0] == pytest.approx(sample.value_b)
    with pytest.raises(ScoreValueError, match="'a' predicts"):
        _scores([np.ones(20), rows[1]], shape="correlation", gold=gold, coefficient=name).pair("a", "b")


def test_systems_keep_the_instances_that_one_of_them_has():
    """A selection keeps the order that was asked for."""
    scores = _scores([[1.0, NAN, NAN], [NAN, 1.0, NAN], [1.0, 1.0, 1.0]])
    found = scores.select(("b", "a"))
    assert (found.systems, found.instances.tolist()) == (("b", "a"), ["q0", "q1"])
    assert scores.select(("z",)) is None
    assert scores.select(("a", "b", "c")) is scores
