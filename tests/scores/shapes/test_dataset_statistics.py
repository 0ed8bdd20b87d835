"""Counts of all systems on a dataset."""

import numpy as np
import pytest

from reportkit.errors import MissingScoresError
from reportkit.metrics.corpus.f_measures import F1
from reportkit.metrics.corpus.matthews import MATTHEWS
from reportkit.metrics.corpus.proportions import ACCURACY
from reportkit.scores.shapes.dataset_statistics import DatasetStatistics
from reportkit.scores.shapes.pairing import pair


def _block(statistics, measure=ACCURACY):
    statistics = np.asarray(statistics, dtype=float)
    return DatasetStatistics(
        dataset="cb",
        metric=measure.title,
        systems=tuple("abcd"[: len(statistics)]),
        instances=np.array([f"i{i}" for i in range(statistics.shape[1])], dtype=object),
        kind="continuous",
        higher_is_better=measure.higher_is_better,
        statistics=statistics,
        measure=measure,
    )


NONE = [np.nan, np.nan]


def test_missing_instances():
    """Refused, dropped for both, or counted as no output: nothing right of what the others had to answer."""
    block = _block([[[1, 2], NONE, [3, 3]], [[2, 2], [1, 4], [0, 3]], [[2, 2], [2, 4], NONE]])
    assert block.presence().tolist() == [[True, False, True], [True, True, True], [True, True, False]]
    with pytest.raises(MissingScoresError, match="were not scored on the same instances"):
        pair(block, "a", "b")
    dropped = pair(block, "a", "b", missing="drop")
    assert (dropped.n, dropped.n_dropped, dropped.value_a, dropped.value_b) == (2, 1, 0.8, 0.4)
    worst = pair(block, "a", "c", missing="worst")
    assert worst.a.tolist() == [[1, 2], [0, 4], [3, 3]]
    assert worst.b.tolist() == [[2, 2], [2, 4], [0, 3]]
    assert (worst.n_imputed_a, worst.n_imputed_b) == (1, 1)
    assert block.value("a", missing="worst") == (pytest.approx(4 / 9), 3)
    assert block.value("a") == (0.8, 2)


def test_no_output_that_is_not_known():
    """A metric that does not say, and systems that disagree about the instance."""
    block = _block([[[1, 2], NONE, [3, 3]], [[2, 2], [1, 4], [0, 3]], [[2, 2], [2, 5], [1, 3]]])
    with pytest.raises(MissingScoresError, match="do not agree on what Accuracy counts for no output") as error:
        pair(block, "a", "b", missing="worst")
    assert "'i1'" in str(error.value)
    four = [[[1, 2, 3, 4], [np.nan] * 4], [[1, 2, 3, 4], [2, 3, 4, 5]]]
    with pytest.raises(MissingScoresError, match="it is not known what MCC counts for no output"):
        pair(_block(four, MATTHEWS), "a", "b", missing="worst")


def test_pairs_share_what_is_kept():
    """The same companions for all pairs, also of a narrowed block; others where other instances are left."""
    rng = np.random.default_rng(1)
    statistics = rng.integers(1, 9, size=(4, 8, 3)).astype(float)
    block = _block(statistics, F1)
    assert pair(block, "a", "b").companions is pair(block, "c", "d").companions
    again = block.narrowed(("a", "b", "c", "d"))
    assert pair(again, "b", "c").companions is pair(block, "a", "b").companions
    assert pair(block.narrowed(("b", "a")), "a", "b").companions.systems == ("b", "a")
    statistics[3, 5] = np.nan
    gaps = _block(statistics, F1)
    assert pair(gaps, "a", "b").companions.systems == ("a", "b", "c")
    assert pair(gaps, "a", "d", missing="drop").companions.systems == ("a", "b", "c", "d")
    assert pair(gaps, "a", "d", missing="drop").n == 7


def test_narrowing():
    """Systems in the order asked for, instances that one of them has."""
    block = _block([[[1, 2], NONE], [[2, 2], NONE], [[2, 2], [2, 5]]])
    narrow = block.narrowed(("b", "a"))
    assert (narrow.systems, narrow.n_instances) == (("b", "a"), 1)
    assert block.narrowed(("x",)) is None


def test_content_tells_metrics_apart():
    """F1 and recall of the same counts are different results."""
    statistics = np.ones((2, 3, 3))
    one, other = (b"".join(_block(statistics, measure).content()) for measure in (F1, MATTHEWS))
    assert one != other
