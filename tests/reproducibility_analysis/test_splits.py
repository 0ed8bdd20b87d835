"""The blocked splitter: Table 1, its properties for all m, strata, and scikit-learn's protocol."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.errors import InputError, SettingsError
from reportkit.reproducibility_analysis import BlockedCV
from tests.conftest import unavailable


def test_three_repetitions_are_table_1_of_xue():
    """The halves for m = 3 are {12|34}, {13|24}, {14|23} in this order."""
    halves = [{frozenset(np.flatnonzero(row == fold) + 1) for fold in (0, 1)} for row in BlockedCV(3).fold_of_block]
    assert halves == [
        {frozenset({1, 2}), frozenset({3, 4})},
        {frozenset({1, 3}), frozenset({2, 4})},
        {frozenset({1, 4}), frozenset({2, 3})},
    ]


@pytest.mark.parametrize(("m", "blocks"), [(1, 2), (2, 4), (3, 4), (4, 8), (7, 8), (8, 16), (15, 16), (16, 32)])
def test_the_smallest_number_of_blocks_is_taken(m, blocks):
    """It is the smallest power of two that is m + 1 or more."""
    assert BlockedCV(m).n_blocks == blocks


@pytest.mark.parametrize("m", range(1, 17))
def test_halves_are_an_orthogonal_array(m):
    """In every two repetitions each of the four pairs of folds holds a quarter of the blocks: strength 2."""
    cv = BlockedCV(m)
    table = cv.fold_of_block
    assert table.shape == (m, cv.n_blocks)
    assert (table.sum(axis=1) * 2 == cv.n_blocks).all()
    for i in range(m):
        for j in range(i):
            assert np.bincount(2 * table[i] + table[j], minlength=4).tolist() == [cv.n_blocks // 4] * 4


@given(
    m=st.integers(1, 9),
    n=st.integers(16, 120),
    n_labels=st.integers(1, 4),
    seed=st.integers(0, 10**6),
)
@settings(max_examples=60, deadline=None)
def test_splits_of_any_corpus(m, n, n_labels, seed):
    """Blocks and labels in them differ by one at most, folds are complements, and overlaps are near n / 4."""
    cv = BlockedCV(m, rng=seed)
    labels = np.random.default_rng(seed).integers(0, n_labels, n)
    labels[:n_labels] = np.arange(n_labels)
    cv_labels = labels if np.bincount(labels).min() >= cv.n_blocks else None
    block = cv.assign(n, cv_labels)
    sizes = np.bincount(block, minlength=cv.n_blocks)
    assert np.ptp(sizes) <= 1
    if cv_labels is not None:
        for label in range(n_labels):
            assert np.ptp(np.bincount(block[labels == label], minlength=cv.n_blocks)) <= 1
    splits = list(cv.split(range(n), cv_labels))
    assert len(splits) == cv.get_n_splits() == 2 * m
    tests = []
    for train, test in splits:
        assert np.array_equal(np.sort(np.concatenate((train, test))), np.arange(n))
        tests.append(set(test.tolist()))
    for first, second in zip(tests[::2], tests[1::2], strict=True):
        assert first | second == set(range(n))
        assert not first & second
    for i in range(2 * m):
        for j in range(i - i % 2):
            assert abs(len(tests[i] & tests[j]) - n / 4) < max(cv.n_blocks / 4, 1)
    assert np.array_equal(np.bincount(np.concatenate([train for train, _ in splits]), minlength=n), np.full(n, m))


def test_overlaps_are_exactly_a_quarter_where_sizes_allow():
    """With n a multiple of the blocks, two folds of different repetitions share n / 4 instances."""
    tests = [set(test.tolist()) for _, test in BlockedCV(7, rng=3).split(range(80))]
    assert {len(tests[i] & tests[j]) for i in range(14) for j in range(i - i % 2)} == {20}


def test_the_same_seed_gives_the_same_splits():
    """Splits depend on seed and re-partition, and on nothing else."""
    first = [BlockedCV(rng=5, repartition=r).assign(100) for r in range(3)]
    again = [BlockedCV(rng=5, repartition=r).assign(100) for r in (2, 1, 0)][::-1]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not np.array_equal(first[0], first[1])
    assert not np.array_equal(first[0], BlockedCV(rng=6).assign(100))


def test_every_pair_is_equally_likely_to_share_a_block():
    """Two of 6 instances share one of 4 blocks, of sizes 2, 2, 1, 1, with probability 2/15, for every pair."""
    together = np.zeros((6, 6))
    n_draws = 3000
    for repartition in range(n_draws):
        block = BlockedCV(repartition=repartition).assign(6)
        together += block[:, None] == block[None, :]
    share = together[np.triu_indices(6, 1)] / n_draws
    assert np.abs(share - 2 / 15).max() < 4 * np.sqrt(2 / 15 * 13 / 15 / n_draws)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"m": 0}, "m is 0"),
        ({"m": True}, "m is True"),
        ({"m": 2.0}, r"m is 2\.0"),
        ({"rng": -1}, "rng is -1"),
        ({"repartition": None}, "repartition is None"),
        ({"stratify": "yes"}, "stratify is 'yes'"),
    ],
)
def test_senseless_parameters_are_refused(parameters, message):
    """The message says which value makes no sense."""
    with pytest.raises(SettingsError, match=message):
        BlockedCV(**parameters)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((range(3),), "3 instances cannot be divided into 4 blocks"),
        ((range(8), None, [0, 0, 0, 0, 1, 1, 2, 2]), "groups are not kept whole"),
        ((range(8), list("abc")), r"labels have the shape \(3,\)"),
        ((range(8), [[1, 2]] * 8), r"labels have the shape \(8, 2\)"),
        ((range(8), np.linspace(0, 1, 8)), "measurements, not classes"),
        ((range(8), ["a"] * 7 + [None]), "1 label is missing"),
        ((range(8), ["a"] * 7 + [1]), "of different types, int and str"),
    ],
)
def test_bad_data_are_refused_at_once(arguments, message):
    """The error comes from `split` itself, not from the first step of the iteration."""
    with pytest.raises(InputError, match=message):
        BlockedCV().split(*arguments)


def test_scikit_learn_takes_the_splitter():
    """check_cv returns it, cross_validate and a grid search run on it, with labels."""
    try:
        from sklearn.dummy import DummyClassifier
        from sklearn.model_selection import GridSearchCV, check_cv, cross_validate
    except ImportError:
        unavailable("scikit-learn is not installed (it comes with the extra [test])")
    cv = BlockedCV(m=3, rng=2)
    assert check_cv(cv) is cv
    features, labels = np.zeros((40, 2)), np.tile([0, 0, 0, 1], 10)
    scores = cross_validate(DummyClassifier(), features, labels, cv=cv)["test_score"]
    wanted = [np.mean(labels[test] == 0) for _, test in cv.split(features, labels)]
    assert scores.tolist() == pytest.approx(wanted)
    search = GridSearchCV(DummyClassifier(), {"strategy": ["most_frequent", "uniform"]}, cv=cv).fit(features, labels)
    assert search.n_splits_ == 6
    assert search.best_params_ == {"strategy": "most_frequent"}
