"""The permutation test of ratios of sums."""

import math

import numpy as np
import pytest

from reportkit.errors import DesignError
from reportkit.metrics.corpus.bleu import BLEU
from reportkit.metrics.corpus.catalogue import CORPUS_METRICS
from reportkit.significance.catalogue import run_test
from reportkit.significance.plan import ResamplingPlan
from reportkit.significance.tests import f_permutation as module
from reportkit.significance.tests.approximate_randomization import approximate_randomization
from reportkit.significance.tests.f_permutation import f_permutation
from tests.significance.test_exact_swaps import paired_counts

PLAN = ResamplingPlan()
F1 = CORPUS_METRICS["f1"]


@pytest.fixture
def systems():
    """Counts of two systems on 300 instances, A a little better."""
    rng = np.random.default_rng(7)
    gold = rng.poisson(3, 300)
    tables = []
    for chance in (0.8, 0.75):
        tp = rng.binomial(gold, chance)
        tables.append(np.stack((tp, rng.poisson(1, 300), gold - tp), axis=1))
    return tables


def test_outcome_says_what_was_done(systems):
    """Exact, with its algorithm, bound and estimate."""
    outcome = f_permutation(paired_counts(*systems, F1), PLAN)
    values = [float(F1(counts.sum(axis=0).astype(float))) for counts in systems]
    assert (outcome.method, outcome.n_resamples, outcome.test) == ("exact", None, "f-permutation")
    assert outcome.algorithm in ("enumeration", "tilted FFT")
    assert outcome.relative_error < 1e-9
    assert outcome.estimate == pytest.approx(values[0] - values[1])
    assert outcome.n == 300
    assert outcome.n_nonzero == int((systems[0] != systems[1]).any(axis=1).sum())
    assert 0 < outcome.p_greater < 0.5 < outcome.p_less <= 1


def test_b_against_a_is_a_against_b_turned_round(systems):
    """Estimate, statistic and tails; also where lower is better."""
    for measure in (F1, CORPUS_METRICS["error-rate"]):
        a, b = (counts[:, : len(measure.columns)] for counts in systems)
        b = np.column_stack((b[:, 0], a[:, 1] + 3)) if measure is not F1 else b
        a = np.column_stack((a[:, 0], a[:, 1] + 3)) if measure is not F1 else a
        outcome = f_permutation(paired_counts(a, b, measure), PLAN)
        swapped = f_permutation(paired_counts(b, a, measure, names=("b", "a")), PLAN)
        assert (swapped.p_greater, swapped.p_less) == (outcome.p_less, outcome.p_greater)
        assert swapped.statistic == -outcome.statistic


def test_order_of_rows_does_not_matter(systems):
    """The same bytes."""
    order = np.random.default_rng(1).permutation(300)
    outcome = f_permutation(paired_counts(*systems, F1), PLAN)
    assert f_permutation(paired_counts(*(counts[order] for counts in systems), F1), PLAN) == outcome


def test_approximate_randomization_takes_the_exact_tails(systems):
    """The test with random swaps needs none for F1."""
    paired = paired_counts(*systems, F1)
    exact, randomized = f_permutation(paired, PLAN), approximate_randomization(paired, PLAN)
    assert (randomized.p_greater, randomized.p_less) == (exact.p_greater, exact.p_less)
    assert randomized.method == "exact"


def test_random_swaps_where_the_sums_are_too_large(systems, monkeypatch):
    """Within four standard errors of the exact tails, and said to be an estimate."""
    paired = paired_counts(*systems, F1)
    exact = f_permutation(paired, PLAN)
    monkeypatch.setattr(module, "exact_swap_tails", lambda paired: None)
    drawn = f_permutation(paired, PLAN)
    assert (drawn.method, drawn.n_resamples) == ("Monte Carlo", 9_999)
    for estimate, p_value in ((drawn.p_greater, exact.p_greater), (drawn.p_less, exact.p_less)):
        assert estimate == pytest.approx(p_value, abs=4 * math.sqrt(p_value * (1 - p_value) / 9_999) + 1e-4)


def test_other_metrics_are_refused():
    """BLEU is no ratio of two sums; the message names the test that takes it."""
    paired = paired_counts(*np.random.default_rng(0).integers(1, 9, (2, 12, 10)), BLEU)
    with pytest.raises(DesignError, match="ratio of two sums") as caught:
        run_test("f-permutation", paired, PLAN)
    assert "approximate-randomization" in caught.value.remedy


def test_equal_values_have_equal_tails():
    """A difference of 0: both tails are the same, and above a half."""
    a, b = np.array([[3, 1, 0], [1, 0, 2]]), np.array([[1, 0, 2], [3, 1, 0]])
    outcome = f_permutation(paired_counts(a, b, F1), PLAN)
    assert outcome.p_greater == outcome.p_less >= 0.5
