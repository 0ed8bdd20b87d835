"""Resampled training sets as a frame that everything else takes."""

from __future__ import annotations

import numpy as np
import pytest

import reportkit
from reportkit.errors import InputError


class Threshold:
    """Says 1 above the mean of what it was trained on."""

    def fit(self, X, y):
        """Remember the mean."""
        self.mean = np.mean(X)

    def predict(self, X):
        """Compare with it."""
        return (np.asarray(X) > self.mean).astype(int)


RNG = np.random.default_rng(3)
Y = np.tile([0, 1], 50)
X = RNG.normal(size=100) + Y
TESTS = {"near": X[60:], "far": X[80:] + 1}
GOLD = {"near": Y[60:], "far": Y[80:]}


def _frame(**options):
    learners = {"mean": Threshold, "other": Threshold}
    return reportkit.resampled_training_sets(
        learners, X[:60], Y[:60], TESTS, GOLD, **({"sizes": [60, 30], "n_repeats": 2} | options)
    )


def test_the_frame_is_read_as_results():
    """All roles are recognised by their names, and nothing else is taken for one."""
    frame = _frame()
    results = frame.replic.read()
    assert set(results.systems) == {
        f"{family}/{size}/{r}" for family in ("mean", "other") for size in (30, 60) for r in (1, 2)
    }
    found = {block.dataset: (block.kind, block.n_instances, block.clusters) for block in results}
    assert found == {"near": ("binary", 40, None), "far": ("binary", 20, None)}
    one = frame[(frame.system == "other/30/2") & (frame.dataset == "far")]
    assert one.family.unique().tolist() == ["other"]
    assert one.training_size.unique().tolist() == [30]
    assert one["repeat"].unique().tolist() == [2]


def test_instances_of_two_datasets_do_not_share_names():
    """Otherwise the same number would make two datasets look as if they shared instances."""
    names = _frame().groupby("dataset", observed=True).instance.agg(lambda column: set(column.astype(str)))
    assert names["near"] & names["far"] == set()


def test_names_and_clusters_are_kept():
    """Documents where there are any, and each instance by itself elsewhere; they reach the results."""
    documents = [f"near/{i // 4}" for i in range(40)]
    frame = _frame(clusters={"near": documents}, instances={"far": [f"far/{i}" for i in "abcdefghijklmnopqrst"]})
    blocks = {block.dataset: block for block in frame.replic.read()}
    assert len(set(blocks["near"].clusters.tolist())) == 10
    assert frame[frame.dataset == "far"].instance.iloc[1] == "far/b"
    alone = frame[frame.dataset == "far"]
    assert (alone.cluster.astype(str) == alone.instance.astype(str)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"instances": {"near": ["a"] * 40}}, "instances are 40 names, 1 of them different, for 40 rows"),
        ({"clusters": {"near": ["a"]}}, "clusters are 1 names, 1 of them different, for 40 rows"),
        ({"clusters": {"nowhere": ["a"]}}, "clusters are given for dataset 'nowhere'"),
    ],
)
def test_names_that_do_not_fit(options, message):
    """Refused before anything is trained."""
    with pytest.raises(InputError, match=message):
        _frame(**options)
