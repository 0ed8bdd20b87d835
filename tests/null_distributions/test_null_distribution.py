"""The choosers against integer arithmetic, enumeration and closed forms: numbers and error bounds."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from reportkit.errors import InputError
from reportkit.null_distributions.lattices.tilted_fft import tilted_fft_tail
from reportkit.null_distributions.null_distribution import bootstrap_tail, sign_flip_tail
from reportkit.null_distributions.random.monte_carlo import bootstrap_monte_carlo, sign_flip_monte_carlo
from reportkit.null_distributions.step_sums import DrawSum
from reportkit.null_distributions.tail_probability import SMALLEST_P_VALUE

WHOLE = [(n, size, shift) for n in (1, 2, 3, 5, 9, 17, 41, 90) for size in (1, 2, 6, 40) for shift in (0.0, 0.3, 0.9)]


def whole_differences(n, size, shift, seed=0):
    """Whole numbers of about +-size, moved by a share of that."""
    rng = np.random.default_rng([seed, n, size, round(10 * shift)])
    return np.rint(rng.normal(shift * size, size, n)).astype(int)


def assert_right(tails, truths, relative_error, within=1e-9):
    """Both tails are within the goal, and within the bound that they carry."""
    for log_p, p, truth in (
        (tails.log_p_greater, tails.p_greater, truths[0]),
        (tails.log_p_less, tails.p_less, truths[1]),
    ):
        error = relative_error(log_p, truth)
        assert error <= within
        assert error <= tails.relative_error
        assert p == pytest.approx(max(math.exp(log_p), SMALLEST_P_VALUE), rel=1e-14)


@pytest.mark.parametrize(("n", "size", "shift"), WHOLE)
def test_sign_flips_of_whole_differences(n, size, shift, flips_exactly, relative_error):
    """Lattice data of any number, size and shift are right to 1e-9 and to their own bound, negated and rescaled too."""
    k = whole_differences(n, size, shift)
    truths = flips_exactly(k)
    for scale in (1, 0.1, 1 / 3, 1e-300, 1e300 / 200):
        assert_right(sign_flip_tail(k * scale), truths, relative_error)
    assert_right(sign_flip_tail(-k), truths[::-1], relative_error)


@pytest.mark.parametrize(("n", "size", "shift"), WHOLE)
def test_bootstrap_of_whole_differences(n, size, shift, draws_exactly, relative_error):
    """Lattice data of any number, size and shift are right to 1e-9 and to their own bound, negated and rescaled too."""
    k = whole_differences(n, size, shift)
    truths = draws_exactly(k) if k.any() else (Fraction(1), Fraction(1))
    for scale in (1, 0.1, 1 / 3, 1e-300, 1e300 / 200):
        assert_right(bootstrap_tail(k * scale), truths, relative_error)
    assert_right(bootstrap_tail(-k), truths[::-1], relative_error)


@pytest.mark.slow
@pytest.mark.parametrize("shift", [0.1, 0.5, 0.9, 1.7])
def test_far_tails(shift, flips_exactly, draws_exactly, relative_error):
    """Nothing is lost on the way from p = 0.1 to far below 1e-100."""
    k = whole_differences(420, 5, shift, seed=4)
    assert_right(sign_flip_tail(k), flips_exactly(k), relative_error)
    k = whole_differences(260, 3, shift, seed=5)
    assert_right(bootstrap_tail(k), draws_exactly(k), relative_error)


def test_far_tails_reach_1e_100():
    """The cases above do go that far."""
    assert sign_flip_tail(whole_differences(420, 5, 1.7, seed=4)).log_p_greater < -230
    assert bootstrap_tail(whole_differences(260, 3, 1.7, seed=5)).log_p_greater < -230


@pytest.mark.parametrize("n", [1, 2, 4, 7, 12])
def test_sign_flips_of_continuous_differences(n, flips_exactly, relative_error):
    """Few continuous differences agree with all 2^n patterns."""
    d = np.random.default_rng(n).normal(0.3, 1.0, n)
    assert_right(sign_flip_tail(d), flips_exactly.brute(d), relative_error)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 6])
def test_bootstrap_of_continuous_differences(n, draws_exactly, relative_error):
    """Few continuous differences agree with all n^n resamples."""
    d = np.random.default_rng(n).normal(0.3, 1.0, n)
    assert_right(bootstrap_tail(d), draws_exactly.brute(d), relative_error)


def test_mcnemar():
    """Differences in {-1, 0, 1} give the binomial tail, as SciPy has it."""
    for wins, losses in ((3, 0), (60, 40), (5000, 4600)):
        d = np.repeat([1.0, -1.0, 0.0], [wins, losses, 50])
        tails = sign_flip_tail(d)
        assert tails.method == "closed form"
        assert tails.p_greater == pytest.approx(
            stats.binomtest(wins, wins + losses, alternative="greater").pvalue, 1e-11
        )
        assert tails.p_less == pytest.approx(stats.binomtest(wins, wins + losses, alternative="less").pvalue, 1e-11)


def test_a_hundred_thousand_differences(two_sizes):
    """Two sizes, n = 100,000, against products of binomial tails."""
    d = np.repeat([1.0, -1.0, 2.0, -2.0, 0.0], [20150, 19850, 15120, 14880, 30000])
    expected = two_sizes(1, 40000, 19850, 2, 30000, 14880)
    assert sign_flip_tail(d).p_greater == pytest.approx(expected, rel=1e-9)
    d = np.repeat([1.0, 0.0], [200, 99800])
    expected = special.bdtrc(399, 100_000, 0.002)
    assert bootstrap_tail(d).p_greater == pytest.approx(expected, rel=1e-9)


def test_two_sizes_without_a_common_step(two_sizes):
    """Two incommensurate sizes make a lattice in no direction and still have an exact answer."""
    d = np.repeat([np.pi, -np.pi, np.e, -np.e], [70, 50, 40, 45])
    assert sign_flip_tail(d).p_greater == pytest.approx(two_sizes(np.pi, 120, 50, np.e, 85, 45), rel=1e-9)


def test_two_values():
    """The bootstrap of two values is binomial, whatever the values are."""
    n, k = 300, 190
    d = np.repeat([np.pi, -np.e], [k, n - k])
    needed = math.ceil((2 * d.sum() + n * np.e) / (np.pi + np.e) - 1e-9)
    assert bootstrap_tail(d).p_greater == pytest.approx(stats.binom.sf(needed - 1, n, k / n), rel=1e-10)


def test_three_values_without_a_common_step():
    """Three incommensurate values: a sum over the counts of one of them of binomial tails of the others."""
    values, counts = np.array([np.pi, -np.e, 1.0]), np.array([60, 50, 90])
    n, threshold = 200, 2.0 * float(values @ counts)
    p = counts / n
    expected = 0.0
    for third in range(n + 1):
        rest = n - third
        needed = math.ceil((threshold - third * values[2] - rest * values[1]) / (values[0] - values[1]) - 1e-9)
        expected += stats.binom.pmf(third, n, p[2]) * stats.binom.sf(needed - 1, rest, p[0] / (p[0] + p[1]))
    assert bootstrap_tail(np.repeat(values, counts)).p_greater == pytest.approx(expected, rel=1e-9)


def test_identical_systems():
    """No difference at all: both tails are 1."""
    for function in (sign_flip_tail, bootstrap_tail):
        tails = function(np.zeros(20))
        assert (tails.p_greater, tails.p_less, tails.log_p_greater) == (1.0, 1.0, 0.0)


def test_all_differences_equal():
    """One pattern in 2^n for the flips; an impossible event for the bootstrap, which is still not given as 0."""
    tails = sign_flip_tail(np.full(30, 0.7))
    assert tails.p_greater == pytest.approx(2.0**-30, rel=1e-12)
    assert tails.p_less == 1.0
    tails = bootstrap_tail(np.full(30, 0.7))
    assert (tails.p_greater, tails.log_p_greater, tails.p_less) == (SMALLEST_P_VALUE, -math.inf, 1.0)


def test_only_the_largest_difference_reaches_the_threshold():
    """If every draw has to be of the largest value, p is its share to the power n, on a lattice or not."""
    for odd in (1.0, math.sqrt(2)):
        d = np.array([4.0, 4.0, -odd / 2, -odd / 2])  # 2 t = 16 - 2 odd, and four times the largest is 16
        tails = bootstrap_tail(d)
        assert tails.p_greater == pytest.approx(2.0**-4, rel=1e-12)
        assert tails.p_less == pytest.approx(1 - 2.0**-4, rel=1e-12)


def test_tails_beyond_floats():
    """A tail below 1e-308 keeps its logarithm."""
    tails = sign_flip_tail(np.arange(1.0, 3001.0))
    assert tails.p_greater == SMALLEST_P_VALUE
    assert tails.log_p_greater == pytest.approx(-3000 * math.log(2), rel=1e-12)


@pytest.mark.parametrize("size", [50, 10_000, 10**8])
def test_one_outlier(size, flips_exactly, draws_exactly, relative_error):
    """One difference far larger than all others together, whole or not."""
    rest = whole_differences(60, 2, 0.1, seed=3)
    total = int(rest.sum())
    with_it, without_it = flips_exactly(rest), flips_exactly([size, *rest]) if size < 1000 else None
    expected = without_it[0] if without_it else with_it[0] / 2
    for outlier in (size, size * math.sqrt(1.01)):
        if outlier == size or size > 1000:
            tails = sign_flip_tail(np.append(rest, outlier))
            assert relative_error(tails.log_p_greater, expected) <= 1e-9
    if size > 1000:  # two outliers and the rest at 2 t or more, or three or more outliers
        n = rest.size + 1
        share = Fraction(1, n)
        expected = sum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(3, n + 1))
        at_two = draws_exactly.tails(rest, n - 2, 2 * total)[0]
        expected += math.comb(n, 2) * share**2 * (1 - share) ** (n - 2) * at_two
        for outlier in (size, size * math.sqrt(1.01)):
            tails = bootstrap_tail(np.append(rest, outlier))
            assert relative_error(tails.log_p_greater, expected) <= 1e-9
            assert relative_error(tails.log_p_greater, expected) <= tails.relative_error


def test_nearly_all_zeros(draws_exactly, relative_error):
    """99% zeros: dropped for the flips, drawn by the bootstrap."""
    k = np.zeros(400, dtype=int)
    k[:4] = [3, 2, -1, 5]
    assert sign_flip_tail(k).p_greater == pytest.approx(2 / 16)
    assert_right(bootstrap_tail(k), draws_exactly(k), relative_error)
    d = k * np.array([1.0, math.sqrt(2), math.sqrt(3), math.sqrt(5)] + [1.0] * 396)
    assert sign_flip_tail(d).p_greater == pytest.approx(2 / 16)
    tails = bootstrap_tail(d)
    assert tails.relative_error < 1e-9
    assert tails.p_greater == pytest.approx(_four_rare_values(d[:4], 400, 2 * d.sum()), rel=1e-9)


def _four_rare_values(values, n, threshold):
    """P(sum of n draws >= threshold), over how often each of four values is drawn; the others are 0."""
    counts = np.stack(np.meshgrid(*[np.arange(16)] * 4, indexing="ij"), axis=-1).reshape(-1, 4)
    drawn = counts.sum(axis=1)
    log_mass = special.gammaln(n + 1) - special.gammaln(n - drawn + 1) - special.gammaln(counts + 1).sum(axis=1)
    log_mass += drawn * math.log(1 / n) + (n - drawn) * math.log1p(-4 / n)
    return float(np.exp(log_mass[counts @ values >= threshold - 1e-9]).sum())


def jittered(rng, n, jitter):
    """Differences in {-1, 0, 1} with noise of a share of a step, small enough an effect for its size to be seen."""
    return rng.choice([-1, 0, 1], size=n, p=[0.25, 0.42, 0.33]) + rng.normal(0.0, jitter, n)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "unit", "jitter"), [(41, 9_000, 1e-2), (45, 4_000, 3e-2), (45, 20_000, 3e-3)])
def test_flips_on_a_lattice_with_jitter(n, unit, jitter, flips_exactly, relative_error):
    """Lattice plus noise is right to the bound stated.

    The noise is a whole number of units, so that integer arithmetic knows the truth. A further disturbance, too small
    to matter but too large for a lattice, sends the data the way of continuous ones; it may break ties of the fine
    lattice.
    """
    rng = np.random.default_rng([n, unit])
    k = np.rint(unit * jittered(rng, n, jitter)).astype(int)
    truths = flips_exactly(k)
    assert_right(sign_flip_tail(k), truths, relative_error)
    tails = sign_flip_tail(k + 1e-6 * rng.uniform(-1.0, 1.0, n))
    tie = float((truths[0] + truths[1] - 1) / truths[0])
    assert tie < 2e-3
    assert relative_error(tails.log_p_greater, truths[0]) <= tails.relative_error + tie
    assert tails.relative_error <= 1e-3


@pytest.mark.slow
def test_draws_from_a_lattice_with_jitter(draws_exactly, relative_error):
    """The same for the bootstrap."""
    rng = np.random.default_rng(4)
    k = np.rint(4000 * jittered(rng, 25, 3e-2)).astype(int)
    truths = draws_exactly(k)
    assert_right(bootstrap_tail(k), truths, relative_error)
    tails = bootstrap_tail(k + 1e-6 * rng.uniform(-1.0, 1.0, 25))
    tie = float((truths[0] + truths[1] - 1) / truths[0])
    assert tie < 2e-3
    assert relative_error(tails.log_p_greater, truths[0]) <= tails.relative_error + tie


def preferences(rng, n):
    """Differences of judge preferences that pile up near 0 and 1."""
    scores = np.where(rng.random((2, n)) < 0.5, rng.beta(0.05, 2.0, (2, n)), rng.beta(2.0, 0.05, (2, n)))
    return scores[0] - scores[1] + 0.01


NEAR_LATTICES = {
    **{
        f"jitter {jitter}": (lambda rng, n, jitter=jitter: jittered(rng, n, jitter))
        for jitter in (1e-4, 1e-3, 1e-2, 3e-2)
    },
    "partial credit": lambda rng, n: np.where(rng.random(n) < 0.05, rng.uniform(-1, 1, n), rng.choice([-1, 0, 1], n)),
    "preferences": preferences,
}


@pytest.mark.parametrize("name", NEAR_LATTICES)
@pytest.mark.parametrize("n", [120, 400, 1000])
def test_near_lattices_agree_with_monte_carlo(name, n):
    """The whole family, n = 120 to 1,000, against random flips and resamples within 4 standard errors."""
    rng = np.random.default_rng([n, len(name)])
    d = NEAR_LATTICES[name](rng, n)
    for function, draw, n_resamples in (
        (sign_flip_tail, sign_flip_monte_carlo, 200_000),
        (bootstrap_tail, bootstrap_monte_carlo, 20_000),
    ):
        tails = function(d)
        assert tails.relative_error <= 1e-3
        drawn = draw(d, n_resamples=n_resamples, rng=rng)
        for exact, p_value in ((tails.p_greater, drawn.p_greater), (tails.p_less, drawn.p_less)):
            assert abs(exact - p_value) <= 4 * (p_value * (1 - p_value) / n_resamples) ** 0.5 + 2 / n_resamples


@pytest.mark.parametrize("n_partial", [1, 3, 8])
def test_scores_with_a_little_partial_credit(n_partial, flips_exactly, draws_exactly, relative_error):
    """A few differences off the lattice: over their outcomes, the lattice tails of the others in integer arithmetic."""
    rng = np.random.default_rng(n_partial)
    whole = rng.choice([-1, 0, 1], size=150, p=[0.2, 0.45, 0.35])
    partial = rng.uniform(-1.0, 1.0, n_partial)
    tails = sign_flip_tail(np.append(whole, partial))
    expected, total = Fraction(0), whole.sum() + partial.sum()
    sizes = np.abs(whole[whole != 0])
    cumulative = np.array([float(Fraction(math.comb(sizes.size, k), 2**sizes.size)) for k in range(sizes.size + 1)])
    for signs in np.array(np.meshgrid(*[[-1, 1]] * n_partial)).reshape(n_partial, -1).T:
        room = (sizes.size - (total - signs @ partial)) / 2 + 1e-9
        expected += Fraction(float(cumulative[: max(math.floor(room) + 1, 0)].sum())) / 2**n_partial
    assert relative_error(tails.log_p_greater, expected) <= 1e-9
    assert tails.relative_error <= 1e-9


def test_a_bootstrap_with_partial_credit(draws_exactly, relative_error):
    """One difference off the lattice: over how often it is drawn, the lattice tails of the other draws."""
    rng = np.random.default_rng(5)
    whole = rng.choice([-1, 0, 1], size=150, p=[0.2, 0.5, 0.3])
    odd = 0.5 * math.sqrt(2)
    n, total = 151, float(whole.sum()) + odd
    expected = Fraction(0)
    for drawn in range(25):
        chance = math.comb(n, drawn) * Fraction(1, n) ** drawn * Fraction(n - 1, n) ** (n - drawn)
        expected += chance * draws_exactly.tails(whole, n - drawn, math.ceil(2 * total - drawn * odd - 1e-9), -1)[0]
    tails = bootstrap_tail(np.append(whole, odd))
    assert relative_error(tails.log_p_greater, expected) <= 1e-9
    assert tails.relative_error <= 1e-9


def test_float32_scores(flips_exactly, relative_error):
    """Tenths stored in single precision are a lattice with jitter of 1e-7 of a step."""
    rng = np.random.default_rng(8)
    k = rng.integers(0, 11, (2, 400))
    stored = (k / 10).astype(np.float32).astype(np.float64)
    tails = sign_flip_tail(stored[0] - stored[1])
    greater, less = flips_exactly(k[0] - k[1])
    if tails is not None:  # between ties counted in full and not at all
        assert float(1 - less) * (1 - 1e-3) <= tails.p_greater <= float(greater) * (1 + 1e-3)


@pytest.mark.parametrize(("n", "size"), [(41, 2000), (60, 1000), (100, 300), (250, 60)])
def test_the_bound_is_kept_beyond_enumeration(n, size, flips_exactly, relative_error):
    """From n = 41 on the continuous way keeps its bound against integer arithmetic; the lattice is right to 1e-9."""
    rng = np.random.default_rng(n)
    k = np.rint(rng.normal(size / 12, size, n)).astype(int)
    truths = flips_exactly(k)
    assert_right(sign_flip_tail(k), truths, relative_error)
    tails = sign_flip_tail(k + 1e-5 * rng.uniform(-1.0, 1.0, n))
    tie = float((truths[0] + truths[1] - 1) / truths[0])
    assert relative_error(tails.log_p_greater, truths[0]) <= tails.relative_error + tie


def clusters(n, largest, shift):
    """Values of clusters as the bootstrap draws them, and the same as whole numbers with the threshold of n draws.

    The mean of instances is a ratio of sums S / W, so that a cluster with the sum s of w instances counts
    s + 2 (S / W) (W / n - w): multiples of 1 / W, hundreds of thousands of them in the range of a sum.
    """
    rng = np.random.default_rng(n)
    sizes = rng.integers(1, largest + 1, n)
    sums = np.rint(rng.normal(shift * sizes / largest, np.sqrt(sizes / 2))).astype(int)
    total, size = int(sums.sum()), int(sizes.sum())
    whole = sums * size - 2 * total * sizes
    step = int(np.gcd.reduce(whole - whole.min()))
    return sums + 2 * (total / size) * (size / n - sizes), (whole - whole.min()) // step, -n * int(whole.min()) // step


@pytest.mark.parametrize(
    ("largest", "shift", "below"), [(6, 0.5, 1), (6, 1.2, 1e-3), (6, 3.0, 1e-30), (9, 9.0, 1e-100)]
)
def test_clusters_are_summed_where_the_whole_period_is_long(largest, shift, below):
    """Nodes that are not negligible give what all nodes of the period give, to 1e-10, at any p."""
    values, whole, threshold = clusters(300, largest, shift)
    mean = float(whole.mean())
    problem = DrawSum(whole - mean, np.full(300, 1 / 300), 300, threshold - 300 * mean)
    expected, tails = tilted_fft_tail(problem, 1.0), bootstrap_tail(values)
    assert tails.method == "contour quadrature"
    assert tails.relative_error <= 1e-10
    assert tails.log_p_greater == pytest.approx(expected.log_p, rel=1e-12, abs=1e-10)
    assert tails.p_greater < below


@pytest.mark.slow
@pytest.mark.parametrize("shift", [0.4, 3.0])  # p = 0.2 and 1e-38
def test_clusters_in_integer_arithmetic(shift, draws_exactly, relative_error):
    """Sums of clusters that are drawn, against big integers."""
    values, whole, threshold = clusters(72, 3, shift)
    assert_right(bootstrap_tail(values), draws_exactly.tails(whole, 72, threshold, 0), relative_error)


def test_a_smaller_error_can_be_asked_for():
    """The look along the contour goes further until the bound is as small as asked; the number hardly moves."""
    d = np.random.default_rng(3).normal(0.05, 1.0, 900)
    for function in (sign_flip_tail, bootstrap_tail):
        coarse, fine = function(d), function(d, max_relative_error=1e-5)
        assert fine.relative_error <= 1e-5 < coarse.relative_error
        assert abs(math.expm1(coarse.log_p_greater - fine.log_p_greater)) <= 1e-11


def test_none_where_no_way_is_exact_enough():
    """Nothing is returned rather than something whose error is not known to be small."""
    d = np.random.default_rng(3).normal(0.05, 1.0, 900)
    assert sign_flip_tail(d, max_relative_error=1e-13) is None
    assert bootstrap_tail(d, max_relative_error=1e-13) is None


@pytest.mark.parametrize("function", [sign_flip_tail, bootstrap_tail])
@pytest.mark.parametrize("bad", [[], [[1.0, 2.0]], [1.0, math.nan], [1.0, -math.inf]])
def test_bad_input(function, bad):
    """No numbers, numbers in a table, and numbers that are none are refused with the place named."""
    with pytest.raises(InputError, match=r"shape|position 1"):
        function(bad)


DIFFERENCES = st.one_of(
    st.lists(st.integers(-4, 4), min_size=1, max_size=40),
    st.lists(st.floats(-1.0, 1.0, allow_subnormal=False), min_size=1, max_size=14),
)


@settings(deadline=None, max_examples=60)
@given(DIFFERENCES, st.randoms(use_true_random=False))
def test_symmetries(differences, random):
    """Swapping the systems swaps the tails; the order does not matter; ties count twice; zeros change no flip."""
    shuffled = list(differences)
    random.shuffle(shuffled)
    for function in (sign_flip_tail, bootstrap_tail):
        tails = function(differences)
        if tails is None:
            continue
        swapped = function([-d for d in differences])
        assert swapped.log_p_less == pytest.approx(tails.log_p_greater, rel=1e-9, abs=1e-9)
        assert function(shuffled).log_p_greater == pytest.approx(tails.log_p_greater, rel=1e-9, abs=1e-9)
        assert tails.p_greater + tails.p_less >= 1.0 - 1e-9
        assert 0.0 < tails.p_greater <= 1.0
        assert 0.0 < tails.p_less <= 1.0
    tails = sign_flip_tail(differences)
    padded = sign_flip_tail([*differences, 0.0, 0.0, 0.0])
    assert padded.log_p_greater == pytest.approx(tails.log_p_greater, rel=1e-9, abs=1e-9)
    assert tails.log_p_greater >= -len(differences) * math.log(2) - 1e-9
