"""Skewness: measures, rule and findings."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from reportkit.significance.catalogue import SIGNIFICANCE_TESTS, run_test
from reportkit.significance.cautions import FEWEST_NONZERO, shape_findings
from reportkit.significance.choose import is_skewed, shape_of
from reportkit.significance.entry import ResamplingPlan


def test_skewness_agrees_with_scipy(pair):
    """The moment estimator, not corrected for bias."""
    differences = np.round(np.random.default_rng(1).exponential(size=50), 6)
    assert shape_of(pair(differences)).skewness == pytest.approx(stats.skew(differences), rel=1e-9)
    assert shape_of(pair(0 * differences, differences)).skewness == pytest.approx(-stats.skew(differences), rel=1e-9)


def test_skewness_of_clusters_is_that_of_their_sums(pair):
    """With clusters of equal size."""
    differences = np.round(np.random.default_rng(1).exponential(size=60), 6)
    paired = pair(differences, clusters=np.repeat(range(20), 3))
    assert shape_of(paired).skewness == pytest.approx(stats.skew(differences.reshape(20, 3).sum(axis=1)), rel=1e-9)


def test_the_tests_of_symmetry_are_sums_of_influence_functions(pair):
    """Of the cube, and of Fair's function u / (1 + |u|), whose mean derivative is that of 1 / (1 + |u|)^2."""
    differences = np.round(np.random.default_rng(1).exponential(size=50), 6)
    e = differences - differences.mean()
    z, u = e / e.std(), e / np.abs(e).mean()
    robust = u * np.mean(1 / (1 + np.abs(u)) ** 2) - u / (1 + np.abs(u))
    shape = shape_of(pair(differences))
    for found, terms in ((shape.cubic, z**3 - 3 * z), (shape.robust, robust)):
        assert found == pytest.approx(terms.sum() / np.sqrt((terms**2).sum()), rel=1e-9)


@pytest.mark.parametrize("values", [[0.3], [0.3, 0.3], [0.0, 0.0]])
def test_no_variance_no_skewness(pair, values):
    """Differences that are all alike are not skewed."""
    assert shape_of(pair(values)).skewness == 0.0
    assert "skewed-differences" not in _found(pair(values), "sign-flip")


def _found(paired, test, thresholds=(0.05, 0.01)):
    """Findings on the shape of the differences, by code."""
    plan = ResamplingPlan(n_resamples=999, thresholds=thresholds)
    shape = shape_of(paired) if paired.of_a_mean else None
    found = shape_findings(paired, run_test(test, paired, plan), SIGNIFICANCE_TESTS[test].if_skewed, thresholds, shape)
    return {finding.code: finding for finding in found}


def test_every_test_of_a_mean_says_what_skewness_does_to_it():
    """A test whose interval is one of the mean of paired scores, and which is no exact test of right or wrong alone."""
    for name, test in SIGNIFICANCE_TESTS.items():
        of_means = test.shape == "paired" and test.effect == "mean" and test.kinds != {"binary"} and name != "identical"
        assert (test.if_skewed != "nothing") == of_means, name


@pytest.mark.parametrize("test", ["sign-flip", "paired-t", "paired-bootstrap", "bootstrap-t"])
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("n", [30, 100, 400])
def test_skewed_differences_are_never_passed_over(pair, test, sign, n):
    """Whatever test is named, clearly skewed differences lead to a finding that says so."""
    differences = sign * (1 - np.random.default_rng(n).exponential(size=n) ** 1.5)
    found = _found(pair(differences), test)
    assert "skewed-differences" in found
    assert (found["skewed-differences"].severity == "info") <= (test == "bootstrap-t")


@pytest.mark.parametrize(
    "values",
    [np.full(30, 0.01), np.full(5, 0.25), np.linspace(0.01, 0.02, 60), np.append(np.zeros(40), np.full(9, 0.1))],
)
def test_one_sided_samples_say_what_would_cancel_them(pair, values):
    """All that differ favour one system: losses of 3 / n of the instances would undo the mean."""
    base = np.linspace(0, 1, values.size)
    finding = _found(pair(base + values, base, names=("new", "base")), "sign-flip")["one-sided-differences"]
    needed = values.mean() * values.size / 3
    assert f"Losses of {needed:.2g} on that many would cancel the lead of 'new' over 'base'" in finding.message
    turned = _found(pair(base - values, base, names=("new", "base")), "sign-flip")["one-sided-differences"]
    assert f"Losses of {needed:.2g} on that many would cancel the lead of 'base' over 'new'" in turned.message


def test_one_sided_samples_that_no_rare_loss_could_cancel_pass(pair):
    """A gain of .3 on each of 1,000 instances would take losses of 100 on three of them, and scores lie in [0, 1]."""
    base = np.linspace(0, 0.6, 1000)
    assert "one-sided-differences" not in _found(
        pair(base + 0.3 + 0.1 * np.linspace(-1, 1, 1000) ** 3, base), "sign-flip"
    )
    assert "one-sided-differences" not in _found(pair(np.append(np.full(29, 0.01), -0.01)), "sign-flip")


@pytest.mark.parametrize("wins", [25, 40, 80, 200, 400])
@pytest.mark.parametrize("sign", [1, -1])
def test_the_rule_is_n_below_121_g_squared(pair, wins, sign):
    """A tenth of all differences are 1, the others 0.1: the skewness is 2.67, so that 859 of them are enough."""
    values = sign * np.append(np.ones(wins), np.full(9 * wins, 0.1))
    assert is_skewed(pair(values)) == (10 * wins < 121 * stats.skew(values) ** 2) == (10 * wins < 860)


@pytest.mark.parametrize("n_nonzero", [5, FEWEST_NONZERO - 1, FEWEST_NONZERO])
def test_few_differing_units_are_left_to_the_sign_flip(pair, n_nonzero):
    """Resamples of 19 units say too little, however skewed they are; zeros do not help."""
    differences = np.append(np.zeros(200), np.arange(1.0, n_nonzero + 1) ** 3)
    assert is_skewed(pair(differences)) == (n_nonzero >= FEWEST_NONZERO)
