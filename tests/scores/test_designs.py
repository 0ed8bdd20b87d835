"""Two systems taken from all systems of a dataset, one design after another."""

import numpy as np
import pytest
from scipy import stats

from reportkit.errors import DesignError
from reportkit.scores.scores import Scores

NAN = np.nan


def _ids(n):
    return np.array([f"q{i}" for i in range(n)], dtype=object)


def _scores(rows, *, n=None, **more):
    rows = np.array(rows, dtype=float)
    about = {"dataset": "cb", "metric": "f1", "kind": "continuous", "systems": tuple("abcd"[: len(rows)])}
    about["instances"] = _ids(rows.shape[-1] if n is None else n)
    return Scores(**about | more, scores=rows)


def test_equal_means_are_no_equal_outputs():
    """Independent samples are identical where all scores are."""
    rows = [[1.0, 0.0], [0.0, 1.0]]
    assert not _scores(rows).pair("a", "b", pairing="unpaired").identical
    assert _scores([[1.0, 1.0], [1.0, 1.0]]).pair("a", "b", pairing="unpaired").identical


def test_one_score_per_run():
    """Runs have no instances, and a single run against a single one says nothing."""
    scores = _scores([[3, NAN, 1], [2, 2, 2]], shape="run-scores", unit="run")
    sample = scores.pair("a", "b")
    assert (sample.a.tolist(), sample.n, sample.value_difference, scores.n_instances) == ([1, 3], 2, 0.0, 0)
    with pytest.raises(DesignError, match="one run each"):
        _scores([[3], [2]], shape="run-scores", unit="run").pair("a", "b")


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
