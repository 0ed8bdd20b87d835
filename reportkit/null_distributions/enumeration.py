"""Exact tails by enumeration: sign flips by meeting in the middle, draws over multinomial counts.

Half of the steps are enumerated on each side, one side is sorted, and for every outcome of the other a binary search
says how much of the first completes it to the tail: 2^20 outcomes twice instead of 2^40 once (Horowitz & Sahni 1974).
Far out in the tail, only what is still within the limit is kept of either side, so that there can be many more steps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reportkit.null_distributions.closed_form import binomial_masses, log_binomial_mass, log_binomial_tail
from reportkit.null_distributions.step_sums import DrawSum, FlipSum, Floats
from reportkit.null_distributions.tail_probability import TailMethod, TailProbability, UpperTail

Side = Literal["left", "right"]

MOST_FLIPS = 40
"""So many differences at most are enumerated in the sign-flip test, where nothing else tells the tail."""

QUICK_FLIPS = 28
"""So many differences are enumerated in a millisecond; two more take twice as long."""

MOST_OUTCOMES = 1 << 20
"""So many outcomes are kept on one side: of 40 different flips, of more in a far tail, or 15 draws from 15 values."""

FEW_SUMS = 1 << 18
"""The same of many flips in a far tail: so many take less time than a contour."""

TIE_TOLERANCE = 1e-12
"""Sums count as equal up to this fraction of the sum of all absolute steps."""

_FEW_SIZES = 6
_FEW_OUTCOMES = 1 << 14  # of either half take less time than anything else

_METHOD: TailMethod = "enumeration"
_SMALLEST = 1e-280  # plain probabilities below this have lost digits
_SEARCHES = 1 << 23
_TRUNCATION = 1e-20  # probability of counts that are left out


def enumerate_flips(problem: FlipSum, most: int = MOST_OUTCOMES) -> UpperTail | None:
    """P(X >= 0) for sign flips, over all outcomes.

    Parameters
    ----------
    problem : FlipSum
        Steps with their multiplicities.
    most : int
        So many outcomes are kept of either half at most.

    Returns
    -------
    UpperTail or None
        None if there are more, or if the tail of steps with multiplicities is below 1e-280.

    Notes
    -----
    X >= 0 exactly if the flipped steps add up to `slack` or less, so that of steps without multiplicities, sums beyond
    it are left out as soon as they arise. The number of sets of flips that is found is then exact.

    Examples
    --------
    The signs of 1, 2, 3 and -1: the sum of 5 or more is reached by 3 of the 16 patterns.

    >>> import math
    >>> import numpy as np
    >>> flips = FlipSum(values=np.array([1.0, 2.0, 3.0, 1.0]), multiplicities=None, slack=1.0)
    >>> round(16 * math.exp(enumerate_flips(flips).log_p), 12)
    3.0

    Of a hundred steps of 1.0, 1.01, ..., one at most can be flipped within 1.985, and the last is out of reach:

    >>> flips = FlipSum(values=1.0 + 0.01 * np.arange(100), multiplicities=None, slack=1.985)
    >>> round(2.0**100 * math.exp(enumerate_flips(flips).log_p))
    100
    """
    if problem.multiplicities is None:
        return _count_sets(problem, most)
    counts = problem.multiplicities.astype(np.int64)
    halves = _halves([int(count) + 1 for count in counts], most)
    if halves is None:
        return None
    first, second = (_flip_outcomes(problem.values[half], counts[half]) for half in halves)
    tolerance = 0.5 * TIE_TOLERANCE * float((problem.values * counts).sum())
    within = _joint(first, second, problem.slack + tolerance, "right")
    below = _joint(first, second, problem.slack - tolerance, "left")
    if within < _SMALLEST:
        return None
    size = max(first.sums.size, second.sums.size)
    return _enumerated(within, max(within - below, 0.0), size + 4 * int(counts.sum()) + 64 * problem.values.size)


def few_sized_flip_tails(rows: Floats, max_relative_error: float = 1e-10) -> dict[int, TailProbability]:
    """Exact sign-flip tails of rows whose differences have few sizes, such as ranks of ratings: see `enumerate_flips`.

    Parameters
    ----------
    rows : ndarray of shape (n_rows, n)
        Differences of each pair, finite, sorted.
    max_relative_error : float
        Not needed: the error is at most 1e-11.

    Returns
    -------
    dict
        By the number of a row; rows that this does not suit are missing.

    Examples
    --------
    >>> rows = np.repeat([[-2.5, 1.0, 2.5]], [20, 30, 50], axis=1)
    >>> {row: f"{tail.p_greater:.3g}" for row, tail in few_sized_flip_tails(rows).items()}
    {0: '3.72e-07'}
    """
    found: dict[int, TailProbability] = {}
    may_have_few = np.arange(rows.shape[0])
    for columns in (slice(None, None, max(rows.shape[1] // 32, 1)), slice(None)):
        some = rows[may_have_few, columns]
        may_have_few = may_have_few[np.count_nonzero(some[:, 1:] != some[:, :-1], axis=1) <= 2 * _FEW_SIZES]
    for row in may_have_few.tolist():
        sizes, counts = np.unique(np.abs(rows[row]), return_counts=True)
        few = sizes > 0.0
        gained, lost = (float(np.maximum(sign * rows[row], 0.0).sum()) for sign in (1.0, -1.0))
        problem = FlipSum(sizes[few], counts[few].astype(np.float64), min(gained, lost))
        suited = 1 < problem.values.size <= _FEW_SIZES and problem.n_steps > MOST_FLIPS and sizes[-1] <= problem.slack
        upper = enumerate_flips(problem, _FEW_OUTCOMES) if suited else None
        if upper is not None:
            found[row] = TailProbability.from_upper_tail(upper, turned=lost > gained)
    return found


def _count_sets(problem: FlipSum, most: int) -> UpperTail | None:
    """The same for steps without multiplicities: numbers of sets of flips."""
    values = np.sort(problem.values)[::-1]
    tolerance = 0.5 * TIE_TOLERANCE * float(values.sum())
    limit = problem.slack + tolerance
    if is_beyond_counting(values[::-1], limit, most):
        return None
    first = _sums_within(values[::2], limit, most)
    second = None if first is None else _sums_within(values[1::2], limit, most)
    if first is None or second is None:
        return None
    within = int(second.searchsorted(limit - first, side="right").sum())
    below = int(second.searchsorted(problem.slack - tolerance - first, side="left").sum())
    log_p = math.log(within) - values.size * math.log(2.0)
    error = 2.0**-52 * (4.0 + abs(log_p) + values.size)
    tie = (within - below) / within
    return UpperTail(log_p=log_p, tie=tie, method=_METHOD, relative_error=error, expected_error=error)


def is_beyond_counting(values: Floats, limit: float, most: int = FEW_SUMS) -> bool:
    """Whether it is certain that either half of ascending values has more sums within the limit than that.

    All sets of as many of the smallest values as are within it are, and half of these values are in either half.

    Examples
    --------
    >>> is_beyond_counting(np.ones(100), 37.0), is_beyond_counting(np.ones(100), 38.0)
    (False, True)
    """
    return int(values.cumsum().searchsorted(limit, side="right")) // 2 >= most.bit_length()


def _sums_within(values: Floats, limit: float, most: int) -> Floats | None:
    """Sums of all sets of descending values that do not exceed the limit, ascending; None if there are too many."""
    sums = np.zeros(1)
    for value in values:
        more = sums[: sums.searchsorted(limit - value, side="right")]
        if sums.size + more.size > most:
            return None
        sums = np.sort(np.concatenate((sums, more + value)), kind="stable")  # two sorted runs: a merge, which is linear
    return sums


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Sums in ascending order with their probabilities.

    Parameters
    ----------
    sums : (m,) array
        Ascending.
    masses : (m,) array
        Probabilities, which add up to 1.
    """

    sums: Floats
    masses: Floats


