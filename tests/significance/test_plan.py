"""Streams, escalation and the verdict on Monte Carlo error."""

import hashlib
import itertools

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.resamples import clopper_pearson, is_unstable


def draws(plan, paired):
    """First numbers of the stream."""
    return tuple(plan.rng(paired).integers(0, 2**62, 4).tolist())


def test_the_stream_is_that_of_the_hashed_names(pair):
    """The seed sequence is what is documented, so another process and another version draw the same."""

    def hash64(*names):
        parts = b"".join(len(name).to_bytes(8, "big") + name for name in names)
        return int.from_bytes(hashlib.blake2b(parts, digest_size=8).digest(), "big")

    paired = pair([1.0], names=("zeta", "alpha"), dataset="CoLA", metric="mcc")
    seeds = [7, hash64(b"alpha", b"zeta"), hash64(b"CoLA"), hash64(b"mcc")]
    expected = np.random.default_rng(np.random.SeedSequence(seeds)).integers(0, 2**62, 4)
    assert draws(ResamplingPlan(seed=7), paired) == tuple(expected.tolist())


def test_each_seed_pair_dataset_and_metric_has_its_own_stream(pair):
    """Changing any one of them changes the stream, also where joined names would read the same."""
    streams = [
        draws(ResamplingPlan(seed=seed), pair([1.0], names=names, dataset=dataset, metric=metric))
        for seed, names, dataset, metric in itertools.product(
            (0, 1), (("ab", "c"), ("a", "bc"), ("a", "b")), ("d", "dm"), ("mm", "m")
        )
    ]
    assert len(set(streams)) == len(streams) == 24


@pytest.mark.parametrize(("count", "n"), [(0, 99), (1, 99), (50, 999), (500, 9_999), (99, 99)])
def test_clopper_pearson_agrees_with_scipy(count, n):
    """The interval is SciPy's exact one."""
    expected = stats.binomtest(count, n).proportion_ci(0.999, method="exact")
    assert clopper_pearson(count, n) == pytest.approx((expected.low, expected.high), rel=1e-10)


def test_instability_is_a_threshold_inside_the_interval():
    """The interval of 50 in 999 goes from .030 to .077."""
    assert is_unstable(50, 999, (0.05,))
    assert is_unstable(50, 999, (0.5, 0.031))
    assert not is_unstable(50, 999, (0.5, 0.029))
    assert not is_unstable(50, 999, (0.08,))
    assert not is_unstable(50, 999, ())


def test_escalation_goes_on_while_either_tail_is_open():
    """Counts of all stages add up, and drawing stops when both tails are clear of the thresholds."""
    asked = []

    def draw(number):
        asked.append(number)
        return round(0.051 * number), round(0.949 * number)

    plan = ResamplingPlan(thresholds=(0.05,))
    assert plan.count(draw) == (510 + 4_590 + 45_900, 9_489 + 85_410 + 854_100, 999_999)
    assert asked == [9_999, 90_000, 900_000]
    asked.clear()
    assert ResamplingPlan(thresholds=(0.04,)).count(draw) == (510, 9_489, 9_999)
    asked.clear()
    assert ResamplingPlan(thresholds=(0.949,)).count(draw)[2] == 999_999


@pytest.mark.parametrize(
    ("share", "n_resamples"),
    [(0.3, 9_999), (0.045, 9_999), (0.03, 239_999), (0.003, 239_999), (0.0006, 999_999), (0.0, 239_999)],
)
def test_levels_that_others_decide_ask_for_precise_p_values(share, n_resamples):
    """Holm's later steps lie between .01 / 240 and .05: p-values in this range are drawn to an error of 5%."""
    plan = ResamplingPlan(thresholds=(0.05 / 240, 0.01 / 240), steps_up_to=0.05)
    assert plan.count(lambda number: (round(share * number), round((1 - share) * number)))[2] == n_resamples
