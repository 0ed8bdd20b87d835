"""Chains against closed forms."""

import numpy as np
import pytest

from reportkit.bayes.chains.chain_model import beta_share
from reportkit.bayes.chains.sampling import ChainSettings, run_chains
from reportkit.bayes.laws import Beta, Difference
from reportkit.errors import SettingsError
from reportkit.scores.sample import RightOf
from tests.bayes.chains.conftest import error_of_mean, error_of_sd

SETTINGS = ChainSettings(draws=1000, tune=500, seed=1)


class BetaBinomialByChains:
    """Two proportions under uniform priors: what `reportkit.bayes.distribution.Difference` knows."""

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
    drawn = chains.values["first"] - chains.values["second"]
    closed = Difference(Beta(1722.0, 656.0), Beta(1638.0, 740.0))
    assert abs(drawn.mean() - closed.mean) < 4 * error_of_mean(drawn)
    assert abs(drawn.std() - closed.sd) < 4 * error_of_sd(drawn)
    for margin in (0.0, 0.01, 0.035, closed.quantile(0.025), closed.quantile(0.975)):
        event = drawn > margin
        assert abs(event.mean() - closed.above(margin)) < 4 * error_of_mean(event)
    inside = np.abs(drawn) <= 0.01
    assert abs(inside.mean() - closed.inside(-0.01, 0.01)) < 4 * error_of_mean(inside)


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
