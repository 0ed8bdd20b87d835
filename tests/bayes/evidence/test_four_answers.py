"""Four answers to one claim: each is that of its own module, and what has no answer says why."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from reportkit.bayes import better_by_more_than, equivalent_within
from reportkit.bayes.evidence.assessed import assess_claim
from reportkit.bayes.evidence.four_answers import four_answers
from reportkit.significance.assess import assess
from reportkit.significance.catalogue import SIGNIFICANCE_TESTS
from reportkit.significance.entry import ResamplingPlan
from reportkit.significance.interval import equivalence_test
from reportkit.significance.tango import tango_p_value, tango_z, upper_binomial_tail
from tests.samples import right, sample, unpaired

PLAN = ResamplingPlan(n_resamples=999, seed=0, thresholds=(0.05,))


def _ratings():
    """Ratings from 1 to 5 of different instances."""
    rng = np.random.default_rng(7)
    a, b = (np.sort(rng.integers(1, 6, 40)).astype(float) for _ in range(2))
    return unpaired(a, b, metric="rating", kind="ordinal")


def _asked(sample, hypothesis, **options):
    return four_answers(sample, assess(sample, PLAN), hypothesis, **options)


def test_a_claim_without_margin_keeps_the_test_of_the_decision_table():
    """Margin 0: the exact McNemar p-value, by SciPy's binomial test."""
    answers = _asked(right(30, 14, 456), better_by_more_than(0.0))
    exact = stats.binomtest(30, 44, alternative="greater").pvalue
    mid = exact - 0.5 * stats.binom.pmf(30, 44, 0.5)
    assert answers.p_value == pytest.approx(exact) or answers.p_value == pytest.approx(mid)
    assert answers.probability == pytest.approx(stats.beta.sf(0.5, 31, 15), abs=1e-9)
    assert not answers.silences


def test_a_margin_shifts_the_test_and_the_posterior_but_not_the_interval():
    """One point better: Tango's z at the margin, matched to the exact test; the interval is that of the difference."""
    sample = right(30, 14, 456)
    plain, shifted = _asked(sample, better_by_more_than(0.0)), _asked(sample, better_by_more_than(0.01))
    assert shifted.p_value == pytest.approx(tango_p_value(tango_z(0.01, 30, 14, 500), 44, upper_binomial_tail))
    assert shifted.p_value > plain.p_value
    assert shifted.probability < plain.probability
    assert shifted.interval == plain.interval


def test_equivalence_is_two_one_sided_tests():
    """The larger of both p-values, and the mass within the margin."""
    sample = right(9, 7, 984)
    answers = _asked(sample, equivalent_within(0.02), rope=0.02)
    assert (
        answers.p_value
        == equivalence_test(
            lambda margin: SIGNIFICANCE_TESTS["mcnemar"].interval.margin(sample, margin, 0), -0.02, 0.02
        ).p_value
    )
    assert answers.probability == pytest.approx(answers.posterior.rope.equivalent)
    assert answers.bayes_factors.factors[0].hypothesis == equivalent_within(0.02)


def test_what_has_no_answer_says_why():
    """Ratings of different instances have no shifted test, means without a declared scale no Bayes factor."""
    ratings = _ratings()
    assert set(_asked(ratings, better_by_more_than(0.01)).silences) == {"p-value", "Bayes factor"}
    rng = np.random.default_rng(0)
    means = sample(rng.random(40), rng.random(40), metric="f1")
    silent = _asked(means, better_by_more_than(0.0))
    assert set(silent.silences) == {"Bayes factor"}
    assert "improper" in silent.silences["Bayes factor"]
    assert not _asked(means, better_by_more_than(0.0), prior=0.05).silences


def test_a_claim_is_counted_over_datasets():
    """k-hat of the shifted tests is the number that Holm's procedure identifies."""
    samples = [right(60, 10, 430, dataset=f"d{i}") for i in range(3)] + [right(20, 18, 462, dataset="d3")]
    found = assess_claim(samples, [assess(sample, PLAN) for sample in samples], better_by_more_than(0.01))
    assert found.identified == ("d0", "d1", "d2")
    assert found.k_hat == 3
    assert (found.adjusted_p_values <= 0.05).sum() == 3


def test_a_claim_without_a_p_value_somewhere_is_not_counted():
    """k-hat needs a p-value on every dataset."""
    ratings = _ratings()
    found = assess_claim([ratings], [assess(ratings, PLAN)], better_by_more_than(0.01))
    assert found.k_hat is None
    assert found.identified == ()
