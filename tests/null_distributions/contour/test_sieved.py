"""Sums of many flips of few sizes, such as the ranks of tied differences: nodes of a period that no size rules out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

from reportkit.null_distributions import sign_flip_tail
from reportkit.null_distributions.contour.contour import contour_tail
from reportkit.null_distributions.step_sums import FlipSum


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
