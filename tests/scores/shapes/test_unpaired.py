"""Two systems as independent samples: from a block to a sample, and what has no right way."""

import numpy as np
import pandas as pd
import pytest

from reportkit.errors import DesignError, MissingScoresError
from reportkit.scores.designs import refuse_unequal_instances
from reportkit.scores.sample import RightOf
from reportkit.scores.scores import Scores
from tests.scores.reading import results_of


def _block(scores, **fields):
    scores = np.asarray(scores, dtype=float)
    return Scores(
        dataset="cb",
        metric="accuracy",
        systems=("a", "b"),
        instances=np.array([str(i) for i in range(scores.shape[1])], dtype=object),
        kind="binary",
        scores=scores,
        **fields,
    )


NAN = np.nan
DISJOINT = [[1, 0, 1, NAN, NAN], [NAN, NAN, NAN, 0, 1]]


def test_each_system_keeps_its_own_instances():
    """Scores, sizes, common instances; a binary sample as counts, in either direction of the metric."""
    sample = _block(DISJOINT).pair("b", "a", pairing="unpaired")
    assert (sample.n_a, sample.n_b, sample.n, sample.n_common) == (2, 3, 2, 0)
    assert sample.right == RightOf(1, 2, 2, 3)
    assert sample.value_difference == pytest.approx(1 / 2 - 2 / 3)
    lower = _block(-np.array(DISJOINT), higher_is_better=False).pair("b", "a", pairing="unpaired")
    assert lower.right == RightOf(1, 2, 1, 3)
    assert lower.as_given(lower.value_a) == 0.5
    assert lower.binary


def test_common_instances_are_counted():
    """The pairing that is given up."""
    assert _block([[1, 0, 1], [1, NAN, 0]]).unpaired("a", "b").n_common == 2


def test_identical_means_that_nothing_varies():
    """Equal means or equal counts are no identity of outputs on other instances."""
    assert _block([[1, 1, NAN], [NAN, 1, 1]]).unpaired("a", "b").identical
    assert not _block([[1, 0, NAN], [NAN, 1, 0]]).unpaired("a", "b").identical


def test_weights_and_clusters_are_refused():
    """With what to do; a column in which each instance is its own cluster is no obstacle."""
    with pytest.raises(DesignError, match="no test of weighted instances"):
        _block(DISJOINT, weights=np.ones(5)).pair("a", "b", pairing="unpaired")
    nested = _block(DISJOINT, clusters=np.array([0, 0, 1, 1, 2]), cluster_names=("d0", "d1", "d2"))
    with pytest.raises(DesignError, match="3 clusters, 5 instances") as error:
        nested.pair("a", "b", pairing="unpaired")
    assert "one score per cluster" in str(error.value)
    alone = _block(DISJOINT, clusters=np.arange(5), cluster_names=tuple("vwxyz"))
    assert alone.pair("a", "b", pairing="unpaired").n_a == 3


def test_the_paired_errors_name_this_way_out():
    """Nothing in common: the check of all systems and that of one pair say how to go on."""
    with pytest.raises(MissingScoresError, match="--pairing unpaired"):
        refuse_unequal_instances([_block(DISJOINT)])
    with pytest.raises(MissingScoresError, match="pairing='unpaired'"):
        _block(DISJOINT).pair("a", "b", missing="drop")
    with pytest.raises(MissingScoresError) as error:
        refuse_unequal_instances([_block([[1, 0, 1], [1, NAN, 0]])])
    assert "unpaired" not in str(error.value)


def test_many_systems_on_instances_of_their_own_are_laid_out():
    """Thirty systems with no instance in common: a sparse matrix, which is no obstacle at this size."""
    frame = pd.DataFrame(
        {
            "system": np.repeat([f"s{i:02d}" for i in range(30)], 200),
            "dataset": "cb",
            "instance": np.arange(6000),
            "score": np.tile([0.0, 1.0, 1.0, 0.5], 1500),
        }
    )
    (block,) = results_of(frame).datasets
    assert block.scores.shape == (30, 6000)
    assert block.pair("s03", "s17", pairing="unpaired").n_b == 200
