"""Chains against closed forms."""

import numpy as np
import pytest
from scipy import stats

from reportkit.bayes.beta_binomial import Beta, beta_binomial
from reportkit.chains.chain_draws import ChainDraws
from reportkit.chains.declared_priors import beta_share
from reportkit.chains.metric import PairedMetric
from reportkit.chains.sampling import ChainSettings, run_chains
from reportkit.errors import SettingsError
from reportkit.scores.shapes.sample import RightOf
from tests.chains.conftest import error_of_sd

SETTINGS = ChainSettings(draws=1000, tune=500, seed=1)


class BetaBinomialByChains:
    """Two proportions under uniform priors: what `reportkit.bayes.beta_binomial` knows by quadrature."""

    priors = {"first": beta_share(1.0, 1.0), "second": beta_share(1.0, 1.0)}  # noqa: RUF012

    def __init__(self, right):
        self.right = right

    def log_likelihood(self, values):
        """Binomial log probabilities without constants."""
        import pytensor.tensor as pt

        a, n_a, b, n_b = self.right
        first, second = values["first"], values["second"]
        return a * pt.log(first) + (n_a - a) * pt.log1p(-first) + b * pt.log(second) + (n_b - b) * pt.log1p(-second)


@pytest.mark.slow
@pytest.mark.usefixtures("pymc")
def test_two_proportions_by_chains_agree_with_the_closed_form():
    """ARC-easy: mean, spread, P(better), P(better by a point), the ROPE and both quantiles, within four errors."""
    right = RightOf(1721, 2376, 1637, 2376)
    chains = run_chains(BetaBinomialByChains(right), SETTINGS, np.random.SeedSequence(1))
    drawn = ChainDraws.of_chains(chains.values["first"] - chains.values["second"])
    closed = beta_binomial(right, Beta(1.0, 1.0))
    assert abs(drawn.mean - closed.mean) < 4 * drawn.error_of_mean()
    assert abs(drawn.sd - closed.sd) < 4 * error_of_sd(drawn)
    for margin in (0.0, 0.01, 0.035):
        assert abs(drawn.above(margin) - closed.above(margin)) < 4 * drawn.error_above(margin)
    inside = np.abs(drawn.chains) <= 0.01
    assert abs(inside.mean() - closed.inside(-0.01, 0.01)) < 4 * drawn.error_of_share(inside)
    for p in (0.025, 0.975):
        truth = closed.quantile(p)
        assert abs(drawn.quantile(p) - truth) < 4 * drawn.error_of_quantile(drawn.quantile(p))


@pytest.mark.slow
@pytest.mark.usefixtures("pymc")
def test_the_metric_model_with_normal_tails_agrees_with_the_t_posterior():
    """With nu = 1e6, vague priors and n = 300, the posterior of the mean is the t distribution of the closed form."""
    d = np.sort(np.random.default_rng(4).normal(0.1, 1.0, 300))
    model = PairedMetric(differences=d, scale=20.0, nu=1e6)
    chains = run_chains(model, SETTINGS, np.random.SeedSequence(2))
    drawn = ChainDraws.of_chains(model.effect(chains.values))
    closed = stats.t(299, d.mean(), d.std(ddof=1) / np.sqrt(300))
    assert abs(drawn.mean - closed.mean()) < 4 * drawn.error_of_mean()
    assert abs(drawn.sd - closed.std()) < 4 * error_of_sd(drawn)
    for margin in (0.0, 0.1):
        assert abs(drawn.above(margin) - closed.sf(margin)) < 4 * drawn.error_above(margin)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"chains": 3}, "at least 4 for chains"),
        ({"draws": 19}, "at least 20 for draws"),
        ({"tune": -1}, "at least 0 for tune"),
        ({"seed": 1.5}, "seed=1.5"),
        ({"draws": True}, "draws=True"),
        ({"target_accept": 1.0}, "target_accept"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    """With what is asked for."""
    with pytest.raises(SettingsError, match=message):
        ChainSettings(**settings)
