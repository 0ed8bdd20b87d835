"""Ends of inverted tests against all subsets, exact tails on both sides of them, and resamples."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.null_distributions import sign_flip_tail
from reportkit.null_distributions.shifted import MOST_ENUMERATED, bootstrap_end, sign_flip_end

FORMS = {
    "normal": lambda rng, n: rng.normal(0.3, 1.0, n),
    "heavy tails": lambda rng, n: rng.standard_t(2, n),
    "skewed": lambda rng, n: 1 - rng.exponential(size=n),
}
LATTICES = {
    "three values": lambda rng, n: rng.choice([-1.0, 0.0, 1.0], n, p=[0.2, 0.5, 0.3]),
    "five values": lambda rng, n: rng.choice([-2.0, -1.0, 0.0, 1.0, 2.0], n),
    "two values": lambda rng, n: rng.choice([-1.0, 1.0], n, p=[0.4, 0.6]),
    "sparse": lambda rng, n: rng.normal(size=n) * (rng.random(n) < 0.3),
}


def share(sums, sizes, shift):
    """Share of all sign patterns of the shifted sums that favour A at least as much as what was observed."""
    values = sums - shift * sizes
    signs = np.array(list(itertools.product([1.0, -1.0], repeat=sums.size)))
    return np.mean(signs @ values >= values.sum() - 1e-9)


@given(
    st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 4)), min_size=6, max_size=9),
    st.sampled_from([0.1, 0.05, 0.025]),
)
@settings(deadline=None, max_examples=60)
def test_few_units_end_at_the_mean_of_a_subset(units, alpha):
    """By enumeration of all patterns: at most the level just below the end, more than it at the end."""
    sums, sizes = np.array(sorted(units), dtype=float).T
    end = sign_flip_end(sums, sizes, alpha)
    assert share(sums, sizes, end) > alpha
    assert share(sums, sizes, end - 1e-6) <= alpha


@pytest.mark.parametrize("n", [4, 5, 6, 12, 20])
def test_too_few_units_have_no_end(n):
    """2^-n must not be above the level."""
    values = np.sort(np.random.default_rng(n).normal(size=n))
    assert math.isinf(sign_flip_end(values, np.ones(n), 0.025)) == (2.0**-n > 0.025)


@pytest.mark.parametrize("form", [*FORMS, *LATTICES])
@pytest.mark.parametrize("n", [MOST_ENUMERATED + 1, 40])
def test_more_units_end_where_the_exact_tail_passes_the_level(form, n):
    """Within .003 standard errors, .06 on lattices, by exact enumeration of the shifted differences."""
    near = 0.003 if form in FORMS else 0.06
    rng = np.random.default_rng(n)
    for alpha in (0.05, 0.005):
        values = np.sort({**FORMS, **LATTICES}[form](rng, n))
        error = float(values.std(ddof=1) / math.sqrt(n))
        end = sign_flip_end(values, np.ones(n), alpha)
        assert sign_flip_tail(values - (end - near * error)).p_greater <= alpha
        assert sign_flip_tail(values - (end + near * error)).p_greater > alpha


def test_many_units_of_several_sizes():
    """Clusters: the exact tail of the shifted sums."""
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 9, 60).astype(float)
    sums = np.sort(0.2 * sizes + np.sqrt(sizes) * rng.normal(size=60))
    end = sign_flip_end(sums, sizes, 0.025)
    assert sign_flip_tail(sums - end * sizes, max_relative_error=1e-2).p_greater == pytest.approx(0.025, rel=5e-3)


@pytest.mark.parametrize("factor", [1e-200, 1e-3, 1e150])
def test_ends_scale_with_the_scores(factor):
    """Very small and very large scores."""
    values = np.sort(np.random.default_rng(5).normal(0.2, 1.0, 50))
    expected = sign_flip_end(values, np.ones(50), 0.025)
    assert sign_flip_end(factor * values, np.ones(50), 0.025) == pytest.approx(factor * expected, rel=1e-6)


def test_higher_levels_reach_further():
    """Intervals are nested, down to small levels."""
    for form in (*FORMS, *LATTICES):
        values = np.sort({**FORMS, **LATTICES}[form](np.random.default_rng(8), 60))
        ends = [sign_flip_end(values, np.ones(60), alpha) for alpha in (0.1, 0.05, 0.025, 0.005, 1e-4, 1e-8)]
        assert ends == sorted(ends, reverse=True)


def test_the_bootstrap_ends_at_the_quantile_of_its_resamples():
    """2 d minus the upper quantile of 200,000 resampled means, plain and of ratios."""
    rng = np.random.default_rng(2)
    for sizes in (np.ones(40), rng.integers(1, 6, 40).astype(float)):
        sums = sizes * rng.exponential(size=40)
        drawn = rng.integers(0, 40, (200_000, 40))
        means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
        mean = sums.sum() / sizes.sum()
        expected = 2 * mean - np.quantile(means, 0.975)
        order = np.lexsort((sizes, sums))
        assert bootstrap_end(sums[order], sizes[order], 0.025) == pytest.approx(expected, abs=0.02 * means.std())
