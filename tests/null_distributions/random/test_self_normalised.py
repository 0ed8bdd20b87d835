"""The bound of far tails: never below the probability, and not far above it."""

import itertools

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.tests.bootstrap_t import studentized_tail_bound
from reportkit.significance.tests.bootstrap_t import studentized_means

rng = np.random.default_rng(5)
DATA = {
    "normal": rng.normal(size=60),
    "right-skewed": rng.exponential(size=50),
    "left-skewed": -rng.exponential(size=50),
    "sparse": np.append(np.zeros(80), rng.normal(size=20)),
    "lattice": rng.integers(-2, 3, size=100).astype(float),
    "one outlier": np.append(rng.normal(size=40), 30.0),
    "two values": np.repeat([0.0, 1.0], [70, 30]),
}


@pytest.mark.parametrize("name", DATA)
def test_it_is_an_upper_bound(name):
    """Of all thresholds that 300,000 resamples can tell."""
    values = DATA[name]
    t = studentized_means(values, None, key=(9,), start=0, stop=300_000)
    for threshold in (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0):
        p = np.mean(t >= threshold)
        low = p - 4 * np.sqrt(p * (1 - p) / t.size)
        assert studentized_tail_bound(values, threshold) >= low


@pytest.mark.parametrize("values", [[-1.0, 0.0, 2.0, 3.0], [0.0, 0.0, 1.0, 5.0, 6.0], [-4.0, 0.95, 0.97, 1.0, 1.02]])
def test_it_is_an_upper_bound_of_what_is_enumerated(values):
    """All n^n resamples, at each value that t takes."""
    v = np.array(values)
    samples = np.array(list(itertools.product(v - v.mean(), repeat=v.size)))
    deviation = samples.std(axis=1, ddof=1)
    t = samples[deviation > 0].mean(axis=1) / (deviation[deviation > 0] / np.sqrt(v.size))
    for threshold in np.unique(np.round(t[t > 0], 9)):
        assert studentized_tail_bound(v, float(threshold)) >= np.sum(t >= threshold - 1e-7) / len(samples)


def test_a_t_for_which_all_draws_have_to_be_alike():
    """Gains that hardly differ, and large losses: only draws of gains alone reach it, of a known probability."""
    v = np.append(1.0 + 1e-6 * np.arange(40), np.full(20, -50.0))
    gains = (40 / 60) ** 60
    assert gains <= studentized_tail_bound(v, 1_000.0) < 40 * gains
    assert (1 / 60) ** 60 < studentized_tail_bound(v, 1e9) < 1e-50  # and then of a few neighbours alone


def test_gains_that_hardly_differ_and_rare_losses():
    """T is large where no loss is drawn, and much larger where the gains drawn are more alike than gains are."""
    values = np.append(np.linspace(0.9, 1.0, 46), np.full(4, -20.0))
    t = studentized_means(values, None, key=(9,), start=0, stop=300_000)
    for share in (1e-2, 1e-3, 1e-4):
        assert share < studentized_tail_bound(values, float(np.quantile(t, 1 - share))) < 1.2 * 0.92**50
    assert studentized_tail_bound(values, 3 * float(t.max())) < 1e-9


def test_it_is_near_the_probability():
    """Within a factor of 300 at 1e-5, and within one of 1,000 of Student's t for normal values from 1e-9 to 1e-22."""
    values = DATA["normal"]
    t = studentized_means(values, None, key=(9,), start=0, stop=1_000_000)
    threshold = float(np.quantile(t, 1 - 1e-5))
    assert studentized_tail_bound(values, threshold) < 3e-3
    normal = stats.norm.ppf((np.arange(2_000) + 0.5) / 2_000)
    for threshold in (6.0, 8.0, 10.0):
        logarithm = np.log10(studentized_tail_bound(normal, threshold))
        exact = stats.t.logsf(threshold, 1_999) / np.log(10)
        assert exact < logarithm < exact + 3


def test_it_falls_with_the_threshold_and_knows_no_scale():
    """And it says nothing where there is nothing to say."""
    values = DATA["right-skewed"]
    bounds = [studentized_tail_bound(values, t) for t in (3.0, 4.0, 5.0, 8.0, 15.0, 40.0)]
    assert bounds == sorted(bounds, reverse=True)
    assert studentized_tail_bound(1e-200 * values, 5.0) == pytest.approx(bounds[2], rel=1e-9)
    assert studentized_tail_bound(values + 7.0, 5.0) == pytest.approx(bounds[2], rel=1e-9)
    assert studentized_tail_bound(values, 0.0) == studentized_tail_bound(values, -3.0) == 1.0
    assert studentized_tail_bound(np.ones(5), 3.0) == 1.0
