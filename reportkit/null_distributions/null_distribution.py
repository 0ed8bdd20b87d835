"""Exact tails of the two null distributions of a mean of paired differences, by whichever way fits the data."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reportkit.errors import InputError
from reportkit.null_distributions.closed_form import log_binomial_mass, log_binomial_tail
from reportkit.null_distributions.contour.bracket import bracket_tail
from reportkit.null_distributions.contour.contour import contour_tail
from reportkit.null_distributions.contour.returns import SMALLEST_LOOK
from reportkit.null_distributions.enumeration import (
    FEW_SUMS,
    MOST_FLIPS,
    QUICK_FLIPS,
    enumerate_draws,
    enumerate_flips,
)
from reportkit.null_distributions.lattices.broken_ties import tie_broken
from reportkit.null_distributions.lattices.far_values import draws_with_far_values, flips_with_far_values
from reportkit.null_distributions.lattices.joint_sums import joint_draws, joint_flips
from reportkit.null_distributions.lattices.lattice import RELATIVE_TOLERANCE, find_lattice
from reportkit.null_distributions.lattices.lattice_rows import lattice_flip_tails
from reportkit.null_distributions.lattices.near_lattice import near_lattices
from reportkit.null_distributions.lattices.tilted_fft import tilted_fft_tail
from reportkit.null_distributions.step_sums import DrawSum, FlipSum, Floats
from reportkit.null_distributions.tail_probability import TailProbability, UpperTail

LARGEST_RELATIVE_ERROR = 1e-3
"""Tails whose error cannot be bounded by this are not returned: Monte Carlo would do as well."""

_FEW_FLIPS = 16  # 2^16 patterns take microseconds: no need to look for anything better
FEW_DRAWS = 14
"""So many differences at most are enumerated in the bootstrap test."""

_QUICK_LOOK = 64 * SMALLEST_LOOK
_PATIENT_WORK = 3e7
_SMALL_WORK = 5e4
_SMALL_TRANSFORM = 1 << 12
_BINS_PER_STEP = 24.0  # so many bins for each standard deviation of a step, in lattice points, see a whole period
_LONGEST_PERIOD = 1 << 18
_WORK_PER_BIN = 16.0  # so many factors of draws cost less than the transform of a period that as many bins can see
_COMPLETE = 1e-10  # an error as small as this says that the whole period of the lattice was accounted for


def sign_flip_tail(
    differences: ArrayLike, *, max_relative_error: float = LARGEST_RELATIVE_ERROR
) -> TailProbability | None:
    """Exact sign-flip permutation test of the mean of paired differences.

    The null hypothesis is that each difference has a distribution symmetric about 0 (systems are exchangeable on each
    instance); differences are independent. T* = sum_i s_i d_i with fair independent signs s_i = +-1, and t = sum_i d_i.

    Parameters
    ----------
    differences : (n,) array_like
        Paired differences, finite, of any scale. Zeros change nothing.
    max_relative_error : float
        Largest guaranteed relative error that is acceptable; smaller values cost more time.

    Returns
    -------
    TailProbability or None
        P(T* >= t) and P(T* <= t), each with ties up to 1e-12 of sum |d|; None if no exact way reaches
        `max_relative_error`.

    Raises
    ------
    InputError
        If there are no differences, or if one is not finite.

    Notes
    -----
    All 2^n patterns count equally, the observed one among them, so p is never 0. Differences of one size: binomial tail
    (exact McNemar test). On a lattice: tilted FFT or contour quadrature over one period. At most 28 differences,
    or few patterns that are as far out: enumeration. Otherwise contour quadrature with a look along the contour;
    where that tells too little, enumeration of at most 40 differences.

    Examples
    --------
    Fourteen wins, six losses and a draw:

    >>> tails = sign_flip_tail([1] * 14 + [-1] * 6 + [0])
    >>> round(tails.p_greater, 12), tails.method
    (0.05765914917, 'closed form')
    >>> round(sign_flip_tail([0.3, 0.1, -0.2, 0.25, 0.31]).p_greater * 32, 9)
    3.0
    """
    scaled = _scaled(differences)
    on_lattice = None
    if np.count_nonzero(scaled) > MOST_FLIPS:
        on_lattice = lattice_flip_tails(np.asarray(differences, dtype=np.float64)[None, :]).get(0)
    if on_lattice is not None and on_lattice.relative_error <= max_relative_error:
        return on_lattice
    return flip_tail_by_itself(differences, max_relative_error=max_relative_error)


def flip_tail_by_itself(
    differences: ArrayLike, *, max_relative_error: float = LARGEST_RELATIVE_ERROR
) -> TailProbability | None:
    """`sign_flip_tail` of differences for which `lattice_flip_tails` has nothing."""
    scaled = _scaled(differences)
    nonzero = scaled[scaled != 0.0]
    if not nonzero.size:
        return TailProbability.certain()
    magnitudes = np.abs(nonzero)
    gained = float(nonzero[nonzero > 0.0].sum())
    lost = float(magnitudes[nonzero < 0.0].sum())
    upper = _flip_tail(magnitudes, nonzero > 0.0 if lost > gained else nonzero < 0.0, max_relative_error)
    if upper is None:
        return None
    tails = TailProbability.from_upper_tail(upper)
    if tails.relative_error > max_relative_error:
        return None
    return tails.swapped() if lost > gained else tails


def bootstrap_tail(
    differences: ArrayLike, *, max_relative_error: float = LARGEST_RELATIVE_ERROR
) -> TailProbability | None:
    """Exact paired bootstrap test of the mean of paired differences: b = infinity.

    The null hypothesis is that the mean difference is at most 0 (Berg-Kirkpatrick et al. 2012, Figure 1, recentred);
    instances are independent. T* is the sum of n independent draws from the observed differences with replacement, and
    t = sum_i d_i.

    Parameters
    ----------
    differences : (n,) array_like
        Paired differences, finite, of any scale. Zeros are drawn like all others.
    max_relative_error : float
        Largest guaranteed relative error that is acceptable; smaller values cost more time.

    Returns
    -------
    TailProbability or None
        P(T* >= 2 t) and P(T* <= 2 t), each with ties up to 1e-12 of sum |d|; None if no exact way reaches
        `max_relative_error`. Where 2 t is more than n times the largest difference the event is impossible: its
        logarithm is minus infinity, the probability itself is given as `SMALLEST_P_VALUE`.

    Raises
    ------
    InputError
        If there are no differences, or if one is not finite.

    Notes
    -----
    Two distinct values: binomial tail. On a lattice: tilted FFT or contour quadrature over one period. Few values or
    few differences: enumeration of the counts. Otherwise contour quadrature with a look along the contour.

    Examples
    --------
    Three wins, no loss, 97 ties: the strict inequality of the paper would give 0.032.

    >>> tails = bootstrap_tail([1] * 3 + [0] * 97)
    >>> round(tails.p_greater, 4), tails.method
    (0.0808, 'closed form')
    """
    scaled = _scaled(differences)
    total = math.fsum(scaled) if abs(float(scaled.sum())) < 1e-9 * scaled.size else float(scaled.sum())
    if not scaled.any():
        return TailProbability.certain()
    oriented = -scaled if total < 0.0 else scaled
    upper = _draw_tail(oriented, abs(total), max_relative_error)
    if upper is None:
        return None
    tails = TailProbability.from_upper_tail(upper)
    if tails.relative_error > max_relative_error:
        return None
    return tails.swapped() if total < 0.0 else tails


def _scaled(differences: ArrayLike) -> Floats:
    """Check the differences, and multiply them by a power of two so that the largest is between 1/2 and 1."""
    values = np.asarray(differences, dtype=np.float64)
    if values.ndim != 1 or not values.size:
        raise InputError(
            f"differences have the shape {values.shape}", remedy="pass one number for each instance, at least one"
        )
    largest = float(np.max(np.abs(values)))
    if not math.isfinite(largest):
        index = int(np.argmin(np.isfinite(values)))
        raise InputError(
            f"the difference at position {index} is {values[index]}",
            remedy="leave out instances without a finite score in both systems",
        )
    if largest == 0.0:
        return values
    return np.ldexp(values, -math.frexp(largest)[1])


# ---------------------------------------------------------------------------------------------------------------------
# sign flips: X = slack - sum of the flipped steps


def _flip_tail(magnitudes: Floats, against: NDArray[np.bool_], max_relative_error: float) -> UpperTail | None:
    """P(sum of flipped steps <= sum of the steps `against` the observed direction)."""
    slack = float(magnitudes[against].sum())
    reach = slack + RELATIVE_TOLERANCE * float(magnitudes.sum())
    if float(magnitudes.max()) > reach:  # a step larger than all that can be made up for is never flipped
        kept = magnitudes <= reach
        never = (magnitudes.size - int(np.count_nonzero(kept))) * math.log(2.0)
        if not kept.any():
            return _closed(-never, 1.0, never)
        scale = math.frexp(float(magnitudes[kept].max()))[1]
        rest = _flip_tail(np.ldexp(magnitudes[kept], -scale), against[kept], max_relative_error)
        return None if rest is None else replace(rest, log_p=rest.log_p - never)
    if slack > float(magnitudes[~against].sum()):
        return _complement(_flip_tail(magnitudes, ~against, max_relative_error))
    if magnitudes.size <= _FEW_FLIPS:
        return enumerate_flips(FlipSum(magnitudes, None, slack))
    lattice = find_lattice(magnitudes)
    if lattice is not None:
        upper = _lattice_flips(lattice.multiples, against, max_relative_error)
        if upper is not None:
            return upper
    problem = FlipSum(magnitudes, None, slack)
    few = magnitudes.size <= MOST_FLIPS
    upper = enumerate_flips(problem, 1 << (QUICK_FLIPS // 2) if few else FEW_SUMS)
    if upper is None:
        upper = contour_tail(problem, max_relative_error=max_relative_error, furthest_look=_QUICK_LOOK)
    if upper is None and few:
        upper = enumerate_flips(problem)
    return upper if upper is not None else _stubborn_flips(problem, against, max_relative_error)


def _lattice_flips(
    multiples: NDArray[np.int64], against: NDArray[np.bool_], max_relative_error: float
) -> UpperTail | None:
    """The same for whole numbers without a common divisor, zeros among them."""
    slack = int(multiples[against].sum())
    if 2 * slack > int(multiples.sum()):
        return _complement(_lattice_flips(multiples, ~against, max_relative_error))
    values, counts = _tally(multiples[multiples > 0])
    n = int(counts.sum())
    if slack == 0:
        return _closed(-n * math.log(2.0), 1.0, float(n))
    if values.size == 1:
        log_p = log_binomial_tail(n - slack, n, 0.5)
        return _closed(log_p, math.exp(log_binomial_mass(slack, n, 0.5) - log_p), abs(log_p))
    problem = FlipSum(values, counts, float(slack))
    upper = _small_or_sparse(problem)
    if upper is None and n <= MOST_FLIPS:
        upper = enumerate_flips(problem)
    return upper or contour_tail(problem, step=1.0, max_relative_error=max_relative_error, furthest_look=_QUICK_LOOK)


def _small_or_sparse(problem: FlipSum | DrawSum) -> UpperTail | None:
    """All nodes of one period of a lattice, if they are few; else those that are not negligible; else all of them."""
    upper = tilted_fft_tail(problem, 1.0, work=_SMALL_WORK, longest=_SMALL_TRANSFORM)
    if upper is None and isinstance(problem, FlipSum) and problem.n_steps <= QUICK_FLIPS:
        upper = enumerate_flips(problem)
    if upper is not None:
        return upper
    one_period = _BINS_PER_STEP * math.sqrt(problem.tilted_moments(0.0)[1] / problem.n_steps)
    look = max(1 << math.ceil(math.log2(max(one_period, 1.0))), SMALLEST_LOOK)
    if look <= _LONGEST_PERIOD:
        work = _WORK_PER_BIN * look if isinstance(problem, DrawSum) else _SMALL_WORK
        upper = contour_tail(
            problem, step=1.0, max_relative_error=_COMPLETE, work=work, nearest_look=look, furthest_look=look
        )
    return upper or tilted_fft_tail(problem, 1.0)


def _stubborn_flips(problem: FlipSum, against: NDArray[np.bool_], max_relative_error: float) -> UpperTail | None:
    """Flips whose characteristic function does not die out soon: almost on a lattice, few values, few to be flipped."""
    lattices = near_lattices(problem.values, through_zero=True)
    for near in lattices:
        upper = flips_with_far_values(problem, near, against)
        if upper is not None:
            return upper
    for near in lattices:
        multiples = near.multiples.astype(np.int64)
        if np.gcd.reduce(multiples) == 1:
            lattice = _lattice_flips(multiples, against, max_relative_error)
            upper = (
                None
                if lattice is None
                else tie_broken(joint_flips(near, against), near.step, lattice, max_relative_error=max_relative_error)
            )
            if upper is not None:
                return upper
    _, first, counts = np.unique(np.round(problem.values, 12), return_index=True, return_counts=True)
    grouped = FlipSum(problem.values[first], counts.astype(np.float64), problem.slack)
    if grouped.values.size < problem.values.size:
        upper = enumerate_flips(grouped)
        if upper is not None:
            return upper
    return (
        enumerate_flips(problem)
        or contour_tail(grouped, max_relative_error=max_relative_error, work=_PATIENT_WORK)
        or bracket_tail(
            grouped if 8 * grouped.values.size < problem.values.size else problem, max_relative_error=max_relative_error
        )
    )


# ---------------------------------------------------------------------------------------------------------------------
# draws: X = sum of the draws - threshold


def _draw_tail(differences: Floats, total: float, max_relative_error: float) -> UpperTail | None:
    """P(sum of n draws >= 2 total), total >= 0."""
    n = differences.size
    tolerance = RELATIVE_TOLERANCE * float(np.abs(differences).sum())
    lattice = find_lattice(differences - float(differences.min()))
    if lattice is not None:
        # 2 t - n lowest, in steps: an integer if the differences themselves are multiples of the step
        threshold = 2.0 * float(lattice.multiples.sum()) + n * (float(differences.min()) / lattice.step)
        rounding = tolerance / lattice.step + 1e-9
        upper = _lattice_draws(lattice.multiples, math.ceil(threshold - rounding), max_relative_error)
        if upper is not None:
            tied = math.ceil(threshold - rounding) - threshold <= rounding
            return upper if tied else replace(upper, tie=0.0)
    mean = total / n
    highest = n * float(differences.max()) - 2.0 * total
    if highest < -tolerance:
        return _IMPOSSIBLE
    rounded = np.round(differences, 12)
    top = rounded == rounded.max()
    if highest < float(differences.max()) - float(differences[~top].max(initial=-math.inf)) - tolerance:
        # one draw of anything but the largest is too much
        tie = 1.0 if highest <= tolerance else 0.0
        return _closed(n * math.log(np.count_nonzero(top) / n), tie, float(n))
    if n <= FEW_DRAWS:
        upper = enumerate_draws(_grouped_draws(differences, rounded, total))
        if upper is not None:
            return upper
    zeros = n - int(np.count_nonzero(differences))
    if zeros > 1:
        nonzero = differences[differences != 0.0]
        chances = np.append(np.full(nonzero.size, 1.0 / n), zeros / n)
        problem = DrawSum(np.append(nonzero, 0.0) - mean, chances, n, total)
    else:
        problem = DrawSum(differences - mean, np.full(n, 1.0 / n), n, total)
    upper = contour_tail(problem, max_relative_error=max_relative_error, furthest_look=_QUICK_LOOK)
    return upper if upper is not None else _stubborn_draws(differences, rounded, total, max_relative_error)


def _lattice_draws(multiples: NDArray[np.int64], threshold: int, max_relative_error: float) -> UpperTail | None:
    """P(sum of n draws of whole numbers >= threshold); the smallest is 0, and there is no common divisor."""
    n = multiples.size
    values, counts = _tally(multiples)
    top = int(values[-1])
    if threshold > n * top:
        return _IMPOSSIBLE
    if threshold <= 0:
        return _closed(0.0, math.exp(n * math.log(float(counts[0]) / n)) if threshold == 0 else 0.0, 0.0)
    if threshold * 1.0 < float((values * counts).sum()):
        return _complement(_lattice_draws(top - multiples, n * top - threshold, max_relative_error))
    if n * top - threshold < top - int(values[-2]):  # one draw of anything but the largest is too much
        return _closed(n * math.log(float(counts[-1]) / n), float(threshold == n * top), float(n))
    if values.size == 2:  # 0 and 1
        chance = float(counts[1]) / n
        log_p = log_binomial_tail(threshold, n, chance)
        return _closed(log_p, math.exp(log_binomial_mass(threshold, n, chance) - log_p), abs(log_p))
    mean = float((values * counts).sum()) / n
    problem = DrawSum(values - mean, counts / n, n, threshold - n * mean)
    return _small_or_sparse(problem) or contour_tail(
        problem, step=1.0, max_relative_error=max_relative_error, furthest_look=_QUICK_LOOK
    )


def _stubborn_draws(differences: Floats, rounded: Floats, total: float, max_relative_error: float) -> UpperTail | None:
    """Draws whose characteristic function does not die out soon: almost on a lattice, or few different values."""
    grouped = _grouped_draws(differences, rounded, total)
    lattices = near_lattices(differences, through_zero=False)
    for near in lattices:
        upper = draws_with_far_values(grouped, near.of(grouped.values, -total / differences.size))
        if upper is not None:
            return upper
    for near in lattices:
        multiples = near.multiples.astype(np.int64)
        lowest = int(multiples.min())
        if np.gcd.reduce(multiples - lowest) == 1:
            joint, threshold = joint_draws(near, total)
            lattice = _lattice_draws(multiples - lowest, threshold - differences.size * lowest, max_relative_error)
            upper = (
                None
                if lattice is None
                else tie_broken(joint, near.step, lattice, max_relative_error=max_relative_error)
            )
            if upper is not None:
                return upper
    return (
        enumerate_draws(grouped)
        or contour_tail(grouped, max_relative_error=max_relative_error, work=_PATIENT_WORK)
        or bracket_tail(grouped, max_relative_error=max_relative_error)
    )


def _grouped_draws(differences: Floats, rounded: Floats, total: float) -> DrawSum:
    """Values that agree to 12 digits once, with their probability."""
    n = differences.size
    _, first, counts = np.unique(rounded, return_index=True, return_counts=True)
    return DrawSum(differences[first] - total / n, counts / n, n, total)


# ---------------------------------------------------------------------------------------------------------------------


def _tally(multiples: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Distinct whole numbers, ascending, with their counts."""
    low, high = int(multiples.min()), int(multiples.max())
    if high - low <= 4 * multiples.size + 1024:
        counts = np.bincount(multiples - low)
        present = np.flatnonzero(counts)
        return (present + low).astype(np.float64), counts[present].astype(np.float64)
    values, counts = np.unique(multiples, return_counts=True)
    return values.astype(np.float64), counts.astype(np.float64)


def _complement(upper: UpperTail | None) -> UpperTail | None:
    """P(X >= 0) from P(X <= 0)."""
    if upper is None:
        return None
    p = math.exp(upper.log_p)
    above = 1.0 - p * (1.0 - upper.tie)
    error = upper.worst_error
    return UpperTail(
        log_p=math.log(above),
        tie=p * upper.tie / above,
        method=upper.method,
        relative_error=error,
        expected_error=max(upper.expected_error, p / above * upper.expected_error) + 2.0**-52,
        tie_error=error + upper.tie_error,
    )


def _closed(log_p: float, tie: float, magnitude: float) -> UpperTail:
    error = 2.0**-52 * (16.0 + 4.0 * magnitude)
    return UpperTail(log_p=log_p, tie=min(tie, 1.0), method="closed form", relative_error=error, expected_error=error)


_IMPOSSIBLE = _closed(-math.inf, 0.0, 0.0)
