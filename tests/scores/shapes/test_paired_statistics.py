"""Counts of all systems on a dataset, and of two of them."""

import numpy as np
import pytest

from reportkit.errors import MissingScoresError
from reportkit.metrics.corpus import ACCURACY, CORPUS_METRICS, F1
from reportkit.scores.sample import Sample
from reportkit.scores.scores import Scores

MATTHEWS, WER = CORPUS_METRICS["mcc"], CORPUS_METRICS["wer"]


def _paired(a, b, measure=ACCURACY, **fields):
    return Sample(
        shape="corpus",
        system_a="a",
        system_b="b",
        dataset="cb",
        metric=measure.title,
        kind="continuous",
        higher_is_better=measure.higher_is_better,
        a=np.asarray(a, dtype=float),
        b=np.asarray(b, dtype=float),
        measure=measure,
        **fields,
    )


def test_values_are_oriented():
    """A lower error rate is better."""
    counts = [[1, 4], [2, 4]], [[3, 4], [2, 4]]
    right, wrong = _paired(*counts), _paired(*counts, WER)
    assert (right.value_a, right.value_b, right.value_difference) == (0.375, 0.625, -0.25)
    assert (wrong.value_a, wrong.value_difference, wrong.as_given(wrong.value_a)) == (-0.375, 0.25, 0.375)
    assert right.in_percent


def test_what_differs():
    """Counts, not values, decide whether two systems are identical."""
    paired = _paired([[1, 4], [2, 4]], [[2, 4], [1, 4]])
    assert paired.value_difference == 0
    assert not paired.identical
    assert paired.differing.tolist() == [True, True]
    assert _paired([[1, 4]], [[1, 4]]).identical
    assert paired.common_denominator
    assert not _paired([[1, 4]], [[1, 5]]).common_denominator


def test_two_alone_are_their_own_companions():
    """So that a pair made by hand can be tested."""
    companions = _paired([[1, 4]], [[1, 5]]).companions
    assert companions.systems == ("a", "b")
    assert companions.statistics.tolist() == [[[1, 4]], [[1, 5]]]


def _block(statistics, measure=ACCURACY):
    statistics = np.asarray(statistics, dtype=float)
    return Scores(
        shape="corpus",
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
        block.pair("a", "b")
    dropped = block.pair("a", "b", missing="drop")
    assert (dropped.n, dropped.n_dropped, dropped.value_a, dropped.value_b) == (2, 1, 0.8, 0.4)
    worst = block.pair("a", "c", missing="worst")
    assert worst.a.tolist() == [[1, 2], [0, 4], [3, 3]]
    assert worst.b.tolist() == [[2, 2], [2, 4], [0, 3]]
    assert (worst.n_imputed_a, worst.n_imputed_b) == (1, 1)
    assert block.value("a", missing="worst") == (pytest.approx(4 / 9), 3)
    assert block.value("a") == (0.8, 2)


def test_no_output_that_is_not_known():
    """A metric that does not say, and systems that disagree about the instance."""
    block = _block([[[1, 2], NONE, [3, 3]], [[2, 2], [1, 4], [0, 3]], [[2, 2], [2, 5], [1, 3]]])
    with pytest.raises(MissingScoresError, match="do not agree on what Accuracy counts for no output") as error:
        block.pair("a", "b", missing="worst")
    assert "'i1'" in str(error.value)
    four = [[[1, 2, 3, 4], [np.nan] * 4], [[1, 2, 3, 4], [2, 3, 4, 5]]]
    with pytest.raises(MissingScoresError, match="it is not known what MCC counts for no output"):
        _block(four, MATTHEWS).pair("a", "b", missing="worst")


def test_pairs_share_what_is_kept():
    """The same companions for all pairs, also of a narrowed block; others where other instances are left."""
    rng = np.random.default_rng(1)
    statistics = rng.integers(1, 9, size=(4, 8, 3)).astype(float)
    block = _block(statistics, F1)
    assert block.pair("a", "b").companions is block.pair("c", "d").companions
    again = block.select(("a", "b", "c", "d"))
    assert again.pair("b", "c").companions is block.pair("a", "b").companions
    assert block.select(("b", "a")).pair("a", "b").companions.systems == ("b", "a")
    statistics[3, 5] = np.nan
    gaps = _block(statistics, F1)
    assert gaps.pair("a", "b").companions.systems == ("a", "b", "c")
    assert gaps.pair("a", "d", missing="drop").companions.systems == ("a", "b", "c", "d")
    assert gaps.pair("a", "d", missing="drop").n == 7


def test_narrowing():
    """Systems in the order asked for, instances that one of them has."""
    block = _block([[[1, 2], NONE], [[2, 2], NONE], [[2, 2], [2, 5]]])
    narrow = block.select(("b", "a"))
    assert (narrow.systems, narrow.n_instances) == (("b", "a"), 1)
    assert block.select(("x",)) is None


def test_content_tells_metrics_apart():
    """F1 and recall of the same counts are different results."""
    statistics = np.ones((2, 3, 3))
    one, other = (b"".join(_block(statistics, measure).content()) for measure in (F1, MATTHEWS))
    assert one != other