def _halves(outcomes: list[int], most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """Split the steps so that both products of numbers of outcomes are small; None if they cannot be."""
    sides: tuple[list[int], list[int]] = ([], [])
    products = [1, 1]
    for index in sorted(range(len(outcomes)), key=lambda i: -outcomes[i]):
        side = 0 if products[0] <= products[1] else 1
        sides[side].append(index)
        products[side] *= outcomes[index]
        if products[side] > most:
            return None
    return np.array(sides[0], dtype=np.intp), np.array(sides[1], dtype=np.intp)


def _flip_outcomes(values: Floats, counts: NDArray[np.int64]) -> Outcomes:
    sums, masses = np.zeros(1), np.ones(1)
    for value, count in zip(values, counts, strict=True):
        sums = np.add.outer(np.arange(count + 1) * value, sums).ravel()
        masses = np.multiply.outer(binomial_masses(int(count), 0.5), masses).ravel()
    order = np.argsort(sums, kind="stable")
    return Outcomes(sums[order], masses[order])


def _joint(first: Outcomes, second: Outcomes, limit: float, side: Side) -> float:
    """P(sum of one outcome of each <= limit), or < limit if `side` is "left"."""
    cumulated = np.concatenate(([0.0], np.cumsum(second.masses)))
    return float((cumulated[second.sums.searchsorted(limit - first.sums, side=side)] * first.masses).sum())


def enumerate_draws(problem: DrawSum) -> UpperTail | None:
    """P(X >= 0) for the paired bootstrap, over how often each value is drawn.

    Parameters
    ----------
    problem : DrawSum
        Distinct values with their probabilities.

    Returns
    -------
    UpperTail or None
        None if there are too many outcomes.

    Examples
    --------
    >>> import math
    >>> import numpy as np
    >>> draws = DrawSum(values=np.array([-1.0, 0.0, 1.0]), probabilities=np.full(3, 1 / 3), n_draws=3, excess=2.0)
    >>> round(27 * math.exp(enumerate_draws(draws).log_p), 12)
    4.0
    """
    base = int(np.argmax(problem.probabilities))
    others = np.delete(np.arange(problem.values.size), base)
    limit = problem.excess - problem.n_draws * float(problem.values[base])
    tolerance = TIE_TOLERANCE * max(
        problem.n_draws * float((problem.probabilities * np.abs(problem.values)).sum()), abs(limit)
    )
    truncation = _TRUNCATION
    for _ in range(2):
        split = _split_values(problem, others, truncation)
        if split is None:
            return None
        sides = split
        within = _joint_draws(problem, base, sides, limit - tolerance, "left")
        below = _joint_draws(problem, base, sides, limit + tolerance, "right")
        lost = 0.0 if all(side.complete for side in sides) else 2.0 * truncation
        if within > _SMALLEST and lost <= 1e-12 * within:
            break
        truncation = max(within, truncation * 1e-40) * 1e-13
    if within < _SMALLEST:
        return None
    size = max(outcomes.sums.size for side in sides for outcomes in side.by_draws)
    tail = _enumerated(within, max(within - below, 0.0), size + 64 * problem.values.size + 64 * problem.n_draws)
    error = tail.relative_error + lost / within
    return UpperTail(log_p=tail.log_p, tie=tail.tie, method=_METHOD, relative_error=error, expected_error=error)


@dataclass(frozen=True, slots=True)
class _Counts:
    """Outcomes of 0, 1, ... draws from some of the values, which have `probability` together."""

    by_draws: list[Outcomes]
    probability: float
    complete: bool


def _split_values(problem: DrawSum, others: NDArray[np.intp], truncation: float) -> tuple[_Counts, _Counts] | None:
    """Enumerate the draws of two groups of values; one group if that is cheap enough."""
    base = float(problem.values[np.argmax(problem.probabilities)])
    cheapest = None
    for parts in ((others[:0], others), (others[::2], others[1::2])):
        probabilities = [float(problem.probabilities[part].sum()) for part in parts]
        most = [_most_draws(problem.n_draws, chance, truncation) for chance in probabilities]
        sizes = [math.comb(draws + part.size, part.size) for draws, part in zip(most, parts, strict=True)]
        searches = min(sizes) * (max(most) + 1) + sum(sizes) + 100 * (most[0] + 1) * (most[1] + 1)
        if max(sizes) <= MOST_OUTCOMES and searches <= _SEARCHES and (cheapest is None or searches < cheapest[0]):
            cheapest = (searches, parts, probabilities, most, sizes)
    if cheapest is None:
        return None
    _, parts, probabilities, most, sizes = cheapest
    first, second = (
        _Counts(draw_outcomes(problem, part, draws, base), chance, draws == problem.n_draws or not part.size)
        for part, draws, chance in zip(parts, most, probabilities, strict=True)
    )
    return (first, second) if sizes[0] <= sizes[1] else (second, first)


def _most_draws(n: int, chance: float, truncation: float) -> int:
    """Smallest number of draws that is exceeded with probability of at most `truncation`."""
    if chance <= 0.0:
        return 0
    low, high = 0, n
    while low < high:
        middle = (low + high) // 2
        if log_binomial_tail(middle + 1, n, chance) <= math.log(truncation):
            high = middle
        else:
            low = middle + 1
    return low


def draw_outcomes(problem: DrawSum, part: NDArray[np.intp], most: int, base: float) -> list[Outcomes]:
    """Sums, relative to N times a base, and conditional probabilities of N draws from some values, N = 0, ..., most."""
    current = [(np.zeros(1), np.ones(1))] + [(np.empty(0), np.empty(0))] * most
    so_far = 0.0
    for index in part:
        value, chance = float(problem.values[index]) - base, float(problem.probabilities[index])
        so_far += chance
        grown = []
        ratio = min(chance / so_far, 1.0)
        for total in range(most + 1):
            parts = [(np.empty(0), np.empty(0))]
            for k in range(total + 1) if ratio < 1.0 else (total,):
                mass = math.exp(log_binomial_mass(k, total, ratio))
                if mass > 0.0:
                    parts.append((current[total - k][0] + k * value, current[total - k][1] * mass))
            grown.append((np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])))
        current = grown
    result = []
    for sums, masses in current:
        order = np.argsort(sums, kind="stable")
        result.append(Outcomes(sums[order], masses[order]))
    return result


