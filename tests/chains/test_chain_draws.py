"""Monte Carlo errors of draws that are not independent."""

import numpy as np
import pytest

from reportkit.chains.chain_draws import ChainDraws, WorthDraws

pytestmark = pytest.mark.usefixtures("pymc")


def autoregressive(rho, n_draws=4000):
    """Four chains with a known correlation of neighbours, and standard normal draws."""
    rng = np.random.default_rng(9)
    chains = np.empty((4, n_draws))
    chains[:, 0] = rng.normal(size=4)
    for step in range(1, n_draws):
        chains[:, step] = rho * chains[:, step - 1] + np.sqrt(1 - rho**2) * rng.normal(size=4)
    return ChainDraws.of_chains(chains)


@pytest.mark.parametrize("rho", [0.0, 0.7])
def test_the_error_of_the_mean_is_that_of_theory(rho):
    """Spread / sqrt(n) times sqrt((1 + rho) / (1 - rho)), within a fifth."""
    drawn = autoregressive(rho)
    theory = np.sqrt((1 + rho) / (1 - rho) / drawn.values.size)
    assert drawn.error_of_mean() == pytest.approx(theory, rel=0.2)


def test_errors_of_shares_and_quantiles_are_those_of_independent_draws():
    """sqrt(p (1 - p) / n) and sqrt(p (1 - p) / n) / density."""
    drawn = autoregressive(0.0)
    n = drawn.values.size
    assert drawn.error_above(1.0) == pytest.approx(np.sqrt(0.1587 * 0.8413 / n), rel=0.1)
    assert drawn.error_of_quantile(0.0) == pytest.approx(0.5 / np.sqrt(n) * np.sqrt(2 * np.pi), rel=0.2)
    assert drawn.standard_error(drawn.above(1.0)) == pytest.approx(drawn.error_above(1.0), rel=0.01)


def test_an_event_of_all_draws_has_an_error_all_the_same():
    """Half a draw is added on either side; the share is still 1."""
    drawn = autoregressive(0.0)
    assert drawn.above(-100.0) == 1.0
    assert 0.0 < drawn.error_above(-100.0) < 1e-4


def test_draws_that_are_worth_less_give_the_same_shares():
    """And fewer hits."""
    drawn = autoregressive(0.7)
    worth = WorthDraws(drawn.values, 1000)
    assert worth.above(0.5) == drawn.above(0.5)
    assert worth.inside(-0.5, 0.5) == pytest.approx(drawn.inside(-0.5, 0.5))
    assert worth.hits(-0.5, 0.5) == round(1000 * drawn.inside(-0.5, 0.5))
    assert worth.n_draws == 1000
