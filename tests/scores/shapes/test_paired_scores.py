"""Two systems side by side: which instances are kept, and what a missing score counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import MissingScoresError, UnknownNameError
from reportkit.scores.arrays import paired_differences
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Scores
from tests.scores.reading import results_of

NAN = np.nan


def block(*, higher_is_better: bool = True, **systems: list[float]) -> Scores:
    """One dataset in wide form."""
    n = len(next(iter(systems.values())))
    frame = pd.DataFrame({"dataset": "cb", "id": range(n), **systems})
    return results_of(frame, higher_is_better=higher_is_better).datasets[0]


def test_what_is_kept() -> None:
    """Drop keeps common instances, worst fills with the worst, and what neither has is not there for either."""
    scores = block(a=[1, 0, 1, NAN, NAN], b=[0, 0, NAN, 1, NAN], c=[1, 1, 1, 1, 1])
    with pytest.raises(MissingScoresError, match="'a' and 'b' were not scored on the same instances"):
        scores.pair("a", "b")
    dropped = scores.pair("a", "b", missing="drop")
    assert (dropped.a.tolist(), dropped.b.tolist(), dropped.n_dropped) == ([1, 0], [0, 0], 2)
    worst = scores.pair("a", "b", missing="worst")
    assert (worst.a.tolist(), worst.b.tolist()) == ([1, 0, 1, 0], [0, 0, 0, 1])
    assert (worst.n_imputed_a, worst.n_imputed_b, worst.n_dropped) == (1, 1, 0)


def test_a_missing_output_may_be_worse_than_a_wrong_one() -> None:
    """With a penalty below 0 the scores have three values: they are no longer right or wrong."""
    scores = block(a=[1, 0, 1, NAN], b=[0, 0, 1, 1])
    penalised = scores.pair("a", "b", missing="worst", score_range=(-1, 1))
    assert (penalised.a.tolist(), penalised.kind) == ([1, 0, 1, -1], "continuous")
    assert scores.pair("a", "b", missing="worst").kind == "binary"


def test_the_worst_score_is_oriented() -> None:
    """Where lower is better, the worst of an error rate is 1, and of a declared range its upper end."""
    scores = block(a=[0.2, 0.5, NAN], b=[0.1, 0.3, 0.2], higher_is_better=False)
    assert scores.pair("a", "b", missing="worst").a.tolist() == [-0.2, -0.5, -1.0]
    assert scores.pair("a", "b", missing="worst", score_range=(0, 100)).a[-1] == -100
    unknown = block(a=[2.0, 0.5, NAN], b=[0.1, 0.3, 0.2])
    with pytest.raises(MissingScoresError, match="needs to know the worst possible score"):
        unknown.pair("a", "b", missing="worst")
    assert unknown.pair("a", "b", missing="worst", score_range=(-5, 5)).a[-1] == -5


def test_no_common_instance_and_no_such_system() -> None:
    """Both are errors, whatever is done about missing scores."""
    scores = block(a=[1, 0, NAN, NAN], b=[NAN, NAN, 1, 1], c=[1, 1, 1, 1])
    with pytest.raises(MissingScoresError, match="no instance in common"):
        scores.pair("a", "b", missing="drop")
    with pytest.raises(UnknownNameError, match="no system 'd'"):
        scores.pair("a", "d")


def test_clusters_and_weights_follow_the_instances() -> None:
    """Of an instance that is left out, its cluster and weight are left out, too."""
    frame = pd.DataFrame({"dataset": "cb", "id": range(4), "doc": list("xxyy"), "weight": [1.0, 2, 3, 4]})
    scores = results_of(frame.assign(a=[1, 0, NAN, 1], b=[0.0, 0, 0, 0])).datasets[0]
    paired = scores.pair("a", "b", missing="drop")
    assert paired.clusters is not None
    assert paired.weights is not None
    assert paired.weights.tolist() == [1, 2, 4]
    assert paired.n_clusters == 2
    assert paired.value_difference == pytest.approx(5 / 7)
    assert (paired.value_a, paired.value_b) == (pytest.approx(5 / 7), 0)


def test_clusters_of_one_instance_each_are_none() -> None:
    """If every instance stands alone, there is nothing to keep together."""
    frame = pd.DataFrame({"dataset": "cb", "id": range(3), "doc": list("xyz"), "a": [1, 0, 1], "b": [0, 0, 1]})
    paired: Sample = results_of(frame).datasets[0].pair("a", "b")
    assert paired.clusters is None
    assert paired.n_clusters is None


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 100.0, 1e200])
def test_differences_are_free_of_floating_point_noise(scale: float) -> None:
    """0.3 - 0.1 ties with 0.2 at any scale, and equal scores have the difference 0."""
    a, b = np.array([0.3, 1.0, 0.7]) * scale, np.array([0.1, 0.8, 0.7]) * scale
    differences = paired_differences(a, b)
    assert differences[0] == differences[1] == pytest.approx(0.2 * scale)
    assert differences[2] == 0
