"""Tails over all swaps of counts against enumeration with the metric itself."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reportkit.metrics.corpus.bleu import BLEU
from reportkit.metrics.corpus.catalogue import CORPUS_METRICS
from reportkit.metrics.corpus.ter import TER
from reportkit.scores.shapes.paired_statistics import PairedStatistics
from reportkit.significance.exact_swaps import exact_swap_tails

QUOTIENTS = [name for name, metric in CORPUS_METRICS.items() if metric.quotient_weights is not None]


def paired_counts(a, b, measure, clusters=None, names=("a", "b")):
    """Counts of two systems."""
    return PairedStatistics(
        system_a=names[0],
        system_b=names[1],
        dataset="cb",
        metric=measure.title,
        kind="continuous",
        higher_is_better=measure.higher_is_better,
        a=np.asarray(a, dtype=np.float64),
        b=np.asarray(b, dtype=np.float64),
        measure=measure,
        clusters=None if clusters is None else np.asarray(clusters),
    )


def by_enumeration(a, b, measure):
    """Both tails with the metric in floating point, ties up to 1e-12."""
    swaps = np.array(list(itertools.product((False, True), repeat=len(a))))
    sums = np.where(swaps[:, :, None], b, a).sum(axis=1)
    differences = measure.oriented(sums) - measure.oriented((a + b).sum(axis=0) - sums)
    observed = measure.oriented(a.sum(axis=0)) - measure.oriented(b.sum(axis=0))
    return float((differences >= observed - 1e-12).mean()), float((differences <= observed + 1e-12).mean())


def test_which_metrics_are_quotients():
    """F measures, accuracies, error rates and TER; BLEU, chrF and MCC are not."""
    assert {"f1", "f0.5", "f2", "precision", "recall", "accuracy", "uas", "wer", "ter"} <= set(QUOTIENTS)
    assert not {"bleu", "chrf", "chrf++", "mcc"} & set(QUOTIENTS)


@pytest.mark.parametrize("name", QUOTIENTS)
def test_the_weights_are_those_of_the_metric(name):
    """The quotient of the weighted sums is the metric, times a constant."""
    metric = CORPUS_METRICS[name]
    sums = np.random.default_rng(0).integers(1, 50, (20, len(metric.columns))).astype(float)
    top, bottom = (sums @ np.array(weights) for weights in metric.quotient_weights)
    constant = metric(sums) / (top / bottom)
    np.testing.assert_allclose(constant, constant[0], rtol=1e-12)


counts = st.lists(st.tuples(*[st.integers(0, 4)] * 6), min_size=1, max_size=7)


@pytest.mark.parametrize("name", ["f1", "f0.5", "f2", "precision", "recall"])
@given(rows=counts)
@settings(deadline=None, max_examples=40)
def test_agrees_with_enumeration(name, rows):
    """F measures over all 2^n swaps; undefined values count as 0, as the metric has it."""
    table = np.array(rows, dtype=float)
    a, b = table[:, :3], table[:, 3:]
    tails = exact_swap_tails(paired_counts(a, b, CORPUS_METRICS[name]))
    if not (a + b).any():
        assert (tails.p_greater, tails.p_less) == (1.0, 1.0)
        return
    assert (tails.p_greater, tails.p_less) == pytest.approx(by_enumeration(a, b, CORPUS_METRICS[name]), rel=1e-10)
    assert tails.method == "exact"
    assert tails.p_min <= min(tails.p_greater, tails.p_less)


@pytest.mark.parametrize("name", ["accuracy", "wer", "ter"])
def test_agrees_with_enumeration_where_totals_differ(name):
    """Systems that segment differently have other totals; where lower is better, the tails are turned."""
    rng = np.random.default_rng(3)
    total = rng.integers(3, 9, (2, 10))
    hit = rng.binomial(total, 0.4)
    a, b = (np.stack((hit[k], total[k]), axis=1).astype(float) for k in (0, 1))
    tails = exact_swap_tails(paired_counts(a, b, CORPUS_METRICS[name]))
    assert (tails.p_greater, tails.p_less) == pytest.approx(by_enumeration(a, b, CORPUS_METRICS[name]), rel=1e-10)


def test_clusters_are_swapped_whole():
    """The rows of a cluster are summed before."""
    rng = np.random.default_rng(4)
    a, b = rng.integers(0, 5, (2, 30, 3)).astype(float)
    clusters = rng.integers(0, 8, 30)
    sums = [np.array([x[clusters == c].sum(axis=0) for c in np.unique(clusters)]) for x in (a, b)]
    f1 = CORPUS_METRICS["f1"]
    tails = exact_swap_tails(paired_counts(a, b, f1, clusters))
    assert (tails.p_greater, tails.p_less) == pytest.approx(by_enumeration(*sums, f1), rel=1e-10)


def test_lengths_averaged_over_references_are_whole_in_another_unit():
    """TER with three references counts thirds of words."""
    rng = np.random.default_rng(5)
    length = rng.integers(10, 40, (2, 9)) / 3
    a, b = (np.stack((rng.integers(0, 6, 9), length[k]), axis=1) for k in (0, 1))
    tails = exact_swap_tails(paired_counts(a, b, TER))
    assert (tails.p_greater, tails.p_less) == pytest.approx(by_enumeration(a, b, TER), rel=1e-10)


def test_no_exact_tails_without_whole_numbers_or_a_quotient():
    """Soft counts, BLEU, and a swap that leaves no denominator to an accuracy."""
    f1, accuracy = CORPUS_METRICS["f1"], CORPUS_METRICS["accuracy"]
    rng = np.random.default_rng(6)
    assert exact_swap_tails(paired_counts(rng.random((9, 3)), rng.random((9, 3)), f1)) is None
    assert exact_swap_tails(paired_counts(*rng.integers(1, 9, (2, 9, 10)), BLEU)) is None
    assert exact_swap_tails(paired_counts([[1, 2], [0, 0]], [[0, 0], [1, 3]], accuracy)) is None


def test_the_smallest_p_value_is_one_swap_of_all():
    """Three instances differ, and A is better on each."""
    a, b = [[3, 0, 0], [2, 0, 0], [4, 1, 0], [1, 1, 1]], [[2, 0, 1], [1, 0, 1], [3, 1, 1], [1, 1, 1]]
    tails = exact_swap_tails(paired_counts(a, b, CORPUS_METRICS["f1"]))
    assert tails.p_min == 1 / 8
    assert math.isclose(tails.p_greater, 1 / 8, rel_tol=1e-12)
