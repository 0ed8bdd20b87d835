"""Approximate randomization of a corpus metric."""

import itertools

import numpy as np
import pytest

from reportkit.metrics.corpus import ACCURACY, BLEU, CORPUS_METRICS, F1
from reportkit.significance.catalogue import run_test
from reportkit.significance.entry import ResamplingPlan
from tests.samples import corpus

PLAN = ResamplingPlan()


def _enumerated(pair):
    """Exact tails over all 2^n swaps."""
    value, difference = pair.measure.oriented, pair.value_difference
    tolerance = 1e-12 * max(abs(pair.value_a), abs(pair.value_b))
    values = []
    for swaps in itertools.product([False, True], repeat=pair.n):
        chosen = np.array(swaps)[:, None]
        one, other = np.where(chosen, pair.b, pair.a), np.where(chosen, pair.a, pair.b)
        values.append(float(value(one.sum(axis=0)) - value(other.sum(axis=0))))
    values = np.array(values)
    return np.mean(values >= difference - tolerance), np.mean(values <= difference + tolerance)


def _counts(seed, n, measure):
    rng = np.random.default_rng(seed)
    return np.sort(rng.integers(0, 12, size=(2, n, len(measure.columns))), axis=-1).astype(float)


@pytest.mark.parametrize("measure", [F1, BLEU], ids=lambda m: m.name)
@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_against_enumeration(measure, names):
    """All 2^9 swaps, within 4.5 standard errors or exactly."""
    pair = corpus(*_counts(5, 9, measure), measure, names=names)
    outcome = run_test("approximate-randomization", pair, PLAN)
    for p, exact in zip((outcome.p_greater, outcome.p_less), _enumerated(pair), strict=True):
        assert abs(p - exact) < 4.5 * np.sqrt(exact * (1 - exact) / 9999) + 1e-4
    assert outcome.p_min <= 2.0**-9 or outcome.method == "Monte Carlo"


@pytest.mark.parametrize("measure", [ACCURACY, CORPUS_METRICS["wer"]], ids=lambda m: m.name)
def test_common_denominators_make_it_an_exact_sign_flip(measure):
    """As all swaps say."""
    a, b = _counts(2, 10, measure)
    a[:, 1] = b[:, 1] = np.maximum(a[:, 1], b[:, 1]) + 1
    pair = corpus(a, b, measure)
    outcome = run_test("approximate-randomization", pair, PLAN)
    assert outcome.method == "exact"
    assert (outcome.p_greater, outcome.p_less) == pytest.approx(_enumerated(pair), rel=1e-12)


def test_other_denominators_are_swapped_along():
    """A system that puts out more tokens is swapped with its denominators."""
    pair = corpus(*_counts(4, 9, ACCURACY), ACCURACY)
    assert not pair.common_denominator
    outcome = run_test("approximate-randomization", pair, PLAN)
    assert abs(outcome.p_greater - _enumerated(pair)[0]) < 0.025


@pytest.mark.slow
def test_clusters_are_swapped_whole():
    """As if each cluster were one instance with its summed counts."""
    a, b = _counts(3, 60, BLEU)
    whole = corpus(a, b, BLEU, clusters=np.arange(60) // 3)
    summed = corpus(a.reshape(20, 3, -1).sum(axis=1), b.reshape(20, 3, -1).sum(axis=1), BLEU)
    one, other = (run_test("approximate-randomization", pair, PLAN) for pair in (whole, summed))
    assert (one.p_greater, one.p_less) == (other.p_greater, other.p_less)
    assert one.n_clusters == 20


def test_equal_rows_change_nothing():
    """Instances on which both have the same counts belong to both, whichever way they are swapped."""
    a, b = _counts(6, 30, BLEU)
    same = _counts(7, 30, BLEU)[0]
    wider = run_test("approximate-randomization", corpus(np.vstack((a, same)), np.vstack((b, same)), BLEU), PLAN)
    assert wider.n_nonzero == int((a != b).any(axis=1).sum())
    assert wider.p_min == max(2.0**-wider.n_nonzero, 1e-4)
