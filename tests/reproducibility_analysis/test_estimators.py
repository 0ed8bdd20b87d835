"""Average, vote and mixture against loops, and what the mixture is."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.errors import DesignError
from reportkit.reproducibility_analysis import (
    BlockedCV,
    BlockedPredictions,
    compare_estimates,
    estimate_system,
    estimates_from_scores,
    predictions_from_long_form,
)
from reportkit.reproducibility_analysis.estimators import with_mixtures

NUMBERS = st.floats(-1, 1)


def _labels(seed, *, m=3, n=40, names=("x", "y", "z")):
    rng = np.random.default_rng(seed)
    cv = BlockedCV(m, rng=seed)
    return cv.folds(cv.assign(n)), rng.choice(names, n), rng.choice(names, (m, n))


@pytest.mark.parametrize("m", [1, 2, 3, 4, 7])
def test_estimates_of_single_labels(m):
    """Hold-outs, average and vote with fractional credit are those of loops over instances."""
    folds, gold, predicted = _labels(m, m=m)
    result = estimate_system(BlockedPredictions(folds=folds, gold=gold, predictions=predicted))
    for i in range(m):
        for fold in (0, 1):
            mine = folds[i] == fold
            assert result.hold_outs[i, fold] == pytest.approx(np.mean(gold[mine] == predicted[i, mine]))
    assert result.average == pytest.approx(result.hold_outs.mean())
    credit = 0.0
    for j in range(gold.size):
        counts = Counter(predicted[:, j].tolist())
        tied = [label for label, count in counts.items() if count == max(counts.values())]
        credit += (gold[j] in tied) / len(tied)
    assert result.vote == pytest.approx(credit / gold.size)


def test_estimates_of_chunks():
    """Chunk F1 of folds, and of the labels that the vote over tokens gives; by hand for one corpus."""
    gold = np.array(["B", "I", "O", "B", "O", "B", "B", "I"])
    owner = np.array([0, 0, 0, 1, 1, 2, 3, 3])
    predicted = np.array(
        [
            ["B", "I", "O", "B", "O", "O", "B", "I"],
            ["B", "O", "O", "B", "B", "B", "B", "I"],
            ["B", "I", "O", "O", "B", "B", "O", "B"],
        ]
    )
    folds = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]])
    result = estimate_system(
        BlockedPredictions(folds=folds, gold=gold, predictions=predicted, owner=owner), metric="chunk-f1"
    )
    # repetition 1: sentences 0, 1 right (2 of 2), sentences 2, 3: one of two missed
    # repetition 2: sentences 0, 2: one of two wrong; 1, 3: two of two found, one found too many
    # repetition 3: sentences 0, 3: one of two wrong; 1, 2: one of two wrong
    assert result.hold_outs.tolist() == [
        pytest.approx([1, 2 / 3]), pytest.approx([1 / 2, 4 / 5]), pytest.approx([1 / 2, 1 / 2]),
    ]  # fmt: skip
    assert result.vote == pytest.approx(8 / 9)  # B I O | B B | B | B I: four of four, one too many


def test_chunks_need_sentences():
    """Labels that stand alone are no chunks."""
    folds, gold, predicted = _labels(3, names=("B", "I", "O"))
    with pytest.raises(DesignError, match="which tokens stand in one sentence"):
        estimate_system(BlockedPredictions(folds=folds, gold=gold, predictions=predicted), metric="chunk-f1")


def _mixtures(vote, average):
    found = with_mixtures({"Vote": np.atleast_1d(vote), "Avg": np.atleast_1d(average)}, ("for A", "for B"))
    return found["for A"], found["for B"]


@given(vote=NUMBERS, average=NUMBERS)
def test_the_mixture_is_the_larger(vote, average):
    """Eq. (8) is max(vote, average), and minus min(vote, average) if the systems change places."""
    for_a, for_b = _mixtures(vote, average)
    assert (for_a[0], for_b[0]) == (max(vote, average), -min(vote, average))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=20, deadline=None)
def test_comparing_turned_round(seed):
    """B against A has the negative of every estimate."""
    folds, gold, first = _labels(seed)
    second = _labels(seed + 1)[2]
    a, b = (estimate_system(BlockedPredictions(folds=folds, gold=gold, predictions=p)) for p in (first, second))
    forth, back = compare_estimates(a, b), compare_estimates(b, a)
    assert np.array_equal(forth.hold_outs, -back.hold_outs)
    assert (forth.average, forth.vote) == (-back.average, -back.vote)


def test_scores_give_an_average_alone():
    """Without predictions there is neither vote nor mixture; lower is better is negated."""
    pair = compare_estimates(
        estimates_from_scores([[1.0, 2.0], [3.0, 4.0]], higher_is_better=False),
        estimates_from_scores([[2.0, 2.0], [3.0, 5.0]], higher_is_better=False),
    )
    assert pair.average == 0.5
    assert pair.vote is None


def test_from_long_form_to_the_comparison():
    """Rows of two systems, as a file has them, give the estimates of the arrays they were made of."""
    folds, gold, first = _labels(5)
    second = _labels(6)[2]
    rows = {
        "replicate": np.repeat(np.arange(3), 40), "fold": folds.ravel(), "instance": np.tile(np.arange(40), 3),
        "gold": np.tile(gold, 3),
    }  # fmt: skip
    a, b = (estimate_system(predictions_from_long_form(**rows, prediction=p.ravel())) for p in (first, second))
    pair = compare_estimates(a, b)
    gains = (gold == first).mean(axis=1) - (gold == second).mean(axis=1)
    assert pair.average == pytest.approx(gains.mean())
    assert pair.vote == a.vote - b.vote
