"""Truths for null distributions in integer arithmetic: no floating point until the last division."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats


def _sum_of_digits(number, first, stop, bits):
    """Sum of the digits first <= k < stop of a number in base 2^bits; it has to be smaller than the base."""
    part = (number >> (bits * first)) & ((1 << (bits * max(stop - first, 0))) - 1)
    return part % ((1 << bits) - 1)


class SignFlips:
    """P(T* >= t) and P(T* <= t) for whole differences: coefficients of prod (1 + x^a), packed into one big integer."""

    def __call__(self, differences):
        """Both tails as fractions."""
        flipped = [-int(d) for d in differences if d < 0]
        sizes = [abs(int(d)) for d in differences if d]
        bits = len(sizes) + 2
        number = 1
        for size in sorted(sizes):
            number += number << (bits * size)
        return tuple(
            Fraction(_sum_of_digits(number, first, stop, bits), 2 ** len(sizes))
            for first, stop in ((0, sum(flipped) + 1), (sum(flipped), sum(sizes) + 1))
        )

    def brute(self, differences):
        """The same over all 2^n patterns, for any differences: numbers of patterns, ties up to 1e-9 of sum |d|."""
        d = np.asarray(differences, dtype=float)
        signs = np.array(list(itertools.product((-1.0, 1.0), repeat=d.size)))
        tolerance = 1e-9 * np.abs(d).sum()
        return tuple(
            Fraction(int(np.count_nonzero(hit)), 2**d.size)
            for hit in (signs @ d >= d.sum() - tolerance, signs @ d <= d.sum() + tolerance)
        )


class Draws:
    """P(T* >= 2 t) and P(T* <= 2 t) for n draws from whole differences: coefficients of (sum x^d)^n."""

    def __call__(self, differences):
        """Both tails as fractions."""
        lowest = min(int(d) for d in differences)
        return self.tails(differences, len(differences), 2 * sum(int(d) for d in differences), lowest)

    def tails(self, values, n_draws, threshold, lowest=None):
        """P(sum of n draws >= threshold), and <= threshold."""
        lowest = min(int(v) for v in values) if lowest is None else lowest
        total = len(values)
        bits = math.ceil(n_draws * math.log2(total + 1)) + 2
        steps = Counter(int(v) - lowest for v in values)
        number = sum(count << (bits * step) for step, count in steps.items()) ** n_draws
        place, last = threshold - n_draws * lowest, n_draws * max(steps)
        return (
            Fraction(_sum_of_digits(number, max(place, 0), last + 1, bits), total**n_draws),
            Fraction(_sum_of_digits(number, 0, min(place, last) + 1, bits), total**n_draws),
        )

    def brute(self, differences):
        """The same over all n^n resamples, for differences of any kind."""
        d = np.asarray(differences, dtype=float)
        sums = np.array([sum(sample) for sample in itertools.product(d.tolist(), repeat=d.size)])
        tolerance = 1e-9 * np.abs(d).sum()
        return tuple(
            Fraction(int(np.count_nonzero(hit)), d.size**d.size)
            for hit in (sums >= 2 * d.sum() - tolerance, sums <= 2 * d.sum() + tolerance)
        )


@pytest.fixture(scope="session")
def flips_exactly():
    """Sign flips in integer arithmetic."""
    return SignFlips()


@pytest.fixture(scope="session")
def draws_exactly():
    """Draws with replacement in integer arithmetic."""
    return Draws()


def log_of(fraction):
    """Natural logarithm of a fraction to 30 digits; minus infinity for 0."""
    if fraction == 0:
        return -math.inf
    with localcontext() as context:
        context.prec = 30
        parts = []
        for integer in (fraction.numerator, fraction.denominator):
            shift = max(integer.bit_length() - 110, 0)
            parts.append(Decimal(integer >> shift).ln() + shift * Decimal(2).ln())
        return parts[0] - parts[1]


@pytest.fixture(scope="session")
def relative_error():
    """How wrong exp(log_p) is, relative to a fraction or to another logarithm."""

    def error(log_p, truth):
        log_truth = log_of(truth) if isinstance(truth, Fraction) else truth
        if math.isinf(log_p) or math.isinf(float(log_truth)):
            return 0.0 if log_p == float(log_truth) else math.inf
        return abs(math.expm1(float(Decimal(log_p) - Decimal(log_truth))))

    return error


@pytest.fixture(scope="session")
def two_sizes():
    """P(T* >= t) for flips of two sizes, which need not be commensurate: a sum of products of binomial tails."""

    def tail(first, n_first, against_first, second, n_second, against_second):
        slack = first * against_first + second * against_second
        flips = np.arange(n_second + 1)
        room = np.floor((slack - second * flips) / first + 1e-9)
        return float((stats.binom.pmf(flips, n_second, 0.5) * stats.binom.cdf(room, n_first, 0.5)).sum())

    return tail
