"""Counts of right answers as block and as sample."""

import numpy as np
import pytest

from reportkit.errors import UnknownNameError
from reportkit.scores.designs import refuse_unequal_instances
from reportkit.scores.results import Results
from reportkit.scores.sample import RightOf
from reportkit.scores.scores import Scores


def _block(higher_is_better=True):
    return Scores(
        shape="counts",
        dataset="cb",
        metric="accuracy",
        systems=("a", "b", "c"),
        instances=np.array([], dtype=object),
        kind="binary",
        higher_is_better=higher_is_better,
        k=np.array([30, 20, 0]),
        n=np.array([40, 50, 40]),
    )


def test_values_and_counts():
    """Shares as given, and the sample oriented."""
    assert _block().value("a") == (0.75, 40)
    sample = _block().paired("a", "b")
    assert (sample.right, sample.n, sample.n_a, sample.n_b) == (RightOf(30, 40, 20, 50), 40, 40, 50)
    assert sample.value_difference == pytest.approx(0.35)
    errors = _block(higher_is_better=False).paired("a", "b")
    assert errors.right == RightOf(10, 40, 30, 50)
    assert errors.as_given(errors.value_a) == 0.75
    assert errors.value_difference == pytest.approx(-0.35)
    with pytest.raises(UnknownNameError):
        _block().paired("a", "x")


def test_equal_counts_are_not_identical_outputs():
    """Only all right, or all wrong, is the same output everywhere."""
    block = _block()
    assert not block.paired("a", "a").identical
    assert block.paired("c", "c").identical


def test_the_block_takes_part_in_everything():
    """Selection, digest, pairing, and the check of instances, of which there are none."""
    results = Results(datasets=(_block(),))
    narrowed = results.select(systems=["c", "a"]).datasets[0]
    assert narrowed.systems == ("c", "a")
    assert narrowed.value("a") == (0.75, 40)
    assert _block().select(["x"]) is None
    assert len(results.digest()) == 64
    assert results.digest() != Results(datasets=(narrowed,)).digest()
    refuse_unequal_instances(results.datasets)
    for pairing in ("paired", "unpaired"):
        assert _block().pair("a", "b", pairing=pairing).shape == "counts"
