"""The contour against enumeration and integer arithmetic: accuracy far inside the bound, and a bound that is true."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import rankdata

from reportkit.null_distributions import sign_flip_tail
from reportkit.null_distributions.contour.contour import contour_tail, enough_for_a_look, gap
from reportkit.null_distributions.contour.quadrature import Quadrature
from reportkit.null_distributions.contour.saddle import find_saddle
from reportkit.null_distributions.enumeration import enumerate_draws, enumerate_flips
from reportkit.null_distributions.step_sums import DrawSum, FlipSum


def flips(d):
    """Sign flips of differences, oriented so that their sum is positive."""
    d = np.asarray(d, dtype=float)
    d = d if d.sum() >= 0 else -d
    return FlipSum(np.abs(d[d != 0]), None, float(-d[d < 0].sum()))


def draws(d):
    """Draws from differences, oriented so that their sum is positive."""
    d = np.asarray(d, dtype=float)
    d = d if d.sum() >= 0 else -d
    values, counts = np.unique(d, return_counts=True)
    return DrawSum(values - d.mean(), counts / d.size, d.size, float(d.sum()))


FAMILIES = {
    "normal": lambda rng, n: rng.normal(0.2, 1.0, n),
    "skewed": lambda rng, n: rng.exponential(size=n) - 0.8,
    "heavy": lambda rng, n: rng.standard_t(2, n) + 0.2,
    "jitter 1e-4": lambda rng, n: rng.integers(-1, 2, n) + 1e-4 * rng.normal(size=n) + 1e-6,
    "jitter 3e-2": lambda rng, n: rng.integers(-1, 2, n) + 3e-2 * rng.normal(size=n) + 1e-6,
    "partial credit": lambda rng, n: np.where(rng.random(n) < 0.2, rng.random(n), rng.integers(-1, 2, n)),
    "preferences": lambda rng, n: np.tanh(4 * rng.normal(size=n)) + 0.05,
}


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("n", [24, 32, 40])
def test_the_bound_of_flips_is_true(name, n):
    """Against all 2^n patterns, near-lattices among the data: the error is within the bound, however large that is."""
    problem = flips(FAMILIES[name](np.random.default_rng(n), n))
    truth = enumerate_flips(problem)
    upper = contour_tail(problem, max_relative_error=0.5)
    assert upper is None or abs(math.expm1(upper.log_p - truth.log_p)) <= upper.relative_error


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("n", [10, 12, 14])
def test_the_bound_of_draws_is_true(name, n):
    """Against all resamples: the error is within the bound."""
    problem = draws(FAMILIES[name](np.random.default_rng(n), n))
    truth = enumerate_draws(problem)
    upper = contour_tail(problem, max_relative_error=0.5)
    assert upper is None or abs(math.expm1(upper.log_p - truth.log_p)) <= upper.relative_error


def test_accuracy_of_continuous_flips():
    """With 40 continuous differences the error is already below 1e-6, whatever the bound says."""
    for seed in range(5):
        problem = flips(np.random.default_rng(seed).normal(0.1, 1.0, 40))
        upper = contour_tail(problem, max_relative_error=1e-3)
        assert abs(math.expm1(upper.log_p - enumerate_flips(problem).log_p)) <= 1e-6


@pytest.mark.parametrize("step", [1.0, 0.25])
@pytest.mark.parametrize("n", [60, 250])
def test_lattices_that_are_told(n, step, flips_exactly, relative_error):
    """With the lattice pole the tail is right to 1e-9 and to its bound, ties included."""
    k = np.rint(np.random.default_rng(n).normal(6.0, 60.0, n)).astype(int)
    truths = flips_exactly(k if k.sum() >= 0 else -k)
    upper = contour_tail(flips(step * k), step=step)
    assert relative_error(upper.log_p, truths[0]) <= min(upper.relative_error, 1e-9)
    if upper.relative_error < 1e-9:
        assert upper.tie == pytest.approx(float((truths[0] + truths[1] - 1) / truths[0]), rel=1e-6)


@pytest.mark.parametrize("size", [3, 30, 300])
def test_lattices_that_are_not_told(size, flips_exactly, relative_error):
    """Taken for continuous, a lattice is seen by the look: the bound covers what the wrong pole does."""
    k = np.rint(np.random.default_rng(size).normal(0.1 * size, size, 150)).astype(int)
    truth = flips_exactly(k if k.sum() >= 0 else -k)[0]
    upper = contour_tail(flips(k), max_relative_error=0.9)
    assert upper is None or relative_error(upper.log_p, truth) <= upper.relative_error
    assert upper is None or size > 3 or upper.relative_error > 1e-2


@pytest.mark.parametrize("make", [flips, draws])
@pytest.mark.parametrize("n", [150, 1000, 20_000])
def test_another_contour_gives_the_same(make, n):
    """Any tilt and any period lead to the same number: quadrature by hand on a contour elsewhere, twice as fine."""
    problem = make(np.random.default_rng(n).normal(3.0 / math.sqrt(n), 1.0, n))
    upper = contour_tail(problem)
    saddle = find_saddle(problem, None)
    theta, spacing = 1.25 * saddle.theta, 0.43 * saddle.spacing
    k = np.arange(1200 // 20)
    phi = problem.characteristic(theta, np.zeros(1), spacing, k.size)[0]
    terms = (phi / (theta + 1j * spacing * k)).real * np.where(k, 2.0, 1.0)
    log_p = problem.log_mgf(theta) + math.log(terms.sum() * spacing / (2 * math.pi))
    image = math.exp(-theta * 2 * math.pi / spacing - log_p)
    assert abs(math.expm1(log_p - upper.log_p)) <= 1e-11 * max(1, n / 1000) + 2 * image
    assert upper.expected_error <= 1e-9 or n == 150


def test_none_if_the_bound_is_too_large():
    """A tail that cannot be bounded is not returned."""
    assert contour_tail(flips(np.random.default_rng(1).normal(0.3, 1.0, 300)), max_relative_error=1e-14) is None


def test_the_gap_is_empty():
    """Between the two ends that follow from the moments, |phi| is below exp(-38)."""
    rng = np.random.default_rng(2)
    for problem in (flips(rng.normal(0.1, 1.0, 2000)), draws(rng.exponential(size=2000) - 0.9)):
        saddle = find_saddle(problem, None)
        quadrature = Quadrature(problem, saddle, problem.steps(saddle.theta), None)
        near, far = gap(quadrature)
        moduli = np.abs(problem.characteristic(saddle.theta, np.linspace(near, far, 200), 1.0, 1))
        assert moduli.max() <= math.exp(-38.0)
        assert far > 3 * near
        assert enough_for_a_look(quadrature)


def test_many_skewed_steps_are_seen_through_without_the_largest():
    """Half a million differences of lognormal scores: a bound below 1e-4, and the normal tail they nearly have."""
    rng = np.random.default_rng(0)
    differences = rng.lognormal(0, 1.5, 500_000) - rng.lognormal(0, 1.5, 500_000)
    tails = sign_flip_tail(differences)
    assert tails.relative_error < 1e-4
    z = differences.sum() / math.sqrt(np.square(differences).sum())
    assert tails.p_greater == pytest.approx(float(ndtr(-z)), rel=1e-2)


@pytest.mark.parametrize("n", [150, 300])
@pytest.mark.parametrize("mean", [0.0, 0.15, 0.6])
def test_truth_of_ranks_with_ties(n, mean, flips_exactly, relative_error):
    """In integer arithmetic, from p = .5 to far below 1e-50; by the sieve alone, and as the test has them."""
    rng = np.random.default_rng(n)
    differences = np.round(2 * rng.normal(mean, 1.0, n)) / 2
    ranks = np.sign(differences) * np.rint(2 * rankdata(np.abs(differences)))
    truths = flips_exactly(ranks)
    tails = sign_flip_tail(ranks)
    for log_p, truth in zip((tails.log_p_greater, tails.log_p_less), truths, strict=True):
        assert relative_error(log_p, truth) <= max(tails.relative_error, 1e-11)
    sizes, counts = np.unique(np.abs(ranks[ranks != 0]), return_counts=True)
    gained, lost = (float(np.maximum(sign * ranks, 0.0).sum()) for sign in (1.0, -1.0))
    divisor = float(np.gcd.reduce(sizes.astype(int)))
    problem = FlipSum(sizes / divisor, counts.astype(float), min(gained, lost) / divisor)
    upper = contour_tail(problem, step=1.0, max_relative_error=1e-9)
    assert upper is not None
    assert upper.relative_error < 1e-10
    assert relative_error(upper.log_p, truths[int(lost > gained)]) <= upper.relative_error
