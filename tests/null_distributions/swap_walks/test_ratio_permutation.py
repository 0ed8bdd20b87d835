"""The exact permutation test of ratios of sums against enumeration, whole-number convolution and random swaps."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.errors import InputError
from reportkit.null_distributions import sign_flip_tail
from reportkit.null_distributions.random.random_swaps import swapped_differences
from reportkit.null_distributions.swap_walks.ratio_permutation import ratio_permutation_tail


def tails_of(places, a, b, undefined=0):
    """Both tails from the numbers of swaps that lead to each sum (u, v) of A, as fractions."""
    total = [int(x) for x in (a + b).sum(axis=0)]

    def ratio(u, v):
        return Fraction(u, v) if v else Fraction(undefined)

    def difference(u, v):
        return ratio(u, v) - ratio(total[0] - u, total[1] - v)

    observed = difference(*(int(x) for x in a.sum(axis=0)))
    greater = sum(count for place, count in places.items() if difference(*place) >= observed)
    less = sum(count for place, count in places.items() if difference(*place) <= observed)
    number = sum(places.values())
    return Fraction(greater, number), Fraction(less, number)


def by_enumeration(a, b, undefined=0):
    """Over all 2^n swaps, one by one."""
    places = Counter()
    for swaps in itertools.product((False, True), repeat=len(a)):
        sums = np.where(np.array(swaps)[:, None], b, a).sum(axis=0)
        places[int(sums[0]), int(sums[1])] += 1
    return tails_of(places, a, b, undefined)


def by_convolution(a, b):
    """The same, row by row over all sums that can be reached, in whole numbers."""
    places = Counter({(0, 0): 1})
    for row_a, row_b in zip(a.tolist(), b.tolist(), strict=True):
        grown = Counter()
        for (u, v), count in places.items():
            grown[u + row_a[0], v + row_a[1]] += count
            grown[u + row_b[0], v + row_b[1]] += count
        places = grown
    return tails_of(places, a, b)


def assert_right(tails, truth, slack=1e-15):
    """Both tails are within the bound that the result states."""
    for p_value, exact in zip((tails.p_greater, tails.p_less), truth, strict=True):
        error = abs(Fraction(p_value) / exact - 1)
        assert error <= tails.relative_error + slack
    assert tails.expected_error <= tails.relative_error


rows = st.tuples(st.integers(0, 4), st.integers(0, 4)).map(sorted).map(tuple)
pairs_of_rows = st.lists(st.tuples(rows, rows), min_size=1, max_size=8)


def split(pairs):
    """Rows of A and rows of B as arrays."""
    return np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])


@pytest.mark.slow
@given(pairs_of_rows, st.sampled_from([0, 1, Fraction(1, 2)]))
@settings(deadline=None, max_examples=200)
def test_agrees_with_enumeration(pairs, undefined):
    """All 2^n swaps, n <= 8, with ties, empty denominators and rows that are equal."""
    a, b = split(pairs)
    if a[:, 1].sum() + b[:, 1].sum() == 0:
        assert ratio_permutation_tail(a, b, undefined=undefined).p_greater == 1.0
        return
    tails = ratio_permutation_tail(a, b, undefined=undefined)
    assert_right(tails, by_enumeration(a, b, undefined))


numerators_alone = st.tuples(st.integers(0, 3), st.integers(0, 2))


@given(st.lists(st.tuples(numerators_alone, numerators_alone), min_size=1, max_size=8), st.sampled_from([0, 2]))
@settings(deadline=None, max_examples=100)
def test_numerators_without_denominators(pairs, undefined):
    """Edits where the reference is empty: numerators may be larger than denominators."""
    a, b = split(pairs)
    if a[:, 1].sum() + b[:, 1].sum() == 0:
        return
    assert_right(ratio_permutation_tail(a, b, undefined=undefined), by_enumeration(a, b, undefined))


def f1_rows(n, *, better, same=0.7, seed=0, found=3):
    """Numerators 2 tp and denominators 2 tp + fp + fn of two systems that agree on a share of the instances."""
    rng = np.random.default_rng(seed)
    gold = rng.poisson(found, n)
    tp_a, tp_b = rng.binomial(gold, 0.75 + better), rng.binomial(gold, 0.75)
    fp_a, fp_b = rng.poisson(0.25 * found, n), rng.poisson(0.25 * found, n)
    agree = rng.random(n) < same
    tp_b, fp_b = np.where(agree, tp_a, tp_b), np.where(agree, fp_a, fp_b)
    return np.stack((2 * tp_a, tp_a + fp_a + gold), axis=1), np.stack((2 * tp_b, tp_b + fp_b + gold), axis=1)


@pytest.mark.parametrize(("n", "better", "same"), [(40, 0.0, 0.2), (60, 0.1, 0.3), (80, 0.2, 0.0), (300, 0.1, 0.8)])
def test_agrees_with_whole_number_convolution(n, better, same):
    """F1 with both sums moving, as fractions of 2^n."""
    a, b = f1_rows(n, better=better, same=same, seed=n)
    assert_right(ratio_permutation_tail(a, b), by_convolution(a, b))


@pytest.mark.slow
def test_is_right_at_1e_minus_30():
    """A tail far below what a plain transform resolves."""
    a, b = f1_rows(145, better=0.25, same=0.0, seed=3, found=4)
    a[:, 1] -= np.minimum(a[:, 1] - a[:, 0], 2)  # and fewer wrong ones
    truth = by_convolution(a, b)
    tails = ratio_permutation_tail(a, b)
    assert 1e-40 < tails.p_greater < 1e-28
    assert_right(tails, truth)
    assert tails.relative_error < 1e-10


@pytest.mark.parametrize("n", [50, 500, 3000])
@pytest.mark.parametrize("shift", [0.0, 0.05, 0.3])
def test_equal_denominators_are_sign_flips(n, shift):
    """Accuracy over tokens with the same totals: the sign-flip test of the numbers of right tokens, at any p."""
    rng = np.random.default_rng(n)
    total = rng.integers(5, 30, n)
    right_a, right_b = rng.binomial(total, 0.6 + shift), rng.binomial(total, 0.6)
    tails = ratio_permutation_tail(np.stack((right_a, total), axis=1), np.stack((right_b, total), axis=1))
    flips = sign_flip_tail(right_a - right_b)
    assert tails.log_p_greater == pytest.approx(flips.log_p_greater, rel=1e-9, abs=1e-9)
    assert tails.log_p_less == pytest.approx(flips.log_p_less, rel=1e-9, abs=1e-9)


@pytest.mark.slow
def test_agrees_with_random_swaps():
    """A million random swaps, within four standard errors."""
    a, b = f1_rows(2000, better=0.01, seed=6)
    tails = ratio_permutation_tail(a, b)
    observed = np.subtract(*(rows.sum(axis=0)[0] / rows.sum(axis=0)[1] for rows in (a, b)))
    hits = sum(
        int((block >= observed - 1e-12).sum())
        for block in swapped_differences(
            a.astype(float),
            b.astype(float),
            lambda sums: sums[..., 0] / sums[..., 1],
            rng=np.random.default_rng(1),
            n_resamples=1_000_000,
        )
    )
    p = tails.p_greater
    assert 0.001 < p < 0.5
    assert hits / 1e6 == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 1e6))


@given(pairs_of_rows, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_order_and_names_change_nothing(pairs, random):
    """Rows in another order give the same bytes; B against A exactly the other tails."""
    a, b = split(pairs)
    tails = ratio_permutation_tail(a, b)
    order = random.sample(range(len(a)), len(a))
    assert ratio_permutation_tail(a[order], b[order]) == tails
    assert ratio_permutation_tail(b, a) == tails.swapped()


@pytest.mark.parametrize("n", [1500, 4000])
def test_order_and_names_change_nothing_in_the_transform(n):
    """The same for numbers of instances that are not counted out."""
    a, b = f1_rows(n, better=0.01, seed=n)
    tails = ratio_permutation_tail(a, b)
    order = np.random.default_rng(0).permutation(n)
    assert tails.method == "tilted FFT"
    assert ratio_permutation_tail(a[order], b[order]) == tails
    assert ratio_permutation_tail(b, a) == tails.swapped()


@given(pairs_of_rows, st.integers(1, 5), st.integers(1, 5))
@settings(deadline=None, max_examples=60)
def test_units_of_numerator_and_denominator_change_nothing(pairs, numerator, denominator):
    """Multiplying all numerators, or all denominators, leaves the comparisons and so the tails as they are."""
    a, b = split(pairs)
    scale = np.array([numerator, denominator])
    tails = ratio_permutation_tail(a, b)
    again = ratio_permutation_tail(a * scale, b * scale)
    assert (again.p_greater, again.p_less) == (tails.p_greater, tails.p_less)


@given(pairs_of_rows, st.integers(1, 20))
@settings(deadline=None, max_examples=60)
def test_instances_without_anything_change_nothing(pairs, number):
    """Rows of zeros in both systems."""
    a, b = split(pairs)
    nothing = np.zeros((number, 2), dtype=int)
    assert ratio_permutation_tail(np.vstack((a, nothing)), np.vstack((b, nothing))) == ratio_permutation_tail(a, b)


def test_instances_on_which_both_agree_matter_through_the_ratio():
    """They move the ratios, unless the denominators are the same: then nothing changes."""
    rng = np.random.default_rng(4)
    v = rng.integers(1, 5, (2, 6))
    a, b = np.stack((rng.integers(0, v + 1), v), axis=2)
    more = np.array([[5, 9]] * 7)
    alone, among = ratio_permutation_tail(a, b), ratio_permutation_tail(np.vstack((a, more)), np.vstack((b, more)))
    assert_right(among, by_enumeration(np.vstack((a, more)), np.vstack((b, more))))
    assert among.p_greater != alone.p_greater
    a[:, 1] = b[:, 1] = 4
    alone, among = ratio_permutation_tail(a, b), ratio_permutation_tail(np.vstack((a, more)), np.vstack((b, more)))
    assert (among.p_greater, among.p_less) == (alone.p_greater, alone.p_less)


def test_too_much_work_is_left_to_random_swaps():
    """None where the table of places would be too large."""
    rng = np.random.default_rng(0)
    v = rng.integers(100, 900, (2, 400))
    u = rng.binomial(v, 0.5)
    assert ratio_permutation_tail(*np.stack((u, v), axis=2), work=1e4) is None
    a, b = f1_rows(3000, better=0.02)
    assert ratio_permutation_tail(a, b, max_relative_error=1e-20) is None


def test_identical_rows_have_p_one():
    """Nothing to swap."""
    a, _ = f1_rows(30, better=0.0)
    tails = ratio_permutation_tail(a, a)
    assert (tails.p_greater, tails.p_less, tails.relative_error) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ([[1, 2]], [[1, 2], [1, 2]], "a has 1 rows and b 2"),
        ([[1.5, 2]], [[1, 2]], "numerator of a in row 0 is 1.5"),
        ([[1, 2]], [[1, -2]], "denominator of b in row 0 is -2"),
        ([[1, float("nan")]], [[1, 2]], "denominator of a in row 0 is nan"),
        ([1, 2], [1, 2], "shape"),
        ([[2.0**53, 1]], [[0, 1]], "beyond 2"),
    ],
)
def test_wrong_input_is_refused(a, b, words):
    """The message says which number, where."""
    with pytest.raises(InputError, match=words):
        ratio_permutation_tail(a, b)
