"""The bootstrap distribution of Student's t against enumeration, direct computation and its own promises."""

import itertools

import numpy as np
import pytest

from reportkit.null_distributions.random import studentized
from reportkit.significance.tests.bootstrap_t import studentized_means, studentized_rows

KEY = (0, 1)


def direct(sums, sizes, drawn):
    """Student's t of one resample, by its definition."""
    ratio = sums.sum() / sizes.sum()
    s, w = sums[drawn], sizes[drawn]
    n = sums.size
    mean = s.sum() / w.sum()
    error = np.sqrt(n / (n - 1) * np.square(s - w * mean).sum()) / w.sum()
    return (mean - ratio) / error if error > 1e-9 else np.nan


@pytest.mark.parametrize("sizes", [None, np.array([1.0, 3.0, 2.0, 2.0])])
def test_the_distribution_is_that_of_all_resamples(sizes):
    """Of 4 units, all 256 resamples enumerated: shares of each value of t within Monte Carlo error."""
    sums = np.array([-1.0, 0.5, 2.0, 4.0])
    weights = np.ones(4) if sizes is None else sizes
    exact = np.array([direct(sums, weights, list(drawn)) for drawn in itertools.product(range(4), repeat=4)])
    valid = exact[~np.isnan(exact)]
    n_drawn = 200_000
    t = studentized_means(sums, sizes, key=KEY, start=0, stop=n_drawn)
    share = valid.size / exact.size
    assert t.size / n_drawn == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / n_drawn))
    for threshold in np.unique(np.round(valid, 9))[::5]:
        p = np.mean(valid >= threshold - 1e-7)
        assert np.mean(t >= threshold - 1e-7) == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / t.size) + 1e-12)


def test_every_value_is_that_of_its_definition():
    """The first resamples of 300 units, scored one by one from how often each unit was drawn."""
    rng = np.random.default_rng(3)
    sums, sizes = rng.normal(size=300), rng.integers(1, 5, size=300).astype(float)
    (counts,) = (block[:20] for block in studentized._resamples(KEY, 300, 0, 20))
    assert (counts.sum(axis=1) == 300).all()
    drawn = [np.repeat(np.arange(300), row) for row in counts]
    for given, weights in ((None, np.ones(300)), (sizes, sizes)):
        t = studentized_means(sums, given, key=KEY, start=0, stop=20)
        assert t == pytest.approx([direct(sums, weights, units) for units in drawn], rel=1e-10)
    equal = studentized_means(sums, np.full(300, 2.5), key=KEY, start=0, stop=20)
    assert equal == pytest.approx(studentized_means(sums, None, key=KEY, start=0, stop=20), rel=1e-10)


def test_resamples_are_numbered():
    """Drawn at once or in parts, they are the same; another key gives others."""
    sums = np.random.default_rng(1).exponential(size=900)
    whole = studentized_means(sums, None, key=KEY, start=0, stop=6_000)
    parts = [
        studentized_means(sums, None, key=KEY, start=a, stop=b) for a, b in ((0, 999), (999, 4_001), (4_001, 6_000))
    ]
    assert np.array_equal(whole, np.concatenate(parts))
    assert not np.array_equal(whole, studentized_means(sums, None, key=(0, 2), start=0, stop=6_000))


def test_scale_shift_and_sign():
    """Student's t does not know the scale; recentring takes away a shift; minus the data give minus t."""
    sums = np.random.default_rng(1).exponential(size=40)
    t = studentized_means(sums, None, key=KEY, start=0, stop=500)
    assert np.allclose(t, studentized_means(1e200 * sums, None, key=KEY, start=0, stop=500), rtol=1e-9)
    assert np.allclose(t, studentized_means(1e-200 * sums, None, key=KEY, start=0, stop=500), rtol=1e-9)
    assert np.allclose(t, studentized_means(sums + 3, None, key=KEY, start=0, stop=500), rtol=1e-9)
    assert np.array_equal(t, -studentized_means(-sums, None, key=KEY, start=0, stop=500))


def test_resamples_without_variance_are_left_out():
    """One value of 10 differs: where it is not drawn, nothing is known."""
    sums = np.append(np.zeros(9), 1.0)
    t = studentized_means(sums, None, key=KEY, start=0, stop=100_000)
    share = 1 - 0.9**10 - 0.1**10
    assert t.size / 100_000 == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 100_000))
    assert studentized_means(np.ones(5), None, key=KEY, start=0, stop=100).size == 0
    assert studentized_means(np.ones(5), None, key=KEY, start=0, stop=0).size == 0


def test_rows_are_the_same_alone_and_together():
    """To the last bit, more of them than are multiplied at once, with rows among them that often hold no variance."""
    rng = np.random.default_rng(8)
    rows = np.concatenate((rng.exponential(size=(70, 12)), np.eye(12)[:3], np.zeros((1, 12))))
    together = studentized_rows(rows, key=KEY, start=5, stop=3_000)
    for row, t in zip(rows, together, strict=True):
        assert np.array_equal(t, studentized_means(row, None, key=KEY, start=5, stop=3_000))
    assert [t.size for t in together[:70]] == [2_995] * 70
    assert all(t.size < 2_000 for t in together[70:])


@pytest.mark.parametrize("at_once", [1, 30, 1 << 20])
def test_counts_do_not_depend_on_how_many_are_drawn_at_once(monkeypatch, at_once):
    """Some resamples at a time, with a rest, are those that the stream gives in one go."""
    monkeypatch.setattr(studentized, "_DRAWN", at_once)
    rng = np.random.default_rng(np.random.SeedSequence([*KEY, 7, 3]))
    drawn = rng.integers(0, 7, size=(50, 7))
    block = studentized._Block((*KEY, 7, 3), 7, 50)
    for stop in (20, 10, 50):  # no more than are asked for, at any time
        assert np.array_equal(block.until(stop), [np.bincount(row, minlength=7) for row in drawn[:stop]])