def _joint_draws(problem: DrawSum, base: int, sides: tuple[_Counts, _Counts], threshold: float, side: Side) -> float:
    """P(X + shift >= threshold), or > threshold if `side` is "right"; the base value takes the other draws."""
    n = problem.n_draws
    first, second = sides
    remainder = float(problem.probabilities[base]) + second.probability
    above = [np.concatenate((np.cumsum(outcomes.masses[::-1])[::-1], [0.0])) for outcomes in second.by_draws]
    total = 0.0
    for drawn, outcomes in enumerate(first.by_draws):
        if not outcomes.sums.size:
            continue
        chance = log_binomial_mass(drawn, n, first.probability)
        missing = threshold - outcomes.sums
        for more, others in enumerate(second.by_draws[: n - drawn + 1]):
            if not others.sums.size:
                continue
            weight = math.exp(chance + log_binomial_mass(more, n - drawn, min(second.probability / remainder, 1.0)))
            places = others.sums.searchsorted(missing, side=side)
            total += weight * float((outcomes.masses * above[more][places]).sum())
    return total


def _enumerated(p: float, tie: float, roundings: int) -> UpperTail:
    error = 2.0**-53 * (roundings + 64)
    return UpperTail(log_p=math.log(p), tie=tie / p, method=_METHOD, relative_error=error, expected_error=error)
