"""Bayes factors: published truths, closed forms, several priors, draws and their errors."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from reportkit.bayes.bayes_factor import (
    Hypothesis,
    bayes_factor,
    bayes_factors,
    better_by_more_than,
    equivalent_within,
)
from reportkit.bayes.distribution import difference, dirichlet_difference
from reportkit.errors import DesignError, SettingsError

UNIFORM = difference(stats.beta(1.0, 1.0), stats.beta(1.0, 1.0))


def two_shares(a, n, b, m):
    """Posterior of the difference of two proportions under uniform priors."""
    return difference(stats.beta(1.0 + a, 1.0 + n - a), stats.beta(1.0 + b, 1.0 + m - b))


def test_sadat_azer_example_4(shared):
    """BF01 of a region of one point: 1.37733 where the paper prints 1.382 and 1.32; and of the other data."""
    truths = json.loads((shared / "truths/papers.json").read_text("utf-8"))["azer"]
    for name in ("easy", "challenge", "pooled"):
        (a, b), n = truths[name]["s"], truths[name]["n"]
        found = bayes_factor(equivalent_within(0.01), UNIFORM, two_shares(a, n, b, n))
        assert found.value == pytest.approx(truths[name]["BF01"], rel=1e-5), name
    easy = truths["easy"]
    found = bayes_factor(equivalent_within(0.01), UNIFORM, two_shares(1721, 2376, 1637, 2376))
    assert found.prior_mass == pytest.approx(easy["rope_prior"], abs=1e-9)
    assert found.posterior_mass == pytest.approx(easy["rope_post"], abs=1e-8)
    better = bayes_factor(better_by_more_than(0.01), UNIFORM, two_shares(1721, 2376, 1637, 2376))
    assert better.value == pytest.approx(easy["BF10(d>.01)"], rel=1e-6)


def test_the_direction_depends_on_the_prior(shared, counted):
    """Six priors of the truths: from 1.38 down to .22, and a warning that they disagree."""
    truths = json.loads((shared / "truths/papers.json").read_text("utf-8"))["azer"]["BF01_easy_by_prior"]
    priors = [tuple(float(value) for value in key[5:-1].split(",")) for key in truths]
    found = bayes_factors(counted(1721, 2376, 1637, 2376), equivalent_within(0.01), prior=priors[0], others=priors[1:])
    assert [factor.value for factor in found.factors] == pytest.approx(list(truths.values()), abs=6e-5)
    assert found.depends_on_prior
    assert [finding.code for finding in found.findings] == ["bayes-factor-depends-on-prior"]
    assert found.sentence.endswith("depends on the prior.")
    assert found.range == (min(f.value for f in found.factors), max(f.value for f in found.factors))


def test_a_direction_that_all_priors_share(counted):
    """Thirty of a hundred more: every prior speaks for an advantage, and there is no warning."""
    found = bayes_factors(counted(80, 100, 50, 100), better_by_more_than(), prior=(3.0, 1.5))
    assert len(found.factors) == 4
    assert {factor.favours for factor in found.factors} == {"hypothesis"}
    assert found.findings == ()
    assert "S1 - S2 > 0 against its negation" in found.sentence


def test_a_direction_without_margin_is_the_posterior_odds():
    """Prior odds of 1 by symmetry: the Bayes factor is P(A better) / P(B better), closed for paired answers."""
    found = bayes_factor(
        better_by_more_than(), dirichlet_difference(1.0, 1.0, 2.0), dirichlet_difference(31.0, 16.0, 457.0)
    )
    p = stats.beta.sf(0.5, 31, 16)
    assert found.value == pytest.approx(p / (1 - p), rel=1e-9)


def test_paired_region_of_one_point():
    """30 wins, 15 losses of 500: prior mass 1 - .99^3, BF01 2.377."""
    prior, posterior = dirichlet_difference(1.0, 1.0, 2.0), dirichlet_difference(31.0, 16.0, 457.0)
    found = bayes_factor(equivalent_within(0.01), prior, posterior)
    assert found.prior_mass == pytest.approx(1 - 0.99**3, abs=1e-9)
    assert found.value == pytest.approx(2.37694, abs=1e-5)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.01, 0.05, 0.3]))
def test_swap_and_negation(counted, a, b, r):
    """A region is the same turned round; for a direction without margin the Bayes factors are inverse."""
    there, back = counted(a, 40, b, 40), counted(b, 40, a, 40, names=("S2", "S1"))
    one, other = (bayes_factors(sample, equivalent_within(r)) for sample in (there, back))
    assert [f.log_value for f in one.factors] == pytest.approx([f.log_value for f in other.factors], abs=1e-12)
    one, other = (bayes_factors(sample, better_by_more_than()).factors[0] for sample in (there, back))
    rounding = 1e-16 * math.exp(abs(other.log_value))  # of the smaller mass, whose complement is near 1
    assert one.log_value == pytest.approx(-other.log_value, rel=1e-8, abs=1e-8 + rounding)


def test_a_posterior_that_excludes_a_region_gives_a_bound():
    """Masses below 1e-12 are rounding error; the bound is on the safe side of the truth, 5e-17."""
    found = bayes_factor(equivalent_within(0.01), UNIFORM, two_shares(600, 1000, 400, 1000))
    first, second = stats.beta(601, 401), stats.beta(401, 601)
    mass, _ = quad(
        lambda x: second.pdf(x) * (first.cdf(x + 0.01) - first.cdf(x - 0.01)), 0.4, 0.6, epsabs=0, epsrel=1e-10
    )
    assert mass < 1e-15
    assert (found.bound, found.favours) == ("upper", "negation")
    assert found.log_value > math.log(mass) - math.log(0.0199 / 0.9801)


def test_fewer_than_three_priors_are_refused(counted):
    """The same prior twice is one."""
    with pytest.raises(SettingsError, match="2 different priors"):
        bayes_factors(counted(8, 10, 5, 10), equivalent_within(0.1), others=[(1.0, 1.0), 2.0])


def test_improper_priors_have_no_bayes_factor(paired):
    """Continuous scores: said so, with what is possible."""
    rng = np.random.default_rng(0)
    with pytest.raises(DesignError, match="is improper") as caught:
        bayes_factors(paired(rng.normal(size=30), rng.normal(size=30)), equivalent_within(0.1))
    assert "region of practical equivalence" in str(caught.value)


def test_hypotheses():
    """Text, and what is not a margin; a prior that excludes the hypothesis."""
    assert equivalent_within(0.02).text == "|A - B| <= 0.02"
    with pytest.raises(SettingsError, match="no margin"):
        better_by_more_than(-0.1)
    with pytest.raises(DesignError, match="gives no probability"):
        bayes_factor(better_by_more_than(1.5), UNIFORM, UNIFORM)
    with pytest.raises(DesignError, match="gives all probability"):
        bayes_factor(Hypothesis(kind="equivalent", margin=2.0), UNIFORM, UNIFORM)
