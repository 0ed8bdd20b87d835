"""Which rows make up resampled training sets."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportkit.calibration.training import label_counts, resampled_systems, training_rows
from reportkit.errors import InputError, SettingsError


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8), st.data())
def test_label_counts_are_the_nearest_whole_shares(counts, data):
    """They sum to the size, and each is the exact share rounded down or up; all rows give all labels."""
    n = sum(counts)
    size = data.draw(st.integers(1, n))
    found = label_counts(np.array(counts), size).tolist()
    assert sum(found) == size
    for count, k in zip(counts, found, strict=True):
        assert abs(k - Fraction(count * size, n)) < 1
        assert k <= count
    assert label_counts(np.array(counts), n).tolist() == counts


@given(st.lists(st.integers(0, 3), min_size=4, max_size=50), st.integers(0, 2**32 - 1), st.data())
def test_without_replacement_no_row_occurs_twice(labels, seed, data):
    """Stratified or not, training sets without replacement are parts of the data."""
    codes = np.unique(labels, return_inverse=True)[1]
    size = data.draw(st.integers(1, codes.size))
    for stratify in (True, False):
        rows = training_rows(codes, size, replace=False, stratify=stratify, rng=np.random.default_rng(seed))
        assert len(set(rows.tolist())) == size == rows.size
        if stratify:
            shares = label_counts(np.bincount(codes), size)
            assert np.bincount(codes[rows], minlength=shares.size).tolist() == shares.tolist()


@pytest.mark.parametrize("stratify", [True, False])
def test_with_replacement_each_row_is_as_likely_as_any_other_of_its_label(stratify):
    """Counts of rows over 4,000 training sets lie within five standard errors of their expectation."""
    codes = np.array([0] * 6 + [1] * 3)
    counts = np.zeros(9)
    for seed in range(4000):
        rows = training_rows(codes, 6, replace=True, stratify=stratify, rng=np.random.default_rng(seed))
        counts += np.bincount(rows, minlength=9)
    expected, variance = 4000 * 6 / 9, 4000 * 6 / 9  # one draw in nine for each of six places, in both designs
    assert np.abs(counts - expected).max() < 5 * np.sqrt(variance)


def test_rows_come_in_random_order():
    """Labels are not in blocks, which would mislead learners that see one row after the other."""
    codes = np.repeat([0, 1], 500)
    rows = training_rows(codes, 1000, replace=False, stratify=True, rng=np.random.default_rng(0))
    assert 400 < (np.diff(codes[rows]) != 0).sum() < 600


class Majority:
    """Learn the most frequent label, and which rows it was given."""

    seen: tuple = ()

    def fit(self, X, y):
        """Remember the rows."""
        Majority.seen = (*Majority.seen, tuple(X))
        self.label = y[0]

    def predict(self, X):
        """Say the label of the first row."""
        return [self.label] * len(X)


def drawn(names=("a",), labels=None, **options):
    """Rows of each training set, by system."""
    Majority.seen = ()
    labels = [0, 1] * 50 if labels is None else labels
    systems = list(
        resampled_systems(dict.fromkeys(names, Majority), list(range(len(labels))), labels, [0], [0], **options)
    )
    return dict(zip([one.system for one in systems], Majority.seen, strict=True))


def test_sizes_of_the_paper():
    """All, half and a quarter, ten of each, as Berg-Kirkpatrick et al. (2012), section 3.2.5."""
    systems = drawn(("berkeley", "stanford", "collins"))
    assert len(systems) == 90
    assert {len(rows) for rows in systems.values()} == {100, 50, 25}


@pytest.mark.parametrize("same", [True, False])
def test_a_training_set_depends_on_its_own_name_alone(same):
    """Other sizes and repeats change nothing; other learners have the same rows exactly if that is asked for."""
    few = drawn(("b",), sizes=[40], n_repeats=2, same_sets=same)
    many = drawn(("a", "b"), sizes=[80, 40, 20], n_repeats=[1, 9, 3], same_sets=same)
    assert few["b/40/2"] == many["b/40/2"]
    assert (many["a/40/2"] == many["b/40/2"]) is same
    assert many["a/40/2"] != many["a/40/1"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"sizes": [101]}, "a training set of 101 rows cannot be drawn from 100"),
        ({"sizes": [10, 10]}, "sizes are"),
        ({"sizes": []}, "sizes are"),
        ({"sizes": [0]}, "a size of training sets is 0"),
        ({"sizes": [0.5]}, "a size of training sets is 0.5"),
        ({"n_repeats": 0}, "n_repeats is 0"),
        ({"sizes": [10, 20], "n_repeats": [1, 2, 3]}, "n_repeats has 3 numbers and there are 2 sizes"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_designs_that_make_no_sense(changed, message):
    """Each is refused with the number that is wrong."""
    with pytest.raises(SettingsError, match=message):
        drawn(**({"sizes": [10], "n_repeats": 1} | changed))


def test_a_missing_label_is_said_with_the_training_set():
    """Stratified: which size is too small. Unstratified: which draw happens to lack it."""
    labels = ["common"] * 98 + ["rare"] * 2
    tests = (["x"], ["common"])
    with pytest.raises(InputError, match="20 rows would have none of label 'rare'") as caught:
        resampled_systems({"a": Majority}, list(range(100)), labels, *tests, sizes=[100, 20], n_repeats=1)
    assert caught.value.where == "learner 'a', size 20, repeat 1"
    assert "stratify=False" in caught.value.remedy
    with pytest.raises(InputError, match="100 rows would have none of label 'rare'") as caught:
        resampled_systems({"a": Majority}, list(range(100)), labels, *tests, sizes=[100], n_repeats=40, stratify=False)
    assert caught.value.where.startswith("learner 'a', size 100, repeat ")
