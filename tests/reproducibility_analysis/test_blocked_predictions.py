"""Predictions in a blocked cross-validation: long form in any order, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from reportkit.errors import DesignError, DuplicateScoresError, InputError, MissingScoresError
from reportkit.reproducibility_analysis import BlockedCV, predictions_from_long_form
from reportkit.reproducibility_analysis.predictions import check_folds


@pytest.fixture
def long_form():
    """12 instances in a 3 x 2 blocked cross-validation, as columns."""
    folds = BlockedCV(3).folds(BlockedCV(3).assign(12))
    rng = np.random.default_rng(1)
    gold = rng.choice(["x", "y"], 12)
    return {
        "replicate": np.repeat([1, 2, 3], 12),
        "fold": folds.ravel() + 1,
        "instance": np.tile([f"s{i:02}" for i in range(12)], 3),
        "prediction": rng.choice(["x", "y"], 36),
        "gold": np.tile(gold, 3),
    }


def test_tokens_are_put_in_order_of_their_positions():
    """Ten comes after nine, and sentences may have different lengths."""
    lengths = [11, 1, 3, 2]
    folds = BlockedCV(1).folds(BlockedCV(1).assign(4))
    rows = [(0, folds[0, s], s, t, f"{s}.{t}") for s, length in enumerate(lengths) for t in range(length)][::-1]
    replicate, fold, instance, token, label = zip(*rows, strict=True)
    result = predictions_from_long_form(
        replicate=replicate, fold=fold, instance=instance, token=token, prediction=label, gold=label
    )
    assert result.gold.tolist() == [f"{s}.{t}" for s, length in enumerate(lengths) for t in range(length)]
    assert np.bincount(result.owners).tolist() == lengths
    assert np.array_equal(result.folds, folds)


def _changed(long_form, **changes):
    result = {name: column.copy() for name, column in long_form.items()}
    for name, (row, value) in changes.items():
        result[name][row] = value
    return result


def test_a_prediction_given_twice_is_an_error(long_form):
    """The message says which instance in which repetition."""
    with pytest.raises(DuplicateScoresError, match="1 prediction is given twice") as caught:
        predictions_from_long_form(**_changed(long_form, instance=(13, "s00")))
    assert "s00 in repetition 2" in str(caught.value)


def test_a_missing_prediction_is_an_error(long_form):
    """Every instance is predicted in every repetition."""
    with pytest.raises(MissingScoresError, match="1 prediction is missing") as caught:
        predictions_from_long_form(**{name: np.delete(column, 14) for name, column in long_form.items()})
    assert "s02 in repetition 2" in str(caught.value)


def test_a_third_fold_is_an_error(long_form):
    """A repetition has two folds."""
    with pytest.raises(InputError, match="repetition 1 has 3 folds"):
        predictions_from_long_form(**_changed(long_form, fold=(0, 3)))


def test_gold_labels_may_not_contradict_each_other(long_form):
    """An instance has one gold label in all repetitions."""
    with pytest.raises(InputError, match="1 instance is given different gold labels"):
        predictions_from_long_form(**_changed(long_form, gold=(0, "z")))


def test_tokens_of_a_sentence_are_in_one_fold():
    """A sentence that was divided between training and test set is no instance."""
    with pytest.raises(DesignError, match="1 instance is in both folds"):
        predictions_from_long_form(
            replicate=[1] * 4, fold=[1, 2, 1, 2], instance=["a", "a", "b", "c"], token=[0, 1, 0, 0],
            prediction=list("xxxx"), gold=list("xxxx"),
        )  # fmt: skip


def test_independent_random_halves_are_no_blocked_cross_validation():
    """Their overlaps are too far from a quarter."""
    rng = np.random.default_rng(4)
    folds = np.stack([rng.permutation(100) % 2 for _ in range(3)])
    with pytest.raises(DesignError, match=r"share \d+ instances, not a quarter of 100"):
        check_folds(folds)


@pytest.mark.parametrize("away", [-3, -2, 2, 3])
def test_overlaps_may_be_two_instances_away(away):
    """Of 40 instances in halves, folds that share 8 to 12 pass, and 7 or 13 do not."""
    first = np.repeat([0, 1], 20)
    second = np.concatenate((np.repeat([0, 1], [10 + away, 10 - away]), np.repeat([0, 1], [10 - away, 10 + away])))
    if abs(away) == 2:
        check_folds(np.stack((first, second)))
        return
    with pytest.raises(DesignError, match="not a quarter of 40"):
        check_folds(np.stack((first, second)))


@pytest.mark.parametrize("m", range(1, 12))
def test_splits_of_the_splitter_pass(m):
    """Whatever the number of instances, what BlockedCV makes passes."""
    for n in range(32, 64):
        cv = BlockedCV(m, rng=n)
        check_folds(cv.folds(cv.assign(n)))
