"""The posterior by Markov chains against closed forms, truths of simulated data, and itself."""

import math
import os
import subprocess
import sys

import numpy as np
import pytest

from reportkit.bayes import better_by_more_than, equivalent_within, posterior
from reportkit.bayes.chains import ChainSettings, WithheldError, sample_posterior
from reportkit.bayes.chains.sampled_posterior import worth_of
from reportkit.errors import DesignError, SettingsError
from tests.bayes.chains.conftest import SETTINGS, TRUTHS, error_of_mean, error_of_sd

pytestmark = pytest.mark.usefixtures("pymc")

MODELS = [
    "metric",
    pytest.param("two-metric", marks=pytest.mark.slow),
    pytest.param("count", marks=pytest.mark.slow),
    pytest.param("two-count", marks=pytest.mark.slow),
    pytest.param("ordinal", marks=pytest.mark.slow),
    pytest.param("two-ordinal", marks=pytest.mark.slow),
    pytest.param("logistic", marks=pytest.mark.slow),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_each_model_recovers_the_difference_that_data_were_made_with(posteriors, name):
    """Four posterior standard deviations about the mean hold it, and no diagnostic fails."""
    found = posteriors(name)
    assert found.withheld == ()
    assert found.findings == ()
    assert abs(found.mean - TRUTHS[name]) < 4 * found.sd
    assert (found.p_better > 0.5) == (found.mean > 0)
    assert found.p_better + found.p_worse == pytest.approx(1.0)
    assert found.interval.low < found.mean < found.interval.high
    rope = found.rope
    assert rope.better + rope.equivalent + rope.worse == pytest.approx(1.0)
    assert rope.better == found.p_better_by(0.05)


@pytest.mark.slow
def test_where_data_are_many_the_paired_logistic_model_agrees_with_the_dirichlet(answers):
    """P(better), mean and spread of the difference within four Monte Carlo standard errors of the closed form."""
    sample = answers(3000, 340, 320, 2340)
    found, closed = sample_posterior(sample, settings=SETTINGS), posterior(sample)
    assert abs(found.mean - closed.mean) < 4 * error_of_mean(found.effect)
    assert abs(found.sd - closed.sd) < 4 * error_of_sd(found.effect)
    assert abs(found.p_better - closed.p_better) < 4 * found.monte_carlo_error


@pytest.mark.slow
def test_the_same_seed_gives_the_same_digits_and_another_other_ones(paired):
    """In whatever order the rows are, and with A and B exchanged."""
    rng = np.random.default_rng(5)
    a, b = rng.normal(0.2, 1.0, 40), rng.normal(0.0, 1.0, 40)
    order = rng.permutation(40)
    settings = ChainSettings(draws=200, tune=300, seed=3)
    first = sample_posterior(paired(a, b), scale=1.0, settings=settings)
    again = sample_posterior(paired(a[order], b[order]), scale=1.0, settings=settings)
    turned = sample_posterior(paired(b, a, names=("b", "a")), scale=1.0, settings=settings)
    other = sample_posterior(paired(a, b), scale=1.0, settings=ChainSettings(draws=200, tune=300, seed=4))
    np.testing.assert_array_equal(first.effect, again.effect)
    np.testing.assert_array_equal(first.effect, -turned.effect)
    assert turned.system_a == "b"
    assert not np.array_equal(first.effect, other.effect)


@pytest.mark.slow
def test_chains_that_are_too_short_are_withheld(paired):
    """Every number raises, with what failed and what to do; findings and sentence say so too."""
    rng = np.random.default_rng(5)
    sample = paired(rng.normal(0.2, 1.0, 40), rng.normal(0.0, 1.0, 40))
    found = sample_posterior(sample, scale=1.0, rope=0.1, settings=ChainSettings(draws=20, tune=0, seed=1))
    assert any("effective sample size" in text for text in found.withheld)
    for number in ("mean", "sd", "p_better", "p_worse", "interval", "rope", "monte_carlo_error", "distribution"):
        with pytest.raises(WithheldError, match=r"withheld.*(R-hat|effective sample size)"):
            getattr(found, number)
    with pytest.raises(WithheldError, match="draws=2000"):
        found.p_better_by(0.1)
    with pytest.raises(WithheldError, match="a v b on cb"):
        found.factor(better_by_more_than())
    assert found.findings[0].code == "markov-chains-failed"
    assert found.findings[0].severity == "error"
    assert "gives no answer" in found.sentence
    assert "more draws" in found.sentence


@pytest.mark.slow
def test_what_is_said_of_a_bayes_factor_agrees_with_its_masses(posteriors):
    """Odds after the data divided by odds before, with an error by effective draws; the prior is symmetric."""
    found = posteriors("two-metric")
    factor = found.factor(better_by_more_than(0.0))
    assert factor.prior_mass == pytest.approx(0.5, abs=4 * 0.5 / math.sqrt(100_000))
    if factor.bound == "none":
        odds = found.p_better / found.p_worse
        assert factor.value == pytest.approx(odds * (1 - factor.prior_mass) / factor.prior_mass)
    inside = found.factor(equivalent_within(0.1))
    assert inside.prior_mass == pytest.approx(math.erf(0.1 / 0.5 / math.sqrt(2)), abs=0.006)
    assert inside.posterior_mass == pytest.approx(float((np.abs(found.effect) <= 0.1).mean()))


@pytest.mark.parametrize("rho", [0.0, 0.7])
def test_draws_are_worth_what_theory_says(rho):
    """Of an autoregressive process: n (1 - rho) / (1 + rho), within a third; never more than there are."""
    rng = np.random.default_rng(9)
    chains = np.empty((4, 4000))
    chains[:, 0] = rng.normal(size=4)
    for step in range(1, 4000):
        chains[:, step] = rho * chains[:, step - 1] + np.sqrt(1 - rho**2) * rng.normal(size=4)
    for event in (chains > -100.0, chains < -100.0):
        assert worth_of(chains, event) == pytest.approx(16_000 * (1 - rho) / (1 + rho), rel=0.3)
    assert 16_000 * (1 - rho) / (1 + rho) * 0.7 < worth_of(chains, chains > 1.0) <= 16_000


def test_sentences_have_names_and_diagnostics(posteriors):
    """For the text of a paper, and for its section on methods."""
    found = posteriors("metric")
    assert "posterior probability that a is better than b on cb" in found.sentence
    assert "Monte Carlo standard error" in found.sentence
    assert found.convergence_sentence.startswith("4 chains of 500 draws after 500 of tuning")
    assert "0 divergences" in found.convergence_sentence


@pytest.mark.parametrize("level", [0.0, 1.0])
def test_a_level_that_is_none_is_refused(paired, level):
    """Before anything is sampled."""
    with pytest.raises(SettingsError, match="credible_mass"):
        sample_posterior(paired([1, 2, 3], [0, 2, 5]), scale=1.0, credible_mass=level)


def test_data_that_tell_nothing_are_refused_before_sampling(answers):
    """No instance on which only one system is right: nothing is known of the ratio."""
    with pytest.raises(DesignError, match="same instances"):
        sample_posterior(answers(30, 0, 0, 10))


@pytest.mark.slow
def test_no_compiler_is_needed():
    """With PyTensor told that there is no C++ compiler, chains run all the same."""
    code = (
        "import numpy as np\n"
        "from reportkit.bayes.chains import ChainSettings, sample_posterior\n"
        "from reportkit.scores.sample import Sample\n"
        "a = np.random.default_rng(1).normal(0.2, 1.0, 30)\n"
        "s = Sample(system_a='a', system_b='b', dataset='d', metric='m', kind='continuous', a=a, b=0 * a)\n"
        "f = sample_posterior(s, scale=1.0, settings=ChainSettings(draws=20, tune=20))\n"
        "print(f.effect.shape)\n"
    )
    environment = {**os.environ, "PYTENSOR_FLAGS": "cxx="}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=600)
    assert done.stdout.strip() == "(4, 20)", done.stderr
