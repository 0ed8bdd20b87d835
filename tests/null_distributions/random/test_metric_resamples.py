"""Values of a function of sums on resamples, shared by systems."""

import itertools

import numpy as np
import pytest

from reportkit.metrics.corpus.f_measures import f1
from reportkit.null_distributions.random import metric_resamples
from reportkit.null_distributions.random.metric_resamples import MetricResamples, drawn_counts


def _statistics(rng, n_systems=3, n=40, k=3):
    return rng.integers(0, 30, size=(n_systems, n, k)).astype(float)


def test_every_resample_has_n_units_drawn_with_equal_probability():
    """Counts add up to n, and each unit has the binomial mean and variance."""
    counts = np.concatenate([drawn_counts((1, 2), 20, block, 500) for block in range(40)])
    assert (counts.sum(axis=1) == 20).all()
    error = np.sqrt(0.95 / len(counts))
    assert np.abs(counts.mean(axis=0) - 1).max() < 4.5 * error
    assert np.abs(counts.var(axis=0) - 0.95).max() < 0.08


def test_values_are_those_of_the_resampled_rows():
    """The product of matrices is the sum over the rows that were drawn."""
    statistics = _statistics(np.random.default_rng(1))
    resamples = MetricResamples(statistics, f1, key=(5,))
    values = resamples.values([0, 1, 2], 0, 50)
    counts = drawn_counts((5,), 40, 0, resamples._rows)
    for number in range(50):
        rows = np.repeat(np.arange(40), counts[number].astype(int))
        for system in range(3):
            assert values[system, number] == float(f1(statistics[system, rows].sum(axis=0)))


def test_all_orders_of_asking_give_the_same_values():
    """Some systems, some resamples, kept or not: number i is always the same."""
    statistics = _statistics(np.random.default_rng(2), n=3000)
    whole = MetricResamples(statistics, f1, key=(5,)).values([0, 1, 2], 0, 2000)
    other = MetricResamples(statistics, f1, key=(5,))
    parts = [other.values([2, 0], first, last) for first, last in itertools.pairwise([0, 1, 349, 350, 1999, 2000])]
    assert np.array_equal(np.concatenate(parts, axis=1), whole[[2, 0]])
    assert np.array_equal(MetricResamples(statistics[1:], f1, key=(5,)).values([0], 0, 2000), whole[[1]])
    assert not np.array_equal(MetricResamples(statistics, f1, key=(6,)).values([0], 0, 2000), whole[[0]])


def test_what_is_beyond_the_kept_ones_is_not_kept(monkeypatch):
    """Memory is bounded, by values of all systems: further resamples are computed for the systems that ask."""
    monkeypatch.setattr(metric_resamples, "KEPT_VALUES", 50_000)
    statistics = _statistics(np.random.default_rng(3), n=3000)
    resamples = MetricResamples(statistics, f1, key=(5,))
    resamples.values([0, 1], 0, 20_000)
    assert 40_000 < sum(values.size for values in resamples._kept.values()) <= 50_000
    first = resamples.values([1], 19_000, 19_100)
    assert np.array_equal(first, resamples.values([0, 1], 19_000, 19_100)[[1]])
    monkeypatch.setattr(metric_resamples, "KEPT_VALUES", 1_000_000)
    all_kept = MetricResamples(statistics, f1, key=(5,))
    assert np.array_equal(all_kept.values([1], 19_000, 19_100), first)


def test_single_precision_is_used_only_where_it_is_exact():
    """Large counts and fractions are summed in double precision, to the same values as by rows."""
    rng = np.random.default_rng(4)
    small = _statistics(rng)
    assert MetricResamples(small, f1, key=(5,))._columns.dtype == np.float32
    for statistics in (small * 1e6, small + 0.25):
        resamples = MetricResamples(statistics, f1, key=(5,))
        assert resamples._columns.dtype == np.float64
        counts = drawn_counts((5,), 40, 0, resamples._rows)[:20].astype(float)
        expected = f1(counts @ statistics[1])
        assert resamples.values([1], 0, 20)[0] == pytest.approx(expected, rel=1e-13)


def test_many_systems_are_computed_in_groups():
    """More columns than are multiplied at a time."""
    statistics = _statistics(np.random.default_rng(6), n_systems=400, n=20)
    values = MetricResamples(statistics, f1, key=(5,)).values(range(400), 0, 30)
    alone = MetricResamples(statistics[399:], f1, key=(5,)).values([0], 0, 30)
    assert np.array_equal(values[[399]], alone)
